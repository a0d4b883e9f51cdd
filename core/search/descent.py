"""One simulation: the descent by selection to a leaf, a random game from it, and its record.

Knows every game through core.games.dispatch only.  Kernels allocate and raise nothing.
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games import dispatch, encoding
from core.rng import below, step
from core.search.backup import backup, settle_leaf
from core.search.formulas import LOSS, PROVED_DRAW, UNPROVED, WIN, exact_value
from core.search.growth import add_child, write_edges
from core.search.selection import select
from core.search.settings import TACTICAL_ROLLOUT, Params
from core.search.tree import (
    AT,
    EDGES,
    PENDING,
    PRIOR_ONE,
    RECORDS,
    TERMINAL,
    UNEXPANDED,
    Tree,
    has_room,
    prefetch_block,
)
from core.search.work import DEPTH_MAX, DEPTH_SUM, SIMULATIONS, PlayoutScratch, Work
from core.solve.threats_leaf import Scout, boost_priors, leaf_boosts, leaf_outcome

VALUE_STEP: Final = 2.0**-24  # values are multiples of it, see ``finish``
LEAD_STEP: Final = 2.0**-6  # leads are multiples of it: the square of the largest still fits into 24 bits

# How a descent ended.
LEAF: Final = 0  # at a node that needs a value
DECIDED: Final = 1  # at a finished game or a proved position
COLLISION: Final = 2  # at a leaf that waits for the evaluator
TREE_FULL: Final = 3  # the tree has no room


class Mode(NamedTuple):
    """Options of a driver's descents."""

    lazy: bool  # for random games: a node gets edges, of equal prior, only when passed with enough visits
    inflight: int  # simulations in flight, added to every edge passed until the value is there


