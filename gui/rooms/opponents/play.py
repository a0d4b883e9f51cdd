"""Play against the engine, or engine against engine: who plays each side, whose turn it is, when a move is made.

An engine moves by the search that the window shows: while it is to move, the session uses its source and settings
instead of the window's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent

from core.files.reading import parse_json
from core.text import Text, text_of
from gui.jobs.outside_moves import RESIGNS, OutsideMoves, Who
from gui.model.document import IDLE
from gui.model.sources import NetSource, RankSource, fitting
from gui.model.state import AppState
from gui.model.timers import make_timer
from gui.rooms.opponents.clock import PlayClock, seconds_within
from gui.rooms.opponents.play_seats import AS_WINDOW, Players, Seat, players_from, players_json, playing_exactly

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.games import Position
    from core.glass import Snapshot
    from core.search import SearchSettings
    from gui.context import Context
    from gui.widgets.board.board import BoardView

LIMIT: Final = "limit reached"  # core.glass.snapshot.LIMIT, which is not imported until after the window is shown


class Play(QObject):
    """Plays the engines' moves at the end of the record while it is running."""

    changed = Signal()  # turn, running or seats changed
    seats_changed = Signal()  # the seats were changed from outside the room
    ended = Signal(object)  # Position whose result is known

    def __init__(self, context: Context, board: BoardView) -> None:
        super().__init__(context.window)
        self._state: AppState = context.state
        self._session = context.session
        self._preferences, self._messages = context.preferences, context.messages
        self.seats, self.delay_s = Players().seats, Players().delay_s
        self.running = False
        self.thinking = False  # an engine is to move here and searches, or its move is about to be made
        self._thinking_position: Position | None = None  # the position it thinks about
        self._since = QElapsedTimer()
        self._start = self._state.start
        self._from: Position | None = None  # a position inside the record from which play was started
        self._has_own_search = False  # the engine that thinks uses other settings or another source than the window
        self._quiet = False
        self._moving = make_timer(self, 0, self._move, once=True)
        self.clock = PlayClock(context, self)
        self._seconds: float | None = None  # the limit of the engine that thinks
        self._resign = context.actions["resign"].trigger
        self._outside = OutsideMoves(self)
        self._outside.answered.connect(self._move_soon)
        self._outside.failed.connect(self.pause)
        self._outside.failed.connect(self._messages.show_error)
        context.state.game_changed.connect(self._outside.end)
        context.events.closing.connect(self._outside.end)
        self._state.game_changed.connect(self._game_changed)
        self._state.position_changed.connect(self._update_turn)
        self._state.search_changed.connect(self._search_changed)
        self._session.is_reserved = self._will_search
        self._session.snapshot_for_text.connect(self._look)
        self._session.state_changed.connect(self._look)
        self._session.failed.connect(lambda _: self.pause())
        self._preferences.play_shown_changed.connect(lambda _: self._conceal())
        self.changed.connect(self._conceal)
        context.events.escaped.connect(self.pause)
        context.events.closing.connect(self.pause)
        context.events.board_shown.connect(self._board_shown)
        board.installEventFilter(self)

    # seats

    def seat(self, player: int, seat: Seat) -> None:
        """Set who plays for player 0 or 1; ``ValueError`` if its search settings are invalid."""
        settings = self._state.settings
        if seat.search is not None and settings is not None:
            seat.search.apply(settings)
        first, second = self.seats
        seats = (seat, second) if player == 0 else (first, seat)
        if seats != self.seats:
            self.seats = seats
            self._outside.keep_only([self._who(each) for each in seats])
            self._remember()
            self._update_turn()

    def _who(self, seat: Seat) -> Who | None:
        """Return who chooses the moves of a seat by itself; None for a person and for our search."""
        if seat.outside is None:
            return None
        ranked = isinstance(seat.outside, RankSource)
        return Who(seat.outside, None, self._session.seed) if ranked else Who(seat.outside, seat.seconds)

    def set_delay(self, seconds: float) -> None:
        """Set the delay between the moves of two engines."""
        self.delay_s = seconds
        self._remember()

    def as_json(self) -> dict[str, Any]:
        """Return the seats and the delay as JSON values."""
        game = self._state.game
        return players_json(Players(self.seats, self.delay_s), "" if game is None else game.text)

    def restore(self, value: Any) -> list[str]:
        """Restore what ``as_json`` returned; return a sentence for each part that is not available."""
        game = self._state.game
        try:
            players, notes = players_from(value, "" if game is None else game.text)
        except ValueError as error:
            return [text_of(error)]
        self.seats, self.delay_s = players.seats, players.delay_s
        self._update_turn()
        self.seats_changed.emit()
        return notes

    def _remember(self) -> None:
        self._preferences.players = json.dumps(self.as_json())

    def recall(self) -> list[str]:
        """Restore the seats of the last run of the program; see ``restore``."""
        try:
            saved = parse_json(self._preferences.players or "null")
        except ValueError as error:
            return [text_of(error)]
        notes = [] if saved is None else self.restore(saved)
        if notes:
            self._remember()  # so that the notes appear only once
        return notes

    @property
    def to_move(self) -> Seat | None:
        """The seat to move in the position shown; None when the game is over or none is open."""
        position = self._state.position
        return None if position is None or position.is_over else self.seats[position.to_move]

    def search_of(self, seat: Seat) -> tuple[EvaluatorSource | None, SearchSettings]:
        """Return the source and settings an engine plays with."""
        source, settings = self._state.source, self._state.settings
        assert settings is not None
        if seat.source != AS_WINDOW:
            source = seat.source
        settings = fitting(settings, source) if seat.search is None else seat.search.apply(settings)
        return source, playing_exactly(settings, self._state.position)

    # commands

    def start(self) -> None:
        """Start playing from the position shown."""
        if self._state.position is None or self.running:
            return
        self.running = True
        self._from = self._state.position
        self._conceal()
        self._update_turn()

    def pause(self) -> None:
        """Pause the engines; the window searches with its own settings again."""
        if self.running:
            self.running = False
            self._leave()
            self.changed.emit()

    def toggle(self) -> None:
        self.pause() if self.running else self.start()

    def take_back(self) -> None:
        """Take back to the last turn of a person; without one, or while paused, take back one move."""
        state = self._state
        target = state.cursor - 1
        if self.running and state.cursor:
            self.clock.count_take_back()
        if self.running:
            persons = [ply for ply in range(state.cursor) if not self.seats[state.positions[ply].to_move].engine]
            if persons:
                target = persons[-1]
            else:
                self.pause()
        self._quiet = True
        first = state.cursor
        try:
            while state.cursor > max(0, target):
                before = state.cursor
                state.take_back(joined=before < first)
                if state.cursor >= before:
                    break
        finally:
            self._quiet = False
        self._update_turn()

    def undo(self) -> None:
        """Undo a change of the record; while running undo a second one if after the first an engine is to move."""
        self._quiet = True
        try:
            self._state.undo()
            if self.running and self.to_move is not None and self.to_move.engine:
                self._state.undo(joined=True)
        finally:
            self._quiet = False
        if self.running and self.to_move is not None and self.to_move.engine:
            self.pause()
        self._update_turn()

    # the turn

    @property
    def resigning(self) -> int:
        """The player who resigns now: the person while an engine thinks, else the side to move."""
        position, (first, second) = self._state.position, self.seats
        if self.thinking and first.engine != second.engine:
            return int(first.engine)
        return 0 if position is None else position.to_move

    @property
    def at_the_end(self) -> bool:
        """Whether an engine may move here: the end of the record, or the position from which play was started."""
        state = self._state
        return state.cursor == len(state.moves) or _same(state.position, self._from)

    def _engine_to_move(self) -> Seat | None:
        """Return the engine's seat that is to move in the position shown; None for a person, or when play is paused."""
        if self._state.start is not self._start:
            self._start = self._state.start
            self.running = self.running and not self._state.moves  # an opened game is paused at first
        if not _same(self._state.position, self._from):
            self._from = None
        seat = self.to_move
        return seat if self.running and seat is not None and seat.engine and self.at_the_end else None

    def _will_search(self) -> bool:
        """Whether ``_update_turn`` starts a search in the position shown, in place of the window's own."""
        seat = None if self._quiet else self._engine_to_move()
        if seat is None or seat.outside is not None:
            return False
        try:
            self.search_of(seat)
        except ValueError:  # play will be paused
            return False
        return True

    def _update_turn(self) -> None:
        """React to a new position or new seats: start the search of the engine that is to move."""
        if self._quiet:
            return
        seat, position = self._engine_to_move(), self._state.position
        if position is None or seat is None:
            self._leave()
            if self.running and position is not None and position.is_over and self.at_the_end:
                self.running = False
                self.ended.emit(position)
            self.changed.emit()
            return
        if (who := self._who(seat)) is not None:
            self._session.search_own()
            if not self._outside.is_asked(who, position):
                self._clear_turn()
                self.thinking, self._thinking_position, self._has_own_search = True, position, False
                self._outside.ask(who, position)
            self.changed.emit()
            return
        try:
            search = self.search_of(seat)
        except ValueError as error:
            self._messages.show_notice(text_of(error))
            self.pause()
            return
        self._clear_turn()
        self.thinking, self._thinking_position = True, position
        self._has_own_search = search != (self._state.source, self._state.settings)
        self._since.start()
        self._seconds = seconds_within(seat.seconds, self.clock.budget(position.to_move))
        self._session.search_to(replace(seat.limit, seconds=self._seconds), *search)
        if self.thinking:  # its search did not fail at once
            self.changed.emit()

    def _conceal(self) -> None:
        """Hide the analysis while a person plays against an engine, unless the user wants to see it."""
        against = self.running and self.seats[0].engine != self.seats[1].engine
        self._session.conceal(against and not self._preferences.play_shown)

    def _leave(self) -> None:
        """End the engine's turn; stop its search if it was to move in this position."""
        thought = None if self._outside.asked else self._thinking_position
        self._clear_turn()
        if _same(self._state.position, thought) and self._session.searching:
            self._session.stop()
        self._session.search_own()

    def _clear_turn(self) -> None:
        self._moving.stop()
        self._outside.forget()
        self.thinking, self._thinking_position = False, None

    def _look(self, *_: object) -> None:
        """Make the engine's move once its search has ended; pause if the user stopped the search."""
        if not self.thinking or self._outside.asked or self._moving.isActive():
            return
        snapshot = self._session.newest
        if self._session.limit.mode == IDLE:
            self.pause()
            return
        if self._session.searching or snapshot is None or not snapshot.reason:
            self.changed.emit()
            return
        if snapshot.position != self._state.position:
            return
        if self._has_ended(snapshot):
            self._move_soon()

    def _move_soon(self) -> None:
        both = self.seats[0].engine and self.seats[1].engine
        self._moving.start(round(1000 * self.delay_s) if both else 0)
        self.changed.emit()

    def _has_ended(self, snapshot: Snapshot) -> bool:
        """Whether this search reached its limit; a reused tree first shows figures and end reason of the last one."""
        seat = self.to_move
        if seat is None or snapshot.reason != LIMIT:
            return True
        if self._seconds is not None and self._since.elapsed() >= 900 * self._seconds:
            return True
        return seat.seconds is None and snapshot.simulations >= seat.simulations

    def _move(self) -> None:
        """Make the engine's move, only in the position that it was searched for."""
        position = self._state.position
        if not self.thinking or not _same(position, self._thinking_position):
            return
        if self._outside.asked:
            answer = self._outside.answer
            self._clear_turn()
            if answer == RESIGNS:
                self._resign()
            elif answer is not None:
                self._state.play(answer)
            return
        if self._session.searching:
            return
        action = self._session.move_to_play()
        if action < 0:
            self._messages.show_notice(Text("The engine found no move: give it more simulations or time."))
            self.pause()
            return
        self._clear_turn()
        self._state.play(action)

    # the search

    def _search_changed(self) -> None:
        """React to changed search settings: restart an engine that uses the window's, pause otherwise."""
        if self.thinking and self._has_own_search:
            self._clear_turn()  # the running search is now the user's
            self._messages.show_notice(
                Text("The search was changed while an engine was thinking with its own: play is paused.")
            )
            self.pause()
        else:
            self._update_turn()

    def _game_changed(self) -> None:
        """Reset the engines' nets to the window's, because nets belong to a game."""
        self._clear_turn()
        self.running = False
        self.seats = tuple(  # type: ignore[assignment]
            replace(seat, source=AS_WINDOW) if isinstance(seat.source, NetSource | RankSource) else seat
            for seat in self.seats
        )

    def _board_shown(self, shown: bool) -> None:
        """Pause when the board is covered, because a move would bring it back."""
        if self.running and not shown:
            self.pause()
            self._messages.show_notice(Text("Play is paused while the board is out of sight."))

    @property
    def making_move(self) -> bool:
        """Whether an engine has finished its search and its move is about to be made."""
        return self._moving.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Block clicks on the board while an engine thinks."""
        pressed = event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent)
        if pressed and self.thinking and event.button() == Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            self._messages.show_notice(Text("The engine is to move: pause the play to move for it."))
            return True
        return super().eventFilter(watched, event)


def _same(a: Position | None, b: Position | None) -> bool:
    return a is not None and b is not None and a == b and a.moves == b.moves
