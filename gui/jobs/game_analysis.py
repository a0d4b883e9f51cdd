"""Background analysis of all positions of a game, one search each, results by position.  Knows no view, no record.

These are separate searches: the analysis shown in the window continues.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.jobs.newest import Newest, Report, Stale
from gui.model.sources import source_title
from gui.model.timers import make_timer
from gui.widgets.words import PROVED_VALUES, is_agreed

if TYPE_CHECKING:
    from core.engine import Evaluator, EvaluatorSource
    from core.games import Position
    from core.search import SearchSettings

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


@dataclass(frozen=True)
class Figures:
    """The result of one position's search.  Values are for the side to move there, in [-1, +1]."""

    value: float  # of the position
    exact: bool  # whether it is proved or the game is over
    best: tuple[int, ...] = ()  # the move the search would play and its images under symmetry
    best_value: float = math.nan  # Q of that move in the search
    best_exact: bool = False
    pv: tuple[int, ...] = ()
    visits: int = 0


def _agreed_value(position: Position, evaluator: Evaluator | None) -> float:
    """The value of an ended game as its players would count it, without the stones that seem dead."""
    from core.engine.dead_stones import dead_stones

    assert position.game.counting is not None
    margin = position.game.counting.counted(position, dead_stones(position, evaluator)).margin
    return float((margin > 0) - (margin < 0)) * (1 if position.to_move == 0 else -1)


def evaluate(
    position: Position, evaluator: Evaluator | None, basis: Basis, should_stop: Callable[[], bool]
) -> Figures | None:
    """Search a position with a new tree and seed 0, as ``plyscope analyze`` does; None when stopped early."""
    if is_agreed(position):
        return Figures(_agreed_value(position, evaluator), exact=False)
    if position.is_over:
        return Figures(float(position.returns[position.to_move]), exact=True)
    from core.engine import Search
    from core.glass.snapshot import STOPPED
    from core.search import Limit

    search = Search(position, evaluator, basis.settings)
    if search.run(Limit(simulations=basis.simulations), should_stop) == STOPPED:
        return None
    snapshot = search.snapshot()
    root, best = snapshot.root, snapshot.best
    if best < 0:
        return Figures(snapshot.value, exact=bool(root.proof), visits=root.visits)
    proof, tried = int(root.proofs[root.best_index]), bool(root.visits_of[root.best_index])
    return Figures(
        value=snapshot.value,
        exact=bool(root.proof),
        best=(best, *root.same.get(best, ())),
        best_value=PROVED_VALUES.get(proof, float(root.qs[root.best_index]) if tried else snapshot.value),
        best_exact=bool(proof),
        pv=snapshot.pv,
        visits=root.visits,
    )


class GameAnalysis(Newest):
    """Evaluates positions one after another in a thread; results are kept when it is stopped."""

    changed = Signal()  # new results (at most a few times a second), start or end

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.basis: Basis | None = None  # of the latest analysis
        self.error = ""  # why it stopped early, in one sentence
        self.running = False
        self._kept: dict[tuple[object, ...], Figures] = {}
        self._debounce = make_timer(self, REPORT_MS, self.changed, once=True)
        self.progressed.connect(self._take)
        self.answered.connect(self._finish)
        self.failed.connect(self._finish)

    def figures(self, position: Position) -> Figures | None:
        """Return the result from the latest analysis or from an earlier one on the same basis."""
        return None if self.basis is None else self._kept.get((position, *self.basis.key))

    def start(self, positions: Sequence[Position], basis: Basis) -> None:
        """Evaluate the positions without a result, in order; a running analysis is stopped first."""
        self.stop()
        self.basis, self.error = basis, ""
        missing = [position for position in dict.fromkeys(positions) if self.figures(position) is None]
        if missing:
            log.info(
                "analysing %d positions with %s, %d simulations each", len(missing), basis.title, basis.simulations
            )
            self.running = True
            self.put(partial(self._work, missing, basis))
        self.changed.emit()

    def stop(self) -> None:
        """Stop after the current slice."""
        if self.running:
            self.forget()
            self.running = False
            self.changed.emit()

    # in the thread

    def _work(self, positions: list[Position], basis: Basis, stale: Stale, report: Report) -> None:
        evaluator = None if basis.source is None else basis.source.load(positions[0].game)
        for position in positions:
            figures = None if stale() else evaluate(position, evaluator, basis, stale)
            if figures is None:
                return
            report(((position, *basis.key), figures))

    # in the GUI thread

    def _take(self, found: tuple[tuple[object, ...], Figures]) -> None:
        key, figures = found
        self._kept[key] = figures
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        if not self._debounce.isActive():
            self._debounce.start()

    def _finish(self, error: str | None) -> None:
        self.running, self.error = False, error or ""
        self._debounce.stop()
        self.changed.emit()
