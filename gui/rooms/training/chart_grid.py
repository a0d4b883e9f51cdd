"""The live charts of a run in a scrolling grid, with a common crosshair.  Knows a RunModel."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from gui.model.timers import make_timer
from gui.rooms.training.calibration_chart import CalibrationChart
from gui.rooms.training.charts import Chart
from gui.rooms.training.elo_chart import EloChart
from gui.rooms.training.run_model import RunModel
from gui.widgets.chart_table import CALIBRATION, CHARTS, ELO
from gui.widgets.room import hold
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import set_texts

NARROWEST = 330  # px of a chart
FRAME_MS = 16
PASS_MS = 2000


class ChartGrid(QScrollArea):
    """The grid of all charts, in as many columns as fit."""

    checkpoint_chosen = Signal(int)  # step

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: RunModel | None = None
        self._behind = False  # not all reports have been read
        self.axis = "step"
        self._columns, self._scale = 0, 0.0
        set_texts(self, accessibleName="Charts")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setSpacing(8)
        self._body = body
        self._marker = math.nan
        self.charts: dict[str, Chart] = {}  # made one after the other
        hold(self, body)
        self._hovering = make_timer(self, FRAME_MS, self._show_hover, once=True)
        self._hover = math.nan
        self._stale: list[Chart] = []
        self._drawing = make_timer(self, FRAME_MS, self.draw, once=True)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._drawing.start())
        self._news = False  # arrived since the current pass began
        self._passes = make_timer(self, PASS_MS, self._end_pass, once=True)
        self._making = make_timer(self, 0, self._make_next)
        by_font(self, self._arrange)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if len(self.charts) < len(CHARTS):
            self._making.start()
        self._drawing.start()

    def _make_next(self) -> None:
        """Make one chart, so that the window stays responsive."""
        spec = CHARTS[len(self.charts)]
        kinds: dict[str, type[Chart]] = {CALIBRATION: CalibrationChart, ELO: EloChart}
        chart = kinds.get(spec.kind, Chart)(spec, self._body)
        chart.plot.pointed.connect(lambda x, c=chart: self._point(c, x))
        if isinstance(chart, EloChart):
            chart.chosen.connect(self.checkpoint_chosen)
            chart.set_marker(self._marker)
        self.charts[spec.id] = chart
        self._grid.addWidget(chart, *divmod(len(self.charts) - 1, self._columns))
        chart.show_run(self._run, self.axis)
        if len(self.charts) == len(CHARTS):
            self._making.stop()

    def set_marker(self, x: float) -> None:
        """Show a line at the chosen checkpoint on the ladder's chart; NaN for none."""
        self._marker = x
        if "elo" in self.charts:
            self.charts["elo"].set_marker(x)

    def show_run(self, run: RunModel | None) -> None:
        """Draw the run: at once when it is another one or all its reports are read, else at most every ``PASS_MS``."""
        behind = run is not None and run.behind
        if run is not self._run or (self._behind and not behind):
            self._passes.stop()
        self._run, self._behind = run, behind
        if self._passes.isActive():
            self._news = True
        else:
            self._begin_pass()

    def _begin_pass(self) -> None:
        self._news = False
        self._stale = list(self.charts.values())
        self._passes.start()
        self._drawing.start()

    def _end_pass(self) -> None:
        if self._news:
            self._begin_pass()

    def draw(self) -> None:
        """Draw one of the visible outdated charts per frame, so that the window stays responsive."""
        chart = next((chart for chart in self._stale if not chart.visibleRegion().isEmpty()), None)
        if chart is not None:
            self._stale.remove(chart)
            chart.show_run(self._run, self.axis)
            self._drawing.start()

    def set_axis(self, axis: str) -> None:
        """Draw the charts over "step" or "minutes"."""
        self.axis = axis
        self._begin_pass()

    def _point(self, chart: Chart, x: float) -> None:
        self._hover = math.nan if chart.spec.kind == CALIBRATION else x
        if not self._hovering.isActive():
            self._hovering.start()

    def _show_hover(self) -> None:
        for chart in self.charts.values():
            chart.set_hover(self._hover)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, self.viewport().width() // px(NARROWEST))
        if (columns, scale()) == (self._columns, self._scale):
            return
        self._columns, self._scale = columns, scale()
        for place, chart in enumerate(self.charts.values()):
            self._grid.addWidget(chart, *divmod(place, columns))
        for column in range(12):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
            self._grid.setColumnMinimumWidth(column, px(NARROWEST - 20) if column < columns else 0)
        self._grid.setRowStretch(len(CHARTS), 1)
