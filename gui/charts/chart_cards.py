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

from gui.charts import chart_data as data
from gui.language.language import tr
from gui.look.figures import count, percent, signed
from gui.look.theme import DARK, Theme, figure_font
from gui.training.labels import ShortLabel
from gui.training.plot import Legend, Plot

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

    def set_past(self, earlier: Snapshot | None) -> None:
        """The moment looked back at while the search goes on; None in the present."""

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
        self._past: Snapshot | None = None
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

    def set_past(self, earlier: Snapshot | None) -> None:
        """Mark the moment that is looked back at."""
        self._past = earlier
        self._marker.setVisible(earlier is not None)
        if earlier is not None:
            self._marker.setValue(float(earlier.simulations))
        self.read()

    def read(self) -> None:
        """The legend tells the figures under the crosshair, else those looked back at, else the present ones."""
        curves, hover, past = self.curves, self._hover, self._past
        looked = curves is not None and math.isfinite(hover)
        self._cross.setVisible(looked)
        if curves is None or not self.lines:
            return
        sample = data.sample_at(curves, hover) if looked else len(curves.simulations) - 1
        at = int(curves.simulations[sample])
        self._cross.setValue(float(at))
        figures = [float(values[sample]) for *_, values in self.lines]
        if past is not None and not looked:
            at, looked, figures = past.simulations, True, self.past_figures(past)
        lines = zip(self.lines, figures, strict=True)
        self.legend.show_rows([(colour, dashed, title, self.figure(x)) for (colour, title, dashed, _), x in lines])
        assert self.snapshot is not None
        words = [self.words(self.snapshot)]
        if looked:
            words.append(tr("at simulation {simulations}").format(simulations=count(at)))
        self.unit.setText(" · ".join(words))

    def past_figures(self, earlier: Snapshot) -> list[float]:
        """The figure of each of ``lines`` in an earlier moment, as its table of moves has it."""
        raise NotImplementedError

    def words(self, snapshot: Snapshot) -> str:
        """The unit and whose figures they are."""
        raise NotImplementedError


class ValueCard(CurveCard):
    """Searched value of the root and its best moves."""

    def figure(self, value: float) -> str:
        return signed(value)

    def past_figures(self, earlier: Snapshot) -> list[float]:
        qs = {row.name: row.q for row in earlier.moves if row.visits}
        return [earlier.root.q, *(qs.get(title, math.nan) for _, title, *_ in self.lines[1:])]

    def words(self, snapshot: Snapshot) -> str:
        return tr("Q for {snapshot}, who is to move").format(snapshot=data.mover(snapshot))

    def fill(self, snapshot: Snapshot, curves: Curves, moves: list[tuple[MoveRow, int, str]]) -> tuple[float, float]:
        self.lines = [(self.theme.text, tr("position"), True, curves.q)]
        self.lines += [(colour, row.name, False, curves.qs[:, edge]) for row, edge, colour in moves]
        weighty = [curves.qs[:, edge] for row, edge, _ in moves if row.share >= data.FEW]
        return data.value_range(curves, [curves.q, *weighty])


class ShareCard(CurveCard):
    """Share of the visits of the best moves and of all others together."""

    def figure(self, value: float) -> str:
        return percent(value / 100)

    def past_figures(self, earlier: Snapshot) -> list[float]:
        shares = {row.name: 100 * row.share for row in earlier.moves}
        figures = [shares.pop(title, 0.0) for _, title, others, _ in self.lines if not others]
        return [*figures, sum(shares.values())][: len(self.lines)]

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
