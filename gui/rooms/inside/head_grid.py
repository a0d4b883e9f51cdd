"""A grid of small boards: where each head of each layer of a net's attention looks, one layer a row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets.board import board_paint
from gui.widgets.keys import keeps_key
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import Theme, current_theme, figure_font, on_theme, ramp
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from core.games import Position

GAP: Final = 8  # px between boards
SMALLEST, LARGEST = 42, 150  # px of a board's longer side
USUAL, FEWEST = 7, 3  # boards of a row that there is room for, if it can be, and always
STONE: Final = 0.27  # radius of a stone in cells, so that the colour of its cell is seen round it
MOVES: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class HeadBoard(NamedTuple):
    """One small board."""

    title: str
    heat: NDArray[np.float32]
    """[H, W], drawn from 0 to its largest number."""
    tip: str


class HeadRow(NamedTuple):
    """The boards of one layer."""

    name: str
    boards: tuple[HeadBoard, ...]


class HeadGrid(QWidget):
    """Paints rows of boards; ``chosen`` emits the row and the place in it of the board clicked or moved to by keys."""

    chosen = Signal(int, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[HeadRow, ...] = ()
        self.marked = (0, 0)
        self._position: Position | None = None
        self._ringed = -1
        self._stones: QPixmap | None = None  # of the position, for the size of a board now
        self._high = 0  # px that all rows should fit in; 0: any
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_texts(self, accessibleName="The heads of each block")
        on_theme(self, self._repaint)

    def show_rows(self, position: Position, rows: Sequence[HeadRow], ringed: int, marked: tuple[int, int]) -> None:
        """Show these boards of a position, with a frame round the cell ``ringed``, and the board ``marked`` (row, place
        in it) highlighted."""
        before = self._shape, [len(row.boards) for row in self.rows]
        if position != self._position:
            self._stones = None
        self._position, self.rows, self._ringed, self.marked = position, tuple(rows), ringed, marked
        row, place = marked
        board = self.rows[row].boards[place]
        self.setAccessibleDescription(f"{self.rows[row].name}, {board.title}: {board.tip}")
        if before != (self._shape, [len(row.boards) for row in self.rows]):
            self._stones = None
            self.updateGeometry()
        self.update()

    def fit_into(self, height: int) -> None:
        """Make the boards so small that all rows fit in a height in px, if they can; 0: as large as the width gives."""
        if height != self._high:
            self._high = height
            self.updateGeometry()
            self._repaint()

    def _repaint(self) -> None:
        self._stones = None
        self.update()

    # geometry

    @property
    def _shape(self) -> tuple[int, int]:
        return (1, 1) if self._position is None else self._position.game.shape

    @property
    def _names(self) -> int:
        """The width in px of the names of the rows."""
        return max((self.fontMetrics().horizontalAdvance(row.name) for row in self.rows), default=0) + GAP

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + 1

    @property
    def _most(self) -> int:
        """The boards of the longest row."""
        return max((len(row.boards) for row in self.rows), default=1)

    def _across(self, width: int) -> int:
        """The boards beside each other in a widget so wide; a row goes on below."""
        return max(1, min(self._most, (width - self._names) // (px(SMALLEST) + GAP)))

    def _lines(self, width: int) -> int:
        """The lines that each row takes."""
        return -(-self._most // self._across(width))

    def _step(self, width: int) -> int:
        """px of a cell in a widget so wide."""
        side = (width - self._names) // self._across(width) - GAP
        if self._high and self.rows:
            rows, columns = self._shape
            high = self._high // (len(self.rows) * self._lines(width)) - self._line - GAP
            side = min(side, high * max(rows, columns) // rows)
        side = max(px(SMALLEST), min(px(LARGEST), side))
        return max(1, side // max(self._shape))

    def _box(self, row: int, place: int) -> QRectF:
        """The rectangle of a board without its title."""
        step, (down, right) = self._step(self.width()), divmod(place, self._across(self.width()))
        rows, columns = self._shape
        width, line = max(columns * step, px(SMALLEST)) + GAP, row * self._lines(self.width()) + down
        top = line * (self._line + rows * step + GAP) + self._line
        return QRectF(self._names + right * width, top, columns * step, rows * step)

    def board_at(self, point: QPointF) -> tuple[int, int] | None:
        """The row, and the place in it, of the board or title at a point."""
        for row, of_row in enumerate(self.rows):
            for place in range(len(of_row.boards)):
                if self._box(row, place).adjusted(0, -self._line, 0, 0).contains(point):
                    return row, place
        return None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return len(self.rows) * self._lines(width) * (self._line + self._shape[0] * self._step(width) + GAP)

    def sizeHint(self) -> QSize:
        width = self._names + min(self._most, USUAL) * (px(SMALLEST) + GAP) + 2 * GAP
        return QSize(width, self.heightForWidth(max(self.width(), width)))

    def minimumSizeHint(self) -> QSize:
        width = self._names + min(self._most, FEWEST) * (px(SMALLEST) + GAP)
        return QSize(width, self.heightForWidth(max(self.width(), width)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._repaint()
        self.updateGeometry()

    # events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.board_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(*found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        down, right = MOVES.get(Qt.Key(event.key()), (0, 0))
        if (down, right) == (0, 0) or not self.rows:
            super().keyPressEvent(event)
            return
        row = max(0, min(len(self.rows) - 1, self.marked[0] + down))
        self.chosen.emit(row, max(0, min(len(self.rows[row].boards) - 1, self.marked[1] + right)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if keeps_key(event, MOVES):
            return True
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        found = self.board_at(QPointF(event.pos()))
        tip = "" if found is None else self.rows[found[0]].boards[found[1]].tip
        show_tip(event.globalPos(), tip, self)
        return True

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        position = self._position
        if position is None:
            return
        painter, theme = QPainter(self), current_theme()
        painter.setFont(figure_font(self.font(), 0.92))
        step = self._step(self.width())
        if self._stones is None:
            self._stones = _stones(position, step, theme)
        colours = _colours(theme.raised, theme.warn)
        for row, of_row in enumerate(self.rows):
            first = self._box(row, 0)
            painter.setPen(theme.color("dim"))
            names = QRectF(0, first.top(), self._names - GAP, first.height())
            painter.drawText(names, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, of_row.name)
            for place, board in enumerate(of_row.boards):
                box = self._box(row, place)
                if not box.adjusted(0, -self._line, 0, 0).intersects(QRectF(event.rect())):
                    continue
                marked = (row, place) == self.marked
                painter.setPen(theme.color("text" if marked else "dim"))
                last = place == len(of_row.boards) - 1
                room = self.width() - box.left() if last else max(box.width(), px(SMALLEST)) + GAP
                title = QRectF(box.left(), box.top() - self._line, room, self._line)
                painter.drawText(title, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, board.title)
                painter.drawImage(box, _image(board.heat, colours))
                painter.drawPixmap(box.topLeft(), self._stones)
                if self._ringed >= 0:
                    down, right = divmod(self._ringed, self._shape[1])
                    cell = QRectF(box.left() + right * step, box.top() + down * step, step, step)
                    self._frame(painter, cell.adjusted(0, 0, -1, -1), theme.accent, 1.0)
                if marked:
                    self._frame(painter, box.adjusted(-2, -2, 1, 1), theme.accent, 2.0 if self.hasFocus() else 1.2)

    def _frame(self, painter: QPainter, box: QRectF, colour: str, width: float) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ramp((colour, colour), 0.0), width))
        painter.drawRect(box)


@lru_cache(4)
def _colours(low: str, high: str) -> NDArray[np.uint32]:
    """256 colours from one to the other, as QImage has them."""
    return np.array([ramp((low, high), share / 255).rgb() for share in range(256)], np.uint32)


def _image(heat: NDArray[np.float32], colours: NDArray[np.uint32]) -> QImage:
    """A picture with a pixel for each cell."""
    rows, columns = heat.shape
    most = float(heat.max())
    shares = heat / most if most > 0 else np.zeros_like(heat)
    pixels = np.ascontiguousarray(colours[np.rint(255 * np.clip(shares, 0.0, 1.0)).astype(np.uint8)])
    return QImage(pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGB32).copy()


def _stones(position: Position, step: int, theme: Theme) -> QPixmap:
    """The stones of a position on nothing, small."""
    rows, columns = position.game.shape
    picture = QPixmap(columns * step, rows * step)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    kind = board_paint.kind_of(position.game.name)
    for cell, owner in enumerate(position.cells().ravel().tolist()):
        if owner:
            down, right = divmod(cell, columns)
            centre = QPointF((right + 0.5) * step, (down + 0.5) * step)
            kind.stone(painter, centre, STONE * step, owner - 1, theme)
    painter.end()
    return picture
