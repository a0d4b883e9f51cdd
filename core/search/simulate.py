"""One simulation after another, as the engine calls for them.  Knows every game through core.games.dispatch only.

``rollouts`` values leaves by random games inside the kernel.  With an evaluator a simulation stops at its leaf:
``collect`` gathers a batch of leaves under virtual loss, ``collect_forest`` one leaf of each of many games; the driver
asks the evaluator, and ``absorb`` expands the leaves and backs their values up.  Kernels allocate and raise nothing.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games import dispatch
from core.search.descent import COLLISION, EXACT, FULL, LEAF, descend, expand_uniform, finish, give_up, playout, proved
from core.search.forest import Forest, lay_out, satisfied, stand_at
from core.search.formulas import exact_value
from core.search.growth import write_edges
from core.search.settings import Params
from core.search.tree import PENDING, PRIOR_ONE, UNEXPANDED, Tree
from core.search.work import BATCHES, CACHE_HITS, COLLISIONS, EVALUATIONS, SIMULATIONS, Cache, Work
from core.solve.threats_leaf import boost_priors, leaf_boosts


@jit
def expand_root(tree: Tree, root: int, state: Any, params: Params, work: Work, rng: NDArray[np.uint64]) -> None:
    """Expand ``root``, which stands at ``state``, before its first simulation.  Needs ``has_room``."""
    expand_uniform(tree, root, state, params, work, rng)


@jitable
def quantise(logits: NDArray[np.float32], actions: NDArray[np.int16], n: int, out: NDArray[np.uint16]) -> None:
    """Softmax of ``logits`` [A] over the first ``n`` ``actions`` as 16-bit priors, at least 1 each."""
    top = -np.inf
    for i in range(n):
        top = max(top, logits[actions[i]])
    total = 0.0
    for i in range(n):
        total += math.exp(logits[actions[i]] - top)
    for i in range(n):
        p = math.exp(logits[actions[i]] - top) / total
        out[i] = max(1, int(p * PRIOR_ONE + 0.5))


@jit
def rollouts(
    tree: Tree, state: Any, root_state: Any, root: int, params: Params, work: Work, rng: NDArray[np.uint64], count: int
) -> int:
    """Up to ``count`` simulations valued by random games; fewer when the root is proved or the tree is full.

    Modifies ``tree``, ``work.stats``, ``rng``; ``state`` is scratch.  Returns LEAF, or FULL when there is no room.
    """
    for _ in range(count):
        if proved(tree, root, params):
            return LEAF
        dispatch.copy(state, root_state)
        node, status = descend(tree, state, root, params, work, rng, True, 0, 0)
        if status == FULL:
            return FULL
        value = -exact_value(tree.proof[tree.slot[node]]) if status == EXACT else playout(state, params, rng)
        finish(tree, node, value, root, params, work, 0)
    return LEAF


@jitable
def meet_leaf(
    tree: Tree, cache: Cache, state: Any, node: int, root: int, params: Params, work: Work, batch: int, inflight: int
) -> int:
    """Value a new leaf from the cache, or put it at place ``batch`` of the batch; returns the new batch size."""
    n = dispatch.legal(state, work.leaf_legal[batch])
    key = dispatch.key(state)
    place = int(key & np.uint64(cache.keys.size - 1))
    if cache.keys[place] == key and key != np.uint64(0):
        work.stats[CACHE_HITS] += 1
        write_edges(tree, node, work.leaf_legal[batch], cache.priors[place], n, work.keys)
        tree.value[node] = cache.values[place]
        finish(tree, node, float(cache.values[place]), root, params, work, inflight)
        return batch
    if params.threat_priors:
        leaf_boosts(work.threats, state, work.leaf_legal[batch], n, work.leaf_boost[batch])
    tree.num_edges[node] = PENDING
    dispatch.encode(state, work.planes[batch])
    work.leaf_node[batch] = node
    work.leaf_root[batch] = root
    work.leaf_key[batch] = key
    work.leaf_count[batch] = n
    return batch + 1


@jit
def collect(
    tree: Tree,
    cache: Cache,
    state: Any,
    root_state: Any,
    root: int,
    params: Params,
    work: Work,
    rng: NDArray[np.uint64],
    want: int,
    remaining: int,
    underway: int,
    lazy: bool,
) -> tuple[int, int]:
    """Simulations until ``want`` leaves wait for the evaluator, ``remaining`` simulations are done or under way, the
    root is proved, or a descent collides with a leaf that already waits; ``underway`` leaves wait in other batches.

    Returns (leaves waiting in ``work``, LEAF or FULL).  The caller evaluates them and calls ``absorb``.  ``lazy``: the
    leaves are for ``playouts`` and ``absorb_playouts``.
    """
    waiting = 0
    first = work.stats[SIMULATIONS]
    while waiting < want and work.stats[SIMULATIONS] - first + waiting < remaining:
        if proved(tree, root, params):
            break
        dispatch.copy(state, root_state)
        node, status = descend(tree, state, root, params, work, rng, lazy, 1, waiting + underway)
        if status == FULL:
            return waiting, FULL
        if status == COLLISION:
            give_up(tree, node, root, 1)
            work.stats[COLLISIONS] += 1
            break
        if status == EXACT:
            finish(tree, node, -exact_value(tree.proof[tree.slot[node]]), root, params, work, 1)
        elif lazy:
            work.leaf_node[waiting] = node
            work.leaf_root[waiting] = root
            waiting += 1
        else:
            waiting = meet_leaf(tree, cache, state, node, root, params, work, waiting, 1)
    return waiting, LEAF


@jit
def collect_forest(
    tree: Tree,
    cache: Cache,
    state: Any,
    initial: Any,
    forest: Forest,
    params: Params,
    work: Work,
    rng: NDArray[np.uint64],
) -> tuple[int, int]:
    """For each game of the ``forest``: simulations until a leaf waits for the evaluator, its root has its target of
    visits or a proof, or has its edges and is due to be prepared.

    ``initial`` is the game's first position.  No virtual loss: each game waits for its one leaf.  Returns (leaves
    waiting in ``work``, LEAF or FULL).
    """
    waiting = 0
    for g in range(forest.roots.size):
        root = forest.roots[g]
        lay_out(tree, forest, g)
        while not satisfied(tree, forest, g) and not proved(tree, root, params):
            if forest.due[g] and tree.num_edges[root] > 0:
                break
            stand_at(state, initial, forest, g)
            node, status = descend(tree, state, root, params, work, rng, False, 0, waiting)
            if status == FULL:
                return waiting, FULL
            if status == EXACT:
                finish(tree, node, -exact_value(tree.proof[tree.slot[node]]), root, params, work, 0)
                continue
            before = waiting
            waiting = meet_leaf(tree, cache, state, node, root, params, work, waiting, 0)
            if waiting > before:
                break
    return waiting, LEAF


@jit
def absorb(
    tree: Tree,
    cache: Cache,
    params: Params,
    work: Work,
    waiting: int,
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
    inflight: int,
) -> None:
    """Expand the ``waiting`` leaves by the evaluator's ``logits`` [B, A], ``values`` [B]; back them up in order."""
    for b in range(waiting):
        node = work.leaf_node[b]
        n = work.leaf_count[b]
        place = int(work.leaf_key[b] & np.uint64(cache.keys.size - 1))
        quantise(logits[b], work.leaf_legal[b], n, cache.priors[place])
        if params.threat_priors:
            boost_priors(cache.priors[place], work.leaf_boost[b], n)
        cache.keys[place] = work.leaf_key[b]
        cache.values[place] = values[b]
        write_edges(tree, node, work.leaf_legal[b], cache.priors[place], n, work.keys)
        tree.value[node] = values[b]
        finish(tree, node, float(values[b]), work.leaf_root[b], params, work, inflight)
    work.stats[EVALUATIONS] += waiting
    work.stats[BATCHES] += 1


