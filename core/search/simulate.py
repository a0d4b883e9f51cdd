"""The kernels that run simulations in batches or one by one.

``rollouts`` values leaves by random games inside the kernel.  With an evaluator a simulation stops at its leaf:
``collect`` gathers a batch of leaves, ``collect_leaves`` of ``core.search.forest`` one leaf of each of many games; the
driver asks the evaluator, and ``absorb`` expands the leaves and backs their values up.  Kernels allocate and raise
nothing.

Several threads may call ``rollouts``, ``collect`` and ``absorb`` for one tree at once, each with a state and a ``Work``
of its own, of which ``common``, the cache and the leaves of a batch are the same.  ``core.search.locks`` says how.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable, prefetch
from core.games import dispatch, encoding
from core.games.bits import hash_of_set
from core.search.descent import (
    COLLISION,
    DECIDED,
    Mode,
    descend,
    expand_uniform,
    finish,
    playout,
    proved,
    set_lead,
    take_back,
)
from core.search.growth import write_edges
from core.search.locks import ALONE, AnyLocks, acquire, add, load, others, release, store
from core.search.params import Params
from core.search.priors import order_by_prior, quantise
from core.search.proofs import exact_value
from core.search.tree import UNEXPANDED, Tree, backups, has_room
from core.search.work import (
    BATCHES,
    CACHE_HITS,
    COLLIDED,
    COLLISIONS,
    EVALUATIONS,
    FULL,
    LEFT,
    MOST_TOGETHER,
    PLACED,
    Answer,
    Quota,
    Work,
)
from core.solve.threats_leaf import boost_priors, leaf_boosts

_TAKEN: Final = 8  # simulations of which a thread reserves room in the limit at once
_VISITS_FOR_ANOTHER: Final = 1000  # of the root, for each simulation more that a thread makes together
_ROOM: Final = 26 + MOST_TOGETHER  # leaves that need as much room as one thread's simulation and the records it owes


@jit
def expand_root(tree: Tree, root: int, state: Any, params: Params, work: Work) -> None:
    """Expand ``root``, whose position is ``state``, before its first simulation.  Needs ``has_room``."""
    expand_uniform(tree, root, state, params, work, ALONE)


@jitable
def _may_begin(tree: Tree, root: int, params: Params, waiting: int, work: Work, locks: AnyLocks) -> bool:
    """Whether one more simulation may begin beside ``waiting`` leaves: the root is not proved and the tree has room."""
    if proved(tree, root, params) or load(locks, work.common, FULL) != 0:
        return False
    if not has_room(tree, work.actions.size, waiting + _ROOM * others(locks)):
        store(locks, work.common, FULL, 1)
        return False
    return True


@jitable
def _take_simulations(common: NDArray[np.int64], most: int, locks: AnyLocks) -> int:
    """Take up to ``most`` of the simulations that are left; returns how many."""
    remaining = add(locks, common, LEFT, -most)
    taken = min(max(remaining, 0), most)
    if taken < most:
        add(locks, common, LEFT, most - taken)
    return taken


@jit
def rollouts(tree: Tree, states: Any, root_state: Any, root: int, params: Params, work: Work, locks: AnyLocks) -> None:
    """Simulations valued by random games, until those that were ``LEFT`` have begun, the root is proved or the tree is
    ``FULL``.  The root has edges; ``states`` are scratch, one for each of the simulations that are made together: all
    descents, then all games, then all backups.

    So a thread beside others fetches what they have changed of the tree once for several simulations.  Few are made
    together while the tree is small, for they are selected without each other's values.
    """
    mode = Mode(True, min(1, others(locks)))  # to one thread alone none is in flight when it selects
    to_begin = 0
    while True:
        begun = 0
        together = len(states)
        if others(locks) > 0:
            together = min(together, 1 + backups(tree, tree.slot[root]) // _VISITS_FOR_ANOTHER)
        while begun < together:
            if to_begin == 0:
                to_begin = _take_simulations(work.common, _TAKEN, locks)
            if to_begin == 0 or not _may_begin(tree, root, params, begun, work, locks):
                break
            state = states[begun]
            dispatch.copy(state, root_state)
            node, status = descend(tree, state, root, params, work, mode, locks)
            if status == COLLISION:
                take_back(tree, node, root, mode.inflight, locks)
                if begun > 0:
                    break  # the way may be free when these are in the tree
                continue
            to_begin -= 1
            if status == DECIDED:
                value = -exact_value(tree.proof[tree.slot[node]])
                finish(tree, node, value, root, params, work.stats, mode.inflight, locks)
                release(locks)
                continue
            work.begun_node[begun] = node
            begun += 1
        if begun == 0:
            break
        for i in range(begun):
            work.begun_value[i] = playout(states[i], params, work.rng, work.spare)
        acquire(locks)
        for i in range(begun):
            finish(tree, work.begun_node[i], work.begun_value[i], root, params, work.stats, mode.inflight, locks)
        release(locks)


@jitable
def key_of(encoder: Any, state: Any, legal: NDArray[np.int16], n: int) -> np.uint64:
    """A 64-bit hash of what the net is shown of a position and of its ``n`` ``legal`` moves.

    They are not always shown: in Go earlier positions forbid some, and the cache has priors by rank among them.  They
    change the upper half alone, so the lower bits still name the entry.
    """
    return np.uint64(encoding.key(encoder, state) ^ (hash_of_set(legal, n) << np.uint64(32)))


@jitable
def look_up(tree: Tree, node: int, state: Any, work: Work, place: int, locks: AnyLocks) -> bool:
    """Expand a new leaf by what the cache has of its position, and keep the lock; False when it has nothing.

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
    value = np.float32(0.0)
    lead = square = 0.0
    acquire(locks)
    is_hit = cache.keys[entry] == key
    if is_hit:
        for i in range(n):
            work.priors[i] = cache.priors[entry, i]
        value = cache.values[entry]
        if tree.lead_sum.size > 0:
            lead, square = float(cache.leads[entry, 0]), float(cache.leads[entry, 1])
    release(locks)
    if not is_hit:
        return False
    work.stats[CACHE_HITS] += 1
    order_by_prior(work.priors, n, work.order)
    acquire(locks)
    _expand(tree, node, work, place, value, locks)
    if tree.lead_sum.size > 0:
        set_lead(tree, node, lead, square)
    return True


