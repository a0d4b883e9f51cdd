"""Straightening of one line of a tidy drawing: its nodes below each other, the other subtrees packed on both sides.

Letters: M nodes, parents before their children.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Extent = tuple[list[float], list[float]]  # of each ply from a subtree's root on, its left and right ends


def straightened(
    xs: Floats, radii: Floats, parents: NDArray[np.int32], depths: NDArray[np.int64], line: list[int], gap: float
) -> Floats:
    """Return the x of the nodes, float64 [M], such that those of ``line``, from the root on, are at 0.

    Each subtree that hangs on the line keeps its form and its side of the line; what hangs on the last node of the line
    stays below it.  ``gap`` is the space between subtrees."""
    n = parents.size
    on_line = np.zeros(n, np.bool_)
    on_line[line] = True
    last = line[-1]
    tops = np.full(n, -1, np.int64)  # the root of the hanging subtree that a node is in; -1 on the line
    for ply in range(1, int(depths.max(initial=0)) + 1):
        level = np.flatnonzero((depths == ply) & ~on_line)
        above = parents[level]
        tops[level] = np.where(on_line[above] & (above != last), level, np.where(above == last, last, tops[above]))
    tops[last] = last
    extents = _extents(xs, radii, depths, tops)
    shifts = np.zeros(n)
    right = [0.0] * (int(depths.max(initial=0)) + 1)  # where the packed subtrees of a side end, by ply
    left = right.copy()
    for ply, v in enumerate(line):
        right[ply], left[ply] = float(radii[v]), -float(radii[v])
    first = int(depths[last])
    for ply, ends in enumerate(zip(*extents[last], strict=True), first):
        left[ply], right[ply] = ends
    children: dict[int, list[int]] = {}
    for v in np.unique(tops[tops >= 0]).tolist():
        if v != last:
            children.setdefault(int(parents[v]), []).append(v)
    for parent, below in reversed(list(pairwise(line))):
        hanging = children.get(parent, [])
        for v in [v for v in hanging if v > below]:
            lows, highs = extents[v]
            plies = range(int(depths[v]), int(depths[v]) + len(lows))
            shift = max(right[p] - a for p, a in zip(plies, lows, strict=True)) + gap
            right[plies.start : plies.stop] = [shift + b for b in highs]
            shifts[v] = shift
        for v in reversed([v for v in hanging if v < below]):
            lows, highs = extents[v]
            plies = range(int(depths[v]), int(depths[v]) + len(lows))
            shift = min(left[p] - b for p, b in zip(plies, highs, strict=True)) - gap
            left[plies.start : plies.stop] = [shift + a for a in lows]
            shifts[v] = shift
    hung = tops >= 0
    result = np.zeros(n)
    result[hung] = xs[hung] - xs[tops[hung]] + shifts[tops[hung]]
    return result


def _extents(xs: Floats, radii: Floats, depths: NDArray[np.int64], tops: NDArray[np.int64]) -> dict[int, Extent]:
    """Return the extent of each hanging subtree, relative to its root."""
    hung = np.flatnonzero(tops >= 0)
    plies = int(depths.max(initial=0)) + 1
    keys = tops[hung] * plies + depths[hung]
    order = np.argsort(keys, kind="stable")
    hung, keys = hung[order], keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    away = xs[hung] - xs[tops[hung]]
    lows = np.minimum.reduceat(away - radii[hung], starts).tolist()
    highs = np.maximum.reduceat(away + radii[hung], starts).tolist()
    found: dict[int, Extent] = {}
    for top, low, high in zip(tops[hung[starts]].tolist(), lows, highs, strict=True):
        of = found.setdefault(top, ([], []))
        of[0].append(low)
        of[1].append(high)
    return found
