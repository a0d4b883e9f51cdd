"""What every drawn tree has in common: point, select, drag, walk with keys, the card of a node, frames."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.board.board_paint import kind_of
from gui.widgets.keys import KEYPAD
from gui.widgets.node_card import NodeCard, path_text
from gui.widgets.texts import on_language
from gui.widgets.theme import current_theme, on_theme

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.ask import Matches
    from core.glass.nodes import TreeNodes
    from gui.model.state import PathOf
    from gui.widgets.board.playout_paint import Simulation

FRAME_MS: Final = 16
HOVER_MS: Final = 130
ZOOM_STEP: Final = 1.25
DRAG: Final = 4  # px of movement that make a press a drag
WALKS: Final = {
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Home: "home",
}
_PLAIN: Final = KEYPAD | Qt.KeyboardModifier.ShiftModifier


class Pointed(NamedTuple):
    """What is under the pointer: a node, or what is drawn in one for the children too narrow to be drawn."""

    path: PathOf
    strip: bool = False


class TreeCanvas(QWidget):
    """A picture of a tree with mouse and keys."""

    selected = Signal(object)  # path
    described = Signal(str)  # the selected node, in one line

    NEARER: Collection[Qt.Key] = (Qt.Key.Key_I,)
    FARTHER: Collection[Qt.Key] = (Qt.Key.Key_O,)
    OTHERS: Collection[Qt.Key] = ()  # keys of the subclass
    MISSING = ""  # the line for a node that is not drawn, English

    def __init__(self, hint: Words, parent: QWidget | None = None) -> None:
        """``hint``: the card's last line, English."""
        super().__init__(parent)
        on_theme(self, self._take_theme)
        self._root: Position | None = None
        self._chosen: tuple[Position | None, PathOf] = (None, ())  # the selected path, and the position where it starts
        self._simulation: Simulation | None = None
        self._player = -1
        self._answer: Matches | None = None
        self.matches = np.zeros(0, np.int64)  # places of the nodes that the search field finds
        self._message = ""
        self._image = QImage()
        self._pixels = np.zeros((1, 1), np.uint32)  # the image's memory
        self._pressed: QPointF | None = None
        self._dragged = False
        self._pointed: Pointed | None = None
        self.card = NodeCard(self, hint)
        self._clock = QElapsedTimer()
        self._frames = QTimer(self)
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._next_frame)
        self._hover = make_timer(self, HOVER_MS, self._show_card, once=True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 50)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        on_language(self, self._emit_description)

    def sizeHint(self) -> QSize:
        return QSize(700, 420)

    # what a subclass provides

    @property
    def nodes(self) -> TreeNodes | None:
        """The nodes drawn; None while there are none."""
        raise NotImplementedError

    def thing_at(self, point: QPointF) -> Pointed | None:
        """Return what is under a point; None if there is nothing."""
        raise NotImplementedError

    def _pointed_spot(self) -> QRectF | None:
        """Return where the thing under the pointer is in the widget; None if it is not drawn."""
        raise NotImplementedError

    def advance(self, seconds: float) -> bool:
        """Advance nodes and view by this much time; True once nothing moves."""
        raise NotImplementedError

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a point, by default about the selected node."""
        raise NotImplementedError

    def fit(self) -> None:
        """Show the whole tree."""
        raise NotImplementedError

    def bring_into_view(self, path: PathOf) -> None:
        """Bring a node into view if it is outside."""
        raise NotImplementedError

    def set_mode(self, mode: str) -> None:
        """Set what the colours stand for, a key of ``icicle_colours.RANGES``."""
        raise NotImplementedError

    def _pan(self, dx: float, dy: float) -> None:
        raise NotImplementedError

    def _walk(self, step: str) -> PathOf:
        """Return the path one step of ``WALKS`` from the selected one."""
        raise NotImplementedError

    def _paint_pixels(self, pixels: NDArray[np.uint32], ratio: float) -> None:
        """Paint the tree, with ``ratio`` device pixels for each of the widget's."""
        raise NotImplementedError

    def _paint_over(self, painter: QPainter) -> None:
        """Paint texts and outlines over it."""
        raise NotImplementedError

    def _take_theme(self) -> None:
        """Make what is kept of the theme's colours anew."""

    # contents

    @property
    def root(self) -> Position | None:
        """The position at the root of the tree shown; None while there is none."""
        return self._root

    @property
    def player(self) -> int:
        """The player whose values are shown."""
        to_move = self._root.to_move if self._root is not None else 0
        return to_move if self._player < 0 else self._player

    @property
    def player_name(self) -> str:
        return kind_of(self._root.game.name).players[self.player] if self._root is not None else tr("To move")

    @property
    def _path(self) -> PathOf:
        """The selected path in the tree shown; () while another position is still on screen."""
        of, path = self._chosen
        return path if of == self._root else ()

    def set_message(self, text: str) -> None:
        """Set the message shown while there is no tree."""
        if text != self._message:
            self._message = text
            self.update()

    def set_player(self, player: int) -> None:
        """Set whose values are shown; -1: those of the side to move at the root."""
        self._player = player
        self._emit_description()
        self.update()

    def select_path(self, path: PathOf, of: Position | None) -> None:
        """Mark the node at ``path`` below a position without emitting ``selected``."""
        if (of, path) != self._chosen:
            self._chosen = of, path
            self._emit_description()
            self.update()

    def look_for(self, answer: Matches | None) -> None:
        """Light the nodes that an answer names, and no others; None: there is none."""
        if answer is not self._answer:
            self._answer = answer
            self._change_look()

    def _change_look(self, paint: bool = True) -> None:
        """Find again what is looked for, and paint anew; ``paint``: False where the next frame does that."""
        nodes, answer = self.nodes, self._answer
        self.matches = np.zeros(0, np.int64)
        if nodes is not None and answer is not None and nodes.tree == answer.tree:
            self.matches = np.flatnonzero(np.isin(nodes.ids, answer.ids))
        if paint:
            self.update()

    def mark_simulation(self, simulation: Simulation | None) -> None:
        """Mark the path of a simulation in the colour of its stage; None: no path."""
        if simulation != self._simulation:
            self._simulation = simulation
            self.update()

    @property
    def _marked(self) -> Simulation | None:
        """The simulation marked, if it is one of the tree shown."""
        simulation = self._simulation
        return simulation if simulation is not None and simulation.root == self._root else None

    def _select(self, path: PathOf) -> None:
        self.select_path(path, self._root)
        self.selected.emit(path)

    def text_of(self, path: PathOf) -> str:
        """Return a node's figures in one line."""
        if self.nodes is None or self._root is None:
            return ""
        return path_text(self.nodes, path, self._root, tr(self.MISSING), self.player)

    def _emit_description(self) -> None:
        text = self.text_of(self._path)
        self.setAccessibleDescription(text)
        self.described.emit(text)
        if self.card.isVisible():
            self._show_card()

    # frames

    @property
    def moving(self) -> bool:
        """Whether nodes or the view are still moving."""
        return self._frames.isActive()

    def _start_moving(self) -> None:
        if not self._frames.isActive():
            self._clock.start()
            self._frames.start()

    def _next_frame(self) -> None:
        if self.advance(min(0.1, self._clock.restart() / 1000)):
            self._frames.stop()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.nodes is None or self._root is None:
            painter.fillRect(self.rect(), current_theme().color("panel"))
            painter.setPen(current_theme().color("dim"))
            centred = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(12, 0, -12, 0), centred, self._message)
            return
        ratio = self.devicePixelRatioF()
        wide, high = max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))
        if self._pixels.shape != (high, wide):
            self._image = QImage(wide, high, QImage.Format.Format_RGB32)
            self._pixels = np.frombuffer(self._image.bits(), np.uint32).reshape(high, wide)
        self._paint_pixels(self._pixels, ratio)
        self._image.setDevicePixelRatio(ratio)
        painter.drawImage(0, 0, self._image)
        self._paint_over(painter)
        painter.end()

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None:
            step = event.position() - self._pressed
            if self._dragged or step.manhattanLength() > DRAG:
                self._dragged = True
                self.leave()
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self._pan(step.x(), step.y())
                self._pressed = event.position()
            return
        pointed = self.thing_at(event.position())
        if pointed != self._pointed:
            self.leave()
            self._pointed = pointed
            if pointed is not None:
                self._hover.start()
            self.setCursor(Qt.CursorShape.ArrowCursor if pointed is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        dragged, self._pressed = self._dragged, None
        self.unsetCursor()
        thing = self.thing_at(event.position())
        if dragged or thing is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not thing.strip:
            QGuiApplication.clipboard().setText(self.text_of(thing.path))
        else:
            self._click(thing)

    def _click(self, thing: Pointed) -> None:
        self._select(thing.path)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.leave()
        self.zoom(ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self.leave()

    def leave(self) -> None:
        """Forget what is under the pointer and hide its card."""
        self._hover.stop()
        self.card.hide()
        if self._pointed is not None:
            self._pointed = None
            self.update()

    def _show_card(self) -> None:
        spot = self._pointed_spot()
        if self._pointed is None or self.nodes is None or self._root is None or spot is None:
            return
        self._fill_card(self._pointed, self.nodes, self._root)
        x = min(max(spot.center().x(), 0.0), float(self.width()))
        at = self.mapFromGlobal(self.cursor().pos())
        if spot.left() <= at.x() <= spot.right():
            x = at.x()
        self.card.move_beside(QPoint(int(x), int(spot.center().y())), self.rect())
        self.card.show()

    def _fill_card(self, thing: Pointed, nodes: TreeNodes, root: Position) -> None:
        self.card.show_node(nodes, nodes.place_of(thing.path), root, self.player)

    # keys

    def _owns(self, key: int) -> bool:
        """Whether a key belongs to the picture while it has the focus, whatever its shortcut elsewhere."""
        return (
            key in WALKS or key == Qt.Key.Key_P or any(key in keys for keys in (self.NEARER, self.FARTHER, self.OTHERS))
        )

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not event.modifiers() & ~_PLAIN
            and self._owns(event.key())
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.nodes is None:
            super().keyPressEvent(event)
        elif key in WALKS:
            path = self._walk(WALKS[key])
            if path != self._path:
                self._select(path)
                self.bring_into_view(path)
        elif key in self.NEARER or key in self.FARTHER:
            self.zoom(ZOOM_STEP if key in self.NEARER else 1 / ZOOM_STEP)
        elif key == Qt.Key.Key_P:
            self.fit()
        elif not self._take_key(key):
            super().keyPressEvent(event)

    def _take_key(self, key: Qt.Key) -> bool:
        """Handle one of the subclass's keys; False if it is none of them."""
        return False
