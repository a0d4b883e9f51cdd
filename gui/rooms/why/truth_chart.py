"""A chart of the visits on wrong moves over the simulations.  Knows a Truth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.language.language import tr
from gui.widgets.bars import bar_colour
from gui.widgets.figures import count, percent, short_count
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font

if TYPE_CHECKING:
    from core.glass.truth import Truth


class TruthChart(QWidget):
    """Share of the visits on wrong moves over the simulations, the net's prior on them as a dashed line.

    The times in which the best move was wrong are shaded.  ``chosen`` emits a simulation."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.truth: Truth | None = None
        self.setFont(figure_font(self.font(), 0.9))
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Visits on wrong moves over the simulations")

    def sizeHint(self) -> QSize:
        return QSize(240, 7 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def show_truth(self, truth: Truth | None) -> None:
        self.truth = truth
        self.setVisible(truth is not None and bool(truth.wrong))
        self.update()

    def _frame(self) -> QRectF:
        metrics = self.fontMetrics()
        left, bottom = metrics.horizontalAdvance("100 %") + px(8), metrics.height() + px(3)
        return QRectF(left, px(6), self.width() - left - px(10), self.height() - bottom - px(6))

    def _at(self, simulation: float, share: float) -> QPointF:
        frame, last = self._frame(), self._last
        return QPointF(frame.left() + frame.width() * simulation / last, frame.bottom() - frame.height() * share)

    @property
    def _last(self) -> int:
        return max(1, int(self.truth.simulations[-1])) if self.truth is not None else 1

    def _simulation(self, x: float) -> int:
        frame = self._frame()
        share = (x - frame.left()) / max(1.0, frame.width())
        return round(max(0.0, min(1.0, share)) * self._last)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.truth is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self._simulation(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.truth is None:
            return
        simulation = self._simulation(event.position().x())
        place = min(len(self.truth.shares) - 1, int(np.searchsorted(self.truth.simulations, simulation)))
        words = tr("After {simulation} simulations {share} of the visits are on wrong moves.").format(
            simulation=count(int(self.truth.simulations[place])), share=percent(float(self.truth.shares[place]))
        )
        QToolTip.showText(event.globalPosition().toPoint(), words, self)

    def leaveEvent(self, event: QEvent) -> None:
        QToolTip.hideText()

    def paintEvent(self, event: QPaintEvent) -> None:
        truth, theme, frame = self.truth, current_theme(), self._frame()
        if truth is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        for stretch in truth.stretches:
            left, right = self._at(stretch.first, 0).x(), self._at(stretch.last, 0).x()
            painter.fillRect(QRectF(left, frame.top(), right - left, frame.height()), theme.color("warn", 0.22))
        for share in (0.0, 0.5, 1.0):
            painter.setPen(theme.color("line"))
            painter.drawLine(self._at(0, share), self._at(self._last, share))
            painter.setPen(theme.color("faint"))
            box = QRectF(0, self._at(0, share).y() - px(8), frame.left() - px(5), px(16))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, percent(share, 0))
        points = [
            self._at(n, share) for n, share in zip(truth.simulations.tolist(), truth.shares.tolist(), strict=True)
        ]
        painter.setPen(QPen(bar_colour("share"), 1.8))
        painter.drawPolyline(QPolygonF(points))
        if not math.isnan(truth.prior):
            painter.setPen(QPen(bar_colour("prior"), 1.4, Qt.PenStyle.DashLine))
            painter.drawLine(self._at(0, truth.prior), self._at(self._last, truth.prior))
        if truth.right_from > 0:
            painter.setPen(QPen(theme.color("good"), 1.4))
            painter.drawLine(self._at(truth.right_from, 0), self._at(truth.right_from, 1))
        painter.setPen(theme.color("faint"))
        below = QRectF(frame.left(), frame.bottom() + px(2), frame.width(), self.fontMetrics().height())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, short_count(self._last))
