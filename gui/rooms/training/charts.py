"""A chart of one or several runs: curves, a legend with figures, a crosshair.  Knows their series, no report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import mark, tr
from gui.rooms.training.comparison import Shown
from gui.rooms.training.run_model import RunModel, minutes_text
from gui.rooms.training.series import AXES, Floats, Moment, Series, inside, nearest, smoothed, thinned
from gui.widgets.chart_table import EXAMS, SIZES, ChartSpec, Curve
from gui.widgets.figures import count
from gui.widgets.plot import LINE_STYLES, PLOT_HEIGHT, ChartFrame, Row, put_line
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme, with_alpha
from gui.widgets.zoom_plot import ZoomPlot

SIDE: Final = 0.012  # share of the width left free at both sides
APART: Final = 7  # px between points that are marked one by one
BEHIND: Final = 0.4  # opacity of the figures behind their smoothed curve
ROOM: Final = 16777215  # QWIDGETSIZE_MAX
EXAM_NAMES = {
    "all": mark("all positions"),
    "random": mark("random"),
    "fours": mark("fours"),
    "endgames": mark("endgames"),
    "middle": mark("half full"),
    "late": mark("nearly full"),
}


@dataclass(frozen=True)
class Look:
    """How the charts of runs are shown."""

    axis: str = AXES[0]
    smoothing: float = 0.0  # weight of earlier figures
    logs: frozenset[str] = frozenset()  # ids of the charts with a logarithmic axis
    zoom: tuple[float, float] | None = None  # range of the x axis; None for the whole


class Line(NamedTuple):
    """One figure of one run."""

    curve: Curve
    run: str
    colour: int  # place in the theme's series
    style: int  # place in LINE_STYLES
    x: Floats
    y: Floats  # in the chart's unit
    mean: Floats  # the same smoothed


class Chart(ChartFrame):
    """One chart of runs; its curves are made once and given new data."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        self.plot: ZoomPlot
        self.large = False
        self.several = False  # runs
        self.lines: list[Line] = []
        self.look = Look()
        self.log = False
        super().__init__(spec.title, spec.meaning, ZoomPlot(), 1, parent)  # _measure tells how many lines
        self.setObjectName("card")
        self.spec = spec
        self._hover = self._marked = math.nan
        self._end = 0.0  # greatest x of the runs
        self._items: list[pg.PlotDataItem] = []  # made once, reused for other curves
        self._behind: list[pg.PlotDataItem] = []
        self._dots = pg.ScatterPlotItem(size=7, pen=None)
        self._dots.setZValue(10)
        self.plot.addItem(self._dots, ignoreBounds=True)
        self.plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # as high as its row
        self.plot.setMaximumHeight(ROOM)
        by_font(self.plot, self.measure)
        set_texts(self, accessibleDescription=spec.meaning)
        self.head.setContentsMargins(12, 0, 12, 0)
        self.head.addWidget(self.legend, 1, 0, 1, 3)
        self.column.setContentsMargins(0, 8, 6, 4)
        self.plot.getViewBox().sigResized.connect(lambda _: self._draw())
        on_language(self, self._show_legend)
        on_theme(self, self._dress_curves)

    def measure(self) -> None:
        """Set heights so that a taller legend makes no taller chart; large text needs an extra line for it."""
        curves = 6 if self.spec.kind in (EXAMS, SIZES) else len(self.spec.curves)
        least = 1 + (curves > 3) + (curves > 1 and scale() > 1.2)
        self.legend.lines = max(least, len({line.curve.series for line in self.lines})) if self.several else least
        self.legend.updateGeometry()
        height = px(PLOT_HEIGHT) + self.fontMetrics().height() * (1 - least)
        self.plot.setMinimumHeight(height)

    def set_large(self, large: bool) -> None:
        """Let it fill its page."""
        self.large = self.plot.by_wheel = large
        self.measure()
        self._show_legend()

    def colour(self, place: int) -> str:
        return current_theme().series[place % len(current_theme().series)]

    def _dress_curves(self) -> None:
        for line, item in zip(self.lines, self._items, strict=False):
            self._dress_curve(line, item)
        for line, item in zip(self.lines, self._behind, strict=False):
            item.setPen(self._pen_behind(line))
        self._show_legend()

    def _dress_curve(self, line: Line, item: pg.PlotDataItem) -> None:
        colour = self.colour(line.colour)
        width = 1.8 * self.devicePixelRatioF()  # pens of plots are in pixels of the screen
        item.setPen(pg.mkPen(colour, width=width, style=LINE_STYLES[line.style]))
        item.setSymbolBrush(colour)
        item.setSymbolPen(None)
        item.setSymbolSize(5)

    def _pen_behind(self, line: Line) -> object:
        return pg.mkPen(with_alpha(pg.mkColor(self.colour(line.colour)), BEHIND), width=1)

    # the runs

    def show_runs(self, runs: Sequence[Shown], look: Look) -> None:
        """Draw the figures of these runs; the first one is the chosen run."""
        self.several = len(runs) > 1
        lines: list[tuple[int, Line]] = []
        places: dict[str, int] = {}  # of the figures, the same for all runs
        for run, colour in runs:
            for curve, series in self.curves_of(run):
                place = places.setdefault(curve.series, len(places))
                lines.append((place, self._line(curve, series, look, run.name, (colour, place))))
        lines.sort(key=lambda pair: pair[0])
        self._show([line for _, line in lines], look, farthest(runs, look.axis))

    def is_wanted(self, runs: Sequence[Shown]) -> bool:
        """Whether the chart is to be shown for these runs."""
        found = (series for run, _ in runs for _, series in self.curves_of(run)) if self.spec.optional else ()
        return not self.spec.optional or any(np.isfinite(series.values).any() for series in found)

    def curves_of(self, run: RunModel) -> list[tuple[Curve, Series]]:
        """Return the figures of a run that the chart shows."""
        if self.spec.kind == EXAMS:
            names = [name for name in run.exams if exam_kind(name) == self.spec.ending]
            return [
                (Curve(name, exam_title(name, self.spec.ending), i), run.exams[name]) for i, name in enumerate(names)
            ]
        if self.spec.kind == SIZES:
            sizes = run.sizes.get(self.spec.ending, {})
            return [(Curve(name, name.replace("x", "×"), i), sizes[name]) for i, name in enumerate(sorted(sizes))]
        return [(curve, run.series.get(curve.series, Series())) for curve in self.spec.curves]

    def figures(self, run: RunModel, smoothing: float) -> Iterator[tuple[str, Moment, float, float]]:
        """Return all figures of a run as in its reports: name, place, value, smoothed value."""
        for curve, series in self.curves_of(run):
            values = series.values
            places = zip(*(series.at(axis).tolist() for axis in AXES), strict=True)
            means = smoothed(values, smoothing)
            for place, value, mean in zip(places, values.tolist(), means.tolist(), strict=True):
                if math.isfinite(value):
                    yield curve.series, Moment(*place), value, mean

    def show_curves(self, curves: list[tuple[Curve, Series]], axis: str, end: float) -> None:
        """Draw these curves of one run from 0 to ``end``."""
        look = Look(axis)
        self._show([self._line(curve, series, look) for curve, series in curves], look, end)

    def _line(self, curve: Curve, series: Series, look: Look, run: str = "", dress: tuple[int, int] = (0, 0)) -> Line:
        """``dress``: the run's colour and the figure's place, for several runs."""
        y = series.values * self.spec.scale
        mean = smoothed(y, look.smoothing) if look.smoothing else y
        colour, style = (dress[0], dress[1] % len(LINE_STYLES)) if self.several else (curve.colour, int(curve.dashed))
        return Line(curve, run, colour, style, series.at(look.axis), y, mean)

    def _show(self, lines: list[Line], look: Look, end: float) -> None:
        self.lines, self.look, self._end = lines, look, end
        known = [line.y[np.isfinite(line.y)] for line in lines]
        self.can_be_log = any(y.size for y in known) and all((y > 0).all() for y in known)
        self.log = self.can_be_log and self.spec.id in look.logs
        self.plot.getAxis("left").setLogMode(None, self.log)
        self.plot.set_empty(not any(y.size for y in known))
        self.measure()
        self._draw()
        self._dress_curves()

    def _draw(self) -> None:
        """Draw the lines within the range, with at most a few points for each pixel."""
        left, right = self._span
        pixels = max(64, round(self.plot.getViewBox().width()))
        smooth = bool(self.look.smoothing)
        for items, wanted in ((self._items, len(self.lines)), (self._behind, len(self.lines) if smooth else 0)):
            while len(items) < wanted:
                items.append(self.plot.add_curve())
                items[-1].setZValue(-5 if items is self._behind else 0)
            for place, item in enumerate(items):
                item.setVisible(place < wanted)
        for place, line in enumerate(self.lines):
            pairs = [(self._items[place], line.mean), *([(self._behind[place], line.y)] if smooth else [])]
            for item, y in pairs:
                x, y = thinned(line.x, y, left, right, round(pixels * self.devicePixelRatioF()))
                known = np.isfinite(y).any()
                item.setData(x if known else [], (np.log10(y) if self.log else y) if known else [])
            seen = line.x[inside(line.x, left, right)]
            wide = len(seen) < 2 or (seen[-1] - seen[0]) / (right - left) * pixels >= APART * len(seen)
            self._items[place].setSymbol("o" if wide and not smooth else None)
        self._fit(left, right)

    @property
    def _span(self) -> tuple[float, float]:
        return self.look.zoom or abscissae(self._end)

    def _fit(self, left: float, right: float) -> None:
        """Set both ranges so that every finite figure within the x range is visible."""
        own = [line for line in self.lines if not line.curve.beside] or self.lines
        seen = np.concatenate([line.y[inside(line.x, left, right)] for line in own]) if own else np.zeros(0)
        seen = seen[np.isfinite(seen)]
        if not seen.size:
            return
        low, high = float(seen.min()), float(seen.max())
        if self.log:
            low, high = math.log10(low), math.log10(high)
            pad = 0.06 * (high - low) or 0.1
        else:
            if self.spec.from_zero:
                low = min(0.0, low)
            lacking = max(0.0, self.spec.least_span - (high - low))
            low, high = low - lacking / 2, high + lacking / 2
            pad = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
        bottom = low if self.spec.from_zero and low == 0 and not self.log else low - pad
        self.plot.setRange(xRange=(left, right), yRange=(bottom, high + pad), padding=0, update=True)

    # crosshair and marker

    def set_hover(self, x: float) -> None:
        """Move the crosshair to the report nearest to an x value; NaN for none."""
        self._hover = x
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

    def _place(self, x: Floats) -> int:
        """Return the report that is looked at, -1 for none: beside others a run ends with its last one."""
        at = self.looked_at
        if not len(x) or not math.isfinite(at):
            return len(x) - 1
        left, right = self._span
        margin = SIDE * (right - left) if self.several else math.inf
        return nearest(x, at) if x[0] - margin <= at <= x[-1] + margin else -1

    def _show_legend(self) -> None:
        rows: list[Row] = []
        words: list[str] = []
        dots: list[dict[str, object]] = []
        before = ""
        for line in self.lines:
            place = self._place(line.x)
            value, raw = (float(line.mean[place]), float(line.y[place])) if place >= 0 else (math.nan, math.nan)
            text, title = self.spec.text(value), tr(line.curve.title)
            if self.large and self.look.smoothing and math.isfinite(raw):
                text = tr("{smoothed} ({value})").format(smoothed=text, value=self.spec.text(raw))
            colour = self.colour(line.colour)
            rows.append((colour, line.style, "" if title == before else title, text))
            words.append(" ".join(filter(None, (line.run if self.several else "", title, text))))
            before = title
            if math.isfinite(self._hover) and math.isfinite(value):
                dots.append({"pos": (line.x[place], math.log10(value) if self.log else value), "brush": colour})
        self.legend.show_rows(rows, "; ".join(words))
        self._dots.setData(dots)
        self._show_cross(next((line.x for line in self.lines if len(line.x)), np.zeros(0)))

    def _show_cross(self, x: Floats) -> None:
        """Show the crosshair at the report that is read, one of those at ``x``, and its place beside the unit.

        Reports may be far apart: between two of them the curve passes through values that were never measured.
        """
        place = self._place(x)
        at = float(x[place]) if place >= 0 and math.isfinite(self._hover) else self._hover
        put_line(self.plot.cross, math.nan if self.plot.is_empty else at)
        parts = [tr(self.spec.unit) if self.spec.unit else ""]
        if math.isfinite(at):
            parts.append(place_text(self.look.axis, at))
        if self.log:
            parts.append(tr("logarithmic"))
        self.unit.setText(" · ".join(filter(None, parts)))


def farthest(runs: Sequence[Shown], axis: str) -> float:
    """Return the greatest x of all runs."""
    return max((run.moment.at(axis) for run, _ in runs), default=0.0)


def place_text(axis: str, x: float) -> str:
    """Return a place on the x axis in words."""
    if axis == "minutes":
        return minutes_text(max(0.0, x))
    words = {"step": tr("step {steps}"), "iteration": tr("iteration {steps}"), "samples": tr("{steps} samples")}
    return words[axis].format(steps=count(max(0, round(x))))


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
