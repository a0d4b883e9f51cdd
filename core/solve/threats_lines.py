"""The pattern that a stone would make on each empty point, updated incrementally.

A *window* is k adjacent points of a line without stones of the other side; where only exactly k in a row wins, the
points just beyond its two ends are not stones of its own side either, or filling it would not win.  A stone on an empty
point p is classified line by line, by the windows of that line that contain p, p counted as a stone:

| kind       | windows through p                                            | k = 5, Japanese / Chinese |
|------------|--------------------------------------------------------------|---------------------------|
| FIVE       | one is full                                                  | go, 五连                  |
| OPEN_FOUR  | one point short, two of them with different missing points   | tatsu-yon, 活四           |
| FOUR       | one point short, all with the same missing point             | yon, 冲四 (rush four)     |
| OPEN_THREE | two short; one more stone can make an OPEN_FOUR of it        | katsu-san, 活三           |
| THREE      | two short, and none can                                      | san, 眠三                 |
| OPEN_TWO   | three short; one more stone can make an OPEN_THREE of it     | katsu-ni, 活二            |
| TWO        | three short, and none can                                    | ni, 眠二                  |

The nearest to five counts, of equally near ones the open.  For other k the names go by what is missing: a four is k - 1
stones, a three k - 2, a two k - 3, and twos exist only for k >= 5.  Kinds go by what they can become: the double four
in one line ``X.XXX.X`` is an OPEN_FOUR, as two points complete it, and a broken three ``.X.XX.`` an OPEN_THREE.
In terms of windows, j points short: open = two windows whose missing points differ in exactly one each.

Every line of the board is a word for each side's stones, so that the neighbourhood of p is a shift and a mask, and its
kind is looked up in a table filled on demand.  Letters: A points, L lines, R radius (see ``reach``).
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable

NONE: Final = 0
TWO: Final = 1
OPEN_TWO: Final = 2
THREE: Final = 3
OPEN_THREE: Final = 4
FOUR: Final = 5
OPEN_FOUR: Final = 6
FIVE: Final = 7
NUM_KINDS: Final = 8

# Indices into Threats.dims.
ROWS: Final = 0
COLS: Final = 1
LENGTH: Final = 2  # k
RADIUS: Final = 3
EXACT: Final = 4  # and 5: whether only exactly k in a row wins for side 0, for side 1

DIRECTIONS: Final = 4  # horizontal, vertical, rising, falling
_UNKNOWN: Final = 255
_TABLE_RADIUS: Final = 5  # a larger neighbourhood needs too large a table and is classified each time


class Threats(NamedTuple):
    """A board and, for each side, direction and empty point, the kind that a stone there would make."""

    cells: NDArray[np.int8]  # [A]: 0 empty, 1 side 0, 2 side 1
    kinds: NDArray[np.uint8]  # [2, A, 4]: by side and direction; NONE on stones
    best: NDArray[np.uint8]  # [2, A]: the strongest of the four, and two FOURs together are an OPEN_FOUR
    counts: NDArray[np.int64]  # [2, 8]: empty points by their ``best``
    stones: NDArray[np.int64]  # [2, L]: each side's stones on each line, point number n at bit n + R
    walls: NDArray[np.int64]  # [L]: likewise what lies beyond the ends
    line: NDArray[np.int16]  # [4, A]: the line through a point
    place: NDArray[np.int16]  # [4, A]: the point's number on it
    steps: NDArray[np.int64]  # [4]: from a point to the next on its line
    table: NDArray[np.uint8]  # [2, 4 ** (2 R)]: kinds by neighbourhood, for any length and for exactly k; or [2, 0]
    dims: NDArray[np.int64]  # [6]: see ROWS to EXACT


@jitable
def _count(bits: int) -> int:
    """Number of set bits."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@jitable
def window_gaps(stones: int, blocked: int, first: int, k: int, exact: bool) -> int:
    """The points missing in the k points from bit ``first`` on, as bits; -1 where that is no window."""
    full = (1 << k) - 1
    if (blocked >> first) & full != 0:
        return -1
    if exact and stones & (((1 << first) >> 1) | (1 << (first + k))) != 0:
        return -1
    return (full << first) & ~stones


@jitable
def classify(stones: int, blocked: int, k: int, exact: bool, radius: int) -> int:
    """The kind that a stone on bit ``radius`` of a line makes.

    ``stones`` and ``blocked`` (the other side's stones, the board's ends) hold bits 0 to 2 ``radius``; the radius is
    ``reach`` or more.
    """
    stones |= 1 << radius
    least = 4 if k >= 5 else 3
    for first in range(radius - k + 1, radius + 1):
        gaps = window_gaps(stones, blocked, first, k, exact)
        if gaps >= 0:
            least = min(least, _count(gaps))
    if least == 0:
        return FIVE
    if least == 4 or (least == 3 and k < 5):
        return NONE
    for first in range(radius - k + 1, radius):
        gaps = window_gaps(stones, blocked, first, k, exact)
        if gaps < 0 or _count(gaps) != least:
            continue
        for second in range(first + 1, radius + 1):
            other = window_gaps(stones, blocked, second, k, exact)
            if other >= 0 and _count(other) == least and _count(gaps & other) == least - 1:
                return FIVE + 1 - 2 * least
    return FIVE - 2 * least


