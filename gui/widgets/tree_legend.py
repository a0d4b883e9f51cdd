"""A legend of symbols and words in as many lines as needed, for pictures of a tree.  Uses a theme."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QLinearGradient, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets.text_size import by_font
from gui.widgets.texts import TextSource, set_texts
from gui.widgets.theme import Theme, current_theme, figure_font, line_color, ramp

LEFT, BETWEEN, NEAR = 10, 16, 6  # px before a line, between two entries, between a symbol and its text
RAMP = 64  # px, of the colour ramp


@dataclass(frozen=True)
class LegendEntry:
    """Text, a symbol ``width`` px wide, and text after it; ``draw`` paints the symbol to the right of (0, 0)."""

    before: str
    width: float
    draw: Callable[[QPainter, Theme], None]
    after: str


def draw_ramp(painter: QPainter, theme: Theme) -> None:
    """Draw the ramp of values, ``RAMP`` px wide."""
    ramp_of_values = QLinearGradient(0, 0, RAMP, 0)
    for i in range(9):
        ramp_of_values.setColorAt(i / 8, ramp(theme.value_ramp, i / 8))
    painter.setBrush(ramp_of_values)
    painter.drawRoundedRect(QRectF(0, -4, RAMP, 8), 4, 4)


def draw_line(painter: QPainter, theme: Theme) -> None:
    """Draw a piece of the principal variation, 18 px wide."""
    painter.setPen(QPen(line_color(theme), 2.4))
    painter.drawLine(QPointF(0, 0), QPointF(18, 0))


def draw_nothing(painter: QPainter, theme: Theme) -> None:
    """Draw no symbol."""


class TreeLegend(QWidget):
    """The legend; an entry that does not fit in its line moves to the next one."""

    def __init__(
        self, entries: Callable[[], tuple[LegendEntry, ...]], meaning: TextSource, parent: QWidget | None = None
    ) -> None:
        """``entries`` are in the current language; ``meaning`` is the whole legend in words."""
        super().__init__(parent)
        self._entries = entries
        self._meaning = meaning
        self._words: list[tuple[str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.renew()
        by_font(self, self._measure)

    def renew(self) -> None:
        """Show the entries as they are now."""
        words = [(entry.before, entry.after) for entry in self._entries()]
        if words == self._words:
            return
        self._words = words
        set_texts(self, toolTip=self._meaning, accessibleName=self._meaning)
        self._measure()
        self.update()

    @property
    def _small(self) -> QFont:
        return figure_font(self.font(), 0.92)

    @property
    def _line_height(self) -> int:
        return QFontMetrics(self._small).height() + 4

    def _width(self, entry: LegendEntry) -> float:
        metrics = QFontMetrics(self._small)
        words = [metrics.horizontalAdvance(text) for text in (entry.before, entry.after) if text]
        parts = len(words) + bool(entry.width)
        return sum(words) + entry.width + NEAR * (parts - 1)

    def lines(self) -> list[list[LegendEntry]]:
        """Return the entries of each line, for the present width; one that does not fit is left out, the tip has it."""
        rows: list[list[LegendEntry]] = [[]]
        x = float(LEFT)
        for entry in self._entries():
            width = self._width(entry)
            if LEFT + width > self.width():
                continue
            if rows[-1] and x + width > self.width() - LEFT:
                rows.append([])
                x = float(LEFT)
            rows[-1].append(entry)
            x += width + BETWEEN
        return rows

    def _measure(self) -> None:
        self.setFixedHeight(len(self.lines()) * self._line_height + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small)
        for number, line in enumerate(self.lines()):
            x, top = float(LEFT), 2 + number * self._line_height
            for entry in line:
                x = self._paint(painter, entry, x, top) + BETWEEN

    def _paint(self, painter: QPainter, entry: LegendEntry, x: float, top: float) -> float:
        """Paint an entry starting at ``x``; return its right edge."""
        for part in (entry.before, entry, entry.after):
            if isinstance(part, LegendEntry) and part.width:
                painter.save()
                painter.translate(x, top + self._line_height / 2)
                painter.setPen(Qt.PenStyle.NoPen)
                part.draw(painter, current_theme())
                painter.restore()
                x += part.width + NEAR
            elif isinstance(part, str) and part:
                width = painter.fontMetrics().horizontalAdvance(part)
                painter.setPen(current_theme().color("faint" if entry.draw is draw_ramp else "dim"))
                painter.drawText(QRectF(x, top, width + 2, self._line_height), Qt.AlignmentFlag.AlignVCenter, part)
                x += width + NEAR
        return x - NEAR
