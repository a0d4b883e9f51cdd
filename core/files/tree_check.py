"""Checks that the arrays of a loaded file are a valid search tree.  Knows the tree's invariants, no file.

The kernels do not check their input, so every index and count that they use is checked here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.files.arrays import BadFile
from core.games import Position
from core.search.formulas import LOSS
from core.search.tree import PENDING, TERMINAL, UNEXPANDED, Tree


def check(
    tree: Tree, top: Position, position: Position, root: int, changes: Sequence[tuple[int, int]], own_root: int
) -> None:
    """Check that ``tree`` is valid, starts at ``top`` and has ``root`` at ``position``; else BadFile."""
    nodes = tree.parent.size
    if not nodes or not tree.child.size:
        raise BadFile("its tree has no node")
    _check_nodes(tree, top.game.num_actions)
    _check_blocks(tree)
    _check_figures(tree)
    if not 0 <= root < nodes or not -1 <= own_root < nodes:
        raise BadFile(f"its root is node {root}, and its nodes are 0 to {nodes - 1}")
    records = [record for record, _ in changes]
    if records != sorted(records) or any(not 0 <= r <= tree.leaf.size or not 0 <= n < nodes for r, n in changes):
        raise BadFile("the places where its search went on from another move are not in it")
    path = []
    node = root
    while node != 0:
        path.append(int(tree.action[node]))
        node = int(tree.parent[node])
    if (*top.moves, *reversed(path)) != position.moves:
        raise BadFile("its root is not reached by the moves that it names")
    count = max(0, int(tree.num_edges[root]))
    edges = tree.edge_action[tree.edge_start[root] :][:count]
    if not set(edges.tolist()) <= set(position.legal_actions()):
        raise BadFile("the root has moves that cannot be played there")


def _all(right: NDArray[np.bool_] | bool, what: str) -> None:
    if not np.all(right):
        at = int(np.argmin(right)) if isinstance(right, np.ndarray) and right.ndim else 0
        raise BadFile(f"its tree is damaged: {what} (the first at {at})")


def _within(values: NDArray[Any], low: int, high: int, what: str) -> None:
    """Check that every value is in [low, high)."""
    _all((values >= low) & (values < high), what)


def _check_nodes(tree: Tree, num_actions: int) -> None:
    nodes, slots, edges = tree.parent.size, tree.child.size, tree.edge_action.size
    ids = np.arange(nodes)
    if tree.parent[0] != -1 or tree.action[0] != -1:
        raise BadFile("its tree is damaged: its first node is not its top")
    _all((tree.parent[1:] >= 0) & (tree.parent[1:] < ids[1:]), "a node comes before its parent")
    _within(tree.slot, 0, slots, "a node has no place for its figures")
    _all(tree.child[tree.slot] == ids, "a place for figures belongs to another node")
    allowed = (tree.num_edges >= 0) | np.isin(tree.num_edges, (UNEXPANDED, PENDING, TERMINAL))
    _all(allowed & (tree.num_edges != PENDING), "a node is in no known state")
    count = np.maximum(tree.num_edges.astype(np.int64), 0)
    _within(tree.edge_start, 0, edges + 1, "a node's moves are out of reach")
    _within(tree.edge_start + count, 0, edges + 1, "a node's moves are out of reach")
    _all(count <= num_actions, "a node has more moves than the game")
    _all((tree.num_children >= 0) & (tree.num_children <= count), "a node has more children than moves")
    _within(tree.edge_action, 0, num_actions, "a move is none of the game's")
    _within(tree.edge_prior, 1, 1 << 16, "a prior is 0")


def _check_blocks(tree: Tree) -> None:
    """Check that the children of each node are adjacent, in a separate block whose size is a power of two."""
    slots = tree.child.size
    has = np.flatnonzero(tree.num_children > 0)
    start, count = tree.child_start[has].astype(np.int64), tree.num_children[has].astype(np.int64)
    _within(start, 0, slots, "a node's children are out of reach")
    block = np.int64(1) << np.ceil(np.log2(count)).astype(np.int64)
    begins = np.concatenate([start, tree.slot[:1]])
    ends = begins + np.concatenate([block, [1]])
    order = np.argsort(begins, kind="stable")
    _all(ends <= slots, "a node's children are out of reach")
    _all(ends[order][:-1] <= begins[order][1:], "two nodes have the same children")
    children = tree.parent.size - 1
    if int(count.sum()) != children:
        raise BadFile(f"its tree is damaged: its nodes have {int(count.sum())} children, and {children} have a parent")
    place = tree.slot[1:] - tree.child_start[tree.parent[1:]]
    _all((place >= 0) & (place < tree.num_children[tree.parent[1:]]), "a node is not among its parent's children")
    edge = tree.edge_start[tree.parent[1:]] + place
    _all(tree.edge_action[edge] == tree.action[1:], "a node's move is not the one that leads to it")


def _check_figures(tree: Tree) -> None:
    used = tree.slot
    visits, total = tree.visits[used], tree.total[used]
    _all(visits >= 0, "a number of visits is below 0")
    _all(np.isfinite(total), "a sum of values is no number")
    _within(tree.proof[used], 0, LOSS + 1, "a proof is no known one")
    _all(tree.distance[used] >= 0, "a distance is below 0")
    _all(np.isnan(tree.value) | (np.abs(tree.value) <= 1.001), "a value is beyond -1 to +1")
    _within(tree.leaf, 0, tree.parent.size, "a simulation ended at no node")
    _all(np.abs(tree.leaf_value) <= 1.001, "a simulation's value is beyond -1 to +1")
    for array in (tree.node_lead, tree.lead_sum[used] if tree.lead_sum.size else tree.lead_sum):
        _all(np.isfinite(array), "a score lead is no number")
    if tree.squares.size:
        _all(np.isfinite(tree.squares[used]), "a sum of squares is no number")
