"""The state of a paused search, enough to show it again and to continue it, and copies of trees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.search.growth import compact
from core.search.root import ALL_MOVES, Restriction
from core.search.tree import BUDGET, EDGES, NODES, RECORDS, SLOTS, Tree, bytes_used, clear, node_at


class SearchState(NamedTuple):
    """One search at rest."""

    top: Position  # of node 0
    position: Position  # of the root, at or below the top
    tree: Tree
    root: int
    root_changes: tuple[tuple[int, int], ...]  # (record, node): from that record on simulations began at that node
    net_priors: NDArray[np.uint16] | None  # [E] of the root as the net gave them, where noise or gumbel changed them
    same: dict[int, tuple[int, ...]]  # moves of the root that symmetry merged into one
    stats: NDArray[np.int64]  # [NUM_STATS] of core.search.work
    earlier: int  # simulations made before this root was set
    elapsed_s: float
    restriction: Restriction = ALL_MOVES
    prepared: bool = False  # the root's edges were prepared as the settings say


def locate(top: Position, tree: Tree, position: Position) -> int:
    """The node of ``position`` in a tree that begins at ``top``, by its moves from there; -1 when it has none."""
    plies = len(top.moves)
    if position.start != top.start or position.moves[:plies] != top.moves:
        return -1
    return node_at(tree, 0, position.moves[plies:])


def tree_for(state: SearchState, target: Tree) -> Tree:
    """The state's tree in a form that can be copied into ``target``; ValueError when that has no room or needs more."""
    source, used = state.tree, state.tree.counts
    if (
        bytes_used(source) > target.counts[BUDGET]
        or used[NODES] > target.parent.size
        or used[EDGES] > target.edge_action.size
        or used[SLOTS] > target.child.size
        or used[RECORDS] > target.leaf.size
    ):
        raise ValueError(
            f"the tree has {int(used[NODES])} nodes and needs {bytes_used(source) / 2**20:.0f} MiB, "
            f"more than the memory budget leaves for trees, {int(target.counts[BUDGET]) / 2**20:.0f} MiB"
        )
    if target.squares.size and not source.squares.size:
        raise ValueError("the tree was made without sums of squares, which these settings need")
    if target.lead_sum.size and not source.lead_sum.size:
        raise ValueError("the tree was made without score leads, which this net gives")
    if not target.squares.size:
        source = source._replace(squares=target.squares)
    return source if target.lead_sum.size else source._replace(node_lead=target.node_lead, lead_sum=target.lead_sum)


def copy_tree(source: Tree, target: Tree) -> None:
    """Copy all of ``source``, of two nodes or more, into ``target``, except which root has Gumbel's schedule."""
    clear(target)
    compact(source, target, np.zeros(1, np.int32), np.empty(int(source.counts[NODES]), np.int32))
    target.gumbel[:] = source.gumbel
    target.schedule[:] = source.schedule


def copy_subtree(
    source: Tree, root: int, changes: list[tuple[int, int]], target: Tree
) -> tuple[int, list[tuple[int, int]]]:
    """Copy the subtree of ``root`` into the empty ``target``; returns the root and the ``changes`` of it, as
    ``SearchState`` has them, in the new numbers."""
    roots = np.array([root], np.int32)
    new_id = np.empty(int(source.counts[NODES]), np.int32)
    compact(source, target, roots, new_id)
    # Simulations begun above the root now count as begun at it; those begun elsewhere have no records.
    copied = np.concatenate(([0], np.cumsum(new_id[source.leaf[: int(source.counts[RECORDS])]] >= 0)))
    return int(roots[0]), [(int(copied[record]), max(int(new_id[node]), 0)) for record, node in changes]