@jitable
def _expand(tree: Tree, node: int, work: Work, place: int, value: np.float32, locks: AnyLocks) -> None:
    """Expand a leaf of the batch by its ``value`` and the priors whose order is known, under the lock."""
    tree.value[node] = value
    write_edges(tree, node, work.leaf_legal[place], work.leaf_count[place], work.order, locks)


@jitable
def enqueue(tree: Tree, node: int, root: int, state: Any, params: Params, work: Work, place: int) -> None:
    """Put a leaf that ``look_up`` did not find at ``place`` of the batch, to be valued by the evaluator."""
    if params.threat_priors:
        leaf_boosts(work.threats, state, work.leaf_legal[place], work.leaf_count[place], work.leaf_boost[place])
    encoding.encode(work.encoder, state, work.planes[place], work.features[place])
    work.leaf_node[place] = node
    work.leaf_root[place] = root


@jit
def collect(
    tree: Tree, state: Any, root_state: Any, root: int, params: Params, work: Work, quota: Quota, locks: AnyLocks
) -> int:
    """Simulations until the ``quota`` is met, the root is proved, the tree is ``FULL``, or too many descents collide
    with a leaf that already waits.  Those that collided are in flight until then, so that the next ones choose other
    moves.

    The leaves wait at the first ``PLACED`` places of ``work`` but for the one returned, which was taken in vain; -1:
    none was.  ``PLACED`` may exceed the quota.  The caller has the leaves valued and calls ``absorb``.
    """
    common = work.common
    place = -1
    collided = 0
    mode = Mode(False, 1)
    while True:
        if place < 0:
            place = add(locks, common, PLACED, 1)
            if place >= quota.leaves:
                place = -1
                break
        waiting = quota.in_flight + (place if others(locks) == 0 else quota.leaves)
        if _take_simulations(common, 1, locks) == 0 or not _may_begin(tree, root, params, waiting, work, locks):
            break
        dispatch.copy(state, root_state)
        encoding.begin(work.encoder)
        node, status = descend(tree, state, root, params, work, mode, locks)
        if status == COLLISION:
            work.stats[COLLISIONS] += 1
            add(locks, common, LEFT, 1)
            if add(locks, common, COLLIDED, 1) < quota.collisions:
                work.collided[collided] = node
                collided += 1
                continue
            take_back(tree, node, root, 1, locks)
            break
        if status == DECIDED:
            value = -exact_value(tree.proof[tree.slot[node]])
        elif look_up(tree, node, state, work, place, locks):
            value = float(tree.value[node])
        else:
            enqueue(tree, node, root, state, params, work, place)
            place = -1
            continue
        finish(tree, node, value, root, params, work.stats, 1, locks)
        release(locks)
    for i in range(collided):
        take_back(tree, work.collided[i], root, 1, locks)
    return place


