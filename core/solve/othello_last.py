"""Discs turned, stable discs and the last empty cells of an Othello endgame on two words.

Cells lie as in core.games.othello_bits.  A score is the difference of discs at the end for the side to move, in which
the winner gets the cells that stay empty, as in tournaments.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import apart, jitable
from core.games.bits import count_bits, lowest_bit

WORST: Final = -99  # below every score
FEW: Final = 6  # empty cells up to which moves are tried without being compared first
_LEVELS: Final = 8

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_STEPS: Final = (1, 7, 8, 9)  # from a cell to its four neighbours above
_BY = np.array(_STEPS, np.uint64)
_ROW = np.uint64(0xFF)
_COLUMN = np.uint64(0x0101010101010101)
_GATHER = np.uint64(0x0102040810204080)  # brings the bits of column a into the highest byte
_TOP = np.uint64(56)
_QUADRANTS = np.array([0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32], np.uint64)


class OthelloRules(NamedTuple):
    """A board and its rules as plain numbers."""

    inside: np.uint64  # the board
    cells: int
    passes: int  # 1 when passes are moves
    edges: NDArray[np.uint64]  # [4]: cells with no neighbour on one side, for each of the steps


class Few(NamedTuple):
    """The state of a search of the last empty cells, a row for each disc played."""

    mover: NDArray[np.uint64]  # [L]
    other: NDArray[np.uint64]  # [L]
    first: NDArray[np.uint64]  # [L]: cells to try first
    then: NDArray[np.uint64]  # [L]: and after them
    alpha: NDArray[np.int64]  # [L]: is the score above this?
    best: NDArray[np.int64]  # [L]
    passed: NDArray[np.int64]  # [L]: whether the side to move had to pass
    nodes: NDArray[np.int64]  # [1]


def make_few() -> Few:
    """Arrays for :func:`solve_few`."""

    def column() -> NDArray[np.int64]:
        return np.zeros(_LEVELS, np.int64)

    def words() -> NDArray[np.uint64]:
        return np.zeros(_LEVELS, np.uint64)

    return Few(words(), words(), words(), words(), column(), column(), column(), np.zeros(1, np.int64))


def make_rules(size: int, passes: bool) -> OthelloRules:
    """The rules on a board of ``size`` by ``size`` cells."""
    cells = [(row, col) for row in range(size) for col in range(size)]
    edges = np.zeros(4, np.uint64)
    for i, (down, right) in enumerate(((0, 1), (1, -1), (1, 0), (1, 1))):
        for row, col in cells:
            ends = [(row + sign * down, col + sign * right) for sign in (1, -1)]
            if not all(0 <= r < size and 0 <= c < size for r, c in ends):
                edges[i] |= _ONE << np.uint64(8 * row + col)
    inside = sum(1 << (8 * row + col) for row, col in cells)
    return OthelloRules(np.uint64(inside), size * size, int(passes), edges)


def _rays() -> NDArray[np.uint64]:
    """The cells from each cell to the edge of 8x8, upwards in the order of the steps and then downwards."""
    rays = np.zeros((64, 8), np.uint64)
    for cell in range(64):
        for i, (down, right) in enumerate(((0, 1), (1, -1), (1, 0), (1, 1))):
            for sign, column in ((1, i), (-1, 4 + i)):
                row, col = cell // 8 + sign * down, cell % 8 + sign * right
                while 0 <= row < 8 and 0 <= col < 8:
                    rays[cell, column] |= _ONE << np.uint64(8 * row + col)
                    row, col = row + sign * down, col + sign * right
    return rays


def _neighbours() -> NDArray[np.uint64]:
    """The cells around each cell of 8x8."""
    neighbours = np.zeros(64, np.uint64)
    for cell in range(64):
        for other in range(64):
            if cell != other and max(abs(cell // 8 - other // 8), abs(cell % 8 - other % 8)) == 1:
                neighbours[cell] |= _ONE << np.uint64(other)
    return neighbours


def _turned_in_line() -> NDArray[np.int64]:
    """Discs turned by a disc at each place of a full line of eight, by the own discs there: [8, 256]."""
    turned = np.zeros((8, 256), np.int64)
    for place in range(8):
        for line in range(256):
            above = line >> (place + 1)
            below = line & ((1 << place) - 1)
            up = (above & -above).bit_length() - 1
            turned[place, line] = max(up, 0) + (place - below.bit_length() if below else 0)
    return turned


_RAYS: Final = _rays()
_LINE_TURNS: Final = _turned_in_line()
_BESIDE: Final = _neighbours()
_SLANTS: Final = np.array([[ray[i] | ray[4 + i] for i in (1, 3)] for ray in _RAYS], np.uint64)


@jitable
def discs_in(word: np.uint64) -> int:
    """Number of set bits, as a signed number."""
    return int(np.int64(count_bits(word)))


@jitable
def cell_of(place: np.uint64) -> int:
    """Index of the one bit of a word."""
    return int(np.int64(lowest_bit(place)))


@jitable
def _above(mover: np.uint64, other: np.uint64, ray: np.uint64) -> np.uint64:
    """The discs turned along a ray towards higher bits: a carry runs along it to the first cell not of ``other``."""
    end = ((other | ~ray) + _ONE) & mover & ray
    return (end - _ONE) & ray if end != _NONE else _NONE


@jitable
def _below(mover: np.uint64, other: np.uint64, ray: np.uint64, by: np.uint64) -> np.uint64:
    """The discs turned along a ray towards lower bits ``by`` apart: those above the highest cell not of ``other``."""
    rest = ray & ~other
    rest |= rest >> by
    rest |= rest >> (by + by)
    rest |= rest >> (by << np.uint64(2))
    turned = ray & ~rest
    return turned if (turned >> by) & mover & ray != _NONE else _NONE


@jitable
def turned_at(mover: np.uint64, other: np.uint64, cell: int) -> np.uint64:
    """The discs of ``other`` that a disc of ``mover`` on an empty cell turns."""
    turned = _above(mover, other, _RAYS[cell, 0]) | _above(mover, other, _RAYS[cell, 1])
    turned |= _above(mover, other, _RAYS[cell, 2]) | _above(mover, other, _RAYS[cell, 3])
    turned |= _below(mover, other, _RAYS[cell, 4], _BY[0]) | _below(mover, other, _RAYS[cell, 5], _BY[1])
    return turned | _below(mover, other, _RAYS[cell, 6], _BY[2]) | _below(mover, other, _RAYS[cell, 7], _BY[3])


@jitable
def _last_turns(mover: np.uint64, cell: int) -> int:
    """How many discs a disc of ``mover`` turns on the last empty cell."""
    row, col = cell >> 3, cell & 7
    level = (mover >> np.uint64(8 * row)) & _ROW
    upright = (((mover >> np.uint64(col)) & _COLUMN) * _GATHER) >> _TOP
    rising = ((mover & _SLANTS[cell, 0]) * _COLUMN) >> _TOP
    falling = ((mover & _SLANTS[cell, 1]) * _COLUMN) >> _TOP
    turned = _LINE_TURNS[col, level] + _LINE_TURNS[row, upright]
    return int(turned + _LINE_TURNS[col, rising] + _LINE_TURNS[col, falling])


@jitable
def final_score(mover: np.uint64, other: np.uint64, cells: int) -> int:
    """The score of a finished game: empty cells are the winner's."""
    mine, theirs = discs_in(mover), discs_in(other)
    if mine == theirs:
        return 0
    return cells - 2 * theirs if mine > theirs else 2 * mine - cells


