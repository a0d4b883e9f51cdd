"""The values that the simulations through one node found at their leaves, as counts."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.search.tree import NODES, RECORDS, Tree, backups

MOST: Final = 1 << 16  # simulations looked at
FEW: Final = 1 << 14  # simulations through a node of which all are found


@dataclass(frozen=True, eq=False)
class LeafValues:
    """Counts of leaf values for the side to move at the node, in equal bins from -1 to +1."""

    counts: NDArray[np.int64]  # [bins]
    simulations: int  # counted
    of: int  # made through the node or from it
    mean: float  # of those counted; NaN for none
    spreads: NDArray[np.float64]  # [E] variance of the values through each visited move, in the tree's order


def leaf_values(tree: Tree, node: int, bins: int, records: int | None = None) -> LeafValues:
    """Count what each simulation through ``node`` found at its leaf: the net's value, the result of its random game or
    of a finished game, before any proof replaces it.

    Of a long search evenly spaced simulations are looked at, all of a node with few.  ``records``: the first ones."""
    last = int(tree.counts[RECORDS]) if records is None else records
    simulations = backups(tree, int(tree.slot[node]))
    if simulations <= FEW < last:
        plies = np.full(int(tree.counts[NODES]), -1, np.int16)
        edges = np.full(int(tree.counts[NODES]), -1, np.int32)
        level, depth = np.array([node]), 0
        while len(level):
            plies[level] = depth
            counts = tree.num_children[level]
            starts = np.repeat(tree.child_start[level], counts)
            steps = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)
            children, depth = tree.child[starts + steps], depth + 1
            edges[children] = steps if depth == 1 else np.repeat(edges[level], counts)
            level = children
        moves = edges[tree.leaf[:last]]
        depths = plies[tree.leaf[:last]]
        values = tree.leaf_value[:last]
    else:
        step = max(1, -(-last // MOST))
        at = tree.leaf[:last:step].copy()
        came = np.full(len(at), -1, np.int32)  # from which node each came
        values = tree.leaf_value[:last:step]
        depths = np.zeros(len(at), np.int16)
        while True:
            below = np.flatnonzero(at > node)
            if not len(below):
                break
            came[below] = at[below]
            at[below] = tree.parent[at[below]]
            depths[below] += 1
        depths[at != node] = -1
        moves = np.where(came < 0, -1, tree.slot[came] - tree.child_start[node])
    inside = depths >= 0
    counted = np.where(depths[inside] % 2 == 0, values[inside], -values[inside]).astype(np.float64)
    spreads = _spreads(moves[inside], counted, int(tree.num_children[node]))
    places = np.clip(((counted + 1) / 2 * bins).astype(np.int64), 0, bins - 1)
    mean = float(counted.mean()) if len(counted) else float("nan")
    return LeafValues(np.bincount(places, minlength=bins), len(counted), simulations, mean, spreads)


def _spreads(moves: NDArray[np.int32], values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The variance of the values of each move, [count]; NaN where none was counted; -1 among ``moves`` is none."""
    below = moves >= 0
    moves, values = moves[below], values[below]
    numbers = np.bincount(moves, minlength=count).astype(np.float64)
    numbers[numbers == 0] = np.nan
    means = np.bincount(moves, values, count) / numbers
    squares = np.bincount(moves, values * values, count) / numbers
    spreads: NDArray[np.float64] = np.maximum(0.0, squares - means * means)
    return spreads
