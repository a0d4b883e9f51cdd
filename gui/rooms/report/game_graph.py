"""The graph of a game's value over its plies: curve, mistakes, crosshair, the ply on the board.

A click or a drag chooses a ply.  The value is for the first player, as is the score lead where the net gives one: a
second curve, with an axis of its own at the right.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.rooms.report.report_parts import GameReport, class_colour
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.lines import DASHED, POINTS, Drawing, Line
from gui.widgets.figures import signed
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme

SYMBOLS: Final = {"inaccuracy": ("o", 8), "mistake": ("t", 12), "blunder": ("s", 11)}
SPANS: Final = (5, 10, 20, 30, 50, 100, 200, 400)  # points at the ends of the axis of leads


def lead_span(report: GameReport) -> int:
    """Return the points at the ends of the axis of leads: enough for all but a twentieth of the positions."""
    leads = sorted(abs(lead) for lead in report.leads if not math.isnan(lead))
    most = leads[(len(leads) - 1) * 19 // 20] if leads else 0.0
    return next((span for span in SPANS if span >= most), SPANS[-1])


class GameGraph(Chart):
    """The chart of a report, without a heading: its room has one."""

    chosen = Signal(int)  # moves played

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent, entries=0, height=60)
        set_texts(self, accessibleName="Value of the game for the first player")
        self._plies = 0
        self.plot.drags = True
        self.plot.pressed.connect(lambda x: None if self.plot.is_empty else self.chosen.emit(self.ply_at(x)))

    def show_report(self, report: GameReport | None) -> None:
        """Draw the values known so far; None for nothing."""
        self._plies = 0 if report is None else len(report.names)
        self.show_drawing(Drawing() if report is None or not report.judged else _drawing(report))

    def ply_at(self, x: float) -> int:
        """Return the ply nearest to an x value."""
        return max(0, min(self._plies, round(x)))


def _drawing(report: GameReport) -> Drawing:
    plies, span = np.arange(len(report.names) + 1.0), lead_span(report)
    values = np.array(report.values)
    leads = np.clip(np.array(report.leads) / span, -1, 1)  # one beyond the axis is drawn at its end
    heights = np.where(np.isnan(values), leads, values) if report.has_leads else values  # some engines give leads alone
    kinds = [move.kind for move in report.mistakes]
    at = np.array([move.ply + 1 for move in report.mistakes], int)
    lines = [
        Line("", plies[[0, -1]], np.zeros(2), "faint", width=1),
        Line(tr("Value"), plies, values, 0, sizes=4),
        Line(
            "",
            plies[at],
            heights[at],
            form=POINTS,
            sizes=[SYMBOLS[kind][1] for kind in kinds],
            symbols=[SYMBOLS[kind][0] for kind in kinds],
            colours=[partial(_colour, kind) for kind in kinds],
        ),
    ]
    right = [(end, signed(end * span, 0) if end else "0") for end in (-1, 0, 1)]
    if report.has_leads:
        lines.insert(1, Line(tr("Lead"), plies, leads, 1, DASHED))
    side = 0.02 * max(1, len(report.names))
    return Drawing(
        lines,
        across=(-side, max(1, len(report.names)) + side),
        up=(-1.12, 1.12),
        wholes=True,
        left=((-1, "−1"), (0, "0"), (1, "+1")),
        right=right if report.has_leads else (),
    )


def _colour(kind: str, theme: Theme) -> str:
    return class_colour(kind, theme.dark)
