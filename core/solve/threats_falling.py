"""What a Connect Four position already is by wins near at hand, for the search kernels.  Knows no tree.

Discs fall, so a winning cell counts only where a disc can lie next, and a disc under one opens it for the other side.
Boards are those of core.games.connect4.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.connect4 import Connect4State
from core.games.connect4 import winning_cells as cells_that_win
from core.games.info import PLY


class FallingThreats(NamedTuple):
    """In the place of Threats for a game whose discs fall: each board is judged anew, so nothing is kept."""

    nothing: NDArray[np.int64]  # [0]


@jitable
def falling_outcome(state: Connect4State) -> int:
    """Plies until the side to move has won (1 or 3), minus the plies until it has lost (-2), or 0: not settled.

    Exact under best play, for a position that is not over: a line at once; two lines of the other side, or one that
    cannot be stopped; a disc that makes two, with no answer to both.
    """
    boards = state.boards
    rows, cols, k = int(state.dims[0]), int(state.dims[1]), int(state.dims[2])
    height = rows + 1
    side = int(state.info[PLY] & 1)
    mover, other = int(boards[side]), int(boards[1 - side])
    filled = mover | other
    floor = 0
    for col in range(cols):
        floor |= 1 << (col * height)
    inside = floor * ((1 << rows) - 1)
    open_cells = (filled + floor) & inside
    if cells_that_win(mover, inside, height, k) & open_cells != 0:
        return 1
    theirs = cells_that_win(other, inside, height, k) & ~filled
    blocks = theirs & open_cells
    if blocks & (blocks - 1) != 0:
        return -2
    moves = open_cells & ~(theirs >> 1)
    if blocks != 0:
        moves &= blocks
    if moves == 0:
        return -2
    while moves != 0:
        disc = moves & -moves
        moves ^= disc
        after = filled | disc
        mine = cells_that_win(mover | disc, inside, height, k) & ~after
        now = mine & (after + floor)
        if now & (now - 1) != 0 or (now << 1) & mine != 0:
            return 3
    return 0
