"""Renju: five in a row in which player 0, black, may not gain by the first move's advantage.  Knows no search.

Exactly five in a row wins for black, at once and whatever else the stone makes; five or more win for white.
Otherwise black may not play a point that makes an overline (six or more), two fours or two threes, by the
definitions of the Renju International Federation, with the opening rules left out:

- a four is four stones in a line that one more stone makes exactly five; two fours may share a line;
- a straight four is four stones side by side that this can be done to at both ends;
- a three is three stones that one more stone makes a straight four, where that stone makes no five and is itself
  no foul, in the position after the first: a question that may ask itself again.

Fouls are illegal moves here.  A full board is a draw, and so is a position in which black has only fouls left.
Actions are cells ``row * cols + col``, row 0 on top.

Every line of the board is a word for each player's stones, so the eleven points about a point on one line are a
shift and a mask away; point number 5 is the middle.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Kernels, register
from core.games.grid import cell_names, grid_symmetries
from core.games.hashing import mix
from core.games.info import INFO_SIZE, LAST, PLY, RESULT
from core.games.lines import line_cells, side_to_move, winning_cells
from core.games.lines import verdict as board_verdict
from core.games.spec import Board, GameSpec
from core.rng import below, step

NO_FOUL: Final = 0
OVERLINE: Final = 1
DOUBLE_FOUR: Final = 2
DOUBLE_THREE: Final = 3
FIVE: Final = 4  # no foul, whatever else it is
_OPEN: Final = 5  # hangs on whether the threes are real

FOULS: Final = {OVERLINE: "overline", DOUBLE_FOUR: "double four", DOUBLE_THREE: "double three"}

_REACH: Final = 5
_WINDOW: Final = (1 << (2 * _REACH + 1)) - 1
_MIDDLE: Final = 1 << _REACH
_CELLS_PER_WORD: Final = 31  # two bits each, clear of the sign
_BLACK: Final = 0
_WHITE: Final = 1
_EXACT: Final = (1,)  # whose overlines do not win
_OUTSIDE: Final = 2  # third row of the lines: what lies beyond the ends


class RenjuState(NamedTuple):
    cells: NDArray[np.int8]  # [H * W]: 0 empty, 1 player 0, 2 player 1
    lines: NDArray[np.int64]  # [3, L]: black, white, outside; see _line
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [1]: rows, which is also columns
    scratch: NDArray[np.int16]  # [A]: for rollouts; no part of the position
    stack: NDArray[np.int32]  # [A]: the points that _foul is asking about; no part of the position


@jitable
def _line(row: int, col: int, direction: int, size: int) -> int:
    """The number of the line through a point: level, upright, rising, falling."""
    if direction == 0:
        return row
    if direction == 1:
        return size + col
    if direction == 2:
        return 2 * size + row + col
    return 5 * size - 2 + row - col


@jitable
def _place_on_line(row: int, col: int, direction: int) -> int:
    """The point's number on its line; its bit is ``_REACH`` above, so that every window is a right shift."""
    return col if direction == 0 else row


@jitable
def _flip(lines: NDArray[np.int64], row: int, col: int, size: int, side: int) -> None:
    """Put a stone of ``side`` on a point, or take it back."""
    for direction in range(4):
        lines[side, _line(row, col, direction, size)] ^= _MIDDLE << _place_on_line(row, col, direction)


@jitable
def _window(lines: NDArray[np.int64], row: int, col: int, direction: int, size: int, kind: int) -> int:
    return int(lines[kind, _line(row, col, direction, size)] >> _place_on_line(row, col, direction)) & _WINDOW


@jitable
def _run(window: int) -> int:
    """How many stones stand side by side about the middle, itself counted, up to 11."""
    count = 1
    bit = _MIDDLE << 1
    while window & bit != 0:
        count += 1
        bit <<= 1
    bit = _MIDDLE >> 1
    while window & bit != 0:
        count += 1
        bit >>= 1
    return count


@jitable
def _fours(black: int, free: int) -> int:
    """How many fours the middle stone is part of on its line."""
    count = 0
    for first in range(1, _REACH + 1):
        five = 31 << first
        missing = five & ~black
        # One point short of five, and that point would not make six.
        if missing & (missing - 1) == 0 and missing & free != 0 and black & ((1 << (first - 1)) | (32 << first)) == 0:
            count += 1
    # A straight four is seen from both ends.
    for first in range(2, _REACH + 1):
        if count == 2 and (black >> first) & 15 == 15:
            count = 1
    return count


@jitable
def _straightens(black: int, free: int, first: int) -> int:
    """The point that makes points ``first`` to ``first + 3`` a straight four, 0 when one stone does not."""
    missing = (15 << first) & ~black
    ends = (1 << (first - 1)) | (16 << first)
    beyond = (1 << (first - 2)) | (32 << first)
    if missing & (missing - 1) == 0 and missing & free != 0 and free & ends == ends and black & beyond == 0:
        point = 0
        while missing > 1:
            missing >>= 1
            point += 1
        return point
    return 0


