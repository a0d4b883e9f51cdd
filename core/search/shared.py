"""Simulations of several threads in one tree.  Knows every game through core.games.dispatch only.

Selection reads the tree without a lock: a figure that is just being changed is the old or the new one.  What is written
of a simulation is written under the tree's one lock, together with its record.  So the records are in the order in
which values and proofs came, and an earlier moment can be worked out from them as after a single thread.  Nodes, edges
and blocks of slots are taken under the lock, too.  Random games, encoding, the order of priors and all of a descent but
its new node are outside.

Simulations in flight are counted without the lock, by one addition for each edge passed.  When a block of slots is full
and moves, its old slots are marked as ``MOVED``, and who counted there does so again at the new place.  Old blocks stay
as they are until all threads rest (``reclaim``), because another thread may still read them.

A new node is PENDING until its position is known, and in a search with a net until its value is.  Kernels allocate and
raise nothing.  They are compiled only for a search with several threads.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._atomic import acquire, add, barrier, let_others_run, load, release, store
from core._jit import jit, jitable
from core.games import dispatch, encoding
from core.search.backup import settle_leaf
from core.search.descent import (
    COLLISION,
    DECIDED,
    LEAF,
    finish,
    playout,
    proved,
    set_lead,
    settle_terminal,
    shuffled_moves,
)
from core.search.formulas import UNPROVED, exact_value
from core.search.growth import copy_slot, give_block, new_node, put_edges, size_class_of, take_block
from core.search.priors import order_by_prior, quantise
from core.search.selection import select
from core.search.settings import FLAT, GUMBEL, Params
from core.search.simulate import enqueue, key_of
from core.search.tree import PENDING, PRIOR_ONE, TERMINAL, UNEXPANDED, Tree, has_room, prefetch_block
from core.search.work import (
    CACHE_HITS,
    COLLISIONS,
    DEPTH_MAX,
    DEPTH_SUM,
    EVALUATIONS,
    Answer,
    Quota,
    Work,
)
from core.solve.threats_leaf import boost_priors, leaf_boosts, leaf_outcome

MOVED: Final = 1 << 30  # added to what is in flight in a slot that has moved
MOST_A_SLICE: Final = 1 << 16  # simulations between two calls of ``reclaim``
_TAKEN: Final = 8  # simulations of which a thread reserves room in the limit at once
_ROOM: Final = 26  # leaves that need as much room as the nodes, edges and blocks of one thread's simulation

# Indices into Shared.cells: far apart, for what one thread writes would slow down the others' reading beside it.
LOCK: Final = 0
FREED: Final = 16  # blocks that wait for ``reclaim``
LEFT: Final = 32  # simulations that may still begin
FULL: Final = 48  # 1: the tree has no room
THREADS: Final = 49
PLACED: Final = 64  # places of the batch that are taken
COLLIDED: Final = 65  # descents that collided and do not end the batch
_CELLS: Final = 80


class Shared(NamedTuple):
    """What the threads of one tree share beside it."""

    cells: NDArray[np.int64]
    freed: NDArray[np.int32]  # [MOST_A_SLICE] the first slots of blocks that moved
    freed_class: NDArray[np.int8]  # [MOST_A_SLICE] their sizes


class Member(NamedTuple):
    """What one thread has for itself."""

    state: Any  # scratch: a state of the game
    work: Work  # of its cache the threads have one together, and each writes its own leaves of a batch


def make_shared(threads: int) -> Shared:
    """For ``threads`` that search one tree."""
    cells = np.zeros(_CELLS, np.int64)
    cells[THREADS] = threads
    return Shared(cells, np.zeros(MOST_A_SLICE, np.int32), np.zeros(MOST_A_SLICE, np.int8))


@jit
def reclaim(tree: Tree, shared: Shared) -> None:
    """Give the blocks that moved to the free lists.  No other thread may be in the tree."""
    for i in range(shared.cells[FREED]):
        give_block(tree, shared.freed[i], shared.freed_class[i])
    shared.cells[FREED] = 0


# The tree's structure.


@jitable
def _add_child(tree: Tree, node: int, shared: Shared) -> int:
    """As ``add_child``, under the lock: the child is PENDING, with one simulation in flight, before it is seen."""
    n = int(tree.num_children[node])
    start = int(tree.child_start[node])
    if n == 0:
        start = take_block(tree, 0)
        tree.was_root[start] = 0
        store(tree.child_start, node, start)
        tree.block[tree.slot[node]] = start
    elif (n & (n - 1)) == 0:
        start = _move_block(tree, node, n, shared)
    slot = start + n
    child = new_node(tree, node, slot, tree.edge_action[tree.edge_start[node] + n])
    tree.num_edges[child] = PENDING
    tree.inflight[slot] = 1
    store(tree.num_children, node, n + 1)
    return child


@jitable
def _move_block(tree: Tree, node: int, n: int, shared: Shared) -> int:
    """Move the ``n`` slots of ``node`` to a block of twice the size; returns its first slot."""
    start = int(tree.child_start[node])
    size_class = size_class_of(n)
    grown = take_block(tree, size_class + 1)
    for i in range(n):
        tree.was_root[grown + n + i] = 0  # until it has a child
        copy_slot(tree, start + i, grown + i)
    barrier()
    for i in range(n):
        tree.inflight[grown + i] = add(tree.inflight, start + i, MOVED)
        tree.slot[tree.child[grown + i]] = grown + i
    store(tree.child_start, node, grown)
    tree.block[tree.slot[node]] = grown
    place = shared.cells[FREED]
    shared.freed[place] = start
    shared.freed_class[place] = size_class
    shared.cells[FREED] = place + 1
    return grown


@jitable
def _write_edges(tree: Tree, node: int, actions: NDArray[np.int16], n: int, order: NDArray[np.int64]) -> None:
    """As ``write_edges`` with an ``order`` that is known, under the lock: the edges are there before they are seen."""
    tree.edge_start[node] = put_edges(tree, actions, n, order)
    store(tree.num_edges, node, n)


@jitable
def _expand_uniform(tree: Tree, node: int, state: Any, params: Params, work: Work, shared: Shared) -> None:
    """As ``expand_uniform``; another thread may do so first."""
    n = shuffled_moves(state, work)
    prior = max(1, PRIOR_ONE // max(1, n))
    for i in range(n):
        work.priors[i] = prior
    if params.threat_priors and leaf_boosts(work.threats, state, work.actions, n, work.leaf_boost[0]):
        boost_priors(work.priors, work.leaf_boost[0], n)
    order_by_prior(work.priors, n, work.order)
    acquire(shared.cells, LOCK)
    if tree.num_edges[node] == UNEXPANDED:
        _write_edges(tree, node, work.actions, n, work.order)
    release(shared.cells, LOCK)


# One simulation.


@jitable
def _enter(tree: Tree, node: int, edge: int) -> int:
    """Count a simulation in flight through a visited ``edge``; returns its child."""
    while True:
        start = load(tree.child_start, node)
        if add(tree.inflight, start + edge, 1) < MOVED:
            prefetch_block(tree, start + edge)
            return int(tree.child[start + edge])
        while load(tree.child_start, node) == start:
            let_others_run()


@jitable
def _leave(tree: Tree, node: int, root: int) -> None:
    """Remove what a descent to ``node`` counted on its way, under the lock."""
    while True:
        add(tree.inflight, tree.slot[node], -1)
        if node == root:
            return
        node = tree.parent[node]


@jitable
def _ended(tree: Tree, node: int, params: Params) -> bool:
    """Whether the value of ``node``, below the root, is known exactly."""
    if load(tree.num_edges, node) == TERMINAL:
        return True
    return bool(params.prove and tree.proof[tree.slot[node]] != UNPROVED)


@jitable
def _claim(tree: Tree, node: int, params: Params, shared: Shared) -> bool:
    """Make an unexpanded ``node`` PENDING; False where another thread did so first."""
    acquire(shared.cells, LOCK)
    free = tree.num_edges[node] == UNEXPANDED
    if free:
        tree.num_edges[node] = PENDING
    release(shared.cells, LOCK)
    return bool(free)


@jitable
def _settle(tree: Tree, node: int, mover: int, state: Any, params: Params, member: Member, shared: Shared) -> bool:
    """Take the lock and settle the new ``node`` if its position decides it; without the lock where it does not."""
    result = dispatch.result(state)
    if result != dispatch.ONGOING:
        margin = dispatch.margin(state)
        acquire(shared.cells, LOCK)
        settle_terminal(tree, node, result, mover, margin if mover == 1 else -margin)
        return True
    if params.threat_proofs:
        plies = leaf_outcome(member.work.threats, state)
        if plies != 0:
            acquire(shared.cells, LOCK)
            tree.threats[node] = plies
            tree.num_edges[node] = UNEXPANDED
            settle_leaf(tree, node)
            return True
    return False


@jitable
def _descend(tree: Tree, member: Member, root: int, params: Params, shared: Shared, lazy: bool) -> tuple[int, int, int]:
    """As ``core.search.descent.descend``; returns (node, how it ended, depth).

    Where it ends DECIDED the lock is held: the node's proof and what is recorded of it belong together."""
    state, work = member
    node = root
    depth = 0
    add(tree.inflight, tree.slot[root], 1)
    while True:
        edges = load(tree.num_edges, node)
        if edges == PENDING:
            if not lazy:
                return node, COLLISION, depth
            let_others_run()  # another thread looks at the new position, which takes a microsecond
            continue
        if node != root and _ended(tree, node, params):
            acquire(shared.cells, LOCK)
            return node, DECIDED, depth
        if edges == UNEXPANDED:
            if not lazy:
                if _claim(tree, node, params, shared):
                    return node, LEAF, depth
            elif node != root and tree.visits[tree.slot[node]] < params.expansion_threshold:
                return node, LEAF, depth
            else:
                _expand_uniform(tree, node, state, params, work, shared)
            continue
        # Under flat and gumbel the visits of the root's moves are due in a fixed order.
        exact = node == root and (params.selection == FLAT or params.selection == GUMBEL)
        if exact:
            acquire(shared.cells, LOCK)
        edge = select(tree, node, params)
        child = _enter(tree, node, edge) if 0 <= edge < load(tree.num_children, node) else -1
        new = edge >= 0 and child < 0
        if new:
            if not exact:
                acquire(shared.cells, LOCK)
            if tree.num_children[node] == edge:
                child = _add_child(tree, node, shared)
            if not exact:
                release(shared.cells, LOCK)
        if exact:
            release(shared.cells, LOCK)
        if edge < 0:
            return node, COLLISION, depth  # another thread is about to prove the node
        if child < 0:
            continue  # another thread was first; now another move may be better
        mover = dispatch.to_move(state)
        encoding.leave(work.encoder, state)
        dispatch.play(state, int(tree.action[child]))
        depth += 1
        node = child
        if new:
            if _settle(tree, node, mover, state, params, member, shared):
                return node, DECIDED, depth
            if lazy:
                store(tree.num_edges, node, UNEXPANDED)
            return node, LEAF, depth


