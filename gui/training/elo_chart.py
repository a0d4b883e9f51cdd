"""The ladder as a chart: every kept net with its interval over the run, fixed players as lines.  Knows a RunModel."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.look.figures import count
from gui.look.text_size import px
from gui.look.theme import Theme, figure_font
from gui.training.chart_table import ChartSpec
from gui.training.charts import Chart, abscissae, nearest
from gui.training.run_model import Rating, RunModel


class EloChart(Chart):
    """A click chooses the checkpoint next to it; ``set_marker`` shows which is chosen."""

    chosen = Signal(int)  # step

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._at: list[float] = []
        self._steps: list[int] = []
        self._ratings: list[Rating] = []
        self._fixed: list[tuple[pg.InfiniteLine, pg.TextItem]] = []
        self._bars = pg.ErrorBarItem(x=np.zeros(0), y=np.zeros(0), beam=0)
        self._line_of_nets = pg.PlotDataItem(symbol="o", symbolSize=6)
        self.plot.addItem(self._bars)
        self.plot.addItem(self._line_of_nets)
        self.plot.pressed.connect(self._choose)
        self.plot.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        colour = self.colour(0)
        self._line_of_nets.setPen(pg.mkPen(colour, width=1.8))
        self._line_of_nets.setSymbolBrush(colour)
        self._line_of_nets.setSymbolPen(None)
        faded = theme.color("text", 0.45)
        self._bars.setData(pen=pg.mkPen(faded, width=1.4))
        for line, name in self._fixed:
            self._dress_fixed(line, name)

    def _dress_fixed(self, line: pg.InfiniteLine, name: pg.TextItem) -> None:
        line.setPen(pg.mkPen(self._theme.faint, width=1, style=Qt.PenStyle.DashLine))
        name.setColor(self._theme.dim)
        name.fill = pg.mkBrush(self._theme.color("panel", 0.85))

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
        others = {name: rating for name, rating in ratings.items() if not name.startswith("step-")}
        low = [r.low for r in self._ratings] + [r.elo for r in others.values()]
        high = [r.high for r in self._ratings] + [r.elo for r in others.values()]
        self.plot.set_empty(not nets and not others)
        pad = 0.08 * (max(high) - min(low)) or 50.0 if low else 0.0
        left, right = abscissae(run.reached(axis) if run is not None else 0.0)
        right += self._room(others) * (right - left)
        top = self._show_fixed(others, right, 1.7 * pad)
        if low:
            self.plot.setRange(xRange=(left, right), yRange=(min(low) - pad, max(*high, top) + pad), padding=0)
        self._show_legend()

    def _room(self, names: Iterable[str]) -> float:
        """What the names at the right need, in widths of all that is left of them."""
        metrics = QFontMetrics(self._small)
        needed = max((metrics.horizontalAdvance(name) + px(10) for name in names), default=0)
        return float(needed / max(1, self.plot.width() - self.plot.getAxis("left").width() - needed))

    @property
    def _small(self) -> QFont:
        return figure_font(self.font(), 0.85)

    def _show_fixed(self, players: dict[str, Rating], right: float, apart: float) -> float:
        """Lines for players that do not change, their names in the room at the ``right``, ``apart`` Elo or more.

        The height of the topmost name."""
        while len(self._fixed) < len(players):
            line, name = pg.InfiniteLine(angle=0), pg.TextItem(anchor=(1, 0.5))
            name.setFont(self._small)
            for item, depth in ((line, -10), (name, 10)):
                item.setZValue(depth)
                self.plot.addItem(item, ignoreBounds=True)
            self._dress_fixed(line, name)
            self._fixed.append((line, name))
        ordered = sorted(players.items(), key=lambda pair: pair[1].elo)
        top = -math.inf  # of the names so far
        for place, (line, name) in enumerate(self._fixed):
            for item in (line, name):
                item.setVisible(place < len(ordered))
            if place < len(ordered):
                player, rating = ordered[place]
                top = max(rating.elo, top + apart)
                line.setValue(rating.elo)
                name.setText(player)
                name.setPos(right, top)
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
