"""The random game of an earlier simulation, drawn again from the generator's state before it.  Knows no window.

What the simulations between drew is drawn again and compared with the records; the game's moves are read off by the
game's ``Board.redraw``, and believed only when they end in the same position with the generator in the same state.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import Position, dispatch
from core.rng import random_below
from core.search.descent import playout
from core.search.settings import Params
from core.search.tree import Tree


@jit
def redraw(
    tree: Tree,
    proved_at: NDArray[np.int32],
    state: Any,
    root_state: Any,
    root: int,
    params: Params,
    rng: NDArray[np.uint64],
    first: int,
    last: int,
    known: int,
    path: NDArray[np.int16],
) -> bool:
    """Draw from ``rng`` what the records [first, last), made from ``root``, drew, and record ``last`` before its game;
    False when a result differs.

    ``proved_at`` [N]: the record that proved a node.  ``known`` nodes were there before.  ``state`` and ``path`` [P]
    are scratch."""
    for i in range(first, last + 1):
        leaf = tree.leaf[i]
        if leaf >= known:
            known = leaf + 1
            parent = tree.parent[leaf]
            if parent != root and tree.slot[leaf] == tree.child_start[parent]:  # it was expanded on the way
                for m in range(tree.num_edges[parent] - 1, 0, -1):
                    random_below(rng, m + 1)
        if i == last:
            break
        if proved_at[leaf] <= i or tree.threats[leaf] != 0:
            continue
        depth, node = 0, leaf
        while node != root:
            path[depth] = tree.action[node]
            depth += 1
            node = tree.parent[node]
        dispatch.copy(state, root_state)
        for d in range(depth - 1, -1, -1):
            dispatch.play(state, int(path[d]))
        if playout(state, params, rng) != tree.leaf_value[i]:
            return False
    return True


def random_moves(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """The uniformly random game that ``rng`` plays from ``position``; None when it cannot be read off with certainty.

    ``rng`` is left as it is."""
    with np.errstate(over="ignore"):  # interpreted, the generator wraps around as it does compiled
        played, drawn, again = position.state, rng.copy(), rng.copy()
        dispatch.rollout(played, drawn)
        moves = position.game.board.redraw(position, again)
        if moves is None:
            return None
        for action in moves:
            position = position.play(action)
        same = dispatch.key(position.state) == dispatch.key(played) and list(again) == list(drawn)
    return moves if same else None