@jitable
def expand_uniform(tree: Tree, node: int, state: Any, params: Params, work: Work) -> None:
    """Expand ``node`` with edges of equal prior, in random order so that no move has an advantage by its place on the
    board."""
    n = shuffled_moves(state, work)
    prior = max(1, PRIOR_ONE // max(1, n))
    if params.threat_priors:
        for i in range(n):
            work.priors[i] = prior
        if leaf_boosts(work.threats, state, work.actions, n, work.leaf_boost[0]):
            boost_priors(work.priors, work.leaf_boost[0], n)
        write_edges(tree, node, work.actions, work.priors, n, work.order)
    else:
        _write_equal_edges(tree, node, work.actions, n, prior)


@jitable
def shuffled_moves(state: Any, work: Work) -> int:
    """Write the legal moves to ``work.actions`` in random order (Fisher-Yates shuffle); returns their number."""
    n = dispatch.legal(state, work.actions)
    a, b = work.rng[0], work.rng[1]
    for i in range(n - 1, 0, -1):
        a, b, word = step(a, b)
        j = below(word, i + 1)
        swap = work.actions[i]
        work.actions[i] = work.actions[j]
        work.actions[j] = swap
    work.rng[0], work.rng[1] = a, b
    return n


@jitable
def _write_equal_edges(tree: Tree, node: int, actions: NDArray[np.int16], n: int, prior: int) -> None:
    """As ``write_edges`` with the same ``prior`` for all: there is nothing to sort."""
    start = tree.counts[EDGES]
    tree.counts[EDGES] = start + n
    for i in range(n):
        edge = np.uint64(start + i)
        tree.edge_action[edge] = actions[i]
        tree.edge_prior[edge] = prior
    tree.edge_start[node] = start
    tree.num_edges[node] = n


@jitable
def settle_terminal(tree: Tree, node: int, result: int, mover: int, lead: float) -> None:
    """Mark ``node`` as the end of the game; ``mover`` made the last move, and ``lead`` is the score of the other."""
    slot = tree.slot[node]
    tree.num_edges[node] = TERMINAL
    if result == dispatch.DRAW:
        tree.proof[slot] = PROVED_DRAW
    elif result == mover + 1:
        tree.proof[slot] = WIN
    else:
        tree.proof[slot] = LOSS
    tree.distance[slot] = 0
    tree.value[node] = -exact_value(tree.proof[slot])
    if tree.lead_sum.size > 0:
        set_lead(tree, node, lead, lead * lead)


@jitable
def set_lead(tree: Tree, node: int, lead: float, square: float) -> None:
    """Set the score lead of ``node`` for the side to move there and its mean square, rounded so that sums are exact."""
    tree.node_lead[node, 0] = math.floor(lead / LEAD_STEP + 0.5) * LEAD_STEP
    tree.node_lead[node, 1] = math.floor(square / LEAD_STEP + 0.5) * LEAD_STEP


@jitable
def settle_threats(tree: Tree, node: int, state: Any, threats: Scout) -> bool:
    """Mark the new ``node`` as proved if threats alone decide it; returns whether they do."""
    plies = leaf_outcome(threats, state)
    if plies == 0:
        return False
    tree.threats[node] = plies
    settle_leaf(tree, node)
    return True


@jitable
def count_depth(stats: NDArray[np.int64], depth: int) -> None:
    stats[DEPTH_SUM] += depth
    stats[DEPTH_MAX] = max(stats[DEPTH_MAX], depth)


@jitable
def descend(tree: Tree, state: Any, root: int, params: Params, work: Work, mode: Mode, waiting: int) -> tuple[int, int]:
    """Follow the selection from ``root``, playing on ``state``, to a leaf; returns (node, how it ended).

    ``waiting`` leaves already wait and will need room.  Adds ``mode.inflight`` to every edge passed, the root's own
    included, except when it ends TREE_FULL.
    """
    if not has_room(tree, work.actions.size, waiting):
        return root, TREE_FULL
    node = root
    depth = 0
    tree.inflight[tree.slot[node]] += mode.inflight
    while True:
        if tree.num_edges[node] == PENDING:
            return node, COLLISION
        if tree.num_edges[node] == UNEXPANDED:
            if not mode.lazy or (node != root and tree.visits[tree.slot[node]] < params.expansion_threshold):
                count_depth(work.stats, depth)
                return node, LEAF
            expand_uniform(tree, node, state, params, work)
        edge = select(tree, node, params)
        mover = dispatch.to_move(state)
        encoding.leave(work.encoder, state)
        depth += 1
        if edge < tree.num_children[node]:
            slot = (tree.child_start[node] + edge) & AT
            node = tree.child[slot] & AT
            prefetch_block(tree, slot)
            dispatch.play(state, int(tree.action[node]))
            tree.inflight[slot] += mode.inflight
            if tree.num_edges[node] == TERMINAL or (params.prove and tree.proof[slot] != UNPROVED):
                count_depth(work.stats, depth)
                return node, DECIDED
        else:
            dispatch.play(state, int(tree.edge_action[tree.edge_start[node] + edge]))
            node = add_child(tree, node)
            tree.inflight[tree.slot[node]] += mode.inflight
            result = dispatch.result(state)
            count_depth(work.stats, depth)
            if result != dispatch.ONGOING:
                margin = dispatch.margin(state)
                settle_terminal(tree, node, result, mover, margin if mover == 1 else -margin)
                return node, DECIDED
            if params.threat_proofs and settle_threats(tree, node, state, work.threats):
                return node, DECIDED
            return node, LEAF


@jitable
def take_back(tree: Tree, node: int, root: int, inflight: int) -> None:
    """Remove what a descent to ``node`` added to its edges: it is no longer in flight."""
    while True:
        tree.inflight[tree.slot[node] & AT] -= inflight
        if node == root:
            return
        node = tree.parent[node] & AT


@jitable
def record(tree: Tree, leaf: int, value: float) -> None:
    """Append one finished simulation to the history, where one is kept."""
    i = tree.counts[RECORDS]
    if i < tree.leaf.size:
        tree.leaf[i] = leaf
        tree.leaf_value[i] = value
        tree.counts[RECORDS] = i + 1


@jitable
def finish(
    tree: Tree, node: int, value: float, root: int, params: Params, stats: NDArray[np.int64], inflight: int
) -> None:
    """Record and back up a simulation; ``value`` is for the side to move at ``node``.

    It is rounded to a multiple of ``VALUE_STEP``: a record holds that in 32 bits, and sums of such values are exact in
    any order, so that a simulation can be undone exactly.
    """
    rounded = math.floor(value / VALUE_STEP + 0.5) * VALUE_STEP
    record(tree, node, rounded)
    backup(tree, node, rounded, root, params, inflight)
    stats[SIMULATIONS] += 1


@jitable
def proved(tree: Tree, root: int, params: Params) -> bool:
    """Whether ``root`` is proved and proofs are in use: nothing is left to search."""
    return bool(params.prove and tree.proof[tree.slot[root]] != UNPROVED)


@jitable
def play_to(tree: Tree, node: int, root: int, root_state: Any, scratch: PlayoutScratch) -> None:
    """Bring ``scratch.state`` to the position of ``node``, from ``root`` at ``root_state``."""
    depth = 0
    while node != root:
        scratch.path[depth] = tree.action[node]
        depth += 1
        node = tree.parent[node]
    dispatch.copy(scratch.state, root_state)
    for i in range(depth - 1, -1, -1):
        dispatch.play(scratch.state, int(scratch.path[i]))


@jitable
def playout(state: Any, params: Params, rng: NDArray[np.uint64]) -> float:
    """Play a random game from ``state``; its result for the side to move there."""
    mover = dispatch.to_move(state)
    if params.rollout_policy == TACTICAL_ROLLOUT:
        result = dispatch.tactical_rollout(state, rng)
    else:
        result = dispatch.rollout(state, rng)
    if result == dispatch.DRAW:
        return 0.0
    return 1.0 if result == mover + 1 else -1.0
