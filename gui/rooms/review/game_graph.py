"""The graph of a game's value over its plies: curve, mistakes, crosshair, the ply on the board.  Knows a GameReport.

A click or a drag chooses a ply.  The value is for the first player, as is the score lead where the net gives one: a
second curve, with an axis of its own at the right.
"""

from __future__ import annotations

import math
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QMouseEvent
from PySide6.QtWidgets import QWidget

from gui.rooms.review.game_report import GameReport, class_colour
from gui.widgets.figures import signed
from gui.widgets.plot import Axis, Plot, put_line
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme

SYMBOLS: Final = {"inaccuracy": ("o", 8), "mistake": ("t", 12), "blunder": ("s", 11)}
FEW: Final = 80  # up to this many positions are marked one by one
UNBOUNDED: Final = 16777215
SPANS: Final = (5, 10, 20, 30, 50, 100, 200, 400)  # points at the ends of the axis of leads


def lead_span(report: GameReport) -> int:
    """Return the points at the ends of the axis of leads: enough for all but a twentieth of the positions."""
    leads = sorted(abs(lead) for lead in report.leads if not math.isnan(lead))
    most = leads[(len(leads) - 1) * 19 // 20] if leads else 0.0
    return next((span for span in SPANS if span >= most), SPANS[-1])


class PlyAxis(Axis):
    """An axis with ticks at whole plies only."""

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        return [level for level in super().tickSpacing(low, high, size) if level[0] >= 1] or [(1, 0)]


class GameGraph(Plot):
    """The plot; its curves are made once and given new data."""

    chosen = Signal(int)  # moves played

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, bottom=PlyAxis)
        self.setMinimumHeight(90)
        self.setMaximumHeight(UNBOUNDED)
        set_texts(self, accessibleName="Value of the game for the first player")
        self._report: GameReport | None = None
        self._plies = self._span = 0
        self._brushes: dict[str, QBrush] = {}
        self._zero = pg.InfiniteLine(pos=0, angle=0)
        self._curve = pg.PlotDataItem(connect="finite")
        self._leads = pg.PlotDataItem(connect="finite")
        self._dots = pg.ScatterPlotItem()
        self.addItem(self._zero, ignoreBounds=True)
        for item in (self._leads, self._curve, self._dots):
            self.addItem(item)
        self.pressed.connect(self._choose)
        self.pointed.connect(self._point)
        self.getAxis("left").setTicks([[(-1, "−1"), (0, "0"), (1, "+1")], [(-0.5, ""), (0.5, "")]])
        self.set_empty(True)
        on_theme(self, self._dress)

    def _dress(self) -> None:
        theme = current_theme()
        self._zero.setPen(pg.mkPen(theme.faint, width=1))
        self.cross.setPen(pg.mkPen(theme.dim, width=1, style=Qt.PenStyle.DashLine))
        self._curve.setPen(pg.mkPen(theme.series[0], width=1.8))
        self._curve.setSymbolPen(None)
        self._curve.setSymbolBrush(theme.series[0])
        self._curve.setSymbolSize(4)
        self._leads.setPen(pg.mkPen(theme.series[1], width=1.6, style=Qt.PenStyle.DashLine))
        axis = self.getAxis("right")
        axis.setPen(pg.mkPen(theme.line))
        axis.setTextPen(theme.series[1])
        axis.setStyle(tickFont=figure_font(self.font(), 0.82), tickLength=-4, autoExpandTextSpace=False)
        self._brushes = {kind: pg.mkBrush(class_colour(kind, theme.dark)) for kind in SYMBOLS}
        self._dots.setPen(pg.mkPen(theme.panel, width=1))
        self.show_report(self._report)

    def show_report(self, report: GameReport | None) -> None:
        """Draw the values known so far; None for nothing."""
        self._report = report
        empty = report is None or not report.known
        if empty == self.empty.isHidden():
            self.set_empty(empty)
        for line in (self._zero, self.marker):
            line.setVisible(not empty)  # they would strike the words through
        if report is None:
            self._curve.setData([], [])
            self._leads.setData([], [])
            self.showAxis("right", False)
            self._dots.setData([])
            return
        self._plies = len(report.names)
        has_values = any(map(math.isfinite, report.values))  # some engines give leads alone
        self._curve.setSymbol("o" if has_values and self._plies <= FEW else None)
        self._curve.setData(range(self._plies + 1), list(report.values))
        self._show_leads(report)
        mistakes = report.mistakes
        self._dots.setData(
            x=[move.ply + 1 for move in mistakes],
            y=[self._height(report, move.ply + 1) for move in mistakes],
            symbol=[SYMBOLS[move.kind][0] for move in mistakes],
            size=[SYMBOLS[move.kind][1] for move in mistakes],
            brush=[self._brushes[move.kind] for move in mistakes],
        )
        span = max(1, self._plies)
        if span != self._span:
            self._span = span
            self.setRange(xRange=(-0.02 * span, 1.02 * span), yRange=(-1.12, 1.12), padding=0)

    def _show_leads(self, report: GameReport) -> None:
        """Draw the score leads; one beyond the axis is drawn at its end."""
        self.showAxis("right", report.has_leads)
        if not report.has_leads:
            self._leads.setData([], [])
            return
        span = lead_span(report)
        ends = [(end, signed(end * span, 0) if end else "0") for end in (-1, 0, 1)]
        self.getAxis("right").setWidth(40)
        self.getAxis("right").setTicks([ends, [(-0.5, ""), (0.5, "")]])
        self._leads.setData(range(self._plies + 1), [_on_axis(lead, span) for lead in report.leads])

    def _height(self, report: GameReport, ply: int) -> float:
        """Where a ply is drawn: at its value, or at its lead where an engine gives leads alone."""
        value = report.values[ply]
        return _on_axis(report.leads[ply], lead_span(report)) if math.isnan(value) and report.has_leads else value

    def show_cursor(self, ply: int) -> None:
        """Mark the ply on the board."""
        self.marker.setValue(ply)

    def ply_at(self, x: float) -> int:
        """Return the ply nearest to an x value."""
        return max(0, min(self._plies, round(x)))

    def _choose(self, x: float) -> None:
        if self._report is not None:
            self.chosen.emit(self.ply_at(x))

    def _point(self, x: float) -> None:
        shown = math.isfinite(x) and self._report is not None
        put_line(self.cross, self.ply_at(x) if shown else math.nan)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.pressed.emit(self._abscissa(event))


def _on_axis(lead: float, span: float) -> float:
    return math.nan if math.isnan(lead) else max(-1.0, min(1.0, lead / span))
