"""Parts of a chart: frame, plot without interaction, legend with figures.  Knows figures, no run."""

from __future__ import annotations

import math
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.widgets.chart_table import tick_text
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme

PLOT_HEIGHT = 148
LINE_STYLES: Final = (  # False and True are solid and dotted
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
)
Row = tuple[
    str, int, str, str
]  # colour, place in LINE_STYLES, title, value; without a title it stays with the one before
Ticks = list[tuple[float, list[float]]]  # spacing and places, for each level


class Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis with short tick labels; on a logarithmic one they are the values, not their logarithms."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick_text(10.0**value if self.logMode else value * scale) for value in values]

    def tickValues(self, low: float, high: float, size: float) -> Ticks:
        return log_ticks(low, high) if self.logMode else super().tickValues(low, high, size)


def log_ticks(low: float, high: float) -> Ticks:
    """Return the ticks from 10^low to 10^high: decades, twice and five times these, or round steps within a decade."""
    if high - low > 1:
        decades = range(math.floor(low), math.ceil(high) + 1)
        levels = ([float(d) for d in decades], [d + math.log10(part) for d in decades for part in (2, 5)])
    else:
        step = (10.0**high - 10.0**low) / 4
        unit = 10.0 ** math.floor(math.log10(step))
        step = next(unit * part for part in (1, 2, 5, 10) if unit * part >= 0.99 * step)
        first = max(1, math.ceil(10.0**low / step))
        levels = ([math.log10(step * n) for n in range(first, math.floor(10.0**high / step) + 1)], [])
    return [(1.0, [place for place in level if low <= place <= high]) for level in levels]


def _sample(style: int) -> int:
    """Return the length of a line in a legend: one with dashes needs more of them."""
    return 12 if style < 2 else 26


class Legend(QWidget):
    """The curves with their newest value or the one at the crosshair, in one or two lines, as far as they fit."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = lines
        self.rows: list[Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

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
        line, height, x = 0, self.height() / self.lines, 0.0
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        widths = [self._widths(row, fonts) for row in self.rows]
        for place, (colour, style, title, text) in enumerate(self.rows):
            if x > 0 and x + self._together(place, widths) > self.width():
                line, x = line + 1, 0.0
                if line == self.lines:
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


class Plot(pg.PlotWidget):  # type: ignore[misc]
    """A plot without zoom: the wheel scrolls the page, the pointer's x coordinate is emitted."""

    pointed = Signal(float)  # NaN when the pointer has left
    pressed = Signal(float)

    def __init__(self, parent: QWidget | None = None, left: type[Axis] = Axis, bottom: type[Axis] = Axis) -> None:
        super().__init__(parent, enableMenu=False, axisItems={"left": left("left"), "bottom": bottom("bottom")})
        menu = self.plotItem.ctrlMenu  # pyqtgraph makes it in any case and never deletes it
        menu.setParent(self, menu.windowFlags())
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.setFixedHeight(PLOT_HEIGHT)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(120)
        self.getAxis("left").setWidth(44)
        for side in ("left", "bottom"):
            self.getAxis(side).enableAutoSIPrefix(False)
        self.cross, self.marker = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90)
        for line in (self.cross, self.marker):
            line.setVisible(False)
            self.addItem(line, ignoreBounds=True)
        self.empty = make_label(self, "dim", "no figures yet")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        on_theme(self, self._dress_plot)

    def add_curve(self) -> pg.PlotDataItem:
        """A curve without data, with gaps where a figure is missing."""
        curve = pg.PlotDataItem(connect="finite", autoDownsample=True, downsampleMethod="peak", clipToView=True)
        self.addItem(curve)
        return curve

    def _dress_plot(self) -> None:
        theme = current_theme()
        self.setBackground(theme.panel)
        self.cross.setPen(pg.mkPen(theme.dim, width=1))
        self.marker.setPen(pg.mkPen(theme.accent, width=1.6))
        font = figure_font(self.font(), 0.82)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.line))
            axis.setTextPen(theme.dim)
            axis.setStyle(tickFont=font, tickLength=-4, autoExpandTextSpace=False)
            axis.setGrid(34)
        QCoreApplication.sendPostedEvents(self.scene(), QEvent.Type.MetaCall)  # the scene would paint itself once more

    def set_empty(self, empty: bool) -> None:
        """Show the text for a chart without data, with bare axes."""
        self.empty.setVisible(empty)
        for side in ("left", "bottom"):
            self.getAxis(side).setStyle(showValues=not empty)

    @property
    def is_empty(self) -> bool:
        """Whether it has no data."""
        return not self.empty.isHidden()

    def _abscissa(self, event: QMouseEvent) -> float:
        return float(self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint())).x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self._abscissa(event))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(self._abscissa(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(math.nan)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "empty"):
            self.empty.setGeometry(self.rect())


def put_line(line: pg.InfiniteLine, x: float) -> None:
    """Show the line of a plot at an abscissa; NaN hides it."""
    line.setVisible(math.isfinite(x))
    if math.isfinite(x):
        line.setValue(x)


class ChartFrame(QFrame):
    """A frame with title, unit, legend and plot.  What is drawn in it is its subclass's."""

    def __init__(self, title: str, meaning: str, plot: Plot, legend_lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_texts(self, toolTip=meaning, accessibleName=title)
        self.plot = plot
        self.title, self.unit = set_texts(QLabel(self), text=title), ShortLabel(self)  # a long unit makes it no wider
        self.title.setObjectName("heading")
        self.unit.setObjectName("faint")
        self.legend = Legend(legend_lines, self)
        self.head = head = QGridLayout()
        head.setHorizontalSpacing(8)
        head.setVerticalSpacing(1)
        head.addWidget(self.title, 0, 0)
        head.addWidget(self.unit, 0, 1)
        head.setColumnStretch(1, 1)
        self.column = QVBoxLayout(self)
        self.column.setSpacing(2)
        self.column.addLayout(head)
        self.column.addWidget(plot, 1)
