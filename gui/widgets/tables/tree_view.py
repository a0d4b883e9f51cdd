"""The search tree as a tree of rows, opened node by node, and its first level alone as the table of moves.

Opening a node asks for its path; its rows appear when a snapshot carries it, and are renewed in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal, SignalInstance
from PySide6.QtGui import QAccessible, QColor, QCursor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS
from gui.widgets.tables.folding import FOLDED
from gui.widgets.tables.move_look import CURVE, LEAD, OPTIONAL
from gui.widgets.tables.row_delegate import (
    RowDelegate,
    pointer_inside,
    repaint_row,
    set_up_header,
)
from gui.widgets.tables.tree_model import Index, PathOf, TreeModel
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, renew_headers, set_texts
from gui.widgets.theme import current_theme, figure_font, round_pen

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from core.glass import NodeView, Snapshot

STEP, NARROW_STEP = 18, 5  # px that a level is set in


def show_in(views: Sequence[TreeView], snapshot: Snapshot | None, keep_order: bool = False) -> None:
    """Show a snapshot in views of one model; rows also stay in place during a search while the pointer is over them."""
    searching = snapshot is None or not snapshot.reason
    pointed = any(pointer_inside(view.viewport(), QCursor.pos()) for view in views)
    for view in views:
        view.show_leads(snapshot.root if snapshot is not None else None)
    views[0].nodes.show(
        snapshot,
        keep_order or (searching and pointed),
        {path for view in views for path in view.rows_in_sight()},
        with_curves=not all(view.isColumnHidden(CURVE) for view in views),
    )
    for view in views:
        view.open_wanted()


class TreeView(QTreeView):
    """The opened part of the tree; a selected move is looked at, a double-clicked one is played."""

    opened = Signal(object)  # tuple of paths, whose children are wanted
    selected = Signal(object)  # path
    played = Signal(object)  # path
    pointed = Signal(object)  # path under the pointer, () for none

    def __init__(self, parent: QWidget | None = None, nodes: TreeModel | None = None, moves_only: bool = False) -> None:
        """``nodes``: the model, if another view shows it too; ``moves_only``: its first level alone."""
        super().__init__(parent)
        self.nodes = nodes or TreeModel(self)
        self._moves_only = moves_only
        self._note = ""
        self._pointed: PathOf = ()
        self._delegate = RowDelegate(self, COLUMNS, self.nodes.look_at)
        self._line: PathOf = ()  # the moves from the record's start to the position shown
        self._rows_line: PathOf = ()  # those to the position of the rows, which are renewed a little later
        self._open_lines: set[PathOf] = set()  # opened nodes by their moves from the record's start
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
        self.setRootIsDecorated(not moves_only)
        self.setItemsExpandable(not moves_only)
        set_texts(self, accessibleName="Moves" if moves_only else "Search tree")
        set_up_header(self.header(), self.font(), COLUMNS, first_extra=0 if moves_only else 64)
        self.show_leads(None)
        for column in OPTIONAL:
            self.setColumnHidden(column, True)
        self.header().setSortIndicator(COLUMN_INDEX["n"], Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.nodes.headerDataChanged.connect(self._show_order)
        self.expanded.connect(self._expanded)
        self.collapsed.connect(self._collapsed)
        self.selectionModel().selectionChanged.connect(self._emit_selected)
        self.doubleClicked.connect(lambda index: self._emit(self.played, index))
        self.clicked.connect(self._turn_fold)

    def event(self, event: QEvent) -> bool:
        """Arrows walk and unfold the tree while it has the focus, whatever they do elsewhere."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not self._moves_only
            and not event.modifiers()
            and (event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End))
        ):
            event.accept()
            return True
        return super().event(event)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paint these cells; Qt would ask for the place of each and for the first row's height, which all share."""
        if QAccessible.isActive():
            super().dataChanged(first, last, roles)
        if not self.isVisible():
            return
        cells, header = self.visualRect(first), self.header()
        if cells.isEmpty() or header.sectionsMoved():
            repaint_row(self.viewport(), cells)
        else:
            start = header.sectionViewportPosition(first.column())  # with the chevron
            end = header.sectionViewportPosition(last.column()) + header.sectionSize(last.column())
            self.viewport().update(start, cells.top(), end - start, cells.height())

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
        """Show the figures of a snapshot at the end of the line set."""
        show_in((self,), snapshot, keep_order)

    def open_wanted(self) -> None:
        """Open the nodes below the line set again that were open there, as far as they have rows."""
        self._rows_line = self._line
        if self._moves_only:
            return
        wanted = self.wanted()
        self._fit_indentation(max(map(len, wanted), default=0))
        for path in wanted:
            index = self.nodes.index_of(path)
            if index.isValid() and not self.isExpanded(index):
                blocked = self.blockSignals(True)
                self.expand(index)
                self.blockSignals(blocked)

    def show_leads(self, node: NodeView | None) -> None:
        """Show the column of score leads if the node has leads, else hide it."""
        hidden = node is None or not node.leads.size
        if self.isColumnHidden(LEAD) != hidden:
            self.setColumnHidden(LEAD, hidden)

    def _show_order(self) -> None:
        """Mark the column that sorts, which may have been chosen in another view."""
        header, order = self.header(), Qt.SortOrder.DescendingOrder
        if not self.nodes.descending:
            order = Qt.SortOrder.AscendingOrder
        if (header.sortIndicatorSection(), header.sortIndicatorOrder()) != (self.nodes.column, order):
            blocked = header.blockSignals(True)
            header.setSortIndicator(self.nodes.column, order)
            header.blockSignals(blocked)

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
        found = (self.indexAt(QPoint(0, max(0, top))) for top in tops)
        return [self.nodes.item(index).path for index in found if index.isValid()]

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
            index = self.nodes.index_of(path[:length])
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
            self.collapse(self.nodes.index_of(path))

    def set_highlight(self, paths: frozenset[PathOf], colour: QColor) -> None:
        """Mark the rows on the path of one simulation."""
        self.nodes.highlight, self._delegate.highlight = paths, colour
        self.viewport().update()

    def is_open(self, path: PathOf) -> bool:
        """Whether a node was opened."""
        return self._line + path in self._open_lines

    def select_path(self, path: PathOf) -> None:
        """Select a node's row, of moves alone that of its first move, without telling anyone; if not shown, none."""
        path = path[:1] if self._moves_only else path
        index = self.nodes.index_of(path)
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
        self.opened.emit(self.wanted())

    def _collapsed(self, index: Index) -> None:
        self._open_lines.discard(self._rows_line + self.nodes.item(index).path)
        self.opened.emit(self.wanted())

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
        super().leaveEvent(event)
        self._point(())

    def _point(self, path: PathOf) -> None:
        if path != self._pointed:
            self._pointed = path
            self.pointed.emit(path)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._delegate.region = event.region()
        super().paintEvent(event)
        if self._note and self.nodes.rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(current_theme().color("dim"))
            painter.drawText(
                self.viewport().rect().adjusted(20, 10, -20, -10),
                Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                self._note,
            )

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Draw a thin line for each level and a chevron where a node can be opened."""
        if self._moves_only:
            return
        item = self.nodes.item(index)
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
