"""The kernels that run simulations in batches or one by one.  Knows every game through core.games.dispatch only.

``rollouts`` values leaves by random games inside the kernel.  With an evaluator a simulation stops at its leaf:
``collect`` gathers a batch of leaves, ``collect_forest`` one leaf of each of many games; the driver asks the
evaluator, and ``absorb`` expands the leaves and backs their values up.  Kernels allocate and raise nothing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable, prefetch
from core.games import dispatch, encoding
from core.games.hashing import hash_of_set
from core.search.descent import (
    COLLISION,
    DECIDED,
    LEAF,
    TREE_FULL,
    Mode,
    descend,
    expand_uniform,
    finish,
    playout,
    proved,
    set_lead,
    take_back,
)
from core.search.forest import Boards, Forest, fetch_trail, has_target, leave_trail, load_plan, set_up_game
from core.search.formulas import exact_value
from core.search.growth import write_edges
from core.search.priors import quantise
from core.search.settings import Params
from core.search.tree import PENDING, UNEXPANDED, Tree
from core.search.work import (
    BATCHES,
    CACHE_HITS,
    COLLISIONS,
    EVALUATIONS,
    SIMULATIONS,
    Answer,
    Quota,
    Work,
)
from core.solve.threats_leaf import boost_priors, leaf_boosts


@jit
def expand_root(tree: Tree, root: int, state: Any, params: Params, work: Work) -> None:
    """Expand ``root``, whose position is ``state``, before its first simulation.  Needs ``has_room``."""
    expand_uniform(tree, root, state, params, work)


@jit
def rollouts(tree: Tree, state: Any, root_state: Any, root: int, params: Params, work: Work, count: int) -> int:
    """Up to ``count`` simulations valued by random games; fewer when the root is proved or the tree is full.

    Modifies ``tree``, ``work.stats``, ``work.rng``; ``state`` is scratch.  Returns LEAF, or TREE_FULL when there is no
    room.
    """
    mode = Mode(True, 0)
    for _ in range(count):
        if proved(tree, root, params):
            return LEAF
        dispatch.copy(state, root_state)
        node, status = descend(tree, state, root, params, work, mode, 0)
        if status == TREE_FULL:
            return TREE_FULL
        value = -exact_value(tree.proof[tree.slot[node]]) if status == DECIDED else playout(state, params, work.rng)
        finish(tree, node, value, root, params, work.stats, 0)
    return LEAF


@jitable
def key_of(encoder: Any, state: Any, legal: NDArray[np.int16], n: int) -> np.uint64:
    """A 64-bit hash of what the net is shown of a position and of its ``n`` ``legal`` moves.

    They are not always shown: in Go earlier positions forbid some, and the cache has priors by rank among them.  They
    change the upper half alone, so the lower bits still name the entry.
    """
    return np.uint64(encoding.key(encoder, state) ^ (hash_of_set(legal, n) << np.uint64(32)))


@jitable
def look_up(tree: Tree, node: int, state: Any, work: Work, place: int) -> bool:
    """Expand a new leaf by what the cache has of its position; False when it has nothing.

    Either way the leaf's legal moves and its key are at ``place`` of the batch.
    """
    n = dispatch.legal(state, work.leaf_legal[place])
    key = key_of(work.encoder, state, work.leaf_legal[place], n)
    work.leaf_count[place] = n
    work.leaf_key[place] = key
    cache = work.cache
    entry = int(key & np.uint64(cache.keys.size - 1))
    if cache.keys[entry] != key or key == np.uint64(0):
        return False
    work.stats[CACHE_HITS] += 1
    write_edges(tree, node, work.leaf_legal[place], cache.priors[entry], n, work.order)
    tree.value[node] = cache.values[entry]
    if tree.lead_sum.size > 0:
        set_lead(tree, node, float(cache.leads[entry, 0]), float(cache.leads[entry, 1]))
    return True


@jitable
def enqueue(tree: Tree, node: int, root: int, state: Any, params: Params, work: Work, place: int) -> None:
    """Put a leaf that ``look_up`` did not find at ``place`` of the batch, to be valued by the evaluator."""
    if params.threat_priors:
        leaf_boosts(work.threats, state, work.leaf_legal[place], work.leaf_count[place], work.leaf_boost[place])
    tree.num_edges[node] = PENDING
    encoding.encode(work.encoder, state, work.planes[place], work.features[place])
    work.leaf_node[place] = node
    work.leaf_root[place] = root


@jit
def collect(
    tree: Tree, state: Any, root_state: Any, root: int, params: Params, work: Work, quota: Quota
) -> tuple[int, int]:
    """Simulations until the ``quota`` is met, the root is proved, or too many descents collide with a leaf that already
    waits.  Those that collided are in flight until then, so that the next ones choose other moves.

    Returns (leaves waiting in ``work``, LEAF or TREE_FULL).  The caller has them valued and calls ``absorb``.
    """
    waiting = 0
    collided = 0
    ended = LEAF
    first = work.stats[SIMULATIONS]
    mode = Mode(False, 1)
    while waiting < quota.leaves and work.stats[SIMULATIONS] - first + waiting < quota.simulations:
        if proved(tree, root, params):
            break
        dispatch.copy(state, root_state)
        encoding.begin(work.encoder)
        node, status = descend(tree, state, root, params, work, mode, waiting + quota.in_flight)
        if status == TREE_FULL:
            ended = TREE_FULL
            break
        if status == COLLISION:
            work.stats[COLLISIONS] += 1
            if collided < quota.collisions:
                work.collided[collided] = node
                collided += 1
                continue
            take_back(tree, node, root, 1)
            break
        if status == DECIDED:
            value = -exact_value(tree.proof[tree.slot[node]])
        elif look_up(tree, node, state, work, waiting):
            value = float(tree.value[node])
        else:
            enqueue(tree, node, root, state, params, work, waiting)
            waiting += 1
            continue
        finish(tree, node, value, root, params, work.stats, 1)
    for i in range(collided):
        take_back(tree, work.collided[i], root, 1)
    return waiting, ended


@jit
def collect_forest(tree: Tree, boards: Boards, forest: Forest, params: Params, work: Work) -> tuple[int, int]:
    """For each game of the ``forest``: simulations until a leaf waits for the evaluator, its root has its target of
    visits or a proof, or has its edges and is due to be prepared.

    Each game waits for its one leaf.  Returns (leaves waiting in ``work``, LEAF or TREE_FULL).
    """
    state = boards.state
    waiting = 0
    mode = Mode(False, 0)
    for g in range(forest.roots.size):
        root = forest.roots[g]
        fetch_trail(tree, forest, g + 1)
        load_plan(tree, forest, g)
        while not has_target(tree, forest, g) and not proved(tree, root, params):
            if forest.due[g] and tree.num_edges[root] > 0:
                break
            set_up_game(boards, forest, g, work.encoder)
            node, status = descend(tree, state, root, params, work, mode, waiting)
            if status == TREE_FULL:
                return waiting, TREE_FULL
            if status == DECIDED:
                value = -exact_value(tree.proof[tree.slot[node]])
            elif look_up(tree, node, state, work, waiting):
                value = float(tree.value[node])
            else:
                enqueue(tree, node, root, state, params, work, waiting)
                leave_trail(tree, forest, g, node)
                waiting += 1
                break
            finish(tree, node, value, root, params, work.stats, 0)
    return waiting, LEAF


@jitable
def _fetch_leaf(tree: Tree, work: Work, b: int, waiting: int) -> None:
    """Ask the processor for what the leaf at place ``b`` of the batch is written to."""
    if b + 1 < waiting:
        prefetch(tree.num_edges, work.leaf_node[b + 1])
    if b < waiting:
        cache, node = work.cache, work.leaf_node[b]
        entry = int(work.leaf_key[b] & np.uint64(cache.keys.size - 1))
        prefetch(cache.keys, entry)
        prefetch(cache.values, entry)
        for i in range(0, work.leaf_count[b], 32):  # of 2 bytes each
            prefetch(cache.priors[entry], i)
        prefetch(tree.total, tree.slot[node])
        prefetch(tree.num_edges, tree.parent[node])


@jit
def absorb(tree: Tree, params: Params, work: Work, waiting: int, answer: Answer, inflight: int) -> None:
    """Expand the ``waiting`` leaves by the evaluator's ``answer``; back them up in order."""
    cache = work.cache
    for b in range(waiting):
        _fetch_leaf(tree, work, b + 1, waiting)
        node = work.leaf_node[b]
        n = work.leaf_count[b]
        entry = int(work.leaf_key[b] & np.uint64(cache.keys.size - 1))
        quantise(answer.logits[b], work.leaf_legal[b], n, work.weights, cache.priors[entry])
        if params.threat_priors:
            boost_priors(cache.priors[entry], work.leaf_boost[b], n)
        cache.keys[entry] = work.leaf_key[b]
        value = answer.values[b]
        cache.values[entry] = value
        write_edges(tree, node, work.leaf_legal[b], cache.priors[entry], n, work.order)
        tree.value[node] = value
        if tree.lead_sum.size > 0:
            for i in range(2):
                cache.leads[entry, i] = answer.leads[b, i]
            set_lead(tree, node, float(answer.leads[b, 0]), float(answer.leads[b, 1]))
        finish(tree, node, float(value), work.leaf_root[b], params, work.stats, inflight)
    work.stats[EVALUATIONS] += waiting
    work.stats[BATCHES] += 1


@jit
def abandon(tree: Tree, work: Work, waiting: int, inflight: int) -> None:
    """Take the ``waiting`` leaves back after the evaluator failed, so that the tree stays usable."""
    for b in range(waiting):
        take_back(tree, work.leaf_node[b], work.leaf_root[b], inflight)
        tree.num_edges[work.leaf_node[b]] = UNEXPANDED