@jitable
def _fetch_leaf(tree: Tree, work: Work, b: int, last: int) -> None:
    """Ask the processor for what the leaf at place ``b`` of the batch, if it is before ``last``, is written to."""
    if b + 1 < last:
        prefetch(tree.num_edges, work.leaf_node[b + 1])
    if b < last:
        cache, node = work.cache, work.leaf_node[b]
        entry = int(work.leaf_key[b] & np.uint64(cache.keys.size - 1))
        prefetch(cache.keys, entry)
        prefetch(cache.values, entry)
        for i in range(0, work.leaf_count[b], 32):  # of 2 bytes each
            prefetch(cache.priors[entry], i)
        prefetch(tree.total, tree.slot[node])
        prefetch(tree.num_edges, tree.parent[node])


@jit
def absorb(
    tree: Tree, params: Params, work: Work, answer: Answer, first: int, last: int, inflight: int, locks: AnyLocks
) -> None:
    """Expand the leaves [first, last) of a batch by the evaluator's ``answer``; back them up in order."""
    cache = work.cache
    for b in range(first, last):
        _fetch_leaf(tree, work, b + 1, last)
        node = work.leaf_node[b]
        n = work.leaf_count[b]
        entry = int(work.leaf_key[b] & np.uint64(cache.keys.size - 1))
        quantise(answer.logits[b], work.leaf_legal[b], n, work.weights, work.priors)
        if params.threat_priors:
            boost_priors(work.priors, work.leaf_boost[b], n)
        order_by_prior(work.priors, n, work.order)
        value = answer.values[b]
        acquire(locks)
        cache.keys[entry] = work.leaf_key[b]
        cache.values[entry] = value
        for i in range(n):
            cache.priors[entry, i] = work.priors[i]
        if tree.lead_sum.size > 0:
            for i in range(2):
                cache.leads[entry, i] = answer.leads[b, i]
            set_lead(tree, node, float(answer.leads[b, 0]), float(answer.leads[b, 1]))
        _expand(tree, node, work, b, value, locks)
        finish(tree, node, float(value), work.leaf_root[b], params, work.stats, inflight, locks)
        release(locks)
    work.stats[EVALUATIONS] += last - first
    if first == 0:
        work.stats[BATCHES] += 1


@jit
def abandon(tree: Tree, work: Work, waiting: int, inflight: int) -> None:
    """Take the ``waiting`` leaves back after the evaluator failed, so that the tree stays usable."""
    for b in range(waiting):
        take_back(tree, work.leaf_node[b], work.leaf_root[b], inflight, ALONE)
        tree.num_edges[work.leaf_node[b]] = UNEXPANDED
