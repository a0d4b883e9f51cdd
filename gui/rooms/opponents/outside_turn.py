"""The turn of an outside engine: it is asked for its move, which is played when it comes.

An engine that fails is ended and named; the game stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.jobs.outside_moves import RESIGNS, OutsideMoves

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.rooms.opponents.play_seats import Seat


class OutsideTurn(QObject):
    """Asks the outside engine that is to move; at most one question at a time."""

    answered = Signal()  # ``answer`` is known
    failed = Signal()  # the engine has ended; the sentence is shown

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._messages = context.state, context.messages
        self._resign = context.actions["resign"].trigger
        self._of: tuple[Seat, Position] | None = None  # who was asked about what
        self.answer: int | None = None
        self._seats: list[Seat | None] = [None, None]  # whose engines may be running
        self._moves = OutsideMoves(self)
        self._moves.answered.connect(self._take)
        self._moves.failed.connect(self._fail)
        context.state.game_changed.connect(self._moves.end)
        context.events.closing.connect(self._moves.end)

    @property
    def asked(self) -> bool:
        """Whether an outside engine is to move and was asked."""
        return self._of is not None

    def is_asked(self, seat: Seat, position: Position) -> bool:
        """Whether this engine was asked about just this."""
        return self._of is not None and self._of == (seat, position) and self._of[1].moves == position.moves

    def ask(self, seat: Seat, position: Position) -> None:
        """Ask for the move of a seat whose engine is an outside one."""
        assert seat.outside is not None
        assert seat.seconds is not None
        self._of, self.answer = (seat, position), None
        self._seats[position.to_move] = seat
        self._moves.ask(position.to_move, seat.outside.name, seat.seconds, position)

    def forget(self) -> None:
        """Drop the question."""
        self._of = self.answer = None
        self._moves.forget()

    def end_others(self, seats: tuple[Seat, Seat]) -> None:
        """End the engines when one that may be running has left its seat."""
        if any(before is not None and before != seat for before, seat in zip(self._seats, seats, strict=True)):
            self._seats = [None, None]
            self.forget()
            self._moves.end()

    def play(self, action: int | None) -> None:
        """Play the move that was answered, or resign."""
        if action == RESIGNS:
            self._resign()
        elif action is not None:
            self._state.play(action)

    def _take(self, action: int) -> None:
        self.answer = action
        self.answered.emit()

    def _fail(self, sentence: str) -> None:
        self.failed.emit()
        self._messages.show_error(sentence)
