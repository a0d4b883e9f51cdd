"""The table of moves and the tree below it, views of one model: a little later while somebody browses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QHeaderView

from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.player_choice import PLAYERS
from gui.widgets.tables.folding import FILTER
from gui.widgets.tables.move_look import CURVE, TOTAL
from gui.widgets.tables.tree_view import show_in
from gui.widgets.texts import on_language
from gui.widgets.words import moves_detail, state_text

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from gui.context import Context
    from gui.model.state import PathOf
    from gui.widgets.tables.tree_view import TreeView

ORDER_MS = 1000
TEXT_MS = 250  # longest delay of a table
BROWSE_MS = 30  # without another change of position
COLUMN_ACTIONS: Final = {"total": TOTAL, "sparklines": CURVE}  # the columns that are shown when wanted


class Tables(QObject):
    """Keeps the moves and the tree at the session's snapshots and takes what is chosen in them.

    Snapshots of a position no longer shown are ignored: newer ones will follow.
    """

    pointed = Signal(object)  # the principal variation of the move under the pointer, () for none
    menu_wanted = Signal(int, QPoint)  # a move and the point of the screen at which its menu is wanted

    def __init__(self, context: Context, moves: TreeView, tree: TreeView) -> None:
        super().__init__(moves)
        self._context, self._moves, self._tree, self._nodes = context, moves, tree, tree.nodes
        self._state, self._session = context.state, context.session
        self._player = -1  # whose values the tables show; -1: those of the side to move
        self._next: tuple[Snapshot | None, bool] = (None, False)  # what is shown next, and whether rows stay in place
        self._of: Position | None = None  # whose snapshot came last
        self._browsing = QElapsedTimer()  # since the tables were last shown
        self._later = make_timer(self, 0, self.show_now, once=True)
        self._arranged = QElapsedTimer()  # since the rows were last sorted
        self._arranged_at = 0  # simulations at that time
        state, session = context.state, context.session
        state.game_changed.connect(tree.forget)
        state.position_changed.connect(self._position_changed)
        state.selection_changed.connect(lambda _: self.show_selection())
        session.snapshot_for_text.connect(self.show_snapshot)
        session.snapshot_for_text.connect(lambda _: self._show_note())
        session.state_changed.connect(self._show_note)
        context.preferences.values_for_changed.connect(self._show_player)
        context.events.closing.connect(self._later.stop)
        for view in (moves, tree):
            view.selected.connect(lambda path: state.select(path, self._nodes.position))
            view.played.connect(lambda path: context.play_line(path, self._nodes.position))
        moves.pointed.connect(self._point)
        moves.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        moves.customContextMenuRequested.connect(self._want_menu)
        tree.opened.connect(session.request_nodes)
        names = [name for name in context.actions if name.startswith("rows_") or name in COLUMN_ACTIONS]
        for header in self.headers.values():
            header.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            header.addActions([context.actions[name] for name in names])
        on_language(moves, self._show_note)
        self._show_player(context.preferences.values_for)
        self._show_note()

    # rows and columns

    @property
    def headers(self) -> dict[str, QHeaderView]:
        """The tables' headers by the names they are saved under; other columns get other names."""
        moves, tree = self._moves.header(), self._tree.header()
        return {f"moves_{moves.count()}": moves, f"tree_{tree.count()}": tree}

    def set_filter(self, name: str) -> None:
        """Set which moves are shown, by the name of a filter."""
        self._nodes.set_filter(FILTER[name])

    def turn_column(self, column: int) -> None:
        """Show or hide an optional column."""
        shown = self._moves.isColumnHidden(column)
        for table in (self._moves, self._tree):
            table.setColumnHidden(column, not shown)
        self.check_columns()

    def check_columns(self) -> None:
        """Check the actions of the optional columns shown, and request what these need."""
        actions = self._context.actions
        for name, column in COLUMN_ACTIONS.items():
            actions[name].setChecked(not self._moves.isColumnHidden(column))
        self._session.extras.request_curves(actions["sparklines"].isChecked(), "moves")

    def _show_player(self, whose: str) -> None:
        """Show the values of one player, or those of the side to move at each node."""
        for name in PLAYERS:
            self._context.actions[f"values_{name}"].setChecked(name == whose)
        self._player = self._nodes.player = PLAYERS[whose]
        self.show_now()

    # state and search

    def _position_changed(self) -> None:
        self._tree.set_line(self._state.line)
        self._session.request_nodes(self._tree.wanted())

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show a snapshot: after 30 ms of rest, at least every 250 ms, while the user steps quickly; else at once.

        The tables' hundreds of numbers must not delay the next key.
        """
        if not self._fits(snapshot):
            return
        self._next = (snapshot, self._keeps_order(snapshot))
        if snapshot is not None and self._of not in (None, snapshot.position):
            if not self._later.isActive():
                self._browsing.start()
            self._later.start(max(0, min(BROWSE_MS, TEXT_MS - self._browsing.elapsed())))
        else:
            self.show_now()
        self._of = snapshot.position if snapshot is not None else None

    def _fits(self, snapshot: Snapshot | None) -> bool:
        return snapshot is None or snapshot.position == self._state.position

    def show_now(self) -> None:
        """Show moves and tree, with the same numbers in both."""
        self._later.stop()
        snapshot, keep_order = self._next
        if not self._fits(snapshot):
            return
        self._tree.set_line(self._state.line)
        show_in((self._moves, self._tree), snapshot, keep_order)
        position, player = self._state.position, self._player
        self._context.docks["moves"].set_detail(lambda: moves_detail(position, snapshot, player))
        self.show_selection()

    def show_selection(self) -> None:
        """Mark the selected node in the tables if they show the current position."""
        shown = self._state.shown
        for view in (self._moves, self._tree):
            view.select_path(shown.selected if self._nodes.position == shown.position else ())

    def _keeps_order(self, snapshot: Snapshot | None) -> bool:
        """Whether the rows keep their order: they are sorted once a second, after growth by half, and at the end."""
        simulations = snapshot.simulations if snapshot is not None else 0
        recent = self._arranged.isValid() and self._arranged.elapsed() < ORDER_MS
        ended = snapshot is None or bool(snapshot.reason)
        if recent and not ended and self._arranged_at <= simulations < 1.5 * self._arranged_at:
            return True
        self._arranged.start()
        self._arranged_at = simulations
        return False

    def _show_note(self) -> None:
        """Say what goes on where there is no row yet."""
        session = self._session
        if session.snapshot is not session.present:  # its table is empty before the first simulation alone
            self._moves.set_note(tr("before the first simulation: the tree is empty"))
        else:
            words = state_text(session.phase, session.searching, session.present, session.limit.mode)
            self._moves.set_note(words)

    # the pointer

    def _point(self, path: PathOf) -> None:
        """Tell the line of the row under the pointer; it does not change while it is shown."""
        snapshot, line = self._session.snapshot, tuple[int, ...]()
        if snapshot is not None and path and not self._state.selected:
            line = next((row.pv for row in snapshot.moves if row.action == path[0] and row.visits), ())
        self.pointed.emit(line)

    def _want_menu(self, point: QPoint) -> None:
        path = self._nodes.item(self._moves.indexAt(point)).path
        if path:
            self.menu_wanted.emit(path[0], self._moves.viewport().mapToGlobal(point))
