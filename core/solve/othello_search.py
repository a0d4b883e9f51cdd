"""The kernel of the Othello endgame solver: negamax with a null window over two words.

Moves are ordered by the table, by the moves and corners they leave to the opponent, by discs that are stable near the
corners and by regions with an odd number of empty cells; where many cells are empty each is also answered once.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.bits import mix
from core.games.othello_bits import legal_places
from core.solve.othello_last import (
    FEW,
    WORST,
    Few,
    OthelloRules,
    cell_of,
    discs_in,
    final_score,
    last_score,
    make_few,
    odd_regions,
    solve_few,
    stable_discs,
    turned_at,
)
from core.solve.slices import ADVANCE, DEPTH, ENTER, NUM_CONTROL, PHASE, RETURN, SEARCHED, VALUE

MOST_MOVES: Final = 34
_LOOK_UP: Final = 9  # empty cells from which replies are looked up before any is searched
_LOOK_AHEAD: Final = 12  # empty cells from which replies are ordered by their answers too
PASS: Final = -1

# An entry is four words: both sides' discs, bounds with move and work, and one that is not used.
_ENTRY: Final = 4
_OFFSET: Final = 100  # a bound b is stored as b + 100
_LOW_AT: Final = 8
_MOVE_AT: Final = 16
_WORK_AT: Final = 24
_NO_MOVE: Final = 255

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_X_CELLS = np.uint64(0x0042000000004200)


class OthelloRun(NamedTuple):
    """The state of a search.  D plies, M moves."""

    mover: NDArray[np.uint64]  # [D]
    other: NDArray[np.uint64]  # [D]
    alpha: NDArray[np.int64]  # [D]: is the score above this?
    best: NDArray[np.int64]  # [D]
    best_move: NDArray[np.int64]  # [D]: cell
    number: NDArray[np.int64]  # [D]: moves to try
    following: NDArray[np.int64]  # [D]: index of the next of them
    began: NDArray[np.int64]  # [D]: nodes when the position was entered
    moves: NDArray[np.int64]  # [D, M]: cells, most promising first
    turned: NDArray[np.uint64]  # [D, M]: the discs each turns
    marks: NDArray[np.int64]  # [D, M]: what they were ordered by
    control: NDArray[np.int64]  # [NUM_CONTROL]
    few: Few
    corners: NDArray[np.uint64]  # [2]: the corners; the cells beside them


def make_run(size: int) -> OthelloRun:
    """Arrays for a search on a board of ``size`` by ``size`` cells."""
    plies = 2 * size * size

    def column() -> NDArray[np.int64]:
        return np.zeros(plies, np.int64)

    last = size - 1
    corners = sum(1 << (8 * row + col) for row in (0, last) for col in (0, last))
    near = sum(1 << (8 * row + col) for row in (1, last - 1) for col in (1, last - 1))
    return OthelloRun(
        mover=np.zeros(plies, np.uint64),
        other=np.zeros(plies, np.uint64),
        alpha=column(),
        best=column(),
        best_move=column(),
        number=column(),
        following=column(),
        began=column(),
        moves=np.zeros((plies, MOST_MOVES), np.int64),
        turned=np.zeros((plies, MOST_MOVES), np.uint64),
        marks=np.zeros((plies, MOST_MOVES), np.int64),
        control=np.zeros(NUM_CONTROL, np.int64),
        few=make_few(),
        corners=np.array([corners, near], np.uint64),
    )


def make_table(bits: int) -> NDArray[np.uint64]:
    """An empty table of 2 ** bits buckets of two entries."""
    return np.zeros(2 * _ENTRY << bits, np.uint64)


@jitable
def _bucket(table: NDArray[np.uint64], mover: np.uint64, other: np.uint64) -> int:
    buckets = np.uint64(len(table) // (2 * _ENTRY) - 1)
    return int(mix(mover ^ mix(other)) & buckets) * 2 * _ENTRY


@jitable
def find(table: NDArray[np.uint64], mover: np.uint64, other: np.uint64) -> int:
    """A position's entry in the table as one number, its bounds and best move; 0 when it is not there."""
    at = _bucket(table, mover, other)
    for entry in range(at, at + 2 * _ENTRY, _ENTRY):
        if table[entry] == mover and table[entry + 1] == other:
            return int(np.int64(table[entry + 2]))
    return 0


@jitable
def low_of(stored: int) -> int:
    """The lower bound in an entry as ``find`` gives it."""
    return ((stored >> _LOW_AT) & 255) - _OFFSET


