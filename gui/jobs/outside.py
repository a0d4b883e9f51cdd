"""An outside engine beside the window: it says what it thinks of one position after the other."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.jobs.job import Job
from gui.jobs.newest import Report, Stale

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from models.engines.engine import Engine
    from models.engines.engine_list import EngineEntry
    from models.engines.opinion import Opinion
    from models.engines.process import Line

LONGEST_S: Final = 24 * 3600.0  # of one analysis


class _Holder:
    """The engine that runs, kept from one position to the next; used by one thread at a time."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self._of: tuple[EngineEntry, str] | None = None

    def engine_for(self, entry: EngineEntry, game: GameSpec) -> Engine:
        """The engine of the list for a game, started if it does not run; EngineError when it cannot be."""
        if self.engine is None or self._of != (entry, game.text):
            from models.engines.opening import open_listed

            self.close()
            self.engine, self._of = open_listed(game, entry), (entry, game.text)
        return self.engine

    def close(self) -> None:
        engine, self.engine = self.engine, None
        if engine is not None:
            engine.close()

    def end(self, *_: object) -> None:
        """End the engine without waiting for it."""
        threading.Thread(target=self.close, name="task", daemon=True).start()


class OutsideAnalysis(Job):
    """Asks one engine at a time, which goes on from position to position; ``found`` for another opinion."""

    reported = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.opinion: Opinion | None = None
        self.note = ""  # why the engine ended, in English; "" if it did not, or was stopped
        self.entry: EngineEntry | None = None  # the engine that is asked; None: none is
        self.name = ""  # of the engine asked last
        self._engine: Engine | None = None
        self._last_words: tuple[Line, ...] = ()  # the dialogue with an engine that has ended
        holder = self._holder = _Holder()
        self.destroyed.connect(holder.end)

    @property
    def dialogue(self) -> tuple[Line, ...]:
        """The last lines of the dialogue with the engine, or with the one that ended last."""
        return self._last_words if self._engine is None else tuple(self._engine.process.dialogue)

    def start(self, entry: EngineEntry, position: Position | None) -> None:
        """Ask an engine from now on, in place of the one before."""
        self.entry, self.name, self.note, self._engine, self._last_words = entry, entry.name, "", None, ()
        self.look_at(position)
        self.changed.emit()

    def look_at(self, position: Position | None) -> None:
        """Ask about another position; the engine waits while there is none, or the game is over."""
        self.opinion = None
        if self.entry is not None:
            if position is None or position.is_over:
                super().stop()
            else:
                self.run(partial(_analyse, self._holder, self.entry, position))
        self.reported.emit()

    def stop(self) -> None:
        """End the engine."""
        if self.entry is not None:
            self._last_words, self._engine, self.entry = self.dialogue, None, None
            self.run(partial(_close, self._holder))

    def take(self, value: object) -> None:
        from models.engines.opinion import Opinion

        if isinstance(value, Opinion):
            self.opinion = value
            self.reported.emit()
        elif isinstance(value, tuple):
            self._last_words = value
        elif value is not self._engine:
            self._engine = value  # type: ignore[assignment]
            self.changed.emit()

    def give_up(self, sentence: str) -> None:
        self._last_words, self._engine, self.entry = self.dialogue, None, None
        self.note = sentence


def _analyse(holder: _Holder, entry: EngineEntry, position: Position, stale: Stale, report: Report) -> None:
    from models.engines.process import EngineError

    try:
        engine = holder.engine_for(entry, position.game)
    except EngineError as error:
        report(error.dialogue)
        raise
    report(engine)
    try:
        for opinion in engine.analysis(position, LONGEST_S, stale):
            report(opinion)
    except BaseException:
        report(tuple(engine.process.dialogue))
        holder.close()
        raise


def _close(holder: _Holder, stale: Stale, report: Report) -> None:
    holder.close()
