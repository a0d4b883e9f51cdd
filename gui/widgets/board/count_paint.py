"""Draws on the board whose points are whose in a counted game, and the dead stones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui.widgets.board import board_paint as paint
from gui.widgets.theme import Theme, ink, with_alpha

if TYPE_CHECKING:
    from core.games import Position
    from core.games.counting import Count

SIDE: Final = 0.15  # of half a square, in steps
FADED: Final = 0.62  # how much of a dead stone its ground covers


def paint_count(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, position: Position, count: Count, theme: Theme
) -> None:
    """Fade the dead stones, and draw a square in its owner's colour on each point that no living stone is on."""
    owners, cells = count.owners.ravel().tolist(), position.cells().ravel().tolist()
    radius, half = kind.stone_radius * g.step, SIDE * g.step
    for cell in count.dead:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(theme.color(kind.under), FADED))
        painter.drawEllipse(g.center(cell), 1.02 * radius, 1.02 * radius)
    for cell, owner in enumerate(owners):
        if owner and (not cells[cell] or cell in count.dead):
            colour = paint.stone_color(kind, owner - 1, theme)
            center = g.center(cell)
            painter.setPen(QPen(with_alpha(ink(colour), 0.5), 1.0))
            painter.setBrush(colour)
            painter.drawRect(QRectF(center - QPointF(half, half), center + QPointF(half, half)))