@jitable
def _at_once(lines: NDArray[np.int64], row: int, col: int, size: int) -> int:
    """What a black stone just put on a point makes, as far as no other point must be asked; _OPEN when one must."""
    overline = False
    fours = 0
    threes = 0
    for direction in range(4):
        black = _window(lines, row, col, direction, size, _BLACK)
        near = (black >> 1) & 0x1FF
        near &= near - 1
        if near & (near - 1) == 0:  # at most one other stone within reach
            continue
        white = _window(lines, row, col, direction, size, _WHITE)
        free = _WINDOW & ~(black | white | _window(lines, row, col, direction, size, _OUTSIDE))
        room = black | free
        room &= (room >> 1) & (room >> 2) & (room >> 3) & (room >> 4)
        if room & 0x3E == 0:  # no five points side by side about the middle are free of white
            continue
        run = _run(black)
        if run == 5:
            return FIVE
        overline = overline or run > 5
        fours += _fours(black, free)
        for first in range(2, _REACH + 1):
            if _straightens(black, free, first) != 0:
                threes += 1
                break
    if overline:
        return OVERLINE
    if fours >= 2:
        return DOUBLE_FOUR
    return _OPEN if threes >= 2 else NO_FOUL


@jitable
def _foul(lines: NDArray[np.int64], stack: NDArray[np.int32], row: int, col: int, size: int) -> int:
    """What a black stone on an empty point would be: FIVE, a foul, or NO_FOUL.

    ``lines`` are changed and restored.  Whether a three is real asks the same of the point that would make it a
    straight four; the points under question are kept on ``stack``, each as row, column, the number of the next
    straight four to look at (four to a direction) and the real threes found.
    """
    depth = -1
    verdict = _OPEN
    while True:
        # A new point, (row, col).
        _flip(lines, row, col, size, _BLACK)
        verdict = _at_once(lines, row, col, size)
        depth += 1
        number = 0
        threes = 0
        while True:
            asking = False
            while verdict == _OPEN and not asking:
                if threes == 2:
                    verdict = DOUBLE_THREE
                elif number == 16:
                    verdict = NO_FOUL
                else:
                    direction = number >> 2
                    black = _window(lines, row, col, direction, size, _BLACK)
                    white = _window(lines, row, col, direction, size, _WHITE)
                    free = _WINDOW & ~(black | white | _window(lines, row, col, direction, size, _OUTSIDE))
                    point = _straightens(black, free, 2 + (number & 3))
                    if point != 0:
                        asking = True
                        stack[depth] = row << 16 | col << 8 | number << 2 | threes
                        if direction != 1:
                            by = point - _REACH
                            col += -by if direction == 2 else by
                        if direction != 0:
                            row += point - _REACH
                    else:
                        number += 1
            if asking:
                break
            # The question about (row, col) is answered.
            _flip(lines, row, col, size, _BLACK)
            depth -= 1
            if depth < 0:
                return verdict
            frame = int(stack[depth])
            row, col, number, threes = frame >> 16, (frame >> 8) & 31, (frame >> 2) & 31, frame & 3
            if verdict == NO_FOUL:
                threes += 1
                number = (number | 3) + 1  # a line has no second three
            else:
                number += 1
            verdict = _OPEN


