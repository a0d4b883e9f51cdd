"""Finds wins and losses within three plies in Connect Four, for the search kernels.

A winning cell counts only if it is playable, and a disc below one makes it playable for the other side.  Boards are
those of core.games.connect4.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.connect4 import Connect4State
from core.games.connect4 import winning_cells as cells_that_win
from core.games.info import PLY
from core.solve.threats_leaf import LeafOperations, register


class FallingThreats(NamedTuple):
    """Replaces Threats in Connect Four: each board is examined anew, so there is no state."""

    nothing: NDArray[np.int64]  # [0]


@jitable
def falling_outcome(state: Connect4State) -> int:
    """Plies to a win of the side to move (1 or 3), minus the plies to its loss (-2), or 0 when undecided.

    Exact under best play, for an unfinished position: an immediate line; two winning cells of the other side, or one
    that cannot be blocked; a disc that makes two winning cells that cannot both be blocked.
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


def _outcome(t: FallingThreats, state: Connect4State) -> int:
    return falling_outcome(state)


register(FallingThreats, LeafOperations(_outcome))
