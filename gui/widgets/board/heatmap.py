"""The heatmap as a picture that is kept: of each new list of marks only the cells are drawn that look otherwise.

Knows marks and how they are painted, no search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_marks
from gui.widgets.board.ground import clear_layer
from gui.widgets.board.overlays import Mark
from gui.widgets.theme import Theme

FEW: Final = 12  # cells; of more the rectangle about all of them is painted
MANY: Final = 100  # cells; of more the whole picture


class Heatmap:
    """The marks on a widget; when all of them change at once the whole picture is drawn anew."""

    def __init__(self, widget: QWidget) -> None:
        self.picture = QPixmap()
        self._widget = widget
        self._style: object = None
        self._drawn: dict[int, Mark] = {}

    def show(self, marks: Sequence[Mark], g: paint.Geometry, kind: paint.Kind, theme: Theme, faded: bool) -> QRegion:
        """Draw what differs from the marks drawn last; returns where that is."""
        size, ratio, font = self._widget.size(), self._widget.devicePixelRatioF(), self._widget.font()
        wanted = {mark.cell: mark for mark in marks if mark.cell >= 0}
        style = (size, ratio, g, kind, font, theme, faded)
        drawn, self._drawn = self._drawn, wanted
        if style == self._style:
            changed = [cell for cell in drawn.keys() | wanted.keys() if drawn.get(cell) != wanted.get(cell)]
            if not changed:
                return QRegion()
        if style == self._style and len(changed) <= MANY:
            new = [wanted[cell] for cell in changed if cell in wanted]
            painter = QPainter(self.picture)
            region = _clear(painter, [_box(g, cell) for cell in changed])
        else:
            self._style = style
            new = list(wanted.values())
            self.picture = clear_layer(size, ratio)
            painter = QPainter(self.picture)
            region = QRegion(QRect(0, 0, size.width(), size.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_marks(painter, g, kind, new, font, theme, faded)
        painter.end()
        return region


def _clear(painter: QPainter, boxes: list[QRect]) -> QRegion:
    """Make the boxes transparent; returns a region that holds them, a simple one where they are many."""
    region = QRegion()
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    for box in boxes:
        painter.eraseRect(box)
        region = region.united(box) if len(boxes) <= FEW else QRegion(region.boundingRect().united(box))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    return region


def _box(g: paint.Geometry, cell: int) -> QRect:
    """The pixels of a cell; neighbours share none."""
    row, col = divmod(cell, g.cols)
    left, top = round(g.left + col * g.step), round(g.top + row * g.step)
    right, bottom = round(g.left + (col + 1) * g.step), round(g.top + (row + 1) * g.step)
    return QRect(left, top, right - left, bottom - top)
