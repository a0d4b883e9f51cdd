"""The cached picture of the heatmap: only cells whose marks changed are redrawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_marks
from gui.widgets.board.ground import clear_layer
from gui.widgets.board.overlays.overlay import Mark
from gui.widgets.theme import Theme

FEW: Final = 12  # above this number of cells their bounding rectangle is repainted
MANY: Final = 100  # above this number of cells everything is redrawn


class Heatmap:
    """The picture of a widget's marks; redrawn completely when too many change."""

    def __init__(self, widget: QWidget) -> None:
        self.picture = QPixmap()
        self._widget = widget
        self._style: object = None
        self._drawn: dict[int, Mark] = {}
        self._boxes: dict[int, QRect] = {}  # the pixels of cells

    @property
    def marks(self) -> list[Mark]:
        """The marks as they were last drawn."""
        return list(self._drawn.values())

    @property
    def written(self) -> frozenset[int]:
        """The cells with figures."""
        return frozenset(cell for cell, mark in self._drawn.items() if mark.text)

    def show(self, marks: Sequence[Mark], g: paint.Geometry, kind: paint.Kind, theme: Theme, faded: bool) -> QRegion:
        """Redraw the marks that changed since the last call; returns the changed region."""
        size, ratio, font = self._widget.size(), self._widget.devicePixelRatioF(), self._widget.font()
        marks_at = {mark.cell: mark for mark in marks if mark.cell >= 0}
        style = (size, ratio, g, kind, font, theme, faded)
        drawn, self._drawn = self._drawn, marks_at
        if style == self._style:
            changed = [cell for cell in drawn.keys() | marks_at.keys() if drawn.get(cell) != marks_at.get(cell)]
            if not changed:
                return QRegion()
        if style == self._style and len(changed) <= MANY:
            new = [marks_at[cell] for cell in changed if cell in marks_at]
            painter = QPainter(self.picture)
            region = _clear(painter, [self._box(g, cell) for cell in changed])
        else:
            self._style, self._boxes = style, {}
            new = list(marks_at.values())
            self.picture = clear_layer(size, ratio)
            painter = QPainter(self.picture)
            region = QRegion(QRect(0, 0, size.width(), size.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_marks(painter, g, kind, new, font, theme, faded)
        painter.end()
        return region

    def _box(self, g: paint.Geometry, cell: int) -> QRect:
        """Return the pixels of a cell; neighbours do not overlap."""
        if cell not in self._boxes:
            center, half, high = g.center(cell), g.step / 2, g.down / 2
            left, top = round(center.x() - half), round(center.y() - high)
            right, bottom = round(center.x() + half), round(center.y() + high)
            self._boxes[cell] = QRect(left, top, right - left, bottom - top)
        return self._boxes[cell]


def _clear(painter: QPainter, boxes: list[QRect]) -> QRegion:
    """Clear the boxes; returns a region that contains them, a rectangle when they are many."""
    region, around = QRegion(), QRect()
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    for box in boxes:
        painter.eraseRect(box)
        if len(boxes) <= FEW:
            region += box
        else:
            around |= box
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    return QRegion(around) if len(boxes) > FEW else region
