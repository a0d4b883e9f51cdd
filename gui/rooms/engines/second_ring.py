"""The ring round an outside engine's best move, over the board and beside its name.  Knows a board and an opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.games.spec import PASS
from gui.widgets.board.board_paint import anchor, kind_of
from gui.widgets.board.board_signs import pass_box
from gui.widgets.text_size import px
from gui.widgets.theme import Theme, current_theme

if TYPE_CHECKING:
    from gui.widgets.board.board import BoardView
    from models.engines.opinion import Opinion


def _pens(theme: Theme, width: float) -> tuple[QPen, QPen]:
    """Dashes of a colour that no ring of ours has, on a line that sets them off from any ground."""
    under = QPen(theme.color("window"), width + 2.0)
    over = QPen(QColor("#d68bff" if theme.dark else "#8a1fc4"), width)
    over.setDashPattern([2.2, 1.1])
    over.setCapStyle(Qt.PenCapStyle.FlatCap)
    return under, over


def _draw(painter: QPainter, box: QRectF, corner: float, width: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in _pens(current_theme(), width):
        painter.setPen(pen)
        painter.drawRoundedRect(box, corner, corner)


class RingSign(QWidget):
    """The ring as a sign beside a text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(16), px(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        box = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
        _draw(QPainter(self), box, box.width() / 2, 2.0)


class SecondRing(QWidget):
    """Lies over a board and takes no clicks; rings the best move of an opinion of the position that the board shows."""

    def __init__(self, board: BoardView) -> None:
        super().__init__(board)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._board = board
        self._opinion: Opinion | None = None
        self.setGeometry(board.rect())
        board.installEventFilter(self)
        self.hide()

    def show_opinion(self, opinion: Opinion | None) -> None:
        """Ring its first move; None: nothing."""
        before, self._opinion = self.box(), opinion
        self.setVisible(opinion is not None)
        if self.box() != before:
            self.update()

    def box(self) -> QRectF | None:
        """Where the ring is; None when nothing is ringed."""
        opinion, board = self._opinion, self._board
        if opinion is None or board.position != opinion.position:
            return None
        position, action = opinion.position, opinion.rows[0].action
        g, cell = board.geometry_of_board(), anchor(position, action)
        if cell < 0:
            return pass_box(g) if position.game.action_name(action) == PASS else None
        if kind_of(position.game.name).square:
            return g.rect(cell).adjusted(3, 3, -3, -3)
        radius, center = 0.47 * g.step, g.center(cell)
        return QRectF(center - QPointF(radius, radius), center + QPointF(radius, radius))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._board.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        box = self.box()
        if box is not None and self._opinion is not None:
            cornered = box.width() != box.height() or kind_of(self._opinion.position.game.name).square
            width = max(2.0, min(4.0, 0.05 * self._board.geometry_of_board().step))
            _draw(QPainter(self), box, 8.0 if cornered else box.width() / 2, width)
