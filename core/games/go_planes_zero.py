"""The input planes of AlphaGo Zero and of Leela Zero: the stones of the last eight boards.

Boards before the start of the game are empty planes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.go_chains import BLACK, EMPTY
from core.games.go_view import BOARDS, BOARDS_KNOWN, COLS, ROWS, TO_MOVE, GoView


def _names(owner: str) -> list[str]:
    return [f"{owner} stones", f"{owner}, 1 move ago"] + [f"{owner}, {ago} moves ago" for ago in range(2, BOARDS)]


_OWN, _OTHER = _names("own"), _names("opponent's")
ZERO_PLANES: Final = (*(name for pair in zip(_OWN, _OTHER, strict=True) for name in pair), "black to move")
LEELA_PLANES: Final = (*_OWN, *_OTHER, "black to move", "white to move")


@jitable
def _write(view: GoView, mine: int, theirs: int, step: int, out: NDArray[np.float32]) -> None:
    """Write the boards from planes ``mine`` and ``theirs`` on, each ``step`` planes after the one later in the game."""
    facts = view.facts
    cols = facts[COLS]
    for ago in range(BOARDS):
        is_known = ago < facts[BOARDS_KNOWN]
        for point in range(facts[ROWS] * cols):
            stone = int(view.stones[ago, point]) if is_known else EMPTY
            row, col = point // cols, point % cols
            out[mine + ago * step, row, col] = 1.0 if stone == facts[TO_MOVE] else 0.0
            out[theirs + ago * step, row, col] = 1.0 if stone != EMPTY and stone != facts[TO_MOVE] else 0.0


@jitable
def _fill(out: NDArray[np.float32], plane: int, value: float) -> None:
    for row in range(out.shape[1]):
        for col in range(out.shape[2]):
            out[plane, row, col] = value


@jitable
def encode_zero(view: GoView, out: NDArray[np.float32]) -> None:
    """Write AlphaGo Zero's planes to ``out`` float32 [17, H, W]."""
    _write(view, 0, 1, 2, out)
    _fill(out, 2 * BOARDS, 1.0 if view.facts[TO_MOVE] == BLACK else 0.0)


@jitable
def encode_leela(view: GoView, out: NDArray[np.float32]) -> None:
    """Write Leela Zero's planes to ``out`` float32 [18, H, W]."""
    _write(view, 0, BOARDS, 1, out)
    _fill(out, 2 * BOARDS, 1.0 if view.facts[TO_MOVE] == BLACK else 0.0)
    _fill(out, 2 * BOARDS + 1, 0.0 if view.facts[TO_MOVE] == BLACK else 1.0)
