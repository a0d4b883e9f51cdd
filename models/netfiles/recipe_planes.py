"""The planes that a recipe names, made of a game's own planes.  Knows no net file.

Letters: B batch, C planes, H W board.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from core.text import Text
from models.netfiles.ort_session import BadNet

if TYPE_CHECKING:
    from core.games import GameSpec

Array = NDArray[np.float32]

# From the game's own planes [B, 4, H, W] (core.games.spec.NUM_PLANES), each plane [B, H, W].
_MAKERS: Final[dict[str, Callable[[Array], Array]]] = {
    "mine": lambda own: own[:, 0],
    "theirs": lambda own: own[:, 1],
    "first": lambda own: np.where(own[:, 3] > 0, own[:, 0], own[:, 1]),
    "second": lambda own: np.where(own[:, 3] > 0, own[:, 1], own[:, 0]),
    "empty": lambda own: 1 - own[:, 0] - own[:, 1],
    "mine-theirs": lambda own: own[:, 0] - own[:, 1],
    "first-second": lambda own: (own[:, 0] - own[:, 1]) * (2 * own[:, 3] - 1),
    "last": lambda own: own[:, 2],
    "first to move": lambda own: own[:, 3],
    "second to move": lambda own: 1 - own[:, 3],
    "colour": lambda own: 2 * own[:, 3] - 1,
    "row": lambda own: np.broadcast_to(_steps(own.shape[2])[:, None], _of_one(own)),
    "column": lambda own: np.broadcast_to(_steps(own.shape[3]), _of_one(own)),
    "legal": lambda own: 1 - own[:, 0] - own[:, 1],
    "ones": lambda own: np.ones(_of_one(own), np.float32),
    "zeros": lambda own: np.zeros(_of_one(own), np.float32),
}


def _of_one(own: Array) -> tuple[int, int, int]:
    """The shape of one plane."""
    return own.shape[0], own.shape[2], own.shape[3]


def _steps(count: int) -> Array:
    return np.linspace(0, 1, count, dtype=np.float32)


def landing(own: Array) -> Array:
    """The lowest empty cell of each column, [B, H, W]."""
    empty = 1 - own[:, 0] - own[:, 1]
    below = np.concatenate([empty[:, 1:], np.zeros_like(empty[:, :1])], axis=1)
    return np.asarray(empty * (1 - below), np.float32)


def check_planes(words: Sequence[str], game: "GameSpec") -> None:
    """BadNet for a plane that cannot be made of positions of ``game``."""
    if game.lines is None and not game.gravity and any(word.removeprefix("-") == "legal" for word in words):
        raise BadNet(
            Text("the plane legal can be shown only in games where lines of stones win, not in {game}", game=game.text)
        )


def planes(words: Sequence[str], own: Array, game: "GameSpec") -> Array:
    """The planes [B, C, H, W] of these words, for the game's own planes [B, 4, H, W]; row 0 on top."""
    made = np.empty((len(own), len(words), *own.shape[2:]), np.float32)
    for place, word in enumerate(words):
        name = word.removeprefix("-")
        maker = landing if game.gravity and name == "legal" else _MAKERS[name]
        plane = maker(own)
        made[:, place] = -plane if word != name else plane
    return made
