"""The search tree as a table of rows that unfolds in place; its first level are the moves of the position.

Opening a node asks for its path; its rows appear when a snapshot carries it, and are renewed in place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QCursor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QTreeView, QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS
from gui.widgets.keys import KEYPAD, keeps_key
from gui.widgets.tables.folding import FOLDED
from gui.widgets.tables.move_look import CURVE, OPTIONAL
from gui.widgets.tables.row_delegate import (
    BAR,
    ROW_PAD,
    RowDelegate,
    pointer_inside,
    repaint_row,
    set_up_header,
    widest_text,
)
from gui.widgets.tables.tree_model import Index, Item, PathOf, TreeModel
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, renew_headers, set_texts
from gui.widgets.theme import current_theme, figure_font, round_pen

if TYPE_CHECKING:
    from core.glass import MoveRow, Snapshot

STEP, NARROW_STEP = 18, 5  # px that a level is set in
WALKS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
LEAST_ROWS: Final = 3  # of the table above a drawn tree, however low both are


def _differ(rows: Sequence[MoveRow]) -> bool:
    """Whether the priors say anything: those of a net, or of a search with noise, differ."""
    priors = [row.prior for row in rows if row.prior == row.prior and not row.same]
    return bool(priors) and max(priors) - min(priors) > 1e-6


# When a column says something of the search; the others always do.
_SAYS: Final[dict[int, Callable[[Sequence[MoveRow]], bool]]] = {
    COLUMN_INDEX["p"]: _differ,
    COLUMN_INDEX["human"]: lambda rows: any(not math.isnan(row.human) for row in rows),
    COLUMN_INDEX["u"]: lambda rows: any(not math.isnan(row.u) for row in rows),
    COLUMN_INDEX["score"]: lambda rows: any(not math.isnan(row.score) for row in rows),
    COLUMN_INDEX["v"]: lambda rows: any(not math.isnan(row.value) for row in rows),
    COLUMN_INDEX["lead"]: lambda rows: any(not math.isnan(row.lead) for row in rows),
    COLUMN_INDEX["proof"]: lambda rows: any(row.proof for row in rows),
}
_PV: Final = COLUMN_INDEX["pv"]
# Where there is no room, these give way to the principal variation, the first ones first.
_GIVE_WAY: Final = tuple(COLUMN_INDEX[name] for name in ("v", "share", "u", "score", "p", "lead", "human", "proof"))


class TreeView(QTreeView):
    """The opened part of the tree; a selected move is looked at, a double-clicked one is played.

    Columns that say nothing of this search are hidden, and as many others as the principal variation needs to be seen.
    """

    opened = Signal(object)  # tuple of paths, whose children are wanted
    selected = Signal(object)  # path
    played = Signal(object)  # path
    pointed = Signal(object)  # path under the pointer, () for none
    height_changed = Signal()  # ``full_height`` did

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.nodes = TreeModel(self)
        self._note = ""
        self._pointed: PathOf = ()
        self._silent: set[int] = {
            COLUMN_INDEX["lead"],
            COLUMN_INDEX["human"],
        }  # columns that say nothing of this search
        self._searched: object = None  # the position, evaluator and rule of the rows
        self._height = 0
        self._fitting = False
        self._delegate = RowDelegate(self, COLUMNS, self.nodes.look_at)
        self.line: PathOf = ()  # the moves from the record's start to the position shown
        self._rows_line: PathOf = ()  # those to the position of the rows, which are renewed a little later
        self._open_lines: set[PathOf] = set()  # opened nodes by their moves from the record's start
        # While it paints: each column to be painted with its x and width, and the row under the pointer
        self._painted: tuple[list[tuple[int, int, int]], int] = ([], -1)
        self.setFont(figure_font(self.font()))
        self.setModel(self.nodes)
        on_language(self, self.nodes.forget_looks)
        renew_headers(self, self.nodes)
        self.setItemDelegate(self._delegate)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIndentation(STEP)
        set_texts(self, accessibleName="Search tree")
        set_up_header(self.header(), self.font(), COLUMNS, first_extra=STEP - 6)
        for column in OPTIONAL:
            self.setColumnHidden(column, True)
        self.header().setSortIndicator(COLUMN_INDEX["n"], Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.header().sectionResized.connect(self._resized)
        self.expanded.connect(self._expanded)
        self.collapsed.connect(self._collapsed)
        self.selectionModel().selectionChanged.connect(self._emit_selected)
        self.doubleClicked.connect(lambda index: self._emit(self.played, index))
        self.clicked.connect(self._turn_fold)
        by_font(self, self.fit_columns)

    def event(self, event: QEvent) -> bool:
        """Arrows walk and unfold the tree while it has the focus, whatever they do elsewhere."""
        return keeps_key(event, WALKS, KEYPAD) or super().event(event)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint these cells; Qt would ask for the place of each and for the first row's height, which all share."""
        if QAccessible.isActive():
            super().dataChanged(first, last, roles)
        if not self.isVisible():
            return
        rows = [self.visualRect(self.nodes.index(index.row(), 0, index.parent())) for index in (first, last)]
        cells, header, viewport = rows[0] | rows[1], self.header(), self.viewport()
        if not cells.isEmpty():
            start, end = 0, viewport.width()
            if not header.sectionsMoved():
                start = header.sectionViewportPosition(first.column())  # with the chevron
                end = header.sectionViewportPosition(last.column()) + header.sectionSize(last.column())
            viewport.update(start, cells.top(), end - start, cells.height())

    def set_line(self, line: PathOf) -> None:
        """The moves that lead to the root: what was opened below them stays open, before and after a move."""
        self.line = line

    def forget(self) -> None:
        """Drop what was opened: another game or record."""
        self._open_lines.clear()

    def open_paths(self) -> tuple[PathOf, ...]:
        """The nodes below the root that are open with all above them, as paths from it."""
        n = len(self.line)
        below = {line[n:] for line in self._open_lines if len(line) > n and line[:n] == self.line}
        return tuple(sorted(path for path in below if all(path[:i] in below for i in range(1, len(path)))))

    def show_snapshot(self, snapshot: Snapshot | None, keep_order: bool = False) -> None:
        """Show the figures of a snapshot at the end of the line set.

        ``keep_order``: the rows stay in place, which they also do during a search while the pointer is over them."""
        searching = snapshot is None or not snapshot.reason
        keep_order = keep_order or (searching and pointer_inside(self.viewport(), QCursor.pos()))
        curves = not self.isColumnHidden(CURVE)
        self.nodes.show(snapshot, keep_order, set(self.rows_in_sight()), with_curves=curves)
        self._open_again()
        self._find_silent(snapshot)
        self._note_height()

    def _open_again(self) -> None:
        """Open the nodes below the line set again that were open there, as far as they have rows."""
        self._rows_line = self.line
        paths = self.open_paths()
        self._fit_indentation(max(map(len, paths), default=0))
        for path in paths:
            index = self.nodes.index_of(path)
            if index.isValid() and not self.isExpanded(index):
                blocked = self.blockSignals(True)
                self.expand(index)
                self.blockSignals(blocked)

    # columns and height

    def _find_silent(self, snapshot: Snapshot | None) -> None:
        """Find the columns that say nothing; in the same search one that said something stays."""
        rows = self.nodes.every_row
        if snapshot is None or not rows:
            return
        searched = snapshot.position, snapshot.evaluator, snapshot.root.rule, self.nodes.human_label
        silent = {column for column, says in _SAYS.items() if not says(rows)}
        if searched == self._searched:
            silent &= self._silent
        self._searched = searched
        if silent != self._silent:
            self._silent = silent
            self.fit_columns()

    def fit_columns(self) -> None:
        """Hide the columns that say nothing, and those that leave the principal variation no room."""
        header = self.header()
        chosen = [column for column in OPTIONAL if not header.isSectionHidden(column)]
        fixed = [column for column in range(_PV) if column not in (*OPTIONAL, *self._silent)]
        widths = {
            column: header.sectionSize(column) or widest_text(self.font(), COLUMNS[column])
            for column in (*fixed, *chosen)
        }
        room = self.viewport().width() - widest_text(self.font(), COLUMNS[_PV])
        for column in _GIVE_WAY:
            if self.isVisible() and sum(widths.values()) > room:
                widths.pop(column, None)
        self._fitting = True
        for column in range(_PV):
            if column not in OPTIONAL and header.isSectionHidden(column) != (column not in widths):
                header.setSectionHidden(column, column not in widths)
        if header.length() > self.viewport().width():  # it was wider before, and may have been at another text size
            header.resizeSection(_PV, widest_text(self.font(), COLUMNS[_PV]))
        self._fitting = False

    def _resized(self, _: int, before: int, width: int) -> None:
        if not self._fitting and width:
            self.fit_columns()

    @property
    def full_height(self) -> int:
        """The height in px that shows every row."""
        rows = self.nodes.rows_below(()) + sum(self.nodes.rows_below(path) for path in self.open_paths())
        return self._height_of(max(rows * self._row_height, px(60)))

    @property
    def _row_height(self) -> int:
        return self.fontMetrics().height() + px(ROW_PAD)

    def height_within(self, most: float) -> int:
        """Return the height in px that shows every row, or as many whole ones as ``most`` allows, a few at least."""
        height, row = self.full_height, self._row_height
        rows = max(LEAST_ROWS, int(most - self._height_of(0)) // row)
        return height if height <= most else min(height, self._height_of(rows * row))

    def _height_of(self, rows: int) -> int:
        """Return the height that shows so many px of rows."""
        header = self.header()
        head = header.height() if header.isVisible() else header.sizeHint().height()
        return head + rows + 2 * self.frameWidth() + 2

    def _note_height(self) -> None:
        if (height := self.full_height) != self._height:
            self._height = height
            self.height_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def set_note(self, note: str) -> None:
        """Set what to say while there is nothing to show."""
        if note != self._note:
            self._note = note
            self.viewport().update()

    def rows_in_sight(self) -> list[PathOf]:
        """The paths of the rows in sight."""
        first = self.indexAt(QPoint(0, 0))
        if not first.isValid():
            return []
        tops = range(self.visualRect(first).top(), self.viewport().height(), max(1, self.rowHeight(first)))
        indices = (self.indexAt(QPoint(0, max(0, top))) for top in tops)
        return [self.nodes.item(index).path for index in indices if index.isValid()]

    def _fit_indentation(self, depth: int) -> None:
        """Rows so deep keep their names in sight: the steps are narrower where many are open."""
        room = self.columnWidth(0) - self.fontMetrics().horizontalAdvance("▸ m0 ")
        step = max(NARROW_STEP, min(px(STEP), room // (depth + 1)))
        if step != self.indentation():
            self.setIndentation(step)

    def open_path(self, path: PathOf) -> None:
        """Open a node and all above it."""
        for length in range(1, len(path) + 1):
            self._open_lines.add(self.line + path[:length])
            index = self.nodes.index_of(path[:length])
            if index.isValid():
                self.expand(index)
        self.opened.emit(self.open_paths())

    def close_path(self, path: PathOf, line: PathOf | None = None) -> None:
        """Close one node, below the root that ``line`` leads to; None: the one shown."""
        line = self.line if line is None else line
        self._open_lines.discard(line + path)
        if line == self.line:
            self.collapse(self.nodes.index_of(path))

    def look_for(self, paths: frozenset[PathOf]) -> None:
        """Light the rows at these paths."""
        if paths != self.nodes.lit:
            self.nodes.lit = paths
            self.viewport().update()

    def set_highlight(self, paths: frozenset[PathOf], colour: QColor) -> None:
        """Mark the rows on the path of one simulation."""
        changed = paths != self.nodes.highlight or (paths and colour != self._delegate.highlight)
        self.nodes.highlight, self._delegate.highlight = paths, colour
        if changed:
            self.viewport().update()

    def is_open(self, path: PathOf) -> bool:
        """Whether a node was opened."""
        return self.line + path in self._open_lines

    def select_path(self, path: PathOf) -> None:
        """Select a node's row without telling anyone; where it is not unfolded, that of its nearest node which is."""
        shown = [self.nodes.index_of(path[:length]) for length in range(1, len(path) + 1)]
        unfolded = next((i for i, row in enumerate(shown) if not row.isValid() or not self.isExpanded(row)), len(shown))
        shown = [row for row in shown[: unfolded + 1] if row.isValid()]
        index = shown[-1] if shown else QModelIndex()
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
        self._open_lines.add(self._rows_line + self.nodes.item(index).path)
        self._note_height()
        self.opened.emit(self.open_paths())

    def _collapsed(self, index: Index) -> None:
        self._open_lines.discard(self._rows_line + self.nodes.item(index).path)
        self._note_height()
        self.opened.emit(self.open_paths())

    def _emit_selected(self, *_: object) -> None:
        """Not the current row: Qt makes the first one current when the tree gets the focus, which nobody chose."""
        if indexes := self.selectedIndexes():
            self._emit(self.selected, indexes[0])

    def _emit(self, signal: SignalInstance, index: Index) -> None:
        """Emit the path of a row, unless it stands for several moves."""
        path = self.nodes.item(index).path
        if path and path[-1] != FOLDED:
            signal.emit(path)

    def rowsAboutToBeRemoved(self, parent: Index, first: int, last: int) -> None:
        """Deselect a row that goes: Qt would select its neighbour, which nobody chose."""
        index: Index = self.currentIndex()
        while index.isValid() and index.parent() != parent:
            index = index.parent()
        if index.isValid() and first <= index.row() <= last:
            blocked = self.selectionModel().blockSignals(True)
            self.selectionModel().clear()
            self.selectionModel().blockSignals(blocked)
        super().rowsAboutToBeRemoved(parent, first, last)

    def _turn_fold(self, index: Index) -> None:
        """Show the moves that the clicked row stands for, or fold them again."""
        path = self.nodes.item(index).path
        if path and path[-1] == FOLDED:
            self.nodes.turn_fold(path[:-1])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        path = self.nodes.item(self.indexAt(event.position().toPoint())).path
        self._point(path if path and path[-1] != FOLDED else ())

    def leaveEvent(self, event: QEvent) -> None:
        """Sort the rows, which kept their places while the pointer was over them."""
        super().leaveEvent(event)
        self.nodes.arrange()
        self._point(())

    def _point(self, path: PathOf) -> None:
        if path != self._pointed:
            self._pointed = path
            self.pointed.emit(path)

    def paintEvent(self, event: QPaintEvent) -> None:
        header, part = self.header(), event.region().boundingRect()
        columns = [
            (column, header.sectionViewportPosition(column), header.sectionSize(column))
            for column in range(len(COLUMNS))
            if not header.isSectionHidden(column)
        ]
        pointed = -1
        if self.underMouse():
            pointed = self.nodes.item(self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))).id
        self._painted = [cell for cell in columns if cell[1] <= part.right() and sum(cell[1:]) > part.left()], pointed
        super().paintEvent(event)
        if self._note and self.nodes.rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(current_theme().color("dim"))
            painter.drawText(
                self.viewport().rect().adjusted(20, 10, -20, -10),
                Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                self._note,
            )

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a whole row: Qt would ask for each cell by itself."""
        item, (columns, pointed) = self.nodes.item(index), self._painted
        looks, row = self.nodes.looks_of(item), option.rect
        if not looks:
            return
        selected = self.selectionModel().isSelected(index)
        self._delegate.paint_ground(painter, row, looks[0], selected, item.id == pointed, first=True)
        for column, x, width in columns:
            cell = QRect(x, row.top(), width, row.height())
            if column == 0:
                self._paint_branches(painter, cell, item, self.isExpanded(index))
                cell.setLeft(x + len(item.path) * self.indentation())
            self._delegate.paint_cell(painter, cell, looks[column], column, self.font())

    def _paint_branches(self, painter: QPainter, rect: QRect, item: Item, opened: bool) -> None:
        """Draw a thin line for each level and a chevron where a node can be opened."""
        depth, step = len(item.path), self.indentation()
        painter.setPen(QPen(current_theme().color("line"), 1))
        for level in range(depth - 1):
            x = rect.left() + level * step + step // 2
            painter.drawLine(x, rect.top(), x, rect.bottom())
        if not item.unfolds:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(round_pen(current_theme().color("dim"), 1.6))
        size = min(1.0, step / 10)
        across = max((depth - 0.5) * step, BAR + 1 + 3.5 * size)  # narrow steps would put the first on the row's bar
        middle = QPointF(rect.left() + across, rect.center().y() + 0.5)
        points = [(-3.5, -2), (0, 2), (3.5, -2)] if opened else [(-2, -3.5), (2, 0), (-2, 3.5)]
        painter.drawPolyline([middle + QPointF(x * size, y * size) for x, y in points])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
