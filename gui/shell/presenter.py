"""Shows the state and the snapshots in the views: board, value, tables, on two clocks.  Decides nothing else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from gui.language.language import tr
from gui.model.shown import Shown
from gui.model.state import AppState
from gui.model.timers import make_timer
from gui.shell.layout import CentralView
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.places import moves_made
from gui.widgets.figures import count, first_player_text, signed, value_text
from gui.widgets.record_paint import step_name
from gui.widgets.words import (
    PROVED_VALUES,
    disc_count,
    ended_text,
    handicap_words,
    moves_title,
    proof_words,
)

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView, Snapshot
    from gui.model.session import Session
    from gui.rooms.past.time_machine import TimeMachine

ORDER_MS = 1000
TEXT_MS = 250  # longest delay of a table
BROWSE_MS = 30  # without another change of position
PAST_DOCKS = ("moves", "tree", "picture", "icicle", "inspector")  # docks that show an earlier moment


class Presenter(QObject):
    """Shows positions and snapshots in the views of one window.

    Snapshots of a position no longer shown are ignored: newer ones will follow.
    """

    placed = Signal()  # the board was updated with a new or the same position

    def __init__(self, views: CentralView, state: AppState, parent: QObject) -> None:
        super().__init__(parent)
        self._views, self._state = views, state
        self._placed = Shown()  # what the board shows
        self._player = -1  # whose values the tables show; -1: those of the side to move
        self.margin: float | None = None  # of the count of an ended game
        self._shown_value = ("", 0, "", "")  # (game, side to move, value, lead)
        self._value_words = ""  # the same in words
        self._tables_next: tuple[Snapshot | None, bool] = (None, False)
        self._tables_of: Position | None = None
        self._browsing = QElapsedTimer()  # since the tables were last shown
        self._tables_later = make_timer(self, 0, self._show_late, once=True)
        self._arranged = QElapsedTimer()  # since the rows were last sorted
        self._arranged_at = 0  # simulations at that time

    def show_player(self, player: int) -> None:
        """Show the values of one player in the tables, or (-1) those of the side to move at each node."""
        self._player = self._views.moves.moves.player = self._views.tree.tree.player = player
        if self._fits(self._tables_next[0]):
            self._show_tables()

    def stop(self) -> None:
        """Cancel delayed updates."""
        self._tables_later.stop()

    @property
    def shown(self) -> Position | None:
        """The position on the board: the current one or the preview of the selected node; None until a game is open."""
        return self._placed.preview

    def show_position(self) -> None:
        """Update board, player label and record strip to the position or the preview of the selected node."""
        shown = self._state.shown
        position, path = shown.preview, shown.selected
        if position is None:
            return
        before, self._placed = self._placed, shown
        if position is not before.preview:
            self._views.board.set_position(position)
        self._views.tree.set_line(self._state.line)
        game = position.game
        players = kind_of(game.name).players
        title, player = ended_text(position, players)
        if path:
            note = tr("preview · Esc returns")
        else:
            note = (
                tr("move {ply}").format(ply=moves_made(position) + 1)
                if not position.is_over
                else tr("after {ply} moves").format(ply=moves_made(position))
            )
        count = disc_count(position) or handicap_words(position)
        if count and not path:
            note = f"{count} · {note}"
        record = self._state.record
        names = () if record is None else tuple(step_name(record, node) for node in self._state.line_nodes[1:])
        self._views.record.set_record(names, self._state.cursor, tuple(game.action_name(a) for a in path))
        captured = position.captured() if game.captures else None
        self._views.player.set_position(game.name, player, title, note, bool(path), captured)
        self.placed.emit()

    def _fits(self, snapshot: Snapshot | None) -> bool:
        """Whether a snapshot belongs to the position shown; updates the board first if it is out of date."""
        if self._placed is not self._state.shown:
            self.show_position()
        return snapshot is None or snapshot.position == self._state.position

    def _node(self, snapshot: Snapshot | None) -> NodeView | None:
        """Return the node of the position on the board; None while the search has no data for it."""
        if snapshot is None:
            return None
        path = self._state.selected
        return snapshot.opened.get(path) if path else snapshot.root

    def picture(self, snapshot: Snapshot | None, with_text: bool = False) -> None:
        if not self._fits(snapshot):
            return
        node = self._node(snapshot)
        self._views.board.set_figures(node, node.best_action if node is not None else -1, with_text)
        position = self.shown
        if position is not None:
            value = self._value(snapshot)
            if position.is_over:
                first = float(position.returns[0])
                if position.is_agreed:
                    first = math.nan if self.margin is None else float((self.margin > 0) - (self.margin < 0))
                value = first if position.to_move == 0 else -first
            name, mover = position.game.name, position.to_move
            lead = math.nan if node is None or position.is_over else node.lead
            shown = (name, mover, signed(value, 2), signed(lead, 1))
            if with_text or shown != self._shown_value:
                self._shown_value = shown
                self._value_words = value_text(value, kind_of(name).players[mover], lead=lead)
            self._views.value_bar.set_value(name, value, mover, self._value_words)

    def _value(self, snapshot: Snapshot | None) -> float:
        """Return the searched value of the position on the board, for the side to move there."""
        node = self._node(snapshot)
        if node is not None:
            return PROVED_VALUES.get(node.proof, node.q)
        path = self._state.selected
        above = (
            None
            if snapshot is None or not path
            else (snapshot.root if len(path) == 1 else snapshot.opened.get(path[:-1]))
        )
        if above is None:
            return math.nan
        return next((-row.q for row in above.rows if row.action == path[-1] and row.visits), math.nan)

    def show_value(self, snapshot: Snapshot | None) -> None:
        if not self._fits(snapshot) or (position := self.shown) is None:
            return
        value = self._value(snapshot)
        player = kind_of(position.game.name).players[position.to_move]
        known = not math.isnan(value) and not position.is_over
        node = self._node(snapshot)
        proved, lead = proof_words(node, player), math.nan if node is None else node.lead
        words = proved or (value_text(value, player, lead=lead) if known else "")
        fixed = ""
        if known and not math.isnan(lead):
            sign = -1 if position.to_move else 1
            fixed = first_player_text(sign * value, sign * lead, kind_of(position.game.name).players[0])
        self._views.player.set_value(words, signed(value, 2) if known and not proved else "", fixed)

    def figures(self, snapshot: Snapshot | None) -> None:
        """Update all texts, four times a second."""
        if not self._fits(snapshot):
            return
        self.picture(snapshot, with_text=True)
        self.show_value(snapshot)
        self._tables_next = (snapshot, self._keeps_order(snapshot))
        if snapshot is not None and self._tables_of not in (None, snapshot.position):
            self._browse()
        else:
            self._show_tables()
        self._tables_of = snapshot.position if snapshot is not None else None
        self._views.toolbar.set_simulations(snapshot.simulations if snapshot is not None and snapshot.moves else None)
        if snapshot is None or not snapshot.now:  # the counters are always the present's, set by its snapshots
            self._views.status.set_counters(snapshot.counters if snapshot is not None else None)
        of = (snapshot.evaluator, snapshot.evaluator_note) if snapshot is not None else ("", "")
        self._views.status.set_evaluator(*of)

    def _browse(self) -> None:
        """Debounce table updates while the user steps quickly: refresh after 30 ms of rest, at least every 250 ms.

        The tables' hundreds of numbers must not delay the next key.
        """
        if not self._tables_later.isActive():
            self._browsing.start()
        self._tables_later.start(max(0, min(BROWSE_MS, TEXT_MS - self._browsing.elapsed())))

    def _show_late(self) -> None:
        if not self._fits(self._tables_next[0]):
            return
        self._show_tables()

    def _show_tables(self) -> None:
        """Show moves and tree, with the same numbers in both."""
        self._tables_later.stop()
        snapshot, keep_order = self._tables_next
        self._views.moves.show_node(
            snapshot.root if snapshot is not None else None,
            snapshot.best if snapshot is not None else -1,
            keep_order,
            snapshot.curves if snapshot is not None else None,
            searching=snapshot is None or not snapshot.reason,
        )
        self._views.docks["moves"].heading.setText(moves_title(self._state.position, snapshot, self._player))
        self._views.tree.show_snapshot(snapshot, keep_order)
        self.show_selection()

    def show_selection(self) -> None:
        """Mark the selected node in the tables if they show the current position."""
        views, shown = self._views, self._state.shown
        path = shown.selected
        views.moves.select_action(path[0] if path and views.moves.moves.position == shown.position else -1)
        views.tree.select_path(path if views.tree.tree.position == shown.position else ())

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

    def show_past(self, time: TimeMachine, session: Session) -> None:
        """Show in every view which earlier simulation is displayed, or remove that in the present."""
        words, present, now, snapshot = time.words, session.present, time.now, session.snapshot
        self._views.toolbar.set_simulations(snapshot.simulations if snapshot is not None else None, now if words else 0)
        if words and present is not None:
            self._views.status.set_counters(present.counters)
        if words:
            self._views.player.set_past(
                tr("{words} · Esc returns to the present").format(words=words),
                tr("at {place} · Esc returns").format(place=count(time.place)),
            )
        else:
            self._views.player.set_past("")
        for name in PAST_DOCKS:
            heading = self._views.docks[name].heading
            if name == "moves":
                title = moves_title(self._state.position, session.snapshot, self._player)
            else:
                title = tr(self._views.docks[name].title)
            heading.setText(f"{words} · {title}" if words else title)

    def show_forks(self) -> None:
        """Mark the moves of the current line that have variations, in the strip below the board."""
        record, nodes = self._state.record, self._state.line_nodes
        if record is not None:
            forks = (ply for ply, node in enumerate(nodes[:-1], 1) if len(record.node(node).children) > 1)
            self._views.record.set_forks(frozenset(forks))