@jitable
def _finish(tree: Tree, node: int, value: float, root: int, params: Params, stats: NDArray[np.int64]) -> None:
    """Record and back up a simulation, under the lock."""
    _leave(tree, node, root)
    finish(tree, node, value, root, params, stats, 0)


@jitable
def _may_begin(tree: Tree, root: int, params: Params, waiting: int, work: Work, shared: Shared) -> bool:
    """Whether one more simulation may begin beside ``waiting`` leaves: the root is not proved and the tree has room."""
    cells = shared.cells
    if proved(tree, root, params) or load(cells, FULL) != 0:
        return False
    if not has_room(tree, work.actions.size, waiting + _ROOM * cells[THREADS]):
        store(cells, FULL, 1)
        return False
    return True


@jitable
def _take_some(cells: NDArray[np.int64], most: int) -> int:
    """Take up to ``most`` of the simulations that are left; returns how many."""
    left = add(cells, LEFT, -most)
    taken = min(max(left, 0), most)
    if taken < most:
        add(cells, LEFT, most - taken)
    return taken


@jitable
def _give_up(tree: Tree, node: int, root: int, shared: Shared) -> None:
    """End a descent to ``node`` without a simulation."""
    acquire(shared.cells, LOCK)
    _leave(tree, node, root)
    release(shared.cells, LOCK)


