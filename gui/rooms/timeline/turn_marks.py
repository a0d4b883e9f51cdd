"""Marks of a search's hesitations below the slider of the timeline, and a sentence for one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.language.language import tr
from gui.widgets.form import JumpSlider
from gui.widgets.sentences import plain_sentence
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from core.glass.turns import Turn

REACH: Final = 7  # px from a mark within which the pointer is on it
SIZE: Final = 4  # px, half of a mark's width
COLOURS: Final = {"changed": "accent", "refuted": "warn", "fault": "warn"}
MEANING: Final[Words] = (
    "Triangles mark the hesitations of the search: blue where another move became the best, orange where the best one "
    "was refuted, or where the search of another program has a fault. Click one to go there."
)


def draw_mark(painter: QPainter, kind: str, x: float, size: float) -> None:
    """Draw the mark of a kind of ``core.glass.turns``, whose tip is at ``x``, 0, and which is 2 ``size`` wide."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current_theme().color(COLOURS[kind]))
    painter.drawPolygon(QPolygonF([QPointF(x, 0), QPointF(x - size, 2 * size - 1), QPointF(x + size, 2 * size - 1)]))


class TurnSign(QWidget):
    """The mark of the hesitation that the words beside it are about."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = ""
        set_texts(self, toolTip=MEANING)
        by_font(self, lambda: self.setFixedSize(2 * px(SIZE) + 1, 2 * px(SIZE)))
        self.hide()

    def show_turn(self, turn: Turn | None) -> None:
        """Show the mark of a hesitation, or none."""
        self.kind = "" if turn is None else turn.kind
        self.setVisible(turn is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.kind:
            draw_mark(QPainter(self), self.kind, self.width() / 2, px(SIZE))


class TurnMarks(QWidget):
    """One mark for each hesitation, under the place of its simulation on ``slider``.

    ``pointed`` emits the hesitation under the pointer, None when it leaves; ``chosen`` a simulation."""

    pointed = Signal(object)
    chosen = Signal(int)

    def __init__(self, slider: JumpSlider, parent: QWidget) -> None:
        super().__init__(parent)
        self._slider = slider
        self.turns: tuple[Turn, ...] = ()
        self._under: Turn | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Hesitations of the search", toolTip=self._tip)

    def sizeHint(self) -> QSize:
        return QSize(100, px(11))

    minimumSizeHint = lambda self: QSize(20, px(11))  # noqa: E731

    def show_turns(self, turns: tuple[Turn, ...]) -> None:
        """Mark these hesitations."""
        self.turns, self._under = turns, None
        self.setAccessibleDescription(" ".join(plain_sentence(turn.sentence) for turn in turns))
        self.update()

    def place(self, simulation: float) -> float:
        """Return the abscissa of a simulation, as the slider's handle has it."""
        return self._slider.place(simulation)

    def turn_at(self, x: float) -> Turn | None:
        """Return the hesitation nearest to an abscissa, None where none is near."""
        near = min(self.turns, key=lambda turn: abs(self.place(turn.simulation) - x), default=None)
        return near if near is not None and abs(self.place(near.simulation) - x) <= REACH else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.turn_at(event.position().x()))
        if self._under is not None:
            show_tip(event.globalPosition().toPoint(), plain_sentence(self._under.sentence), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        turn = self.turn_at(event.position().x())
        if turn is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(turn.simulation)

    def _tip(self) -> str:
        return tr(MEANING) if self._under is None else plain_sentence(self._under.sentence)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def _point(self, turn: Turn | None) -> None:
        if turn is not self._under:
            self._under = turn
            set_texts(self, toolTip=self._tip)
            self.setCursor(Qt.CursorShape.ArrowCursor if turn is None else Qt.CursorShape.PointingHandCursor)
            self.pointed.emit(turn)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for turn in self.turns:
            draw_mark(painter, turn.kind, self.place(turn.simulation), px(SIZE + (turn is self._under)))