@jit
def _judge(stones: int, blocked: int, k: int, exact: bool, radius: int) -> int:
    """``classify`` for kernels: compiled once, called for entries missing in the table."""
    return classify(stones, blocked, k, exact, radius)


def reach(k: int, exact: bool) -> int:
    """The radius along a line within which a stone matters: windows through a point, plus one where k must be exact."""
    return k if exact else k - 1


@jitable
def _look_up(stones: int, blocked: int, k: int, exact: int, radius: int, table: NDArray[np.uint8]) -> int:
    """``classify`` by the table where there is one; bits beyond 2 ``radius`` are ignored."""
    mask = (1 << (2 * radius + 1)) - 1
    if table.shape[1] == 0:
        return _judge(stones & mask, blocked & mask, k, exact != 0, radius)
    # The point itself is empty: omit its bit.
    low = (1 << radius) - 1
    at = (stones & low) | ((stones >> 1) & (low << radius))
    at = at << (2 * radius) | (blocked & low) | ((blocked >> 1) & (low << radius))
    kind = int(table[exact, at])
    if kind == _UNKNOWN:
        kind = _judge(stones & mask, blocked & mask, k, exact != 0, radius)
        table[exact, at] = kind
    return kind


@jitable
def _rank(kinds: NDArray[np.uint8], best: NDArray[np.uint8], counts: NDArray[np.int64], side: int, cell: int) -> None:
    """Update ``best`` and ``counts`` of a point from its kinds."""
    top = 0
    fours = 0
    for direction in range(DIRECTIONS):
        kind = int(kinds[side, cell, direction])
        top = max(top, kind)
        if kind == FOUR:
            fours += 1
    if top == FOUR and fours > 1:
        top = OPEN_FOUR
    before = int(best[side, cell])
    if top != before:
        counts[side, before] -= 1
        counts[side, top] += 1
        best[side, cell] = top


@jit
def _renew(t: Threats, cell: int) -> None:
    """Reclassify all points that a stone put at, or taken from, ``cell`` can affect."""
    kinds, best, counts, table = t.kinds, t.best, t.counts, t.table
    k, radius = int(t.dims[LENGTH]), int(t.dims[RADIUS])
    exact_first, exact_second = int(t.dims[EXACT]), int(t.dims[EXACT + 1])
    for direction in range(DIRECTIONS):
        line = int(t.line[direction, cell])
        start = int(t.place[direction, cell])
        step = int(t.steps[direction])
        wall = int(t.walls[line])
        first, second = int(t.stones[0, line]), int(t.stones[1, line])
        full = (first | second | wall) >> radius
        for offset in range(-radius, radius + 1):
            place = start + offset
            # The board's ends are walls for R points on either side, so an open point is one of this line.  Windows
            # that lie beyond the low end are not asked for: place is negative there, and below no bit is open.
            if place < 0 or (full >> place) & 1 != 0:
                continue
            other = cell + offset * step
            kind = _look_up(first >> place, (second | wall) >> place, k, exact_first, radius, table)
            if kind != kinds[0, other, direction]:
                kinds[0, other, direction] = kind
                _rank(kinds, best, counts, 0, other)
            kind = _look_up(second >> place, (first | wall) >> place, k, exact_second, radius, table)
            if kind != kinds[1, other, direction]:
                kinds[1, other, direction] = kind
                _rank(kinds, best, counts, 1, other)


@jitable
def _flip(t: Threats, side: int, cell: int) -> None:
    for direction in range(DIRECTIONS):
        t.stones[side, t.line[direction, cell]] ^= 1 << (int(t.place[direction, cell]) + int(t.dims[RADIUS]))


@jit
def put(t: Threats, side: int, cell: int) -> None:
    """Put a stone of ``side`` on an empty point; modifies ``t``."""
    t.cells[cell] = side + 1
    _flip(t, side, cell)
    for either in range(2):
        t.counts[either, t.best[either, cell]] -= 1
        t.best[either, cell] = NONE
        for direction in range(DIRECTIONS):
            t.kinds[either, cell, direction] = NONE
    _renew(t, cell)


@jit
def take(t: Threats, cell: int) -> None:
    """Take the stone at ``cell`` away; modifies ``t``."""
    _flip(t, int(t.cells[cell]) - 1, cell)
    t.cells[cell] = 0
    for either in range(2):
        t.counts[either, NONE] += 1
    _renew(t, cell)


