"""Changes to the tree's structure: adding nodes and edges, allocating blocks of slots, copying subtrees.

Letters as in core.search.tree: N nodes, A actions, R roots.
"""

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.search.locks import FREED, AnyLocks, Locks, barrier, count_moved, keep_block, store
from core.search.tree import EDGES, FREE, NODES, PENDING, PRIOR_ONE, RECORDS, SLOTS, UNEXPANDED, Tree


@jitable
def take_block(tree: Tree, size_class: int) -> int:
    """Allocate a block of ``1 << size_class`` slots, from the free list if possible; returns its first slot."""
    head = tree.counts[FREE + size_class]
    if head >= 0:
        tree.counts[FREE + size_class] = tree.child[head]
        return int(head)
    start = tree.counts[SLOTS]
    tree.counts[SLOTS] = start + (1 << size_class)
    return int(start)


@jitable
def give_block(tree: Tree, start: int, size_class: int) -> None:
    """Put a block of ``1 << size_class`` slots, which no node uses, on the free list.

    What was a root counts the child's ``begun``, and the link in the child's place is no child."""
    tree.was_root[start] = 0
    tree.child[start] = tree.counts[FREE + size_class]
    tree.counts[FREE + size_class] = start


@jitable
def size_class_of(num_children: int) -> int:
    """The smallest c with ``1 << c >= num_children``."""
    size_class = 0
    while (1 << size_class) < num_children:
        size_class += 1
    return size_class


@jitable
def copy_slot(tree: Tree, old: int, new: int) -> None:
    """Copy the figures of a slot to another."""
    tree.child[new] = tree.child[old]
    tree.visits[new] = tree.visits[old]
    tree.was_root[new] = tree.was_root[old]
    tree.total[new] = tree.total[old]
    tree.inflight[new] = tree.inflight[old]
    tree.block[new] = tree.block[old]
    tree.proof[new] = tree.proof[old]
    tree.distance[new] = tree.distance[old]
    if tree.squares.size > 0:
        tree.squares[new] = tree.squares[old]
    if tree.lead_sum.size > 0:
        tree.lead_sum[new, 0] = tree.lead_sum[old, 0]
        tree.lead_sum[new, 1] = tree.lead_sum[old, 1]


@jitable
def _reset_slot(tree: Tree, slot: int, node: int) -> None:
    tree.child[slot] = node
    tree.visits[slot] = 0
    tree.was_root[slot] = 0
    tree.total[slot] = 0.0
    tree.inflight[slot] = 0
    tree.block[slot] = 0
    tree.proof[slot] = 0
    tree.distance[slot] = 0
    if tree.squares.size > 0:
        tree.squares[slot] = 0.0
    if tree.lead_sum.size > 0:
        tree.lead_sum[slot, 0] = tree.lead_sum[slot, 1] = 0.0
        tree.node_lead[node, 0] = tree.node_lead[node, 1] = 0.0


@jitable
def new_node(tree: Tree, parent: int, slot: int, action: int) -> int:
    """Create an unexpanded node with its own slot; returns its id."""
    node = int(tree.counts[NODES])
    tree.counts[NODES] = node + 1
    tree.parent[node] = parent
    tree.slot[node] = slot
    tree.action[node] = action
    tree.edge_start[node] = 0
    tree.num_edges[node] = UNEXPANDED
    tree.num_children[node] = 0
    tree.child_start[node] = -1
    tree.value[node] = np.float32(np.nan)
    tree.begun[node] = 0
    tree.threats[node] = 0
    _reset_slot(tree, slot, node)
    return node


@jit
def add_top(tree: Tree) -> int:
    """Add a node without a parent, unexpanded; returns its id.  Needs ``has_room``."""
    return new_node(tree, -1, take_block(tree, 0), -1)


@jitable
def add_child(tree: Tree, node: int, inflight: int, locks: AnyLocks) -> int:
    """Create the child of ``node`` at its first unvisited edge, PENDING and with so many simulations in flight before
    it is seen; returns its id.  Under the lock.  Needs ``has_room``.

    The block of slots is a power of two: it is full exactly when the number of children is one.
    """
    n = int(tree.num_children[node])
    start = int(tree.child_start[node])
    if n == 0:
        start = take_block(tree, 0)
        tree.was_root[start] = 0
        store(locks, tree.child_start, node, start)
        tree.block[tree.slot[node]] = start
    elif (n & (n - 1)) == 0:
        start = _move_block(tree, node, n, locks)
    child = new_node(tree, node, start + n, tree.edge_action[tree.edge_start[node] + n])
    tree.num_edges[child] = PENDING
    tree.inflight[start + n] = inflight
    store(locks, tree.num_children, node, n + 1)
    return child


@jitable
def _move_block(tree: Tree, node: int, n: int, locks: AnyLocks) -> int:
    """Move the ``n`` slots of ``node`` to a block of twice the size; returns its first slot."""
    start = int(tree.child_start[node])
    size_class = size_class_of(n)
    grown = take_block(tree, size_class + 1)
    for i in range(n):
        tree.was_root[grown + n + i] = 0  # until it has a child
        copy_slot(tree, start + i, grown + i)
    barrier(locks)
    for i in range(n):
        tree.inflight[grown + i] = count_moved(locks, tree.inflight, start + i)
        tree.slot[tree.child[grown + i]] = grown + i
    store(locks, tree.child_start, node, grown)
    tree.block[tree.slot[node]] = grown
    if not keep_block(locks, start, size_class):
        give_block(tree, start, size_class)
    return grown


