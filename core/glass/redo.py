"""Replay of the random game of an earlier simulation from a stored state of the random generator.  Knows no window.

The random numbers of the simulations in between are drawn again and the results compared with the records.  The moves
are reconstructed by each game's rule of drawing, and trusted only if they end in the same position and state of the
generator.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import Position, dispatch
from core.rng import below, random_below, step
from core.search.descent import play_to, playout
from core.search.settings import Params
from core.search.tree import Tree
from core.search.work import PlayoutScratch

_IN_ORDER = ("nim", "othello")  # games that draw from their legal moves in ascending order; others from a bag


class Stretch(NamedTuple):
    """The records that ``redraw`` replays."""

    first: int
    last: int  # the record whose random game is wanted
    known: int  # number of nodes before ``first``


@jit
def redraw(
    tree: Tree,
    proved_at: NDArray[np.int32],
    root_state: Any,
    root: int,
    params: Params,
    scratch: PlayoutScratch,
    records: Stretch,
) -> bool:
    """Advance ``scratch.rng`` as the records [first, last), made from ``root``, did, and record ``last`` before its
    random game; False when a result differs.  ``proved_at`` [N]: the record that proved a node."""
    known, last = records.known, records.last
    for i in range(records.first, last + 1):
        leaf = tree.leaf[i]
        if leaf >= known:
            known = leaf + 1
            parent = tree.parent[leaf]
            if parent != root and tree.slot[leaf] == tree.child_start[parent]:  # it was expanded on the way
                for m in range(tree.num_edges[parent] - 1, 0, -1):
                    random_below(scratch.rng, m + 1)
        if i == last:
            break
        if proved_at[leaf] <= i or tree.threats[leaf] != 0:
            continue
        play_to(tree, leaf, root, root_state, scratch)
        if playout(scratch.state, params, scratch.rng) != tree.leaf_value[i]:
            return False
    return True


def random_moves(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """The uniformly random game from ``position`` by ``rng``, which is not changed; None when it cannot be
    reconstructed with certainty."""
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
