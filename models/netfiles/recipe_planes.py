"""The planes that a recipe names, made of a game's own planes of the present and of earlier boards.

Letters: B batch, C planes, H W board, P planes that they are made of (``raw_encoding``).
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.net_inputs import inputs_of
from core.games.past_boards import A_BOARD, OWN_PLANES, past_encoding
from models.netfiles.ort_session import BadNet
from models.netfiles.recipe import boards_in, plane_of

Array = NDArray[np.float32]

# From the game's own planes [B, 4, H, W] (core.games.spec.NUM_PLANES), each plane [B, H, W].
_MAKERS: Final[dict[str, Callable[[Array], Array]]] = {
    "mine": lambda board: board[:, 0],
    "theirs": lambda board: board[:, 1],
    "first": lambda board: np.where(board[:, 3] > 0, board[:, 0], board[:, 1]),
    "second": lambda board: np.where(board[:, 3] > 0, board[:, 1], board[:, 0]),
    "empty": lambda board: 1 - board[:, 0] - board[:, 1],
    "mine-theirs": lambda board: board[:, 0] - board[:, 1],
    "first-second": lambda board: (board[:, 0] - board[:, 1]) * (2 * board[:, 3] - 1),
    "last": lambda board: board[:, 2],
    "first to move": lambda board: board[:, 3],
    "second to move": lambda board: 1 - board[:, 3],
    "colour": lambda board: 2 * board[:, 3] - 1,
    "row": lambda board: np.broadcast_to(_steps(board.shape[2])[:, None], _of_one(board)),
    "column": lambda board: np.broadcast_to(_steps(board.shape[3]), _of_one(board)),
    "legal": lambda board: 1 - board[:, 0] - board[:, 1],
    "ones": lambda board: np.ones(_of_one(board), np.float32),
    "zeros": lambda board: np.zeros(_of_one(board), np.float32),
}


def _of_one(board: Array) -> tuple[int, int, int]:
    """The shape of one plane."""
    return board.shape[0], board.shape[2], board.shape[3]


def _steps(count: int) -> Array:
    return np.linspace(0, 1, count, dtype=np.float32)


def landing(board: Array) -> Array:
    """The lowest empty cell of each column, [B, H, W]."""
    empty = 1 - board[:, 0] - board[:, 1]
    below = np.concatenate([empty[:, 1:], np.zeros_like(empty[:, :1])], axis=1)
    return np.asarray(empty * (1 - below), np.float32)


def check_planes(words: Sequence[str], game: "GameSpec") -> None:
    """BadNet for a plane that cannot be made of positions of ``game``."""
    if (
        game.lines is None
        and not game.gravity
        and any(plane and plane.name == "legal" for plane in map(plane_of, words))
    ):
        raise BadNet(f"the plane legal can be shown only in games where lines of stones win, not in {game.text}")


def raw_encoding(words: Sequence[str], game: "GameSpec", name: str) -> Encoding:
    """The encoding, called ``name``, of what these planes are made of: the game's own planes, and of earlier boards as
    many as they show."""
    earlier = boards_in(words) - 1
    return past_encoding(game, earlier, name) if earlier else OWN_ENCODING._replace(name=name)


def planes(words: Sequence[str], raw: Array, game: "GameSpec") -> Array:
    """The planes [B, C, H, W] of these words, for planes [B, P, H, W] in their ``raw_encoding``; row 0 on top."""
    out = np.empty((len(raw), len(words), *raw.shape[2:]), np.float32)
    for place, word in enumerate(words):
        meaning = plane_of(word)
        if meaning is None:
            raise ValueError(word)
        maker = landing if game.gravity and meaning.name == "legal" else _MAKERS[meaning.name]
        plane = maker(_board(raw, meaning.ago))
        out[:, place] = -plane if meaning.negative else plane
    return out


def _board(raw: Array, ago: int) -> Array:
    """The planes of the board so many moves ago in the order of a game's own, as the present side to move sees it."""
    if not ago:
        return raw[:, :OWN_PLANES]
    first = OWN_PLANES + A_BOARD * (ago - 1)
    return np.concatenate([raw[:, first : first + A_BOARD], raw[:, OWN_PLANES - 1 : OWN_PLANES]], axis=1)


def shown_planes(words: Sequence[str], position: "Position") -> Array:
    """The planes [C, H, W] of these words for a position."""
    raw = inputs_of(position, raw_encoding(words, position.game, "")).planes
    shown: Array = planes(words, raw, position.game)[0]
    return shown
