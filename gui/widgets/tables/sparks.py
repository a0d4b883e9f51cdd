"""Small curves of share and Q for the rows of a table.  Know curves of a search, no widget but a painter."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

if TYPE_CHECKING:
    from core.glass.curves import Curves

POINTS: Final = 24
EARLY: Final = 0.05  # of the simulations, whose values do not set the scale
LEAST: Final = 0.01  # share of the visits of the moves that set it


class Spark(NamedTuple):
    """Curves of one move on scales from 0 to 1, which all moves share; NaN before the first visit."""

    shares: tuple[float, ...]
    values: tuple[float, ...]
    zero: float  # the place of Q = 0 on the scale; NaN where it is not on it


def sparks(curves: Curves | None, sign: int = 1) -> dict[int, Spark]:
    """Return the curves of every visited move, at evenly spaced simulations from the first to the last.

    ``sign`` -1: for the player who is not to move."""
    if curves is None or len(curves.simulations) < 2 or not len(curves.actions):
        return {}
    import numpy as np

    simulations = np.linspace(curves.simulations[0], curves.simulations[-1], POINTS)
    places = np.searchsorted(curves.simulations, simulations)
    shares, qs = curves.shares[places], sign * curves.qs[places].astype(float)
    settled = qs[int(EARLY * POINTS) + 1 :, shares[-1] >= LEAST]
    finite = settled[~np.isnan(settled)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (-1.0, 1.0)
    low, high = low - 0.02, high + 0.02
    most = max(0.01, float(shares.max()))
    lines = np.round(shares / most, 2).T.tolist()
    values = np.round(np.clip((qs - low) / (high - low), 0, 1), 2).T.tolist()
    zero = -low / (high - low) if low < 0 < high else math.nan
    return {
        action: Spark(tuple(share), tuple(value), zero)
        for action, share, value in zip(curves.actions.tolist(), lines, values, strict=True)
    }


def paint_spark(painter: QPainter, rect: QRectF, spark: Spark, colours: tuple[QColor, QColor, QColor]) -> None:
    """Paint the share on the left and Q on the right; ``colours``: of both and of the line at zero."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = (rect.width() - 6) / 2
    for place, (line, colour, zero) in enumerate(
        ((spark.shares, colours[0], 0.0), (spark.values, colours[1], spark.zero))
    ):
        box = QRectF(rect.left() + place * (half + 6), rect.top() + 3, half, rect.height() - 6)
        if not math.isnan(zero):
            base = box.bottom() - zero * box.height()
            painter.setPen(QPen(colours[2], 1))
            painter.drawLine(QPointF(box.left(), base), QPointF(box.right(), base))
        painter.setPen(QPen(colour, 1.3))
        step = box.width() / (len(line) - 1)
        points = [(box.left() + i * step, y) for i, y in enumerate(line)]
        for drawn, part in groupby(points, key=lambda point: not math.isnan(point[1])):
            if drawn:
                painter.drawPolyline(QPolygonF([QPointF(x, box.bottom() - y * box.height()) for x, y in part]))
    painter.restore()
