"""Replay of the random game of an earlier simulation from a stored state of the random generator.

The random numbers of the simulations in between are drawn again and the results compared with the records.  The game's
moves are read off by its ``Board.redraw``, and trusted only if they end in the same position and generator state.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import dispatch
from core.games.position import Position
from core.rng import random_below
from core.search.descent import play_to, playout
from core.search.params import Params
from core.search.tree import Tree
from core.search.work import PlayoutScratch


class RecordRange(NamedTuple):
    """The records that ``redraw`` replays."""

    first: int
    last: int  # the record whose random game is wanted
    nodes_before: int  # number of nodes before ``first``


@jit
def redraw(
    tree: Tree,
    proved_at: NDArray[np.int32],
    root_state: Any,
    root: int,
    params: Params,
    scratch: PlayoutScratch,
    records: RecordRange,
) -> bool:
    """Advance ``scratch.rng`` as the records [first, last), made from ``root``, did, and record ``last`` before its
    random game; False when a result differs.  ``proved_at`` [N]: the record that proved a node."""
    nodes, last = records.nodes_before, records.last
    for i in range(records.first, last + 1):
        leaf = tree.leaf[i]
        if leaf >= nodes:
            nodes = leaf + 1
            parent = tree.parent[leaf]
            if parent != root and tree.slot[leaf] == tree.child_start[parent]:  # it was expanded on the way
                for m in range(tree.num_edges[parent] - 1, 0, -1):
                    random_below(scratch.rng, m + 1)
        if i == last:
            break
        if proved_at[leaf] <= i or tree.threats[leaf] != 0:
            continue
        play_to(tree, leaf, root, root_state, scratch)
        if playout(scratch.state, params, scratch.rng, scratch.spare) != tree.leaf_value[i]:
            return False
    return True


def random_moves(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """The uniformly random game from ``position`` by ``rng``, which is not changed; None when it cannot be
    reconstructed with certainty."""
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
