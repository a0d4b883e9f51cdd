"""A small interactive picture of a lesson: an experiment, drawn, with buttons to do more of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QSlider, QWidget

from core.text import Text, Words
from gui.model.timers import make_timer
from gui.rooms.lessons.drawing import CHARTS, DRAWERS, Sheet
from gui.rooms.lessons.experiments import (
    Bandit,
    Experiment,
    Floats,
    Formula,
    Noise,
    PointRuns,
    Points,
    Temperature,
    Trials,
)
from gui.widgets.figures import count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.games import Position
    from core.search import SearchSettings
    from gui.widgets.charts.chart import Chart

TICK_MS: Final = 40
CURVE: Final = 70  # px of the plot of a chart below a picture
SMALLEST: Final = 0.55  # of a picture's height, where the panel is short
Options = Mapping[str, float | tuple[float, ...]]


@dataclass(frozen=True)
class PictureKind:
    """A kind of picture: its experiment, its figures, its buttons and its height in px."""

    make: Callable[[Options, Position | None, SearchSettings | None], Experiment]
    figures: tuple[str, ...]
    steps: tuple[int, ...]
    height: int
    slider: tuple[float, float] = (0.0, 0.0)  # of C or τ; none where both are equal
    at_a_tick: int = 1  # how much is done in a tick while it runs
    units: Words = ""  # what its buttons add


def _option(options: Options, name: str, usual: float) -> float:
    value = options.get(name, usual)
    return value[0] if isinstance(value, tuple) else value


def _several(options: Options, name: str, usual: tuple[float, ...]) -> Floats:
    value = options.get(name, usual)
    return np.array(value if isinstance(value, tuple) else (value,), float)


def _formula(options: Options, position: Position | None, settings: SearchSettings | None) -> Experiment:
    wins, games = _several(options, "wins", (7, 5, 0)), _several(options, "games", (10, 8, 3))
    short = min(len(wins), len(games))
    return Formula(wins[:short], games[:short], _option(options, "c", 2.0), bool(_option(options, "flipped", 0)))


def _trials(options: Options, position: Position | None, settings: SearchSettings | None) -> Experiment:
    assert position is not None
    assert settings is not None
    simulations = int(min(100_000, max(1, _option(options, "simulations", 1000))))
    return Trials(position, replace(settings, memory_mb=min(32, settings.memory_mb)), simulations)


def _noise(options: Options, position: Position | None, settings: SearchSettings | None) -> Experiment:
    priors = np.maximum(_several(options, "priors", (0.4, 0.25, 0.15, 0.1, 0.06, 0.04)), 1e-6)
    return Noise(
        priors, max(0.01, _option(options, "alpha", 0.3)), min(1.0, max(0.0, _option(options, "epsilon", 0.25)))
    )


def _temperature(options: Options, position: Position | None, settings: SearchSettings | None) -> Experiment:
    visits = np.maximum(_several(options, "visits", (500, 300, 150, 50)), 1.0)
    return Temperature(visits, min(5.0, max(0.1, _option(options, "tau", 1.0))))


KINDS: Final[dict[str, PictureKind]] = {
    "pi": PictureKind(
        lambda o, _p, _s: Points(),
        ("points", "inside", "estimate", "error", "off"),
        (1, 10, 100, 1000),
        270,
        at_a_tick=250,
        units="random points",
    ),
    "pi_runs": PictureKind(
        lambda o, _p, _s: PointRuns(int(min(100_000, max(100, _option(o, "points", 30_000))))),
        ("runs", "near", "share", "expected", "error", "spread"),
        (1, 10, 100),
        230,
        units="runs",
    ),
    "formula": PictureKind(
        _formula, ("score1", "score2", "score3", "c", "total", "chosen"), (), 150, slider=(0.0, 10.0)
    ),
    "bandit": PictureKind(
        lambda o, _p, _s: Bandit(np.clip(_several(o, "arms", (0.2, 0.5, 0.6, 0.4)), 0, 1), _option(o, "c", 2.0)),
        ("plays", "next", "best", "share", "regret", "random", "machines"),
        (1, 10, 100, 1000),
        160,
        at_a_tick=20,
        units="plays",
    ),
    "trials": PictureKind(
        _trials, ("searches", "right", "share", "simulations"), (1, 10, 100), 210, at_a_tick=2, units="searches"
    ),
    "noise": PictureKind(
        _noise,
        ("draws", "alpha", "epsilon", "moves", "raised", "before", "after"),
        (1, 10, 100),
        250,
        units="random draws",
    ),
    "temperature": PictureKind(_temperature, ("tau", "first", "visits", "all"), (), 190, slider=(0.1, 2.0)),
}
PICTURES: Final[dict[str, tuple[str, ...]]] = {name: kind.figures for name, kind in KINDS.items()}


class Canvas(QWidget):
    """What is drawn of an experiment."""

    def __init__(self, experiment: Experiment, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.experiment = experiment
        self._plain_height = height
        self._height = px(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Picture of the experiment")

    def sizeHint(self) -> QSize:
        return QSize(px(260), self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(160), self._height)

    def grow(self, more: int) -> None:
        """Be so much higher or, with a negative number, lower, between the smallest height and the plain one."""
        most = px(self._plain_height)
        height = max(round(SMALLEST * most), min(most, self._height + more))
        if height != self._height:
            self._height = height
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        sheet = Sheet(QPainter(self), QRectF(self.rect()).adjusted(1, 1, -1, -1), self.font())
        DRAWERS[type(self.experiment)](sheet, self.experiment)
        sheet.painter.end()


class Picture(QWidget):
    """The canvas with its buttons, or with a slider."""

    changed = Signal()

    def __init__(
        self,
        name: str,
        options: Options,
        position: Position | None,
        settings: SearchSettings | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.kind = KINDS[name]
        self._of = (options, position, settings)
        self.canvas = Canvas(self.kind.make(*self._of), self.kind.height, self)
        self._clock = make_timer(self, TICK_MS, lambda: self.add(self.kind.at_a_tick))
        column = lay_column(self.canvas, of=self, margins=0, spacing=6)
        self.chart: Chart | None = None
        if type(self.experiment) in CHARTS:
            from gui.widgets.charts.chart import Chart

            title, _ = CHARTS[type(self.experiment)]
            self.chart = Chart(title, "", self, entries=2, height=CURVE)
            self.chart.setMinimumHeight(self.chart.sizeHint().height())
            column.addWidget(self.chart)
        self.buttons: dict[int, QPushButton] = {}
        self.run: QPushButton | None = None
        self.slider: QSlider | None = None
        if self.kind.slider[1]:
            column.addLayout(self._slider_row())
        else:
            column.addWidget(self._button_row())
        self._show_chart()
        on_language(self, self._show_chart)

    @property
    def experiment(self) -> Experiment:
        return self.canvas.experiment

    def _button_row(self) -> FoldingRow:
        row = FoldingRow(self, apart=4)
        for part in (row.left, row.right):
            part.setSpacing(4)
        for more in self.kind.steps:
            button = self.buttons[more] = QPushButton(f"+{count(more)}", self)
            button.setObjectName("tight")
            set_texts(button, accessibleName=Text("{more} more", more=more))
            button.clicked.connect(lambda _=False, n=more: self.add(n))
            row.left.addWidget(button, 1)
        self.run = set_texts(QPushButton(self), text="Run")
        self.run.setObjectName("tight")
        self.run.clicked.connect(self.toggle)
        again = set_texts(QPushButton(self), text="Reset")
        again.setObjectName("tight")
        again.clicked.connect(self.start_over)
        row.right.addWidget(self.run, 1)
        row.right.addWidget(again, 1)
        row.set_stretch(len(self.kind.steps), 2)
        return row

    def _slider_row(self) -> QHBoxLayout:
        shown = self.experiment
        constant = isinstance(shown, Formula)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        low, high = self.kind.slider
        self.slider.setRange(round(10 * low), round(10 * high))
        self.slider.setValue(round(10 * (shown.c if isinstance(shown, Formula) else getattr(shown, "tau", 1.0))))
        set_texts(self.slider, accessibleName="Constant C" if constant else "Temperature τ")
        self.slider.valueChanged.connect(lambda value: self._slide(value / 10))
        return lay_row(make_label(self, "dim", "C" if constant else "τ"), (self.slider, 1), spacing=8)

    def _slide(self, value: float) -> None:
        shown = self.experiment
        if isinstance(shown, Formula):
            shown.set_c(value)
        elif isinstance(shown, Temperature):
            shown.set_tau(value)
        self._show()

    @property
    def place(self) -> float:
        """The place of the slider; NaN without one."""
        return math.nan if self.slider is None else self.slider.value() / 10

    def slide_to(self, place: float) -> None:
        """Move the slider."""
        if self.slider is not None:
            self.slider.setValue(round(10 * place))

    # the experiment

    def add(self, more: int) -> None:
        """Do more of it."""
        shown = self.experiment
        shown.add(more)
        if self.slider is not None:
            value = shown.c if isinstance(shown, Formula) else getattr(shown, "tau", 1.0)
            blocked = self.slider.blockSignals(True)
            self.slider.setValue(round(10 * value))
            self.slider.blockSignals(blocked)
        self._show()

    def toggle(self) -> None:
        """Run it on, or pause."""
        self._clock.stop() if self._clock.isActive() else self._clock.start()
        if self.run is not None:
            set_texts(self.run, text="Stop" if self._clock.isActive() else "Run")

    def start_over(self) -> None:
        """Begin again from nothing."""
        self.canvas.experiment = self.kind.make(*self._of)
        self._show()

    def stop(self) -> None:
        """Pause it if it runs."""
        if self._clock.isActive():
            self.toggle()

    def _show(self) -> None:
        self.canvas.update()
        self._show_chart()
        self.changed.emit()

    def _show_chart(self) -> None:
        if self.chart is not None:
            _, draw = CHARTS[type(self.experiment)]
            self.chart.show_drawing(draw(self.experiment))

    def figure(self, name: str) -> str:
        """A figure as text; "–" while there is none."""
        value = self.experiment.figures().get(name, "–")
        if isinstance(value, str):
            return value
        if isinstance(value, float) and math.isnan(value):
            return "–"
        return count(value) if isinstance(value, int) else f"{value:g}"

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop()
        super().hideEvent(event)
