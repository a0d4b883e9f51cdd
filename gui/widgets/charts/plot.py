"""The plot of a chart: axes with short ticks, its shapes, a crosshair, a marker, the x range chosen with the mouse."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gui.widgets.charts.lines import Span, tick_text
from gui.widgets.charts.shapes import Frame, Shape
from gui.widgets.labels import make_label
from gui.widgets.text_size import px
from gui.widgets.theme import current_theme, figure_font

FARTHER: Final = 4  # px: a drag, no click
WHEEL: Final = 0.8  # share of the range that a step of the wheel leaves
WHEEL_STEP: Final = 120  # eighths of a degree, see QWheelEvent
LEFT: Final = 44  # px of the axis at this side
RIGHT: Final = 40
TICK: Final = 4  # px
DOT: Final = 7  # px, of the figures that are read
CENTER: Final = Qt.AlignmentFlag.AlignCenter
Ticks = Sequence[tuple[float, str]]  # places in units of the axis, and their texts


@dataclass(frozen=True)
class Axis:
    """One axis: its range, in logarithms where it is logarithmic, and its ticks."""

    span: Span = (0.0, 1.0)
    log: bool = False
    wholes: bool = False  # ticks at whole numbers only
    text: Callable[[float], str] = tick_text  # of a value
    fixed: Ticks = ()  # instead of round ones

    def ticks(self, most: float) -> Ticks:
        """Return about as many ticks as there is room for."""
        if self.fixed:
            return self.fixed
        places = log_ticks(*self.span, most) if self.log else round_ticks(*self.span, most, self.wholes)
        return [(place, self.text(10.0**place if self.log else place)) for place in places]


def round_ticks(low: float, high: float, most: float, wholes: bool = False) -> list[float]:
    """Return round places from ``low`` to ``high`` at equal distances."""
    step = (high - low) / max(1.0, most)
    if not step > 0 or not math.isfinite(step):
        return []
    unit = 10.0 ** math.floor(math.log10(step))
    step = next(unit * part for part in (1, 2, 5, 10) if unit * part >= 0.999 * step)
    step = max(1.0, step) if wholes else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{step * n:.12g}") for n in range(first, last + 1)]


def log_ticks(low: float, high: float, most: float = 8) -> list[float]:
    """Return the logarithms of ticks from 10^low to 10^high: decades, with twice and five times these where there is
    room; round steps within a decade."""
    if high - low <= 1:
        values = round_ticks(10.0**low, 10.0**high, min(4, most))
        return [math.log10(value) for value in values if value > 0]
    decades = range(math.floor(low), math.ceil(high) + 1)
    parts = (1, 2, 5) if 3 * (high - low) <= most else (1,)
    apart = max(1, math.ceil((high - low) / max(1.0, most)))
    places = [d + math.log10(part) for d in decades if d % apart == 0 for part in parts]
    return [place for place in places if low <= place <= high]


@dataclass(frozen=True)
class Tag:
    """A name inside a plot: at the right end of a level, or beside a point."""

    x: float
    y: float
    text: str
    level: float = math.nan  # where the level's line is


class Plot(QWidget):
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
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.zooms = self.drags = False
        self.by_wheel = False  # zooms also without Ctrl, where the wheel scrolls no page
        self.across, self.up = Axis(), Axis()
        self.footed = True  # whether the x axis has figures
        self.right: Ticks = ()  # of a second y axis
        self.shapes: Sequence[Shape] = ()
        self.spans: Sequence[Span] = ()  # shaded
        self.tags: Sequence[Tag] = ()
        self.dots: Sequence[tuple[float, float, str]] = ()  # the figures that are read, each with its colour
        self.cross = self.marker = self.upright = math.nan  # lines at an x; NaN for none
        self.marker_colour = QColor()
        self._from = math.nan  # px, of a drag
        self._range: Span | None = None  # that is being dragged
        self.setMouseTracking(True)
        self.setMinimumWidth(120)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.empty = make_label(self, "dim", "no figures yet")
        self.empty.setAlignment(CENTER)
        self.empty.setWordWrap(True)

    def set_empty(self, empty: bool) -> None:
        """Show the text for a chart without data, with bare axes."""
        self.empty.setVisible(empty)

    @property
    def is_empty(self) -> bool:
        """Whether it has no data."""
        return not self.empty.isHidden()

    # places

    @property
    def _font(self) -> QFont:
        return figure_font(self.font(), 0.82)

    @property
    def foot(self) -> int:
        """The height in px of the figures of the x axis."""
        return QFontMetrics(self._font).height() + 1

    @property
    def box(self) -> QRectF:
        """Where the shapes are drawn."""
        below = TICK + (self.foot if self.footed and not self.is_empty else 0)
        right = RIGHT if self.right else 1
        return QRectF(LEFT + 1, 1, max(1, self.width() - LEFT - 1 - right), max(1, self.height() - 2 - below))

    @property
    def frame(self) -> Frame:
        return Frame(self.box, self.across.span, self.up.span)

    @property
    def sides(self) -> tuple[float, float]:
        """The widths left and right of where shapes are drawn, in px."""
        box = self.box
        return box.left(), self.width() - box.right()

    def pixel_of(self, x: float, y: float) -> QPointF:
        """Return where a point is drawn; ``x`` and ``y`` are logarithms on logarithmic axes."""
        frame = self.frame
        return QPointF(float(frame.across(x)), float(frame.up(y)))

    def _abscissa(self, at: QPointF) -> float:
        box, (left, right) = self.box, self.across.span
        return float(left + (at.x() - box.left()) / box.width() * (right - left))

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, frame = QPainter(self), current_theme(), self.frame
        painter.fillRect(self.rect(), theme.color("panel"))
        painter.setFont(self._font)
        self._draw_axes(painter, frame)
        if self.is_empty:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(frame.box.adjusted(-1, -1, 1, 1))
        for span in self.spans:
            self._draw_span(painter, frame, span, theme.color("warn", 0.22))
        if self._range is not None:
            self._draw_span(painter, frame, self._range, theme.color("accent", 0.2))
        dashed = QPen(theme.color("faint"), 1, Qt.PenStyle.DashLine)
        for tag in self.tags:
            self._draw_line(painter, frame, tag.level, dashed, level=True)
        for shape in sorted(self.shapes, key=lambda shape: shape.depth):
            shape.draw(painter, frame)
        uprights = ((self.upright, "good", 1.4), (self.marker, self.marker_colour, 1.6), (self.cross, "dim", 1.0))
        for x, role, width in uprights:
            colour = theme.color(role) if isinstance(role, str) else role
            self._draw_line(painter, frame, x, QPen(colour, width))
        painter.setPen(Qt.PenStyle.NoPen)
        for x, y, dot in self.dots:
            painter.setBrush(QColor(dot))
            painter.drawEllipse(self.pixel_of(x, y), DOT / 2, DOT / 2)
        painter.setClipping(False)
        self._draw_tags(painter, frame)

    def _draw_span(self, painter: QPainter, frame: Frame, span: Span, colour: QColor) -> None:
        left, right = sorted(float(frame.across(x)) for x in span)
        painter.fillRect(QRectF(left, frame.box.top(), max(1.0, right - left), frame.box.height()), colour)

    def _draw_line(self, painter: QPainter, frame: Frame, at: float, pen: QPen, level: bool = False) -> None:
        """Draw a line at an x, or at a y across the plot; NaN: none."""
        if not math.isfinite(at):
            return
        painter.setPen(pen)
        box, place = frame.box, float(frame.up(at) if level else frame.across(at))
        if level:
            painter.drawLine(QPointF(box.left(), place), QPointF(box.right(), place))
        else:
            painter.drawLine(QPointF(place, box.top()), QPointF(place, box.bottom()))

    def _draw_axes(self, painter: QPainter, frame: Frame) -> None:
        theme, box, metrics = current_theme(), frame.box, painter.fontMetrics()
        if not self.is_empty:
            tall, grid = metrics.height(), QPen(theme.color("line", 0.45), 1)
            for y, text in self.up.ticks(box.height() / (1.7 * tall)):
                at = round(float(frame.up(y)))
                self._draw_line(painter, frame, y, grid, level=True)
                painter.setPen(theme.color("dim"))
                side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(QRectF(0, max(0.0, at - tall / 2), LEFT - TICK, tall), side, text)
            painter.setPen(QColor(theme.series[1]))
            for y, text in self.right:
                at = round(float(frame.up(y)))
                side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(QRectF(box.right() + TICK + 1, at - tall / 2, RIGHT - TICK, tall), side, text)
            free = 0.0
            for x, text in self.across.ticks(box.width() / px(75)):
                at, wide = round(float(frame.across(x))), metrics.horizontalAdvance(text)
                self._draw_line(painter, frame, x, grid)
                left = min(max(0.0, at - wide / 2), self.width() - wide)
                if self.footed and left >= free:
                    painter.setPen(theme.color("dim"))
                    painter.drawText(QRectF(left, box.bottom() + TICK, wide + 1, tall), CENTER, text)
                    free = left + wide + 6
        painter.setPen(theme.color("line"))
        painter.drawPolyline([box.topLeft(), box.bottomLeft(), box.bottomRight()])
        if self.right:
            painter.drawLine(box.topRight(), box.bottomRight())

    def _draw_tags(self, painter: QPainter, frame: Frame) -> None:
        theme, metrics = current_theme(), painter.fontMetrics()
        for tag in self.tags:
            at, wide = self.pixel_of(tag.x, tag.y), metrics.horizontalAdvance(tag.text)
            box = QRectF(0, at.y() - metrics.height() / 2, wide + 4, metrics.height())
            if math.isfinite(tag.level):
                box.moveRight(frame.box.right())
                painter.fillRect(box if tag.text else QRectF(), theme.color("panel", 0.85))
            else:
                box.moveLeft(at.x() + 6 if at.x() + wide + 14 <= self.width() else at.x() - wide - 10)
            painter.setPen(theme.color("dim" if math.isfinite(tag.level) else "text"))
            painter.drawText(box, CENTER, tag.text)

    # the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self.zooms and not self.drags:
            self._from = event.position().x()
        else:
            self.pressed.emit(self._abscissa(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._abscissa(event.position())
        self.pointed.emit(at)
        self.hovered.emit(event.position())
        if self._range is not None or abs(event.position().x() - self._from) > FARTHER:
            self._range = self._abscissa(QPointF(self._from, 0)), at
            self.update()
        elif self.drags and event.buttons() & Qt.MouseButton.LeftButton:
            self.pressed.emit(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not math.isfinite(self._from):
            return
        if self._range is not None:
            self.dragged.emit(min(self._range), max(self._range))
        else:
            self.pressed.emit(self._abscissa(event.position()))
        self._from, self._range = math.nan, None
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.zooms and event.button() == Qt.MouseButton.LeftButton:
            self.reset.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(math.nan)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / WHEEL_STEP
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not self.zooms or not steps or not (self.by_wheel or ctrl):
            event.ignore()
            return
        self.scaled.emit(self._abscissa(event.position()), WHEEL**steps)
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.empty.setGeometry(self.rect())
        self.resized.emit()
