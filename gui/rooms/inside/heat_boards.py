"""Several boards beside each other with a heat on their cells, as many in a row as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Words
from gui.widgets.board import board_paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font, ink, on_theme, ramp, with_alpha
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from core.games import Position

GAP: Final = 10  # px between boards
_FAINTEST: Final = 0.08  # a heat below this share of the largest is not drawn


class Sign(NamedTuple):
    """A number in a disc on a cell."""

    cell: int
    text: str
    colour: str
    """A colour of the theme's ramp "#rrggbb"; "" for a hollow disc."""
    dashed: bool = False
    """Whether the disc's rim is dashed."""


class HeatBoard(NamedTuple):
    """One board: a position, or bare cells without one, and how strong each cell is."""

    title: str
    shape: tuple[int, int]
    heat: NDArray[np.float32]
    """[H, W], drawn from 0, nothing, to ``most``."""
    most: float
    position: Position | None = None
    signs: tuple[Sign, ...] = ()
    ringed: int = -1
    """A cell with a ring round it."""
    tips: tuple[str, ...] = ()
    """[H * W] the tooltip of each cell; () for that of the board, its title."""


class HeatBoards(QWidget):
    """Paints ``HeatBoard``s with their titles; ``chosen`` emits the place of the board clicked, and the cell or -1;
    ``pointed`` the same of the board under the pointer, -1 and -1 for none, when that changes."""

    chosen = Signal(int, int)
    pointed = Signal(int, int)

    def __init__(self, parent: QWidget, name: Words, side: int, single: bool = False, most: int = 0) -> None:
        """``name``: for screen readers.  ``side``: px of a board's longer side at the usual text size, ``most``: px
        that it may grow to where there is room beside.  ``single``: there is never more than one, and the widget is
        as wide as it."""
        super().__init__(parent)
        self._side, self._most = side, max(side, most)
        self.boards: tuple[HeatBoard, ...] = ()
        self.marked = -1
        self._pointed = -1, -1
        self.setMouseTracking(True)
        across = QSizePolicy.Policy.Fixed if single else QSizePolicy.Policy.Expanding
        policy = QSizePolicy(across, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(not single)
        self.setSizePolicy(policy)
        set_texts(self, accessibleName=name)
        on_theme(self, self.update)

    def show_boards(self, boards: Sequence[HeatBoard], marked: int = -1) -> None:
        """Show these; ``marked``: the place of the one that is highlighted."""
        before = [board.shape for board in self.boards]
        self.boards, self.marked = tuple(boards), marked
        self.setAccessibleDescription("; ".join(board.title for board in boards))
        if before != [board.shape for board in boards]:
            self.updateGeometry()
        self.update()

    def box(self, place: int) -> QRectF:
        """The rectangle of a board and its title."""
        across, width, height = self._in_row(self.width()), self._board_width(self.width()), self._height(self.width())
        row, column = divmod(place, across)
        return QRectF(column * (width + GAP), row * (height + GAP), width, height)

    def board_at(self, point: QPointF) -> tuple[int, int]:
        """The place of the board at a point and its cell; -1 for none."""
        for place, board in enumerate(self.boards):
            box = self.box(place)
            if box.contains(point):
                return place, self._geometry(board).cell_at(point - box.topLeft() - QPointF(0, self._line()))
        return -1, -1

    def _line(self) -> int:
        return self.fontMetrics().height() + 2 if any(board.title for board in self.boards) else 0

    def _in_row(self, width: int) -> int:
        return max(1, min(len(self.boards), (width + GAP) // (px(self._side) + GAP)))

    def _board_width(self, width: int) -> int:
        """The longer side of a board, in a widget so wide."""
        return max(px(self._side), min(px(self._most), (width + GAP) // self._in_row(width) - GAP))

    def _height(self, width: int) -> int:
        """The height of a board with its title, in a widget so wide."""
        shapes, side = [board.shape for board in self.boards] or [(1, 1)], self._board_width(width)
        return self._line() + max(round(side * min(1.0, rows / columns)) for rows, columns in shapes)

    def _geometry(self, board: HeatBoard) -> board_paint.Geometry:
        width, height = self._board_width(self.width()), self._height(self.width()) - self._line()
        if board.position is None:
            step = min(width / board.shape[1], height / board.shape[0])
            return board_paint.Geometry(*board.shape, 0.0, 0.0, step)
        slant = board_paint.kind_of(board.position.game.name).slant
        return board_paint.fit(*board.shape, width, height, False, slant=slant)

    def hasHeightForWidth(self) -> bool:
        return self.sizePolicy().hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        rows = -(-len(self.boards) // self._in_row(width))
        return max(0, rows * (self._height(width) + GAP) - GAP) if self.boards else 0

    def sizeHint(self) -> QSize:
        return QSize(px(self._side), self.heightForWidth(max(self.width(), px(self._side))))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.updateGeometry()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, cell = self.board_at(event.position())
        if place >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(place, cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.board_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point((-1, -1))

    def _point(self, at: tuple[int, int]) -> None:
        if at != self._pointed:
            self._pointed = at
            self.pointed.emit(*at)

    def tip_at(self, point: QPoint) -> str:
        """The tooltip at a point."""
        place, cell = self.board_at(QPointF(point))
        if place < 0:
            return ""
        board = self.boards[place]
        return board.tips[cell] if board.tips and cell >= 0 else board.title

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        show_tip(event.globalPos(), self.tip_at(event.pos()), self)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, board in enumerate(self.boards):
            box = self.box(place)
            if not box.intersects(QRectF(event.rect())):
                continue
            if place == self.marked:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("selection"))
                painter.drawRoundedRect(box.adjusted(-3, -2, 3, 3), 5, 5)
            painter.setFont(figure_font(self.font(), 0.92))
            painter.setPen(theme.color("text" if place == self.marked else "dim"))
            title = painter.fontMetrics().elidedText(board.title, Qt.TextElideMode.ElideRight, round(box.width()))
            painter.drawText(QRectF(box.left(), box.top(), box.width(), self._line()), title)
            painter.save()
            painter.translate(box.left(), box.top() + self._line())
            self._paint_board(painter, board, theme)
            painter.restore()

    def _paint_board(self, painter: QPainter, board: HeatBoard, theme: Theme) -> None:
        g = self._geometry(board)
        kind = None if board.position is None else board_paint.kind_of(board.position.game.name)
        if kind is not None and board.position is not None:
            kind.ground(painter, g, theme)
            paint_position(painter, g, kind, board.position, theme)
        cells = np.zeros(board.heat.size) if board.position is None else board.position.cells().ravel()
        shares = np.clip(board.heat.ravel() / board.most, 0.0, 1.0) if board.most > 0 else np.zeros(board.heat.size)
        painter.setPen(Qt.PenStyle.NoPen)
        for cell, share in enumerate(shares.tolist()):
            if kind is None:
                painter.setBrush(ramp((theme.raised, theme.accent), share))
                painter.drawRect(g.rect(cell).adjusted(0, 0, -1, -1))
            elif share >= _FAINTEST and cells[cell]:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(ramp((theme.panel, theme.warn), share), (0.05 + 0.15 * share) * g.step))
                painter.drawEllipse(g.center(cell), 0.4 * g.step, 0.4 * g.step)
                painter.setPen(Qt.PenStyle.NoPen)
            elif share >= _FAINTEST:
                painter.setBrush(with_alpha(theme.color("warn"), 0.9 * share))
                painter.drawRect(g.rect(cell).adjusted(1, 1, -1, -1))
        if board.ringed >= 0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), max(2.0, 0.1 * g.step)))
            painter.drawEllipse(g.center(board.ringed), 0.44 * g.step, 0.44 * g.step)
        for sign in board.signs:
            self._paint_sign(painter, g, sign, theme)

    def _paint_sign(self, painter: QPainter, g: board_paint.Geometry, sign: Sign, theme: Theme) -> None:
        radius = 0.36 * g.step
        fill = theme.color("panel", 0.85) if not sign.colour else ramp((sign.colour, sign.colour), 0.0)
        rim = Qt.PenStyle.DashLine if sign.dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(theme.color("text" if sign.colour else "faint"), 1.4, rim))
        painter.setBrush(fill)
        painter.drawEllipse(g.center(sign.cell), radius, radius)
        font = figure_font(self.font(), bold=True)
        font.setPixelSize(g.figure_px(0.42, 8, 40))
        painter.setFont(font)
        painter.setPen(ink(fill) if sign.colour else theme.color("dim"))
        painter.drawText(g.rect(sign.cell), Qt.AlignmentFlag.AlignCenter, sign.text)
