"""Predicted values against results on a plot, with the 95 % intervals of the results."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from gui.widgets.plot import Plot
from gui.widgets.theme import current_theme, on_theme

Bin = tuple[float, float, int]  # mean predicted value, mean result, number of positions


class CalibrationDots:
    """The diagonal and one or several rows of dots on a plot; a dot's size follows its number of positions."""

    def __init__(self, plot: Plot, colours: Sequence[int] = ()) -> None:
        """``colours``: the places in the theme's series, one for each row of dots."""
        self._plot = plot
        self._colours = colours
        self._diagonal = pg.PlotDataItem([-1, 1], [-1, 1])
        plot.addItem(self._diagonal)
        self._rows: list[tuple[pg.ErrorBarItem, pg.PlotDataItem]] = []  # made once, reused
        plot.setRange(xRange=(-1.05, 1.05), yRange=(-1.08, 1.08), padding=0)
        on_theme(plot, self._dress)

    def colour(self, row: int) -> str:
        """The colour of a row of dots."""
        series = current_theme().series
        return series[self._colours[row] % len(series)]

    def _dress(self) -> None:
        self._diagonal.setPen(pg.mkPen(current_theme().faint, width=1.2, style=Qt.PenStyle.DashLine))
        for row, (bars, dots) in enumerate(self._rows[: len(self._colours)]):
            colour = self.colour(row)
            bars.setOpts(pen=pg.mkPen(colour, width=1.2))
            dots.setPen(pg.mkPen(colour, width=1.2) if len(self._colours) == 1 else None)
            dots.setSymbolBrush(colour)
            dots.setSymbolPen(None)

    def show(self, rows: Sequence[Sequence[Bin]], colours: Sequence[int] | None = None) -> None:
        """Draw the bins of each row, in other colours if given; those without positions are left out."""
        from models.audit.summary import result_interval

        self._colours = self._colours if colours is None else colours
        while len(self._rows) < len(rows):
            self._rows.append((pg.ErrorBarItem(), pg.PlotDataItem(symbol="o")))
            for item in self._rows[-1]:
                self._plot.addItem(item)
        shown = [[one for one in bins if one[2] > 0] for bins in rows]
        self._plot.set_empty(not any(shown))
        for place, (bars, dots) in enumerate(self._rows):
            bins = shown[place] if place < len(shown) else []
            bars.setVisible(bool(bins))
            most = max((one[2] for one in bins), default=1)
            x, y = np.array([one[0] for one in bins]), np.array([one[1] for one in bins])
            ends = np.array([result_interval(one[1], one[2]) for one in bins]).reshape(-1, 2)
            bars.setData(x=x, y=y, top=ends[:, 1] - y, bottom=y - ends[:, 0])
            dots.setData(x, y, symbolSize=[4 + 9 * math.sqrt(one[2] / most) for one in bins])
        self._dress()
