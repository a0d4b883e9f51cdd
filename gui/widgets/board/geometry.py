"""The place of a board's cells on the screen, in squares or hexagons."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.widgets.text_size import px, scale
from gui.widgets.theme import Theme, round_pen

TWO_DIGITS: Final = 0.75  # of a cell: the height of figures of which it holds two


@dataclass(frozen=True)
class Geometry:
    """The place of the cells: ``step`` logical pixels each, the first row from ``left``, the board from ``top``.

    With a ``slant`` they are hexagons, and each row lies that part of a cell further to the right.
    """

    rows: int
    cols: int
    left: float
    top: float
    step: float
    slant: float = 0.0

    @property
    def frame(self) -> QRectF:
        return QRectF(self.left, self.top, *extent(self.rows, self.cols, self.step, self.slant))

    def center(self, cell: int) -> QPointF:
        row, col = divmod(cell, self.cols)
        down, rim = _down(self.step, self.slant)
        return QPointF(self.left + (col + 0.5 + self.slant * row) * self.step, self.top + rim + row * down)

    @property
    def down(self) -> float:
        """The height from row to row."""
        return _down(self.step, self.slant)[0]

    def figure_px(self, share: float, least: int, most: int) -> int:
        """The height in px of figures that take a ``share`` of a cell, between two heights at the usual text size.

        Larger text makes them higher as far as two digits fit."""
        wanted = max(px(least), min(px(most), scale() * share * self.step))
        return round(max(least, min(wanted, TWO_DIGITS * self.step)))

    def rect(self, cell: int) -> QRectF:
        center, half = self.center(cell), self.step / 2
        return QRectF(center.x() - half, center.y() - half, self.step, self.step)

    def cell_at(self, point: QPointF) -> int:
        """Return the cell at a point; -1 outside."""
        down, rim = _down(self.step, self.slant)
        nearest = round((point.y() - self.top - rim) / down)
        for row in (nearest, nearest - 1, nearest + 1) if self.slant else (math.floor((point.y() - self.top) / down),):
            col = math.floor((point.x() - self.left) / self.step - self.slant * row)
            if 0 <= row < self.rows and 0 <= col < self.cols and self._holds(row * self.cols + col, point):
                return row * self.cols + col
        return -1

    def _holds(self, cell: int, point: QPointF) -> bool:
        """Whether a point in the column of a cell is in its hexagon."""
        off = point - self.center(cell)
        return not self.slant or abs(off.y()) <= (self.step - abs(off.x())) / math.sqrt(3)


def _down(step: float, slant: float) -> tuple[float, float]:
    """Return the height from row to row, and that from the board's top to the centres of the first."""
    return (step * math.sqrt(3) / 2, step / math.sqrt(3)) if slant else (step, step / 2)


def extent(rows: int, cols: int, step: float, slant: float = 0.0) -> tuple[float, float]:
    """Return the width and height of a board."""
    down, rim = _down(step, slant)
    return (cols + slant * (rows - 1)) * step, (rows - 1) * down + 2 * rim


def fit(
    rows: int,
    cols: int,
    width: float,
    height: float,
    coordinates: bool,
    above: float = 0.0,
    slant: float = 0.0,
    at_top: bool = False,
) -> Geometry:
    """Return the geometry of the largest board with room for coordinates, a small margin and ``above`` over it.

    It is in the middle, or ``at_top``: where a narrow board stays when the height changes.
    """
    label = 22.0 if coordinates else 0.0
    margin = 10.0
    wide, high = extent(rows, cols, 1.0, slant)
    step = max(1.0, min((width - 2 * margin - label) / wide, (height - above - 2 * margin - label) / high))
    left = (width - label - wide * step) / 2 + label
    top = margin + above if at_top else max(margin + above, (height - label - high * step) / 2)
    return Geometry(rows, cols, round(left), round(max(margin, top)), step, slant)


HEXAGONS: Final = "hexagons"
# The corners of a hexagon of width 1, from the top to the right.
_ANGLES: Final = [number * math.pi / 3 for number in range(6)]
_CORNERS: Final = [(math.sin(angle) / math.sqrt(3), -math.cos(angle) / math.sqrt(3)) for angle in _ANGLES]


def corner(g: Geometry, cell: int, number: int) -> QPointF:
    """Return a corner of a cell's hexagon, counted from the top to the right."""
    x, y = _CORNERS[number % 6]
    return g.center(cell) + QPointF(x * g.step, y * g.step)


def draw_hexagons(painter: QPainter, g: Geometry, theme: Theme) -> None:
    """Draw the empty cells."""
    painter.setPen(QPen(theme.color("cell_line"), max(1.0, 0.035 * g.step)))
    painter.setBrush(theme.color("cell"))
    for cell in range(g.rows * g.cols):
        painter.drawPolygon(QPolygonF([corner(g, cell, number) for number in range(6)]))


def draw_goals(painter: QPainter, g: Geometry, theme: Theme) -> None:
    """Draw the empty cells; the edges above and below in the first player's colour, those beside in the second's."""
    draw_hexagons(painter, g, theme)
    last = g.rows * g.cols - g.cols
    edges = (
        # The cells of an edge, and the corners of each that lie on it; the outermost halves of two edges meet.
        (theme.first, range(g.cols), (5, 0, 1)),
        (theme.first, range(last + g.cols - 1, last - 1, -1), (2, 3, 4)),
        (theme.second, range(last, -1, -g.cols), (3, 4, 5)),
        (theme.second, range(g.cols - 1, last + g.cols, g.cols), (0, 1, 2)),
    )
    for colours, cells, corners in edges:
        painter.setPen(round_pen(QColor(colours[HEXAGONS]), max(2.5, 0.11 * g.step)))
        painter.drawPolyline(QPolygonF([corner(g, cell, number) for cell in cells for number in corners]))
