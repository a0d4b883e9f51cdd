"""Positions of the nodes of a tree's picture and their animation, with folded nodes.

Letters: V nodes shown, in the order in which the search created them, so siblings never change sides.  World units: x
in pixels at scale 1, y in plies.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.rooms.tree.picture_layout import straightened, tidy

if TYPE_CHECKING:
    from core.glass.picture import TreePicture
    from gui.model.state import PathOf

SETTLE_S = 0.085  # time constant: after this long 1/e of a node's way is left
STILL = 0.05  # a node closer to its target than this is set to it
GAP = 7.0
_NONE = np.zeros(0, np.int32)


def radii_of(visits: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the world radius of nodes by log2 of their visits, in steps, so that one more visit moves nothing."""
    steps = np.floor(np.log2(np.maximum(visits, 1)) + 1e-9)
    return np.asarray(np.minimum(5.0 + 1.25 * steps, 30.0))


class Scene:
    """The shown part of one picture, with positions that move smoothly from picture to picture."""

    def __init__(self) -> None:
        self.picture: TreePicture | None = None
        self.folded: set[PathOf] = set()  # paths from the record's start
        self.line: PathOf = ()  # moves from the record's start to the picture's root
        self._clear()

    def _clear(self) -> None:
        self.places: NDArray[np.int32] = _NONE  # [V] in the picture
        self.ids: NDArray[np.int32] = _NONE  # [V] ascending
        self.parents: NDArray[np.int32] = _NONE  # [V] index here, -1 for the root
        self.order: NDArray[np.int32] = _NONE  # [V] least visited first: the painting order
        self.shut: NDArray[np.bool_] = np.zeros(0, np.bool_)  # [V] folded
        self.on_line: NDArray[np.bool_] = np.zeros(0, np.bool_)  # [V] on the principal variation
        self.radii = self.x = self.y = self.to_x = self.to_y = np.zeros(0)  # [V]
        self._at: NDArray[np.int32] = _NONE  # place in the picture -> here, -1 when hidden

    def __len__(self) -> int:
        return int(self.ids.size)

    # contents

    def show(self, picture: TreePicture | None, line: PathOf) -> None:
        """Show another picture whose root is reached by ``line``; known nodes start from their present position."""
        if picture is None:
            self.picture = None
            self._clear()
            return
        before = self.picture
        places = self._visible(picture, line)
        places = places[np.argsort(picture.ids[places])]
        at = np.full(len(picture), -1, np.int32)
        at[places] = np.arange(places.size, dtype=np.int32)
        above = picture.parents[places]
        parents = np.where(above >= 0, at[above], -1).astype(np.int32)
        radii = radii_of(picture.visits[places])
        to_x = tidy(parents, 2 * radii, GAP)
        to_y = picture.depths[places].astype(np.float64)
        drawn = at[picture.pv]
        drawn = drawn[drawn >= 0]
        to_x = straightened(to_x, radii, parents, picture.depths[places].astype(np.int64), drawn.tolist(), GAP)
        old = self._earlier(before, picture, places, parents, line)
        x, y = to_x.copy(), to_y.copy()
        kept = old >= 0
        x[kept], y[kept] = self.x[old[kept]], self.y[old[kept]]
        if kept.any():
            fresh = np.flatnonzero(~kept)
            for depth in np.unique(picture.depths[places[fresh]]).tolist():
                level = fresh[picture.depths[places[fresh]] == depth]
                level = level[parents[level] >= 0]
                x[level], y[level] = x[parents[level]], y[parents[level]]  # new nodes start at their parents
        self.picture, self.line = picture, line
        self.places, self.ids, self.parents, self._at = places, picture.ids[places], parents, at
        self.radii, self.x, self.y, self.to_x, self.to_y = radii, x, y, to_x, to_y
        self.order = at[at >= 0][::-1].copy()
        self.on_line = np.zeros(places.size, np.bool_)
        self.on_line[drawn] = True
        self.shut = np.zeros(places.size, np.bool_)
        for path in self._folds(picture, line):
            if at[path] >= 0:
                self.shut[at[path]] = True

    def _folds(self, picture: TreePicture, line: PathOf) -> list[int]:
        """Return the places of the folded nodes."""
        n = len(line)
        below = [picture.place_of(path[n:]) for path in self.folded if path[:n] == line]
        return [place for place in below if place >= 0 and picture.num_children[place] > 0]

    def _visible(self, picture: TreePicture, line: PathOf) -> NDArray[np.int32]:
        """Return the places that no folded node hides."""
        shut = self._folds(picture, line)
        if not shut:
            return np.arange(len(picture), dtype=np.int32)
        hides = np.zeros(len(picture), np.bool_)
        hides[shut] = True
        hidden = np.zeros(len(picture), np.bool_)
        for depth in range(1, int(picture.depths.max()) + 1):
            level = np.flatnonzero(picture.depths == depth)
            above = picture.parents[level]
            hidden[level] = hidden[above] | hides[above]
        return np.flatnonzero(~hidden).astype(np.int32)

    def _earlier(
        self,
        before: TreePicture | None,
        picture: TreePicture,
        places: NDArray[np.int32],
        parents: NDArray[np.int32],
        line: PathOf,
    ) -> NDArray[np.int64]:
        """Return for each node its index in what is shown now; -1 if it was not shown."""
        old = np.full(places.size, -1, np.int64)
        if before is None or not len(self):
            return old
        if before.tree == picture.tree:
            ids = picture.ids[places]
            nearest = np.minimum(np.searchsorted(self.ids, ids), self.ids.size - 1)
            same = self.ids[nearest] == ids
            old[same] = nearest[same]
            return old
        if line[: len(self.line)] != self.line:
            return old
        root = before.place_of(line[len(self.line) :])  # the tree was renumbered: match nodes by their moves
        if root < 0:
            return old
        below = {
            (parent, action): place
            for place, (parent, action) in enumerate(zip(before.parents.tolist(), before.actions.tolist(), strict=True))
        }
        was = np.full(places.size, -1, np.int64)
        was[0] = root
        actions = picture.actions[places].tolist()
        for i, parent in enumerate(parents.tolist()):
            if i and was[parent] >= 0:
                was[i] = below.get((int(was[parent]), actions[i]), -1)
        kept = was >= 0
        old[kept] = self._at[was[kept]]
        return old

    def drawn_places(self, places: NDArray[np.int64]) -> list[int]:
        """Return the nodes shown of these places in the picture."""
        drawn = self._at[places]
        return [int(v) for v in drawn[drawn >= 0]]

    # animation

    @property
    def still(self) -> bool:
        """Whether every node has reached its place."""
        return bool(np.array_equal(self.x, self.to_x) and np.array_equal(self.y, self.to_y))

    def move(self, seconds: float) -> None:
        """Move the nodes towards their places."""
        share = 1.0 - math.exp(-seconds / SETTLE_S)
        for now, to, near in ((self.x, self.to_x, STILL), (self.y, self.to_y, STILL / 20)):
            now += (to - now) * share
            close = np.abs(to - now) < near
            now[close] = to[close]

    def settle(self) -> None:
        """Put every node in its place at once."""
        self.x, self.y = self.to_x.copy(), self.to_y.copy()

    def extent(self) -> tuple[float, float, float]:
        """Return (left, right, plies) of the nodes' final places."""
        if not len(self):
            return 0.0, 0.0, 0.0
        left, right = self.to_x - self.radii, self.to_x + self.radii
        return float(left.min()), float(right.max()), float(self.to_y.max())

    # look-up

    def index_of(self, path: PathOf) -> int:
        """Return the shown node at ``path`` from the root; -1 if there is none."""
        if self.picture is None:
            return -1
        place = self.picture.place_of(path)
        return int(self._at[place]) if place >= 0 else -1

    def along(self, path: PathOf) -> list[int]:
        """Return the shown nodes along ``path``, the root first."""
        places = self.picture.along(path) if self.picture is not None else []
        return [v for v in self._at[places].tolist() if v >= 0]

    def nearest_to(self, path: PathOf) -> int:
        """Return the shown node at ``path``, or its nearest shown ancestor."""
        for length in range(len(path), -1, -1):
            if (index := self.index_of(path[:length])) >= 0:
                return index
        return -1

    def path_of(self, index: int) -> PathOf:
        assert self.picture is not None
        return self.picture.path_of(int(self.places[index]))

    def children_of(self, index: int) -> NDArray[np.int64]:
        """Return the shown children from left to right."""
        return np.flatnonzero(self.parents == index)

    def fold(self, path: PathOf) -> bool:
        """Fold or unfold the node at ``path``; True if it is folded now.  ``show`` applies it."""
        whole = self.line + path
        if whole in self.folded:
            self.folded.remove(whole)
            return False
        self.folded.add(whole)
        return True

    # moving by keys

    def walk(self, path: PathOf, step: str) -> PathOf:
        """Return the path one step "up", "down" (PV, else most visited child), "left", "right" (siblings) or "home"."""
        node = self.nearest_to(path)
        if node < 0 or step == "home":
            return ()
        if step == "up":
            return path[:-1]
        if step == "down":
            children = self.children_of(node)
            if not children.size:
                return self.path_of(node)
            on_line = children[self.on_line[children]]
            best = on_line[0] if on_line.size else children[np.argmin(self.places[children])]
            return self.path_of(int(best))
        siblings = self.children_of(int(self.parents[node])).tolist() if self.parents[node] >= 0 else [node]
        i = siblings.index(node) + (1 if step == "right" else -1)
        return self.path_of(siblings[max(0, min(len(siblings) - 1, i))])