@jitable
def last_score(mover: np.uint64, cell: int, rules: OthelloRules) -> int:
    """The score with one empty cell, for ``mover`` to move."""
    mine = discs_in(mover)
    turned = _last_turns(mover, cell)
    if turned > 0:
        return 2 * (mine + 1 + turned) - rules.cells
    if rules.passes != 0:
        bit = _ONE << np.uint64(cell)
        turned = _last_turns(rules.inside & ~(mover | bit), cell)
        if turned > 0:
            return 2 * (mine - turned) - rules.cells
    # The one empty cell goes to the winner, and cells are even in number.
    return 2 * mine + 2 - rules.cells if 2 * mine + 1 > rules.cells else 2 * mine - rules.cells


@jitable
def odd_regions(empty: np.uint64) -> np.uint64:
    """The empty cells of those quarters of the board that have an odd number of them."""
    odd = _NONE
    for i in range(4):
        part = empty & _QUADRANTS[i]
        if discs_in(part) & 1 == 1:
            odd |= part
    return odd


@apart
def solve_few(start_own: np.uint64, start_other: np.uint64, start_alpha: int, rules: OthelloRules, few: Few) -> int:
    """A bound of the score with 2 to FEW empty cells: a lower one above ``start_alpha``, an upper one otherwise."""
    level = 0
    value = 0
    nodes = few.nodes[0]
    mover, other, alpha = start_own, start_other, start_alpha
    entering = True
    while True:
        if entering:
            nodes += 1
            empty = rules.inside & ~(mover | other)
            odd = odd_regions(empty)
            few.mover[level], few.other[level], few.alpha[level] = mover, other, alpha
            few.best[level], few.passed[level] = WORST, 0
            few.first[level], few.then[level] = odd, empty ^ odd
            entering = False
        mover, other, alpha = few.mover[level], few.other[level], few.alpha[level]
        best = few.best[level]
        first, then = few.first[level], few.then[level]
        pushed = False
        while best <= alpha and first | then != _NONE:
            if first != _NONE:
                place = first & (~first + _ONE)
                first ^= place
            else:
                place = then & (~then + _ONE)
                then ^= place
            cell = cell_of(place)
            if other & _BESIDE[cell] == _NONE:
                continue
            turned = turned_at(mover, other, cell)
            if turned == _NONE:
                continue
            after, against = mover | turned | place, other ^ turned
            empty = rules.inside & ~(after | against)
            if empty & (empty - _ONE) == _NONE:
                nodes += 1
                best = max(best, -last_score(against, cell_of(empty), rules))
                continue
            few.first[level], few.then[level], few.best[level] = first, then, best
            mover, other, alpha = against, after, -alpha - 1
            level += 1
            entering = pushed = True
            break
        if pushed:
            continue
        if best == WORST:
            if rules.passes != 0 and few.passed[level] == 0:
                few.passed[level] = 1
                few.mover[level], few.other[level], few.alpha[level] = other, mover, -alpha - 1
                empty = rules.inside & ~(mover | other)
                odd = odd_regions(empty)
                few.first[level], few.then[level] = odd, empty ^ odd
                continue
            best = final_score(mover, other, rules.cells)
        value = -best if few.passed[level] != 0 else best
        if level == 0:
            few.nodes[0] = nodes
            return int(value)
        level -= 1
        few.best[level] = max(few.best[level], -value)