@jitable
def high_of(stored: int) -> int:
    """The upper bound in it."""
    return (stored & 255) - _OFFSET


@jitable
def move_of(stored: int) -> int:
    """The best cell in it; 255 for none."""
    return (stored >> _MOVE_AT) & 255


@jitable
def _keep(
    table: NDArray[np.uint64], mover: np.uint64, other: np.uint64, low: int, high: int, move: int, work: int
) -> None:
    """Store bounds in the table, merged with those it has for the position."""
    at = _bucket(table, mover, other)
    grade = 0
    while work > 1:
        work >>= 1
        grade += 1
    entry = at
    if table[at] == mover and table[at + 1] == other:
        entry = at
    elif table[at + _ENTRY] == mover and table[at + _ENTRY + 1] == other:
        entry = at + _ENTRY
    elif grade >= np.int64(table[at + 2]) >> _WORK_AT:
        for i in range(3):
            table[at + _ENTRY + i] = table[at + i]
        table[at + 2] = _NONE
    else:
        entry = at + _ENTRY
        table[entry + 2] = _NONE
    stored = int(np.int64(table[entry + 2]))
    if stored != 0 and table[entry] == mover and table[entry + 1] == other:
        low = max(low, low_of(stored))
        high = min(high, high_of(stored))
        if move == _NO_MOVE:
            move = move_of(stored)
    table[entry] = mover
    table[entry + 1] = other
    packed = (grade << _WORK_AT) | (move << _MOVE_AT) | ((low + _OFFSET) << _LOW_AT) | (high + _OFFSET)
    table[entry + 2] = np.uint64(packed)


@jitable
def _freedom(places: np.uint64, corners: np.uint64) -> int:
    """How much a side can choose: its moves, corners twice."""
    return discs_in(places) + discs_in(places & corners)


@jitable
def _reach(mover: np.uint64, other: np.uint64, rules: OthelloRules) -> int:
    """The empty cells beside discs of ``other``, where ``mover`` may move sooner or later."""
    inner = other & np.uint64(0x7E7E7E7E7E7E7E7E)
    near = other << np.uint64(8) | other >> np.uint64(8)
    near |= inner << np.uint64(1) | inner >> np.uint64(1) | inner << np.uint64(7) | inner >> np.uint64(7)
    near |= inner << np.uint64(9) | inner >> np.uint64(9)
    return discs_in(near & rules.inside & ~(mover | other))


@jitable
def _least_freedom(mover: np.uint64, other: np.uint64, rules: OthelloRules, corners: np.uint64) -> int:
    """The best that ``mover`` can make of its freedom less its opponent's by one move."""
    places = legal_places(mover, other, rules.inside)
    best = -64
    while places != _NONE:
        place = places & (~places + _ONE)
        places ^= place
        turned = turned_at(mover, other, cell_of(place))
        after, against = mover | turned | place, other ^ turned
        theirs = _freedom(legal_places(against, after, rules.inside), corners)
        mine = _freedom(legal_places(after, against, rules.inside), corners)
        best = max(best, mine - theirs)
    return best


@jitable
def _mark(mover: np.uint64, other: np.uint64, empties: int, rules: OthelloRules, corners: np.uint64) -> int:
    """How promising a move is that leaves ``mover`` to move against ``other``, who made it."""
    mark = -(_freedom(legal_places(mover, other, rules.inside), corners) << 15)
    mark -= _reach(mover, other, rules) << 10
    if empties >= _LOOK_AHEAD:
        mark -= _least_freedom(mover, other, rules, corners) << 14
    taken = other & corners
    beside = taken << _ONE | taken >> _ONE | taken << np.uint64(8) | taken >> np.uint64(8)
    return mark + ((discs_in(taken) + discs_in(other & beside & rules.inside)) << 11)


@jitable
def _end(mover: np.uint64, other: np.uint64, alpha: int, rules: OthelloRules, few: Few) -> int:
    """The score of a position with at most FEW empty cells, or a bound of it."""
    empty = rules.inside & ~(mover | other)
    if empty == _NONE:
        return final_score(mover, other, rules.cells)
    if empty & (empty - _ONE) == _NONE:
        return last_score(mover, cell_of(empty), rules)
    return solve_few(mover, other, alpha, rules, few)


