"""Moves of outside engines, asked for in threads: one process for each side."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.jobs.task import TASK, run_task

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from models.engines.engine import Engine

RESIGNS: Final = -1  # in place of a move


class _Chair:
    """One side's engine, kept from move to move; asked by one thread at a time, ended by any."""

    def __init__(self, name: str, seconds: float, game: GameSpec) -> None:
        self.of = (name, seconds, game)
        self.busy = False  # in the GUI thread: whether it was asked and has not answered yet
        self._lock = threading.Lock()
        self._engine: Engine | None = None
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

    def _start(self) -> Engine:
        from models.engines.known import find_engine
        from models.engines.opening import open_listed

        name, seconds, game = self.of
        entry = find_engine(name)
        engine = open_listed(game, entry, replace(entry.read_options(), seconds=seconds))
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
    """Asks engines of the list for moves; an engine that fails is ended, and ``failed`` has the sentence.

    One that is asked while it still thinks about something else is ended and started again, so that nobody waits for
    a move that is not wanted."""

    answered = Signal(int)  # the move, or RESIGNS
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked = 0  # number of the question whose answer is wanted
        self._chairs = _Chairs()
        self.destroyed.connect(self._chairs.end)

    def ask(self, side: int, name: str, seconds: float, position: Position) -> None:
        """Ask the engine ``name``, which plays that side, for its move; other questions are dropped."""
        self._asked += 1
        chair = self._chairs.get(side)
        if chair is None or chair.busy or chair.of != (name, seconds, position.game):
            if chair is not None:
                chair.end_soon()
            chair = self._chairs[side] = _Chair(name, seconds, position.game)
        chair.busy = True
        run_task(
            self,
            partial(chair.move, position),
            partial(self._take, chair, self._asked),
            partial(self._fail, side, chair, self._asked),
        )

    def forget(self) -> None:
        """Drop the question; the engine may still think about it."""
        self._asked += 1

    def end(self) -> None:
        """End all engines."""
        self.forget()
        self._chairs.end()

    def _take(self, chair: _Chair, number: int, action: int) -> None:
        chair.busy = False
        if number == self._asked:
            self.answered.emit(action)

    def _fail(self, side: int, chair: _Chair, number: int, sentence: str) -> None:
        if self._chairs.get(side) is chair:
            del self._chairs[side]
        if number == self._asked:
            self.failed.emit(sentence)
