"""Marks of a search's hesitations below the slider of the timeline, and a sentence for one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QSlider, QStyle, QToolTip, QWidget

from gui.widgets.sentences import plain_sentence
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from core.glass.turns import Turn

REACH: Final = 7  # px from a mark within which the pointer is on it
COLOURS: Final = {"changed": "accent", "refuted": "warn", "fault": "warn"}


class TurnMarks(QWidget):
    """One mark for each hesitation, under the place of its simulation on ``slider``.

    ``pointed`` emits the hesitation under the pointer, None when it leaves; ``chosen`` a simulation."""

    pointed = Signal(object)
    chosen = Signal(int)

    def __init__(self, slider: QSlider, parent: QWidget) -> None:
        super().__init__(parent)
        self._slider = slider
        self.turns: tuple[Turn, ...] = ()
        self._under: Turn | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Hesitations of the search")

    def sizeHint(self) -> QSize:
        return QSize(100, px(11))

    minimumSizeHint = lambda self: QSize(20, px(11))  # noqa: E731

    def show_turns(self, turns: tuple[Turn, ...]) -> None:
        """Mark these hesitations."""
        self.turns, self._under = turns, None
        self.setAccessibleDescription(" ".join(plain_sentence(turn.sentence) for turn in turns))
        self.update()

    @property
    def side(self) -> float:
        """The width at each side that the slider's handle keeps free, half of it."""
        return self._slider.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self._slider) / 2

    def place(self, simulation: float) -> float:
        """Return the abscissa of a simulation, as the slider's handle has it."""
        low, high = self._slider.minimum(), self._slider.maximum()
        return self.side + (self.width() - 2 * self.side) * (simulation - low) / max(1, high - low)

    def turn_at(self, x: float) -> Turn | None:
        """Return the hesitation nearest to an abscissa, None where none is near."""
        near = min(self.turns, key=lambda turn: abs(self.place(turn.simulation) - x), default=None)
        return near if near is not None and abs(self.place(near.simulation) - x) <= REACH else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.turn_at(event.position().x()))
        if self._under is not None:
            QToolTip.showText(event.globalPosition().toPoint(), plain_sentence(self._under.sentence), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        turn = self.turn_at(event.position().x())
        if turn is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(turn.simulation)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def _point(self, turn: Turn | None) -> None:
        if turn is not self._under:
            self._under = turn
            self.setCursor(Qt.CursorShape.ArrowCursor if turn is None else Qt.CursorShape.PointingHandCursor)
            self.pointed.emit(turn)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for turn in self.turns:
            x, size = self.place(turn.simulation), px(5) if turn is self._under else px(4)
            painter.setBrush(current_theme().color(COLOURS[turn.kind]))
            painter.drawPolygon(
                QPolygonF([QPointF(x, 0), QPointF(x - size, 2 * size - 1), QPointF(x + size, 2 * size - 1)])
            )