@jit
def run_slice(run: OthelloRun, table: NDArray[np.uint64], rules: OthelloRules, budget: int) -> bool:
    """Continue a search for about ``budget`` nodes; whether it has finished, with the score in control[VALUE].

    The score is a bound: at or below the root's alpha an upper one, above it a lower one.
    """
    control = run.control
    few = run.few
    cells = rules.cells
    corners, beside = run.corners[0], run.corners[1]
    depth, phase, value, nodes = control[DEPTH], control[PHASE], control[VALUE], control[SEARCHED]
    few.nodes[0] = nodes
    limit = nodes + budget
    while depth >= 0 and few.nodes[0] < limit:
        mover, other, alpha = run.mover[depth], run.other[depth], run.alpha[depth]
        empty = rules.inside & ~(mover | other)
        empties = discs_in(empty)
        if phase == ENTER:
            phase = RETURN
            if empties <= FEW:
                value = _end(mover, other, alpha, rules, few)
                continue
            few.nodes[0] += 1
            places = legal_places(mover, other, rules.inside)
            if places == _NONE:
                if rules.passes == 0 or legal_places(other, mover, rules.inside) == _NONE:
                    value = final_score(mover, other, cells)
                    continue
                run.number[depth], run.following[depth] = 1, 0
                run.best[depth], run.best_move[depth] = WORST, _NO_MOVE
                run.moves[depth, 0], run.turned[depth, 0] = PASS, _NONE
                run.began[depth] = few.nodes[0]
                phase = ADVANCE
                continue
            if other & corners != _NONE and 2 * discs_in(other) >= cells - alpha:
                most = cells - 2 * stable_discs(other, mover, rules)
                if most <= alpha:
                    value = most
                    continue
            stored = find(table, mover, other)
            favourite = _NO_MOVE
            if stored != 0:
                if low_of(stored) > alpha:
                    value = low_of(stored)
                    continue
                if high_of(stored) <= alpha:
                    value = high_of(stored)
                    continue
                favourite = move_of(stored)
            odd = odd_regions(empty)
            number = 0
            refuted = False
            while places != _NONE:
                place = places & (~places + _ONE)
                places ^= place
                cell = cell_of(place)
                turned = turned_at(mover, other, cell)
                after, against = mover | turned | place, other ^ turned
                if empties >= _LOOK_UP:
                    reply = find(table, against, after)
                    if reply != 0 and -high_of(reply) > alpha:
                        value = -high_of(reply)
                        refuted = True
                        break
                mark = 1 << 40
                if cell != favourite:
                    mark = _mark(against, after, empties, rules, corners)
                    if place & odd != _NONE:
                        mark += 1 << (14 if empties < 12 else 12)
                    if place & beside != _NONE:
                        mark -= 1 << 12
                at = number
                while at > 0 and run.marks[depth, at - 1] < mark:
                    run.marks[depth, at] = run.marks[depth, at - 1]
                    run.moves[depth, at] = run.moves[depth, at - 1]
                    run.turned[depth, at] = run.turned[depth, at - 1]
                    at -= 1
                run.marks[depth, at], run.moves[depth, at], run.turned[depth, at] = mark, cell, turned
                number += 1
            if refuted:
                continue
            run.number[depth], run.following[depth] = number, 0
            run.best[depth], run.best_move[depth] = WORST, _NO_MOVE
            run.began[depth] = few.nodes[0]
            phase = ADVANCE
        elif phase == ADVANCE:
            i = run.following[depth]
            run.following[depth] = i + 1
            turned, place = run.turned[depth, i], _NONE
            if run.moves[depth, i] >= 0:
                place = _ONE << np.uint64(run.moves[depth, i])
            run.mover[depth + 1] = other ^ turned
            run.other[depth + 1] = mover | turned | place
            run.alpha[depth + 1] = -alpha - 1
            depth += 1
            phase = ENTER
        else:
            depth -= 1
            if depth < 0:
                break
            value = -value
            mover, other, alpha = run.mover[depth], run.other[depth], run.alpha[depth]
            if value > run.best[depth]:
                run.best[depth] = value
                run.best_move[depth] = run.moves[depth, run.following[depth] - 1]
            best = run.best[depth]
            if best <= alpha and run.following[depth] < run.number[depth]:
                phase = ADVANCE
                continue
            if run.best_move[depth] >= 0:
                above = best > alpha
                work = few.nodes[0] - run.began[depth]
                move = run.best_move[depth] if above else _NO_MOVE
                _keep(table, mover, other, best if above else -cells, cells if above else best, move, work)
            value = best
    control[DEPTH] = depth
    control[PHASE] = phase
    control[VALUE] = value
    control[SEARCHED] = few.nodes[0]
    return bool(depth < 0)
