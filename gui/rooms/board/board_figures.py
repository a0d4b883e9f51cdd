"""Shows positions and snapshots on the board, its player line, value bar and record strip, on two clocks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.language.language import tr
from gui.model.shown import Shown
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.places import moves_made
from gui.widgets.figures import count, first_player_text, signed, value_text
from gui.widgets.record_paint import step_name
from gui.widgets.texts import on_language
from gui.widgets.words import PROVED_VALUES, disc_count, ended_text, exact_words, handicap_words, proof_words, won_text

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView, Snapshot
    from gui.context import Context
    from gui.rooms.board.board_room import BoardRoom


class BoardFigures(QObject):
    """Keeps the board's room at the position shown and at the session's snapshots.

    Snapshots of a position no longer shown are ignored: newer ones will follow.
    """

    placed = Signal()  # the board was updated with a new or the same position

    def __init__(self, context: Context, view: BoardRoom) -> None:
        super().__init__(view)
        self._view, self._state, self._session, self._truth = view, context.state, context.session, context.truth
        self._placed = Shown()  # what the board shows
        self.margin: float | None = None  # of the count of an ended game
        self._shown_value = ("", 0, "", "")  # (game, side to move, value, lead)
        self._value_words = ""  # the same in words
        state, session = context.state, context.session
        state.record_changed.connect(self._show_forks)
        state.position_changed.connect(self._show_forks)
        for signal in (state.position_changed, state.record_changed):
            signal.connect(self.show_position)
        state.selection_changed.connect(self._selection_changed)
        state.overlay_changed.connect(lambda _: self.show_value(session.snapshot))
        session.snapshot_for_frame.connect(self._show_frame)
        session.snapshot_for_text.connect(self.show_figures)
        for signal in (state.solved, context.truth.changed):
            signal.connect(lambda: self.show_value(session.snapshot))
        on_language(view, self._selection_changed)
        self.show_position()

    @property
    def shown(self) -> Position | None:
        """The position on the board: the current one or the preview of the selected node; None until a game is open."""
        return self._placed.preview

    def show_position(self) -> None:
        """Update board, player line and record strip to the position or the preview of the selected node."""
        shown = self._state.shown
        position, path = shown.preview, shown.selected
        if position is None:
            return
        before, self._placed = self._placed, shown
        if position is not before.preview:
            self._view.board.set_position(position)
        game = position.game
        title, player = self._headline(position, bool(path))
        record = self._state.record
        names = () if record is None else tuple(step_name(record, node) for node in self._state.line_nodes[1:])
        self._view.record.set_record(names, self._state.cursor, tuple(game.action_name(a) for a in path))
        captured = position.captured() if game.captures else None
        self._view.player.set_position(game.name, player, title, _note(position, bool(path)), bool(path), captured)
        self.placed.emit()

    def _headline(self, position: Position, preview: bool) -> tuple[str, int]:
        """Return who is to move or has won, perhaps because the other resigned, and whose stone stands there."""
        state, players = self._state, kind_of(position.game.name).players
        early, record = state.ended_early, state.record  # the result is that of the main line
        if early is None or record is None or preview or position.is_over or state.node != record.main_line()[-1]:
            return ended_text(position, players)
        winner = 1 - early[1]
        return won_text(players[winner]), winner

    def _show_forks(self) -> None:
        """Mark the moves of the current line that have variations, in the strip below the board."""
        record, nodes = self._state.record, self._state.line_nodes
        if record is not None:
            forks = (ply for ply, node in enumerate(nodes[:-1], 1) if len(record.node(node).children) > 1)
            self._view.record.set_forks(frozenset(forks))

    def _selection_changed(self, *_: object) -> None:
        self.show_position()
        if self._session.snapshot is not None or (self.shown is not None and self.shown.is_over):
            self.show_colours(self._session.snapshot)
            self.show_value(self._session.snapshot)

    def _fits(self, snapshot: Snapshot | None) -> bool:
        """Whether a snapshot belongs to the position shown; updates the board first if it is out of date."""
        if self._placed is not self._state.shown:
            self.show_position()
        return snapshot is None or snapshot.position == self._state.position

    def _node(self, snapshot: Snapshot | None) -> NodeView | None:
        """Return the node of the position on the board; None while the search has no data for it."""
        return None if snapshot is None else snapshot.node(self._state.selected)

    def _show_frame(self, snapshot: Snapshot | None) -> None:
        """Update the colours, unless the texts bring theirs right after."""
        if not self._session.texts_follow:
            self.show_colours(snapshot)

    def show_colours(self, snapshot: Snapshot | None, with_text: bool = False) -> None:
        """Update board and value bar, at every frame."""
        if not self._fits(snapshot):
            return
        node = self._node(snapshot)
        self._view.board.set_figures(node, node.best_action if node is not None else -1, with_text)
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
            self._view.value_bar.set_value(name, value, mover, self._value_words)

    def show_figures(self, snapshot: Snapshot | None) -> None:
        """Update the texts too, four times a second."""
        if self._fits(snapshot):
            self.show_colours(snapshot, with_text=True)
            self.show_value(snapshot)

    def _value(self, snapshot: Snapshot | None) -> float:
        """Return the searched value of the position on the board, for the side to move there."""
        node = self._node(snapshot)
        if node is not None:
            return PROVED_VALUES.get(node.proof, node.q)
        path = self._state.selected
        above = snapshot.node(path[:-1]) if snapshot is not None and path else None
        if above is None:
            return math.nan
        return next((-row.q for row in above.rows if row.action == path[-1] and row.visits), math.nan)

    def show_value(self, snapshot: Snapshot | None) -> None:
        """Show the value of the position in words beside the player."""
        if not self._fits(snapshot) or (position := self.shown) is None:
            return
        value = self._value(snapshot)
        players = kind_of(position.game.name).players
        player = players[position.to_move]
        has_value = not math.isnan(value) and not position.is_over
        node = self._node(snapshot)
        proved, lead = proof_words(node, player), math.nan if node is None else node.lead
        words = proved or (value_text(value, player, lead=lead) if has_value else "")
        fixed = ""
        if has_value and not math.isnan(lead):
            sign = -1 if position.to_move else 1
            fixed = first_player_text(sign * value, sign * lead, players[0])
        self._view.player.set_value(words, signed(value, 2) if has_value and not proved else "", fixed)
        self._show_exact(position, value if has_value and not proved else math.nan)

    def _show_exact(self, position: Position, value: float) -> None:
        """Show the exact result of the position where it is known, and how the search stands beside it.

        ``value``: that of the search for the side to move; NaN while it has none, or one that is proved.
        """
        hidden = self._session.concealed or (self._truth.withheld and self._state.overlay != "exact")
        solution = None if hidden else self._state.solutions.get(position)
        if solution is None or position.is_over:
            self._view.player.set_exact((), False)
            return
        exact, truth = exact_words(solution, position), None if self._state.selected else self._truth.truth
        value_part = move_part = ""
        if not math.isnan(value):
            player = kind_of(position.game.name).players[position.to_move]
            value_part = tr("the search says {value} for {player}").format(value=signed(value, 2), player=player)
        wrong = truth is not None and bool(truth.wrong) and truth.right_from < 0
        move_alone = ""  # the same where it is not said before who "it" is
        if truth is not None and truth.wrong:
            move_part = tr("its move is wrong now") if wrong else tr("its move was never wrong")
            move_alone = tr("the search's move is wrong now") if wrong else tr("the search's move was never wrong")
            if truth.right_from > 0:
                since = count(truth.right_from)
                move_part = tr("its move is right since {simulations}").format(simulations=since)
                move_alone = tr("the search's move is right since {simulations}").format(simulations=since)
        wordings = (exact, value_part, move_part if value_part else move_alone), (exact, move_alone), (exact,)
        self._view.player.set_exact(tuple(" · ".join(filter(None, parts)) for parts in wordings), wrong)


def _note(position: Position, preview: bool) -> str:
    """Return what stands beside the player: the number of the move, after the discs or the handicap."""
    if preview:
        return tr("preview · Esc returns")
    words = tr("after {ply} moves") if position.is_over else tr("move {ply}")
    note = words.format(ply=moves_made(position) + (not position.is_over))
    before = disc_count(position) or handicap_words(position)
    return f"{before} · {note}" if before else note
