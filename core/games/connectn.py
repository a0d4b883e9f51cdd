"""k in a row on a free board: connectn, tictactoe, and gomoku without fouls.

A player wins with k or more of his stones in a line, or with exactly k where overlines do not count; a full board
is a draw.
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
from core.games.line_words import NOWHERE, UP, Grid, PointPair, add_points, gaps, has_lone, is_free, runs
from core.games.lines import FIVE_IN_A_ROW, side_to_move, verdict, winning_cells
from core.games.redraw import redraw_empties
from core.games.spec import Board, GameFamily, GameSpec, IntParameter, Lines, Sgf
from core.rng import below, step
from core.text import Text

_BORDER: Final = 3
BOTH: Final = (1, 2)  # the stones of both players
MAX_SIDE: Final = 22  # a line fits in half a word, a row and a column number in five bits each


class ConnectNState(NamedTuple):
    """The board with a border, so that no line needs a bounds check.

    The cell of row r, column c is at ``(r + 1) * (W + 1) + c + 1``: one border column serves both sides.
    """

    cells: NDArray[np.int8]  # [(H + 2) * (W + 1) + 1]: 0 empty, 1 player 0, 2 player 1, 3 border
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [4]: rows, cols, k, the longest line that wins
    scratch: NDArray[np.int16]  # [A]: for rollouts; no part of the position
    lines: NDArray[np.int64]  # [2 * (3 * (H + W) - 2)]: likewise, each player's rows, columns and diagonals as bits


@jitable
def _run(cells: NDArray[np.int8], index: int, step: int, stone: int) -> int:
    """Length of the run of ``stone`` through ``index``, itself counted."""
    count = 1
    i = index + step
    while cells[i] == stone:
        count += 1
        i += step
    i = index - step
    while cells[i] == stone:
        count += 1
        i -= step
    return count


@jitable
def _wins(cells: NDArray[np.int8], index: int, stone: int, stride: int, k: int, longest: int) -> bool:
    """Whether a line through ``index`` is complete."""
    return (
        k <= _run(cells, index, 1, stone) <= longest
        or k <= _run(cells, index, stride, stone) <= longest
        or k <= _run(cells, index, stride - 1, stone) <= longest
        or k <= _run(cells, index, stride + 1, stone) <= longest
    )


def _play(state: ConnectNState, action: int) -> None:
    info = state.info
    rows, cols, k = state.dims[0], state.dims[1], state.dims[2]
    index = action + action // cols + cols + 2
    stone = 1 + (info[PLY] & 1)
    state.cells[index] = stone
    info[PLY] += 1
    info[LAST] = action
    if _wins(state.cells, index, stone, cols + 1, k, state.dims[3]):
        info[RESULT] = FIRST_WINS if stone == 1 else SECOND_WINS
    elif info[PLY] == rows * cols:
        info[RESULT] = DRAW


def _legal(state: ConnectNState, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        rows, cols = state.dims[0], state.dims[1]
        for row in range(rows):
            first = (row + 1) * (cols + 1) + 1
            line = state.cells[first : first + cols]
            for col in range(cols):
                out[count & 0x7FFF] = row * cols + col  # stays where the cell is empty; the mask as in ``_rollout``
                count += line[col] == 0
    return count


def _encode(state: ConnectNState, out: NDArray[np.float32]) -> None:
    cols = int(state.dims[1])
    encode_cells(state.cells, state.info, cols + 2, cols + 1, out)


def _copy(target: ConnectNState, source: ConnectNState) -> None:
    copy_into(target.cells, source.cells)
    copy_into(target.info, source.info)
    copy_into(target.dims, source.dims)


def _key(state: ConnectNState) -> np.uint64:
    return key_of_cells(state.cells, state.info)


@jitable
def _kinds(rows: int, cols: int) -> tuple[int, int, int]:
    """First indices of columns, rising and falling diagonals among a player's lines; rows start at 0.

    A rising diagonal is numbered by row + column, a falling one by row - column, which begins below 0.
    """
    return rows, rows + cols, 2 * rows + 3 * cols - 2


@jitable
def _read_board(state: ConnectNState) -> int:
    """Write the empty points, as ``row << 5 | col``, and the lines to the rollout's scratch; the number of points."""
    cells, empties, lines = state.cells, state.scratch, state.lines
    rows, cols = int(state.dims[0]), int(state.dims[1])
    upright, rising, falling = _kinds(rows, cols)
    half = len(lines) // 2
    for i in range(len(lines)):
        lines[i] = 0
    count = 0
    for row in range(rows):
        for col in range(cols):
            cell = int(cells[(row + 1) * (cols + 1) + col + 1])
            if cell == 0:
                empties[count] = row << 5 | col
                count += 1
            else:
                base = (cell - 1) * half
                lines[base + row] |= 1 << col
                lines[base + upright + col] |= 1 << row
                lines[base + rising + row + col] |= 1 << row
                lines[base + falling + row - col] |= 1 << row
    return count


