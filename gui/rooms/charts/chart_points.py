"""The charts of points and bars: the depth of the tree, priors against visits.  Knows one Snapshot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from gui.language.language import mark, tr
from gui.rooms.charts.chart_cards import BATCHES, SHARE, VALUE, WORSE, Card, CurveCard, move_colour
from gui.widgets.figures import count, percent
from gui.widgets.plot import Axis, Row
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme

if TYPE_CHECKING:
    from core.glass import MoveRow, Snapshot
    from core.glass.curves import Curves

NEAR = 14  # px within which the pointer hits a point
LABELLED = 5


def _prior(row: MoveRow) -> float:
    """Return the prior used by selection; under a rule without priors, the net's."""
    return row.net_prior if math.isnan(row.prior) else row.prior


class LogAxis(Axis):
    """An axis for shares on a logarithmic scale."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        steps = (1, 2, 5) if high - low < 1.5 else (1,)
        ticks = [d + math.log10(step) for d in range(math.floor(low), math.ceil(high) + 1) for step in steps]
        return [(1.0, [tick for tick in ticks if low <= tick <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{100 * 10**value:.6g} %" for value in values]


class WholeAxis(Axis):
    """An axis with ticks at whole numbers only."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        levels = super().tickValues(low, high, size)
        return [(spacing, values) for spacing, values in levels if spacing >= 1]


class DepthCard(Card):
    """A card with the nodes by depth below the root, and the simulations that ended there."""

    bottom = WholeAxis

    def __init__(self, name: str, title: str, meaning: str, parent: QWidget) -> None:
        super().__init__(name, title, meaning, parent)
        self._bars = pg.BarGraphItem(x=[0], height=[0], width=0.74)
        self._ended = pg.PlotDataItem(symbol="o", symbolSize=5)
        self.plot.addItem(self._bars)
        self.plot.addItem(self._ended)
        self._at = -1
        self._now = ""
        self.plot.pointed.connect(self._point)

    def show_snapshot(self, snapshot: Snapshot | None, colours: dict[int, int]) -> None:
        self.snapshot = snapshot
        curves = snapshot.curves if snapshot is not None else None
        known = curves is not None and int(curves.nodes.sum()) > 1
        self._bars.setVisible(known)
        self._ended.setVisible(known)
        if curves is None or not known:
            self.blank()
            return
        depths = np.arange(len(curves.nodes))
        fill = QColor(current_theme().accent)
        fill.setAlphaF(0.55)
        self._bars.setOpts(x=depths, height=curves.nodes, width=0.74, brush=fill, pen=pg.mkPen(None))
        self._ended.setData(depths.astype(np.float64), curves.ended.astype(np.float64))
        colour = move_colour(current_theme(), 0)
        self._ended.setPen(pg.mkPen(colour, width=1.5))
        self._ended.setSymbolBrush(colour)
        self._ended.setSymbolPen(None)
        self.plot.set_empty(False)
        top = float(max(curves.nodes.max(), curves.ended.max(), 1))
        self.plot.setRange(xRange=(-0.7, len(depths) - 0.3), yRange=(0, 1.08 * top), padding=0)
        self._read(curves)

    def set_past(self, earlier: Snapshot | None) -> None:
        """Note that the depths are those of the present while an earlier moment is shown."""
        self._now = ""
        if self.snapshot is not None and self.snapshot.curves is not None:
            if earlier is not None:
                self._now = tr(" · now, at simulation {simulations}").format(
                    simulations=count(self.snapshot.simulations)
                )
            self._read(self.snapshot.curves)

    def _point(self, x: float) -> None:
        self._at = round(x) if math.isfinite(x) else -1
        if self.snapshot is not None and self.snapshot.curves is not None:
            self._read(self.snapshot.curves)

    def _read(self, curves: Curves) -> None:
        inside = 0 <= self._at < len(curves.nodes)
        nodes = int(curves.nodes[self._at] if inside else curves.nodes.sum())
        ended = int(curves.ended[self._at] if inside else curves.ended.sum())
        words = tr("at depth {at}, in plies").format(at=self._at) if inside else tr("plies below the position")
        self.unit.setText(words + self._now)
        rows: list[Row] = [
            (current_theme().accent, False, tr("nodes"), count(nodes)),
            (move_colour(current_theme(), 0), False, tr("simulations ended"), count(ended)),
        ]
        self.legend.show_rows(rows)


