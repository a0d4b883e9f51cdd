"""What is drawn inside a plot: lines, bars, rows of points, with intervals and areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from shiboken6 import VoidPtr

from gui.widgets.charts.lines import BARS, CURVE, Floats, Span
from gui.widgets.theme import with_alpha

BAR: Final = 0.74  # of the distance between two bars
FAR: Final = 1e5  # px, beyond which nothing is drawn


class Frame(NamedTuple):
    """Where the ranges of both axes are in a widget."""

    box: QRectF
    x: Span
    y: Span

    def across(self, x: Floats | float) -> Floats:
        """Return the abscissae in px."""
        scale = self.box.width() / ((self.x[1] - self.x[0]) or 1.0)
        return np.clip(self.box.left() + (np.asarray(x, float) - self.x[0]) * scale, -FAR, FAR)

    def up(self, y: Floats | float) -> Floats:
        """Return the ordinates in px."""
        scale = self.box.height() / ((self.y[1] - self.y[0]) or 1.0)
        return np.clip(self.box.bottom() - (np.asarray(y, float) - self.y[0]) * scale, -FAR, FAR)


@dataclass(frozen=True, eq=False)
class Shape:
    """One line, row of bars or row of points, n values in the units of the axes; NaN is a gap."""

    x: Floats  # [n]
    y: Floats  # [n]
    form: str
    colours: Sequence[QColor]  # one, or that of each point
    width: float = 1.0  # px
    style: Qt.PenStyle = Qt.PenStyle.SolidLine
    sizes: Sequence[float] = ()  # px, of the points: none, one for all, or that of each
    symbols: Sequence[str] = ("o",)  # "o" a circle, "s" a square, "t" a triangle; one for all, or that of each
    hollow: bool = False
    area: QColor | None = None  # from the line down to 0
    ends: tuple[Floats, Floats] | None = None  # of the interval of each value
    depth: int = 0  # those with a greater one are drawn over the others

    def draw(self, painter: QPainter, frame: Frame) -> None:
        x, y = frame.across(self.x), frame.up(self.y)
        if self.ends is not None:
            painter.setPen(QPen(with_alpha(self.colours[0], 0.7), 1.3))
            ends = zip(x.tolist(), *(frame.up(end).tolist() for end in self.ends), strict=True)
            painter.drawLines(
                [QLineF(at, low, at, high) for at, low, high in ends if np.isfinite([at, low, high]).all()]
            )
        if self.form == BARS:
            self._draw_bars(painter, frame, x, y)
            return
        if self.form == CURVE:
            for run in _runs(x, y):
                self._draw_run(painter, x[run], y[run], float(frame.up(0.0)))
        if len(self.sizes):
            self._draw_points(painter, x, y)

    def _draw_run(self, painter: QPainter, x: Floats, y: Floats, zero: float) -> None:
        if self.area is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.area)
            painter.drawPolygon(_polygon(np.concatenate([x, x[[-1, 0]]]), np.concatenate([y, [zero, zero]])))
        painter.setPen(QPen(self.colours[0], self.width, self.style, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.BevelJoin))
        painter.drawPolyline(_polygon(x, y))

    def _draw_bars(self, painter: QPainter, frame: Frame, x: Floats, y: Floats) -> None:
        wide, zero = BAR * float(frame.across(1.0) - frame.across(0.0)), float(frame.up(0.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.colours[0])
        painter.drawRects([QRectF(at - wide / 2, top, wide, zero - top) for at, top in zip(x, y, strict=True)])

    def _draw_points(self, painter: QPainter, x: Floats, y: Floats) -> None:
        looks = zip(x.tolist(), y.tolist(), *map(cycle, (self.sizes, self.symbols, self.colours)), strict=False)
        for at, top, size, symbol, colour in looks:
            if not np.isfinite(at) or not np.isfinite(top):
                continue
            painter.setPen(QPen(colour, 1.2) if self.hollow else Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush if self.hollow else colour)
            center, half = QPointF(at, top), size / 2
            if symbol == "o":
                painter.drawEllipse(center, half, half)
            elif symbol == "s":
                painter.drawRect(QRectF(at - half, top - half, size, size))
            else:
                painter.drawPolygon([center + QPointF(dx * half, dy * half) for dx, dy in ((-1, -1), (1, -1), (0, 1))])


def _runs(x: Floats, y: Floats) -> list[slice]:
    """Return the parts of a line without a gap."""
    finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if not finite.size:
        return []
    breaks = np.flatnonzero(np.diff(finite) > 1)
    firsts, lasts = finite[np.append(0, breaks + 1)], finite[np.append(breaks, -1)]
    return [slice(first, last + 1) for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)]


def _polygon(x: Floats, y: Floats) -> QPolygonF:
    """Return points as Qt draws them, copied at once."""
    polygon = QPolygonF()
    polygon.resize(len(x))
    memory: Any = VoidPtr(polygon.data(), 16 * len(x), True)  # type: ignore[call-arg, arg-type]
    np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = np.stack((x, y), axis=1)
    return polygon
