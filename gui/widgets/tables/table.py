"""A table of rows over columns: one model and one view.

The columns are a tuple of ``Column``; a model's ``look`` adds colour, weight and marks to a cell.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, Generic

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from core.text import Words
from gui.language.language import tr
from gui.widgets.figures import Column, Row, in_order
from gui.widgets.keys import ENTER, keeps_key
from gui.widgets.tables.row_delegate import Look, RowDelegate, cell_data, header_data, row_height, widest_text
from gui.widgets.texts import renew_headers, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tips import wrap_tip

Index = QModelIndex | QPersistentModelIndex
KEYS: Final = (*ENTER, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)  # of a list


class TableModel(QAbstractTableModel, Generic[Row]):
    """Rows in the order of one column; an index follows its row when the order changes."""

    def __init__(
        self, columns: Sequence[Column[Row]], parent: QWidget | None = None, column: int = -1, descending: bool = False
    ) -> None:
        super().__init__(parent)
        self.columns = columns
        self.rows: list[Row] = []
        self.column, self.descending = column, descending  # -1: as they are given

    # what a kind of table says otherwise

    def look(self, row: Row, column: int) -> Look:
        """What is to be seen in a cell."""
        return Look(self.columns[column].text(row))

    def identity(self, row: Row) -> Hashable:
        """What a row is about, whatever its figures are."""
        return row

    def words(self, column: int) -> tuple[str, str]:
        """Title and meaning of a column."""
        return tr(self.columns[column].title), tr(self.columns[column].meaning)

    def tip(self, row: Row) -> str | None:
        """The tool tip of a row."""
        return None

    def arranged(self, rows: Sequence[Row]) -> list[Row]:
        """The rows in the order of the column that sorts."""
        return list(rows) if self.column < 0 else in_order(rows, self.columns[self.column].key, self.descending)

    # what Qt asks

    def look_at(self, index: Index) -> Look:
        """What is to be seen at an index."""
        return self.look(self.rows[index.row()], index.column())

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        sorts = section == self.column
        return header_data(self.columns[section], self.words(section), role, sorts, self.descending)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return (tip := self.tip(row)) and wrap_tip(tip)
        return cell_data(row, self.columns[index.column()], self.look(row, index.column()), role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.column, self.descending = column, order == Qt.SortOrder.DescendingOrder
        self.renew_titles()
        self._arrange(self.rows)

    # the rows

    def renew_titles(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def looks(self) -> list[list[Look]]:
        """What is to be seen, cell by cell."""
        return [[self.look(row, column) for column in range(len(self.columns))] for row in self.rows]

    def show(self, rows: Sequence[Row], anew: bool = False) -> None:
        """Show these rows; if they are about the same things as before, only cells that look different change.

        ``anew``: all of them are read again, which is sooner done for thousands of rows.
        """
        if anew or set(map(self.identity, rows)) != set(map(self.identity, self.rows)):
            self.beginResetModel()
            self.rows = self.arranged(rows)
            self.endResetModel()
            return
        before = self.looks()
        self._arrange(rows)
        for number, (was, now) in enumerate(zip(before, self.looks(), strict=True)):
            for column, (old, new) in enumerate(zip(was, now, strict=True)):
                if old != new:
                    index = self.index(number, column)
                    self.dataChanged.emit(index, index)

    def _arrange(self, rows: Sequence[Row]) -> None:
        arranged = self.arranged(rows)
        before, after = list(map(self.identity, self.rows)), list(map(self.identity, arranged))
        if before == after:
            self.rows = arranged
            return
        self.layoutAboutToBeChanged.emit()
        place = {identity: i for i, identity in enumerate(after)}
        old = self.persistentIndexList()
        new = [self.index(place[before[index.row()]], index.column()) for index in old]
        self.rows = arranged
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()


class Table(QTableView, Generic[Row]):
    """Shows a model's rows; whole rows are selected."""

    def __init__(self, model: TableModel[Row], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        model.setParent(self)
        self.columns = model.columns
        self.delegate = RowDelegate(self, model.columns, model.look_at)
        self.setFont(figure_font(self.font()))
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        renew_headers(self, model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_height(self.font()))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)


class SharedTable(Table[Row]):
    """Shares its width among the columns; where they do not fit, it scrolls."""

    def least_widths(self) -> list[int]:
        """What the widest text of every column takes: the one it names, else the widest there is."""
        header = self.horizontalHeader()
        return [
            widest_text(self.font(), column) + 2
            if column.widest
            else max(header.sectionSizeHint(place), self.sizeHintForColumn(place))
            for place, column in enumerate(self.columns)
        ]

    def fit_columns(self) -> None:
        share_room(self.horizontalHeader(), self.least_widths(), self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()


class ListTable(SharedTable[Row]):
    """A list to choose from: by a double click, or a click with ``once``, by Return or Enter.

    It takes the keys of a list before the window's commands get them.  With ``sorts`` a click on a heading sorts,
    numbers from the greatest down.
    """

    chosen = Signal(object)  # a row

    def __init__(
        self,
        model: TableModel[Row],
        name: Words,
        parent: QWidget | None = None,
        once: bool = False,
        sorts: bool = False,
    ) -> None:
        """``name``: for screen readers, in English."""
        super().__init__(model, parent)
        self.listed = model
        set_texts(self, accessibleName=name)
        (self.clicked if once else self.doubleClicked).connect(self._choose)
        if sorts:
            header = self.horizontalHeader()
            header.setSectionsClickable(True)
            header.sectionClicked.connect(self._sort)

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(self.listed.rows[index.row()])

    def _sort(self, column: int) -> None:
        model = self.listed
        descending = not model.descending if model.column == column else self.columns[column].number
        model.sort(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
        self.scrollToTop()

    def event(self, event: QEvent) -> bool:
        return keeps_key(event, KEYS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)


def share_room(header: QHeaderView, least: Sequence[int], room: int) -> None:
    """Give each visible column its least width, which cuts no number, and an equal part of the remaining room."""
    shown = [place for place in range(header.count()) if not header.isSectionHidden(place)]
    spare = max(0, room - sum(least[place] for place in shown))
    for number, place in enumerate(shown):
        part = spare * (number + 1) // len(shown) - spare * number // len(shown)
        header.resizeSection(place, least[place] + part)
