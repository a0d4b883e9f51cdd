"""The tree as an interactive picture: pan, zoom, fold, point and select.  Knows one picture and a path.

Nodes move smoothly to their places; a node that is pointed at, or selected in a view the user has set, keeps its place
on screen while the tree grows around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.model.timers import make_timer
from gui.rooms.picture import picture_look as look
from gui.rooms.picture.picture_camera import Camera
from gui.rooms.picture.picture_card import NodeCard, path_text
from gui.rooms.picture.picture_keys import FOLDS, OTHERS, WALKS, is_own
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.picture import TreePicture
    from gui.model.state import PathOf
    from gui.rooms.picture.picture_scene import Scene

FRAME_MS = 16
HOVER_MS = 130
ZOOM_STEP = 1.25
DRAG = 4  # px of movement that make a press a drag


class PictureCanvas(QWidget):
    """Paints a scene, which ``take_scene`` provides once its kernels are compiled."""

    selected = Signal(object)  # path
    played = Signal(object)  # path
    described = Signal(str)  # the selected node, in one line

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme(self, self._dress)
        self._scene: Scene | None = None
        self._root: Position | None = None
        self._chosen: tuple[Position | None, PathOf] = (None, ())  # the selected path, and the position where it starts
        self._by_prior = False
        self._message = ""
        self.camera = Camera()
        self._fresh = True  # show the next picture without animation
        self._image = QImage()
        self._pixels = np.zeros((1, 1), np.uint32)  # the image's memory
        self._pressed: QPointF | None = None
        self._dragged = False
        self._pointed: PathOf | None = None
        self.card = NodeCard(self)
        self._clock = QElapsedTimer()
        self._frames = QTimer(self)
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._next_frame)
        self._hover = make_timer(self, HOVER_MS, self._show_card, once=True)
        self.setFont(figure_font(self.font()))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 140)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        set_texts(self, accessibleName="Picture of the search tree")
        on_language(self, self._retranslate)

    def sizeHint(self) -> QSize:
        return QSize(700, 420)

    @property
    def scene(self) -> Scene | None:
        return self._scene

    @property
    def moving(self) -> bool:
        """Whether nodes or the view are still moving."""
        return self._frames.isActive()

    # contents

    def _dress(self) -> None:
        self._colours = look.palette(current_theme())

    def take_scene(self, scene: Scene) -> None:
        self._scene = scene
        self.update()

    def set_message(self, text: str) -> None:
        """Set the message shown while there is no tree."""
        if text != self._message:
            self._message = text
            self.update()

    def set_by_prior(self, by_prior: bool) -> None:
        """Set whether the edges' widths show priors or visits."""
        self._by_prior = by_prior
        self.update()

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
            self._leave()
        elif self._fresh:
            self._fresh = False
            scene.settle()
            self.camera.fit(scene)
        if elsewhere and picture is not None:
            self.camera.find(scene)
        self._start_moving()
        self.update()
        self._emit_description()

    @property
    def root(self) -> Position | None:
        """The position at the root of the tree shown; None while there is none."""
        return self._root

    @property
    def _path(self) -> PathOf:
        """The selected path in the tree shown; () while the picture of another position is still on screen."""
        of, path = self._chosen
        return path if of == self._root else ()

    def select_path(self, path: PathOf, of: Position | None) -> None:
        """Mark the node at ``path`` below a position without emitting ``selected``."""
        if (of, path) != self._chosen:
            self._chosen = of, path
            self._emit_description()
            self.update()

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

    def _start_moving(self) -> None:
        if not self._frames.isActive():
            self._clock.start()
            self._frames.start()

    def _next_frame(self) -> None:
        if self.advance(min(0.1, self._clock.restart() / 1000)):
            self._frames.stop()
        self.update()

    def advance(self, seconds: float) -> bool:
        """Advance nodes and view by this much time; True once nothing moves."""
        scene = self._scene
        if scene is None or not len(scene):
            return True
        return self.camera.advance(scene, seconds, self._pointed, self._path)

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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        scene, theme = self._scene, current_theme()
        if scene is None or scene.picture is None or self._root is None:
            painter.fillRect(self.rect(), theme.color("panel"))
            painter.setPen(theme.color("dim"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._message)
            return
        ratio = self.devicePixelRatioF()
        wide, high = max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))
        if self._pixels.shape != (high, wide):
            self._image = QImage(wide, high, QImage.Format.Format_RGB32)
            self._pixels = np.frombuffer(self._image.bits(), np.uint32).reshape(high, wide)
        self._image.fill(theme.color("panel"))
        lens = self.camera.lens
        placed = look.place(scene, lens)
        look.paint_tree(self._pixels, ratio, scene, placed, lens.scale, self._by_prior, self._colours)
        self._image.setDevicePixelRatio(ratio)
        painter.drawImage(0, 0, self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        game, area = self._root.game, QRectF(self.rect())
        look.paint_texts(painter, area, scene, placed, lens.row, game, self.font(), theme)
        chosen, whole = scene.nearest_to(self._path), scene.index_of(self._path) >= 0
        pointed = scene.index_of(self._pointed) if self._pointed is not None else -1
        look.paint_rings(painter, scene, placed, chosen, whole, pointed, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.camera.width, self.camera.height = self.width(), self.height()
        if self._scene is not None and self._scene.picture is not None:
            self.camera.fit(self._scene)
            self.update()

    # mouse

    def path_at(self, point: QPointF) -> PathOf | None:
        """Return the path of the node under a point; None if there is none."""
        scene = self._scene
        if scene is None or scene.picture is None:
            return None
        v = look.place(scene, self.camera.lens).at(point.x(), point.y())
        return scene.path_of(v) if v >= 0 else None

    def spot_of(self, path: PathOf) -> QPointF | None:
        """Return the position of the node at ``path`` in the widget; None if it is not shown."""
        v = self._scene.index_of(path) if self._scene is not None else -1
        return self._spot(v) if v >= 0 else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        path = self.path_at(event.position())
        if event.button() == Qt.MouseButton.MiddleButton and path is not None:
            self.fold(path)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None:
            step = event.position() - self._pressed
            if self._dragged or step.manhattanLength() > DRAG:
                self._dragged = True
                self._leave()
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.camera.move(step.x(), step.y())
                self._pressed = event.position()
                self.update()
            return
        path = self.path_at(event.position())
        if path != self._pointed:
            self._leave()
            self._pointed = path
            if path is not None:
                self._hover.start()
            self.setCursor(Qt.CursorShape.ArrowCursor if path is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        dragged, self._pressed = self._dragged, None
        self.unsetCursor()
        path = self.path_at(event.position())
        if dragged or path is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            QGuiApplication.clipboard().setText(self.text_of(path))
            return
        self.select_path(path, self._root)
        self.selected.emit(path)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        path = self.path_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and path:
            self._pressed = None
            self._leave()
            self.played.emit(path)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._leave()
        self.zoom(ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._leave()

    def _leave(self) -> None:
        """Clear the node under the pointer and its card."""
        self._hover.stop()
        self.card.hide()
        if self._pointed is not None:
            self._pointed = None
            self._start_moving()
            self.update()

    def _show_card(self) -> None:
        scene, path = self._scene, self._pointed
        if scene is None or scene.picture is None or self._root is None or path is None:
            return
        if (spot := self.spot_of(path)) is None:
            return
        self.card.show_node(scene.picture, scene.picture.place_of(path), self._root)
        self.card.move_beside(QPoint(int(spot.x()), int(spot.y())), self.rect())
        self.card.show()

    # keys and texts

    def event(self, event: QEvent) -> bool:
        """Reserve the picture's keys while it has the focus, whatever their shortcuts elsewhere."""
        if is_own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        scene, key = self._scene, Qt.Key(event.key())
        if scene is None or scene.picture is None:
            super().keyPressEvent(event)
        elif key in WALKS:
            path = scene.walk(self._path, WALKS[key])
            if path != self._path:
                self.select_path(path, self._root)
                self.bring_into_view(path)
                self.selected.emit(path)
        elif key in FOLDS:
            self.fold(self._path, FOLDS[key])
        elif key in (Qt.Key.Key_I, Qt.Key.Key_O):
            self.zoom(ZOOM_STEP if key == Qt.Key.Key_I else 1 / ZOOM_STEP)
        elif key == Qt.Key.Key_P:
            self.fit()
        elif key in OTHERS and self._path:
            self.played.emit(self._path)
        else:
            super().keyPressEvent(event)

    def text_of(self, path: PathOf) -> str:
        """Return a node's figures in one line, also for a node that is not in the picture."""
        scene = self._scene
        if scene is None or scene.picture is None or self._root is None:
            return ""
        return path_text(scene.picture, path, self._root)

    def _retranslate(self) -> None:
        if self.accessibleDescription():
            self._emit_description()

    def _emit_description(self) -> None:
        text = self.text_of(self._path)
        self.setAccessibleDescription(text)
        self.described.emit(text)
