"""Perft: counts lines of play of a given length, the standard check of a game's rules."""

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import dispatch
from core.games.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of lines of ``depth`` plies from ``position``; one that ends earlier counts once.

    A pass is a ply.  ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"depth is {depth}; it must be at least 0")
    moves = np.zeros((max(depth, 1), position.game.num_actions), np.int16)
    counts = np.zeros(max(depth, 1), np.int64)
    return int(_leaves(position.state, position.state, depth, moves, np.zeros_like(counts), counts))


@jit
def _leaves(
    root: dispatch.State,
    state: dispatch.State,
    depth: int,
    moves: NDArray[np.int16],
    path: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> int:
    """Walk the tree with one working ``state``: the next sibling is reached by replaying its path from ``root``.

    Only inner nodes are replayed, as the last ply is counted and not played, so the walk costs little more than one
    play for each inner node.  ``moves`` [depth, A] holds the legal moves of each node on the path, ``counts`` how
    many, ``path`` which of them is being looked at.
    """
    if depth == 0 or dispatch.result(root) != dispatch.ONGOING:
        return 1
    leaves = 0
    level = 0
    counts[0] = dispatch.legal(root, moves[0])
    path[0] = -1
    while level >= 0:
        path[level] += 1
        if level == depth - 1:
            leaves += counts[level]
            level -= 1
        elif path[level] == counts[level]:
            level -= 1
        else:
            if path[level] > 0:
                dispatch.copy(state, root)
                for i in range(level):
                    dispatch.play(state, int(moves[i, path[i]]))
            dispatch.play(state, int(moves[level, path[level]]))
            if dispatch.result(state) != dispatch.ONGOING:
                leaves += 1
            else:
                level += 1
                counts[level] = dispatch.legal(state, moves[level])
                path[level] = -1
    return leaves
