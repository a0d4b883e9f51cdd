"""The live charts of runs in a scrolling grid, with a common x range and crosshair.  Knows the runs shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from gui.model.timers import make_timer
from gui.rooms.training.calibration_chart import CalibrationChart
from gui.rooms.training.chart_tools import ChartTools
from gui.rooms.training.charts import Chart, Look, abscissae, farthest
from gui.rooms.training.comparison import Shown
from gui.rooms.training.elo_chart import EloChart
from gui.rooms.training.series import nearest
from gui.widgets.chart_table import CALIBRATION, CHARTS, ELO
from gui.widgets.room import hold
from gui.widgets.text_size import by_font, px, scale
from gui.widgets.texts import set_texts

NARROWEST = 330  # px of a chart
FRAME_MS = 16
WORK_MS = 8  # of a frame for drawing charts
PASS_MS = 2000
KEY_ZOOM = 0.7  # share of the range that + leaves
FAR = 10  # reports that the crosshair is moved with Shift


class ChartGrid(QScrollArea):
    """The grid of all charts, in as many columns as fit, or one of them enlarged."""

    checkpoint_chosen = Signal(int)  # step
    looked = Signal(object)  # Look: zoomed, or another axis logarithmic
    asked = Signal(object, str)  # Chart, what to do with it: one of ``chart_tools.EXPORTS``
    enlarged = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: list[Shown] = []
        self._behind = False  # not all reports have been read
        self.look = Look()
        self.large: Chart | None = None
        self._columns, self._scale = 0, 0.0
        set_texts(self, accessibleName="Charts")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setSpacing(8)
        self.body = body
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
        chart = kinds.get(spec.kind, Chart)(spec, self.body)
        plot = chart.plot
        plot.pointed.connect(lambda x, c=chart: self._point(c, x))
        if spec.kind != CALIBRATION:
            plot.zooms = True
            plot.setCursor(Qt.CursorShape.PointingHandCursor if spec.kind == ELO else Qt.CursorShape.CrossCursor)
            plot.dragged.connect(lambda left, right: self.set_zoom((left, right)))
            plot.scaled.connect(self.scale_zoom)
            plot.reset.connect(lambda: self.set_zoom(None))
        tools = ChartTools(chart)
        tools.enlarge_asked.connect(lambda c=chart: self.enlarge(None if c is self.large else c))
        tools.log_asked.connect(lambda c=chart: self.toggle_log(c))
        tools.whole_asked.connect(lambda: self.set_zoom(None))
        tools.asked.connect(lambda what, c=chart: self.asked.emit(c, what))
        if isinstance(chart, EloChart):
            chart.chosen.connect(self.checkpoint_chosen)
            chart.set_marker(self._marker)
        self.charts[spec.id] = chart
        self._grid.addWidget(chart, *divmod(len(self.charts) - 1, self._columns))
        chart.show_runs(self.shown, self.look)
        chart.setVisible(self._is_wanted(chart))
        if len(self.charts) == len(CHARTS):
            self._making.stop()

    def set_marker(self, x: float) -> None:
        """Show a line at the chosen checkpoint on the ladder's chart; NaN for none."""
        self._marker = x
        if "elo" in self.charts:
            self.charts["elo"].set_marker(x)

    # the runs

    def show_runs(self, shown: Sequence[Shown]) -> None:
        """Draw the runs: at once when they are others or all reports are read, else at most every ``PASS_MS``."""
        behind = any(run.behind for run, _ in shown)
        others = list(shown) != self.shown
        if others or (self._behind and not behind):
            self._passes.stop()
        if others and [one.run for one in shown[:1]] != [one.run for one in self.shown[:1]]:
            self._set_look(replace(self.look, zoom=None))
        self.shown, self._behind = list(shown), behind
        if self.large is not None and not self.large.is_wanted(shown):
            self.enlarge(None)
        if self._passes.isActive():
            self._news = True
        else:
            self._begin_pass()

    def _begin_pass(self) -> None:
        self._news = False
        self._stale = []
        for chart in self.charts.values():
            self._show_or_hide(chart)
        self._passes.start()
        self._drawing.start()

    def _is_wanted(self, chart: Chart) -> bool:
        return chart.is_wanted(self.shown) and self.large in (None, chart)

    def _show_or_hide(self, chart: Chart) -> None:
        """Hide a chart without figures that is optional; draw one that appears at once, others when they are seen."""
        wanted = self._is_wanted(chart)
        if wanted and chart.isHidden() and chart.spec.optional:
            chart.show_runs(self.shown, self.look)
        elif wanted:
            self._stale.append(chart)
        chart.setVisible(wanted)

    def _end_pass(self) -> None:
        if self._news:
            self._begin_pass()

    def draw(self) -> None:
        """Draw the visible outdated charts, for a part of a frame at a time, so that the window stays responsive."""
        clock = QElapsedTimer()
        clock.start()
        for chart in [chart for chart in self._stale if not chart.visibleRegion().isEmpty()]:
            if clock.elapsed() >= WORK_MS:
                self._drawing.start()
                return
            self._stale.remove(chart)
            chart.show_runs(self.shown, self.look)

    def draw_all(self) -> None:
        """Draw all outdated charts, as for a picture."""
        for chart in self._stale:
            chart.show_runs(self.shown, self.look)
        self._stale = []

    # how they are shown

    def set_look(self, look: Look) -> None:
        """Draw the charts in another way."""
        if look.axis != self.look.axis:
            look = replace(look, zoom=None)
            self._point_at(math.nan)
        self._set_look(look)
        self._begin_pass()

    def _set_look(self, look: Look) -> None:
        if look != self.look:
            self.look = look
            self.looked.emit(look)

    @property
    def span(self) -> tuple[float, float]:
        """The range of the x axis."""
        return self.look.zoom or abscissae(farthest(self.shown, self.look.axis))

    def set_zoom(self, zoom: tuple[float, float] | None) -> None:
        """Show a range of the x axis; None for the whole."""
        if zoom is not None:
            whole = abscissae(farthest(self.shown, self.look.axis))
            left, right = max(zoom[0], whole[0]), min(zoom[1], whole[1])
            zoom = (left, right) if right - left < whole[1] - whole[0] else None
            if right - left < 1e-6 * (whole[1] - whole[0]):
                return
        self.set_look(replace(self.look, zoom=zoom))

    def scale_zoom(self, x: float, share: float) -> None:
        """Leave a share of the range, or more than the whole of it, with ``x`` at its place."""
        left, right = self.span
        self.set_zoom((x - share * (x - left), x + share * (right - x)))

    def toggle_log(self, chart: Chart) -> None:
        """Switch one chart between a linear and a logarithmic axis."""
        self.set_look(replace(self.look, logs=self.look.logs ^ {chart.spec.id}))

    def enlarge(self, chart: Chart | None) -> None:
        """Let one chart fill the page; None for all charts."""
        if chart is self.large:
            return
        for one, large in ((self.large, False), (chart, True)):
            if one is not None:
                one.set_large(large)
        before, self.large = self.large, chart
        self._begin_pass()
        self._columns = 0
        self._arrange()
        self.enlarged.emit(chart is not None)
        focused = chart or before
        if focused is not None:
            self._grid.activate()
            self.ensureWidgetVisible(focused)
            focused.setFocus()

    # the crosshair

    def _point(self, chart: Chart, x: float) -> None:
        self._point_at(math.nan if chart.spec.kind == CALIBRATION else x)

    def _point_at(self, x: float) -> None:
        self._hover = x
        if not self._hovering.isActive():
            self._hovering.start()

    def _show_hover(self) -> None:
        for chart in self.charts.values():
            if not chart.visibleRegion().isEmpty() or math.isnan(self._hover):
                chart.set_hover(self._hover)

    def _step(self, by: int) -> None:
        """Move the crosshair by some reports of the chosen run."""
        series = self.shown[0].run.series.get("policy_loss") if self.shown else None
        if series is None or not len(series):
            return
        at = series.at(self.look.axis)
        here = nearest(at, self._hover) + by if math.isfinite(self._hover) else len(at) - 1
        x = float(at[max(0, min(len(at) - 1, here))])
        if self.look.zoom is not None and not self.look.zoom[0] <= x <= self.look.zoom[1]:
            half = (self.look.zoom[1] - self.look.zoom[0]) / 2
            self.set_zoom((x - half, x + half))
        self._point_at(x)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        chart = next((chart for chart in self.charts.values() if chart.hasFocus()), self.large)
        if not self._obey(Qt.Key(event.key()), event.modifiers(), chart):
            super().keyPressEvent(event)

    def _obey(self, key: Qt.Key, keys: Qt.KeyboardModifier, chart: Chart | None) -> bool:
        """Carry out a key; return whether it is one of the charts'."""
        middle = self._hover if math.isfinite(self._hover) else self.span[1]
        if key == Qt.Key.Key_Escape and (self.large is not None or self.look.zoom is not None):
            if self.large is not None:
                self.enlarge(None)
            else:
                self.set_zoom(None)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chart is not None:
            self.enlarge(None if chart is self.large else chart)
        elif key == Qt.Key.Key_L and chart is not None:
            self.toggle_log(chart)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and chart is not None:
            self.scale_zoom(middle, 1 / KEY_ZOOM if key == Qt.Key.Key_Minus else KEY_ZOOM)
        elif key == Qt.Key.Key_0 and chart is not None:
            self.set_zoom(None)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and chart is not None:
            far = FAR if keys & Qt.KeyboardModifier.ShiftModifier else 1
            self._step(-far if key == Qt.Key.Key_Left else far)
        else:
            return False
        return True

    # layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, self.viewport().width() // px(NARROWEST)) if self.large is None else 1
        if (columns, scale()) == (self._columns, self._scale):
            return
        self._columns, self._scale = columns, scale()
        for place, chart in enumerate(self.charts.values()):
            self._grid.addWidget(chart, *divmod(place, columns))
        for column in range(12):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
            self._grid.setColumnMinimumWidth(column, px(NARROWEST - 20) if column < columns else 0)
        for row in range(len(CHARTS)):
            alone = self.large is not None and list(self.charts.values()).index(self.large) == row
            self._grid.setRowStretch(row, 1 if alone else 0)
        self._grid.setRowStretch(len(CHARTS), 1 if self.large is None else 0)
