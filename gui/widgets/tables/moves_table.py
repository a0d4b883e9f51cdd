"""The table of one node's moves: sorted by any figure, each row keeping its identity.  Knows one NodeView at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QCursor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS, sort_rows
from gui.widgets.tables.row_delegate import (
    IS_BEST,
    IS_NEXT,
    RowDelegate,
    cell_data,
    cell_look,
    header_data,
    pointer_inside,
    repaint_row,
    row_height,
    set_up_header,
)
from gui.widgets.texts import renew_headers, set_texts
from gui.widgets.theme import DARK, Theme, figure_font

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import MoveRow, NodeView

Index = QModelIndex | QPersistentModelIndex
ALL = range(1 << 16)


class MovesModel(QAbstractTableModel):
    """Rows are the node's edges; an index follows its move when the order changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[MoveRow] = []
        self._column, self._descending = COLUMN_INDEX["n"], True
        self._best = self._next = -1
        self._position: Position | None = None
        self._rule = "puct"

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(section, role, self._column, self._descending, self._rule)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, mark = self.marked(index)
        return cell_data(row, index.column(), mark, role)

    @property
    def position(self) -> Position | None:
        """Whose moves the rows are; None while there are none."""
        return self._position

    def row(self, number: int) -> MoveRow:
        return self._rows[number]

    def marked(self, index: Index) -> tuple[MoveRow, int]:
        """The row of an index with its marks."""
        return self._marked(index.row())

    def _marked(self, number: int) -> tuple[MoveRow, int]:
        row = self._rows[number]
        return row, (IS_BEST if row.action == self._best else 0) | (IS_NEXT if row.action == self._next else 0)

    def _looks(self, numbers: range) -> list[list[object]]:
        """What is to be seen of some rows, cell by cell."""
        marked = [self._marked(number) for number in numbers if number < len(self._rows)]
        return [[cell_look(row, column, mark) for column in range(len(COLUMNS))] for row, mark in marked]

    def number_of(self, action: int) -> int:
        """The row a move stands in; -1 when it is not there."""
        return next((i for i, row in enumerate(self._rows) if row.action == action), -1)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        self._arrange(self._rows)

    def show(self, node: NodeView | None, best: int, keep_order: bool = False, seen: range = ALL) -> None:
        """Take a node's rows; ``keep_order`` leaves each move in its row (the pointer is over them).

        Of the rows that are ``seen`` the cells that have changed are told; others are looked up when they come in
        sight."""
        before = self._looks(seen)
        rows = [*node.rows, *node.left_out_rows] if node is not None else []
        self._best, self._next = best, node.next_action if node is not None else -1
        if node is not None and node.selection != self._rule:
            self._rule = node.selection
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        position = node.position if node is not None else None
        if position != self._position or {row.action for row in rows} != {row.action for row in self._rows}:
            self._position = position
            self.beginResetModel()
            self._rows = sort_rows(tuple(rows), self._column, self._descending)
            self.endResetModel()
            return
        if keep_order:
            place = {row.action: i for i, row in enumerate(self._rows)}
            self._rows = sorted(rows, key=lambda row: place[row.action])
        else:
            self._arrange(rows)
        for number, was, now in zip(seen, before, self._looks(seen), strict=False):
            for column, (old, new) in enumerate(zip(was, now, strict=True)):
                if old != new:
                    index = self.index(number, column)
                    self.dataChanged.emit(index, index)

    def _arrange(self, rows: list[MoveRow]) -> None:
        arranged = sort_rows(tuple(rows), self._column, self._descending)
        if [row.action for row in arranged] == [row.action for row in self._rows]:
            self._rows = arranged
            return
        self.layoutAboutToBeChanged.emit()
        before = [row.action for row in self._rows]
        place = {row.action: i for i, row in enumerate(arranged)}
        old = self.persistentIndexList()
        new = [self.index(place[before[index.row()]], index.column()) for index in old]
        self._rows = arranged
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()


class MovesTable(QTableView):
    """The moves of the position; a selected one is looked at, a double-clicked one is played."""

    selected = Signal(int)  # action
    played = Signal(int)
    pointed = Signal(int)  # action under the pointer, -1 for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = DARK
        self._note = ""
        self._pointed = -1
        self.moves = MovesModel(self)
        self._delegate = RowDelegate(self, self.moves.marked)
        self.setFont(figure_font(self.font()))
        self.setModel(self.moves)
        renew_headers(self, self.moves)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        set_texts(self, accessibleName="Moves")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_height(self.font()))
        set_up_header(self.horizontalHeader(), self.font())
        self.horizontalHeader().setSortIndicator(COLUMN_INDEX["n"], Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().selectionChanged.connect(self._tell_selected)
        self.doubleClicked.connect(lambda index: self.played.emit(self.moves.row(index.row()).action))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._delegate.set_theme(theme)
        self.viewport().update()

    def show_node(self, node: NodeView | None, best: int, keep_order: bool = False) -> None:
        """Show the figures of a node; rows also stay in place while the pointer is over them."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height())
        seen = range(max(0, first), last + 1 if last >= 0 else self.moves.rowCount())
        self.moves.show(node, best, keep_order or pointer_inside(self.viewport(), QCursor.pos()), seen)

    @property
    def position(self) -> Position | None:
        """Whose moves are shown; None while there are none."""
        return self.moves.position

    def set_note(self, note: str) -> None:
        """What to say while there is nothing to show."""
        if note != self._note:
            self._note = note
            self.viewport().update()

    def select_action(self, action: int) -> None:
        """Select a move's row without telling anyone; -1 selects none."""
        number, before = self.moves.number_of(action), self.currentIndex()
        model = self.selectionModel()
        if number == before.row() and (number < 0 or model.isRowSelected(number, QModelIndex())):
            return
        blocked = model.blockSignals(True)
        if number < 0:
            model.clear()
        else:
            self.selectRow(number)
        model.blockSignals(blocked)
        for index in (before, self.currentIndex()):
            repaint_row(self.viewport(), self.visualRect(index))

    def _tell_selected(self, *_: object) -> None:
        """Not the current row: Qt makes the first one current when the table gets the focus, which nobody chose."""
        if indexes := self.selectedIndexes():
            self.selected.emit(self.moves.row(indexes[0].row()).action)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._point(self.moves.row(index.row()).action if index.isValid() else -1)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point(-1)

    def _point(self, action: int) -> None:
        if action != self._pointed:
            self._pointed = action
            self.pointed.emit(action)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._note and self.moves.rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self._theme.color("dim"))
            painter.drawText(
                self.viewport().rect().adjusted(20, 10, -20, -10),
                Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                self._note,
            )
