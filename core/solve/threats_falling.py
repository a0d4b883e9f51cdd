"""Proves positions of Connect Four for the search kernels: within three plies, or by a short exact search.

A winning cell counts only if it is playable, and a disc below one makes it playable for the other side.  Boards are
those of core.games.connect4.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.connect4 import Connect4State
from core.games.connect4 import winning_cells as cells_that_win
from core.games.info import PLY
from core.solve.connect4_search import Connect4Run, Shape, board_shape, make_run, run_slice
from core.solve.slices import SEARCHED, VALUE
from core.solve.threats_leaf import DRAWN, UNKNOWN_PLIES, LeafOperations, register

# A short exact search takes less time than a net does: about 0.1 ms.
SEARCHED_NODES: Final = 2000
SEARCHED_EMPTIES: Final = 30  # with more empty cells so few nodes seldom suffice
_TABLE_BITS: Final = 10
_MOST_BITS: Final = 12  # of a table that is quickly emptied


class FallingThreats(NamedTuple):
    """Replaces Threats in Connect Four: each board is examined anew, so that nothing depends on earlier ones."""

    run: Connect4Run
    table: NDArray[np.int64]  # of the exact search, emptied before each; [0] without such
    shape: Shape


def falling_threats(rows: int, cols: int, searched: bool) -> FallingThreats:
    """Scratch for boards of a size.  ``searched``: whether what threats leave open is searched exactly, by the rule of
    four in a row."""
    shape = board_shape(rows, cols, _TABLE_BITS)
    entries = 2 * (shape.buckets + 1) if searched and shape.buckets < 1 << _MOST_BITS else 0
    return FallingThreats(make_run(rows * cols + 1, cols), np.zeros(entries, np.int64), shape)


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


@jitable
def _is_above(t: FallingThreats, mover: int, filled: int, threshold: int, nodes: int) -> int:
    """Whether a position's score is above ``threshold``: 1, 0, or -1 where so many nodes do not suffice."""
    control = t.run.control
    control[:] = 0
    t.run.mover[0], t.run.filled[0], t.run.alpha[0] = mover, filled, threshold
    if not run_slice(t.run, t.table, t.shape, nodes):
        return -1
    return 1 if control[VALUE] > threshold else 0


@jitable
def searched_outcome(t: FallingThreats, state: Connect4State) -> int:
    """UNKNOWN_PLIES where the side to move wins, - UNKNOWN_PLIES where it loses, with DRAWN added where neither does;
    0 where SEARCHED_NODES do not suffice.  The side to move must not be able to win at once."""
    side = int(state.info[PLY] & 1)
    mover, filled = int(state.boards[side]), int(state.boards[0] | state.boards[1])
    t.table[:] = 0
    wins = _is_above(t, mover, filled, 0, SEARCHED_NODES)
    if wins != 0:
        return UNKNOWN_PLIES if wins > 0 else 0
    holds = _is_above(t, mover, filled, -1, SEARCHED_NODES - int(t.run.control[SEARCHED]))
    if holds != 0:
        return UNKNOWN_PLIES + DRAWN if holds > 0 else 0
    return -UNKNOWN_PLIES


def _outcome(t: FallingThreats, state: Connect4State) -> int:
    plies = falling_outcome(state)
    if plies != 0 or t.table.size == 0 or t.shape.rows * t.shape.cols - state.info[PLY] > SEARCHED_EMPTIES:
        return plies
    return searched_outcome(t, state)


register(FallingThreats, LeafOperations(_outcome))