@jit
def playouts(
    tree: Tree,
    state: Any,
    root_state: Any,
    params: Params,
    work: Work,
    values: NDArray[np.float32],
    first: int,
    last: int,
    path: NDArray[np.int16],
    rng: NDArray[np.uint64],
) -> None:
    """One random game from each of the leaves [first, last) of ``work``; its result for the side to move there goes
    into ``values`` [B].  Several threads may do this at once, each with its own ``state``, ``path`` [P] and ``rng``."""
    for b in range(first, last):
        node = work.leaf_node[b]
        depth = 0
        while node != work.leaf_root[b]:
            path[depth] = tree.action[node]
            depth += 1
            node = tree.parent[node]
        dispatch.copy(state, root_state)
        for i in range(depth - 1, -1, -1):
            dispatch.play(state, int(path[i]))
        values[b] = playout(state, params, rng)


@jit
def absorb_playouts(tree: Tree, params: Params, work: Work, waiting: int, values: NDArray[np.float32]) -> None:
    """Back up the ``values`` [B] of the ``waiting`` leaves in order."""
    for b in range(waiting):
        finish(tree, work.leaf_node[b], float(values[b]), work.leaf_root[b], params, work, 1)


@jit
def abandon(tree: Tree, work: Work, waiting: int, inflight: int) -> None:
    """The evaluator failed: take the ``waiting`` leaves back so that the tree stays usable."""
    for b in range(waiting):
        give_up(tree, work.leaf_node[b], work.leaf_root[b], inflight)
        tree.num_edges[work.leaf_node[b]] = UNEXPANDED
