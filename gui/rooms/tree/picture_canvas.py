"""The tree as an interactive picture: pan, zoom, fold, point and select.  Uses one picture and a path.

Nodes move smoothly to their places; a node that is pointed at, or selected in a view the user has set, keeps its place
on screen while the tree grows around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.text import Words
from gui.rooms.tree import picture_look as look
from gui.rooms.tree.picture_camera import Camera
from gui.widgets.icicle.icicle_colours import node_figures
from gui.widgets.keys import ENTER
from gui.widgets.node_card import signs
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tree_canvas import Pointed, TreeCanvas

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.picture import TreePicture
    from gui.model.state import PathOf
    from gui.rooms.tree.picture_scene import Scene

FOLDS = {Qt.Key.Key_Plus: False, Qt.Key.Key_Equal: False, Qt.Key.Key_Minus: True}


class PictureCanvas(TreeCanvas):
    """Paints a scene, which ``take_scene`` provides once its kernels are compiled."""

    played = Signal(object)  # path

    OTHERS = (*FOLDS, *ENTER)
    MISSING: Words = "{line} · not among the {picture} most visited nodes"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("click selects · double click plays there", parent)
        self._scene: Scene | None = None
        self._by_prior = False
        self._mode = "value"
        self._tints: look.Tints | None = None  # made when next needed
        self.camera = Camera()
        self._fresh = True  # show the next picture without animation
        self.setFont(figure_font(self.font()))
        set_texts(self, accessibleName="Picture of the search tree")

    @property
    def scene(self) -> Scene | None:
        return self._scene

    @property
    def nodes(self) -> TreePicture | None:
        return self._scene.picture if self._scene is not None else None

    # contents

    def _take_theme(self) -> None:
        self._colours = look.palette(current_theme())

    def take_scene(self, scene: Scene) -> None:
        self._scene = scene
        self.update()

    def set_by_prior(self, by_prior: bool) -> None:
        """Set whether the edges' widths show priors or visits."""
        self._by_prior = by_prior
        self.update()

    def set_mode(self, mode: str) -> None:
        self._mode = mode
        self._change_look()

    def set_player(self, player: int) -> None:
        super().set_player(player)
        self._tints = None

    def _change_look(self, paint: bool = True) -> None:
        self._tints = None
        super()._change_look(paint)

    def show_picture(self, picture: TreePicture | None, root: Position | None, line: PathOf) -> None:
        """Show a picture of the search from ``root``; ``line`` are the record's moves to it."""
        scene = self._scene
        if scene is None or (picture is scene.picture and line == scene.line):
            return
        elsewhere = self._fresh or line != scene.line
        scene.show(picture, line)
        self._root = root
        if picture is None:
            self._fresh = True
            self.leave()
        elif self._fresh:
            self._fresh = False
            scene.settle()
            self.camera.fit(scene)
        if elsewhere and picture is not None:
            self.camera.find(scene)
        self._start_moving()
        self._change_look()
        self._emit_description()

    def fold(self, path: PathOf, shut: bool | None = None) -> None:
        """Fold or unfold a node (None: toggle)."""
        scene = self._scene
        if scene is None or scene.picture is None:
            return
        if shut is None or shut != (scene.line + path in scene.folded):
            scene.fold(path)
            scene.show(scene.picture, scene.line)
            self._start_moving()
            self.update()

    def fit(self) -> None:
        """Show the whole tree, and keep it in view as it grows."""
        self.camera.automatic = True
        self._start_moving()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a point, by default about the selected node."""
        if at is None:
            v = self._scene.nearest_to(self._path) if self._scene is not None else -1
            at = self._spot(v) if v >= 0 else QPointF(self.width() / 2, self.height() / 2)
        self.camera.zoom(at.x(), at.y(), factor)
        self.update()

    # animation

    def advance(self, seconds: float) -> bool:
        """Advance nodes and view by this much time; True once nothing moves."""
        scene = self._scene
        if scene is None or not len(scene):
            return True
        pointed = self._pointed.path if self._pointed is not None else None
        return self.camera.advance(scene, seconds, pointed, self._path)

    def _spot(self, v: int) -> QPointF:
        assert self._scene is not None
        return QPointF(*self.camera.spot(self._scene, v))

    def bring_into_view(self, path: PathOf) -> None:
        """Bring a node into view if it is outside."""
        scene = self._scene
        if scene is None or (v := scene.nearest_to(path)) < 0:
            return
        self.camera.bring_into_view(scene, v)
        self.update()

    # painting

    def _tints_of(self, picture: TreePicture) -> look.Tints:
        if self._tints is None:
            assert self._root is not None
            sign = signs(picture, self._root.to_move, self.player)
            self._tints = look.Tints(picture, self._mode, node_figures(picture, self._mode, sign), sign)
        return self._tints

    def _paint_pixels(self, pixels: NDArray[np.uint32], ratio: float) -> None:
        scene, lens = self._scene, self.camera.lens
        assert scene is not None
        self._image.fill(current_theme().color("panel"))
        assert scene.picture is not None
        placed, tints = look.place(scene, lens), self._tints_of(scene.picture)
        marked = self._marked
        path = look.Marked(scene.along(marked.path), marked.stage) if marked is not None else None
        look.paint_tree(pixels, ratio, scene, placed, lens.scale, self._by_prior, tints, self._colours, path)

    def _paint_over(self, painter: QPainter) -> None:
        scene, lens, theme = self._scene, self.camera.lens, current_theme()
        assert scene is not None
        assert scene.picture is not None
        assert self._root is not None
        placed, tints = look.place(scene, lens), self._tints_of(scene.picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        game, area = self._root.game, QRectF(self.rect())
        look.paint_texts(painter, area, scene, placed, lens.row, game, self.font(), theme, tints)
        chosen, whole = scene.nearest_to(self._path), scene.index_of(self._path) >= 0
        pointed = scene.index_of(self._pointed.path) if self._pointed is not None else -1
        matches = scene.drawn_places(self.matches)
        look.paint_rings(painter, scene, placed, chosen, whole, pointed, matches, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.camera.width, self.camera.height = self.width(), self.height()
        if self._scene is not None and self._scene.picture is not None:
            self.camera.fit(self._scene)
            self.update()

    # mouse and keys

    def thing_at(self, point: QPointF) -> Pointed | None:
        scene = self._scene
        if scene is None or scene.picture is None:
            return None
        v = look.place(scene, self.camera.lens).at(point.x(), point.y())
        return Pointed(scene.path_of(v)) if v >= 0 else None

    def spot_of(self, path: PathOf) -> QPointF | None:
        """Return the position of the node at ``path`` in the widget; None if it is not shown."""
        v = self._scene.index_of(path) if self._scene is not None else -1
        return self._spot(v) if v >= 0 else None

    def _pointed_spot(self) -> QRectF | None:
        spot = self.spot_of(self._pointed.path) if self._pointed is not None else None
        return QRectF(spot, spot) if spot is not None else None

    def _pan(self, dx: float, dy: float) -> None:
        self.camera.move(dx, dy)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        thing = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.MiddleButton and thing is not None:
            self.fold(thing.path)
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        thing = self.thing_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and thing is not None and thing.path:
            self._pressed = None
            self.leave()
            self.played.emit(thing.path)

    def leave(self) -> None:
        if self._pointed is not None:
            self._start_moving()  # the view may follow the tree again
        super().leave()

    def _walk(self, step: str) -> PathOf:
        return self._scene.walk(self._path, step) if self._scene is not None else ()

    def _take_key(self, key: Qt.Key) -> bool:
        if key in FOLDS:
            self.fold(self._path, FOLDS[key])
        elif key in ENTER and self._path:
            self.played.emit(self._path)
        else:
            return False
        return True
