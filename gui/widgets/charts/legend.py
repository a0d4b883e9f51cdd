"""The legend of a chart: its lines with their newest figures, or with those at the crosshair."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets.theme import current_theme, figure_font

LINE_STYLES: Final = (  # by the styles of gui.widgets.charts.lines
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
)
Row = tuple[
    str, int, str, str
]  # colour, place in LINE_STYLES, title, value; without a title it stays with the one before


def _sample(style: int) -> int:
    """Return the length of a line in a legend: one with dashes needs more of them."""
    return 12 if style < 2 else 26


class ChartLegend(QWidget):
    """The curves with their newest value or the one at the crosshair, in a few lines, as far as they fit."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        """``lines``: 0 for as many as its height has room for."""
        super().__init__(parent)
        self.lines = lines
        self.rows: list[Row] = []
        self.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed if lines else QSizePolicy.Policy.Ignored
        )

    def sizeHint(self) -> QSize:
        return QSize(120, self.lines * self.fontMetrics().height() + 5)

    def show_rows(self, rows: list[Row], words: str = "") -> None:
        """Show the rows; ``words`` describe them to a screen reader where titles and values do not."""
        if rows != self.rows:
            self.rows = rows
            self.setAccessibleDescription(words or "; ".join(f"{title} {text}" for _, _, title, text in rows))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fonts = figure_font(self.font(), 0.94), figure_font(self.font(), 0.94, bold=True)
        tall = self.fontMetrics().height() + 1
        lines = self.lines or max(1, self.height() // tall)
        line, height, x = 0, self.height() / lines if self.lines else tall, 0.0
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        widths = [self._widths(row, fonts) for row in self.rows]
        for place, (colour, style, title, text) in enumerate(self.rows):
            if x > 0 and x + self._together(place, widths) > self.width():
                line, x = line + 1, 0.0
                if line == lines:
                    return
            middle = (line + 0.5) * height
            painter.setPen(QPen(QColor(colour), 2.4, LINE_STYLES[style], Qt.PenCapStyle.FlatCap))
            painter.drawLine(round(x), round(middle), round(x + _sample(style)), round(middle))
            x += _sample(style) + 5
            for words, font, token, width in zip((title, text), fonts, ("dim", "text"), widths[place][1:], strict=True):
                if not words:
                    continue
                painter.setFont(font)
                painter.setPen(current_theme().color(token))
                room = int(max(0, self.width() - x))
                shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
                painter.drawText(QRectF(x, line * height, room, height), side, shown)
                x += width + 5
            x += 9

    @staticmethod
    def _widths(row: Row, fonts: tuple[QFont, QFont]) -> list[int]:
        texts = zip(fonts, row[2:], strict=True)
        return [_sample(row[1]) + 15, *(QFontMetrics(font).horizontalAdvance(words) for font, words in texts)]

    def _together(self, first: int, widths: list[list[int]]) -> int:
        """Return the width of a row, and of those after it that have no title if all of them fit in a line."""
        alone = sum(widths[first])
        total = alone
        if not self.rows[first][2]:
            return alone
        for place in range(first + 1, len(self.rows)):
            if self.rows[place][2]:
                break
            total += 9 + sum(widths[place])
        return total if total <= self.width() else alone
