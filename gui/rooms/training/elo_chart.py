"""The ladder as a chart: every kept net with its interval over the run, fixed players as lines.  Knows a RunModel."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.rooms.training.charts import Chart, abscissae, nearest
from gui.rooms.training.run_model import Rating, RunModel
from gui.widgets.chart_table import ChartSpec
from gui.widgets.figures import count
from gui.widgets.text_size import px
from gui.widgets.texts import on_language
from gui.widgets.theme import current_theme, figure_font, on_theme


class EloChart(Chart):
    """A chart of ratings; a click chooses the nearest checkpoint, ``set_marker`` marks the chosen one."""

    chosen = Signal(int)  # step

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._at: list[float] = []
        self._steps: list[int] = []
        self._ratings: list[Rating] = []
        self._others: dict[str, Rating] = {}  # the fixed players
        self._end = 0.0  # last x of the run
        self._fixed: list[tuple[pg.InfiniteLine, pg.TextItem]] = []
        self._bars = pg.ErrorBarItem(x=np.zeros(0), y=np.zeros(0), beam=0)
        self._line_of_nets = pg.PlotDataItem(symbol="o", symbolSize=6)
        self.plot.addItem(self._bars)
        self.plot.addItem(self._line_of_nets)
        self.plot.getViewBox().sigResized.connect(lambda _: self._set_range())
        self.plot.pressed.connect(self._choose)
        self.plot.setCursor(Qt.CursorShape.PointingHandCursor)
        on_language(self, self._set_range)
        on_theme(self, self._dress_ratings)

    def _dress_ratings(self) -> None:
        colour = self.colour(0)
        self._line_of_nets.setPen(pg.mkPen(colour, width=1.8))
        self._line_of_nets.setSymbolBrush(colour)
        self._line_of_nets.setSymbolPen(None)
        faded = current_theme().color("text", 0.45)
        self._bars.setData(pen=pg.mkPen(faded, width=1.4))
        for line, name in self._fixed:
            self._dress_fixed(line, name)

    def _dress_fixed(self, line: pg.InfiniteLine, name: pg.TextItem) -> None:
        line.setPen(pg.mkPen(current_theme().faint, width=1, style=Qt.PenStyle.DashLine))
        name.setColor(current_theme().dim)
        name.fill = pg.mkBrush(current_theme().color("panel", 0.85))

    def show_run(self, run: RunModel | None, axis: str) -> None:
        self._axis = axis
        ratings = dict(run.ratings) if run is not None else {}
        nets = [(c, ratings.pop(c.player)) for c in run.checkpoints if c.player in ratings] if run is not None else []
        nets.sort(key=lambda pair: pair[0].step)
        self._steps = [c.step for c, _ in nets]
        self._at = [c.at(axis) for c, _ in nets]
        self._ratings = [rating for _, rating in nets]
        elos = np.array([r.elo for r in self._ratings])
        if len(nets):
            x = np.array(self._at)
            top = np.array([r.high for r in self._ratings]) - elos
            bottom = elos - np.array([r.low for r in self._ratings])
            self._bars.setData(x=x, y=elos, top=np.maximum(top, 0), bottom=np.maximum(bottom, 0))
        self._bars.setVisible(bool(nets))
        self._line_of_nets.setData(self._at, elos)
        self._others = {name: rating for name, rating in ratings.items() if not name.startswith("step-")}
        self._end = run.reached(axis) if run is not None else 0.0
        self.plot.set_empty(not nets and not self._others)
        self._set_range()
        self._show_legend()

    def _set_range(self) -> None:
        """Set the ranges so that all ratings are visible, with space at the right for the fixed players' names."""
        fixed = [rating.elo for rating in self._others.values()]
        low, high = [r.low for r in self._ratings] + fixed, [r.high for r in self._ratings] + fixed
        pad = 0.08 * (max(high) - min(low)) or 50.0 if low else 0.0
        metrics, view = QFontMetrics(self._small), self.plot.getViewBox().width()
        needed = max((metrics.horizontalAdvance(player_title(name)) + px(10) for name in self._others), default=0)
        left, right = abscissae(self._end)
        right += (right - left) * needed / max(1.0, view - needed, needed)
        top = self._show_fixed(right, 1.7 * pad)
        if low:
            self.plot.setRange(xRange=(left, right), yRange=(min(low) - pad, max(*high, top) + pad), padding=0)

    @property
    def _small(self) -> QFont:
        return figure_font(self.font(), 0.85)

    def _show_fixed(self, right: float, apart: float) -> float:
        """Show lines for the fixed players, with names at ``right``; return the highest name's Elo.

        Names are at least ``apart`` Elo apart; one that does not fit near its line is left out.
        """
        while len(self._fixed) < len(self._others):
            line, name = pg.InfiniteLine(angle=0), pg.TextItem(anchor=(1, 0.5))
            for item, depth in ((line, -10), (name, 10)):
                item.setZValue(depth)
                self.plot.addItem(item, ignoreBounds=True)
            self._dress_fixed(line, name)
            self._fixed.append((line, name))
        ordered = sorted(self._others.items(), key=lambda pair: pair[1].elo)
        top = -math.inf  # of the names so far
        for place, (line, name) in enumerate(self._fixed):
            for item in (line, name):
                item.setVisible(place < len(ordered))
            if place < len(ordered):
                player, rating = ordered[place]
                line.setValue(rating.elo)
                at = max(rating.elo, top + apart)
                shown = at - rating.elo <= apart  # farther away it could be taken for another line's name
                name.setFont(self._small)
                name.setText(player_title(player) if shown else "")
                name.setPos(right, at)
                top = at if shown else top
        return top

    def _choose(self, x: float) -> None:
        if self._at:
            self.chosen.emit(self._steps[nearest(self._at, x)])

    def _show_legend(self) -> None:
        if not getattr(self, "_ratings", None):
            self.legend.show_rows([])
            return
        at = self.looked_at
        place = nearest(self._at, at) if math.isfinite(at) else len(self._at) - 1
        rating = self._ratings[place]
        text = tr("{elo}  ({low} to {high})").format(
            elo=self.spec.text(rating.elo), low=self.spec.text(rating.low), high=self.spec.text(rating.high)
        )
        self.legend.show_rows(
            [(self.colour(0), False, tr("step {steps}").format(steps=count(self._steps[place])), text)]
        )


def player_title(player: str) -> str:
    """Return the name of a fixed player for the screen: "random" or "rollouts:100"."""
    kind, _, simulations = player.partition(":")
    titles = {"random": tr("random"), "rollouts": tr("rollouts:{simulations}").format(simulations=simulations)}
    return titles.get(kind, player)
