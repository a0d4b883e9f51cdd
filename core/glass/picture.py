"""The most visited part of a tree as flat arrays, for drawing.

Letters: M nodes of the picture.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.glass.nodes import Taken, TreeNodes, figures_of
from core.search.tree import Path, Tree

MOST_NODES: Final = 20_000
_SPREAD: Final = 2  # frontier entries per node wanted, before those that cannot be taken are dropped
_MOST_MOVES: Final = 1 << 15  # of a node: actions are numbers of 16 bits
_OLDEST: Final = 0xFFFFFFFF


@dataclass(frozen=True, eq=False)
class TreePicture(TreeNodes):
    """The most visited nodes at and below a root, in the order of a best-first traversal.

    The root is node 0; next comes the most visited node whose parent is included, of equals the older."""

    most: int  # nodes asked for; the tree may have fewer


class Frontier(NamedTuple):
    """A binary max-heap of the nodes that may be taken next; ``keys`` and ``above`` of an entry are at one place.

    Its capacity Q is ``_SPREAD`` times the nodes wanted and ``_MOST_MOVES`` together.
    """

    keys: NDArray[np.int64]  # [Q] N << 32 | (_OLDEST - node id): most visits first, of equals the oldest
    above: NDArray[np.int32]  # [Q] the parent's place in the picture; -1 for the root


@jitable
def _sift_down(frontier: Frontier, i: int, n: int) -> None:
    """Restore the heap of ``n`` entries below ``i`` (Williams 1964)."""
    keys, above = frontier
    while True:
        j = 2 * i + 1
        if j >= n:
            return
        if j + 1 < n and keys[j + 1] > keys[j]:
            j += 1
        if keys[i] >= keys[j]:
            return
        keys[i], keys[j] = keys[j], keys[i]
        above[i], above[j] = above[j], above[i]
        i = j


@jitable
def _push(frontier: Frontier, n: int, key: int, place: int) -> None:
    """Add an entry to the heap of ``n``."""
    keys, above = frontier
    i = n
    while i > 0 and keys[(i - 1) // 2] < key:
        keys[i] = keys[(i - 1) // 2]
        above[i] = above[(i - 1) // 2]
        i = (i - 1) // 2
    keys[i] = key
    above[i] = place


@jitable
def _keep_largest(frontier: Frontier, n: int, k: int) -> int:
    """Move the ``k`` largest of ``n`` entries to the front, as a heap (Hoare's FIND, 1961); returns the least kept."""
    keys, above = frontier
    low, high = 0, n - 1
    while low < high:
        pivot = keys[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while keys[i] > pivot:
                i += 1
            while keys[j] < pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                above[i], above[j] = above[j], above[i]
                i += 1
                j -= 1
        if k - 1 <= j:
            high = j
        elif k - 1 >= i:
            low = i
        else:
            break
    least = keys[0]
    for i in range(1, k):
        least = min(least, keys[i])
    for i in range(k // 2 - 1, -1, -1):
        _sift_down(frontier, i, k)
    return int(least)


@jit
def most_visited(tree: Tree, root: int, frontier: Frontier, into: Taken) -> int:
    """Fill ``into`` with the most visited nodes at and below ``root``, best-first; returns how many it found.

    A node has more visits than its child, or is older and has as many, unless it was the root for a time.
    """
    keys, above = frontier
    nodes, parents, depths = into
    most = nodes.size
    keys[0] = (np.int64(tree.visits[tree.slot[root]]) << 32) | (_OLDEST - root)
    above[0] = -1
    waiting, taken, floor = 1, 0, np.int64(-1)
    while waiting > 0 and taken < most:
        node = _OLDEST - (keys[0] & _OLDEST)
        nodes[taken] = node
        parents[taken] = above[0]
        depths[taken] = 0 if taken == 0 else depths[above[0]] + 1
        waiting -= 1
        keys[0] = keys[waiting]
        above[0] = above[waiting]
        _sift_down(frontier, 0, waiting)
        taken += 1
        children = tree.num_children[node]
        if children == 0:
            continue
        room = most - taken
        if waiting > _SPREAD * most and room > 0:
            floor = max(floor, np.int64(_keep_largest(frontier, waiting, room)))
            waiting = room
        start = tree.child_start[node]
        for slot in range(start, start + children):
            key = (int(tree.visits[slot]) << 32) | (_OLDEST - int(tree.child[slot]))
            if tree.visits[slot] > 0 and key > floor and waiting < keys.size:
                _push(frontier, waiting, key, taken - 1)
                waiting += 1
    return taken


def picture_of(
    tree: Tree, root: int, most: int, pv: Path = (), number: int = 0, with_priors: bool = True
) -> TreePicture:
    """The ``most`` most visited nodes of ``tree`` from ``root`` on, copied; ``pv``, ``number`` and ``with_priors`` as
    in ``figures_of``."""
    most = max(1, min(MOST_NODES, most))
    room = _SPREAD * most + _MOST_MOVES
    frontier = Frontier(np.empty(room, np.int64), np.empty(room, np.int32))
    taken = Taken(np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int16))
    n = most_visited(tree, root, frontier, taken)
    taken = Taken(taken.nodes[:n].copy(), taken.parents[:n].copy(), taken.depths[:n].copy())
    return TreePicture(**figures_of(tree, taken, pv, number, with_priors), most=most)