@jitable
def _count_depth(stats: NDArray[np.int64], depth: int) -> None:
    stats[DEPTH_SUM] += depth
    stats[DEPTH_MAX] = max(stats[DEPTH_MAX], depth)


@jit
def rollouts(tree: Tree, member: Member, root_state: Any, root: int, params: Params, shared: Shared) -> None:
    """Simulations valued by random games, until those that were left have begun, the root is proved or the tree is
    full.  Each thread calls it with its own ``member``; the root has edges."""
    state, work = member
    own = 0
    while _may_begin(tree, root, params, 0, work, shared):
        if own == 0:
            own = _take_some(shared.cells, _TAKEN)
            if own == 0:
                break
        dispatch.copy(state, root_state)
        node, status, depth = _descend(tree, member, root, params, shared, True)
        if status == COLLISION:
            _give_up(tree, node, root, shared)
            continue
        own -= 1
        _count_depth(work.stats, depth)
        if status == DECIDED:
            value = -exact_value(tree.proof[tree.slot[node]])
        else:
            value = playout(state, params, work.rng)
            acquire(shared.cells, LOCK)
        _finish(tree, node, value, root, params, work.stats)
        release(shared.cells, LOCK)
    add(shared.cells, LEFT, own)


# With an evaluator.


@jitable
def _look_up(tree: Tree, node: int, state: Any, work: Work, place: int, shared: Shared) -> bool:
    """As ``core.search.simulate.look_up``; where the cache knows the position the lock is held afterwards."""
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
    acquire(shared.cells, LOCK)
    known = cache.keys[entry] == key
    if known:
        for i in range(n):
            work.priors[i] = cache.priors[entry, i]
        value = cache.values[entry]
        if tree.lead_sum.size > 0:
            lead, square = float(cache.leads[entry, 0]), float(cache.leads[entry, 1])
    release(shared.cells, LOCK)
    if not known:
        return False
    work.stats[CACHE_HITS] += 1
    order_by_prior(work.priors, n, work.order)
    acquire(shared.cells, LOCK)
    _expand(tree, node, work, place, value)
    if tree.lead_sum.size > 0:
        set_lead(tree, node, lead, square)
    return True


