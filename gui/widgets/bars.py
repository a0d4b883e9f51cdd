"""Rows of bars and dots on one scale, and a histogram.  Know figures and colours, no search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.widgets.figures import plain, signed
from gui.widgets.sections import KeyedRows
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, ramp, with_alpha
from gui.widgets.tips import set_tip

FULL, INNER, UPPER, LOWER = (0.18, 0.82), (0.36, 0.64), (0.14, 0.49), (0.53, 0.88)  # of a row's height
Lane = tuple[float, float]
BINS: Final = 21


def bar_colour(name: str) -> QColor:
    """Return the colour of a kind of figure in the present theme."""
    theme = current_theme()
    ramps = {
        "high": (theme.value_ramp, 0.95),
        "low": (theme.value_ramp, 0.05),
        "prior": (theme.prior_ramp, 0.72),
        "share": (theme.share_ramp, 0.66),
    }
    return ramp(*ramps[name]) if name in ramps else theme.color(name)


@dataclass(frozen=True)
class Span:
    """A bar from ``start`` to ``end`` on the scale."""

    start: float
    end: float
    colour: str  # see ``bar_colour``
    lane: Lane = FULL


@dataclass(frozen=True)
class Dot:
    """A dot on the scale; a ``ring`` is drawn open."""

    at: float
    colour: str
    ring: bool = False


@dataclass(frozen=True)
class BarRow:
    """One row: its name, what is drawn, and what it says in words."""

    key: int
    name: str
    spans: tuple[Span, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()  # (place, colour): a line as high as the row
    dots: tuple[Dot, ...] = ()
    words: str = ""
    note: str = ""  # at the right end
    mark: str = ""  # before the name
    faint: bool = False
    whisker: tuple[float, float] | None = None  # an interval, drawn as a line with an end where it is on the scale


@dataclass(frozen=True)
class BarChart:
    """Rows on a scale from ``low`` to ``high``, with what is drawn across all of them."""

    rows: tuple[BarRow, ...]
    low: float
    high: float
    legend: tuple[tuple[str, str], ...] = ()  # (colour, title)
    lines: tuple[tuple[float, str], ...] = ()  # (place, colour)
    band: tuple[float, float] | None = None
    band_title: str = ""
    ends: tuple[str, str] = field(default=("", ""))  # texts of the scale's ends


class Bars(KeyedRows):
    """Paints a ``BarChart``."""

    def __init__(self, parent: QWidget, name: Words) -> None:
        super().__init__(parent, name)
        self.chart = BarChart((), 0.0, 1.0)
        self.marked = -1
        self.setFont(figure_font(self.font(), 0.94))

    def show_chart(self, chart: BarChart, marked: int = -1) -> None:
        """Show a chart; ``marked``: the key of the highlighted row."""
        if (chart, marked) == (self.chart, self.marked):
            return
        taller = len(chart.rows) != len(self.chart.rows)
        self.chart, self.marked = chart, marked
        self.setAccessibleDescription("; ".join(f"{row.name} {row.words}" for row in chart.rows))
        if taller:
            self.updateGeometry()
        self.update()

    # geometry

    def _line(self) -> float:
        return self.fontMetrics().height() + px(3)

    def _head(self) -> float:
        return self._line() if self.chart.legend or self.chart.band_title else 0.0

    def sizeHint(self) -> QSize:
        return QSize(240, round(self._head() + self._line() * (len(self.chart.rows) + 0.9)) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def _names(self) -> float:
        widths = [self.fontMetrics().horizontalAdvance(row.name) for row in self.chart.rows]
        return max([*widths, px(24)]) + px(24)

    def _notes(self) -> float:
        widths = [self.fontMetrics().horizontalAdvance(row.note) for row in self.chart.rows if row.note]
        return max(widths) + px(10) if widths else px(8)

    def place(self, value: float) -> float:
        """Return the abscissa of a figure in px; beyond the scale its end."""
        left, room = self._names(), self.width() - self._names() - self._notes()
        low, high = self.chart.low, self.chart.high
        share = (value - low) / (high - low) if high > low else 0.5
        return float(left + max(0.0, min(1.0, share)) * room)

    # pointer

    def _key_at(self, y: float) -> int:
        row = int((y - self._head()) // self._line())
        return self.chart.rows[row].key if y >= self._head() and row < len(self.chart.rows) else -1

    def _point(self, key: int) -> None:
        if key != self._under:
            words = next((f"{row.name}: {row.words}" for row in self.chart.rows if row.key == key and row.words), "")
            set_tip(self, words)
        super()._point(key)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        chart, theme, line, head = self.chart, current_theme(), self._line(), self._head()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        bottom = head + line * len(chart.rows)
        if chart.band is not None:
            left, right = sorted((self.place(chart.band[0]), self.place(chart.band[1])))
            painter.fillRect(QRectF(left, head, max(1.0, right - left), bottom - head), theme.color("accent", 0.2))
        self._paint_legend(painter)
        for number, row in enumerate(chart.rows):
            self._paint_row(painter, row, head + number * line, line)
        if chart.low < 0 < chart.high:
            painter.setPen(theme.color("dim"))
            painter.drawLine(QPointF(self.place(0), head), QPointF(self.place(0), bottom))
        for at, colour in chart.lines:
            painter.setPen(QPen(bar_colour(colour), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(self.place(at), head), QPointF(self.place(at), bottom))
        self._paint_scale(painter, bottom)

    def _paint_legend(self, painter: QPainter) -> None:
        x, height, metrics = px(4) + 0.0, self._head(), QFontMetricsF(self.font())
        for colour, title in self.chart.legend:
            if x + 13 + metrics.horizontalAdvance(title) > self.width():
                return  # no stump: the tips of the rows have every figure by its name
            painter.fillRect(QRectF(x, height / 2 - 4, 9, 8), bar_colour(colour))
            painter.setPen(current_theme().color("dim"))
            painter.drawText(QRectF(x + 13, 0, self.width(), height), Qt.AlignmentFlag.AlignVCenter, title)
            x += 13 + metrics.horizontalAdvance(title) + px(12)
        if self.chart.band_title:
            painter.setPen(current_theme().color("accent"))
            box = QRectF(x, 0, self.width() - x - px(8), height)
            if metrics.horizontalAdvance(self.chart.band_title) <= box.width():
                sides = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
                painter.drawText(box, sides, self.chart.band_title)

    def _paint_row(self, painter: QPainter, row: BarRow, top: float, height: float) -> None:
        theme = current_theme()
        if row.key in (self.marked, self._under):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selection" if row.key == self.marked else "hover", 0.7))
            painter.drawRoundedRect(QRectF(0, top + 0.5, self.width(), height - 1), 4, 4)
        if row.mark:
            painter.setPen(theme.color("accent"))
            painter.drawText(QRectF(px(4), top, px(14), height), Qt.AlignmentFlag.AlignVCenter, row.mark)
        painter.setPen(theme.color("faint" if row.faint else "text"))
        painter.drawText(QRectF(px(18), top, self.width(), height), Qt.AlignmentFlag.AlignVCenter, row.name)
        for span in row.spans:
            if span.start == span.end:
                continue
            left, right = sorted((self.place(span.start), self.place(span.end)))
            above, below = (top + share * height for share in span.lane)
            painter.fillRect(QRectF(left, above, max(1.0, right - left), below - above), bar_colour(span.colour))
        if row.whisker is not None:
            self._paint_whisker(painter, row.whisker, top, height)
        for at, colour in row.ticks:
            painter.fillRect(QRectF(self.place(at) - 1, top + 1.5, 2, height - 3), bar_colour(colour))
        for dot in row.dots:
            colour_of = bar_colour(dot.colour)
            painter.setPen(QPen(colour_of, 1.6) if dot.ring else Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush if dot.ring else with_alpha(colour_of, 0.6))
            size = px(5) if dot.ring else px(3.5)
            painter.drawEllipse(QPointF(self.place(dot.at), top + height / 2), size, size)
        if row.note:
            painter.setPen(theme.color("dim"))
            box = QRectF(0, top, self.width() - px(5), height)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.note)

    def _paint_whisker(self, painter: QPainter, whisker: tuple[float, float], top: float, height: float) -> None:
        middle, (left, right) = top + height / 2, map(self.place, whisker)
        painter.setPen(QPen(current_theme().color("dim"), 1.4))
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        for end, x in zip(whisker, (left, right), strict=True):
            if self.chart.low <= end <= self.chart.high:
                painter.drawLine(QPointF(x, top + 0.25 * height), QPointF(x, top + 0.75 * height))

    def _paint_scale(self, painter: QPainter, top: float) -> None:
        chart, theme = self.chart, current_theme()
        if not chart.rows:
            return
        left, right = self.place(chart.low), self.place(chart.high)
        painter.setPen(theme.color("line"))
        painter.drawLine(QPointF(left, top + 0.5), QPointF(right, top + 0.5))
        painter.setPen(theme.color("faint"))
        low, high = chart.ends
        box = QRectF(left - px(30), top + 1, right - left + px(38), self._line() * 0.9)
        painter.drawText(box.adjusted(px(30), 0, 0, 0), Qt.AlignmentFlag.AlignLeft, low or signed(chart.low, 2))
        painter.drawText(box.adjusted(0, 0, -px(8), 0), Qt.AlignmentFlag.AlignRight, high or signed(chart.high, 2))
        zero = self.place(0.0)
        if chart.low < 0 < chart.high and min(zero - left, right - zero) > px(40):
            centred = QRectF(zero - px(20), top + 1, px(40), self._line() * 0.9)
            painter.drawText(centred, Qt.AlignmentFlag.AlignHCenter, "0")


class Histogram(QWidget):
    """Counts of values from -1 to +1 in ``BINS`` equal bins, with lines at single values."""

    def __init__(self, parent: QWidget, name: Words) -> None:
        super().__init__(parent)
        self.counts: tuple[int, ...] = ()
        self.lines: tuple[tuple[float, str, str], ...] = ()
        self._ends = ("", "")
        self.setFont(figure_font(self.font(), 0.94))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName=name)

    def sizeHint(self) -> QSize:
        return QSize(240, 5 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def show_counts(
        self, counts: Sequence[int], lines: Sequence[tuple[float, str, str]], ends: tuple[str, str], words: str
    ) -> None:
        """Show counts; ``lines``: (value, colour, name); ``ends``: texts below both ends; ``words``: in words."""
        shown = tuple(counts), tuple(lines), ends
        if shown != (self.counts, self.lines, self._ends) or words != self.accessibleDescription():
            self.counts, self.lines, self._ends = shown
            self.setAccessibleDescription(words)
            self.update()

    def _place(self, value: float) -> float:
        return px(6) + (value + 1) / 2 * (self.width() - 2 * px(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        theme, bottom = current_theme(), self.height() - self.fontMetrics().height() - 2
        most, width = max([*self.counts, 1]), 2 / BINS
        for place, n in enumerate(self.counts):
            if n:
                left, right = self._place(-1 + place * width), self._place(-1 + (place + 1) * width)
                height = max(1.5, (bottom - px(14)) * n / most)
                painter.fillRect(
                    QRectF(left + 0.5, bottom - height, right - left - 1, height),
                    ramp(theme.value_ramp, (place + 0.5) / BINS),
                )
        painter.setPen(theme.color("faint"))
        painter.drawLine(QPointF(self._place(-1), bottom + 0.5), QPointF(self._place(1), bottom + 0.5))
        painter.drawText(QRectF(px(6), 0, self.width() - px(12), px(14)), Qt.AlignmentFlag.AlignRight, str(most))
        below = QRectF(px(6), bottom + 2, self.width() - 2 * px(6), self.fontMetrics().height())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self._ends[0])
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self._ends[1])
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, "0")
        x, head, metrics = float(px(6)), float(px(14)), QFontMetricsF(self.font())
        for value, colour, name in self.lines:
            if math.isfinite(value):
                painter.setPen(QPen(bar_colour(colour), 1.6, Qt.PenStyle.DashLine))
                painter.drawLine(QPointF(self._place(value), head), QPointF(self._place(value), bottom))
                painter.drawLine(QPointF(x, head / 2), QPointF(x + px(16), head / 2))
                painter.setPen(theme.color("dim"))
                painter.drawText(QRectF(x + px(21), 0, self.width(), head), Qt.AlignmentFlag.AlignVCenter, name)
                x += px(21) + metrics.horizontalAdvance(name) + px(14)


def scale_of(values: Sequence[float], with_zero: bool = True) -> tuple[float, float]:
    """Return a scale that holds all finite ``values`` with a little room, and zero."""
    finite = [value for value in values if math.isfinite(value)] + ([0.0] if with_zero else [])
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    pad = 0.03 * (high - low) or 0.01
    return (low - pad if low < 0 or not with_zero else low), high + pad


def term_words(terms: Sequence[tuple[str, float]], score: float) -> str:
    """Return a sum in words: "Q +0.120 + U 0.030 = 0.150"."""
    parts = " + ".join(f"{name} {signed(value)}" for name, value in terms)
    return f"{parts} = {plain(score)}"