class PriorCard(Card):
    """A card with one point for each move of the root, both axes logarithmic."""

    left = bottom = LogAxis

    def __init__(self, name: str, title: str, meaning: str, parent: QWidget) -> None:
        super().__init__(name, title, meaning, parent)
        self.plot.getAxis("left").setWidth(50)
        self._diagonal = pg.InfiniteLine(pos=(0, 0), angle=45)
        self._points = pg.ScatterPlotItem(pxMode=True)
        self.plot.addItem(self._diagonal, ignoreBounds=True)
        self.plot.addItem(self._points)
        self._labels = [pg.TextItem(anchor=(0, 0.5)) for _ in range(LABELLED)]
        for label in self._labels:
            self.plot.addItem(label, ignoreBounds=True)
        self.at = np.zeros((0, 2))  # [moves, 2] logarithms to base 10
        self.rows: tuple[MoveRow, ...] = ()
        self._colours: dict[int, int] = {}
        self._at_words = ""
        self._near = -1
        self.plot.hovered.connect(self._hover)
        self.plot.pointed.connect(lambda x: None if math.isfinite(x) else self._name(-1))
        on_theme(self, self._dress)

    def _dress(self) -> None:
        self._diagonal.setPen(pg.mkPen(current_theme().faint, width=1, style=Qt.PenStyle.DashLine))
        font = figure_font(self.font(), 0.86)
        for label in self._labels:
            label.setFont(font)
            label.setColor(current_theme().text)

    def show_snapshot(self, snapshot: Snapshot | None, colours: dict[int, int]) -> None:
        self.snapshot = snapshot
        rows = snapshot.moves if snapshot is not None else ()
        known = any(row.visits for row in rows)
        for item in (self._points, self._diagonal, *self._labels):
            item.setVisible(known)
        if snapshot is None or not known:
            self.rows, self.at = (), np.zeros((0, 2))
            self.blank()
            return
        if not colours:
            return
        self.rows, self._colours, self._at_words = rows, colours, ""
        total = sum(row.visits for row in rows)
        floor = 0.5 / total  # moves without visits are drawn below one visit
        self.at = np.log10([(max(_prior(row), 1e-6), row.share if row.visits else floor) for row in rows])
        seen = [row.visits > 0 for row in rows]
        tones = [
            QColor(move_colour(current_theme(), colours[row.action]) if row.action in colours else current_theme().dim)
            for row in rows
        ]
        self._points.setData(
            x=self.at[:, 0],
            y=self.at[:, 1],
            size=[9 if row.action in colours else 6 for row in rows],
            symbol=["o" if visited else "t" for visited in seen],
            brush=[
                pg.mkBrush(tone) if visited else pg.mkBrush(None) for tone, visited in zip(tones, seen, strict=True)
            ],
            pen=[pg.mkPen(None if visited else current_theme().faint) for visited in seen],
        )
        low, high = self.at.min(axis=0), self.at.max(axis=0)
        pads = np.maximum(0.09 * (high - low), 0.12)
        left, right = low[0] - pads[0], min(0.06, high[0] + pads[0])
        self.plot.set_empty(False)
        self.plot.setRange(xRange=(left, right), yRange=(low[1] - pads[1], high[1] + pads[1]), padding=0)
        self._place_labels([i for i, row in enumerate(rows) if row.action in colours])
        self._name(self._near if self._near < len(rows) else -1)

    def set_past(self, earlier: Snapshot | None) -> None:
        """Show an earlier moment instead."""
        if earlier is not None:
            self.show_snapshot(earlier, self._colours)
            self._at_words = tr("at simulation {simulations}").format(simulations=count(earlier.simulations))
            set_texts(self.plot.empty, text="no move had been visited yet")
            self._name(self._near)

    def _place_labels(self, wanted: list[int]) -> None:
        """Place labels beside the points of ``wanted``, the first ones first, where they do not overlap."""
        taken: list[QPointF] = []
        height = self.fontMetrics().height()
        for i in wanted:
            pixel = self.plot.pixel_of(*self.at[i])
            if len(taken) < LABELLED and all(
                abs(pixel.y() - other.y()) > 0.8 * height or abs(pixel.x() - other.x()) > 3 * height for other in taken
            ):
                label = self._labels[len(taken)]
                width = self.fontMetrics().horizontalAdvance(self.rows[i].name)
                left = pixel.x() + width + 14 > self.plot.width()
                label.setAnchor((1.25, 0.5) if left else (-0.25, 0.5))
                label.setText(self.rows[i].name)
                label.setPos(*self.at[i])
                taken.append(pixel)
        for place, label in enumerate(self._labels):
            label.setVisible(place < len(taken))

    def _hover(self, pixel: QPointF) -> None:
        far = [math.hypot(*(self.plot.pixel_of(x, y) - pixel).toTuple()) for x, y in self.at.tolist()]
        best = min(range(len(far)), key=far.__getitem__, default=-1)
        self._name(best if best >= 0 and far[best] <= NEAR else -1)

    def _name(self, place: int) -> None:
        """Show one move's figures; -1: what the chart shows."""
        self._near = place
        if not self.rows:
            return
        self.unit.setText(self._at_words or tr("share of the visits over prior, both logarithmic"))
        if place < 0:
            unseen = sum(not row.visits for row in self.rows)
            rest = [(current_theme().faint, False, tr("not visited"), count(unseen))] if unseen else []
            self.legend.show_rows([(current_theme().faint, True, tr("dashed: visits equal to the prior"), ""), *rest])
            return
        row = self.rows[place]
        prior = tr("prior {prior}")
        if self.snapshot is not None and self.snapshot.root.noisy:
            prior = tr("prior {prior}, of the net {net_prior}")
        prior = prior.format(prior=percent(_prior(row)), net_prior=percent(row.net_prior))
        best = self.snapshot is not None and row.action == self.snapshot.best
        self.legend.show_rows(
            [
                (
                    current_theme().accent if best else current_theme().dim,
                    False,
                    row.name,
                    tr("{prior} · visits {share} · N {visits}").format(
                        prior=prior, share=percent(row.share), visits=count(row.visits)
                    ),
                )
            ]
        )


