"""The charts over simulations: value and visits of the best moves.  Know one Snapshot.

Their curves are made once and given new data.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from gui import chart_data as data
from gui.figures import count, percent, signed
from gui.language import tr
from gui.theme import DARK, Theme, figure_font
from gui.training.charts import Legend, Plot
from gui.training.labels import ShortLabel

if TYPE_CHECKING:
    from core.search import MoveRow, Snapshot
    from core.search.curves import Curves

LEAST_HEIGHT = 112
HEAD = 8  # px that a heading has above and below its text
WARM = ("#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442")  # after Okabe and Ito (2008), the blues left out
WARM_ON_WHITE = ("#d55e00", "#009e73", "#cc79a7", "#b07800", "#7a6fb0")


def move_colour(theme: Theme, place: int) -> str:
    """The best move has the board's accent, every other one a colour of its own."""
    return theme.accent if place < 0 else (WARM if theme.dark else WARM_ON_WHITE)[place]


class Surface(Plot):
    """A plot that fills its card and tells where the pointer is, in its own units and in pixels."""

    hovered = Signal(QPointF)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.setMaximumHeight(16777215)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.empty.setWordWrap(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.hovered.emit(event.position())

    def pixel_of(self, x: float, y: float) -> QPointF:
        scene = self.getViewBox().mapViewToScene(QPointF(x, y))
        return QPointF(self.mapFromScene(scene))


class Card(QFrame):
    """A chart with title, unit, legend; ``show_snapshot`` draws it."""

    chosen = Signal(float)  # simulation of the root
    pointed = Signal(float)  # the same; NaN when the pointer has left

    def __init__(self, name: str, title: str, meaning: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.theme = DARK
        self.snapshot: Snapshot | None = None
        self.setToolTip(meaning)
        self.setAccessibleName(title)
        self.title, self.unit = QLabel(title, self), ShortLabel(self)
        self.title.setObjectName("heading")
        self.unit.setObjectName("faint")
        self.unit.setFont(figure_font(self.unit.font(), 0.94))
        self.legend = Legend(2, self)
        self.plot = Surface(self)
        self.head = head = QGridLayout()
        head.setContentsMargins(10, 0, 8, 0)
        head.setHorizontalSpacing(8)
        head.setVerticalSpacing(1)
        head.addWidget(self.title, 0, 0)
        head.addWidget(self.unit, 0, 1)
        head.setColumnStretch(1, 1)
        head.setRowMinimumHeight(0, self.fontMetrics().height() + HEAD)
        head.addWidget(self.legend, 1, 0, 1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 4, 2)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.plot, 1)
        self.plot.set_empty(True)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.plot.set_theme(theme)
        self.legend.set_theme(theme)

    def say(self, text: str) -> None:
        """Why there is nothing to see."""
        self.plot.empty.setText(text)

    def show_snapshot(self, snapshot: Snapshot | None, colours: dict[int, int]) -> None:
        """Draw it; ``colours``: action -> place, see ``chart_data.Colours``."""
        raise NotImplementedError

    def blank(self) -> None:
        """Nothing is drawn; what ``say`` was given stands there."""
        self.plot.set_empty(True)
        self.unit.setText("")
        self.legend.show_rows([])


class CurveCard(Card):
    """Curves of the best moves over the simulations of the root, with a crosshair."""

    def __init__(self, name: str, title: str, meaning: str, parent: QWidget) -> None:
        super().__init__(name, title, meaning, parent)
        self._items = [
            pg.PlotDataItem(connect="finite", autoDownsample=True, downsampleMethod="peak", clipToView=True)
            for _ in range(data.SHOWN + 1)
        ]
        for item in self._items:
            self.plot.addItem(item)
        self._cross, self._marker = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90)
        for line in (self._cross, self._marker):
            line.setVisible(False)
            self.plot.addItem(line, ignoreBounds=True)
        self._hover = math.nan
        self.lines: list[tuple[str, str, bool, np.ndarray]] = []  # colour, title, dashed, [S]
        self.plot.pointed.connect(self._point)
        self.plot.pressed.connect(self._press)

    @property
    def curves(self) -> Curves | None:
        return self.snapshot.curves if self.snapshot is not None else None

    def set_theme(self, theme: Theme) -> None:
        self._cross.setPen(pg.mkPen(theme.dim, width=1))
        self._marker.setPen(pg.mkPen(theme.warn, width=1.6))
        super().set_theme(theme)

    def figure(self, value: float) -> str:
        raise NotImplementedError

    def fill(self, snapshot: Snapshot, curves: Curves, moves: list[tuple[MoveRow, int, str]]) -> tuple[float, float]:
        """Set ``lines`` from (move, edge, colour); returns the range of ordinates."""
        raise NotImplementedError

    def show_snapshot(self, snapshot: Snapshot | None, colours: dict[int, int]) -> None:
        self.snapshot = snapshot
        curves = self.curves
        if snapshot is None or curves is None or not len(curves.actions) or not colours:
            for item in self._items:
                item.setVisible(False)
            self.lines = []
            self._cross.setVisible(False)
            self.blank()
            return
        rows = {row.action: row for row in snapshot.moves}
        moves = [
            (rows[action], edge, move_colour(self.theme, place))
            for action, place in sorted(colours.items(), key=lambda pair: (pair[1] >= 0, -rows[pair[0]].visits))
            if (edge := data.edge_of(curves, action)) >= 0
        ]
        low, high = self.fill(snapshot, curves, moves)
        for place, item in enumerate(self._items):
            item.setVisible(place < len(self.lines))
            if place < len(self.lines):
                colour, _, dashed, values = self.lines[place]
                style = Qt.PenStyle.DotLine if dashed else Qt.PenStyle.SolidLine
                item.setPen(pg.mkPen(colour, width=2.4 if colour == self.theme.accent else 1.5, style=style))
                item.setZValue(1 if colour == self.theme.accent else 0)
                item.setData(curves.simulations.astype(np.float64), values.astype(np.float64))
        self.plot.set_empty(False)
        last = float(max(1, curves.simulations[-1]))
        self.plot.setRange(xRange=(0, 1.012 * last), yRange=(low, high), padding=0)
        self.read()

    def _point(self, x: float) -> None:
        self.pointed.emit(self._inside(x))

    def _press(self, x: float) -> None:
        inside = self._inside(x)
        if math.isfinite(inside):
            self.chosen.emit(inside)

    def _inside(self, x: float) -> float:
        curves = self.curves
        if curves is None or not self.lines or not math.isfinite(x):
            return math.nan
        return max(0.0, min(float(curves.simulations[-1]), x))

    def set_hover(self, x: float) -> None:
        """The crosshair's simulation; NaN for none."""
        self._hover = x
        self.read()

    def set_marker(self, x: float) -> None:
        """The simulation that is looked back at; NaN for none."""
        self._marker.setVisible(math.isfinite(x))
        if math.isfinite(x):
            self._marker.setValue(x)

    def read(self) -> None:
        """The legend tells the figures under the crosshair, else the present ones."""
        curves, hover = self.curves, self._hover
        looked = curves is not None and math.isfinite(hover)
        self._cross.setVisible(looked)
        if curves is None or not self.lines:
            return
        sample = data.sample_at(curves, hover) if looked else len(curves.simulations) - 1
        self._cross.setValue(float(curves.simulations[sample]))
        rows = [(colour, dashed, title, self.figure(float(v[sample]))) for colour, title, dashed, v in self.lines]
        self.legend.show_rows(rows)
        at = tr("at simulation {simulations}").format(simulations=count(int(curves.simulations[sample])))
        assert self.snapshot is not None
        self.unit.setText(f"{self.words(self.snapshot)} · {at}" if looked else self.words(self.snapshot))

    def words(self, snapshot: Snapshot) -> str:
        """The unit and whose figures they are."""
        raise NotImplementedError


