"""The ladder as a chart: every kept net with its interval over the run, fixed players as lines.  Knows RunModels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.rooms.training.charts import Chart, Look, abscissae, farthest
from gui.rooms.training.comparison import Shown
from gui.rooms.training.run_model import Checkpoint, Rating, RunModel
from gui.rooms.training.series import Moment, nearest
from gui.widgets.chart_table import ChartSpec
from gui.widgets.figures import count
from gui.widgets.plot import Row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language
from gui.widgets.theme import current_theme, figure_font, on_theme


class RatedNets(NamedTuple):
    """The rated nets of one run, by step."""

    run: str
    colour: int  # place in the theme's series
    at: list[float]
    nets: list[tuple[Checkpoint, Rating]]


class EloChart(Chart):
    """A chart of ratings; a click chooses the chosen run's nearest checkpoint, ``set_marker`` marks the chosen one."""

    chosen = Signal(int)  # step

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        self._runs: list[RatedNets] = []  # the chosen run first
        self._others: dict[str, Rating] = {}  # the chosen run's fixed players
        self._fixed: list[tuple[pg.InfiniteLine, pg.TextItem]] = []
        self._drawn: list[tuple[pg.ErrorBarItem, pg.PlotDataItem]] = []  # made once, reused for other runs
        super().__init__(spec, parent)
        self.plot.pressed.connect(self._choose)
        self.plot.setCursor(Qt.CursorShape.PointingHandCursor)
        on_language(self, self._draw)
        on_theme(self, self._dress_ratings)

    def _dress_ratings(self) -> None:
        for run, (bars, line) in zip(self._runs, self._drawn, strict=False):
            colour = self.colour(run.colour)
            line.setPen(pg.mkPen(colour, width=1.8))
            line.setSymbolBrush(colour)
            line.setSymbolPen(None)
            bars.setData(pen=pg.mkPen(current_theme().color("text", 0.2 if self.several else 0.45), width=1.4))
        for fixed, name in self._fixed:
            self._dress_fixed(fixed, name)

    def _dress_fixed(self, line: pg.InfiniteLine, name: pg.TextItem) -> None:
        line.setPen(pg.mkPen(current_theme().faint, width=1, style=Qt.PenStyle.DashLine))
        name.setColor(current_theme().dim)
        name.fill = pg.mkBrush(current_theme().color("panel", 0.85))

    def show_runs(self, runs: Sequence[Shown], look: Look) -> None:
        self.look, self.several, self._end = look, len(runs) > 1, farthest(runs, look.axis)
        self._runs = []
        for run, colour in runs:
            nets = rated_nets(run)
            at = [net.at(look.axis) for net, _ in nets]
            self._runs.append(RatedNets(run.name, colour if self.several else 0, at, nets))
        first = runs[0].run.ratings if runs else {}
        self._others = {name: rating for name, rating in first.items() if not name.startswith("step-")}
        while len(self._drawn) < len(self._runs):
            self._drawn.append((pg.ErrorBarItem(x=np.zeros(0), y=np.zeros(0), beam=0), pg.PlotDataItem(symbol="o")))
            for item in self._drawn[-1]:
                self.plot.addItem(item)
        for place, (bars, line) in enumerate(self._drawn):
            nets = self._runs[place].nets if place < len(self._runs) else []
            bars.setVisible(bool(nets))
            line.setVisible(bool(nets))
            if nets:
                elos, low, high = (np.array([getattr(r, end) for _, r in nets]) for end in ("elo", "low", "high"))
                x = np.array(self._runs[place].at)
                bars.setData(x=x, y=elos, top=np.maximum(high - elos, 0), bottom=np.maximum(elos - low, 0))
                line.setData(x, elos, symbolSize=6)
        self.plot.set_empty(not self._others and not any(run.nets for run in self._runs))
        self.measure()
        self._dress_ratings()
        self._draw()
        self._show_legend()

    def figures(self, run: RunModel, smoothing: float) -> Iterator[tuple[str, Moment, float, float]]:
        for net, rating in rated_nets(run):
            for end in ("elo", "low", "high"):
                value = getattr(rating, end)
                yield end, net.moment, value, value

    def _draw(self) -> None:
        """Set the ranges so that all ratings within the x range are visible, and space for the fixed players' names."""
        left, right = self.look.zoom or abscissae(self._end)
        seen = [r for run in self._runs for at, (_, r) in zip(run.at, run.nets, strict=True) if left <= at <= right]
        fixed = [rating.elo for rating in self._others.values()]
        low, high = [r.low for r in seen] + fixed, [r.high for r in seen] + fixed
        pad = 0.08 * (max(high) - min(low)) or 50.0 if low else 0.0
        metrics, view = QFontMetrics(self._small), self.plot.getViewBox()
        if self.look.zoom is None:
            needed = max((metrics.horizontalAdvance(player_title(name)) + px(10) for name in self._others), default=0)
            right += (right - left) * needed / max(1.0, view.width() - needed, needed)
        height = (max(high) - min(low) + 2 * pad) / max(1.0, view.height()) if low else 0.0
        top = self._show_fixed(right, 1.4 * metrics.height() * height)
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
        if self._runs and self._runs[0].at:
            net, _ = self._runs[0].nets[nearest(self._runs[0].at, x)]
            self.chosen.emit(net.step)

    def _show_legend(self) -> None:
        rows: list[Row] = []
        words = []
        short = self.several and not self.large
        for run in self._runs:
            place = self._place(np.array(run.at))
            step, elo, text = "", self.spec.text(math.nan), self.spec.text(math.nan)
            if place >= 0:
                net, rating = run.nets[place]
                step = tr("step {steps}").format(steps=count(net.step))
                elo, low, high = map(self.spec.text, (rating.elo, rating.low, rating.high))
                text = tr("{elo}  ({low} to {high})").format(elo=elo, low=low, high=high)
            if run.nets:
                words.append(" ".join(filter(None, (run.run if self.several else "", step, text))))
                rows.append((self.colour(run.colour), 0, *(("", elo) if short else (step, text))))
        self.legend.show_rows(rows, "; ".join(words))
        self._show_cross(np.array(self._runs[0].at if self._runs else []))


def rated_nets(run: RunModel) -> list[tuple[Checkpoint, Rating]]:
    """Return the nets of a run that the ladder has rated, by step."""
    found = [(net, run.ratings[net.player]) for net in run.checkpoints if net.player in run.ratings]
    return sorted(found, key=lambda pair: pair[0].step)


def player_title(player: str) -> str:
    """Return the name of a fixed player for the screen: "random" or "rollouts:100"."""
    kind, _, simulations = player.partition(":")
    titles = {"random": tr("random"), "rollouts": tr("rollouts:{simulations}").format(simulations=simulations)}
    return titles.get(kind, player)
