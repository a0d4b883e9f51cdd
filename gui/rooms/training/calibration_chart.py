"""The calibration of a run's value head: predicted value against outcome.  Knows a RunModel."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.rooms.training.charts import Chart
from gui.rooms.training.run_model import RunModel
from gui.widgets.chart_table import ChartSpec
from gui.widgets.figures import plain
from gui.widgets.theme import current_theme, on_theme


class CalibrationChart(Chart):
    """A chart of predicted value against outcome, of the newest iteration."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._error = math.nan
        self._diagonal = pg.PlotDataItem([-1, 1], [-1, 1])
        self._dots = pg.PlotDataItem(symbol="o")
        self.plot.addItem(self._diagonal)
        self.plot.addItem(self._dots)
        self.plot.setRange(xRange=(-1.05, 1.05), yRange=(-1.08, 1.08), padding=0)
        on_theme(self, self._dress_dots)

    def _dress_dots(self) -> None:
        self._diagonal.setPen(pg.mkPen(current_theme().faint, width=1.2, style=Qt.PenStyle.DashLine))
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
        """Ignore the common crosshair, because this chart is not over time."""

    def _show_legend(self) -> None:
        self.legend.show_rows([(self.colour(0), False, tr("mean error"), plain(getattr(self, "_error", math.nan), 3))])
