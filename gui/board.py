"""The board: a position with stones, heatmap, last move, winning line and coordinates, and the clicks on it.

A function of what it is given: a position, a node of the search for it, a choice of overlay.  Knows no engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import board_paint as paint
from gui.overlays import BEST, BETTER, Mark, overlay_marks
from gui.theme import DARK, Theme, figure_font, ink, mix, with_alpha

if TYPE_CHECKING:
    from core.games import Position
    from core.search import NodeView

DWELL_MS = 300  # the pointer rests so long on a move before its line is shown
LONGEST_LINE = 12


class BoardView(QWidget):
    """Shows one position.  A click on a move that can be played is ``chosen``; on any other cell, ``refused``."""

    chosen = Signal(int)  # action
    refused = Signal(int)  # action that is not legal here
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
        self._cursor = -1  # cell, while the keyboard is used
        self._line: tuple[int, ...] = ()  # a frozen line being shown
        self._line_stones: list[tuple[int, int]] = []  # (cell, player) of each of its moves
        self._ground: QPixmap | None = None
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
        self._ground = None
        self.update()

    def set_blank(self, name: str, rows: int, cols: int) -> None:
        """An empty board of a game that is not loaded."""
        self._name, self._rows, self._cols = name, rows, cols
        self._position = self._node = self._text_node = None
        self._enabled_moves = frozenset()
        self._ground = None
        self.update()

    def set_position(self, position: Position) -> None:
        game = position.game
        if (game.name, *game.shape) != (self._name, self._rows, self._cols):
            self._name, (self._rows, self._cols) = game.name, game.shape
            self._ground = None
            self._cursor = -1
        self._position = position
        self._node = self._text_node = None
        self._best = -1
        self._enabled_moves = frozenset(position.legal_actions())
        self._line = ()
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
        self.update()

    def set_overlay(self, overlay: str) -> None:
        self._overlay = overlay
        self.update()

    def set_coordinates(self, shown: bool) -> None:
        self._coordinates = shown
        self._ground = None
        self.update()

    def show_line(self, actions: tuple[int, ...]) -> None:
        """Draw a line of moves as numbered translucent stones; () shows none."""
        self._line = actions[:LONGEST_LINE]
        self._line_stones = []
        position = self._position
        for action in self._line:
            if position is None or action not in position.legal_actions():
                break
            self._line_stones.append((paint.landing_cell(position, action), position.to_move))
            position = position.play(action)
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
        if cell < 0:
            return -1
        return cell % self._cols if paint.kind_of(self._name).drops else cell

    def _pointed_cell(self) -> int:
        return self._cursor if self._cursor >= 0 else self._hover

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
        self._line = ()
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
        self._ground = None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._ground = None
        super().changeEvent(event)

    def _ground_pixmap(self, g: paint.Geometry) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._ground is None or self._ground.devicePixelRatio() != ratio:
            self._ground = QPixmap(self.size() * ratio)
            self._ground.setDevicePixelRatio(ratio)
            self.laid_out.emit(g.frame.top(), g.frame.bottom())
            self._ground.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._ground)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            kind = paint.kind_of(self._name)
            kind.ground(painter, g, self._theme)
            if self._coordinates:
                painter.setFont(figure_font(self.font(), 0.92))
                paint.draw_coordinates(painter, g, kind.drops, self._theme)
            painter.end()
        return self._ground

    def paintEvent(self, event: QPaintEvent) -> None:
        g = self.geometry_of_board()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground_pixmap(g))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        position = self._position
        if position is None:
            return
        kind = paint.kind_of(self._name)
        radius = kind.stone_radius * g.step
        self._paint_stones(painter, g, kind, radius)
        self._paint_marks(painter, g, faded=bool(self._line))
        if self._line:
            self._paint_line(painter, g, kind, radius)
        else:
            self._paint_ghost(painter, g, kind, radius)
        if self._cursor >= 0 and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(g.rect(self._cursor).adjusted(2, 2, -2, -2), 6, 6)

    def _paint_stones(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, radius: float) -> None:
        position = self._position
        assert position is not None
        for cell, owner in enumerate(position.cells().ravel().tolist()):
            if owner:
                kind.stone(painter, g.center(cell), radius, owner - 1, self._theme)
        last = self._last_cell()
        won = position.winning_cells
        if won:
            strokes = paint.winning_strokes(tuple(won), last, g.cols)
            paint.draw_strokes(painter, g, strokes, tuple(won), radius, self._theme)
        elif last >= 0:
            owner = int(position.cells().ravel()[last])
            color = (
                ink(paint.stone_color(kind, owner - 1, self._theme))
                if kind.look != "marks"
                else self._theme.color("text")
            )
            if kind.look == "marks":
                painter.setBrush(with_alpha(color, 0.7))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawEllipse(g.center(last) + QPointF(0, 0.43 * g.step), 0.025 * g.step, 0.025 * g.step)
            else:
                paint.draw_last_move(painter, g.center(last), radius, color)

    def _last_cell(self) -> int:
        position = self._position
        assert position is not None
        if position.last_action < 0 or not paint.kind_of(self._name).drops:
            return int(position.last_action)
        column = position.cells()[:, position.last_action]
        for row in range(self._rows):
            if column[row]:
                return row * self._cols + int(position.last_action)
        return -1

    def _paint_marks(self, painter: QPainter, g: paint.Geometry, faded: bool) -> None:
        kind = paint.kind_of(self._name)
        radius = {"discs": 0.385, "stones": 0.44, "marks": 0.40}[kind.look] * g.step
        main = figure_font(self.font())
        main.setPixelSize(max(9, min(22, round(0.215 * g.step))))
        small = QFont(main)
        small.setPixelSize(max(8, min(15, round(0.17 * g.step))))
        room = g.step >= 30
        under = self._theme.color({"discs": "discs_hole", "stones": "wood", "marks": "cell"}[kind.look])
        for mark in self.marks():
            if mark.cell < 0:
                continue
            opacity = mark.opacity * (0.22 if faded else 1.0)
            center = g.center(mark.cell)
            fill = mix(under, mark.fill, opacity)
            size = radius if kind.look != "stones" else radius * (0.55 + 0.45 * mark.opacity if mark.text else 0.36)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            if kind.look == "marks":
                painter.drawRoundedRect(g.rect(mark.cell).adjusted(5, 5, -5, -5), 8, 8)
            else:
                painter.drawEllipse(center, size, size)
            if not faded:
                self._paint_ring(painter, g, mark, center, size, kind)
            if mark.text and room:
                painter.setPen(with_alpha(ink(fill), (0.55 + 0.45 * mark.opacity) * (0.3 if faded else 1.0)))
                painter.setFont(main)
                box = QRectF(center.x() - g.step / 2, center.y() - g.step / 2, g.step, g.step)
                if mark.sub and g.step >= 44:
                    shift = 0.105 * g.step
                    painter.drawText(box.translated(0, -shift), Qt.AlignmentFlag.AlignCenter, mark.text)
                    painter.setFont(small)
                    painter.drawText(box.translated(0, 1.35 * shift), Qt.AlignmentFlag.AlignCenter, mark.sub)
                else:
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)

    def _paint_ring(
        self, painter: QPainter, g: paint.Geometry, mark: Mark, center: QPointF, size: float, kind: paint.Kind
    ) -> None:
        if not mark.ring:
            return
        width = max(2.0, min(4.0, 0.045 * g.step))
        if mark.ring == BEST:
            pen = QPen(self._theme.color("accent"), width * 1.25)
        elif mark.ring == BETTER:
            pen = QPen(self._theme.color("warn"), width * 0.8, Qt.PenStyle.DotLine)
        else:
            pen = QPen(self._theme.color("text"), width * 0.7)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        if kind.look == "marks":
            painter.drawRoundedRect(g.rect(mark.cell).adjusted(5, 5, -5, -5), 8, 8)
        else:
            painter.drawEllipse(center, size, size)

    def _paint_ghost(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, radius: float) -> None:
        position = self._position
        assert position is not None
        action = self._action(self._pointed_cell())
        if action not in self._enabled_moves:
            return
        painter.setOpacity(0.55)
        if kind.drops:
            column = QRectF(g.left + action * g.step, g.top, g.step, g.rows * g.step)
            painter.fillRect(column.adjusted(2, 2, -2, -2), QColor(255, 255, 255, 22))
        kind.stone(painter, g.center(paint.landing_cell(position, action)), radius, position.to_move, self._theme)
        painter.setOpacity(1.0)

    def _paint_line(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, radius: float) -> None:
        """The line as stones that fade with depth, each with its number."""
        font = figure_font(self.font(), bold=True)
        font.setPixelSize(max(9, min(24, round(0.3 * g.step))))
        painter.setFont(font)
        for number, (cell, player) in enumerate(self._line_stones, 1):
            painter.setOpacity(max(0.5, 0.92 - 0.045 * number))
            kind.stone(painter, g.center(cell), radius, player, self._theme)
            painter.setOpacity(1.0)
            box = g.rect(cell)
            if kind.look == "marks":
                painter.setPen(self._theme.color("text"))
                box = box.adjusted(0, 4, -8, -4)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, str(number))
            else:
                painter.setPen(ink(paint.stone_color(kind, player, self._theme)))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))
