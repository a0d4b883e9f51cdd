"""A board's lines as bit words: runs of stones, and the points that would complete one.

The lines of a board of ``rows`` by ``cols`` are numbered rows first, then columns, rising and falling diagonals; a
stone's bit on its line is its column on a row and its row elsewhere.  Two lines share a word, the second 32 bits up.
A point is ``row << 5 | col``.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.bits import lowest_bit

UP: Final = 32  # where the second line of a word begins
NOWHERE: Final = -1


class Grid(NamedTuple):
    """The layout of a board in its array of cells: row r, column c at ``r * stride + c + origin``."""

    rows: int
    cols: int
    stride: int
    origin: int


class PointPair(NamedTuple):
    """Up to two different points, each ``row << 5 | col``."""

    first: int  # NOWHERE when there is none
    second: int  # NOWHERE when there is at most one


@jitable
def runs(lines: int, k: int) -> int:
    """The starts of runs of ``k`` set bits.  Run lengths double, the last step goes up to k."""
    length = 1
    while 2 * length <= k:
        lines &= lines >> length
        length *= 2
    return lines & (lines >> (k - length))


@jitable
def has_lone(runs: int) -> bool:
    """Whether some run found by :func:`runs` is not part of a longer one."""
    return runs & ~(runs << 1) & ~(runs >> 1) != 0


@jitable
def _spread(windows: int, step: int, k: int) -> int:
    """All bits of the windows of ``k`` bits that begin at ``windows``."""
    cover = windows
    for _ in range(k - 1):
        cover = windows | (cover << step)
    return cover


@jit
def gaps(word: int, step: int, k: int, exact: bool) -> int:
    """The unset bits that would complete ``k`` set bits ``step`` apart; if ``exact``, not more than k.

    The result includes bits off the board, which the caller masks.
    """
    full = word  # starts of full windows, at first of one bit
    nearly = -1  # starts of windows with at most one bit missing
    for _ in range(k - 1):
        nearly = (word & (nearly >> step)) | (full >> step)
        full = word & (full >> step)
    if nearly == 0:
        return 0
    missing = _spread(nearly, step, k)
    if exact:
        missing &= ~_spread((word & (nearly >> step)) | (full >> step), step, k + 1)
    return missing & ~word


@jitable
def is_free(cells: NDArray[np.int8], grid: Grid, point: int) -> bool:
    """Whether ``point`` exists and is empty."""
    return point != NOWHERE and cells[(point >> 5) * grid.stride + (point & 31) + grid.origin] == 0


@jitable
def add_points(cells: NDArray[np.int8], grid: Grid, low: int, high: int, bits: int, points: PointPair) -> PointPair:
    """``points`` and the empty points of the bits ``bits`` of lines ``low`` and ``high``, up to two in all."""
    rows, cols = grid.rows, grid.cols
    first, second = points
    while bits != 0 and second == NOWHERE:
        bit = lowest_bit(np.uint64(bits))
        bits &= bits - 1
        line = low if bit < UP else high
        place = bit & (UP - 1)
        row = place
        if line < rows:
            row = line
            col = place
        elif line < rows + cols:
            col = line - rows
        elif line < 2 * (rows + cols) - 1:
            col = line - rows - cols - row
        else:
            col = row - (line - 3 * cols - 2 * rows + 2)
        if row < rows and 0 <= col < cols and cells[row * grid.stride + col + grid.origin] == 0:
            point = row << 5 | col
            if first == NOWHERE:
                first = point
            elif point != first:
                second = point
    return PointPair(first, second)
