"""A plot whose x range is chosen by dragging or with the wheel."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.widgets.plot import Plot
from gui.widgets.theme import current_theme, on_theme

FARTHER = 4  # px: a drag, no click
WHEEL = 0.8  # share of the range that a step of the wheel leaves
WHEEL_STEP = 120  # eighths of a degree, see QWheelEvent


class ZoomPlot(Plot):
    """A plot that emits what is asked for while ``zooms`` is set; a click is then a press and release in one place."""

    dragged = Signal(float, float)  # left and right
    scaled = Signal(float, float)  # x that stays in its place, share of the range that is left
    reset = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.zooms = False
        self.by_wheel = False  # also without Ctrl, where the wheel scrolls no page
        self._from = math.nan  # px, of a drag
        self._range = pg.LinearRegionItem(movable=False)
        self._range.setZValue(-20)
        self._range.hide()
        self.addItem(self._range, ignoreBounds=True)
        on_theme(self, self._dress_range)

    def _dress_range(self) -> None:
        self._range.setBrush(pg.mkBrush(current_theme().color("accent", 0.2)))
        for line in self._range.lines:
            line.setPen(pg.mkPen(current_theme().accent, width=1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.zooms:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._from = event.position().x()
            at = self._abscissa(event)
            self._range.setRegion((at, at))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._is_far(event):
            self._range.show()
        if self._range.isVisible():
            self._range.setRegion((self._range.lines[0].value(), self._abscissa(event)))

    def _is_far(self, event: QMouseEvent) -> bool:
        return abs(event.position().x() - self._from) > FARTHER

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or not math.isfinite(self._from):
            return
        if self._range.isVisible():
            self.dragged.emit(*self._range.getRegion())
        else:
            self.pressed.emit(self._abscissa(event))
        self._from = math.nan
        self._range.hide()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.zooms and event.button() == Qt.MouseButton.LeftButton:
            self.reset.emit()
        else:
            super().mouseDoubleClickEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / WHEEL_STEP
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not self.zooms or not steps or not (self.by_wheel or ctrl):
            super().wheelEvent(event)
            return
        at = self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint())).x()
        self.scaled.emit(float(at), WHEEL**steps)
        event.accept()
