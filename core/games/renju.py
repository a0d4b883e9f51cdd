"""Renju: five in a row with forbidden moves for player 0, black.

Exactly five in a row wins for black, at once and whatever else the stone makes; five or more win for white.
Otherwise black may not play a point that makes an overline (six or more), two fours or two threes, by the
definitions of the Renju International Federation, without the opening rules:

- a four is four stones in a line that one more stone makes exactly five; two fours may share a line;
- a straight four is four adjacent stones that can be made five at both ends;
- a three is three stones that one more stone makes a straight four, where that stone makes no five and is itself
  not a foul in the position after the first stone, which makes the definition recursive.

Fouls are illegal moves here.  A full board is a draw, and so is a position in which black has only fouls.
Actions are cells ``row * cols + col``, row 0 on top.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.cells import copy_into, encode_cells, key_of_cells
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Kernels, Spare, register
from core.games.grid import cell_names, grid_symmetries
from core.games.info import LAST, PLY, RESULT, new_info, result, to_move
from core.games.line_words import NOWHERE, UP, Grid, PointPair, add_points, gaps, is_free
from core.games.lines import FIVE_IN_A_ROW, line_cells, side_to_move, winning_cells
from core.games.lines import verdict as board_verdict
from core.games.redraw import redraw_empties
from core.games.renju_fouls import BLACK, FOULS, MAKES_FIVE, NO_FOUL, OUTSIDE, REACH, flip, foul_at, is_won, line_number
from core.games.spec import Board, GameSpec, Lines, Sgf
from core.rng import below, step
from core.text import Text

_EXACT: Final = (1,)  # whose overlines do not win


class RenjuState(NamedTuple):
    cells: NDArray[np.int8]  # [H * W]: 0 empty, 1 player 0, 2 player 1
    lines: NDArray[np.int64]  # [3, L]: black, white, outside; see line_number
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [1]: rows, which is also columns
    scratch: NDArray[np.int16]  # [A]: for rollouts; no part of the position
    stack: NDArray[np.int32]  # [A]: the points that foul_at asks about; no part of the position


@jitable
def foul(state: RenjuState, action: int) -> int:
    """The foul of a black stone on an empty point: OVERLINE, DOUBLE_FOUR, DOUBLE_THREE, or none."""
    size = int(state.dims[0])
    return foul_at(state.lines, state.stack, action // size, action % size, size)


@jitable
def _may_play(state: RenjuState, action: int) -> bool:
    """Whether an empty point is legal for black."""
    return foul(state, action) in (NO_FOUL, MAKES_FIVE)


@jitable
def settle(state: RenjuState) -> None:
    """Set the result to a draw on an undecided board where the side to move has no legal move."""
    size = int(state.dims[0])
    black = state.info[PLY] & 1 == 0
    for action in range(size * size):
        if state.cells[action] == 0 and (not black or _may_play(state, action)):
            return
    state.info[RESULT] = DRAW


def _play(state: RenjuState, action: int) -> None:
    lines, info = state.lines, state.info
    size = int(state.dims[0])
    side = int(info[PLY] & 1)
    row, col = action // size, action % size
    state.cells[action] = 1 + side
    flip(lines, row, col, size, side)
    info[PLY] += 1
    info[LAST] = action
    if is_won(lines, row, col, size, side):
        info[RESULT] = FIRST_WINS if side == 0 else SECOND_WINS
    else:
        settle(state)


def _legal(state: RenjuState, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        size = int(state.dims[0])
        black = state.info[PLY] & 1 == 0
        for action in range(size * size):
            if state.cells[action] == 0 and (not black or _may_play(state, action)):
                out[count] = action
                count += 1
    return count


def _allows(state: RenjuState, action: int, scratch: NDArray[np.int16]) -> bool:
    return (
        state.info[RESULT] == ONGOING
        and state.cells[action] == 0
        and (state.info[PLY] & 1 == 1 or _may_play(state, action))
    )


def _encode(state: RenjuState, out: NDArray[np.float32]) -> None:
    encode_cells(state.cells, state.info, 0, int(state.dims[0]), out)


def _copy(target: RenjuState, source: RenjuState) -> None:
    copy_into(target.cells, source.cells)
    copy_into(target.info, source.info)
    for kind in range(2):  # what lies outside is the same
        copy_into(target.lines[kind], source.lines[kind])


def _key(state: RenjuState) -> np.uint64:
    return key_of_cells(state.cells, state.info)


@jitable
def _gaps_of(lines: NDArray[np.int64], side: int, low: int, high: int) -> int:
    """The points on two lines where ``side`` would complete five, as bits of core.games.line_words."""
    return gaps(int((lines[side, low] >> REACH) | (lines[side, high] >> REACH) << UP), 1, 5, side == BLACK)


@jitable
def _find_wins(state: RenjuState, side: int) -> PointPair:
    """Up to two points where ``side`` would win."""
    size = int(state.dims[0])
    grid, points = Grid(size, size, size, 0), PointPair(NOWHERE, NOWHERE)
    for low in range(0, 6 * size - 2, 2):
        wins = _gaps_of(state.lines, side, low, low + 1)
        points = add_points(state.cells, grid, low, low + 1, wins, points)
    return points


@jitable
def _play_out(state: RenjuState, rng: NDArray[np.uint64], tactical: bool) -> int:
    """Play to the end; ``tactical``: win and block where that is possible at once.

    As in connectn it then checks only lines through the last stone; a five is never a foul, a block may be one."""
    cells, lines, info, empties = state.cells, state.lines, state.info, state.scratch
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    size = int(state.dims[0])
    count = 0  # of the list; points played without drawing are removed when they are drawn
    for action in range(size * size):
        if cells[action] == 0:
            empties[count] = action
            count += 1
    a, b = rng[0], rng[1]
    ply = int(info[PLY])
    grid = Grid(size, size, size, 0)
    mine = theirs = PointPair(NOWHERE, NOWHERE)
    if tactical:
        for player in (ply & 1, 1 - (ply & 1)):
            mine, theirs = theirs, _find_wins(state, player)
    action = 0
    result = ONGOING
    while result == ONGOING:
        side = ply & 1
        point = NOWHERE
        if is_free(cells, grid, mine.first):
            point = mine.first
        elif is_free(cells, grid, mine.second):
            point = mine.second
        if point != NOWHERE:
            result = FIRST_WINS if side == 0 else SECOND_WINS
        elif theirs.first != NOWHERE and theirs.second == NOWHERE:
            point = theirs.first
        drawn = (point >> 5) * size + (point & 31)
        is_legal = point != NOWHERE and (side == 1 or result != ONGOING or _may_play(state, drawn))
        untried = count
        while not is_legal and untried > 0:
            # Drawing empty points until one is legal is uniform over the legal ones; fouls go to the end.
            a, b, word = step(a, b)
            pick = below(word, untried)
            drawn = int(empties[pick])
            untried -= 1
            empties[pick] = empties[untried]
            empties[untried] = drawn
            is_legal = cells[drawn] == 0 and (side == 1 or _may_play(state, drawn))
            if is_legal or cells[drawn] != 0:
                count -= 1
                empties[untried] = empties[count]
        if not is_legal:
            result = DRAW
        else:
            action = drawn
            cells[action] = 1 + side
            row, col = action // size, action % size
            flip(lines, row, col, size, side)
            ply += 1
            if tactical:
                mine, theirs = theirs, PointPair(NOWHERE, NOWHERE)
                for direction in range(0, 4, 2):
                    low, high = line_number(row, col, direction, size), line_number(row, col, direction + 1, size)
                    bits = _gaps_of(lines, side, low, high)
                    theirs = add_points(cells, grid, low, high, bits, theirs)
            elif is_won(lines, row, col, size, side):
                result = FIRST_WINS if side == 0 else SECOND_WINS
    rng[0], rng[1] = a, b
    info[PLY] = ply
    info[LAST] = action
    info[RESULT] = result
    return result


def _rollout(state: RenjuState, rng: NDArray[np.uint64]) -> int:
    return _play_out(state, rng, False)


def _tactical_rollout(state: RenjuState, rng: NDArray[np.uint64], _spare: Spare) -> int:
    return _play_out(state, rng, True)


register(
    RenjuState,
    Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout, _tactical_rollout, allows=_allows),
)


def _new_state(size: int) -> RenjuState:
    lines = np.zeros((3, 6 * size - 2), np.int64)
    lines[OUTSIDE] = (1 << (size + 2 * REACH)) - 1
    for row in range(size):
        for col in range(size):
            flip(lines, row, col, size, OUTSIDE)
    info = new_info()
    cells = size * size
    return RenjuState(
        np.zeros(cells, np.int8),
        lines,
        info,
        np.array([size], np.int64),
        np.zeros(cells, np.int16),
        np.zeros(cells, np.int32),
    )


def _cells(state: RenjuState) -> NDArray[np.int8]:
    return state.cells.reshape(state.dims[0], -1).copy()


def make_state(cells: NDArray[np.int8], ply: int, last: int) -> RenjuState:
    """The state of any board int8 [H, W], its result not yet entered."""
    size = len(cells)
    state = _new_state(size)
    state.cells[:] = cells.reshape(-1)
    for action in np.flatnonzero(state.cells).tolist():
        flip(state.lines, action // size, action % size, size, int(state.cells[action]) - 1)
    state.info[PLY] = ply
    state.info[LAST] = last
    return state


def _from_cells(cells: NDArray[np.int8], stated: int | None, last: int) -> RenjuState:
    size = len(cells)
    names = cell_names(size, size)
    to_move = side_to_move(cells, stated)
    moved = 2 - to_move  # the stone of the player who just moved
    if last >= 0 and cells.flat[last] != moved:
        raise ValueError(Text("its last move {move} is not a stone of the player who just moved", move=names[last]))
    candidates = [last] if last >= 0 else np.flatnonzero(cells == moved).tolist()
    state = make_state(cells, int(np.count_nonzero(cells)), last)
    state.info[RESULT] = board_verdict(cells, 5, to_move, candidates, _EXACT)
    if state.info[RESULT] != FIRST_WINS:
        if line_cells(cells, 6, 1):
            raise ValueError(Text("X has six or more in a row, which is a foul"))
        if moved == 1 and last >= 0:
            before = cells.copy()
            before.flat[last] = 0
            number = foul(make_state(before, 0, -1), last)
            if number in FOULS:
                raise ValueError(Text("its last move {move} was a foul, {foul}", move=names[last], foul=FOULS[number]))
    if state.info[RESULT] == ONGOING:
        settle(state)
    return state


def _forbidden(state: RenjuState) -> dict[int, str]:
    if state.info[PLY] & 1 == 1:
        return {}
    numbers = {action: foul(state, action) for action in np.flatnonzero(state.cells == 0).tolist()}
    return {action: FOULS[number] for action, number in numbers.items() if number in FOULS}


def _refusal(state: RenjuState, action: int) -> str:
    if state.cells[action] != 0:
        return Text("the place is taken")
    return Text("it is a foul, {foul}", foul=FOULS[foul(state, action)])


def renju(text: str, title: str, params: Mapping[str, Any], size: int) -> GameSpec:
    """Renju on a board of ``size`` rows and columns."""
    symmetries = grid_symmetries(size, size)
    return GameSpec(
        text=text,
        name="gomoku",
        title=title,
        params=params,
        shape=(size, size),
        action_names=cell_names(size, size),
        first_number=0,
        max_plies=size * size,
        symmetries=symmetries,
        cell_symmetries=symmetries,
        board=Board(
            new_state=partial(_new_state, size),
            cells=_cells,
            from_cells=_from_cells,
            winning_cells=partial(winning_cells, k=5, exact=_EXACT),
            refusal=_refusal,
            forbidden=_forbidden,
            redraw=redraw_empties,
        ),
        lines=Lines(5, _EXACT),
        stones_alternate=True,
        sgf=Sgf(FIVE_IN_A_ROW, "renju"),
    )
