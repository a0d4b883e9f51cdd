"""The legend of a tree's picture: fill, border, size, red and square, in as many lines as needed.  Knows a theme."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QLinearGradient, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import mark, tr
from gui.rooms.picture.picture_look import line_color
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font, ramp

LEFT, BETWEEN, NEAR = 10, 16, 6  # px before a line, between two entries, between a symbol and its text
BAR = 64  # px, of the colour ramp


@dataclass(frozen=True)
class Entry:
    """Text, a symbol ``width`` px wide, and text after it; ``draw`` paints the symbol to the right of (0, 0)."""

    before: str
    width: float
    draw: Callable[[QPainter, Theme], None]
    after: str


def _bar(painter: QPainter, theme: Theme) -> None:
    ramp_of_values = QLinearGradient(0, 0, BAR, 0)
    for i in range(9):
        ramp_of_values.setColorAt(i / 8, ramp(theme.value_ramp, i / 8))
    painter.setBrush(ramp_of_values)
    painter.drawRoundedRect(QRectF(0, -4, BAR, 8), 4, 4)


def _border(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(ramp(theme.value_ramp, 0.72))
    painter.setPen(QPen(ramp(theme.value_ramp, 0.1), 2.4))
    painter.drawEllipse(QPointF(6, 0), 5.4, 5.4)


def _square(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(ramp(theme.value_ramp, 1.0))
    painter.drawRoundedRect(QRectF(0, -5, 10, 10), 3, 3)


def _line(painter: QPainter, theme: Theme) -> None:
    painter.setPen(QPen(line_color(theme), 2.4))
    painter.drawLine(QPointF(0, 0), QPointF(18, 0))


def _nothing(painter: QPainter, theme: Theme) -> None:
    """Draw no symbol."""


def entries() -> tuple[Entry, ...]:
    """Return the entries in the current language."""
    return (
        Entry(tr("Fill: Q for the player of the move"), 0, _nothing, ""),
        Entry(tr("loses"), BAR, _bar, tr("wins")),
        Entry("", 12, _border, tr("Border: the net's V")),
        Entry("", 10, _square, tr("proved")),
        Entry("", 18, _line, tr("principal variation")),
        Entry(tr("Size: visits"), 0, _nothing, ""),
    )


MEANING = mark(
    "Fill: Q for the player of the move. Border: the net's V for the same player. Size: logarithm of the visits. "
    "Square: proved. Red: principal variation."
)


class Legend(QWidget):
    """The legend; an entry that does not fit in its line moves to the next one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        set_texts(self, toolTip=MEANING, accessibleName=MEANING)
        by_font(self, self._measure)

    @property
    def _small(self) -> QFont:
        return figure_font(self.font(), 0.92)

    @property
    def _line_height(self) -> int:
        return QFontMetrics(self._small).height() + 4

    def _width(self, entry: Entry) -> float:
        metrics = QFontMetrics(self._small)
        words = [metrics.horizontalAdvance(text) for text in (entry.before, entry.after) if text]
        parts = len(words) + bool(entry.width)
        return sum(words) + entry.width + NEAR * (parts - 1)

    def lines(self) -> list[list[Entry]]:
        """Return the entries of each line, for the present width."""
        found: list[list[Entry]] = [[]]
        x = float(LEFT)
        for entry in entries():
            width = self._width(entry)
            if found[-1] and x + width > self.width() - LEFT:
                found.append([])
                x = float(LEFT)
            found[-1].append(entry)
            x += width + BETWEEN
        return found

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

    def _paint(self, painter: QPainter, entry: Entry, x: float, top: float) -> float:
        """Paint an entry starting at ``x``; return its right edge."""
        for part in (entry.before, entry, entry.after):
            if isinstance(part, Entry) and part.width:
                painter.save()
                painter.translate(x, top + self._line_height / 2)
                painter.setPen(Qt.PenStyle.NoPen)
                part.draw(painter, current_theme())
                painter.restore()
                x += part.width + NEAR
            elif isinstance(part, str) and part:
                width = painter.fontMetrics().horizontalAdvance(part)
                painter.setPen(current_theme().color("faint" if entry.draw is _bar else "dim"))
                painter.drawText(QRectF(x, top, width + 2, self._line_height), Qt.AlignmentFlag.AlignVCenter, part)
                x += width + NEAR
        return x - NEAR
