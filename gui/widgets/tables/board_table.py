"""A list whose first column is the small board of each row, perhaps with the net's move and the search's ringed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from core.text import Words
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.figures import Row
from gui.widgets.tables.row_delegate import Index, RowDelegate
from gui.widgets.tables.table import ListTable, TableModel
from gui.widgets.text_size import px
from gui.widgets.theme import current_theme, on_theme

if TYPE_CHECKING:
    from core.games import Position

NET: Final = QColor("#ef8a2b")  # a dashed ring
SEARCH: Final = QColor("#3f9bf0")  # a ring within it
RIGHT: Final = QColor("#2aa05a")  # a dot
MOST_PICTURES: Final = 400
_DRAWN: Final = 320.0  # px at which the board is drawn before it is made small


class BoardCell(NamedTuple):
    """What a small board shows; ``net`` and ``search`` are actions, -1 for none, ``right`` those that lose nothing."""

    position: Position
    net: int = -1
    search: int = -1
    right: tuple[int, ...] = ()


class BoardTable(ListTable[Row]):
    """``board`` says what is drawn in a row, in a square of ``side`` px at the usual text size."""

    def __init__(
        self,
        model: TableModel[Row],
        name: Words,
        board: Callable[[Row], BoardCell],
        side: int,
        parent: QWidget | None = None,
        once: bool = False,
        sorts: bool = False,
    ) -> None:
        super().__init__(model, name, parent, once, sorts)
        self.setItemDelegate(_BoardDelegate(self, model, board, side))
        self.horizontalHeader().setMinimumSectionSize(30)
        self.verticalHeader().setDefaultSectionSize(px(side) + 6)


class _BoardDelegate(RowDelegate):
    def __init__(self, parent: QWidget, model: TableModel[Any], board: Callable[[Any], BoardCell], side: int) -> None:
        super().__init__(parent, model.columns, model.look_at)
        self._model, self._board, self._side = model, board, side
        self._pictures: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()
        on_theme(parent, self._pictures.clear)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(px(self._side) + 12, hint.height()) if index.column() == 0 else hint

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if index.column() == 0 and index.row() < len(self._model.rows):
            rect, side = option.rect, px(self._side)
            board = self._board(self._model.rows[index.row()])
            picture = self._picture(board, side, painter.device().devicePixelRatioF())
            painter.drawPixmap(rect.left() + 6, rect.top() + (rect.height() - side) // 2, picture)

    def _picture(self, board: BoardCell, side: int, ratio: float) -> QPixmap:
        key = board, board.position.moves, side, ratio
        if key not in self._pictures:
            self._pictures[key] = board_picture(*board, side, ratio)
            while len(self._pictures) > MOST_PICTURES:
                self._pictures.popitem(last=False)
        self._pictures.move_to_end(key)
        return self._pictures[key]


def board_picture(
    position: Position, net: int, search: int, right: Collection[int], side: int, ratio: float
) -> QPixmap:
    """The position in a square of ``side`` px; ``net`` and ``search`` are actions, -1 for none."""
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / _DRAWN, side / _DRAWN)
    theme, kind = current_theme(), paint.kind_of(position.game.name)
    g = paint.fit(*position.game.shape, _DRAWN, _DRAWN, False, slant=kind.slant)
    kind.ground(painter, g, theme)
    paint_position(painter, g, kind, position, theme)
    for action, colour, radius, style in (
        (search, SEARCH, 0.25, Qt.PenStyle.SolidLine),
        (net, NET, 0.42, Qt.PenStyle.DashLine),
    ):
        for cell in kind.places.cells_of(position, action)[:1] if action >= 0 else ():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour, 0.17 * g.step, style))
            painter.drawEllipse(g.center(cell), radius * g.step, radius * g.step)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(RIGHT)
    for action in right:
        for cell in kind.places.cells_of(position, action)[:1]:
            painter.drawEllipse(g.center(cell), 0.15 * g.step, 0.15 * g.step)
    painter.end()
    return picture
