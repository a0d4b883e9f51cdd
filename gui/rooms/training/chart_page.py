"""The page of charts: the names of the runs shown, smoothing, export; below them the grid.  Knows the runs shown."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QMenu, QSizePolicy, QSlider, QToolButton, QVBoxLayout, QWidget

from core.checks import is_number
from core.files.reading import parse_json
from core.text import Text
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.rooms.training.chart_export import csv_of, picture_of
from gui.rooms.training.chart_grid import ChartGrid
from gui.rooms.training.chart_tools import COPY_CSV, COPY_PNG, EXPORTS, SAVE_CSV, SAVE_PNG, ChartTools
from gui.rooms.training.charts import Chart, Look
from gui.rooms.training.comparison import Shown
from gui.rooms.training.series import AXES
from gui.widgets.chart_table import CHARTS
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import make_label
from gui.widgets.preferences import Preferences
from gui.widgets.saving import ask_save_name, png, write_file
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font

WEIGHTS: Final = 100  # of the slider, hundredths
HEAVIEST: Final = 99
HINT: Final = mark("To compare runs, click their rings in the list.")


class RunNames(QWidget):
    """The runs in the charts, each with the colour of its curves."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown: list[Shown] = []
        self._hint = False
        self.note = ""  # after the names, in a picture
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        on_language(self, self._describe)

    def sizeHint(self) -> QSize:
        return QSize(140, self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_runs(self, shown: list[Shown]) -> None:
        self.shown = shown
        self._describe()

    def _describe(self) -> None:
        names = ", ".join(run.name for run, _ in self.shown)
        self.setToolTip(names)
        self.setAccessibleName(tr("Runs in the charts: {names}").format(names=names))
        self.update()

    def set_hint(self, hint: bool) -> None:
        """Set whether to say how runs are compared, because there are others."""
        if hint != self._hint:
            self._hint = hint
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, box = current_theme(), self.rect().adjusted(px(4), 0, 0, 0)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if len(self.shown) < 2 and not self.note:
            painter.setPen(theme.color("faint"))
            words = self.fontMetrics().elidedText(tr(HINT), Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, side, words if self._hint else "")
            return
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


class ChartPage(QWidget):
    """The page; ``grid`` holds the charts."""

    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preferences: Preferences | None = None
        self.grid = ChartGrid(self)
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
        self.whole = self._button(mark("Whole run"), mark("The whole x axis (double-click, 0)"))
        self.back = self._button(mark("All charts"), mark("Back to all charts (Esc)"))
        self.export = self._button(mark("Export…"), mark("Save or copy the charts as a picture or as figures"))
        self.export.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.export)
        for what, text in EXPORTS.items():
            set_texts(menu.addAction("", partial(self.carry_out, None, what)), text=text)
        self.export.setMenu(menu)
        self.smoothing.valueChanged.connect(self._smooth)
        self.whole.clicked.connect(lambda: self.grid.set_zoom(None))
        self.back.clicked.connect(lambda: self.grid.enlarge(None))
        self.grid.looked.connect(self._show_look)
        self.grid.enlarged.connect(self.back.setVisible)
        self.grid.asked.connect(self.carry_out)
        row = FoldingRow(self)
        row.left.addWidget(self.names, 1)
        for part in (self.back, self.whole, make_label(self, "dim", "Smoothing"), self.smoothing, self._weight):
            row.right.addWidget(part)
        row.right.addWidget(self.export)
        row.right.setSpacing(8)
        row.set_stretch(1, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(row)
        column.addWidget(self.grid, 1)
        self.back.hide()
        self._show_look(self.grid.look)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_texts(button, text=text, toolTip=tip)
        return button

    # the runs

    @property
    def shown(self) -> list[Shown]:
        return self.grid.shown

    def show_runs(self, shown: list[Shown]) -> None:
        """Draw the runs, the chosen one first."""
        if shown != self.names.shown:
            self.names.show_runs(shown)
        self.grid.show_runs(shown)

    # how they are shown

    @property
    def axis(self) -> str:
        """What the charts are over, one of ``AXES``."""
        return self.grid.look.axis

    def set_axis(self, axis: str) -> None:
        self.grid.set_look(replace(self.grid.look, axis=axis))

    def _smooth(self, weight: int) -> None:
        self.grid.set_look(replace(self.grid.look, smoothing=weight / WEIGHTS))

    def _show_look(self, look: Look) -> None:
        self.smoothing.blockSignals(True)
        self.smoothing.setValue(round(look.smoothing * WEIGHTS))
        self.smoothing.blockSignals(False)
        self._weight.setText(f"{look.smoothing:.2f}")
        self.whole.setVisible(look.zoom is not None)
        if self._preferences is not None:
            self._preferences.run_charts = written(look)

    def recall(self, preferences: Preferences) -> None:
        """Show the charts as in the preferences, and keep there how they are shown."""
        self.grid.set_look(read_look(preferences.run_charts))
        self._preferences = preferences

    # export

    def carry_out(self, chart: Chart | None, what: str) -> None:
        """Save or copy a chart, None for all shown; ``what``: one of ``EXPORTS``."""
        if not self.shown:
            return
        name = self.shown[0].run.name + (f"-{chart.spec.id}" if chart is not None else "")
        if what in (SAVE_CSV, COPY_CSV):
            charts = [chart] if chart is not None else [one for one in self.grid.charts.values() if not one.isHidden()]
            figures = csv_of(charts, self.shown, self.grid.look.smoothing)
            if what == SAVE_CSV:
                self._ask(f"{name}.csv", figures)
            else:
                QGuiApplication.clipboard().setText(figures.decode())
                self.notified.emit(mark("The figures are on the clipboard."))
            return
        picture = self.picture(chart)
        if what == SAVE_PNG:
            self._ask(f"{name}.png", png(picture))
        elif what == COPY_PNG:
            QGuiApplication.clipboard().setImage(picture)
            self.notified.emit(mark("The picture is on the clipboard."))

    def picture(self, chart: Chart | None) -> QImage:
        """Return a picture of a chart, None for all shown, with the runs' names above."""
        if chart is None:
            self.grid.draw_all()
        for tools in self.findChildren(ChartTools):
            tools.hide()
        smoothing = self.grid.look.smoothing
        focused = QApplication.focusWidget()
        self.grid.setFocus()  # so that no frame is marked
        self.names.note = tr("smoothed, weight {weight:.2f}").format(weight=smoothing) if smoothing else " "
        try:
            return picture_of([self.names, self.grid.body if chart is None else chart])
        finally:
            self.names.note = ""
            if focused is not None:
                focused.setFocus()

    def _ask(self, name: str, content: bytes) -> None:
        path = ask_save_name(self, tr("Save the charts"), name)
        if path is not None:
            self.save(path, content)

    def save(self, path: Path, content: bytes) -> None:
        """Write a file in the background."""

        def done(_: None) -> None:
            self.notified.emit(Text("{name} is saved.", name=path.name))

        run_task(self, lambda: write_file(path, content), done, self.failed.emit, writes=True)


def written(look: Look) -> str:
    """Return what is kept of a look, as JSON."""
    return json.dumps({"axis": look.axis, "smoothing": look.smoothing, "logs": sorted(look.logs)})


def read_look(text: str) -> Look:
    """Return the look that :func:`written` wrote; what is damaged or unknown has its default."""
    try:
        found: Any = parse_json(text or "{}")
    except ValueError:
        return Look()
    if not isinstance(found, dict):
        return Look()
    axis, weight, logs = found.get("axis"), found.get("smoothing"), found.get("logs")
    return Look(
        axis if axis in AXES else AXES[0],
        float(weight) if weight is not None and is_number(weight, 0, HEAVIEST / WEIGHTS) else 0.0,
        frozenset(chart.id for chart in CHARTS if isinstance(logs, list) and chart.id in logs),
    )
