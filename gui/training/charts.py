"""One chart of a run: title, unit, curves, a legend with figures, a crosshair.  Knows a RunModel's series."""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.language.language import tr
from gui.look.figures import plain
from gui.look.text_size import by_font, px
from gui.look.theme import DARK, Theme, figure_font
from gui.training.chart_table import EXAMS, ChartSpec, Curve, tick_text
from gui.training.run_model import RunModel, Series

PLOT_HEIGHT = 148
SIDE = 0.012  # of the width is left free at both sides
FEW = 40  # points that are marked one by one
Row = tuple[str, bool, str, str]  # colour, dashed, title, figure


class Axis(pg.AxisItem):  # type: ignore[misc]
    """Ticks in few characters."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick_text(value * scale) for value in values]


class Legend(QWidget):
    """Curves with their newest figure, or the one under the crosshair, in a line or two; what has no room is left."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = lines
        self._theme = DARK
        self.rows: list[Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(120, self.lines * self.fontMetrics().height() + 5)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

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
                painter.setPen(self._theme.color(token))
                room = int(max(0, self.width() - x))
                shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
                painter.drawText(QRectF(x, line * height, room, height), side, shown)
                x += width + 5
            x += 9


class Plot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that is only looked at: the wheel scrolls the page, the pointer is told as an abscissa."""

    pointed = Signal(float)  # NaN when the pointer has left
    pressed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, enableMenu=False, axisItems={"left": Axis("left"), "bottom": Axis("bottom")})
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.setFixedHeight(PLOT_HEIGHT)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(120)
        self.getAxis("left").setWidth(44)
        for side in ("left", "bottom"):
            self.getAxis(side).enableAutoSIPrefix(False)
        self.empty = QLabel(tr("no figures yet"), self)
        self.empty.setObjectName("dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def set_theme(self, theme: Theme) -> None:
        self.setBackground(theme.panel)
        font = figure_font(self.font(), 0.82)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.line))
            axis.setTextPen(theme.dim)
            axis.setStyle(tickFont=font, tickLength=-4, autoExpandTextSpace=False)
            axis.setGrid(34)

    def set_empty(self, empty: bool) -> None:
        """Without figures it says so, and its axes are bare."""
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


class Chart(QFrame):
    """One chart with its title, unit, and legend; its curves are made once and given new data."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.spec = spec
        self._theme = DARK
        self._hover = self._marked = math.nan
        self._axis = "step"
        self._items: list[pg.PlotDataItem] = []  # made once, lent to the curves in turn
        self.curves: list[tuple[Curve, Series]] = []
        self.plot = Plot(self)
        self.legend = Legend(2 if spec.kind == EXAMS or len(spec.curves) > 3 else 1, self)
        by_font(self.plot, self._measure)
        title = QLabel(tr(spec.title), self)
        title.setObjectName("heading")
        unit = QLabel(tr(spec.unit), self)
        unit.setObjectName("faint")
        self.setToolTip(tr(spec.meaning))
        self.setAccessibleName(tr(spec.title))
        self.setAccessibleDescription(tr(spec.meaning))
        head = QGridLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.setHorizontalSpacing(8)
        head.setVerticalSpacing(1)
        head.addWidget(title, 0, 0)
        head.addWidget(unit, 0, 1)
        head.setColumnStretch(2, 1)
        head.addWidget(self.legend, 1, 0, 1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 6, 4)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.plot)
        self._cross = pg.InfiniteLine(angle=90)
        self._marker = pg.InfiniteLine(angle=90)
        for line in (self._cross, self._marker):
            line.setVisible(False)
            self.plot.addItem(line, ignoreBounds=True)

    def _measure(self) -> None:
        """Charts with a taller legend are no taller."""
        self.plot.setFixedHeight(px(PLOT_HEIGHT) + self.fontMetrics().height() * (1 - self.legend.lines))

    def colour(self, place: int) -> str:
        return self._theme.series[place % len(self._theme.series)]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.plot.set_theme(theme)
        self.legend.set_theme(theme)
        self._cross.setPen(pg.mkPen(theme.dim, width=1))
        self._marker.setPen(pg.mkPen(theme.accent, width=1.6))
        for (curve, _), item in zip(self.curves, self._items, strict=False):
            self._dress(curve, item)
        self._show_legend()

    def _dress(self, curve: Curve, item: pg.PlotDataItem) -> None:
        colour = self.colour(curve.colour)
        item.setPen(pg.mkPen(colour, width=1.8, style=Qt.PenStyle.DotLine if curve.dashed else Qt.PenStyle.SolidLine))
        item.setSymbolBrush(colour)
        item.setSymbolPen(None)
        item.setSymbolSize(5)

    def show_run(self, run: RunModel | None, axis: str) -> None:
        """Draw the run's figures over "step" or "minutes"."""
        if self.spec.kind == EXAMS:
            exams = run.exams if run is not None else {}
            names = [name for name in exams if exam_kind(name) == self.spec.ending]
            curves = [(Curve(name, exam_title(name, self.spec.ending), i), exams[name]) for i, name in enumerate(names)]
        else:
            source = run.series if run is not None else {}
            curves = [(curve, source.get(curve.series, Series())) for curve in self.spec.curves]
        self.show_curves(curves, axis)

    def show_curves(self, curves: list[tuple[Curve, Series]], axis: str) -> None:
        """Draw these, in place of what was drawn."""
        self._axis, self.curves = axis, curves
        while len(self._items) < len(curves):
            item = pg.PlotDataItem(connect="finite", autoDownsample=True, downsampleMethod="peak", clipToView=True)
            self.plot.addItem(item)
            self._items.append(item)
        for place, item in enumerate(self._items):
            item.setVisible(place < len(curves))
            if place < len(curves):
                curve, series = curves[place]
                values = np.asarray(series.values, np.float64) * self.spec.scale
                known = bool(np.isfinite(values).any())
                item.setData(np.asarray(series.at(axis), np.float64) if known else [], values if known else [])
                self._dress(curve, item)
                item.setSymbol("o" if len(values) <= FEW else None)
        self._fit([(series.at(axis), series.values) for _, series in curves])
        self._show_legend()

    def _fit(self, curves: list[tuple[list[float], list[float]]]) -> None:
        """Set both ranges so that every finite figure is in sight."""
        xs = [x for at, values in curves for x, y in zip(at, values, strict=True) if math.isfinite(y)]
        ys = [y * self.spec.scale for _, values in curves for y in values if math.isfinite(y)]
        self.plot.set_empty(not ys)
        if not ys:
            return
        low, high = min(ys), max(ys)
        if self.spec.from_zero:
            low = min(0.0, low)
        pad = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
        left, right = min(xs), max(xs)
        side = SIDE * (right - left) or 0.5
        bottom = low if self.spec.from_zero and low == 0 else low - pad
        self.plot.setRange(xRange=(left - side, right + side), yRange=(bottom, high + pad), padding=0, update=True)

    # crosshair and marker

    def set_hover(self, x: float) -> None:
        """The crosshair's abscissa; NaN for none."""
        self._hover = x
        self._cross.setVisible(math.isfinite(x))
        if math.isfinite(x):
            self._cross.setValue(x)
        self._show_legend()

    def set_marker(self, x: float) -> None:
        """A line at the chosen checkpoint; NaN for none."""
        self._marked = x
        self._marker.setVisible(math.isfinite(x))
        if math.isfinite(x):
            self._marker.setValue(x)
        self._show_legend()

    @property
    def looked_at(self) -> float:
        """The abscissa whose figures the legend tells: the crosshair's, else the marker's; NaN for the newest."""
        return self._hover if math.isfinite(self._hover) else self._marked

    def _show_legend(self) -> None:
        rows = []
        for curve, series in self.curves:
            value = series.last
            at = self.looked_at
            if math.isfinite(at) and series.values:
                value = series.values[nearest(series.at(self._axis), at)]
            rows.append(
                (self.colour(curve.colour), curve.dashed, tr(curve.title), self.spec.text(value * self.spec.scale))
            )
        self.legend.show_rows(rows)


