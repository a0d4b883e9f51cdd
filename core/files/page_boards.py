"""What each move of a tree changes on the board, for pages that show positions without knowing any rules."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import dispatch
from core.games.dispatch import State
from core.games.position import Position
from core.games.walk import Walk

PLAIN: Final = 0  # the move puts a stone of the player on the cell of its number, and changes nothing else
_FEW: Final = 500  # nodes up to which the moves are played interpreted
_LOOKED_AT: Final = 3  # positions
_ROOM: Final = 4  # changes for each node that the kernel is first given room for


class Changes(NamedTuple):
    """What the moves to N nodes change, C cells together, node by node."""

    counts: NDArray[np.uint16]  # [N] ``PLAIN``, or the number of cells and 1; 0 of the root
    cells: NDArray[np.uint16]  # [C]
    stones: NDArray[np.uint8]  # [C] what is there afterwards: 0 empty, 1 player 0, 2 player 1


class _Scratch(NamedTuple):
    """Memory of the kernel.  D nodes one below another, H W board."""

    states: State  # D states, by ``dispatch.repeated``
    planes: NDArray[np.float32]  # [C, H, W]
    boards: NDArray[np.uint8]  # [D, H * W]
    first_child: NDArray[np.int32]  # [N]
    next_child: NDArray[np.int32]  # [N]
    begins: NDArray[np.int64]  # [N] where the changes of a node begin


@jit
def depth_of(parents: NDArray[np.int32], depths: NDArray[np.int32]) -> int:
    """Fill ``depths`` [N] with the plies of nodes below node 0, whose parent is -1; returns the largest."""
    deepest = 0
    for node in range(parents.size):
        depths[node] = 0 if parents[node] < 0 else depths[parents[node]] + 1
        deepest = max(deepest, depths[node])
    return deepest


@jit
def play_nodes(
    top: Any, parents: NDArray[np.int32], actions: NDArray[np.int16], scratch: _Scratch, changes: Changes
) -> int:
    """Play the move to every node; fill ``changes`` and ``scratch.begins``, in the order played.

    Returns the number of changes, which may be more than fit: then those that do not are left out."""
    states, planes, boards, first_child, next_child, begins = scratch
    counts, cells, stones = changes
    first_child[:] = -1
    next_child[:] = -1
    for node in range(parents.size - 1, 0, -1):
        next_child[node] = first_child[parents[node]]
        first_child[parents[node]] = node
    rows, cols = planes.shape[1], planes.shape[2]
    used = 0
    node = depth = 0
    while True:
        state = dispatch.state_at(states, depth)
        if node == 0:
            dispatch.copy(state, top)
        else:
            dispatch.copy(state, dispatch.state_at(states, depth - 1))
            dispatch.play(state, int(actions[node]))
        dispatch.encode(state, planes)
        mover = dispatch.to_move(state)
        board = boards[depth]
        begins[node] = used
        for row in range(rows):
            for col in range(cols):
                stone = 0
                if planes[0, row, col] > 0.0:
                    stone = 1 + mover
                elif planes[1, row, col] > 0.0:
                    stone = 2 - mover
                board[row * cols + col] = stone
        counts[node] = PLAIN
        if node > 0:
            above = boards[depth - 1]
            begin = used
            for cell in range(rows * cols):
                if board[cell] != above[cell]:
                    if used < cells.size:
                        cells[used] = cell
                        stones[used] = board[cell]
                    used += 1
            plain = used == begin + 1 and used <= cells.size and cells[begin] == actions[node]
            if plain and stones[begin] == 2 - mover:
                used = begin
            else:
                counts[node] = 1 + used - begin
        if first_child[node] >= 0:
            node = first_child[node]
            depth += 1
            continue
        while node > 0 and next_child[node] < 0:
            node = parents[node]
            depth -= 1
        if node == 0:
            return used
        node = next_child[node]


def board_changes(position: Position, parents: NDArray[np.int32], actions: NDArray[np.int16]) -> Changes:
    """What the move to every node changes on the board.  N nodes.

    ``parents`` int32 [N]: -1 for node 0, at ``position``, and else a node before; ``actions`` int16 [N]: legal moves.
    """
    if not _planes_are_stones(position):
        return _walked(position, parents, actions)
    return _changes(position, parents, actions, compiled=len(parents) > _FEW)


def _planes_are_stones(position: Position) -> bool:
    """Whether the first two planes are the stones of the mover and of the other player, as in most games."""
    for _ in range(_LOOKED_AT):
        mover, planes = position.to_move, position.planes()
        stones = np.where(planes[0] > 0, 1 + mover, np.where(planes[1] > 0, 2 - mover, 0))
        if (stones != position.cells()).any():
            return False
        if position.is_over:
            break
        position = position.play(position.legal_actions()[0])
    return True


def _walked(position: Position, parents: NDArray[np.int32], actions: NDArray[np.int16]) -> Changes:
    """``board_changes`` of any game that has a board, node by node."""
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents.tolist()):
        if parent >= 0:
            children[parent].append(node)
    found: list[tuple[list[int], list[int]]] = [([], []) for _ in parents]
    stack = [(child, Walk.of(position)) for child in children[0]]
    while stack:
        node, above = stack.pop()
        before, walk = above.cells().ravel(), above.copy()
        walk.play(int(actions[node]))
        after = walk.cells().ravel()
        cells = np.flatnonzero(before != after)
        found[node] = cells.tolist(), after[cells].tolist()
        stack += [(child, walk) for child in children[node]]
    counts = [1 + len(cells) for cells, _ in found]
    counts[0] = PLAIN
    return Changes(
        np.array(counts, np.uint16),
        np.array([cell for cells, _ in found for cell in cells], np.uint16),
        np.array([stone for _, stones in found for stone in stones], np.uint8),
    )


def compile_for(position: Position) -> None:
    """Compile the kernel that :func:`board_changes` uses for many nodes of the game."""
    _changes(position, np.array([-1], np.int32), np.zeros(1, np.int16), compiled=True)


def _changes(position: Position, parents: NDArray[np.int32], actions: NDArray[np.int16], compiled: bool) -> Changes:
    game, nodes = position.game, len(parents)
    play: Any = play_nodes if compiled else getattr(play_nodes, "py_func", play_nodes)
    measure: Any = depth_of if compiled else getattr(depth_of, "py_func", depth_of)
    levels = int(measure(parents, np.empty(nodes, np.int32))) + 2
    scratch = _Scratch(
        dispatch.repeated(position.state, levels),
        np.zeros((game.num_planes, *game.shape), np.float32),
        np.zeros((levels, game.num_cells), np.uint8),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int64),
    )
    room = _ROOM * nodes
    while True:
        changes = Changes(np.zeros(nodes, np.uint16), np.zeros(room, np.uint16), np.zeros(room, np.uint8))
        used = int(play(position.state, parents, actions, scratch, changes))
        if used <= room:
            break
        room = used
    lengths = np.maximum(changes.counts.astype(np.int64) - 1, 0)
    order = np.repeat(scratch.begins - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
    return Changes(changes.counts, changes.cells[order], changes.stones[order])
