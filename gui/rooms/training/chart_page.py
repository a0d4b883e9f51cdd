"""The page of a run's charts: the names of the runs that are compared, the grid, and a row of controls for it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy, QSlider, QVBoxLayout, QWidget

from core.checks import is_number
from core.files.reading import parse_json
from gui.jobs.task import save_file
from gui.language.language import tr
from gui.rooms.training.known_runs import ShownRun
from gui.rooms.training.run_charts import CHARTS, rated_nets, whole_of
from gui.rooms.training.run_model import AXES
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.grid import ChartGrid
from gui.widgets.charts.lines import View, nearest
from gui.widgets.charts.page import ChartPage
from gui.widgets.labels import make_label
from gui.widgets.preferences import Preferences
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tips import set_tip

PASS_MS: Final = 2000  # at least between two drawings of runs that go on
LOWEST_PLOT: Final = 128  # px: two rows of charts are in sight in a window of 1024 by 700
WEIGHTS: Final = 100  # of the slider, hundredths
HEAVIEST: Final = 99


class RunNames(QWidget):
    """The runs in the charts, each with the colour of its curves."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown: list[ShownRun] = []
        self.note = ""  # after the names, in a picture
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        on_language(self, self._describe)

    def sizeHint(self) -> QSize:
        return QSize(140, self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_runs(self, shown: list[ShownRun]) -> None:
        self.shown = shown
        self._describe()

    def _describe(self) -> None:
        self.setVisible(len(self.shown) > 1)
        names = ", ".join(run.name for run, _ in self.shown)
        set_tip(self, names)
        self.setAccessibleName(tr("Runs in the charts: {names}").format(names=names))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, box = current_theme(), self.rect().adjusted(px(4), 0, 0, 0)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(figure_font(self.font(), 1.0, bold=True))
        metrics, x = QFontMetrics(painter.font()), box.left()
        for place, (run, colour) in enumerate(self.shown):
            left = box.right() - x - (len(self.shown) - 1 - place) * px(40)
            name = metrics.elidedText(run.name, Qt.TextElideMode.ElideRight, max(px(20), left - px(36)))
            middle = box.center().y()
            if len(self.shown) > 1:
                painter.setPen(QPen(QColor(theme.series[colour]), px(3)))
                painter.drawLine(x, middle, x + px(14), middle)
                x += px(20)
            painter.setPen(theme.color("text"))
            painter.drawText(box.adjusted(x - box.left(), 0, 0, 0), side, name)
            x += metrics.horizontalAdvance(name) + px(16)
        painter.setFont(self.font())
        painter.setPen(theme.color("dim"))
        painter.drawText(box.adjusted(x - box.left(), 0, 0, 0), side, self.note)


class RunCharts(ChartPage):
    """The page; ``grid`` holds the charts."""

    checkpoint_chosen = Signal(int)  # step

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ChartGrid(CHARTS, height=LOWEST_PLOT, pace_ms=PASS_MS), parent)
        self._preferences: Preferences | None = None
        self._behind = False  # not all reports have been read
        self.shown: list[ShownRun] = []
        self.grid.view = View(AXES[0])
        self.names = RunNames(self)
        self.smoothing = QSlider(Qt.Orientation.Horizontal, self)
        self.smoothing.setRange(0, HEAVIEST)
        self.smoothing.setPageStep(10)
        self.smoothing.setFixedWidth(110)
        set_texts(
            self.smoothing,
            accessibleName="Smoothing",
            toolTip="Exponential moving average: the weight of earlier figures. The figures themselves stay behind it.",
        )
        self._weight = make_label(self, "dim")
        self.smoothing.valueChanged.connect(self._smooth)
        self.grid.viewed.connect(self._show_smoothing)
        self.grid.pressed.connect(self._press)
        self.chosen.connect(
            lambda path, data: save_file(self, path, lambda: data, self.notified.emit, self.failed.emit)
        )
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.removeWidget(self.row)  # it stands beside the switch of pages
        column.insertWidget(0, self.names)
        self.why = make_label(self, "dim", wrap=True)
        self.why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self.why, 1)
        self.why.hide()
        for place, part in enumerate((make_label(self, "dim", "Smoothing"), self.smoothing, self._weight), 2):
            self.row.right.insertWidget(place, part)
        self._show_smoothing(self.grid.view)

    # the runs

    def show_runs(self, shown: list[ShownRun]) -> None:
        """Draw the runs, the chosen one first: at once when they are others or all reports are read."""
        behind, others = any(run.behind for run, _ in shown), shown != self.shown
        if shown != self.names.shown:
            self.names.show_runs(shown)
        if others and [entry.run for entry in shown[:1]] != [entry.run for entry in self.shown[:1]]:
            self.grid.set_zoom(None)
        caught_up, self._behind, self.shown = self._behind and not behind, behind, list(shown)
        self.grid.show_model(self.shown, whole_of(shown, self.axis), now=others or caught_up)

    def show_why(self, sentence: str) -> None:
        """Show why there are no figures, in the place of the charts; "" shows these."""
        self.why.setText(sentence)
        self.why.setVisible(bool(sentence))
        self.grid.setVisible(not sentence)

    def _press(self, chart: str, x: float) -> None:
        nets = rated_nets(self.shown[0].run) if self.shown and self.grid.specs[chart].presses else []
        if nets:
            self.checkpoint_chosen.emit(nets[nearest([net.at(self.axis) for net, _ in nets], x)][0].step)

    # how they are shown

    @property
    def axis(self) -> str:
        """What the charts are over, one of ``AXES``."""
        return self.grid.view.axis

    def set_axis(self, axis: str) -> None:
        self.set_view(replace(self.grid.view, axis=axis))

    def set_view(self, view: View) -> None:
        """Draw the charts in another way."""
        self.grid.whole = whole_of(self.shown, view.axis)
        self.grid.set_view(view)

    def _smooth(self, weight: int) -> None:
        self.set_view(replace(self.grid.view, smoothing=weight / WEIGHTS))

    def _show_smoothing(self, view: View) -> None:
        self.smoothing.blockSignals(True)
        self.smoothing.setValue(round(view.smoothing * WEIGHTS))
        self.smoothing.blockSignals(False)
        self._weight.setText(f"{view.smoothing:.2f}")
        if self._preferences is not None:
            self._preferences.run_charts = written(view)

    def recall(self, preferences: Preferences) -> None:
        """Show the charts as in the preferences, and keep there how they are shown."""
        self.set_view(read_view(preferences.run_charts))
        self._preferences = preferences

    # export

    def name(self) -> str:
        return self.shown[0].run.name if self.shown else super().name()

    def heads(self) -> list[QWidget]:
        return [self.names]

    def picture(self, chart: Chart | None) -> QImage:
        smoothing = self.grid.view.smoothing
        self.names.note = tr("smoothed, weight {weight:.2f}").format(weight=smoothing) if smoothing else ""
        self.names.show()
        QApplication.sendPostedEvents(self, QEvent.Type.LayoutRequest)
        try:
            return super().picture(chart)
        finally:
            self.names.note = ""
            self.names.setVisible(len(self.shown) > 1)


def written(view: View) -> str:
    """Return what is kept of how the charts are shown, as JSON."""
    return json.dumps({"axis": view.axis, "smoothing": view.smoothing, "logs": sorted(view.logs)})


def read_view(text: str) -> View:
    """Return the view that :func:`written` wrote; what is damaged or unknown has its default."""
    try:
        written: Any = parse_json(text or "{}")
    except ValueError:
        return View(AXES[0])
    if not isinstance(written, dict):
        return View(AXES[0])
    axis, weight, logs = written.get("axis"), written.get("smoothing"), written.get("logs")
    return View(
        axis if axis in AXES else AXES[0],
        float(weight) if weight is not None and is_number(weight, 0, HEAVIEST / WEIGHTS) else 0.0,
        frozenset(chart.id for chart in CHARTS if isinstance(logs, list) and chart.id in logs),
    )
