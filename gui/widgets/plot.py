"""Parts of a chart: frame, plot without interaction, legend with figures.  Knows figures, no run."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.widgets.chart_table import tick_text
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme

PLOT_HEIGHT = 148
Row = tuple[str, bool, str, str]  # colour, dashed, title, value


class Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis with short tick labels."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick_text(value * scale) for value in values]


class Legend(QWidget):
    """The curves with their newest value or the one at the crosshair, in one or two lines, as far as they fit."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = lines
        self.rows: list[Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(120, self.lines * self.fontMetrics().height() + 5)

    def show_rows(self, rows: list[Row]) -> None:
        if rows != self.rows:
            self.rows = rows
            self.setAccessibleDescription("; ".join(f"{title} {text}" for _, _, title, text in rows))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        light, bold = figure_font(self.font(), 0.94), figure_font(self.font(), 0.94, bold=True)
        line, height, x = 0, self.height() / self.lines, 0.0
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for colour, dashed, title, text in self.rows:
            widths = [QFontMetrics(font).horizontalAdvance(words) for font, words in ((light, title), (bold, text))]
            if x > 0 and x + 27 + sum(widths) > self.width():
                line, x = line + 1, 0.0
                if line == self.lines:
                    return
            middle = (line + 0.5) * height
            painter.setPen(QPen(QColor(colour), 2.4, Qt.PenStyle.DotLine if dashed else Qt.PenStyle.SolidLine))
            painter.drawLine(round(x), round(middle), round(x + 12), round(middle))
            x += 17
            for words, font, token, width in ((title, light, "dim", widths[0]), (text, bold, "text", widths[1])):
                painter.setFont(font)
                painter.setPen(current_theme().color(token))
                room = int(max(0, self.width() - x))
                shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
                painter.drawText(QRectF(x, line * height, room, height), side, shown)
                x += width + 5
            x += 9


class Plot(pg.PlotWidget):  # type: ignore[misc]
    """A plot without zoom: the wheel scrolls the page, the pointer's x coordinate is emitted."""

    pointed = Signal(float)  # NaN when the pointer has left
    pressed = Signal(float)

    def __init__(self, parent: QWidget | None = None, left: type[Axis] = Axis, bottom: type[Axis] = Axis) -> None:
        super().__init__(parent, enableMenu=False, axisItems={"left": left("left"), "bottom": bottom("bottom")})
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