def _rollout(state: ConnectNState, rng: NDArray[np.uint64]) -> int:
    cells, info, empties, lines = state.cells, state.info, state.scratch, state.lines
    rows, cols, k = int(state.dims[0]), int(state.dims[1]), int(state.dims[2])
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    overlines = state.dims[3] > k
    upright, rising, falling = _kinds(rows, cols)
    half = len(lines) // 2
    count = _read_board(state)
    side = int(info[PLY] & 1)
    a, b = rng[0], rng[1]
    row, col = 0, 0
    result = ONGOING
    while result == ONGOING:
        a, b, word = step(a, b)
        pick = below(word, count)
        code = int(empties[pick])
        count -= 1
        empties[pick] = empties[count]
        row = (code >> 5) & 31  # the mask shows the compiler that no index is negative
        col = code & 31
        cells[(row + 1) * (cols + 1) + col + 1] = 1 + side
        base = side * half
        level_line = lines[base + row] | (1 << col)
        upright_line = lines[base + upright + col] | (1 << row)
        rising_line = lines[base + rising + row + col] | (1 << row)
        falling_line = lines[base + falling + row - col] | (1 << row)
        lines[base + row] = level_line
        lines[base + upright + col] = upright_line
        lines[base + rising + row + col] = rising_line
        lines[base + falling + row - col] = falling_line
        # Two lines in one word: the empty bits between them keep their runs apart.
        straight = runs(level_line | (upright_line << 32), k)
        slanted = runs(rising_line | (falling_line << 32), k)
        if (straight | slanted) != 0 and (overlines or has_lone(straight) or has_lone(slanted)):
            result = FIRST_WINS if side == 0 else SECOND_WINS
        elif count == 0:
            result = DRAW
        side ^= 1
    rng[0], rng[1] = a, b
    info[PLY] = rows * cols - count
    info[LAST] = row * cols + col
    info[RESULT] = result
    return result


@jitable
def _grid(state: ConnectNState) -> Grid:
    rows, cols = int(state.dims[0]), int(state.dims[1])
    return Grid(rows, cols, cols + 1, cols + 2)


@jitable
def _find_wins(state: ConnectNState, side: int) -> PointPair:
    """Up to two points where ``side`` would win, by the lines that :func:`_read_board` wrote."""
    lines = state.lines
    k = int(state.dims[2])
    half = len(lines) // 2
    points = PointPair(NOWHERE, NOWHERE)
    for low in range(0, half, 2):
        high = low + 1 if low + 1 < half else low
        wins = gaps(int(lines[side * half + low] | lines[side * half + high] << UP), 1, k, state.dims[3] == k)
        points = add_points(state.cells, _grid(state), low, high, wins, points)
    return points


def _tactical_rollout(state: ConnectNState, rng: NDArray[np.uint64], _spare: Spare) -> int:
    """After its first moves it checks only lines through the last stone, as older winning points would have been used.

    So each side's winning points are those made by its last stone, and two of them are as good as more.
    """
    cells, info, empties, lines = state.cells, state.info, state.scratch, state.lines
    rows, cols, k = int(state.dims[0]), int(state.dims[1]), int(state.dims[2])
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    exact = state.dims[3] == k
    upright, rising, falling = _kinds(rows, cols)
    half = len(lines) // 2
    count = _read_board(state)  # of the list; points played without drawing are removed when they are drawn
    empty = count
    side = int(info[PLY] & 1)
    grid = _grid(state)
    mine = theirs = PointPair(NOWHERE, NOWHERE)
    for player in (side, 1 - side):
        mine, theirs = theirs, _find_wins(state, player)
    a, b = rng[0], rng[1]
    row, col = 0, 0
    result = ONGOING
    while result == ONGOING:
        point = mine.first if is_free(cells, grid, mine.first) else mine.second
        if is_free(cells, grid, point):
            result = FIRST_WINS if side == 0 else SECOND_WINS
        elif theirs.first != NOWHERE and theirs.second == NOWHERE:
            point = theirs.first
        else:
            point = NOWHERE
            while not is_free(cells, grid, point):
                a, b, word = step(a, b)
                pick = below(word, count)
                point = int(empties[pick])
                count -= 1
                empties[pick] = empties[count]
        row = (point >> 5) & 31  # the mask shows the compiler that no index is negative
        col = point & 31
        cells[(row + 1) * (cols + 1) + col + 1] = 1 + side
        empty -= 1
        base = side * half
        level_line = lines[base + row] | (1 << col)
        upright_line = lines[base + upright + col] | (1 << row)
        rising_line = lines[base + rising + row + col] | (1 << row)
        falling_line = lines[base + falling + row - col] | (1 << row)
        lines[base + row] = level_line
        lines[base + upright + col] = upright_line
        lines[base + rising + row + col] = rising_line
        lines[base + falling + row - col] = falling_line
        if result == ONGOING and empty == 0:
            result = DRAW
        mine, theirs = theirs, PointPair(NOWHERE, NOWHERE)
        straight = gaps(int(level_line | (upright_line << UP)), 1, k, exact)
        slanted = gaps(int(rising_line | (falling_line << UP)), 1, k, exact)
        if (straight | slanted) != 0:
            low, high, wins = row, upright + col, straight
            for _ in range(2):
                theirs = add_points(cells, grid, low, high, wins, theirs)
                low, high, wins = rising + row + col, falling + row - col, slanted
        side ^= 1
    rng[0], rng[1] = a, b
    info[PLY] = rows * cols - empty
    info[LAST] = row * cols + col
    info[RESULT] = result
    return result


