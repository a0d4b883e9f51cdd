"""The search tree as a tree of rows, opened node by node.  Knows the paths opened and what a snapshot says.

Opening a node asks for its path; its rows appear when a snapshot carries it, and are renewed in place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS, column_words, sort_rows
from gui.widgets.tables.moves_table import move_look
from gui.widgets.tables.row_delegate import (
    IS_BEST,
    IS_HIGHLIGHTED,
    IS_NEXT,
    Look,
    RowDelegate,
    cell_data,
    header_data,
    pointer_inside,
    repaint_row,
    set_up_header,
)
from gui.widgets.text_size import px
from gui.widgets.texts import renew_headers, set_texts
from gui.widgets.theme import current_theme, figure_font, round_pen

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from core.games import Position
    from core.glass import MoveRow, NodeView, Snapshot

Index = QModelIndex | QPersistentModelIndex
PathOf = tuple[int, ...]
STEP, NARROW_STEP = 18, 5  # px that a level is set in


class Item:
    """One edge with the node below it."""

    __slots__ = ("best", "children", "id", "next", "parent", "path", "place", "row", "unfolds")

    def __init__(self, id: int, path: PathOf, parent: Item | None, row: MoveRow | None) -> None:
        self.id, self.path, self.parent, self.row = id, path, parent, row
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
        self._by_id: dict[int, Item] = {}  # an index holds the id, so one kept too long finds nothing

    # what Qt asks

    def item(self, index: Index) -> Item:
        return self._by_id.get(index.internalId(), _GONE) if index.isValid() else self._root

    def _index(self, item: Item, column: int) -> QModelIndex:
        return self.createIndex(item.place, column, item.id)

    def index_of(self, path: PathOf, column: int = 0) -> QModelIndex:
        """The index of a path; an invalid one when it is not shown."""
        item = self._items.get(path)
        return self._index(item, column) if item is not None and path else QModelIndex()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self.item(parent).children
        return self._index(children[row], column) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        above = self.item(index).parent if index.isValid() else None
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
        return self._look(self.item(index), index.column())

    def _look(self, item: Item, column: int) -> Look | None:
        if item.row is None or item.parent is None:
            return None
        mark = (IS_BEST if item.row.action == item.parent.best else 0) | (
            IS_NEXT if item.row.action == item.parent.next else 0
        )
        return move_look(item.row, column, mark | (IS_HIGHLIGHTED if item.path in self.highlight else 0))

    def _looks(self, paths: Iterable[PathOf]) -> dict[PathOf, list[object]]:
        """What is to be seen of some rows, cell by cell."""
        looks: dict[PathOf, list[object]] = {}
        for path in paths:
            item = self._items.get(path, _GONE)
            if item.row is not None:
                looks[path] = [item.unfolds, *(self._look(item, column) for column in range(len(COLUMNS)))]
        return looks

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
        if snapshot.root.selection != self._rule:
            self._rule = snapshot.root.selection
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


class TreeView(QTreeView):
    """The opened part of the tree.  ``opened`` tells the paths whose children are wanted."""

    opened = Signal(object)  # tuple of paths
    selected = Signal(object)  # path
    played = Signal(object)  # path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = TreeModel(self)
        self._delegate = RowDelegate(self, COLUMNS, self.tree.look_at)
        self._line: PathOf = ()  # the moves from the record's start to the position shown
        self._rows_line: PathOf = ()  # those to the position of the rows, which are renewed a little later
        self._open_lines: set[PathOf] = set()  # opened nodes by their moves from the record's start
        self.setFont(figure_font(self.font()))
        self.setModel(self.tree)
        renew_headers(self, self.tree)
        self.setItemDelegate(self._delegate)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIndentation(STEP)
        set_texts(self, accessibleName="Search tree")
        set_up_header(self.header(), self.font(), COLUMNS, first_extra=64)
        self.header().setSortIndicator(COLUMN_INDEX["n"], Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.expanded.connect(self._expanded)
        self.collapsed.connect(self._collapsed)
        # Qt paints what is right of the indentation; the sign that a row unfolds stands in it.
        self.tree.dataChanged.connect(lambda index, *_: repaint_row(self.viewport(), self.visualRect(index)))
        self.selectionModel().selectionChanged.connect(self._emit_selected)
        self.doubleClicked.connect(lambda index: self.played.emit(self.tree.item(index).path))

    def event(self, event: QEvent) -> bool:
        """Arrows walk and unfold the tree while it has the focus, whatever they do elsewhere."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not event.modifiers()
            and (event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End))
        ):
            event.accept()
            return True
        return super().event(event)

    def set_line(self, line: PathOf) -> None:
        """The moves that lead to the root: what was opened below them stays open, before and after a move."""
        self._line = line

    def forget(self) -> None:
        """Drop what was opened: another game or record."""
        self._open_lines.clear()

    def wanted(self) -> tuple[PathOf, ...]:
        """The nodes below the root that are open with all above them, as paths from it."""
        n = len(self._line)
        below = {line[n:] for line in self._open_lines if len(line) > n and line[:n] == self._line}
        return tuple(sorted(path for path in below if all(path[:i] in below for i in range(1, len(path)))))

    def show_snapshot(self, snapshot: Snapshot | None, keep_order: bool = False) -> None:
        """Show the figures of a snapshot at the end of the line set; rows also stay in place while the pointer is over
        them."""
        self._rows_line = self._line
        self.tree.show(snapshot, keep_order or pointer_inside(self.viewport(), QCursor.pos()), self._seen())
        wanted = self.wanted()
        self._fit_indentation(max(map(len, wanted), default=0))
        for path in wanted:
            index = self.tree.index_of(path)
            if index.isValid() and not self.isExpanded(index):
                blocked = self.blockSignals(True)
                self.expand(index)
                self.blockSignals(blocked)

    def _seen(self) -> list[PathOf]:
        """The rows in sight."""
        first = self.indexAt(QPoint(0, 0))
        if not first.isValid():
            return []
        tops = range(self.visualRect(first).top(), self.viewport().height(), max(1, self.rowHeight(first)))
        found = (self.indexAt(QPoint(0, max(0, top))) for top in tops)
        return [self.tree.item(index).path for index in found if index.isValid()]

    def _fit_indentation(self, depth: int) -> None:
        """Rows so deep keep their names in sight: the steps are narrower where many are open."""
        room = self.columnWidth(0) - self.fontMetrics().horizontalAdvance("▸ m0 ")
        step = max(NARROW_STEP, min(px(STEP), room // (depth + 1)))
        if step != self.indentation():
            self.setIndentation(step)

    def open_path(self, path: PathOf) -> None:
        """Open a node and all above it."""
        for length in range(1, len(path) + 1):
            self._open_lines.add(self._line + path[:length])
            index = self.tree.index_of(path[:length])
            if index.isValid():
                self.expand(index)
        self.opened.emit(self.wanted())

    @property
    def line(self) -> PathOf:
        """The moves that lead to the root."""
        return self._line

    def close_path(self, path: PathOf, line: PathOf | None = None) -> None:
        """Close one node, below the root that ``line`` leads to; None: the one shown."""
        line = self._line if line is None else line
        self._open_lines.discard(line + path)
        if line == self._line:
            self.collapse(self.tree.index_of(path))

    def set_highlight(self, paths: frozenset[PathOf], colour: QColor) -> None:
        """Mark the rows on the path of one simulation."""
        self.tree.highlight, self._delegate.highlight = paths, colour
        self.viewport().update()

    def is_open(self, path: PathOf) -> bool:
        """Whether a node was opened."""
        return self._line + path in self._open_lines

    def select_path(self, path: PathOf) -> None:
        """Select a node's row without telling anyone; one that is not shown selects none."""
        index = self.tree.index_of(path)
        model = self.selectionModel()
        before = self.currentIndex().siblingAtColumn(0)
        if index.siblingAtColumn(0) == before and (not index.isValid() or model.isSelected(index)):
            return
        blocked = model.blockSignals(True)
        if not index.isValid():
            model.clear()
        else:
            flags = model.SelectionFlag.ClearAndSelect | model.SelectionFlag.Rows
            model.setCurrentIndex(index, flags)
            self.scrollTo(index)
        model.blockSignals(blocked)
        for row in (before, index):
            repaint_row(self.viewport(), self.visualRect(row))

    def _expanded(self, index: Index) -> None:
        self._open_lines.add(self._rows_line + self.tree.item(index).path)
        self.opened.emit(self.wanted())

    def _collapsed(self, index: Index) -> None:
        self._open_lines.discard(self._rows_line + self.tree.item(index).path)
        self.opened.emit(self.wanted())

    def _emit_selected(self, *_: object) -> None:
        """Not the current row: Qt makes the first one current when the tree gets the focus, which nobody chose."""
        if indexes := self.selectedIndexes():
            self.selected.emit(self.tree.item(indexes[0]).path)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """A thin line for each level and a chevron where a node can be opened."""
        item = self.tree.item(index)
        depth = len(item.path)
        step = self.indentation()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(current_theme().color("line"), 1))
        for level in range(depth - 1):
            x = rect.left() + level * step + step / 2
            painter.drawLine(int(x), rect.top(), int(x), rect.bottom())
        if item.unfolds:
            colour: QColor = current_theme().color("dim")
            painter.setPen(round_pen(colour, 1.6))
            x, y = rect.left() + (depth - 1) * step + step / 2, rect.center().y() + 0.5
            size = min(1.0, step / 10)
            points = [(-3.5, -2), (0, 2), (3.5, -2)] if self.isExpanded(index) else [(-2, -3.5), (2, 0), (-2, 3.5)]
            for (x0, y0), (x1, y1) in pairwise(points):
                painter.drawLine(QPointF(x + size * x0, y + size * y0), QPointF(x + size * x1, y + size * y1))
        painter.restore()
