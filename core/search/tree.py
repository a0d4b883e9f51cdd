"""The search tree as a struct of arrays: its layout and its memory budget.

Letters: N nodes, E edges, K child slots, H simulations recorded.

A node is created when a simulation first enters it; its id is its place in that order, so a parent's id is
smaller than its children's.  When it is expanded it gets a run of edges in the edge pool (action and prior,
4 bytes each, sorted by prior).  Only visited edges have statistics: the visited children of a node are the
first ``num_children`` of its edges, and edge ``i`` has its statistics in slot ``child_start + i``.  A block of
slots doubles when it is full; freed blocks are used again.  A node without a parent owns a single slot.

All statistics of a slot are for the owner of the edge: the side that moves INTO the child.

The root of the search can move down the tree and back up, so there are two counts:

- N(s, a), ``visits``: simulations that took the move, made from a root at s or above.  Everything that prefers a move
  uses N: U and sum N of every formula, rank, share, policy, the move played.
- n(s), ``backups``: all simulations made from s as root or through it, N of its edge and ``begun``.  W and the sum of
  squares are over these, so Q = W / n includes what was found while s itself was the root.

So n(s) is the sum of N over the moves of s and the simulations that ended at s: the first, which expanded it, and those
that found it proved.  Where no root moved back up, n is N.
"""

import mmap
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable, prefetch
from core.search.params import MAX_SCHEDULE
from core.text import Text

# Values of num_edges below 0.
UNEXPANDED: Final = -1
PENDING: Final = -2  # its evaluation is in flight
TERMINAL: Final = -3

# Indices into Tree.counts.
NODES: Final = 0
EDGES: Final = 1
SLOTS: Final = 2
RECORDS: Final = 3
FREE: Final = 4  # heads of the free lists of blocks of 1, 2, 4 ... slots; -1 = none
OWN_RULE: Final = 20  # the root whose edges are selected by a rule of its own; -1 = none
SCHEDULED: Final = 21  # simulations of that root under Gumbel's schedule
BUDGET: Final = 23  # bytes that all arrays together may use
NUM_COUNTS: Final = 24

PRIOR_ONE: Final = 65535  # a prior of 1.0 in an edge's 16 bits
_DIGITS: Final = (2**32 + 2**16 + 1) / 2**48
# Of an index: it changes none, and shows the compiler that none is negative, which it would else test in each array.
AT: Final = 2**31 - 1

# The fields of one node, and of one slot, are adjacent in memory: with separate arrays every step down a large tree
# touched nine cache lines instead of three.
_NODE: Final = np.dtype(
    [
        ("parent", np.int32),
        ("slot", np.int32),
        ("edge_start", np.int32),
        ("child_start", np.int32),
        ("value", np.float32),
        ("action", np.int16),
        ("num_edges", np.int16),
        ("num_children", np.int16),
        ("threats", np.int16),
        ("begun", np.int32),
    ]
)
_SLOT: Final = np.dtype(
    [
        ("total", np.float64),
        ("child", np.int32),
        ("visits", np.int32),
        ("inflight", np.int32),
        ("distance", np.int16),
        ("proof", np.int8),
        ("was_root", np.int8),
        ("block", np.int32),
        ("_unused", np.int32),  # two slots fill a cache line
    ]
)
NODE_BYTES: Final = _NODE.itemsize
EDGE_BYTES: Final = 2 + 2
SLOT_BYTES: Final = _SLOT.itemsize
RECORD_BYTES: Final = 4 + 4
LEAD_BYTES: Final = 2 * 4  # of a node, where leads are kept
SUM_BYTES: Final = 2 * 8  # of a slot, where leads are kept
_OWN_PAGES: Final = 1 << 20  # bytes from which an array has pages of its own

Path = tuple[int, ...]  # actions from the root of the search


