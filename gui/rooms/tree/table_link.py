"""The table of moves, joined to the search: shown a little later while somebody browses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, Qt, Signal

from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.player_choice import PLAYERS
from gui.widgets.tables.folding import FILTER
from gui.widgets.tables.move_look import CURVE, TOTAL
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


class TableLink(QObject):
    """Keeps the table at the session's snapshots and takes what is chosen in it.

    Snapshots of a position no longer shown are ignored: newer ones will follow.
    """

    pointed = Signal(object)  # the principal variation of the move under the pointer, () for none
    menu_requested = Signal(int, QPoint)  # a move and the point of the screen at which its menu is wanted

    def __init__(self, context: Context, table: TreeView) -> None:
        super().__init__(table)
        self._context, self._table, self._nodes = context, table, table.nodes
        self._state, self._session = context.state, context.session
        self._nodes.human = context.human.policy
        self._player = -1  # whose values the table shows; -1: those of the side to move
        self._next: tuple[Snapshot | None, bool] = (None, False)  # what is shown next, and whether rows stay in place
        self._of: Position | None = None  # whose snapshot came last
        self._browsing = QElapsedTimer()  # since the table was last shown
        self._later = make_timer(self, 0, self.show_now, once=True)
        self._arranged = QElapsedTimer()  # since the rows were last sorted
        self._arranged_at = 0  # simulations at that time
        state, session = context.state, context.session
        state.game_changed.connect(table.forget)
        state.position_changed.connect(self._position_changed)
        state.selection_changed.connect(lambda _: self.show_selection())
        session.snapshot_for_text.connect(self.show_snapshot)
        session.snapshot_for_text.connect(lambda _: self._show_note())
        session.state_changed.connect(self._show_note)
        context.human.changed.connect(self._show_human)
        context.preferences.values_for_changed.connect(self._show_player)
        context.events.closing.connect(self._later.stop)
        table.selected.connect(lambda path: state.select(path, self._nodes.position))
        table.played.connect(lambda path: context.play_line(path, self._nodes.position))
        table.pointed.connect(self._point)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._want_menu)
        table.opened.connect(session.request_nodes)
        names = [name for name in context.actions if name.startswith("rows_") or name in COLUMN_ACTIONS]
        table.header().setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        table.header().addActions([context.actions[name] for name in names])
        on_language(table, self._show_note)
        self._show_player(context.preferences.values_for)
        self._show_note()

    # rows and columns

    def set_filter(self, name: str) -> None:
        """Set which moves are shown, by the name of a filter."""
        self._nodes.set_filter(FILTER[name])

    def turn_column(self, column: int) -> None:
        """Show or hide an optional column."""
        self._table.setColumnHidden(column, not self._table.isColumnHidden(column))
        self.check_columns()

    def check_columns(self) -> None:
        """Give the columns room, check the actions of the optional ones shown, and request what these need."""
        self._table.fit_columns()
        actions = self._context.actions
        for name, column in COLUMN_ACTIONS.items():
            actions[name].setChecked(not self._table.isColumnHidden(column))
        self._session.extras.request_curves(actions["sparklines"].isChecked(), "moves")
        self.show_now()  # a column of curves has them at once where the search has given them already

    def _show_player(self, whose: str) -> None:
        """Show the values of one player, or those of the side to move at each node."""
        for name in PLAYERS:
            self._context.actions[f"values_{name}"].setChecked(name == whose)
        self._player = self._nodes.player = PLAYERS[whose]
        self.show_now()

    # state and search

    def _position_changed(self) -> None:
        self._table.set_line(self._state.line)
        self._session.request_nodes(self._table.open_paths())

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show a snapshot: after 30 ms of rest, at least every 250 ms, while the user steps quickly; else at once.

        The table's hundreds of numbers must not delay the next key.
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
        """Show the rows that wait."""
        self._later.stop()
        snapshot, keep_order = self._next
        if not self._fits(snapshot):
            return
        self._table.set_line(self._state.line)
        self._table.show_snapshot(snapshot, keep_order)
        self._want_human(snapshot)
        position, player, trace = self._state.position, self._player, self._state.document.trace
        self._context.docks["tree"].set_detail(lambda: moves_detail(position, snapshot, player, trace))
        self.show_selection()

    def _want_human(self, snapshot: Snapshot | None) -> None:
        """Ask the human net about the position and the nodes that are open."""
        nodes = () if snapshot is None else (snapshot.root, *snapshot.opened.values())
        self._context.human.want("table", (node.position for node in nodes) if self._table.isVisible() else ())

    def _show_human(self) -> None:
        """Show what the human net has said by now; another one has another column."""
        source = self._context.human.source
        self._nodes.human_label = "" if source is None else source.label
        self.show_now()

    def show_selection(self) -> None:
        """Mark the selected node in the table if it shows the current position."""
        shown = self._state.shown
        self._table.select_path(shown.selected if self._nodes.position == shown.position else ())

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
        if session.snapshot is not session.present:  # the table is empty before the first simulation alone
            self._table.set_note(tr("before the first simulation: the tree is empty"))
        else:
            mode, limit = session.limit.mode, self._state.limit
            words = state_text(session.phase, session.searching, session.present, mode, limit)
            self._table.set_note(words)

    # the pointer

    def _point(self, path: PathOf) -> None:
        """Tell the line of the row under the pointer; it does not change while it is shown."""
        snapshot, line = self._session.snapshot, tuple[int, ...]()
        if snapshot is not None and path and not self._state.selected:
            row = self._nodes.row_at(path)
            line = (*path[:-1], *row.pv) if row is not None and row.visits else ()
        self.pointed.emit(line)

    def _want_menu(self, point: QPoint) -> None:
        path = self._nodes.item(self._table.indexAt(point)).path
        if len(path) == 1:
            self.menu_requested.emit(path[0], self._table.viewport().mapToGlobal(point))
