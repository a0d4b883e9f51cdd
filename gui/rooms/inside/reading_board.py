"""A board with a number at each cell, as squares: what a line reads in a block of a net."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.language.language import tr
from gui.model.shown import SQUARES, CellShown, CellsShown
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_marks, paint_position
from gui.widgets.board.overlays.inside import cell_marks
from gui.widgets.figures import plain
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, on_theme

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.games import Position


def reading_cells(
    position: Position, source: object, title: str, readings: NDArray[Any], labels: NDArray[Any]
) -> CellsShown:
    """A square at each cell where the concept is defined, the larger the surer the reading, and a ring where it holds;
    readings and labels [H, W], NaN where it is not defined."""
    most = max(0.25, float(readings[labels == labels].max(initial=0.0)))
    names, cells = position.game.cell_names, []
    for cell, (reading, label) in enumerate(zip(readings.ravel().tolist(), labels.ravel().tolist(), strict=True)):
        if not math.isnan(label):
            tip = tr("{cell}: reads {reading}, and it is {label}")
            tip = tip.format(cell=names[cell], reading=plain(reading, 2), label=plain(label, 2))
            cells.append(CellShown(cell, reading / most, tip=tip, outer=1.0 if label == 1.0 else None))
    text = tr("the larger the square, the surer the block · rings: where it holds")
    return CellsShown(position, source, title, text, tuple(cells), form=SQUARES, low=plain(0.0, 2), high=plain(most, 2))


class ReadingBoard(QWidget):
    """A position, the readings of its cells, and a ring where the concept holds."""

    def __init__(self, name: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position: Position | None = None
        self.cells: CellsShown | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(px(80), px(80))
        set_texts(self, accessibleName=name)
        on_theme(self, self.update)

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(190))

    def show_cells(self, position: Position | None, cells: CellsShown | None) -> None:
        """Show a position and what is read at its cells, None where the concept is of whole boards."""
        self.position, self.cells = position, cells
        words = [] if position is None else [position.diagram()]
        words += [] if cells is None else [one.tip for one in cells.cells]
        self.setAccessibleDescription("\n".join(words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        position = self.position
        if position is None or position.game.board.text is not None:
            return
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        kind = paint.kind_of(position.game.name)
        g = paint.fit(*position.game.shape, self.width(), self.height(), False, slant=kind.slant)
        kind.ground(painter, g, theme)
        paint_position(painter, g, kind, position, theme)
        if self.cells is not None:
            paint_marks(painter, g, kind, cell_marks(self.cells, theme), self.font(), theme, faded=False)
