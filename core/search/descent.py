"""One simulation: the descent by selection to a leaf, a random game from it, and its record.

Kernels allocate and raise nothing.  Several threads may make simulations in one tree at once (core.search.locks).
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games import dispatch, encoding
from core.rng import below, step
from core.search.backup import backup, settle_leaf
from core.search.growth import add_child, write_edges, write_equal_edges
from core.search.locks import AnyLocks, acquire, add, count_in, let_others_run, load, others, release, store
from core.search.params import FLAT, GUMBEL, TACTICAL_ROLLOUT, Params
from core.search.priors import order_by_prior
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN, exact_value
from core.search.selection import select
from core.search.tree import (
    AT,
    PENDING,
    PRIOR_ONE,
    RECORDS,
    TERMINAL,
    UNEXPANDED,
    Tree,
    prefetch_block,
)
from core.search.work import DEPTH_MAX, DEPTH_SUM, SIMULATIONS, PlayoutScratch, Work
from core.solve.threats_leaf import Scout, boost_priors, leaf_boosts, leaf_outcome

VALUE_STEP: Final = 2.0**-24  # values are multiples of it, see ``finish``
LEAD_STEP: Final = 2.0**-6  # leads are multiples of it: the square of the largest still fits into 24 bits

# How a descent ended.
LEAF: Final = 0  # at a node that needs a value
DECIDED: Final = (
    1  # at a finished game or a proved position; the lock is held: its proof and its record belong together
)
COLLISION: Final = 2  # at a leaf that waits for the evaluator, or a node that another thread is about to prove


class Mode(NamedTuple):
    """Options of a driver's descents."""

    lazy: bool  # for random games: a node gets edges, of equal prior, only when passed with enough visits
    inflight: int  # simulations in flight, added to every edge passed until the value is there