def exam_kind(name: str) -> str:
    """Whether an exam asks for the "value" or, as the others do, for the best move: "policy"."""
    return "value" if name.endswith("value") else "policy"


def exam_title(name: str, ending: str) -> str:
    """ "L1_R1_policy" -> "L1 R1"."""
    return name.removesuffix(ending).strip("_ ").replace("_", " ") or name


def nearest(at: list[float], x: float) -> int:
    """The index of the abscissa next to ``x``; the list is ascending and not empty."""
    place = bisect_left(at, x)
    if place == 0:
        return 0
    if place == len(at):
        return len(at) - 1
    return place if at[place] - x < x - at[place - 1] else place - 1


class CalibrationChart(Chart):
    """Predicted value against outcome, of the newest iteration."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._error = math.nan
        self._diagonal = pg.PlotDataItem([-1, 1], [-1, 1])
        self._dots = pg.PlotDataItem(symbol="o")
        self.plot.addItem(self._diagonal)
        self.plot.addItem(self._dots)
        self.plot.setRange(xRange=(-1.05, 1.05), yRange=(-1.08, 1.08), padding=0)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._diagonal.setPen(pg.mkPen(theme.faint, width=1.2, style=Qt.PenStyle.DashLine))
        self._dots.setPen(pg.mkPen(self.colour(0), width=1.2))
        self._dots.setSymbolBrush(self.colour(0))
        self._dots.setSymbolPen(None)

    def show_run(self, run: RunModel | None, axis: str) -> None:
        bins = [b for b in run.calibration if b[2] > 0] if run is not None else []
        self.plot.set_empty(not bins)
        most = max((b[2] for b in bins), default=1)
        self._dots.setData(
            [b[0] for b in bins], [b[1] for b in bins], symbolSize=[4 + 9 * math.sqrt(b[2] / most) for b in bins]
        )
        series = run.series.get("calibration_error") if run is not None else None
        self._error = series.last if series is not None else math.nan
        self._show_legend()

    def set_hover(self, x: float) -> None:
        """It is not over time: the common crosshair passes it by."""

    def _show_legend(self) -> None:
        self.legend.show_rows([(self.colour(0), False, tr("mean error"), plain(getattr(self, "_error", math.nan), 3))])
