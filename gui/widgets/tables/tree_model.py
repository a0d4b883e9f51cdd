"""The rows of the search tree, opened node by node, as a model for Qt.  Knows what a snapshot says, no widget.

The rows of a node appear when a snapshot carries it, and are renewed in place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS, column_words, sort_rows
from gui.widgets.tables.moves_table import Looks, move_looks
from gui.widgets.tables.row_delegate import (
    IS_BEST,
    IS_HIGHLIGHTED,
    IS_NEXT,
    Look,
    cell_data,
    header_data,
)

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import MoveRow, NodeView, Snapshot

Index = QModelIndex | QPersistentModelIndex
PathOf = tuple[int, ...]


class Item:
    """One edge with the node below it."""

    __slots__ = ("best", "children", "id", "looks", "next", "parent", "path", "place", "row", "unfolds")

    def __init__(self, id: int, path: PathOf, parent: Item | None, row: MoveRow | None) -> None:
        self.id, self.path, self.parent, self.row = id, path, parent, row
        self.looks: Looks | None = None
        self.children: list[Item] = []
        self.place = 0  # among its parent's children
        self.unfolds = False  # the search has expanded the node below
        self.best = self.next = -1  # actions marked among the children


_GONE = Item(-1, (), None, None)


class TreeModel(QAbstractItemModel):
    """Rows of the nodes opened so far.  ``root`` stands for the position and has no row of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column, self._descending = COLUMN_INDEX["n"], True
        self.position: Position | None = None  # whose tree it is; None while there is none
        self._rule = "puct"
        self._last_id = 0
        self.highlight: frozenset[PathOf] = frozenset()  # on the path of the simulation looked at
        self._clear()

    def _clear(self) -> None:
        self._root = Item(0, (), None, None)
        self._root.unfolds = True
        self._items: dict[PathOf, Item] = {(): self._root}
        # An index holds the id, so one kept too long finds nothing; an invalid one, which means the root, holds 0.
        self._by_id: dict[int, Item] = {0: self._root}

    # what Qt asks

    def item(self, index: Index) -> Item:
        return self._by_id.get(index.internalId(), _GONE)

    def _index(self, item: Item, column: int) -> QModelIndex:
        return self.createIndex(item.place, column, item.id)

    def index_of(self, path: PathOf, column: int = 0) -> QModelIndex:
        """The index of a path; an invalid one when it is not shown."""
        item = self._items.get(path)
        return self._index(item, column) if item is not None and path else QModelIndex()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self.item(parent).children
        return self.createIndex(row, column, children[row].id) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        above = self.item(index).parent
        return QModelIndex() if above is None or above is self._root else self._index(above, 0)

    def sibling(self, row: int, column: int, index: Index) -> QModelIndex:
        """In the same row without a search: what is drawn asks for every cell so."""
        same = index.isValid() and row == index.row()
        return self.createIndex(row, column, index.internalId()) if same else super().sibling(row, column, index)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self.item(parent).children) if parent.column() <= 0 else 0

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        return self.item(parent).unfolds and parent.column() <= 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        words, sorts = column_words(section, self._rule), section == self._column
        return header_data(COLUMNS[section], words, role, sorts, self._descending)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        look = self.look_at(index)
        return None if look is None else cell_data(self.item(index).row, COLUMNS[index.column()], look, role)

    def look_at(self, index: Index) -> Look | None:
        """What is to be seen at an index; None where its row is gone."""
        looks = self._looks_of(self.item(index))
        return looks[index.column()] if looks else None

    def _looks_of(self, item: Item) -> list[Look]:
        if item.row is None or item.parent is None:
            return []
        mark = (IS_BEST if item.row.action == item.parent.best else 0) | (
            IS_NEXT if item.row.action == item.parent.next else 0
        )
        item.looks = move_looks(item.row, mark | (IS_HIGHLIGHTED if item.path in self.highlight else 0), item.looks)
        return item.looks[2]

    def _looks(self, paths: Iterable[PathOf]) -> dict[PathOf, list[object]]:
        """What is to be seen of some rows, cell by cell."""
        items = ((path, self._items.get(path, _GONE)) for path in paths)
        return {path: [item.unfolds, *self._looks_of(item)] for path, item in items if item.row is not None}

    def forget_looks(self) -> None:
        """Make them anew: their texts are in another language."""
        for item in self._items.values():
            item.looks = None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        self._arrange([item for item in self._items.values() if item.children])

    # what the search says

    def show(self, snapshot: Snapshot | None, keep_order: bool = False, seen: Collection[PathOf] | None = None) -> None:
        """Renew every row; a new position starts a new tree.

        Of the rows that are ``seen`` (None: all) those that have changed are told; others are looked up when they come
        in sight."""
        before = self._looks(self._items if seen is None else seen)
        position = snapshot.position if snapshot is not None else None
        if position != self.position:
            self.position = position
            self.beginResetModel()
            self._clear()
            self.endResetModel()
        if snapshot is None:
            return
        if snapshot.root.rule != self._rule:
            self._rule = snapshot.root.rule
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        touched = []
        for path, node in sorted({**snapshot.opened, (): snapshot.root}.items(), key=lambda pair: len(pair[0])):
            item = self._items.get(path)
            if item is not None:
                self._fill(item, node)
                touched.append(item)
        if not keep_order:
            self._arrange(touched)
        for path, look in self._looks(before).items():
            if look != before[path]:
                item = self._items[path]
                self.dataChanged.emit(self._index(item, 0), self._index(item, len(COLUMNS) - 1))

    def _fill(self, item: Item, node: NodeView) -> None:
        item.best, item.next = node.best_action, node.next_action
        unfolds = {int(a): bool(e) for a, e in zip(node.actions, node.expanded, strict=True)}
        if {child.path[-1] for child in item.children} != unfolds.keys():
            self._replace_children(item, sort_rows(node.rows, self._column, self._descending))
        rows = {row.action: row for row in node.rows}
        for child in item.children:
            child.row = rows[child.path[-1]]
            child.unfolds = unfolds[child.path[-1]]

    def _replace_children(self, item: Item, rows: list[MoveRow]) -> None:
        parent = self.index_of(item.path)
        if item.children:
            self.beginRemoveRows(parent, 0, len(item.children) - 1)
            for path in [p for p in self._items if len(p) > len(item.path) and p[: len(item.path)] == item.path]:
                del self._by_id[self._items.pop(path).id]
            item.children = []
            self.endRemoveRows()
        if rows:
            self.beginInsertRows(parent, 0, len(rows) - 1)
            for place, row in enumerate(rows):
                self._last_id += 1
                child = Item(self._last_id, (*item.path, row.action), item, row)
                child.place = place
                item.children.append(child)
                self._items[child.path] = self._by_id[child.id] = child
            self.endInsertRows()

    def _arrange(self, parents: Iterable[Item]) -> None:
        orders = []
        for item in parents:
            at = {child.path[-1]: child for child in item.children}
            rows = tuple(child.row for child in item.children if child.row is not None)
            stable = sorted(rows, key=lambda row: (-row.visits, -row.net_prior, row.action))
            arranged = [at[row.action] for row in sort_rows(tuple(stable), self._column, self._descending)]
            if arranged != item.children:
                orders.append((item, arranged))
        if not orders:
            return
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        for item, arranged in orders:
            item.children = arranged
            for place, child in enumerate(arranged):
                child.place = place
        new = [self._index(self.item(i), i.column()) for i in old]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()
