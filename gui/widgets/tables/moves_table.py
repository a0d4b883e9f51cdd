"""The table of one node's moves: sorted by any figure, each row keeping its identity.  Knows one NodeView at a time.

Faint figures come from few visits; a bar under the share repeats it; the best move is cyan-blue and bold;
▸ stands before the move the next simulation enters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal, SignalInstance
from PySide6.QtGui import QCursor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QTreeView, QWidget

from gui.widgets.figures import (
    COLUMN_INDEX,
    COLUMNS,
    LEAST_SOLID,
    column_words,
    opacity_of,
    player_of,
    rows_for,
    sort_rows,
)
from gui.widgets.tables.folding import FILTERS, FOLDED, RowFilter, fold, fold_look, fold_words
from gui.widgets.tables.row_delegate import IS_BEST, IS_NEXT, SOLID, Look, pointer_inside, repaint_row, set_up_header
from gui.widgets.tables.sparks import Spark, sparks
from gui.widgets.tables.table import ALL, Index, Table, TableModel
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.games import Position
    from core.glass import MoveRow, NodeView
    from core.glass.curves import Curves

_N, _SHARE, TOTAL, _Q, _LEAD, _PROOF, CURVE, _PV = (
    COLUMN_INDEX[c] for c in ("n", "share", "w", "q", "lead", "proof", "curve", "pv")
)
OPTIONAL: Final = (TOTAL, CURVE)  # hidden until they are chosen
_ACCENTED: Final = {COLUMN_INDEX["move"], _SHARE, _N}  # of the best move
_ALWAYS_SOLID: Final = {COLUMN_INDEX["move"], _N, COLUMN_INDEX["p"], _PROOF}
_IDLE_WHEN_PROVED: Final = {COLUMN_INDEX["u"], COLUMN_INDEX["score"]}  # a proved child is not entered again
_PROOF_COLOUR: Final = {"win": "good", "draw": "dim", "loss": "warn"}


Disc = tuple[str, int] | None  # a game, and the player whose values are shown
# A row, its marks, whose values it has, and what is to be seen of it in each column.
Looks = tuple["MoveRow", int, Disc, list[Look]]


def move_looks(row: MoveRow, marks: int, disc: Disc, last: Looks | None) -> Looks:
    """What is to be seen of a move; ``last`` while the row and its marks are the same."""
    if last is not None and last[0] is row and last[1:3] == (marks, disc):
        return last
    return row, marks, disc, [move_look(row, column, marks, disc) for column in range(len(COLUMNS))]


def show_leads(view: QTableView | QTreeView, node: NodeView | None) -> None:
    """Show the column of score leads if the node has leads, else hide it."""
    hidden = node is None or not node.leads.size
    if view.isColumnHidden(_LEAD) != hidden:
        view.setColumnHidden(_LEAD, hidden)


def move_look(row: MoveRow, column: int, marks: int, disc: Disc = None) -> Look:
    """What is to be seen of a move in a column."""
    if row.action == FOLDED:
        return fold_look(row, column, marks)
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
    disc = disc if column == _Q and not math.isnan(row.q) else None
    text, bold = COLUMNS[column].text(row), bool(marks & IS_BEST)
    return Look(text, colour, round(solid * SOLID), bold, marks, share, disc=disc)


def marks_of(row: MoveRow, best: int, next_: int) -> int:
    """The marks of a row: the next move is shown at the row that stands for it."""
    hidden = row.same if row.action == FOLDED else ()
    is_next = next_ == row.action if row.action != FOLDED else next_ in hidden
    return (IS_BEST if row.action == best and best >= 0 else 0) | (IS_NEXT if is_next and next_ >= 0 else 0)


class MovesModel(TableModel["MoveRow"]):
    """Rows are the node's edges."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(COLUMNS, parent, _N, descending=True)
        self._best = self._next = -1
        self._looks: dict[int, Looks] = {}  # by action
        self._curves: Curves | None = None
        self._sign = 1  # -1: the curves are for the player who is not to move
        self._sparks: dict[int, Spark] = {}  # by action
        self.position: Position | None = None  # whose moves the rows are; None while there are none
        self._rule = "puct"
        self.player = -1  # whose values are shown from the next node on; -1: those of the side to move
        self._disc: Disc = None
        self.filter = FILTERS[0]
        self.unfolded = False  # the moves that the filter does not show follow the others

    def look(self, row: MoveRow, column: int) -> Look:
        marks = marks_of(row, self._best, self._next)
        if column == CURVE:
            return Look("", marks=marks, spark=self._sparks.get(row.action))
        looks = self._looks[row.action] = move_looks(row, marks, self._disc, self._looks.get(row.action))
        return looks[3][column]

    @property
    def curves(self) -> Curves | None:
        """The curves of the moves."""
        return self._curves

    def show_curves(self, curves: Curves | None, node: NodeView | None) -> None:
        """Take the curves of the moves of ``node``, for the rows shown next; None: there are none."""
        sign = 1 if node is None or player_of(node, self.player) == node.position.to_move else -1
        if (curves, sign) != (self._curves, self._sign):
            self._curves, self._sign, self._sparks = curves, sign, sparks(curves, sign)

    def forget_looks(self) -> None:
        """Make them anew: their texts are in another language."""
        self._looks.clear()

    def flags(self, index: Index) -> Qt.ItemFlag:
        folded = index.isValid() and self.rows[index.row()].action == FOLDED
        return Qt.ItemFlag.ItemIsEnabled if folded else super().flags(index)

    def tip(self, row: MoveRow) -> str | None:
        return fold_words(row)

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
        if node is None or node.position != self.position:
            self.unfolded = False
        rows, self._disc = [], None
        if node is not None:
            shown = [*fold(node.rows, self.filter, self.unfolded), *node.left_out_rows]
            rows = rows_for(shown, node, self.player)
            self._disc = node.position.game.name, player_of(node, self.player)
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
        for column in OPTIONAL:
            self.setColumnHidden(column, True)
        self.horizontalHeader().setSortIndicator(_N, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().selectionChanged.connect(self._emit_selected)
        self._shown: tuple[NodeView | None, int] = (None, -1)
        self.doubleClicked.connect(lambda index: self._emit(self.played, index.row()))
        self.clicked.connect(self._turn_fold)

    def show_node(
        self,
        node: NodeView | None,
        best: int,
        keep_order: bool = False,
        curves: Curves | None = None,
        searching: bool = True,
    ) -> None:
        """Show the figures of a node; rows also stay in place while the pointer is over them during a search."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height())
        seen = range(max(0, first), last + 1 if last >= 0 else self.moves.rowCount())
        show_leads(self, node)
        self._shown = node, best
        if not self.isColumnHidden(CURVE):
            anew = node is None or node.position != self.moves.position
            # An earlier moment has no curves of its own: those of the present stay.
            self.moves.show_curves(curves if curves or anew else self.moves.curves, node)
        keep_order = keep_order or (searching and pointer_inside(self.viewport(), QCursor.pos()))
        self.moves.show_node(node, best, keep_order, seen)

    def set_filter(self, choice: RowFilter) -> None:
        """Set which moves are shown."""
        self.moves.filter, self.moves.unfolded = choice, False
        self._show_again()

    def _turn_fold(self, index: Index) -> None:
        """Show the moves that the clicked row stands for, or fold them again."""
        if self.moves.rows[index.row()].action == FOLDED:
            self.moves.unfolded = not self.moves.unfolded
            self._show_again()

    def _show_again(self) -> None:
        selected = [self.moves.rows[index.row()].action for index in self.selectedIndexes()[:1]]
        self.moves.show_node(*self._shown)
        self.select_action(selected[0] if selected else -1)

    def _emit(self, signal: SignalInstance, row: int) -> None:
        """Emit a row's action, unless it stands for several moves."""
        if self.moves.rows[row].action != FOLDED:
            signal.emit(self.moves.rows[row].action)

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
            self._emit(self.selected, indexes[0].row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._point(max(-1, self.moves.rows[index.row()].action) if index.isValid() else -1)

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
