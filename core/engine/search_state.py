"""What a search is made of when it stands still: enough to show it again and to go on with it.  Knows no file."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.search.root import Restriction
from core.search.tree import EDGES, NODES, RECORDS, SLOTS, Tree


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
    restriction: Restriction = Restriction()


def fits(source: Tree, target: Tree) -> bool:
    """Whether ``target`` has room for all of ``source``."""
    used = source.counts
    return bool(
        used[NODES] <= target.parent.size
        and used[EDGES] <= target.edge_action.size
        and used[SLOTS] <= target.child.size
        and used[RECORDS] <= target.leaf.size
    )
