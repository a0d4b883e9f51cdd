"""Othello on boards too large for a 64-bit word, as kernels on an array of cells."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.cells import copy_into, encode_cells, key_of_cells
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Kernels, register
from core.games.info import LAST, PLY, RESULT, new_info, result, to_move
from core.rng import below, step

_BORDER: Final = 3


class LargeOthelloState(NamedTuple):
    """The board with a border, so that no line needs a bounds check.

    The cell of row r, column c is at ``(r + 1) * (size + 1) + c + 1``: one border column serves both sides.
    """

    cells: NDArray[np.int8]  # [(size + 2) * (size + 1) + 1]: 0 empty, 1 player 0, 2 player 1, 3 border
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [2]: size, 1 when passes are moves
    scratch: NDArray[np.int16]  # [A]: for rollouts; no part of the position


@jitable
def _run(cells: NDArray[np.int8], index: int, by: int, stone: int) -> int:
    """The number of discs that a disc of ``stone`` at ``index`` turns in one direction."""
    i = index + by
    count = 0
    while cells[i] == 3 - stone:
        i += by
        count += 1
    return count if cells[i] == stone else 0


@jitable
def _turns(cells: NDArray[np.int8], index: int, stone: int, stride: int) -> bool:
    """Whether a disc of ``stone`` at the empty ``index`` turns any."""
    return (
        _run(cells, index, 1, stone) > 0
        or _run(cells, index, -1, stone) > 0
        or _run(cells, index, stride - 1, stone) > 0
        or _run(cells, index, 1 - stride, stone) > 0
        or _run(cells, index, stride, stone) > 0
        or _run(cells, index, -stride, stone) > 0
        or _run(cells, index, stride + 1, stone) > 0
        or _run(cells, index, -1 - stride, stone) > 0
    )


@jitable
def _place(cells: NDArray[np.int8], index: int, stone: int, stride: int) -> None:
    """Put a disc of ``stone`` at ``index`` and turn the enclosed discs."""
    for down in range(-1, 2):
        for right in range(-1, 2):
            by = down * stride + right
            if by != 0:
                i = index
                for _ in range(_run(cells, index, by, stone)):
                    i += by
                    cells[i] = stone
    cells[index] = stone


@jitable
def _can_move(cells: NDArray[np.int8], stone: int, size: int) -> bool:
    stride = size + 1
    for row in range(size):
        first = (row + 1) * stride + 1
        for index in range(first, first + size):
            if cells[index] == 0 and _turns(cells, index, stone, stride):
                return True
    return False


@jitable
def _count(cells: NDArray[np.int8]) -> int:
    """The result code of a finished board."""
    ahead = 0
    for i in range(len(cells)):
        if cells[i] == 1:
            ahead += 1
        elif cells[i] == 2:
            ahead -= 1
    if ahead == 0:
        return DRAW
    return FIRST_WINS if ahead > 0 else SECOND_WINS


@jitable
def settle(state: LargeOthelloState) -> None:
    """Find the result when the game is over."""
    info, size = state.info, int(state.dims[0])
    mover = 1 + int(info[PLY] & 1)
    info[RESULT] = ONGOING
    if not _can_move(state.cells, mover, size) and (
        state.dims[1] == 0 or not _can_move(state.cells, 3 - mover, size)
    ):  # neither can move, or passing is not allowed
        info[RESULT] = _count(state.cells)


def _play(state: LargeOthelloState, action: int) -> None:
    info, size = state.info, state.dims[0]
    if action < size * size:
        _place(state.cells, action + action // size + size + 2, 1 + (info[PLY] & 1), size + 1)
    info[PLY] += 1
    info[LAST] = action
    settle(state)


def _legal(state: LargeOthelloState, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        size = state.dims[0]
        mover = 1 + (state.info[PLY] & 1)
        for action in range(size * size):
            index = action + action // size + size + 2
            if state.cells[index] == 0 and _turns(state.cells, index, mover, size + 1):
                out[count] = action
                count += 1
        if count == 0:
            out[0] = size * size
            count = 1
    return count


def _encode(state: LargeOthelloState, out: NDArray[np.float32]) -> None:
    size = int(state.dims[0])
    encode_cells(state.cells, state.info, size + 2, size + 1, out)


def _copy(target: LargeOthelloState, source: LargeOthelloState) -> None:
    copy_into(target.cells, source.cells)
    copy_into(target.info, source.info)
    copy_into(target.dims, source.dims)


def _key(state: LargeOthelloState) -> np.uint64:
    return key_of_cells(state.cells, state.info)


@jitable
def _list_empties(cells: NDArray[np.int8], empties: NDArray[np.int16], size: int) -> int:
    """Write the indices of the empty cells; returns their number."""
    count = 0
    for row in range(size):
        first = (row + 1) * (size + 1) + 1
        for index in range(first, first + size):
            if cells[index] == 0:
                empties[count] = index
                count += 1
    return count


def _rollout(state: LargeOthelloState, rng: NDArray[np.uint64]) -> int:
    cells, info, empties = state.cells, state.info, state.scratch
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    size = int(state.dims[0])
    stride = size + 1
    count = _list_empties(cells, empties, size)
    a, b = rng[0], rng[1]
    ply = int(info[PLY])
    last = 0
    passed = False
    playing = True
    while playing:
        mover = 1 + (ply & 1)
        untried = count
        placed = False
        while not placed and untried > 0:
            # Drawing empty cells until one is legal is uniform over the legal ones; refused cells go to the end.
            a, b, word = step(a, b)
            pick = below(word, untried)
            index = int(empties[pick])
            untried -= 1
            empties[pick] = empties[untried]
            empties[untried] = index
            if _turns(cells, index, mover, stride):
                _place(cells, index, mover, stride)
                count -= 1
                empties[untried] = empties[count]
                last = index
                placed = True
        if placed:
            ply += 1
            passed = False
        elif state.dims[1] != 0 and not passed:
            ply += 1  # taken back when the other cannot move either
            passed = True
        else:
            playing = False
    rng[0], rng[1] = a, b
    info[PLY] = ply - 1 if passed else ply
    info[LAST] = (last // stride - 1) * size + last % stride - 1
    info[RESULT] = _count(cells)
    return int(info[RESULT])


register(LargeOthelloState, Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout))


def _inside(cells: NDArray[np.int8], size: int) -> NDArray[np.int8]:
    """The board without its border, a view int8 [H, W]."""
    return cells[:-1].reshape(size + 2, size + 1)[1:-1, 1:]


def make_state(cells: NDArray[np.int8], ply: int, last: int, passes: bool) -> LargeOthelloState:
    """The state of a board int8 [H, W], settled."""
    size = len(cells)
    bordered = np.full((size + 2) * (size + 1) + 1, _BORDER, np.int8)
    _inside(bordered, size)[:] = cells
    info = new_info(ply, last)
    state = LargeOthelloState(bordered, info, np.array([size, passes], np.int64), np.zeros(size * size, np.int16))
    settle(state)
    return state


def read_cells(state: LargeOthelloState) -> NDArray[np.int8]:
    """The board, int8 [H, W]: 0 empty, 1 player 0, 2 player 1."""
    return _inside(state.cells, int(state.dims[0])).copy()
