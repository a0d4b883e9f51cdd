"""Background analysis of all positions of a game, one search each, results by position.

The searches are ours, or those of an outside engine.  They are separate: the analysis shown in the window continues.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.text import Text
from gui.jobs.job import Job
from gui.jobs.newest import Report, Stale
from gui.language.language import tr
from gui.model.sources import source_title
from gui.model.timers import make_timer
from gui.widgets.figures import simulations_words

if TYPE_CHECKING:
    from core.engine import Evaluator, EvaluatorSource
    from core.games import Position
    from core.glass.review import Figures
    from core.search import SearchSettings
    from models.engines.engine_list import EngineEntry

REVIEW_SIMULATIONS = 400  # default number per position
REPORT_MS = 250
KEPT = 50_000  # maximum number of positions with stored results
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Basis:
    """Source, settings and simulations of a game's analysis.  ``ValueError`` when ``simulations`` is invalid."""

    source: EvaluatorSource | None  # None: random rollouts
    settings: SearchSettings
    simulations: int = REVIEW_SIMULATIONS

    def __post_init__(self) -> None:
        from core.search import Limit

        Limit(simulations=self.simulations)

    @property
    def key(self) -> tuple[object, ...]:
        """A key of everything the results depend on."""
        return (None if self.source is None else self.source.label, self.settings, self.simulations)

    @property
    def title(self) -> str:
        return source_title(self.source)

    @property
    def each(self) -> str:
        """What a position gets, in words."""
        return simulations_words(self.simulations)

    def judge(self, positions: Sequence[Position], stale: Stale) -> Generator[tuple[Position, Figures]]:
        """Yield each position with its result, until ``stale``."""
        evaluator = None if self.source is None else self.source.load(positions[0].game)
        for position in positions:
            figures = None if stale() else evaluate(position, evaluator, self, stale)
            if figures is None:
                return
            yield position, figures


def check_seconds(seconds: float) -> None:
    """``ValueError`` for what is no time of an outside engine for a position."""
    from core.checks import is_number, short
    from models.engines.engine import LONGEST_MOVE_S

    if not is_number(seconds, 0.0, LONGEST_MOVE_S) or seconds == 0:
        raise ValueError(
            Text(
                "{seconds} is no time for a position; it must be above 0 and at most {most:g} s",
                seconds=short(seconds),
                most=LONGEST_MOVE_S,
            )
        )


@dataclass(frozen=True)
class EngineBasis:
    """An outside engine of the list and its time for each position; ``ValueError`` when ``seconds`` is invalid."""

    entry: EngineEntry
    seconds: float

    def __post_init__(self) -> None:
        check_seconds(self.seconds)

    @property
    def key(self) -> tuple[object, ...]:
        """A key of everything the results depend on."""
        return (self.entry, self.seconds)

    @property
    def title(self) -> str:
        return self.entry.name

    @property
    def each(self) -> str:
        """What a position gets, in words."""
        return tr("{seconds} s").format(seconds=f"{self.seconds:g}")

    def judge(self, positions: Sequence[Position], stale: Stale) -> Generator[tuple[Position, Figures]]:
        """Yield each position with what the engine says of it, until ``stale``; the engine is ended afterwards."""
        from models.engines.engine import judged
        from models.engines.opening import open_listed

        with closing(open_listed(positions[0].game, self.entry)) as engine:
            yield from judged(engine, positions, self.seconds, stale)


def evaluate(
    position: Position, evaluator: Evaluator | None, basis: Basis, should_stop: Callable[[], bool]
) -> Figures | None:
    """Search a position as ``core.engine.review`` does; None when stopped early."""
    from core.engine.review import evaluate

    return evaluate(position, evaluator, basis.settings, basis.simulations, should_stop)


class GameAnalysis(Job):
    """Evaluates positions one after another; results are kept when it is stopped.

    ``changed`` comes at most a few times a second for new results.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.basis: Basis | EngineBasis | None = None  # of the latest analysis
        self.error = ""  # why it stopped early, in one sentence
        self._figures: dict[tuple[object, ...], Figures] = {}
        self._debounce = make_timer(self, REPORT_MS, self.changed, once=True)

    def figures(self, position: Position) -> Figures | None:
        """Return the result from the latest analysis or from an earlier one on the same basis."""
        return None if self.basis is None else self._figures.get((position, *self.basis.key))

    def start(self, positions: Sequence[Position], basis: Basis | EngineBasis) -> None:
        """Evaluate the positions without a result, in order; a running analysis is stopped first."""
        self.stop()
        self.basis, self.error = basis, ""
        missing = [position for position in dict.fromkeys(positions) if self.figures(position) is None]
        if missing:
            log.info("analysing %d positions with %s, %s each", len(missing), basis.title, basis.each)
            self.run(partial(_judge, missing, basis))
        else:
            self.changed.emit()

    def take(self, value: tuple[tuple[object, ...], Figures]) -> None:
        key, figures = value
        self._figures[key] = figures
        if len(self._figures) > KEPT:
            del self._figures[next(iter(self._figures))]
        if not self._debounce.isActive():
            self._debounce.start()

    def finish(self, result: object) -> None:
        self._debounce.stop()

    def give_up(self, sentence: str) -> None:
        self.error = sentence
        self._debounce.stop()


def _judge(positions: list[Position], basis: Basis | EngineBasis, stale: Stale, report: Report) -> None:
    """Judge the positions in the thread."""
    with closing(basis.judge(positions, stale)) as judged:
        for position, figures in judged:
            report(((position, *basis.key), figures))
