"""The layout of the tree's picture: a tidy drawing, with one line of it straightened."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable

# Rows of the integer scratch.
_FIRST, _LAST, _LEFT, _RIGHT, _THREAD, _ANCESTOR, _NUMBER = range(7)
# Rows of the float scratch.
_PRELIM, _MOD, _CHANGE, _SHIFT, _MIDDLE = range(5)
COUSINS = 1.5  # gap between nodes of different parents, as a multiple of the gap between siblings


@jitable
def _next_left(links: NDArray[np.int32], v: int) -> int:
    """Return the next node down the left contour of ``v``'s subtree; -1 at its end."""
    return int(links[_FIRST, v] if links[_FIRST, v] >= 0 else links[_THREAD, v])


@jitable
def _next_right(links: NDArray[np.int32], v: int) -> int:
    return int(links[_LAST, v] if links[_LAST, v] >= 0 else links[_THREAD, v])


@jitable
def _apportion(
    v: int, default: int, links: NDArray[np.int32], numbers: NDArray[np.float64], parents: NDArray[np.int32],
    widths: NDArray[np.float64], gap: float
) -> int:  # fmt: skip
    """Move the subtree of ``v`` clear of those to its left; return the new default ancestor.

    Letters as in the paper: i inside, o outside, p the right (v's) and m the left contour.
    """
    left = links[_LEFT, v]
    if left < 0:
        return default
    prelim, mod = numbers[_PRELIM], numbers[_MOD]
    vip = vop = v
    vim = left
    vom = links[_FIRST, parents[v]]
    sip = sop = mod[v]
    sim, som = mod[vim], mod[vom]
    down, along = _next_right(links, vim), _next_left(links, vip)
    while down >= 0 and along >= 0:
        vim, vip = down, along
        vom, vop = _next_left(links, vom), _next_right(links, vop)
        links[_ANCESTOR, vop] = v
        apart = (widths[vim] + widths[vip]) / 2 + gap * COUSINS
        shift = (prelim[vim] + sim) - (prelim[vip] + sip) + apart
        if shift > 0:
            above = links[_ANCESTOR, vim]
            if parents[above] != parents[v]:
                above = default
            parts = links[_NUMBER, v] - links[_NUMBER, above]
            numbers[_CHANGE, v] -= shift / parts
            numbers[_SHIFT, v] += shift
            numbers[_CHANGE, above] += shift / parts
            prelim[v] += shift
            mod[v] += shift
            sip += shift
            sop += shift
        sim += mod[vim]
        sip += mod[vip]
        som += mod[vom]
        sop += mod[vop]
        down, along = _next_right(links, vim), _next_left(links, vip)
    if down >= 0 and _next_right(links, vop) < 0:
        links[_THREAD, vop] = down
        mod[vop] += sim - sop
    if along >= 0 and _next_left(links, vom) < 0:
        links[_THREAD, vom] = along
        mod[vom] += sip - som
        default = v
    return default


@jit
def _place_nodes(
    parents: NDArray[np.int32], widths: NDArray[np.float64], gap: float, links: NDArray[np.int32],
    numbers: NDArray[np.float64], xs: NDArray[np.float64]
) -> None:  # fmt: skip
    """Fill ``xs`` [M]; ``links`` [7, M] and ``numbers`` [5, M] are scratch.  Siblings are in the order of places."""
    n = parents.size
    prelim, mod = numbers[_PRELIM], numbers[_MOD]
    for v in range(n):
        for row in range(6):
            links[row, v] = -1
        links[_ANCESTOR, v] = v
        links[_NUMBER, v] = 0
        for row in range(5):
            numbers[row, v] = 0.0
        p = parents[v]
        if p >= 0:
            last = links[_LAST, p]
            links[_LEFT, v] = last
            if last >= 0:
                links[_RIGHT, last] = v
                links[_NUMBER, v] = links[_NUMBER, last] + 1
            else:
                links[_FIRST, p] = v
            links[_LAST, p] = v
    # Places run from parents to children, so in reverse order every subtree is complete before its parent.
    for p in range(n - 1, -1, -1):
        first = links[_FIRST, p]
        if first < 0:
            continue
        default = first
        v = first
        while v >= 0:
            left = links[_LEFT, v]
            if left >= 0:
                prelim[v] = prelim[left] + (widths[left] + widths[v]) / 2 + gap
                if links[_FIRST, v] >= 0:
                    mod[v] = prelim[v] - numbers[_MIDDLE, v]
            else:
                prelim[v] = numbers[_MIDDLE, v]
            default = _apportion(v, default, links, numbers, parents, widths, gap)
            v = links[_RIGHT, v]
        shift = change = 0.0
        v = links[_LAST, p]
        while v >= 0:
            prelim[v] += shift
            mod[v] += shift
            change += numbers[_CHANGE, v]
            shift += numbers[_SHIFT, v] + change
            v = links[_LEFT, v]
        numbers[_MIDDLE, p] = (prelim[first] + prelim[links[_LAST, p]]) / 2
    prelim[0] = numbers[_MIDDLE, 0]
    # numbers[_SHIFT] now sums the shifts of all ancestors of a node.
    for v in range(n):
        p = parents[v]
        numbers[_SHIFT, v] = numbers[_SHIFT, p] + mod[p] if p >= 0 else -prelim[0]
        xs[v] = prelim[v] + numbers[_SHIFT, v]


def tidy(parents: NDArray[np.int32], widths: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return the x of each node on its level, float64 [M], the root at 0.

    ``parents`` int32 [M]: places, -1 for the root, which is the first; siblings are in the order of their places.
    ``widths`` float64 [M] and ``gap``, the space between siblings, share the unit of the result.
    """
    n = parents.size
    xs = np.zeros(n)
    if n:
        _place_nodes(parents, widths, gap, np.empty((7, n), np.int32), np.empty((5, n)), xs)
    return xs


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
    extents: dict[int, Extent] = {}
    for top, low, high in zip(tops[hung[starts]].tolist(), lows, highs, strict=True):
        of = extents.setdefault(top, ([], []))
        of[0].append(low)
        of[1].append(high)
    return extents
