"""An icicle on its way from one layout to the next: nodes keep their identity and move smoothly.

All go the same share of their ways, so a node never leaves its parent.  Letters: M nodes, S strips.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.glass.icicle import Icicle
    from gui.model.state import PathOf

SETTLE_S = 0.05  # time constant: after this long 1/e of the way is left
STILL = 1e-9  # of the root's width: nearer to its place a node is set to it
Floats = NDArray[np.float64]


class IcicleScene:
    """The icicle shown and where its nodes and strips are now, in parts of the root's width."""

    def __init__(self) -> None:
        self.icicle: Icicle | None = None
        self.line: PathOf = ()  # moves from the record's start to the icicle's root
        self.lefts = self.widths = self.strip_lefts = self.strip_widths = np.zeros(0)
        self.rows = np.zeros(1, np.int64)  # [rows + 1] where each row begins
        self._now = self._to = np.zeros((2, 0))  # [2, M + S] left and width of nodes and strips, and where they go
        self.still = True

    def show(self, icicle: Icicle | None, line: PathOf) -> None:
        """Show another icicle whose root is reached by ``line``; nodes of the same tree start where they are."""
        before, self.icicle = self.icicle, icicle
        same = icicle is not None and before is not None and before.tree == icicle.tree and line == self.line
        same = same and before is not None and icicle is not None and before.ids[0] == icicle.ids[0]
        self.line = line
        if icicle is None:
            self.lefts = self.widths = self.strip_lefts = self.strip_widths = np.zeros(0)
            self.rows, self.still = np.zeros(1, np.int64), True
            return
        self.rows = np.searchsorted(icicle.depths, np.arange(int(icicle.depths[-1]) + 2))
        strips = icicle.strips
        self._to = np.stack([np.append(icicle.lefts, strips.lefts), np.append(icicle.widths, strips.widths)])
        now = self._begin(icicle, before) if same and before is not None else self._to
        self.still = bool(np.array_equal(now, self._to))
        self._place(now)

    def _begin(self, icicle: Icicle, before: Icicle) -> Floats:
        """Return where nodes and strips begin: those known where they are, others in their parts of the parent."""
        now, m = self._to.copy(), len(icicle)
        placed = np.zeros(now.shape[1], np.bool_)
        for first, old_first, old_ids, new_ids in (
            (0, 0, before.ids, icicle.ids),
            (m, len(before), before.ids[before.strips.parents], icicle.ids[icicle.strips.parents]),
        ):
            new, old = _matched(old_ids, new_ids)
            now[:, first + new] = self._now[:, old_first + old]
            placed[first + new] = True
        parents = np.append(icicle.parents, icicle.strips.parents)
        rows = [*zip(self.rows[1:-1].tolist(), self.rows[2:].tolist(), strict=True), (m, placed.size)]
        for first, last in rows:  # the strips last: their parents are all placed by then
            new = first + np.flatnonzero(~placed[first:last])
            above = parents[new]
            scale = now[1, above] / icicle.widths[above]
            now[0, new] = now[0, above] + (self._to[0, new] - icicle.lefts[above]) * scale
            now[1, new] = self._to[1, new] * scale
        return now

    def move(self, seconds: float, unseen: float = 0.0) -> None:
        """Move nodes and strips towards their places; they are there once all are nearer than ``unseen``."""
        way = (self._to - self._now) * math.exp(-seconds / SETTLE_S)
        most = max(np.abs(way[0]).max(initial=0.0), np.abs(way[0] + way[1]).max(initial=0.0))  # of an edge
        if most < max(unseen, STILL):
            self.settle()
        else:
            self._place(self._to - way)

    def settle(self) -> None:
        """Put everything in its place at once."""
        self.still = True
        self._place(self._to)

    def _place(self, now: Floats) -> None:
        assert self.icicle is not None
        self._now, m = now, len(self.icicle)
        self.lefts, self.widths = now[:, :m]
        self.strip_lefts, self.strip_widths = now[:, m:]

    # look-up

    def node_at(self, row: int, x: float) -> int:
        """Return the node of a row at ``x`` of the root's width; -1 if there is none."""
        if not 0 <= row < self.rows.size - 1:
            return -1
        first, last = int(self.rows[row]), int(self.rows[row + 1])
        left = self.lefts[first:last]
        boxes = np.flatnonzero((left <= x) & (x < left + self.widths[first:last]))
        return first + int(boxes[-1]) if boxes.size else -1

    def strip_at(self, row: int, x: float) -> int:
        """Return the strip of a row at ``x``; -1 if there is none."""
        if self.icicle is None:
            return -1
        strips = np.flatnonzero(
            (self.icicle.depths[self.icicle.strips.parents] == row - 1)
            & (self.strip_lefts <= x)
            & (x < self.strip_lefts + self.strip_widths)
        )
        return int(strips[0]) if strips.size else -1

    def nearest_to(self, path: PathOf) -> int:
        """Return the node at ``path``, or its nearest ancestor laid out; -1 if nothing is shown."""
        return self.icicle.along(path)[-1] if self.icicle is not None else -1

    def covering(self, low: float, high: float) -> int:
        """Return the deepest node that covers the width from ``low`` to ``high``."""
        slack = 1e-6 * (high - low)
        boxes = np.flatnonzero((self.lefts <= low + slack) & (self.lefts + self.widths >= high - slack))
        return int(boxes[-1]) if boxes.size else 0

    def walk(self, path: PathOf, step: str) -> PathOf:
        """Return the path one step "up", "down" (PV, else most visited child), "left", "right" (siblings) or "home"."""
        icicle, place = self.icicle, self.nearest_to(path)
        if icicle is None or step == "home":
            return ()
        if step == "up":
            return path[:-1]
        if step == "down":
            below = np.flatnonzero(icicle.parents == place)
            if not below.size:
                return icicle.path_of(place)
            on_line = below[np.isin(below, icicle.pv)]
            return icicle.path_of(int(on_line[0] if on_line.size else below[0]))
        beside = place + (1 if step == "right" else -1)  # siblings are neighbours
        same = place > 0 and 0 < beside < len(icicle) and icicle.parents[beside] == icicle.parents[place]
        return icicle.path_of(beside if same else place)


def _matched(old: NDArray[np.int32], new: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places in ``new`` of the ids that are in ``old``, too, and their places there."""
    _, in_new, in_old = np.intersect1d(new, old, assume_unique=True, return_indices=True)
    return in_new, in_old
