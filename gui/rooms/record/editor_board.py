"""The board of the position editor: any stones on any cells, legal or not, and clicks on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.theme import current_theme, figure_font

if TYPE_CHECKING:
    from core.games import GameSpec, Position

STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
PLAYERS = {Qt.Key.Key_X: 0, Qt.Key.Key_1: 0, Qt.Key.Key_O: 1, Qt.Key.Key_2: 1}


class EditBoard(QWidget):
    """The editor's board.  Left clicks are for the first player, right clicks for the second.

    With the keyboard, arrows move a cursor; X or 1 acts as a left click there, O or 2 as a right click.
    """

    clicked = Signal(int, int)  # cell, player

    def __init__(self, game: GameSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = game
        self._cells: Any = game.initial().cells()  # int8 [H, W]
        self._position: Position | None = None
        self._hover = self._cursor = -1  # cells
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 220)
        self.setAccessibleName(tr("Board to be set up"))

    def show_cells(self, cells: Any, position: Position | None, description: str) -> None:
        """Show stones, int8 [H, W], and their position if it is a valid one."""
        self._cells, self._position = cells.copy(), position
        self.setAccessibleDescription(description)
        self.update()

    def geometry_of_board(self) -> paint.Geometry:
        rows, cols = self._game.shape
        slant = paint.kind_of(self._game.name).slant
        return paint.fit(rows, cols, self.width(), self.height(), coordinates=True, slant=slant)

    def sizeHint(self) -> QSize:
        return QSize(480, 460)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        buttons = {Qt.MouseButton.LeftButton: 0, Qt.MouseButton.RightButton: 1}
        cell = self.geometry_of_board().cell_at(event.position())
        if cell >= 0 and event.button() in buttons:
            self._cursor = -1
            self.clicked.emit(cell, buttons[event.button()])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hover = self.geometry_of_board().cell_at(event.position())
        if hover != self._hover:
            self._hover, self._cursor = hover, -1
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = -1
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        rows, cols = self._game.shape
        if key in STEPS:
            if self._cursor < 0:
                self._cursor = (rows // 2) * cols + cols // 2
            else:
                row, col = divmod(self._cursor, cols)
                row = max(0, min(rows - 1, row + STEPS[key][0]))
                self._cursor = row * cols + max(0, min(cols - 1, col + STEPS[key][1]))
            self.update()
        elif key in PLAYERS and self._cursor >= 0:
            self.clicked.emit(self._cursor, PLAYERS[key])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        g, kind, theme = self.geometry_of_board(), paint.kind_of(self._game.name), current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        kind.ground(painter, g, theme)
        painter.setFont(figure_font(self.font(), 0.92))
        columns, rows = kind.places.labels(self._game)
        paint.draw_coordinates(painter, g, tuple(columns), rows, theme)
        if self._position is not None:
            paint_position(painter, g, kind, self._position, theme)
        else:
            radius = kind.stone_radius * g.step
            for cell, owner in enumerate(self._cells.ravel().tolist()):
                if owner and kind.takes:
                    paint.draw_chip(painter, g.center(cell), 0.85 * radius, theme)
                elif owner:
                    kind.stone(painter, g.center(cell), radius, owner - 1, theme)
        at = self._cursor if self._cursor >= 0 else self._hover
        if at >= 0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            style = Qt.PenStyle.DashLine if self._cursor >= 0 else Qt.PenStyle.SolidLine
            painter.setPen(QPen(theme.color("accent"), 2, style))
            painter.drawRoundedRect(g.rect(at).adjusted(2, 2, -2, -2), 6, 6)