@jit
def reclaim(tree: Tree, locks: Locks) -> None:
    """Give the blocks that moved to the free lists.  No other thread may be in the tree."""
    for i in range(locks.cells[FREED]):
        give_block(tree, locks.freed[i], locks.freed_class[i])
    locks.cells[FREED] = 0


@jitable
def write_edges(
    tree: Tree, node: int, actions: NDArray[np.int16], n: int, order: NDArray[np.int64], locks: AnyLocks
) -> None:
    """Expand ``node``: edges for the first ``n`` ``actions`` and their priors in an ``order`` of
    ``core.search.priors.order_by_prior``, there before they are seen.  Under the lock.  Needs ``has_room``."""
    start = tree.counts[EDGES]
    tree.counts[EDGES] = start + n
    own_actions, own_priors = tree.edge_action[start : start + n], tree.edge_prior[start : start + n]
    for i in range(n):
        own_actions[i] = actions[order[i] & 0xFFFF]
    for i in range(n):
        own_priors[i] = PRIOR_ONE - (order[i] >> 16)
    tree.edge_start[node] = start
    store(locks, tree.num_edges, node, n)


@jitable
def write_equal_edges(tree: Tree, node: int, actions: NDArray[np.int16], n: int, prior: int, locks: AnyLocks) -> None:
    """As ``write_edges``, in the order given and with one ``prior`` for all."""
    start = tree.counts[EDGES]
    tree.counts[EDGES] = start + n
    for i in range(n):
        edge = np.uint64(start + i)
        tree.edge_action[edge] = actions[i]
        tree.edge_prior[edge] = prior
    tree.edge_start[node] = start
    store(locks, tree.num_edges, node, n)


@jitable
def _copy_edges(source: Tree, first: int, target: Tree, to: int, n: int) -> None:
    # Of slices, several at once; by index in the whole arrays it took most of a compaction's time.
    actions, own_actions = source.edge_action[first : first + n], target.edge_action[to : to + n]
    priors, own_priors = source.edge_prior[first : first + n], target.edge_prior[to : to + n]
    for i in range(n):
        own_actions[i] = actions[i]
    for i in range(n):
        own_priors[i] = priors[i]


@jit
def compact(source: Tree, target: Tree, roots: NDArray[np.int32], new_id: NDArray[np.int32]) -> None:
    """Copy the nodes at or below ``roots``, and no others, into the empty ``target``; the roots have no parent there.

    ``roots`` int32 [R] is rewritten to the new ids; ``new_id`` int32 [N] receives every node's new id or -1.
    Order, figures and the records of kept leaves are unchanged; simulations that reached a root from above count as
    begun there.  ``target`` must be at least as large.
    """
    for n in range(source.counts[NODES]):
        new_id[n] = -1
    for r in range(roots.size):
        if roots[r] >= 0:
            new_id[roots[r]] = 0
    for n in range(source.counts[NODES]):
        p = source.parent[n]
        if new_id[n] < 0 and (p < 0 or new_id[p] < 0):
            continue
        m = int(target.counts[NODES])
        target.counts[NODES] = m + 1
        new_id[n] = m
        old_slot = source.slot[n]
        if p >= 0 and new_id[p] >= 0:
            q = new_id[p]
            slot = target.child_start[q] + (old_slot - source.child_start[p])
            target.parent[m] = q
            target.action[m] = source.action[n]
        else:
            slot = take_block(target, 0)
            target.parent[m] = -1
            target.action[m] = -1
        target.slot[m] = slot
        target.child[slot] = m
        if target.parent[m] >= 0:
            target.visits[slot] = source.visits[old_slot]
            target.was_root[slot] = source.was_root[old_slot]
            target.begun[m] = source.begun[n]
            target.threats[m] = source.threats[n]
        else:
            target.visits[slot] = 0
            target.begun[m] = source.begun[n] + source.visits[old_slot]
            target.was_root[slot] = target.begun[m] != 0
            target.threats[m] = 0
        target.total[slot] = source.total[old_slot]
        target.inflight[slot] = source.inflight[old_slot]
        target.proof[slot] = source.proof[old_slot]
        target.distance[slot] = source.distance[old_slot]
        if source.squares.size > 0:
            target.squares[slot] = source.squares[old_slot]
        if source.lead_sum.size > 0:
            for i in range(2):
                target.lead_sum[slot, i] = source.lead_sum[old_slot, i]
                target.node_lead[m, i] = source.node_lead[n, i]
        target.value[m] = source.value[n]
        target.num_edges[m] = source.num_edges[n]
        target.num_children[m] = source.num_children[n]
        target.child_start[m] = -1
        if source.num_children[n] > 0:
            target.child_start[m] = take_block(target, size_class_of(source.num_children[n]))
        target.block[slot] = max(0, target.child_start[m])
        target.edge_start[m] = 0
        if source.num_edges[n] > 0:
            start = target.counts[EDGES]
            target.edge_start[m] = start
            _copy_edges(source, source.edge_start[n], target, start, source.num_edges[n])
            target.counts[EDGES] = start + source.num_edges[n]
    for h in range(source.counts[RECORDS]):
        m = new_id[source.leaf[h]]
        if m >= 0:
            k = target.counts[RECORDS]
            target.leaf[k] = m
            target.leaf_value[k] = source.leaf_value[h]
            target.counts[RECORDS] = k + 1
    for r in range(roots.size):
        if roots[r] >= 0:
            roots[r] = new_id[roots[r]]