@jitable
def expand_uniform(tree: Tree, node: int, state: Any, params: Params, work: Work, locks: AnyLocks) -> None:
    """Expand ``node`` with edges of equal prior, in random order so that no move has an advantage by its place on the
    board; nothing where another thread did so first."""
    n = shuffled_moves(state, work)
    prior = max(1, PRIOR_ONE // max(1, n))
    boosted = False
    if params.threat_priors:
        boosted = leaf_boosts(work.threats, state, work.actions, n, work.leaf_boost[0])
        if boosted:
            for i in range(n):
                work.priors[i] = prior
            boost_priors(work.priors, work.leaf_boost[0], n)
            order_by_prior(work.priors, n, work.order)
    acquire(locks)
    if tree.num_edges[node] == UNEXPANDED:
        if boosted:
            write_edges(tree, node, work.actions, n, work.order, locks)
        else:
            write_equal_edges(tree, node, work.actions, n, prior, locks)
    release(locks)


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
def settle_exactly(tree: Tree, node: int, plies: int) -> None:
    """Mark the new ``node`` as proved by threats or an exact ending; ``plies`` as in ``Tree.threats``."""
    tree.threats[node] = plies
    tree.num_edges[node] = UNEXPANDED
    settle_leaf(tree, node)


@jitable
def _settle(tree: Tree, node: int, mover: int, state: Any, params: Params, threats: Scout, locks: AnyLocks) -> bool:
    """Take the lock and settle the new ``node`` if its position decides it; without the lock where it does not."""
    result = dispatch.result(state)
    if result != dispatch.ONGOING:
        margin = dispatch.margin(state)
        acquire(locks)
        settle_terminal(tree, node, result, mover, margin if mover == 1 else -margin)
        return True
    if params.threat_proofs:
        plies = leaf_outcome(threats, state)
        if plies != 0:
            acquire(locks)
            settle_exactly(tree, node, plies)
            return True
    return False


@jitable
def count_depth(stats: NDArray[np.int64], depth: int) -> None:
    stats[DEPTH_SUM] += depth
    stats[DEPTH_MAX] = max(stats[DEPTH_MAX], depth)


@jitable
def _enter(tree: Tree, node: int, edge: int, inflight: int, locks: AnyLocks) -> tuple[int, int]:
    """Count a simulation in flight through a visited ``edge``; returns (its child, the slot of that)."""
    while True:
        start = load(locks, tree.child_start, node)
        slot = (start + edge) & AT
        if count_in(locks, tree.inflight, slot, inflight):
            prefetch_block(tree, slot)
            return int(tree.child[slot] & AT), int(slot)
        while load(locks, tree.child_start, node) == start:
            let_others_run(locks)


@jitable
def _claim(tree: Tree, node: int, locks: AnyLocks) -> bool:
    """Make an unexpanded ``node`` PENDING; False where another thread did so first."""
    acquire(locks)
    free = tree.num_edges[node] == UNEXPANDED
    if free:
        tree.num_edges[node] = PENDING
    release(locks)
    return bool(free)


@jitable
def descend(
    tree: Tree, state: Any, root: int, params: Params, work: Work, mode: Mode, locks: AnyLocks
) -> tuple[int, int]:
    """Follow the selection from ``root``, playing on ``state``, to a leaf; returns (node, how it ended).

    Adds ``mode.inflight`` to every edge passed, the root's own included.  A new node is PENDING until its position is
    known, and in a search with a net until its value is.  Needs room for a simulation.
    """
    node = root
    slot = int(tree.slot[root])
    depth = 0
    add(locks, tree.inflight, slot, mode.inflight)
    while True:
        edges = load(locks, tree.num_edges, node)
        if edges == PENDING:
            if not mode.lazy or others(locks) == 0:
                return node, COLLISION
            let_others_run(locks)  # another thread looks at the new position, which takes a microsecond
            continue
        if node != root and (edges == TERMINAL or (params.prove and tree.proof[slot & AT] != UNPROVED)):
            count_depth(work.stats, depth)
            acquire(locks)
            return node, DECIDED
        if edges == UNEXPANDED:
            if not mode.lazy:
                if _claim(tree, node, locks):
                    count_depth(work.stats, depth)
                    return node, LEAF
                continue
            if node != root and tree.visits[tree.slot[node]] < params.expansion_threshold:
                count_depth(work.stats, depth)
                return node, LEAF
            expand_uniform(tree, node, state, params, work, locks)
        # Under flat and gumbel the visits of the root's moves are due in a fixed order.
        exact = node == root and (params.selection == FLAT or params.selection == GUMBEL)
        if exact:
            acquire(locks)
        edge = select(tree, node, params)
        child = -1
        new = False
        if edge >= 0:
            new = edge >= load(locks, tree.num_children, node)
            if not new:
                child, slot = _enter(tree, node, edge, mode.inflight, locks)
            else:
                if not exact:
                    acquire(locks)
                if others(locks) == 0 or tree.num_children[node] == edge:
                    child = add_child(tree, node, mode.inflight, locks)
                if not exact:
                    release(locks)
        if exact:
            release(locks)
        if edge < 0:
            return node, COLLISION
        if child < 0:
            continue  # another thread was first; now another move may be better
        mover = dispatch.to_move(state)
        encoding.leave(work.encoder, state)
        dispatch.play(state, int(tree.action[child]))
        depth += 1
        node = child
        if new:
            count_depth(work.stats, depth)
            if _settle(tree, node, mover, state, params, work.threats, locks):
                return node, DECIDED
            if mode.lazy:
                store(locks, tree.num_edges, node, UNEXPANDED)
            return node, LEAF


@jitable
def take_back(tree: Tree, node: int, root: int, inflight: int, locks: AnyLocks) -> None:
    """End a descent to ``node`` without a simulation: it is no longer in flight."""
    acquire(locks)
    while True:
        add(locks, tree.inflight, tree.slot[node] & AT, -inflight)
        if node == root:
            break
        node = tree.parent[node] & AT
    release(locks)


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
    tree: Tree,
    node: int,
    value: float,
    root: int,
    params: Params,
    stats: NDArray[np.int64],
    inflight: int,
    locks: AnyLocks,
) -> None:
    """Record and back up a simulation, under the lock; ``value`` is for the side to move at ``node``.

    It is rounded to a multiple of ``VALUE_STEP``: a record holds that in 32 bits, and sums of such values are exact in
    any order, so that a simulation can be undone exactly.
    """
    rounded = math.floor(value / VALUE_STEP + 0.5) * VALUE_STEP
    record(tree, node, rounded)
    backup(tree, node, rounded, root, params, inflight, locks)
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
def playout(state: Any, params: Params, rng: NDArray[np.uint64], spare: dispatch.Spare) -> float:
    """Play a random game from ``state``; its result for the side to move there."""
    mover = dispatch.to_move(state)
    if params.rollout_policy == TACTICAL_ROLLOUT:
        result = dispatch.tactical_rollout(state, rng, spare)
    else:
        result = dispatch.rollout(state, rng)
    if result == dispatch.DRAW:
        return 0.0
    return 1.0 if result == mover + 1 else -1.0