@jitable
def _full(empty: np.uint64, inside: np.uint64, by: np.uint64, edge: np.uint64) -> np.uint64:
    """The cells whose whole line in one direction is taken."""
    middle = ~edge & inside
    up = down = empty
    for _ in range(7):
        up |= (up & middle | empty) << by & inside
        down |= (down & middle | empty) >> by & inside
    return inside & ~(up | down)


@jitable
def stable_places(mover: np.uint64, other: np.uint64, rules: OthelloRules) -> np.uint64:
    """Discs of ``mover`` that can never be turned; there may be more."""
    inside = rules.inside
    empty = inside & ~(mover | other)
    safe0 = _full(empty, inside, _BY[0], rules.edges[0]) | rules.edges[0]
    safe1 = _full(empty, inside, _BY[1], rules.edges[1]) | rules.edges[1]
    safe2 = _full(empty, inside, _BY[2], rules.edges[2]) | rules.edges[2]
    safe3 = _full(empty, inside, _BY[3], rules.edges[3]) | rules.edges[3]
    stable = mover & safe0 & safe1 & safe2 & safe3
    before = _NONE
    while stable != before:
        before = stable
        near0 = safe0 | stable << _BY[0] | stable >> _BY[0]
        near1 = safe1 | stable << _BY[1] | stable >> _BY[1]
        near2 = safe2 | stable << _BY[2] | stable >> _BY[2]
        near3 = safe3 | stable << _BY[3] | stable >> _BY[3]
        stable |= mover & near0 & near1 & near2 & near3
    return np.uint64(stable)


@jitable
def stable_discs(mover: np.uint64, other: np.uint64, rules: OthelloRules) -> int:
    """How many discs of ``mover`` can never be turned, at least."""
    return discs_in(stable_places(mover, other, rules))
