"""A board with a number at each cell, as squares: what a line reads in a block of a net."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_marks, paint_position
from gui.widgets.board.overlays.overlay import Mark, visible_step
from gui.widgets.figures import plain
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, on_theme, ramp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.games import Position
    from gui.widgets.theme import Theme

LEAST: Final = 0.08  # no square for less


def reading_marks(readings: NDArray[Any], labels: NDArray[Any], theme: Theme) -> list[Mark]:
    """A square at each cell where the concept is defined, the larger the surer the reading; readings and labels [H, W],
    NaN where it is not defined."""
    most = max(0.25, float(readings[labels == labels].max(initial=0.0)))
    marks = []
    for cell, (reading, label) in enumerate(zip(readings.ravel().tolist(), labels.ravel().tolist(), strict=True)):
        share = max(0.0, min(1.0, reading / most))
        if not math.isnan(label) and share >= LEAST:
            fill = ramp(theme.share_ramp, 0.35 + 0.65 * share)
            marks.append(Mark(cell, cell, fill, 1.0, "", "", "", side=visible_step(0.62 * math.sqrt(share))))
    return marks


class ReadingBoard(QWidget):
    """A position, the readings of its cells, and a ring where the concept holds."""

    def __init__(self, name: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position: Position | None = None
        self.readings: NDArray[Any] | None = None
        self.labels: NDArray[Any] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(px(110), px(110))
        set_texts(self, accessibleName=name)
        on_theme(self, self.update)

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(190))

    def show_readings(
        self, position: Position | None, readings: NDArray[Any] | None, labels: NDArray[Any] | None
    ) -> None:
        """Show a position, and readings and labels [H, W] of its cells, None where the concept is of whole boards."""
        self.position, self.readings, self.labels = position, readings, labels
        words = "" if position is None else position.diagram()
        if position is not None and readings is not None:
            rows = [" ".join(plain(x, 2) for x in row) for row in readings.tolist()]
            words = "\n".join([words, *rows])
        self.setAccessibleDescription(words)
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
        if self.readings is None or self.labels is None:
            return
        marks = reading_marks(self.readings, self.labels, theme)
        paint_marks(painter, g, kind, marks, self.font(), theme, faded=False)
        painter.setBrush(theme.color("accent", 0.0))
        pen = painter.pen()
        pen.setColor(theme.color("warn"))
        pen.setWidthF(max(1.6, 0.06 * g.step))
        painter.setPen(pen)
        for cell, label in enumerate(self.labels.ravel().tolist()):
            if label == 1.0:
                painter.drawEllipse(g.center(cell), 0.38 * g.step, 0.38 * g.step)
