"""The ladder as a chart: every kept net with its interval over the run, fixed players as lines.  Knows a RunModel."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.look.theme import Theme
from gui.training.chart_table import ChartSpec
from gui.training.charts import Chart, nearest
from gui.training.run_model import Rating, RunModel


class EloChart(Chart):
    """A click chooses the checkpoint next to it; ``set_marker`` shows which is chosen."""

    chosen = Signal(int)  # step

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._at: list[float] = []
        self._steps: list[int] = []
        self._ratings: list[Rating] = []
        self._fixed: list[tuple[pg.InfiniteLine, str]] = []
        self._apart = 0.0  # Elo between two labels at one side
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
        for line, _ in self._fixed:
            self._dress_fixed(line)

    def _dress_fixed(self, line: pg.InfiniteLine) -> None:
        line.setPen(pg.mkPen(self._theme.faint, width=1, style=Qt.PenStyle.DashLine))
        line.label.setColor(self._theme.dim)
        line.label.fill = pg.mkBrush(self._theme.color("panel", 0.75))

    def show_run(self, run: RunModel | None, axis: str) -> None:
        self._axis = axis
        ratings = dict(run.ratings) if run is not None else {}
        nets = [(c, ratings.pop(c.player)) for c in run.checkpoints if c.player in ratings] if run is not None else []
        nets.sort(key=lambda pair: pair[0].step)
        self._steps = [c.step for c, _ in nets]
        self._at = [float(c.step) if axis == "step" else c.minutes for c, _ in nets]
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
        self._apart = 0.0
        if low:
            pad = 0.08 * (max(high) - min(low)) or 50.0
            self._apart = 1.9 * pad
            left, right = (self._at[0], self._at[-1]) if self._at else (0.0, 1.0)
            side = 0.03 * (right - left) or 1.0
            self.plot.setRange(
                xRange=(left - side, right + side), yRange=(min(low) - pad, max(high) + 2 * pad), padding=0
            )
        self._show_fixed(others)
        self._show_legend()

    def _show_fixed(self, players: dict[str, Rating]) -> None:
        """Lines for players that do not change; labels on alternate sides, none over another."""
        while len(self._fixed) < len(players):
            position = 0.02 if len(self._fixed) % 2 == 0 else 0.98
            anchors = [(0, 0.9), (0, 0.9)] if position < 0.5 else [(1, 0.9), (1, 0.9)]
            line = pg.InfiniteLine(
                angle=0, label="", labelOpts={"position": position, "anchors": anchors, "movable": False}
            )
            line.setZValue(-10)  # the nets are drawn over lines and labels
            self.plot.addItem(line, ignoreBounds=True)
            self._dress_fixed(line)
            self._fixed.append((line, ""))
        ordered = sorted(players.items(), key=lambda pair: pair[1].elo)
        tops = [-math.inf, -math.inf]  # of the highest label at each side
        for place, (line, _) in enumerate(self._fixed):
            line.setVisible(place < len(ordered))
            if place < len(ordered):
                name, rating = ordered[place]
                line.setValue(rating.elo)
                readable = rating.elo - tops[place % 2] >= self._apart
                line.label.setFormat(name if readable else "")
                tops[place % 2] = rating.elo if readable else tops[place % 2]
                self._fixed[place] = (line, name)

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
        self.legend.show_rows([(self.colour(0), False, tr("step {steps}").format(steps=self._steps[place]), text)])
