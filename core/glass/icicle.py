"""The layout of a whole tree as an icicle: a row for each ply, widths by share of visits.  Changes no tree.

A node's children lie below it, most visited first, each as wide as its share of the simulations through the node; what
is left free at the right ended at the node itself.  Only nodes at least ``LEAST`` pixels wide in view are opened, or
outside it those that would be with the whole tree in view, so the work is bounded by pixels and not by nodes.  The
children that are narrower lie together, in one strip.

Letters: M nodes laid out, S strips, C children of the nodes of one row.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.glass.nodes import Taken, TreeNodes, figures_of
from core.search.tree import Path, Tree, backups_of, node_at

LEAST: Final = 1.0  # px of a node that is laid out by itself
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


def lay_out(
    tree: Tree, root: int, view: IcicleView, pv: Path = (), number: int = 0, with_priors: bool = True, path: Path = ()
) -> Icicle:
    """The icicle of ``tree`` below ``root``; ``pv``, ``number`` and ``with_priors`` as in ``figures_of``.

    The nodes along ``path`` are laid out however narrow they are, as are those of ``pv`` and ``view.path``."""
    beside = BESIDE * (view.high - view.low)
    low, high = view.low - beside, view.high + beside
    least = LEAST * (view.high - view.low) / max(1, view.pixels)
    overview = LEAST / max(1, view.pixels)
    shown = tree.slot[list({node for line in (view.path, pv, path) for node in _line(tree, root, line)})]
    nodes, parents = np.array([root], np.int32), np.array([-1], np.int32)
    lefts, widths = np.zeros(1), np.ones(1)
    rows = [(nodes, parents, lefts, widths)]
    strips: list[Strips] = []
    before, by_force = 0, np.ones(1, np.bool_)  # places before this row; nodes of it that are on a shown line
    while True:
        limits = np.where((lefts < high) & (lefts + widths > low), least, overview)
        at = np.flatnonzero(((widths >= limits) | by_force) & (tree.num_children[nodes] > 0))
        if not at.size:
            break
        owners, slots, visits = _children(tree, nodes[at])
        backups = np.maximum(backups_of(tree, tree.slot[nodes[at]]), 1)
        shares = widths[at] / backups  # of one simulation
        wides = visits * shares[owners]
        forced = (slots[:, None] == shown).any(axis=1)  # np.isin takes a third of the whole lay-out
        big = (wides >= limits[at][owners]) | forced
        small = ~big
        chosen = np.flatnonzero(big)
        chosen = chosen[np.lexsort((slots[chosen], -visits[chosen], owners[chosen]))]
        of, wide_of = owners[chosen], wides[chosen]
        ends = np.cumsum(wide_of)
        used = np.bincount(of, wide_of, at.size)
        skipped = np.cumsum(used) - used
        left_of = lefts[at][of] + ends - wide_of - skipped[of]
        _add_strips(
            strips, tree, _Children(owners[small], slots[small], visits[small]), lefts[at] + used, shares, before + at
        )
        place = before + nodes.size
        parents = (before + at)[of].astype(np.int32)
        nodes, lefts, widths = tree.child[slots[chosen]], left_of, wide_of
        before, by_force = place, forced[chosen]
        rows.append((nodes, parents, lefts, widths))
    sizes = [row[0].size for row in rows]
    all_nodes, all_parents, all_lefts, all_widths = (np.concatenate(column) for column in zip(*rows, strict=True))
    taken = Taken(all_nodes, all_parents, np.repeat(np.arange(len(rows), dtype=np.int16), sizes))
    return Icicle(
        **figures_of(tree, taken, pv, number, with_priors),
        view=view,
        lefts=all_lefts,
        widths=all_widths,
        strips=_joined(strips),
    )


def _add_strips(
    strips: list[Strips],
    tree: Tree,
    narrow: _Children,
    lefts: NDArray[np.float64],
    shares: NDArray[np.float64],
    places: NDArray[np.int64],
) -> None:
    """Append the strips of the ``narrow`` children of the nodes at ``places``, which begin at ``lefts``."""
    owners, slots, visits = narrow
    if not owners.size:
        return
    n = places.size
    counts = np.bincount(owners, minlength=n)
    total = np.bincount(owners, visits, n)
    worth = np.bincount(owners, tree.total[slots], n)
    backups = np.bincount(owners, backups_of(tree, slots), n)
    filled = np.flatnonzero(counts)
    strips.append(
        Strips(
            places[filled].astype(np.int32),
            lefts[filled],
            total[filled] * shares[filled],
            counts[filled].astype(np.int32),
            total[filled].astype(np.int64),
            (worth[filled] / np.maximum(backups[filled], 1)).astype(np.float32),
        )
    )


def _joined(strips: list[Strips]) -> Strips:
    ints, floats = np.zeros(0, np.int32), np.zeros(0)
    none = Strips(ints, floats, floats, ints, np.zeros(0, np.int64), np.zeros(0, np.float32))
    return Strips(*(np.concatenate(column) for column in zip(none, *strips, strict=True)))


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
