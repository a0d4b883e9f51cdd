"""The plot of a chart: axes with short ticks, a crosshair, a marker, and the x range chosen with the mouse."""

from __future__ import annotations

import math
from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QWidget

from gui.widgets.charts.lines import tick_text
from gui.widgets.labels import make_label
from gui.widgets.theme import current_theme, figure_font, on_theme

FARTHER = 4  # px: a drag, no click
WHEEL = 0.8  # share of the range that a step of the wheel leaves
WHEEL_STEP = 120  # eighths of a degree, see QWheelEvent
Ticks = list[tuple[float, list[float]]]  # spacing and places, for each level


class Axis(pg.AxisItem):  # type: ignore[misc]
    """An axis with short tick labels; on a logarithmic one they are the values, not their logarithms."""

    wholes = False  # ticks at whole numbers only
    text: Callable[[float], str] = staticmethod(tick_text)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self.text(10.0**value if self.logMode else value * scale) for value in values]

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        levels: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        return ([level for level in levels if level[0] >= 1] or [(1, 0)]) if self.wholes else levels

    def tickValues(self, low: float, high: float, size: float) -> Ticks:
        return log_ticks(low, high) if self.logMode else super().tickValues(low, high, size)


def log_ticks(low: float, high: float) -> Ticks:
    """Return the ticks from 10^low to 10^high: decades, twice and five times these, or round steps within a decade."""
    if high - low > 1:
        decades = range(math.floor(low), math.ceil(high) + 1)
        levels = ([float(d) for d in decades], [d + math.log10(part) for d in decades for part in (2, 5)])
    else:
        step = (10.0**high - 10.0**low) / 4
        unit = 10.0 ** math.floor(math.log10(step))
        step = next(unit * part for part in (1, 2, 5, 10) if unit * part >= 0.99 * step)
        first = max(1, math.ceil(10.0**low / step))
        levels = ([math.log10(step * n) for n in range(first, math.floor(10.0**high / step) + 1)], [])
    return [(1.0, [place for place in level if low <= place <= high]) for level in levels]


class Plot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that emits where the pointer is and what is asked for with the mouse.

    While ``zooms`` is set, a drag asks for a range and a click is a press and release in one place; else the wheel
    scrolls the page and a click is a press.  With ``drags`` a drag presses at every place it passes, and asks for none.
    """

    pointed = Signal(float)  # NaN when the pointer has left
    hovered = Signal(QPointF)  # the same in pixels
    pressed = Signal(float)
    dragged = Signal(float, float)  # left and right
    scaled = Signal(float, float)  # x that stays in its place, share of the range that is left
    reset = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, enableMenu=False, axisItems={side: Axis(side) for side in ("left", "bottom", "right")})
        menu = self.plotItem.ctrlMenu  # pyqtgraph makes it in any case and never deletes it
        menu.setParent(self, menu.windowFlags())
        self.zooms = self.drags = False
        self.by_wheel = False  # zooms also without Ctrl, where the wheel scrolls no page
        self._from = math.nan  # px, of a drag
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.disableAutoRange()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(120)
        self.getAxis("left").setWidth(44)
        self.showAxis("right", False)
        for side in ("left", "bottom", "right"):
            self.getAxis(side).enableAutoSIPrefix(False)
        self.cross, self.marker = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90)
        for line in (self.cross, self.marker):
            line.setVisible(False)
            line.setZValue(0.5)
            self.addItem(line, ignoreBounds=True)
        self._range = pg.LinearRegionItem(movable=False)
        self._range.setZValue(-20)
        self._range.hide()
        self.addItem(self._range, ignoreBounds=True)
        self.empty = make_label(self, "dim", "no figures yet")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        on_theme(self, self._dress_plot)

    def add_curve(self) -> pg.PlotDataItem:
        """A curve without data, with gaps where a figure is missing."""
        curve = pg.PlotDataItem(connect="finite", autoDownsample=True, downsampleMethod="peak", clipToView=True)
        self.addItem(curve)
        return curve

    def _dress_plot(self) -> None:
        theme = current_theme()
        self.setBackground(theme.panel)
        self.cross.setPen(pg.mkPen(theme.dim, width=1))
        self._range.setBrush(pg.mkBrush(theme.color("accent", 0.2)))
        for line in self._range.lines:
            line.setPen(pg.mkPen(theme.accent, width=1))
        font = figure_font(self.font(), 0.82)
        for side in ("left", "bottom", "right"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.line))
            axis.setTextPen(theme.series[1] if side == "right" else theme.dim)
            axis.setStyle(tickFont=font, tickLength=-4, autoExpandTextSpace=False)
            if side != "right":
                axis.setGrid(34)
        QCoreApplication.sendPostedEvents(self.scene(), QEvent.Type.MetaCall)  # the scene would paint itself once more

    def set_empty(self, empty: bool) -> None:
        """Show the text for a chart without data, with bare axes."""
        self.empty.setVisible(empty)
        for side in ("left", "bottom"):
            self.getAxis(side).setStyle(showValues=not empty)

    @property
    def is_empty(self) -> bool:
        """Whether it has no data."""
        return not self.empty.isHidden()

    @property
    def sides(self) -> tuple[float, float]:
        """The widths left and right of where curves are drawn, in px."""
        box = self.getViewBox().sceneBoundingRect()
        return box.left(), self.width() - box.right()

    def pixel_of(self, x: float, y: float) -> QPointF:
        """Return where a point is drawn; ``x`` and ``y`` are logarithms on logarithmic axes."""
        return QPointF(self.mapFromScene(self.getViewBox().mapViewToScene(QPointF(x, y))))

    def _abscissa(self, event: QMouseEvent | QWheelEvent) -> float:
        return float(self.getViewBox().mapSceneToView(self.mapToScene(event.position().toPoint())).x())

    # the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at = self._abscissa(event)
        if self.zooms and not self.drags:
            self._from = event.position().x()
            self._range.setRegion((at, at))
        else:
            self.pressed.emit(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self._abscissa(event))
        self.hovered.emit(event.position())
        if abs(event.position().x() - self._from) > FARTHER:
            self._range.show()
        if self._range.isVisible():
            self._range.setRegion((self._range.lines[0].value(), self._abscissa(event)))
        elif self.drags and event.buttons() & Qt.MouseButton.LeftButton:
            self.pressed.emit(self._abscissa(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
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

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(math.nan)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / WHEEL_STEP
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not self.zooms or not steps or not (self.by_wheel or ctrl):
            event.ignore()
            return
        self.scaled.emit(self._abscissa(event), WHEEL**steps)
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "empty"):
            self.empty.setGeometry(self.rect())


def put_line(line: pg.InfiniteLine, x: float) -> None:
    """Show the line of a plot at an abscissa; NaN hides it."""
    line.setVisible(math.isfinite(x))
    if math.isfinite(x):
        line.setValue(x)
