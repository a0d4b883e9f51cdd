"""Moves of outside engines and of imitated players, asked for in threads: one process or net for each side."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from gui.jobs.task import TASK, run_task

if TYPE_CHECKING:
    from core.engine.policy import PolicyPlayer
    from core.games import GameSpec, Position
    from gui.model.sources import OutsideSource, RankSource
    from models.engines.engine import Engine

RESIGNS: Final = -1  # in place of a move


class Who(NamedTuple):
    """A player that chooses its moves by itself."""

    source: OutsideSource | RankSource
    seconds: float | None  # a move, of an outside engine
    seed: int = 0  # of the moves that are drawn

    def open(self, game: GameSpec) -> Engine | PolicyPlayer:
        """Start it; ``ValueError`` or ``OSError`` when that fails."""
        from gui.model.sources import RankSource

        source = self.source
        return source.open(game, self.seed) if isinstance(source, RankSource) else source.open(game, self.seconds)


class _Chair:
    """One side's player, kept from move to move; asked by one thread at a time, ended by any."""

    def __init__(self, who: Who, game: GameSpec) -> None:
        self.who, self.game = who, game
        self.busy = False  # in the GUI thread: whether it was asked and has not answered yet
        self._lock = threading.Lock()
        self._engine: Engine | PolicyPlayer | None = None
        self._ended = False

    def move(self, position: Position) -> int:
        """Start the engine if it does not run, and ask for its move; it is ended when it fails."""
        try:
            engine = self._engine or self._start()
            action = engine.move(position)
        except BaseException:
            self.end()
            raise
        return RESIGNS if action is None else action

    def _start(self) -> Engine | PolicyPlayer:
        engine = self.who.open(self.game)
        with self._lock:
            if not self._ended:
                self._engine = engine
                return engine
        engine.close()
        raise ValueError("ended while it was started")  # seen by nobody: its answer is not wanted any more

    def end(self) -> None:
        with self._lock:
            self._ended = True
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def end_soon(self) -> None:
        """End the engine without waiting for it."""
        threading.Thread(target=self.end, name=TASK, daemon=True).start()


class _Chairs(dict[int, _Chair]):
    """The engines by side."""

    def end(self, *_: object) -> None:
        """End all without waiting for them."""
        while self:
            self.popitem()[1].end_soon()


class OutsideMoves(QObject):
    """Asks engines of the list for moves, one question at a time; an engine that fails is ended.

    One that is asked while it still thinks about something else is ended and started again, so that nobody waits for
    a move that is not wanted."""

    answered = Signal()  # ``answer`` is known
    failed = Signal(str)  # the sentence

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.answer: int | None = None  # the move, or RESIGNS
        self._number = 0  # of the question whose answer is wanted
        self._of: tuple[Who, Position] | None = None  # who is asked about what
        self._chairs = _Chairs()
        self.destroyed.connect(self._chairs.end)

    @property
    def asked(self) -> bool:
        """Whether there is a question, answered or not."""
        return self._of is not None

    def is_asked(self, who: Who, position: Position) -> bool:
        """Whether this player was asked about just this."""
        return self._of == (who, position) and self._of[1].moves == position.moves

    def ask(self, who: Who, position: Position) -> None:
        """Ask a player, who plays the side to move, for its move; another question is dropped."""
        self.forget()
        self._of = who, position
        side = position.to_move
        chair = self._chairs.get(side)
        if chair is None or chair.busy or (chair.who, chair.game) != (who, position.game):
            if chair is not None:
                chair.end_soon()
            chair = self._chairs[side] = _Chair(who, position.game)
        chair.busy = True
        run_task(
            self,
            partial(chair.move, position),
            partial(self._take, chair, self._number),
            partial(self._fail, side, chair, self._number),
        )

    def forget(self) -> None:
        """Drop the question; the engine may still think about it."""
        self._number += 1
        self._of = self.answer = None

    def end(self) -> None:
        """End all engines."""
        self.forget()
        self._chairs.end()

    def keep_only(self, players: Sequence[Who | None]) -> None:
        """End the players if one is not what plays its side, by side; None for a person or our search."""
        if any(chair.who != players[side] for side, chair in self._chairs.items()):
            self.end()

    def _take(self, chair: _Chair, number: int, action: int) -> None:
        chair.busy = False
        if number == self._number:
            self.answer = action
            self.answered.emit()

    def _fail(self, side: int, chair: _Chair, number: int, sentence: str) -> None:
        if self._chairs.get(side) is chair:
            del self._chairs[side]
        if number == self._number:
            self.failed.emit(sentence)