@jitable
def _expand(tree: Tree, node: int, work: Work, place: int, value: np.float32) -> None:
    """Expand a leaf of the batch by its ``value`` and the priors whose order is known, under the lock."""
    tree.value[node] = value
    _write_edges(tree, node, work.leaf_legal[place], work.leaf_count[place], work.order)


@jit
def collect(
    tree: Tree, member: Member, root_state: Any, root: int, params: Params, shared: Shared, quota: Quota
) -> int:
    """As ``core.search.simulate.collect``, by several threads at once that take one place of the batch after another;
    returns a place that was taken in vain, or -1.  Of the ``quota`` ``LEFT`` knows the simulations."""
    state, work = member
    cells = shared.cells
    place = -1
    collided = 0
    while _may_begin(tree, root, params, quota.in_flight + quota.leaves, work, shared):
        if place < 0:
            place = add(cells, PLACED, 1)
            if place >= quota.leaves:
                place = -1
                break
        if _take_some(cells, 1) == 0:
            break
        dispatch.copy(state, root_state)
        encoding.begin(work.encoder)
        node, status, depth = _descend(tree, member, root, params, shared, False)
        if status == COLLISION:
            work.stats[COLLISIONS] += 1
            add(cells, LEFT, 1)
            if add(cells, COLLIDED, 1) < quota.collisions:
                work.collided[collided] = node
                collided += 1
                continue
            _give_up(tree, node, root, shared)
            break
        _count_depth(work.stats, depth)
        if status == DECIDED:
            value = -exact_value(tree.proof[tree.slot[node]])
        elif _look_up(tree, node, state, work, place, shared):
            value = float(tree.value[node])
        else:
            enqueue(tree, node, root, state, params, work, place)
            place = -1
            continue
        _finish(tree, node, value, root, params, work.stats)
        release(cells, LOCK)
    for i in range(collided):
        _give_up(tree, work.collided[i], root, shared)
    return place


@jit
def absorb(tree: Tree, params: Params, work: Work, answer: Answer, first: int, last: int, shared: Shared) -> None:
    """As ``core.search.simulate.absorb``, for the leaves [first, last) of a batch."""
    cache = work.cache
    for b in range(first, last):
        node = work.leaf_node[b]
        n = work.leaf_count[b]
        key = work.leaf_key[b]
        entry = int(key & np.uint64(cache.keys.size - 1))
        quantise(answer.logits[b], work.leaf_legal[b], n, work.weights, work.priors)
        if params.threat_priors:
            boost_priors(work.priors, work.leaf_boost[b], n)
        order_by_prior(work.priors, n, work.order)
        value = answer.values[b]
        acquire(shared.cells, LOCK)
        cache.keys[entry] = key
        cache.values[entry] = value
        for i in range(n):
            cache.priors[entry, i] = work.priors[i]
        if tree.lead_sum.size > 0:
            for i in range(2):
                cache.leads[entry, i] = answer.leads[b, i]
            set_lead(tree, node, float(answer.leads[b, 0]), float(answer.leads[b, 1]))
        _expand(tree, node, work, b, value)
        _finish(tree, node, float(value), work.leaf_root[b], params, work.stats)
        release(shared.cells, LOCK)
    work.stats[EVALUATIONS] += last - first


def add_stats(into: NDArray[np.int64], stats: NDArray[np.int64]) -> None:
    """Add one thread's counters to those of all, and begin with none again."""
    deepest = max(into[DEPTH_MAX], stats[DEPTH_MAX])
    into += stats
    into[DEPTH_MAX] = deepest
    stats[:] = 0
