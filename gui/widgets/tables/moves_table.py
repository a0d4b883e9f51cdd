"""The table of one node's moves: sorted by any figure, each row keeping its identity.  Knows one NodeView at a time.

Faint figures come from few visits; a bar under the share repeats it; the best move is cyan-blue and bold;
▸ stands before the move the next simulation enters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QCursor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QTreeView, QWidget

from gui.widgets.figures import COLUMN_INDEX, COLUMNS, LEAST_SOLID, column_words, opacity_of, sort_rows
from gui.widgets.tables.row_delegate import IS_BEST, IS_NEXT, SOLID, Look, pointer_inside, repaint_row, set_up_header
from gui.widgets.tables.table import ALL, Table, TableModel
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.games import Position
    from core.glass import MoveRow, NodeView

_N, _SHARE, _LEAD, _PROOF, _PV = (COLUMN_INDEX[c] for c in ("n", "share", "lead", "proof", "pv"))
_ACCENTED: Final = {COLUMN_INDEX["move"], _SHARE, _N}  # of the best move
_ALWAYS_SOLID: Final = {COLUMN_INDEX["move"], _N, COLUMN_INDEX["p"], _PROOF}
_IDLE_WHEN_PROVED: Final = {COLUMN_INDEX["u"], COLUMN_INDEX["score"]}  # a proved child is not entered again
_PROOF_COLOUR: Final = {"win": "good", "draw": "dim", "loss": "warn"}


Looks = tuple["MoveRow", int, list[Look]]  # a row, its marks, and what is to be seen of it in each column


def move_looks(row: MoveRow, marks: int, last: Looks | None) -> Looks:
    """What is to be seen of a move; ``last`` while the row and its marks are the same."""
    if last is not None and last[0] is row and last[1] == marks:
        return last
    return row, marks, [move_look(row, column, marks) for column in range(len(COLUMNS))]


def show_leads(view: QTableView | QTreeView, node: NodeView | None) -> None:
    """Show the column of score leads if the node has leads, else hide it."""
    hidden = node is None or not node.leads.size
    if view.isColumnHidden(_LEAD) != hidden:
        view.setColumnHidden(_LEAD, hidden)


def move_look(row: MoveRow, column: int, marks: int) -> Look:
    """What is to be seen of a move in a column."""
    colour = "text"
    if marks & IS_BEST and column in _ACCENTED:
        colour = "accent"
    if column == _PV:
        colour = "dim"
    elif column == _PROOF and row.proof:
        colour = _PROOF_COLOUR[row.proof]
    solid = 1.0 if column in _ALWAYS_SOLID else opacity_of(row.visits)
    if row.left_out or (row.proof and column in _IDLE_WHEN_PROVED):
        solid = LEAST_SOLID
    share = round(row.share, 3) if column == _SHARE else -1.0
    return Look(COLUMNS[column].text(row), colour, round(solid * SOLID), bool(marks & IS_BEST), marks, share)


class MovesModel(TableModel["MoveRow"]):
    """Rows are the node's edges."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(COLUMNS, parent, _N, descending=True)
        self._best = self._next = -1
        self._looks: dict[int, Looks] = {}  # by action
        self.position: Position | None = None  # whose moves the rows are; None while there are none
        self._rule = "puct"

    def look(self, row: MoveRow, column: int) -> Look:
        marks = (IS_BEST if row.action == self._best else 0) | (IS_NEXT if row.action == self._next else 0)
        looks = self._looks[row.action] = move_looks(row, marks, self._looks.get(row.action))
        return looks[2][column]

    def forget_looks(self) -> None:
        """Make them anew: their texts are in another language."""
        self._looks.clear()

    def identity(self, row: MoveRow) -> int:
        return row.action

    def words(self, column: int) -> tuple[str, str]:
        return column_words(column, self._rule)

    def arranged(self, rows: Sequence[MoveRow]) -> list[MoveRow]:
        return sort_rows(rows, self.column, self.descending)

    def number_of(self, action: int) -> int:
        """The row a move stands in; -1 when it is not there."""
        return next((i for i, row in enumerate(self.rows) if row.action == action), -1)

    def show_node(self, node: NodeView | None, best: int, keep_order: bool = False, seen: range = ALL) -> None:
        """Take a node's rows; ``keep_order`` leaves each move in its row (the pointer is over them)."""
        before = self.looks(seen)
        rows = [*node.rows, *node.left_out_rows] if node is not None else []
        self._best, self._next = best, node.next_action if node is not None else -1
        if node is not None and node.rule != self._rule:
            self._rule = node.rule
            self.renew_titles()
        was, self.position = self.position, node.position if node is not None else None
        self.show(rows, keep_order, seen, before, anew=self.position != was)


class MovesTable(Table["MoveRow"]):
    """The moves of the position; a selected one is looked at, a double-clicked one is played."""

    selected = Signal(int)  # action
    played = Signal(int)
    pointed = Signal(int)  # action under the pointer, -1 for none

    def __init__(self, parent: QWidget | None = None) -> None:
        moves = MovesModel()
        super().__init__(moves, parent)
        self.moves = moves
        self._note = ""
        self._pointed = -1
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        set_texts(self, accessibleName="Moves")
        on_language(self, moves.forget_looks)
        set_up_header(self.horizontalHeader(), self.font(), COLUMNS)
        show_leads(self, None)
        self.horizontalHeader().setSortIndicator(_N, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().selectionChanged.connect(self._emit_selected)
        self.doubleClicked.connect(lambda index: self.played.emit(self.moves.rows[index.row()].action))

    def show_node(self, node: NodeView | None, best: int, keep_order: bool = False) -> None:
        """Show the figures of a node; rows also stay in place while the pointer is over them."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height())
        seen = range(max(0, first), last + 1 if last >= 0 else self.moves.rowCount())
        show_leads(self, node)
        self.moves.show_node(node, best, keep_order or pointer_inside(self.viewport(), QCursor.pos()), seen)

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

    def _emit_selected(self, *_: object) -> None:
        """Not the current row: Qt makes the first one current when the table gets the focus, which nobody chose."""
        if indexes := self.selectedIndexes():
            self.selected.emit(self.moves.rows[indexes[0].row()].action)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._point(self.moves.rows[index.row()].action if index.isValid() else -1)

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
            painter.setPen(current_theme().color("dim"))
            painter.drawText(
                self.viewport().rect().adjusted(20, 10, -20, -10),
                Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                self._note,
            )
