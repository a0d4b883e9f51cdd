"""The rules of Hex for the search: states, and functions that numba compiles.

Player 0 connects the edges above and below, player 1 those at the left and the right.  A cell touches those beside it
in its row, the one below and the one below left, and so upwards.  Actions are cells ``row * size + col``, row 0 on
top; with the swap rule one more follows, in answer to the first stone alone: the stone changes its colour and is
mirrored in the long diagonal, which is as if the players had changed sides.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.cells import copy_into, encode_cells, key_of_cells
from core.games.dispatch import FIRST_WINS, ONGOING, SECOND_WINS, Kernels, register
from core.games.info import LAST, PLY, RESULT, new_info, result, to_move
from core.rng import random_below

EDGES: Final = 4  # nodes of the union-find after the cells: above, below, left, right


class HexState(NamedTuple):
    """A position.  What is not copied with it is scratch of the random games."""

    cells: NDArray[np.int8]  # [N * N]: 0 empty, 1 player 0, 2 player 1
    parents: NDArray[np.int16]  # [N * N + 4]: union-find of connected stones and of the edges they touch
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [2]: size, 1 with the swap rule
    empties: NDArray[np.int16]  # [N * N + 1]: scratch


def new_state(size: int, swap: bool) -> HexState:
    """The state before the first move."""
    cells = size * size
    return HexState(
        np.zeros(cells, np.int8),
        np.arange(cells + EDGES, dtype=np.int16),
        new_info(),
        np.array([size, swap], np.int64),
        np.zeros(cells + 1, np.int16),
    )


@jitable
def neighbour(size: int, cell: int, direction: int) -> int:
    """The cell in one of six directions; outside, the node of the edge there."""
    row = cell // size
    col = cell % size
    if direction == 0 or direction == 1:
        row -= 1
        col += direction
    elif direction == 2 or direction == 3:
        col += 2 * direction - 5
    else:
        row += 1
        col += direction - 5
    if row < 0:
        return size * size
    if row >= size:
        return size * size + 1
    if col < 0:
        return size * size + 2
    if col >= size:
        return size * size + 3
    return row * size + col


@jitable
def find(parents: NDArray[np.int16], node: int) -> int:
    """The representative of a node's group; halves the paths that it follows."""
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = int(parents[node])
    return node


@jitable
def put_stone(state: HexState, cell: int, side: int) -> None:
    """Put a stone of ``side`` and join it to what it touches."""
    cells, parents, size = state.cells, state.parents, int(state.dims[0])
    cells[cell] = 1 + side
    for direction in range(6):
        near = neighbour(size, cell, direction)
        mine = (near - size * size) // 2 == side if near >= size * size else cells[near] == 1 + side
        if mine:
            parents[find(parents, near)] = find(parents, cell)


@jitable
def has_won(state: HexState, side: int) -> bool:
    """Whether the edges of ``side`` are connected."""
    first = int(state.dims[0] * state.dims[0]) + 2 * side
    return find(state.parents, first) == find(state.parents, first + 1)


@jitable
def can_swap(state: HexState) -> bool:
    return bool(state.dims[1] == 1 and state.info[PLY] == 1)


@jitable
def _play(state: HexState, action: int) -> None:
    cells, info, size = state.cells, state.info, int(state.dims[0])
    side = int(info[PLY] & 1)
    if action == size * size:
        old = int(info[LAST])
        cells[old] = 0
        for node in range(len(state.parents)):
            state.parents[node] = node
        put_stone(state, old % size * size + old // size, side)
    else:
        put_stone(state, action, side)
        if has_won(state, side):
            info[RESULT] = FIRST_WINS if side == 0 else SECOND_WINS
    info[PLY] += 1
    info[LAST] = action


@jitable
def _legal(state: HexState, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        for cell in range(len(state.cells)):
            if state.cells[cell] == 0:
                out[count] = cell
                count += 1
        if can_swap(state):
            out[count] = len(state.cells)
            count += 1
    return count


def _encode(state: HexState, out: NDArray[np.float32]) -> None:
    encode_cells(state.cells, state.info, 0, int(state.dims[0]), out)


def _copy(target: HexState, source: HexState) -> None:
    copy_into(target.cells, source.cells)
    copy_into(target.parents, source.parents)
    copy_into(target.info, source.info)
    copy_into(target.dims, source.dims)


def _key(state: HexState) -> np.uint64:
    return key_of_cells(state.cells, state.info)


@jitable
def _take_random(state: HexState, count: int, rng: NDArray[np.uint64]) -> int:
    """One of the first ``count`` of the scratch list, replaced by the last of them."""
    pick = random_below(rng, count)
    action = int(state.empties[pick])
    state.empties[pick] = state.empties[count - 1]
    return action


def _rollout(state: HexState, rng: NDArray[np.uint64]) -> int:
    if can_swap(state):
        _play(state, _take_random(state, _legal(state, state.empties), rng))
    count = _legal(state, state.empties)
    while state.info[RESULT] == ONGOING:
        _play(state, _take_random(state, count, rng))
        count -= 1
    return int(state.info[RESULT])


register(HexState, Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout))