class Tree(NamedTuple):
    """One or several search trees in shared pools."""

    parent: NDArray[np.int32]  # [N] -1 for a tree's top
    slot: NDArray[np.int32]  # [N] the slot of the node's own statistics
    action: NDArray[np.int16]  # [N] the move that led here; -1 for a top
    edge_start: NDArray[np.int32]  # [N]
    num_edges: NDArray[np.int16]  # [N] or UNEXPANDED, PENDING, TERMINAL
    num_children: NDArray[np.int16]  # [N] visited edges
    child_start: NDArray[np.int32]  # [N] first slot of the block; -1 without children
    value: NDArray[np.float32]  # [N] the evaluator's value for the side to move; NaN when there is none
    begun: NDArray[np.int32]  # [N] simulations made from the node as root
    # [N] plies of the threats or the exact ending that proved it as a leaf, < 0 if it wins, + DRAWN in a draw; 0 = none
    threats: NDArray[np.int16]
    edge_action: NDArray[np.int16]  # [E]
    edge_prior: NDArray[np.uint16]  # [E] PRIOR_ONE means 1.0; never 0
    child: NDArray[np.int32]  # [K]
    visits: NDArray[np.int32]  # [K] N(s, a)
    was_root: NDArray[np.int8]  # [K] 1 where ``begun`` of the child counts
    total: NDArray[np.float64]  # [K] W(s, a)
    inflight: NDArray[np.int32]  # [K] simulations on their way through the edge
    block: NDArray[np.int32]  # [K] ``child_start`` of the child as last known, or 0: what to fetch beside the child
    proof: NDArray[np.int8]  # [K] UNPROVED, WIN, DRAW or LOSS for the owner
    distance: NDArray[np.int16]  # [K] plies to the end under the proof
    squares: NDArray[np.float64]  # [K] sum of squared values, or [0] where no rule needs it
    # Score lead in points, where the evaluator gives it; otherwise [0, 2].
    node_lead: NDArray[np.float32]  # [N, 2] of the evaluator or the end: the lead of the side to move, its mean square
    lead_sum: NDArray[np.float64]  # [K, 2] sums of both over the simulations, the lead that of the edge's owner
    gumbel: NDArray[np.float32]  # [A] the noise g of the edges of counts[OWN_RULE], in their order
    schedule: NDArray[np.int32]  # [S] visits due there, by simulation
    leaf: NDArray[np.int32]  # [H] where each simulation ended
    leaf_value: NDArray[np.float32]  # [H] its value for the side to move there
    counts: NDArray[np.int64]  # [NUM_COUNTS] used sizes and free lists


