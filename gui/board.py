"""The board: a position with stones, heatmap, last move, winning line and coordinates, and the clicks on it.

A function of what it is given: a position, a node of the search for it, a choice of overlay.  Knows no engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui import board_paint as paint
from gui.board_layers import paint_marks, paint_position
from gui.overlays import Mark, mark_tip, overlay_marks
from gui.places import COLUMNS
from gui.theme import DARK, Theme, figure_font, ink

if TYPE_CHECKING:
    from core.games import Position
    from core.search import NodeView
    from gui.playout_paint import Lit

DWELL_MS = 300  # the pointer rests so long on a move before its line is shown
LONGEST_LINE = 12


class BoardView(QWidget):
    """Shows one position.  A click on a move that can be played is ``chosen``; on any other cell, ``refused``."""

    chosen = Signal(int)  # action
    refused = Signal(int)  # action that is not legal here
    scrolled = Signal(int)  # moves forward, negative for back
    laid_out = Signal(float, float)  # top and bottom of the board in this widget
    pointed = Signal(int)  # action under the pointer or the keyboard's cursor, -1 for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = DARK
        self._name, self._rows, self._cols = "connect4", 6, 7  # what an empty window shows
        self._position: Position | None = None
        self._node: NodeView | None = None
        self._text_node: NodeView | None = None
        self._best = -1
        self._overlay = "visits"
        self._coordinates = True
        self._enabled_moves: frozenset[int] = frozenset()
        self._hover = -1  # cell
        self._wheel = 0  # eighths of a degree not used yet
        self._cursor = -1  # cell, while the keyboard is used
        self._line: tuple[int, ...] = ()  # a frozen line being shown
        self._line_stones: list[tuple[tuple[int, ...], int]] = []  # (cells, player) of each of its moves
        self.lit: Lit | None = None  # a simulation's path, drawn over everything
        self._ground: QPixmap | None = None  # layers, None when they are to be painted anew
        self._heat: QPixmap | None = None
        self._dwell = QTimer(self)
        self._dwell.setSingleShot(True)
        self._dwell.setInterval(DWELL_MS)
        self._dwell.timeout.connect(self._show_hovered_line)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(260, 240)
        self.setAccessibleName("Board")

    # what it shows

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._ground = self._heat = None
        self.update()

    def set_position(self, position: Position) -> None:
        game = position.game
        if (game.name, *game.shape) != (self._name, self._rows, self._cols):
            self._name, (self._rows, self._cols) = game.name, game.shape
            self._cursor = -1
        self._ground = self._heat = None
        self._position = position
        self._node = self._text_node = None
        self._best = -1
        self._enabled_moves = frozenset(position.legal_actions())
        self._line, self._line_stones = (), []
        self._dwell.stop()
        if self._hover >= 0:
            self._dwell.start()
        self.setAccessibleDescription(position.diagram())
        self.update()

    def set_figures(self, node: NodeView | None, best: int, with_text: bool) -> None:
        """The node of the position shown; ``with_text`` renews the figures too, not the colours alone."""
        if node is not None and self._position is not None and node.position.cells().shape != (self._rows, self._cols):
            return
        self._node, self._best = node, best
        if with_text or self._text_node is None:
            self._text_node = node
        self._heat = None
        self.update()

    def set_overlay(self, overlay: str) -> None:
        self._overlay = overlay
        self._heat = None
        self.update()

    def set_coordinates(self, shown: bool) -> None:
        self._coordinates = shown
        self._ground = self._heat = None
        self.update()

    def show_line(self, actions: tuple[int, ...]) -> None:
        """Draw a line of moves as numbered translucent stones; () shows none."""
        self._line = actions[:LONGEST_LINE]
        self._line_stones = []
        self._heat = None
        position = self._position
        for action in self._line:
            if position is None or action not in position.legal_actions():
                break
            cells = paint.kind_of(self._name).places.cells_of(position, action)
            self._line_stones.append((cells, position.to_move))
            position = position.play(action)
        self.update()

    def light(self, lit: Lit | None) -> None:
        """Draw the path of one simulation over the position shown; None draws none."""
        if lit != self.lit:
            self.lit, self._heat = lit, None
            self.update()

    @property
    def line(self) -> tuple[int, ...]:
        return self._line

    def marks(self) -> list[Mark]:
        """The heatmap as it is drawn now."""
        if self._position is None or self._node is None or self._text_node is None:
            return []
        return overlay_marks(self._position, self._node, self._text_node, self._overlay, self._best, self._theme)

    def geometry_of_board(self) -> paint.Geometry:
        """Where the cells are, in this widget's coordinates."""
        return paint.fit(self._rows, self._cols, self.width(), self.height(), self._coordinates)

    def sizeHint(self) -> QSize:
        return QSize(640, 620)

    # mouse and keys

    def _action(self, cell: int) -> int:
        """The move a click on a cell means; -1 for none."""
        if cell < 0 or self._position is None:
            return -1
        return paint.kind_of(self._name).places.action_at(self._position, cell)

    def action_at(self, point: QPointF) -> int:
        """The move a click there means; -1 for none."""
        return self._action(self.geometry_of_board().cell_at(point))

    def _pointed_cell(self) -> int:
        return self._cursor if self._cursor >= 0 else self._hover

    def event(self, event: QEvent) -> bool:
        """A tool tip tells the figures of the move under the pointer."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        cell = self.geometry_of_board().cell_at(QPointF(event.pos()))
        tip = mark_tip(self._node, self._action(cell)) if self._node is not None else ""
        QToolTip.showText(event.globalPos(), tip, self)
        return True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        before = self._action(self._pointed_cell())
        self._hover = self.geometry_of_board().cell_at(event.position())
        self._cursor = -1
        self._point(before)

    def leaveEvent(self, event: QEvent) -> None:
        before = self._action(self._pointed_cell())
        self._hover = self._cursor = -1
        self._point(before)

    def _point(self, before: int) -> None:
        now = self._action(self._pointed_cell())
        if now == before:
            return
        if self._line:
            self.show_line(())
        self._dwell.start() if now >= 0 else self._dwell.stop()
        self.setCursor(Qt.CursorShape.PointingHandCursor if now in self._enabled_moves else Qt.CursorShape.ArrowCursor)
        self.pointed.emit(now)
        self.update()

    def _show_hovered_line(self) -> None:
        action = self._action(self._pointed_cell())
        if self._node is None or action < 0:
            return
        for i, a in enumerate(self._node.actions):
            if int(a) == action and int(self._node.visits_of[i]) > 0:
                self.show_line(self._node.pvs[i])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self.geometry_of_board().cell_at(event.position()))

    def _choose(self, cell: int) -> None:
        action = self._action(cell)
        if action < 0 or self._position is None:
            return
        (self.chosen if action in self._enabled_moves else self.refused).emit(action)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """One notch is one move; the small steps of a touch pad add up."""
        self._wheel += event.angleDelta().y()
        notches = int(self._wheel / 120)
        if notches:
            self._wheel -= 120 * notches
            self.scrolled.emit(-notches)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift with an arrow moves a cursor over the board, Shift+Return plays there."""
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if key in steps:
                before = self._action(self._pointed_cell())
                at = self._cursor if self._cursor >= 0 else (self._rows // 2) * self._cols + self._cols // 2
                row, col = divmod(at, self._cols)
                if self._cursor >= 0:
                    row = max(0, min(self._rows - 1, row + steps[key][0]))
                    col = max(0, min(self._cols - 1, col + steps[key][1]))
                self._cursor = row * self._cols + col
                self._point(before)
                self.update()
                return
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._cursor >= 0:
                self._choose(self._cursor)
                return
        super().keyPressEvent(event)

    # painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._ground = self._heat = None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._ground = self._heat = None
        super().changeEvent(event)

    def _layer(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        layer = QPixmap(self.size() * ratio)
        layer.setDevicePixelRatio(ratio)
        layer.fill(Qt.GlobalColor.transparent)
        return layer

    def _ground_layer(self, g: paint.Geometry, kind: paint.Kind) -> QPixmap:
        """The board with its stones, painted once for each position."""
        if self._ground is None:
            self._ground = self._layer()
            self.laid_out.emit(g.frame.top(), g.frame.bottom())
            painter = QPainter(self._ground)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            kind.ground(painter, g, self._theme)
            if self._coordinates:
                painter.setFont(figure_font(self.font(), 0.92))
                columns, rows = (
                    kind.places.labels(self._position.game) if self._position is not None else ("abcdefg", ())
                )
                paint.draw_coordinates(painter, g, tuple(columns), rows, self._theme)
            if self._position is not None:
                paint_position(painter, g, kind, self._position, self._theme)
            painter.end()
        return self._ground

    def _heat_layer(self, g: paint.Geometry, kind: paint.Kind) -> QPixmap:
        """The heatmap, painted once for each change of figures."""
        if self._heat is None:
            self._heat = self._layer()
            painter = QPainter(self._heat)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            lit = () if self.lit is None else (*self.lit.path, *self.lit.game)
            covered = {cell for cells, _ in (*self._line_stones, *lit) for cell in cells}
            marks = [mark for mark in self.marks() if mark.cell not in covered]
            paint_marks(painter, g, kind, marks, self.font(), self._theme, faded=bool(self._line))
            painter.end()
        return self._heat

    def paintEvent(self, event: QPaintEvent) -> None:
        g = self.geometry_of_board()
        kind = paint.kind_of(self._name)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground_layer(g, kind))
        if self._position is None:
            return
        if self._overlay != "none" and self._node is not None:
            painter.drawPixmap(0, 0, self._heat_layer(g, kind))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = kind.stone_radius * g.step
        if self._line:
            self._paint_line(painter, g, kind, radius)
        else:
            self._paint_ghost(painter, g, kind, radius)
        if self.lit is not None:
            self.lit.draw(painter, g, kind, self.font(), self._theme)
        if self._cursor >= 0 and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(g.rect(self._cursor).adjusted(2, 2, -2, -2), 6, 6)

    def _paint_ghost(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, radius: float) -> None:
        position = self._position
        assert position is not None
        action = self._action(self._pointed_cell())
        if action not in self._enabled_moves:
            return
        cells = kind.places.cells_of(position, action)
        if kind.places is COLUMNS:
            column = QRectF(g.left + action * g.step, g.top, g.step, g.rows * g.step)
            painter.fillRect(column.adjusted(2, 2, -2, -2), QColor(255, 255, 255, 22))
        if kind.takes:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), max(2.0, 0.07 * g.step)))
            for cell in cells:
                painter.drawEllipse(g.center(cell), radius, radius)
            return
        painter.setOpacity(0.55)
        for cell in cells:
            kind.stone(painter, g.center(cell), radius, position.to_move, self._theme)
        painter.setOpacity(1.0)

    def _paint_line(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, radius: float) -> None:
        """The line as stones that fade with depth, each with its number."""
        font = figure_font(self.font(), bold=True)
        font.setPixelSize(max(9, min(24, round(0.3 * g.step))))
        painter.setFont(font)
        for number, (cells, player) in enumerate(self._line_stones, 1):
            for cell in cells:
                self._paint_numbered(painter, g, kind, cell, radius, player, number)

    def _paint_numbered(
        self,
        painter: QPainter,
        g: paint.Geometry,
        kind: paint.Kind,
        cell: int,
        radius: float,
        player: int,
        number: int,
    ) -> None:
        painter.setOpacity(max(0.5, 0.92 - 0.045 * number))
        kind.stone(painter, g.center(cell), radius, player, self._theme)
        painter.setOpacity(1.0)
        if kind.square:
            painter.setPen(self._theme.color("text"))
            corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
            painter.drawText(g.rect(cell).adjusted(0, 4, -8, -4), corner, str(number))
        else:
            painter.setPen(ink(paint.stone_color(kind, player, self._theme)))
            painter.drawText(g.rect(cell), Qt.AlignmentFlag.AlignCenter, str(number))
