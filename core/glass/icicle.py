"""The layout of a whole tree as an icicle: a row for each ply, widths by share of visits.  Changes no tree.

A node's children lie below it, most visited first, each as wide as its share of the simulations through the node; what
is left free at the right ended at the node itself.  Only nodes at least ``LEAST`` pixels wide in view are opened, or
outside it those that would be with the whole tree in view, so the work is bounded by pixels and not by nodes.  The
children that are narrower lie together, in one strip.

Letters: M nodes laid out, S strips, C children of the nodes of one row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.glass.nodes import Taken, TreeNodes, figures_of
from core.search.tree import Path, Tree, backups, backups_of, node_at

LEAST: Final = 1.0  # px of a node that is laid out by itself
PLACES: Final = 1 << 13  # room for so many nodes at first
BESIDE: Final = 0.25  # of the width in view, as finely laid out on both sides for panning


@dataclass(frozen=True)
class IcicleView:
    """What is in view: from ``low`` to ``high``, of the root's width 1, on so many pixels of the screen."""

    low: float = 0.0
    high: float = 1.0
    pixels: int = 1000
    path: Path = ()  # the node that is laid out however narrow it is, with those above it


class Strips(NamedTuple):
    """The children of one node that are too narrow to be laid out, from the last that is on to the right."""

    parents: NDArray[np.int32]  # [S] places of the nodes
    lefts: NDArray[np.float64]  # [S]
    widths: NDArray[np.float64]  # [S]
    nodes: NDArray[np.int32]  # [S] how many they are
    visits: NDArray[np.int64]  # [S] their N together
    qs: NDArray[np.float32]  # [S] the mean of their simulations, for the side that plays into them


@dataclass(frozen=True, eq=False)
class Icicle(TreeNodes):
    """Nodes row by row, in a row from left to right; a root of width 1 begins at 0."""

    view: IcicleView
    lefts: NDArray[np.float64]  # [M]
    widths: NDArray[np.float64]  # [M]
    strips: Strips

    @property
    def chosen(self) -> int:
        """The sum of N over the root's moves, of which shares are taken, as in ``NodeView.rows``."""
        laid_out, others = self.visits[self.parents == 0], self.strips.visits[self.strips.parents == 0]
        return int(laid_out.sum() + others.sum())


class Twin(NamedTuple):
    """The figures of an icicle's nodes in another tree of the same position; 0 where that has no such node."""

    of: Icicle
    chosen: int  # the sum of N over the moves of the other tree's root
    visits: NDArray[np.int32]  # [M] N of the move; n of the root
    qs: NDArray[np.float32]  # [M] NaN where there is no such node
    strips: NDArray[np.int64]  # [S] N of the moves that are not laid out


class _Children(NamedTuple):
    """The visited children of some nodes, side by side."""

    owners: NDArray[np.int64]  # [C] places in the list of nodes
    slots: NDArray[np.int64]  # [C]
    visits: NDArray[np.int32]  # [C]


def _children(tree: Tree, nodes: NDArray[np.int32]) -> _Children:
    counts = tree.num_children[nodes].astype(np.int64)
    owners = np.repeat(np.arange(nodes.size), counts)
    first = tree.child_start[nodes] - (np.cumsum(counts) - counts)
    slots = np.arange(owners.size) + np.repeat(first, counts)
    visits = tree.visits[slots]
    visited = visits > 0
    return _Children(owners[visited], slots[visited], visits[visited])


def _line(tree: Tree, root: int, path: Path) -> list[int]:
    """The nodes along ``path``, as far as there are any, without the root."""
    nodes = []
    node = root
    for action in path:
        node = node_at(tree, node, (action,))
        if node < 0:
            break
        nodes.append(node)
    return nodes


class _Laid(NamedTuple):
    """Room for the nodes that are laid out, row by row."""

    nodes: NDArray[np.int32]
    parents: NDArray[np.int32]  # places
    depths: NDArray[np.int16]
    lefts: NDArray[np.float64]
    widths: NDArray[np.float64]
    slots: NDArray[np.int32]
    forced: NDArray[np.bool_]  # on a shown line


class _Limits(NamedTuple):
    """How wide a node is at least: ``least`` from ``low`` to ``high``, ``overview`` elsewhere."""

    low: float
    high: float
    least: float
    overview: float


