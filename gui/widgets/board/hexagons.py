"""A board of hexagons that leans to the right, with the players' edges."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.widgets.board.geometry import Geometry
from gui.widgets.theme import Theme, round_pen

LOOK: Final = "hexagons"
# The corners of a hexagon of width 1, from the top to the right.
_ANGLES: Final = [number * math.pi / 3 for number in range(6)]
_CORNERS: Final = [(math.sin(angle) / math.sqrt(3), -math.cos(angle) / math.sqrt(3)) for angle in _ANGLES]


def corner(g: Geometry, cell: int, number: int) -> QPointF:
    """Return a corner of a cell's hexagon, counted from the top to the right."""
    x, y = _CORNERS[number % 6]
    return g.center(cell) + QPointF(x * g.step, y * g.step)


def draw_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    """Draw the empty cells."""
    painter.setPen(QPen(theme.color("cell_line"), max(1.0, 0.035 * g.step)))
    painter.setBrush(theme.color("cell"))
    for cell in range(g.rows * g.cols):
        painter.drawPolygon(QPolygonF([corner(g, cell, number) for number in range(6)]))


def draw_goals(painter: QPainter, g: Geometry, theme: Theme) -> None:
    """Draw the empty cells; the edges above and below in the first player's colour, those beside in the second's."""
    draw_ground(painter, g, theme)
    last = g.rows * g.cols - g.cols
    edges = (
        # The cells of an edge, and the corners of each that lie on it; the outermost halves of two edges meet.
        (theme.first, range(g.cols), (5, 0, 1)),
        (theme.first, range(last + g.cols - 1, last - 1, -1), (2, 3, 4)),
        (theme.second, range(last, -1, -g.cols), (3, 4, 5)),
        (theme.second, range(g.cols - 1, last + g.cols, g.cols), (0, 1, 2)),
    )
    for colours, cells, corners in edges:
        painter.setPen(round_pen(QColor(colours[LOOK]), max(2.5, 0.11 * g.step)))
        painter.drawPolyline(QPolygonF([corner(g, cell, number) for cell in cells for number in corners]))