@jit
def load(t: Threats, cells: NDArray[np.int8]) -> None:
    """Make ``t`` the threats of a board, int8 [A]: 0 empty, 1 side 0, 2 side 1."""
    for cell in range(cells.size):
        t.cells[cell] = cells[cell]
    t.stones[:] = 0
    t.kinds[:] = NONE
    t.best[:] = NONE
    t.counts[:] = 0
    for cell in range(t.cells.size):
        if t.cells[cell] != 0:
            _flip(t, int(t.cells[cell]) - 1, cell)
        else:
            t.counts[0, NONE] += 1
            t.counts[1, NONE] += 1
    kinds, stones, walls, lines, places, table = t.kinds, t.stones, t.walls, t.line, t.place, t.table
    k, radius = int(t.dims[LENGTH]), int(t.dims[RADIUS])
    for side in range(2):
        exact = int(t.dims[EXACT + side])
        for cell in range(t.cells.size):
            if t.cells[cell] != 0:
                continue
            for direction in range(DIRECTIONS):
                line, place = int(lines[direction, cell]), int(places[direction, cell])
                word = int(stones[side, line])
                blocked = int(stones[1 - side, line] | walls[line])
                kinds[side, cell, direction] = _look_up(word >> place, blocked >> place, k, exact, radius, table)
            _rank(kinds, t.best, t.counts, side, cell)


@jit
def find(t: Threats, side: int, least: int, after: int) -> int:
    """The first empty point beyond ``after`` where ``side`` makes ``least`` or better; -1 when there is none."""
    best = t.best
    for cell in range(after + 1, best.shape[1]):
        if best[side, cell] >= least:
            return cell
    return -1


@jit
def completing(t: Threats, side: int, cell: int, out: NDArray[np.int16]) -> int:
    """Write the points that would make five once ``side`` has ``cell`` to ``out``; their number, at most 3."""
    radius, k = int(t.dims[RADIUS]), int(t.dims[LENGTH])
    mask = (1 << (2 * radius + 1)) - 1
    count = 0
    for direction in range(DIRECTIONS):
        if t.kinds[side, cell, direction] < FOUR:
            continue
        line, place = int(t.line[direction, cell]), int(t.place[direction, cell])
        word = (int(t.stones[side, line] >> place) & mask) | (1 << radius)
        blocked = int((t.stones[1 - side, line] | t.walls[line]) >> place) & mask
        met = 0
        for first in range(radius - k + 1, radius + 1):
            gaps = window_gaps(word, blocked, first, k, t.dims[EXACT + side] != 0)
            if gaps <= 0 or gaps & (gaps - 1) != 0 or gaps & met != 0:
                continue
            met |= gaps
            offset = -radius
            while gaps > 1:
                gaps >>= 1
                offset += 1
            out[count] = cell + offset * int(t.steps[direction])
            count += 1
            if count == 3:
                return count
    return count


@cache
def _table(k: int, radius: int) -> NDArray[np.uint8]:
    """The table shared by all boards of one k; entries never change once set."""
    return np.full((2, 1 << (4 * radius) if radius <= _TABLE_RADIUS else 0), _UNKNOWN, np.uint8)


@cache
def _geometry(rows: int, cols: int, radius: int) -> tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int16]]:
    """``walls``, ``line`` and ``place`` of a board, which never change."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    rising = rows + cols
    falling = 2 * (rows + cols) - 1
    line = np.stack([row, rows + col, rising + row + col, falling + row - col + cols - 1])
    place = np.stack([col, row, row, row])
    walls = [(1 << 63) - 1] * (3 * (rows + cols) - 2)
    for number, at in zip(line.ravel().tolist(), place.ravel().tolist(), strict=True):
        walls[number] &= ~(1 << (at + radius))
    return np.array(walls, np.int64), line.astype(np.int16), place.astype(np.int16)


def make_threats(rows: int, cols: int, k: int, exact: tuple[bool, bool] = (False, False)) -> Threats:
    """Allocate threats for boards of up to 22 x 22; ``load`` must be called before use.

    ``exact``: for each side, whether only exactly k in a row wins.
    """
    radius = reach(k, any(exact))
    walls, line, place = _geometry(rows, cols, radius)
    return Threats(
        cells=np.full(rows * cols, -1, np.int8),
        kinds=np.zeros((2, rows * cols, DIRECTIONS), np.uint8),
        best=np.zeros((2, rows * cols), np.uint8),
        counts=np.zeros((2, NUM_KINDS), np.int64),
        stones=np.zeros((2, len(walls)), np.int64),
        walls=walls,
        line=line,
        place=place,
        steps=np.array([1, cols, cols - 1, cols + 1], np.int64),
        table=_table(k, radius),
        dims=np.array([rows, cols, k, radius, *exact], np.int64),
    )