register(ConnectNState, Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout, _tactical_rollout))


def _new_state(rows: int, cols: int, k: int, overlines: bool) -> ConnectNState:
    cells = np.full((rows + 2) * (cols + 1) + 1, _BORDER, np.int8)
    _inside(cells, rows, cols)[:] = 0
    info = new_info()
    return ConnectNState(
        cells,
        info,
        np.array([rows, cols, k, MAX_SIDE + 1 if overlines else k], np.int64),
        np.zeros(rows * cols, np.int16),
        np.zeros(2 * (3 * (rows + cols) - 2), np.int64),
    )


def _inside(cells: NDArray[np.int8], rows: int, cols: int) -> NDArray[np.int8]:
    """The board without its border, a view int8 [H, W]."""
    return cells[:-1].reshape(rows + 2, cols + 1)[1:-1, 1:]


def _cells(state: ConnectNState) -> NDArray[np.int8]:
    return _inside(state.cells, int(state.dims[0]), int(state.dims[1])).copy()


def _from_cells(k: int, overlines: bool, cells: NDArray[np.int8], stated: int | None, last: int) -> ConnectNState:
    rows, cols = cells.shape
    to_move = side_to_move(cells, stated)
    moved = 2 - to_move  # the stone of the player who just moved
    if last >= 0 and cells.flat[last] != moved:
        raise ValueError(
            Text(
                "its last move {move} is not a stone of the player who just moved",
                move=cell_names(rows, cols)[last],
            )
        )
    candidates = [last] if last >= 0 else np.flatnonzero(cells == moved).tolist()
    state = _new_state(rows, cols, k, overlines)
    _inside(state.cells, rows, cols)[:] = cells
    state.info[PLY] = np.count_nonzero(cells)
    state.info[LAST] = last
    state.info[RESULT] = verdict(cells, k, to_move, candidates, () if overlines else BOTH)
    return state


def line_game(
    name: str,
    text: str,
    title: str,
    params: Mapping[str, Any],
    shape: tuple[int, int],
    lines: Lines,
    sgf_rules: str = "",
) -> GameSpec:
    """The game of ``lines.k`` in a row on a board of ``shape`` (rows, columns), each up to ``MAX_SIDE``.

    ``lines.exact`` is () where longer lines win, too, else ``BOTH``."""
    rows, cols = shape
    k, overlines = lines.k, not lines.exact
    symmetries = grid_symmetries(rows, cols)
    return GameSpec(
        text=text,
        name=name,
        title=title,
        params=params,
        shape=shape,
        action_names=cell_names(rows, cols),
        first_number=0,
        max_plies=rows * cols,
        symmetries=symmetries,
        cell_symmetries=symmetries,
        board=Board(
            new_state=partial(_new_state, rows, cols, k, overlines),
            cells=_cells,
            from_cells=partial(_from_cells, k, overlines),
            winning_cells=partial(winning_cells, k=k, exact=lines.exact),
            redraw=redraw_empties,
        ),
        lines=lines,
        stones_alternate=True,
        sgf=Sgf(FIVE_IN_A_ROW, sgf_rules),
    )


def _connectn(text: str, params: Mapping[str, Any]) -> GameSpec:
    rows, cols, k = params["rows"], params["cols"], params["k"]
    if k > max(rows, cols):
        raise ValueError(
            Text(
                "k={k} does not fit on {rows}×{cols}, k is from 2 to {most} there",
                k=k,
                rows=rows,
                cols=cols,
                most=max(rows, cols),
            )
        )
    title = Text("{rows}×{cols}, {k} in a row", rows=rows, cols=cols, k=k)
    return line_game("connectn", text, title, params, (rows, cols), Lines(k))


def _tictactoe(text: str, params: Mapping[str, Any]) -> GameSpec:
    return line_game("tictactoe", text, "Tic-tac-toe", params, (3, 3), Lines(3))


CONNECTN = GameFamily(
    "connectn",
    "k in a row",
    (IntParameter("rows", 2, MAX_SIDE), IntParameter("cols", 2, MAX_SIDE), IntParameter("k", 2, MAX_SIDE)),
    _connectn,
)
TICTACTOE = GameFamily("tictactoe", "Tic-tac-toe", (), _tictactoe, small="tictactoe")
