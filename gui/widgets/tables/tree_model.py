"""The rows of the search tree, opened node by node, as a model for Qt.

Its first level are the moves of the position.  The rows of a node appear when a snapshot carries it, and are renewed in
place.  Qt's indexes hold the number of an ``Item``, which a removed item leaves unused: a view that asks for it finds
an empty row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS, column_words, player_of, rows_for, sort_rows
from gui.widgets.tables.folding import FILTERS, FOLDED, RowFilter, fold, fold_words
from gui.widgets.tables.move_look import CURVE, Disc, Looks, marks_of, move_looks
from gui.widgets.tables.row_delegate import (
    HEADER_WORDS,
    IS_HIGHLIGHTED,
    SOLID,
    Look,
    cell_data,
    header_data,
)
from gui.widgets.tables.sparks import Spark, sparks
from gui.widgets.tips import wrap_tip

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import MoveRow, NodeView, Snapshot
    from core.glass.curves import Curves

Index = QModelIndex | QPersistentModelIndex
PathOf = tuple[int, ...]


class Item:
    """One edge with the node below it."""

    __slots__ = ("best", "children", "disc", "id", "looks", "next", "parent", "path", "place", "row", "unfolds")

    def __init__(self, id: int, path: PathOf, parent: Item | None, row: MoveRow | None) -> None:
        self.id, self.path, self.parent, self.row = id, path, parent, row
        self.looks: Looks | None = None
        self.children: list[Item] = []
        self.place = 0  # among its parent's children
        self.unfolds = False  # the search has expanded the node below
        self.best = self.next = -1  # actions marked among the children
        self.disc: Disc = None  # whose values the children have


_GONE = Item(-1, (), None, None)
_OF_FOLDED = Qt.ItemFlag.ItemIsEnabled
_OF_MOVE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def with_human(rows: Sequence[MoveRow], policy: Mapping[int, float] | None) -> Sequence[MoveRow]:
    """The rows with how likely the players of the human net play each move; unchanged without its policy."""
    if policy is None:
        return rows
    return [row._replace(human=sum(policy.get(move, 0.0) for move in (row.action, *row.same))) for row in rows]


class TreeModel(QAbstractItemModel):
    """Rows of the nodes opened so far.  ``root`` stands for the position and has no row of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column, self.descending = COLUMN_INDEX["n"], True  # the column that sorts
        self._snapshot: Snapshot | None = None  # shown now
        self.position: Position | None = None  # whose tree it is; None while there is none
        self._rule = "puct"
        self.player = -1  # whose values are shown from the next snapshot on; -1: those of the side to move at each node
        self.filter = FILTERS[0]
        self._curves: Curves | None = None
        self._sign = 1  # -1: the curves are for the player who is not to move
        self.human: Callable[[Position], Mapping[int, float] | None] = lambda _: (
            None
        )  # policy of the human net, if known
        self.human_label = ""  # which human net it is; "": there is none
        self._sparks: dict[int, Spark] = {}  # by action, of the root's moves
        self.unfolded: set[PathOf] = set()  # nodes at which the moves that the filter does not show follow the others
        self._last_id = 0
        self.highlight: frozenset[PathOf] = frozenset()  # on the path of the simulation looked at
        self.lit: frozenset[PathOf] = frozenset()  # the rows that the search field finds
        self._clear()

    def _clear(self) -> None:
        self._root = Item(0, (), None, None)
        self._root.unfolds = True
        self._items: dict[PathOf, Item] = {(): self._root}
        # An index holds the id, so one kept too long finds nothing; an invalid one, which means the root, holds 0.
        self._by_id: dict[int, Item] = {0: self._root}

    @property
    def rows(self) -> list[MoveRow]:
        """The rows of the moves of the position, in their order."""
        return [child.row for child in self._root.children if child.row is not None]

    @property
    def every_row(self) -> list[MoveRow]:
        """The rows of all nodes opened."""
        return [item.row for item in self._items.values() if item.row is not None and item.row.action != FOLDED]

    def row_at(self, path: PathOf) -> MoveRow | None:
        """The row of a node; None where there is none."""
        return self._items.get(path, _GONE).row

    def rows_below(self, path: PathOf) -> int:
        """How many rows there are below a node."""
        item = self._items.get(path)
        return 0 if item is None else len(item.children)

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
        words = column_words(section, self._rule) if role in HEADER_WORDS else ("", "")
        sorts = section == self.column
        return header_data(COLUMNS[section], words, role, sorts, self.descending)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.item(index).row
        if role == Qt.ItemDataRole.ToolTipRole:
            return (tip := row and fold_words(row)) and wrap_tip(tip)
        look = self.look_at(index)
        return None if look is None else cell_data(row, COLUMNS[index.column()], look, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.item(index).row
        return _OF_FOLDED if row is not None and row.action == FOLDED else _OF_MOVE

    def look_at(self, index: Index) -> Look | None:
        """What is to be seen at an index; None where its row is gone."""
        looks = self.looks_of(self.item(index))
        return looks[index.column()] if looks else None

    def looks_of(self, item: Item) -> list[Look]:
        """What is to be seen of a row, column by column; [] where it is gone."""
        if item.row is None or item.parent is None:
            return []
        mark = marks_of(item.row, item.parent.best, item.parent.next)
        mark |= IS_HIGHLIGHTED if item.path in self.highlight else 0
        item.looks = move_looks(item.row, mark, item.parent.disc, item.looks)
        spark = self._sparks.get(item.path[-1]) if len(item.path) == 1 else None
        matches = item.path in self.lit
        if spark is None and not matches:
            return item.looks[3]
        looks = list(item.looks[3])
        if spark is not None:
            looks[CURVE] = Look("", marks=mark, spark=spark)
        if matches:
            looks[0] = looks[0]._replace(ground="accent", colour="on_accent", solid=SOLID)
        return looks

    def _take_curves(self, snapshot: Snapshot | None) -> None:
        root, curves = (None, None) if snapshot is None else (snapshot.root, snapshot.curves)
        if not curves and root is not None and root.position == self.position:
            curves = self._curves  # an earlier moment has no curves of its own: those of the present stay
        sign = 1 if root is None or player_of(root, self.player) == root.position.to_move else -1
        if (curves, sign) != (self._curves, self._sign):
            self._curves, self._sign, self._sparks = curves, sign, sparks(curves, sign)

    def _looks(self, paths: Iterable[PathOf]) -> dict[PathOf, list[object]]:
        """What is to be seen of some rows: whether they unfold, then cell by cell."""
        items = ((path, self._items.get(path, _GONE)) for path in paths)
        return {path: [item.unfolds, *self.looks_of(item)] for path, item in items if item.row is not None}

    def forget_looks(self) -> None:
        """Make them anew: their texts are in another language."""
        for item in self._items.values():
            item.looks = None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.column, self.descending = column, order == Qt.SortOrder.DescendingOrder
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        self.arrange()

    # what the search says

    def show(
        self,
        snapshot: Snapshot | None,
        keep_order: bool = False,
        visible: Collection[PathOf] | None = None,
        with_curves: bool = False,
    ) -> None:
        """Renew every row; a new position starts a new tree.

        ``keep_order`` leaves each row in its place.  Of the ``visible`` rows (None: all) those that have changed are
        announced; others are looked up when they come in sight.  ``with_curves``: also those of the moves, if there."""
        before = self._looks(self._items if visible is None else visible)
        self._snapshot = snapshot
        if with_curves:
            self._take_curves(snapshot)
        position = snapshot.position if snapshot is not None else None
        if position != self.position:
            self.position = position
            self.beginResetModel()
            self.unfolded.clear()
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
        self._tell_changed(before)

    def _tell_changed(self, before: dict[PathOf, list[object]]) -> None:
        """Tell of the rows that look different now, all those below a node at once."""
        changed: dict[Item, list[tuple[int, int, int]]] = {}  # node -> place, first and last column of each row
        for path, look in self._looks(before).items():
            columns = [i for i, (was, now) in enumerate(zip(before[path], look, strict=True)) if was != now]
            item = self._items[path]
            if columns and item.parent is not None:
                rows = changed.setdefault(item.parent, [])
                rows.append((item.place, max(0, columns[0] - 1), max(0, columns[-1] - 1)))
        for node, rows in changed.items():
            places, firsts, lasts = zip(*rows, strict=True)
            first, last = node.children[min(places)], node.children[max(places)]
            self.dataChanged.emit(self._index(first, min(firsts)), self._index(last, max(lasts)))

    def arrange(self) -> None:
        """Sort the rows that kept their places."""
        self._arrange([item for item in self._items.values() if item.children])

    def set_filter(self, choice: RowFilter) -> None:
        """Set which moves are shown below every node."""
        self.filter = choice
        self.unfolded.clear()
        self.show(self._snapshot)

    def turn_fold(self, path: PathOf) -> None:
        """Show the moves of a node that the filter does not show after the others, or fold them again."""
        self.unfolded ^= {path}
        self.show(self._snapshot)

    def _fill(self, item: Item, node: NodeView) -> None:
        item.best, item.next = node.best_action, node.next_action
        item.disc = node.position.game.name, player_of(node, self.player)
        unfolds = {int(a): bool(e) for a, e in zip(node.actions, node.expanded, strict=True)}
        folded = fold(with_human(node.rows, self.human(node.position)), self.filter, item.path in self.unfolded)
        shown = rows_for([*folded, *node.left_out_rows], node, self.player)
        if {child.path[-1] for child in item.children} != {row.action for row in shown}:
            self._change_children(item, sort_rows(shown, self.column, self.descending))
        rows = {row.action: row for row in shown}
        for child in item.children:
            child.row = rows[child.path[-1]]
            child.unfolds = unfolds.get(child.path[-1], False)

    def _change_children(self, item: Item, rows: list[MoveRow]) -> None:
        """Remove the children that ``rows`` lacks, and append those that are new."""
        parent, actions = self.index_of(item.path), {row.action for row in rows}
        for child in [child for child in reversed(item.children) if child.path[-1] not in actions]:
            self.beginRemoveRows(parent, child.place, child.place)
            depth = len(child.path)
            for path in [p for p in self._items if p[:depth] == child.path]:
                del self._by_id[self._items.pop(path).id]
            item.children.remove(child)
            for place, other in enumerate(item.children):
                other.place = place
            self.endRemoveRows()
        present = {child.path[-1] for child in item.children}
        new = [row for row in rows if row.action not in present]
        if new:
            first = len(item.children)
            self.beginInsertRows(parent, first, first + len(new) - 1)
            for place, row in enumerate(new, first):
                self._last_id += 1
                child = Item(self._last_id, (*item.path, row.action), item, row)
                child.place = place
                item.children.append(child)
                self._items[child.path] = self._by_id[child.id] = child
            self.endInsertRows()

    @staticmethod
    def _as_given(best: int, rows: Iterable[MoveRow]) -> list[MoveRow]:
        """The rows in the order of ``NodeView.rows``, which decides where a column does not."""
        return sorted(rows, key=lambda row: (-row.visits, row.action != best, -row.net_prior, row.action))

    def _arrange(self, parents: Iterable[Item]) -> None:
        orders = []
        for item in parents:
            at = {child.path[-1]: child for child in item.children}
            rows = tuple(child.row for child in item.children if child.row is not None)
            stable = self._as_given(item.best, rows)
            arranged = [at[row.action] for row in sort_rows(stable, self.column, self.descending)]
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