AnyCard = CurveCard | DepthCard | PriorCard


def make_cards(parent: QWidget) -> list[Callable[[], AnyCard]]:
    """Return functions that make one card each, to be called one at a time so that the window stays responsive."""
    return [
        lambda: CurveCard(
            "value",
            mark("Value"),
            mark(
                "Searched value of the position and of its best moves after each simulation. "
                "A click goes to that simulation."
            ),
            VALUE,
            parent,
        ),
        lambda: CurveCard(
            "visits",
            mark("Visits"),
            mark("Share of all visits that each move had after each simulation. A click goes to that simulation."),
            SHARE,
            parent,
        ),
        lambda: DepthCard(
            "depth", mark("Depth"), mark("Number of nodes of the tree at each depth below the position."), parent
        ),
        lambda: PriorCard(
            "prior",
            mark("Prior against visits"),
            mark("Each point is a move. Above the dashed line the search visited it more than its prior asked for."),
            parent,
        ),
        lambda: CurveCard(
            "worse",
            mark("Worse moves"),
            mark(
                "The net's policy P and the visits π on moves whose Q was lower by 0.1 or more than that of the most "
                "visited move after each simulation; now also on those proved worse. A click goes to that simulation."
            ),
            WORSE,
            parent,
        ),
        lambda: CurveCard(
            "batches",
            mark("Batches"),
            mark(
                "What gave the latest simulations their values: the share answered from the net's cache, descents "
                "given up as their leaf was waiting already, and leaves of a batch. A click goes to that simulation."
            ),
            BATCHES,
            parent,
        ),
    ]