@jit
def _lay_out(
    tree: Tree, root: int, limits: _Limits, shown: NDArray[np.int32], laid: _Laid, strips: Strips
) -> tuple[int, int]:
    """Fill in the nodes and their strips; ``shown``: the slots of nodes laid out in any case.

    Returns how many there are, or -1 where there is too little room."""
    nodes, parents, depths, lefts, widths, slots, forced = laid
    nodes[0], parents[0], depths[0], lefts[0], widths[0], forced[0] = root, -1, 0, 0.0, 1.0, True
    count, filled, at = 1, 0, 0
    while at < count:
        node, left, width = nodes[at], lefts[at], widths[at]
        in_view = left < limits.high and left + width > limits.low
        limit = limits.least if in_view else limits.overview
        children = tree.num_children[node]
        if children > 0 and (width >= limit or forced[at]):
            share = width / max(1, backups(tree, tree.slot[node]))  # of one simulation
            first, narrow, visits, simulations, worth = count, 0, 0, 0, 0.0
            for slot in range(tree.child_start[node], tree.child_start[node] + children):
                taken = tree.visits[slot]
                if taken <= 0:
                    continue
                is_shown = False
                for i in range(shown.size):
                    is_shown |= shown[i] == slot
                if taken * share < limit and not is_shown:
                    narrow += 1
                    visits += taken
                    simulations += backups(tree, slot)
                    worth += tree.total[slot]
                    continue
                if count == nodes.size:
                    return -1, 0
                place = count  # most visited first, of equals the older
                while place > first and tree.visits[slots[place - 1]] < taken:
                    slots[place], forced[place] = slots[place - 1], forced[place - 1]
                    place -= 1
                slots[place], forced[place] = slot, is_shown
                count += 1
            for place in range(first, count):
                slot = slots[place]
                nodes[place], parents[place], depths[place] = tree.child[slot], at, depths[at] + 1
                lefts[place], widths[place] = left, tree.visits[slot] * share
                left += widths[place]
            if narrow:
                strips.parents[filled], strips.lefts[filled], strips.widths[filled] = at, left, visits * share
                strips.nodes[filled], strips.visits[filled] = narrow, visits
                strips.qs[filled] = worth / max(1, simulations)
                filled += 1
        at += 1
    return count, filled


def _room(places: int) -> tuple[_Laid, Strips]:
    def empty(kind: type) -> Any:
        return np.empty(places, kind)

    i, f = np.int32, np.float64
    laid = _Laid(empty(i), empty(i), empty(np.int16), empty(f), empty(f), empty(i), empty(np.bool_))
    return laid, Strips(empty(i), empty(f), empty(f), empty(i), empty(np.int64), empty(np.float32))


def _first(columns: Iterable[Any], count: int) -> list[Any]:
    """Copies of the first entries of arrays."""
    return [column[:count].copy() for column in columns]


def lay_out(
    tree: Tree, root: int, view: IcicleView, pv: Path = (), number: int = 0, with_priors: bool = True, path: Path = ()
) -> Icicle:
    """The icicle of ``tree`` below ``root``; ``pv``, ``number`` and ``with_priors`` as in ``figures_of``.

    The nodes along ``path`` are laid out however narrow they are, as are those of ``pv`` and ``view.path``."""
    beside = BESIDE * (view.high - view.low)
    least = LEAST * (view.high - view.low) / max(1, view.pixels)
    limits = _Limits(view.low - beside, view.high + beside, least, LEAST / max(1, view.pixels))
    shown = tree.slot[list({node for line in (view.path, pv, path) for node in _line(tree, root, line)})]
    places, count = PLACES, -1
    while count < 0:
        laid, strips = _room(places)
        count, filled = _lay_out(tree, root, limits, shown, laid, strips)
        places *= 4
    nodes, parents, depths, lefts, widths = _first(laid[:5], count)
    taken = Taken(nodes, parents, depths)
    return Icicle(
        **figures_of(tree, taken, pv, number, with_priors),
        view=view,
        lefts=lefts,
        widths=widths,
        strips=Strips(*_first(strips, filled)),
    )


def find_twins(tree: Tree, root: int, of: Icicle) -> Twin:
    """The figures of the nodes of ``of`` in ``tree``, found row by row by their moves."""
    ids = np.full(len(of), -1, np.int32)
    ids[0] = root
    rest = np.zeros(len(of), np.int64)  # visits of the moves at a node, then without those laid out
    visits = np.zeros(len(of), np.int32)
    visits[0] = int(backups_of(tree, tree.slot[ids[:1]])[0])
    ends = np.searchsorted(of.depths, np.arange(int(of.depths[-1]) + 2))
    for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        at = first + np.flatnonzero(ids[first:last] >= 0)
        below = slice(last, np.searchsorted(of.depths, of.depths[first] + 1, "right"))
        if not at.size or below.start >= below.stop:
            rest[at] = _visits_below(tree, ids[at])
            continue
        owners, slots, counts = _children(tree, ids[at])
        rest[at] = np.bincount(owners, counts, at.size).astype(np.int64)
        keys = (at[owners] << 16) | tree.action[tree.child[slots]]
        order = np.argsort(keys)
        moves = (of.parents[below].astype(np.int64) << 16) | of.actions[below]
        if not keys.size:
            continue
        nearest = order[np.minimum(np.searchsorted(keys, moves, sorter=order), keys.size - 1)]
        same = keys[nearest] == moves
        places = np.arange(below.start, below.stop)[same]
        ids[places] = tree.child[slots[nearest[same]]]
        visits[places] = counts[nearest[same]]
    chosen = int(rest[0])
    np.subtract.at(rest, of.parents[1:], visits[1:])
    in_tree = ids >= 0
    slots_of = tree.slot[ids[in_tree]]
    qs = np.full(len(of), np.nan, np.float32)
    proofs = tree.proof[slots_of]
    means = tree.total[slots_of] / np.maximum(backups_of(tree, slots_of), 1)
    qs[in_tree] = np.where(proofs == 0, means, np.array([0, 1, 0, -1])[proofs])
    return Twin(of, chosen, visits, qs, rest[of.strips.parents])


def _visits_below(tree: Tree, nodes: NDArray[np.int32]) -> NDArray[np.int64]:
    owners, _, visits = _children(tree, nodes)
    return np.bincount(owners, visits, nodes.size).astype(np.int64)
