"""A chart of a run: curves over steps or minutes, a legend with figures, a crosshair.  Knows a RunModel's series."""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from gui.language.language import tr
from gui.rooms.training.run_model import RunModel, Series
from gui.widgets.chart_table import EXAMS, ChartSpec, Curve
from gui.widgets.labels import ShortLabel
from gui.widgets.plot import PLOT_HEIGHT, Legend, Plot
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.theme import DARK, Theme

SIDE = 0.012  # share of the width left free at both sides
FEW = 40  # up to this many points are marked one by one


class Chart(QFrame):
    """One chart with its title, unit and legend; its curves are made once and given new data."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.spec = spec
        self._theme = DARK
        self._hover = self._marked = math.nan
        self._axis = "step"
        self._items: list[pg.PlotDataItem] = []  # made once, reused for other curves
        self.curves: list[tuple[Curve, Series]] = []
        self.plot = Plot(self)
        self.legend = Legend(1, self)  # _measure sets the number of lines
        by_font(self.plot, self._measure)
        title = QLabel(tr(spec.title), self)
        title.setObjectName("heading")
        unit = ShortLabel(self)  # a long one does not widen its chart
        unit.setText(tr(spec.unit))
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
        head.setColumnStretch(1, 1)
        head.addWidget(self.legend, 1, 0, 1, 2)
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
        """Set heights so that a taller legend makes no taller chart; large text needs an extra line for it."""
        curves = 6 if self.spec.kind == EXAMS else len(self.spec.curves)
        self.legend.lines = 1 + (curves > 3) + (curves > 1 and scale() > 1.2)
        self.legend.updateGeometry()
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
        """Draw the run's figures over all of its steps or minutes; ``axis`` is "step" or "minutes"."""
        if self.spec.kind == EXAMS:
            exams = run.exams if run is not None else {}
            names = [name for name in exams if exam_kind(name) == self.spec.ending]
            curves = [(Curve(name, exam_title(name, self.spec.ending), i), exams[name]) for i, name in enumerate(names)]
        else:
            source = run.series if run is not None else {}
            curves = [(curve, source.get(curve.series, Series())) for curve in self.spec.curves]
        self.show_curves(curves, axis, run.reached(axis) if run is not None else 0.0)

    def show_curves(self, curves: list[tuple[Curve, Series]], axis: str, end: float) -> None:
        """Draw these curves instead of the previous ones, from 0 to ``end``: charts of one run share their x range."""
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
        own = [pair for pair in curves if not pair[0].beside] or curves
        self._fit([y * self.spec.scale for _, series in own for y in series.values if math.isfinite(y)], end)
        self._show_legend()

    def _fit(self, ys: list[float], end: float) -> None:
        """Set both ranges so that every finite figure is visible."""
        self.plot.set_empty(not ys)
        if not ys:
            return
        low, high = min(ys), max(ys)
        if self.spec.from_zero:
            low = min(0.0, low)
        lacking = max(0.0, self.spec.least_span - (high - low))
        low, high = low - lacking / 2, high + lacking / 2
        pad = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
        bottom = low if self.spec.from_zero and low == 0 else low - pad
        self.plot.setRange(xRange=abscissae(end), yRange=(bottom, high + pad), padding=0, update=True)

    # crosshair and marker

    def set_hover(self, x: float) -> None:
        """Move the crosshair to an x value; NaN for none."""
        self._hover = x
        self._cross.setVisible(math.isfinite(x))
        if math.isfinite(x):
            self._cross.setValue(x)
        self._show_legend()

    def set_marker(self, x: float) -> None:
        """Show a line at the chosen checkpoint; NaN for none."""
        self._marked = x
        self._marker.setVisible(math.isfinite(x))
        if math.isfinite(x):
            self._marker.setValue(x)
        self._show_legend()

    @property
    def looked_at(self) -> float:
        """The x value of the legend's figures: the crosshair's, else the marker's; NaN for the newest."""
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


def abscissae(end: float) -> tuple[float, float]:
    """Return the x range from 0 to ``end`` with a margin; a run that has hardly begun is shown up to 1."""
    side = SIDE * max(1.0, end)
    return -side, max(1.0, end) + side


def exam_kind(name: str) -> str:
    """Return "value" for an exam that asks for the value, "policy" for one that asks for the best move."""
    return "value" if name.endswith("value") else "policy"


def exam_title(name: str, ending: str) -> str:
    """Return an exam's title: "L1_R1_policy" -> "L1 R1"; the set of all positions has its own words."""
    title = name.removesuffix(ending).strip("_ ").replace("_", " ") or name
    return tr("all positions") if title == "all" else title


def nearest(at: list[float], x: float) -> int:
    """Return the index of the value nearest to ``x`` in an ascending, non-empty list."""
    place = bisect_left(at, x)
    if place == 0:
        return 0
    if place == len(at):
        return len(at) - 1
    return place if at[place] - x < x - at[place - 1] else place - 1
