"""The view of a tree's picture while its nodes move: the whole tree, or with one node held in place on screen.

Uses a scene and a size, no widget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.rooms.tree.picture_lens import Lens, fit
from gui.rooms.tree.picture_look import place

if TYPE_CHECKING:
    from gui.model.state import PathOf
    from gui.rooms.tree.picture_scene import Scene

EDGE = 40  # px that a node brought into view keeps from the border
APPROACH = 9.0  # rate per second at which the view approaches the whole tree


class Camera:
    """The view's state; ``automatic``: the whole tree stays in view, until the user pans or zooms."""

    def __init__(self) -> None:
        self.lens = Lens()
        self.automatic = True
        self.width = self.height = 1  # px

    def fitted(self, scene: Scene) -> Lens:
        """Return the lens that shows the whole tree."""
        return fit(scene.extent(), self.width, self.height)

    def fit(self, scene: Scene) -> None:
        """Show the whole tree at once, if ``automatic``."""
        if self.automatic:
            self.lens = self.fitted(scene)

    def spot(self, scene: Scene, v: int) -> tuple[float, float]:
        """Return a node's position in pixels."""
        return self.lens.at(float(scene.x[v]), float(scene.y[v]))

    def move(self, dx: float, dy: float) -> None:
        self.automatic = False
        self.lens = self.lens.moved(dx, dy)

    def zoom(self, x: float, y: float, factor: float) -> None:
        """Zoom about a point."""
        self.automatic = False
        self.lens = self.lens.zoomed(x, y, factor)

    def bring_into_view(self, scene: Scene, v: int) -> None:
        """Bring a node into view if it is outside."""
        x, y = self.spot(scene, v)
        dx = min(0.0, self.width - EDGE - x) + max(0.0, EDGE - x)
        dy = min(0.0, self.height - EDGE - y) + max(0.0, EDGE - y)
        if dx or dy:
            self.move(dx, dy)

    def find(self, scene: Scene) -> None:
        """Bring the root into view if no node is in view, for example after a move."""
        if not self._in_sight(scene).any():
            x, y = self.spot(scene, scene.nearest_to(()))
            self.lens = self.lens.moved(self.width / 2 - x, EDGE - y)

    def _in_sight(self, scene: Scene) -> NDArray[np.bool_]:
        """Return which nodes are in view, bool [V]."""
        placed = place(scene, self.lens)
        return np.asarray((placed.xs >= 0) & (placed.xs < self.width) & (placed.ys >= 0) & (placed.ys < self.height))

    def advance(self, scene: Scene, seconds: float, pointed: PathOf | None, selected: PathOf) -> bool:
        """Advance nodes and view by this much time; True once nothing moves."""
        held = self._held(scene, pointed, selected)
        before = self.spot(scene, held) if held >= 0 else (0.0, 0.0)
        scene.move(seconds)
        if held >= 0:
            x, y = self.spot(scene, held)
            self.lens = self.lens.moved(before[0] - x, before[1] - y)
        settled = scene.still
        if self.automatic and pointed is None:
            goal = self.fitted(scene)
            self.lens = self.lens.towards(goal, min(1.0, seconds * APPROACH))
            settled = settled and self.lens == goal
        return settled

    def _held(self, scene: Scene, pointed: PathOf | None, selected: PathOf) -> int:
        """Return the node that keeps its place on screen; -1 when the whole tree is kept in view.

        It is the one under the pointer, else the selected one, else the one nearest to the middle.
        """
        if pointed is not None:
            return scene.nearest_to(pointed)
        if self.automatic:
            return -1
        v = scene.nearest_to(selected)
        x, y = self.spot(scene, v)
        if 0 <= x < self.width and 0 <= y < self.height:
            return v
        placed, visible = place(scene, self.lens), self._in_sight(scene)
        far = np.hypot(placed.xs - self.width / 2, placed.ys - self.height / 2)
        return int(np.argmin(np.where(visible, far, np.inf) if visible.any() else far))
