"""Finds out why the search misses a line, by searching again with one prior or value of the net corrected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from gui.jobs.job import Job
from gui.jobs.preview import alone

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.engine import EvaluatorSource
    from core.engine.postmortem import PostMortem, Repair
    from core.games import Position
    from core.search import SearchSettings
    from core.solve import Solution
    from gui.jobs.newest import Report, Stale
    from gui.model.session import Session
    from gui.model.shown import PathOf

LEAST: Final = 200  # simulations of each run, at least
MOST: Final = 20_000  # and at most
SOLVE_S: Final = 5.0  # for the position, and for each one of the line


class Asked(NamedTuple):
    """A line that the search of a position misses."""

    position: Position
    line: PathOf
    source: EvaluatorSource
    settings: SearchSettings
    seed: int
    simulations: int
    solution: Solution | None
    shown: int | None  # the choice of the search on the screen; None: there is none


class PostMortemJob(Job):
    """The newest post-mortem; ``repairs`` grow while it runs, ``report`` is there when it has ended."""

    reported = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.asked: Asked | None = None
        self.repairs: tuple[Repair, ...] = ()
        self.report: PostMortem | None = None

    def examine(self, position: Position, line: PathOf) -> None:
        """Begin with a line from ``position``; needs a net on this machine."""
        session = self._session
        assert session.source is not None
        assert session.settings is not None
        solution = session.state.solutions.get(position)
        simulations, shown = self._present()
        self.asked = Asked(position, line, session.source, session.settings, session.seed, simulations, solution, shown)
        self.repairs, self.report = (), None
        self.run(partial(_examined, self.asked))

    def _present(self) -> tuple[int, int | None]:
        """How many simulations the search on the screen has, within bounds, and its choice."""
        snapshot = self._session.snapshot
        if snapshot is None:
            return LEAST, None
        return max(LEAST, min(MOST, snapshot.simulations)), snapshot.best if snapshot.best >= 0 else None

    def is_of_present(self, simulations: bool = True) -> bool:
        """Whether what was asked, if anything, is of the position shown and of its search as it is set;
        ``simulations``: and as long as that is now, with the same choice."""
        asked, session = self.asked, self._session
        if asked is None:
            return True
        present = (session.state.position, session.source, session.settings, session.seed)
        same = (asked.position, asked.source, asked.settings, asked.seed) == present
        return same and (not simulations or (asked.simulations, asked.shown) == self._present())

    def forget(self) -> None:
        """Stop, and drop what was found."""
        self.stop()
        self.asked, self.repairs, self.report = None, (), None
        self.changed.emit()

    def take(self, value: Repair) -> None:
        self.repairs = (*self.repairs, value)
        self.reported.emit()

    def finish(self, result: PostMortem | None) -> None:
        self.report = result
        if result is not None:
            self.repairs = result.repairs


def _examined(asked: Asked, stale: Stale, report: Callable[[Repair], None] | Report) -> PostMortem | None:
    from core.engine.postmortem import exact_results, exact_values, post_mortem

    position, exact = asked.position, None
    if asked.solution is not None:
        known = {move.action: move.value for move in asked.solution.moves if move.value is not None}
        exact = known if len(known) == len(asked.solution.moves) else None
    if exact is None:
        exact = exact_results(position, SOLVE_S, stale)
    return post_mortem(
        position,
        asked.line,
        asked.source.load(position.game),
        alone(asked.settings),
        asked.simulations,
        asked.seed,
        exact,
        exact_values(position, asked.line, SOLVE_S, stale),
        asked.shown,
        stale,
        report,
    )