class ValueCard(CurveCard):
    """Searched value of the root and its best moves."""

    def figure(self, value: float) -> str:
        return signed(value)

    def words(self, snapshot: Snapshot) -> str:
        return tr("Q for {snapshot}, who is to move").format(snapshot=data.mover(snapshot))

    def fill(self, snapshot: Snapshot, curves: Curves, moves: list[tuple[MoveRow, int, str]]) -> tuple[float, float]:
        self.lines = [(self.theme.text, tr("position"), True, curves.q)]
        self.lines += [(colour, row.name, False, curves.qs[:, edge]) for row, edge, colour in moves]
        return data.value_range(curves, [line[3] for line in self.lines])


class ShareCard(CurveCard):
    """Share of the visits of the best moves and of all others together."""

    def figure(self, value: float) -> str:
        return percent(value / 100)

    def words(self, snapshot: Snapshot) -> str:
        return tr("% of the visits N")

    def fill(self, snapshot: Snapshot, curves: Curves, moves: list[tuple[MoveRow, int, str]]) -> tuple[float, float]:
        shares = 100 * curves.shares
        self.lines = [(colour, row.name, False, shares[:, edge]) for row, edge, colour in moves]
        others = [e for e in range(len(curves.actions)) if e not in {edge for _, edge, _ in moves}]
        if others:
            title = (tr("{count} others") if len(others) > 1 else tr("1 other")).format(count=len(others))
            self.lines.append((self.theme.dim, title, True, shares[:, others].sum(axis=1)))
        settled = curves.simulations >= data.EARLY * curves.simulations[-1]
        high = max(float(line[3][settled].max()) for line in self.lines)
        return 0.0, min(102.0, 1.08 * high + 1)
