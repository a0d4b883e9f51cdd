"""A chart of a run: curves over steps or minutes, a legend with figures, a crosshair.  Knows a RunModel's series."""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.language.language import mark, tr
from gui.rooms.training.run_model import RunModel, Series
from gui.widgets.chart_table import EXAMS, ChartSpec, Curve
from gui.widgets.plot import PLOT_HEIGHT, ChartFrame, Plot, put_line
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme

SIDE = 0.012  # share of the width left free at both sides
FEW = 40  # up to this many points are marked one by one
EXAM_NAMES = {
    "all": mark("all positions"),
    "random": mark("random"),
    "fours": mark("fours"),
    "endgames": mark("endgames"),
}


class Chart(ChartFrame):
    """One chart of a run; its curves are made once and given new data."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec.title, spec.meaning, Plot(), 1, parent)  # _measure tells how many lines
        self.setObjectName("card")
        self.spec = spec
        self._hover = self._marked = math.nan
        self._axis = "step"
        self._items: list[pg.PlotDataItem] = []  # made once, reused for other curves
        self.curves: list[tuple[Curve, Series]] = []
        by_font(self.plot, self._measure)
        set_texts(self.unit, text=spec.unit)
        set_texts(self, accessibleDescription=spec.meaning)
        self.head.setContentsMargins(12, 0, 12, 0)
        self.head.addWidget(self.legend, 1, 0, 1, 2)
        self.column.setContentsMargins(0, 8, 6, 4)
        on_language(self, self._show_legend)
        on_theme(self, self._dress_curves)

    def _measure(self) -> None:
        """Set heights so that a taller legend makes no taller chart; large text needs an extra line for it."""
        curves = 6 if self.spec.kind == EXAMS else len(self.spec.curves)
        self.legend.lines = 1 + (curves > 3) + (curves > 1 and scale() > 1.2)
        self.legend.updateGeometry()
        self.plot.setFixedHeight(px(PLOT_HEIGHT) + self.fontMetrics().height() * (1 - self.legend.lines))

    def colour(self, place: int) -> str:
        return current_theme().series[place % len(current_theme().series)]

    def _dress_curves(self) -> None:
        for (curve, _), item in zip(self.curves, self._items, strict=False):
            self._dress_curve(curve, item)
        self._show_legend()

    def _dress_curve(self, curve: Curve, item: pg.PlotDataItem) -> None:
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
            self._items.append(self.plot.add_curve())
        for place, item in enumerate(self._items):
            item.setVisible(place < len(curves))
            if place < len(curves):
                curve, series = curves[place]
                values = np.asarray(series.values, np.float64) * self.spec.scale
                known = bool(np.isfinite(values).any())
                item.setData(np.asarray(series.at(axis), np.float64) if known else [], values if known else [])
                self._dress_curve(curve, item)
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
        put_line(self.plot.cross, x)
        self._show_legend()

    def set_marker(self, x: float) -> None:
        """Show a line at the chosen checkpoint; NaN for none."""
        self._marked = x
        put_line(self.plot.marker, x)
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
    """ "L1_R1_policy" -> "L1 R1"; the sets that have a word for a name have it in English."""
    title = name.removesuffix(ending).strip("_ ").replace("_", " ") or name
    return EXAM_NAMES.get(title, title)


def nearest(at: list[float], x: float) -> int:
    """Return the index of the value nearest to ``x`` in an ascending, non-empty list."""
    place = bisect_left(at, x)
    if place == 0:
        return 0
    if place == len(at):
        return len(at) - 1
    return place if at[place] - x < x - at[place - 1] else place - 1
