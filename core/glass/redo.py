"""The random game of an earlier simulation, drawn again from the generator's state before it.  Knows no window.

What the simulations between drew is drawn again and compared with the records; the game's moves are read off by the
games' rule of drawing, and believed only when they end in the same position with the generator in the same state.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import Position, dispatch
from core.rng import below, random_below, step
from core.search.descent import playout
from core.search.settings import Params
from core.search.tree import Tree

_IN_ORDER = ("nim", "othello")  # games that draw from their legal moves in ascending order; others from a bag


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
        return _random_moves(position, rng)


def _random_moves(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    played, drawn = position.state, rng.copy()
    dispatch.rollout(played, drawn)
    a, b = rng
    bag = np.flatnonzero(position.cells().ravel() == 0).tolist()
    columns = position.game.name == "connect4"
    if columns:
        bag = list(position.legal_actions())
    moves: list[int] = []
    while not position.is_over:
        legal = position.legal_actions()
        if position.game.name in _IN_ORDER:
            forced = len(legal) == 1 and position.game.action_name(legal[0]) == "pass"
            pick = 0
            if not forced:
                a, b, word = step(a, b)
                pick = below(word, len(legal))
            action = legal[pick]
        else:
            allowed, untried = set(legal), len(bag)
            while True:
                a, b, word = step(a, b)
                pick = below(word, untried)
                action, untried = bag[pick], untried - 1
                if columns:
                    break
                bag[pick], bag[untried] = bag[untried], action
                if action in allowed:
                    break
                if not untried:
                    return None
        position = position.play(action)
        moves.append(action)
        if not columns:
            if position.game.name not in _IN_ORDER:
                bag[untried] = bag[-1]
                bag.pop()
        elif action not in position.legal_actions() and not position.is_over:
            bag[pick] = bag[-1]
            bag.pop()
    same = dispatch.key(position.state) == dispatch.key(played) and [a, b] == list(drawn)
    return tuple(moves) if same else None