def make_tree(
    num_actions: int, budget_bytes: int, *, record: bool = True, squares: bool = False, leads: bool = False
) -> Tree:
    """An empty tree that ``has_room`` keeps within ``budget_bytes``.

    How many edges, slots and records a node needs differs tenfold between games and searches, so each array alone is
    large enough for the most of it, and the budget is for their sum: memory is committed only where it is used.

    Raises ValueError when the budget holds fewer than 1000 nodes, or when the system does not give it.
    """
    node_bytes, slot_bytes = NODE_BYTES + LEAD_BYTES * leads, SLOT_BYTES + 8 * squares + SUM_BYTES * leads
    expanded = node_bytes + num_actions * EDGE_BYTES + 2 * slot_bytes + RECORD_BYTES
    if budget_bytes < 1000 * expanded:
        raise ValueError(
            Text(
                "a memory budget of {size} bytes holds {nodes} nodes of this game; at least {needed} bytes are needed",
                size=budget_bytes,
                nodes=budget_bytes // expanded,
                needed=1000 * expanded,
            )
        )
    nodes = min(budget_bytes // (node_bytes + slot_bytes), (2**31 - 1) // 2)
    slots, edges = 2 * nodes, min(budget_bytes // EDGE_BYTES, 2**31 - 1)
    records = min(budget_bytes // (2 * RECORD_BYTES), 2**31 - 1) if record else 0
    try:
        tree = allocate(
            num_actions, nodes=nodes, slots=slots, edges=edges, records=records, squares=squares, leads=leads
        )
    except MemoryError:
        megabytes = budget_bytes >> 20
        raise ValueError(
            Text(
                "there is not enough memory for a tree of {megabytes} MiB; memory_mb must be less", megabytes=megabytes
            )
        ) from None
    tree.counts[BUDGET] = budget_bytes
    return tree


def _fields(records: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    """A view of every figure of ``records``, by name."""
    return {name: records[name] for name in records.dtype.names or () if not name.startswith("_")}


def with_own_nodes(tree: Tree) -> Tree:
    """A copy of ``tree`` with the same structure and no visits; the arrays of edges and records are shared."""
    n, k = max(2, int(tree.counts[NODES])), max(2, int(tree.counts[SLOTS]))
    nodes, slots = np.zeros(n, _NODE), np.zeros(k, _SLOT)
    for name in ("parent", "slot", "action", "edge_start", "child_start", "threats"):
        nodes[name] = getattr(tree, name)[:n]
    nodes["num_edges"], nodes["value"] = UNEXPANDED, np.nan
    slots["child"] = tree.child[:k]
    squares = np.zeros(k if tree.squares.size else 0, np.float64)
    sums = np.zeros((k if tree.lead_sum.size else 0, 2))
    return tree._replace(**_fields(nodes), **_fields(slots), squares=squares, lead_sum=sums)


def one_node(tree: Tree, node: int) -> Tree:
    """A copy of an expanded ``node`` and its children as a tree of its own: all that selection reads at that node.

    The node is node 0 with slot 0; its edge i has slot 1 + i and node 1 + i.
    """
    n, k = int(tree.num_edges[node]), int(tree.num_children[node])
    slot, start, first = int(tree.slot[node]), int(tree.child_start[node]), int(tree.edge_start[node])
    squares = tree.squares.size > 0
    # Never a single record: an array of one element is contiguous, to numba another type.
    nodes, figures = _fields(np.zeros(n + 2, _NODE)), _fields(np.zeros(n + 1, _SLOT))
    figures["child"][:] = np.arange(n + 1)
    nodes["begun"][0], nodes["begun"][1 : 1 + k] = tree.begun[node], tree.begun[tree.child[start : start + k]]
    nodes["num_edges"][0], nodes["num_children"][0] = n, k
    nodes["child_start"][0], nodes["value"][0], nodes["action"][0] = 1, tree.value[node], tree.action[node]
    for name in ("visits", "was_root", "total", "inflight", "proof", "distance"):
        figures[name][0] = getattr(tree, name)[slot]
        figures[name][1 : 1 + k] = getattr(tree, name)[start : start + k]
    leads = tree.lead_sum.size > 0
    squares_kept = np.zeros(n + 1 if squares else 0, np.float64)
    sums = np.zeros((n + 1 if leads else 0, 2))
    for source, copy in ((tree.squares, squares_kept), (tree.lead_sum, sums)):
        if source.size:
            copy[0], copy[1 : 1 + k] = source[slot], source[start : start + k]
    special = node == int(tree.counts[OWN_RULE])
    scheduled = int(tree.counts[SCHEDULED]) if special else 0
    counts = np.zeros(NUM_COUNTS, np.int64)
    counts[OWN_RULE], counts[SCHEDULED] = 0 if special else -1, scheduled
    return Tree(
        **nodes,
        **figures,
        edge_action=tree.edge_action[first : first + n].copy(),
        edge_prior=tree.edge_prior[first : first + n].copy(),
        squares=squares_kept,
        node_lead=np.zeros((0, 2), np.float32),  # selection reads the sums alone
        lead_sum=sums,
        gumbel=tree.gumbel[:n].copy(),
        schedule=tree.schedule[: max(1, scheduled)].copy(),
        leaf=np.zeros(0, np.int32),
        leaf_value=np.zeros(0, np.float32),
        counts=counts,
    )


def allocate(
    num_actions: int, *, nodes: int, slots: int, edges: int, records: int, squares: bool, leads: bool = False
) -> Tree:
    """An empty tree with arrays of exactly these lengths, for reading from a file; it has no budget to grow."""
    tree = Tree(
        **_fields(_unset(nodes, _NODE)),
        **_fields(_unset(slots, _SLOT)),
        edge_action=_unset(edges, np.int16),
        edge_prior=_unset(edges, np.uint16),
        squares=_unset(slots if squares else 0, np.float64),
        node_lead=_unset(2 * nodes if leads else 0, np.float32).reshape(-1, 2),
        lead_sum=_unset(2 * slots if leads else 0, np.float64).reshape(-1, 2),
        gumbel=np.zeros(num_actions, np.float32),
        schedule=np.zeros(MAX_SCHEDULE, np.int32),
        leaf=_unset(records, np.int32),
        leaf_value=_unset(records, np.float32),
        counts=np.zeros(NUM_COUNTS, np.int64),
    )
    clear(tree)
    return tree


def _unset(length: int, dtype: Any) -> NDArray[Any]:
    """An array of unset values; a large one takes memory only where it is written to, and gives it back when freed.

    malloc reuses blocks of up to 32 MiB, whose pages stay resident.
    """
    size = length * np.dtype(dtype).itemsize
    if sys.platform == "win32" or size < _OWN_PAGES:
        return np.empty(length, dtype)
    try:
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)
    except OSError as error:
        raise MemoryError(str(error)) from None
    if sys.platform == "linux":
        with suppress(OSError):  # a kernel without huge pages
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, dtype)


def clear(tree: Tree) -> None:
    """Forget every node."""
    tree.counts[:FREE] = 0
    tree.counts[FREE:BUDGET] = -1


@jitable
def bytes_used(tree: Tree) -> int:
    """Bytes of the arrays in use."""
    counts = tree.counts
    slot_bytes = SLOT_BYTES + (8 if tree.squares.size > 0 else 0)
    node_bytes = NODE_BYTES
    if tree.lead_sum.size > 0:
        slot_bytes += SUM_BYTES
        node_bytes += LEAD_BYTES
    return int(
        counts[NODES] * node_bytes
        + counts[EDGES] * EDGE_BYTES
        + counts[SLOTS] * slot_bytes
        + counts[RECORDS] * RECORD_BYTES
    )


@jitable
def has_room(tree: Tree, num_actions: int, waiting: int) -> bool:
    """Whether one more simulation fits beside ``waiting`` leaves: a node, edges, a doubled block, a record."""
    counts = tree.counts
    more = (waiting + 2) * (num_actions * EDGE_BYTES + RECORD_BYTES) + (2 * num_actions + 2) * (
        SLOT_BYTES + 8 + SUM_BYTES
    )
    return bool(
        bytes_used(tree) + more + NODE_BYTES + LEAD_BYTES <= counts[BUDGET]
        and counts[NODES] < tree.parent.size
        and counts[EDGES] + (waiting + 2) * num_actions <= tree.edge_action.size
        and counts[SLOTS] + 2 * num_actions + 2 <= tree.child.size
        and (tree.leaf.size == 0 or counts[RECORDS] + waiting < tree.leaf.size)
    )


@jitable
def share(prior: int) -> float:
    """``prior / PRIOR_ONE``, to the last bit, without a division: its binary digits are those of ``prior`` repeated."""
    return prior * _DIGITS + prior * (_DIGITS * 2.0**-48)


@jitable
def backups(tree: Tree, slot: int) -> int:
    """n: the number of simulations in the sums of ``slot``."""
    count = int(tree.visits[slot])
    if tree.was_root[slot] != 0:
        count += int(tree.begun[tree.child[slot] & AT])
    return count


@jitable
def prefetch_block(tree: Tree, slot: int) -> None:
    """Ask the processor for the slots of the first eight children of the node in ``slot``, beside the node itself.

    Without it a step down a large tree waits for memory twice in turn: for the node, which says where its block is.
    """
    block = tree.block[slot] & AT
    for i in range(0, 8, 2):
        prefetch(tree.total, block + i)


def backups_of(tree: Tree, slots: NDArray[np.integer] | slice) -> NDArray[np.int32]:
    """``backups`` of many slots."""
    return tree.visits[slots] + tree.begun[tree.child[slots]]


def node_at(tree: Tree, node: int, path: Iterable[int]) -> int:
    """The node that the actions ``path`` lead to from ``node``; -1 where one of them has none."""
    for action in path:
        start = int(tree.child_start[node])
        children = tree.child[start : start + int(tree.num_children[node])]
        places = np.flatnonzero(tree.action[children] == action)
        if not len(places):
            return -1
        node = int(children[places[0]])
    return node


def common_ancestor(tree: Tree, a: int, b: int) -> int:
    """The deepest common ancestor of both, or one of them: a parent's id is smaller than its children's."""
    while a != b:
        if a > b:
            a = int(tree.parent[a])
        else:
            b = int(tree.parent[b])
    return a
