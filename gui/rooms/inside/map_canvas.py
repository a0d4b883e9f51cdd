"""Points in a plane, painted once; the one under the pointer and that of the board are ringed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font, with_alpha

MARGIN: Final = 26  # px round the points
DOT: Final = 7  # px
NEAR: Final = 12  # px between the pointer and what it points at
_OPACITY: Final = 0.85


class MapCanvas(QWidget):
    """Both axes have one scale, so that what is far apart is drawn so."""

    pointed = Signal(int)  # the place of the point under the pointer, -1 for none
    chosen = Signal(int)  # that was clicked

    def __init__(self, parent: QWidget, name: Words) -> None:
        """``name``: for screen readers."""
        super().__init__(parent)
        self.points = np.zeros((0, 2))
        self.here: tuple[float, float] | None = None
        self.at = -1  # the point under the pointer
        self._colours: tuple[QColor, ...] = ()
        self._order: Sequence[int] = ()
        self._axes = ("", "")
        self._picture: QPixmap | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        set_texts(self, accessibleName=name)

    def show_points(
        self, points: NDArray[np.float32], colours: Sequence[QColor], order: Sequence[int], axes: tuple[str, str]
    ) -> None:
        """Show points [N, 2] in their colours, drawn in this order; ``axes``: words for both."""
        self.points, self._colours, self._order = points.astype(np.float64), tuple(colours), order
        self._axes, self._picture, self.at = axes, None, -1
        self.update()

    def show_here(self, point: tuple[float, float] | None) -> None:
        """Ring the place of the position on the board."""
        if point != self.here:
            self.here, self._picture = point, None  # the scale may be another
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(520), px(340))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(180), px(240))

    def pixels(self) -> NDArray[np.float64]:
        """Where the points are in the widget, [N, 2] px; the ringed place last, where there is one."""
        points = self.points if self.here is None else np.concatenate([self.points, [self.here]])
        if not len(points):
            return points
        low, high = points.min(0), points.max(0)
        room = np.array([self.width(), self.height()]) - 2.0 * px(MARGIN)
        span = np.where(high > low, high - low, 1.0)
        scale = max(1e-9, float((room / span).min()))
        middle = np.array([self.width(), self.height()]) / 2
        pixels: NDArray[np.float64] = middle + (points - (low + high) / 2) * scale * np.array([1.0, -1.0])
        return pixels

    def place_at(self, point: QPointF) -> int:
        """The place of the nearest point, -1 where none is near."""
        if not len(self.points):
            return -1
        apart = np.linalg.norm(self.pixels()[: len(self.points)] - [point.x(), point.y()], axis=1)
        place = int(apart.argmin())
        return place if apart[place] <= px(NEAR) else -1

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._picture = None
        super().changeEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.place_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        if place >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(place)

    def _point_at(self, place: int) -> None:
        if place != self.at:
            self.at = place
            self.setCursor(Qt.CursorShape.PointingHandCursor if place >= 0 else Qt.CursorShape.ArrowCursor)
            self.pointed.emit(place)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        pixels, theme = self.pixels(), current_theme()
        if self._picture is None:
            self._picture = self._painted(pixels)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.here is not None:
            for colour, width in ((theme.color("panel"), 5.0), (theme.color("accent"), 2.6)):
                painter.setPen(QPen(colour, width))
                painter.drawEllipse(QPointF(*pixels[-1]), px(9), px(9))
        if 0 <= self.at < len(self.points):
            painter.setPen(QPen(theme.color("text"), 1.6))
            painter.drawEllipse(QPointF(*pixels[self.at]), px(6), px(6))

    def _painted(self, pixels: NDArray[np.float64]) -> QPixmap:
        """The points and the words of the axes."""
        theme, ratio = current_theme(), self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(theme.color("panel"))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("faint", 0.5), 0.7))
        half = px(DOT) / 2
        for place in self._order:
            painter.setBrush(with_alpha(self._colours[place], _OPACITY))
            painter.drawEllipse(QPointF(*pixels[place]), half, half)
        painter.setFont(figure_font(self.font(), 0.82))
        painter.setPen(theme.color("dim"))
        across, up = self._axes
        box = QRectF(self.rect()).adjusted(8, 4, -8, -4)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, across)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, up)
        painter.end()
        return picture
