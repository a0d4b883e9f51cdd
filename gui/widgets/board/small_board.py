"""A small board: a position with a heatmap of shares, clickable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_marks, paint_position
from gui.widgets.board.ground import draw_words
from gui.widgets.board.overlays.overlay import TOP, Mark
from gui.widgets.figures import rough_percent
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font, on_theme, ramp

if TYPE_CHECKING:
    from core.games import Position

LEAST_SHARE = 0.004  # moves with a smaller share get no mark


def share_marks(position: Position, shares: Mapping[int, float], stops: tuple[str, ...]) -> list[Mark]:
    """Return a mark for every move with a visible share; the largest gets a ring if it is unique."""
    most = max(shares.values(), default=0.0)
    outstanding = sum(share >= 0.999 * most for share in shares.values()) == 1
    marks = []
    for action, share in sorted(shares.items()):
        if share < LEAST_SHARE:
            continue
        weight = math.sqrt(share)
        text = rough_percent(share) if share >= 0.01 else ""
        ring = TOP if share == most and outstanding else ""
        fill = ramp(stops, weight)
        marks.append(Mark(action, paint.anchor(position, action), fill, 0.25 + 0.75 * weight, text, "", ring))
    return marks


class SmallBoard(QWidget):
    """Shows one position; repainted only when something changed."""

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None, coordinates: bool = False) -> None:
        super().__init__(parent)
        self.position: Position | None = None
        self.shares: dict[int, float] = {}
        self._ramp = "prior_ramp"
        self._coordinates = coordinates
        self._picture: QPixmap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(90, 90)
        on_theme(self, self._forget_picture)

    def _forget_picture(self) -> None:
        self._picture = None

    def sizeHint(self) -> QSize:
        return QSize(180, 170)

    def show_position(self, position: Position | None, shares: Mapping[int, float], ramp_name: str) -> None:
        """Show ``shares`` of each move, coloured with the theme's ``ramp_name``."""
        if position == self.position and shares == self.shares and ramp_name == self._ramp:
            return
        if position != self.position:
            set_texts(self, accessibleDescription=position.diagram() if position is not None else "")
        self.position, self.shares, self._ramp = position, dict(shares), ramp_name
        self._picture = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._picture = None
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.position is None:
            return
        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter, self.position)
            painter.end()
        QPainter(self).drawPixmap(0, 0, self._picture)

    def _paint(self, painter: QPainter, position: Position) -> None:
        game = position.game
        kind = paint.kind_of(game.name)
        g = paint.fit(*game.shape, self.width(), self.height(), self._coordinates, slant=kind.slant)
        kind.ground(painter, g, current_theme())
        if game.board.text is not None:
            draw_words(painter, self.size(), position.diagram(), current_theme())
        if self._coordinates:
            painter.setFont(figure_font(self.font(), 0.9))
            columns, rows = kind.places.labels(game)
            paint.draw_coordinates(painter, g, tuple(columns), rows, current_theme())
        paint_position(painter, g, kind, position, current_theme())
        marks = share_marks(position, self.shares, getattr(current_theme(), self._ramp))
        paint_marks(painter, g, kind, marks, self.font(), current_theme(), faded=False)


def plane_step(rows: int, cols: int, width: float, height: float) -> int:
    """Return the cell size in pixels for a plane to fit into a box."""
    return max(3, int(min(width / cols, height / rows)))


def paint_plane(painter: QPainter, left: int, top: int, step: int, plane: list[list[float]], theme: Theme) -> None:
    """Draw one input plane with cells of ``step`` pixels, from grey for 0 to the accent for 1 and amber for -1."""
    painter.setPen(Qt.PenStyle.NoPen)
    for r, line in enumerate(plane):
        for c, value in enumerate(line):
            end = theme.accent if value >= 0 else theme.warn
            painter.setBrush(ramp((theme.raised, end), abs(float(value))))
            painter.drawRect(left + c * step, top + r * step, step - 1, step - 1)