@jitable
def foul(state: RenjuState, action: int) -> int:
    """What a black stone on an empty point would be: OVERLINE, DOUBLE_FOUR, DOUBLE_THREE, or no foul."""
    size = int(state.dims[0])
    return _foul(state.lines, state.stack, action // size, action % size, size)


@jitable
def _may_play(state: RenjuState, action: int) -> bool:
    """Whether an empty point is legal for black."""
    return foul(state, action) in (NO_FOUL, FIVE)


@jitable
def _wins(lines: NDArray[np.int64], row: int, col: int, size: int, side: int) -> bool:
    """Whether the stone of ``side`` on a point completes a line."""
    won = False
    for direction in range(4):
        run = _run(_window(lines, row, col, direction, size, side))
        won = won or run == 5 or (run > 5 and side == _WHITE)
    return won


@jitable
def settle(state: RenjuState) -> None:
    """Enter the draw of an undecided board on which the side to move has no legal point."""
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
    _flip(lines, row, col, size, side)
    info[PLY] += 1
    info[LAST] = action
    if _wins(lines, row, col, size, side):
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


def _result(state: RenjuState) -> int:
    return int(state.info[RESULT])


def _to_move(state: RenjuState) -> int:
    return int(state.info[PLY] & 1)


def _encode(state: RenjuState, out: NDArray[np.float32]) -> None:
    size, last = state.dims[0], state.info[LAST]
    mover = 1 + (state.info[PLY] & 1)
    for row in range(size):
        for col in range(size):
            cell = state.cells[row * size + col]
            out[0, row, col] = 1.0 if cell == mover else 0.0
            out[1, row, col] = 1.0 if cell == 3 - mover else 0.0
            out[2, row, col] = 1.0 if row * size + col == last else 0.0
            out[3, row, col] = 1.0 if mover == 1 else 0.0


def _copy(target: RenjuState, source: RenjuState) -> None:
    for i in range(len(source.cells)):
        target.cells[i] = source.cells[i]
    for kind in range(2):  # what lies outside is the same
        for i in range(source.lines.shape[1]):
            target.lines[kind, i] = source.lines[kind, i]
    for i in range(len(source.info)):
        target.info[i] = source.info[i]


def _key(state: RenjuState) -> np.uint64:
    hashed = mix(np.uint64((state.info[LAST] + 1) * 2 + (state.info[PLY] & 1)))
    word = 0
    filled = 0
    for i in range(len(state.cells)):
        word = (word << 2) | int(state.cells[i])
        filled += 1
        if filled == _CELLS_PER_WORD:
            hashed = mix(hashed ^ np.uint64(word))
            word = 0
            filled = 0
    return mix(hashed ^ np.uint64(word))


def _rollout(state: RenjuState, rng: NDArray[np.uint64]) -> int:
    cells, lines, info, empties = state.cells, state.lines, state.info, state.scratch
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    size = int(state.dims[0])
    count = 0
    for action in range(size * size):
        if cells[action] == 0:
            empties[count] = action
            count += 1
    a, b = rng[0], rng[1]
    ply = int(info[PLY])
    action = 0
    result = ONGOING
    while result == ONGOING:
        side = ply & 1
        untried = count
        found = False
        while not found and untried > 0:
            # Drawing empty points until one is legal is uniform over the legal ones; fouls go to the end.
            a, b, word = step(a, b)
            pick = below(word, untried)
            drawn = int(empties[pick])
            untried -= 1
            empties[pick] = empties[untried]
            empties[untried] = drawn
            found = side == 1 or _may_play(state, drawn)
        if not found:
            result = DRAW
        else:
            count -= 1
            drawn = int(empties[untried])
            empties[untried] = empties[count]
            action = drawn
            cells[action] = 1 + side
            row, col = action // size, action % size
            _flip(lines, row, col, size, side)
            ply += 1
            if _wins(lines, row, col, size, side):
                result = FIRST_WINS if side == 0 else SECOND_WINS
    rng[0], rng[1] = a, b
    info[PLY] = ply
    info[LAST] = action
    info[RESULT] = result
    return result


register(RenjuState, Kernels(_play, _legal, _result, _to_move, _encode, _copy, _key, _rollout))


def _new_state(size: int) -> RenjuState:
    lines = np.zeros((3, 6 * size - 2), np.int64)
    lines[_OUTSIDE] = (1 << (size + 2 * _REACH)) - 1
    for row in range(size):
        for col in range(size):
            _flip(lines, row, col, size, _OUTSIDE)
    info = np.zeros(INFO_SIZE, np.int64)
    info[LAST] = -1
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
        _flip(state.lines, action // size, action % size, size, int(state.cells[action]) - 1)
    state.info[PLY] = ply
    state.info[LAST] = last
    return state


def _from_cells(cells: NDArray[np.int8], stated: int | None, last: int) -> RenjuState:
    size = len(cells)
    names = cell_names(size, size)
    to_move = side_to_move(cells, stated)
    moved = 2 - to_move  # the stone of the player who just moved
    if last >= 0 and cells.flat[last] != moved:
        raise ValueError(f"its last move {names[last]} is not a stone of the player who just moved")
    candidates = [last] if last >= 0 else np.flatnonzero(cells == moved).tolist()
    state = make_state(cells, int(np.count_nonzero(cells)), last)
    state.info[RESULT] = board_verdict(cells, 5, to_move, candidates, _EXACT)
    if state.info[RESULT] != FIRST_WINS:
        if line_cells(cells, 6, 1):
            raise ValueError("X has six or more in a row, which is a foul")
        if moved == 1 and last >= 0:
            before = cells.copy()
            before.flat[last] = 0
            found = foul(make_state(before, 0, -1), last)
            if found in FOULS:
                raise ValueError(f"its last move {names[last]} was a foul, {FOULS[found]}")
    if state.info[RESULT] == ONGOING:
        settle(state)
    return state


def _forbidden(state: RenjuState) -> dict[int, str]:
    if state.info[PLY] & 1 == 1:
        return {}
    found = {action: foul(state, action) for action in np.flatnonzero(state.cells == 0).tolist()}
    return {action: FOULS[number] for action, number in found.items() if number in FOULS}


def _refusal(state: RenjuState, action: int) -> str:
    return "the place is taken" if state.cells[action] != 0 else f"it is a foul, {FOULS[foul(state, action)]}"


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
        ),
    )
