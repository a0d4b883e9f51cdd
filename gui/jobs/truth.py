"""Solves positions exactly in a thread and caches the results.

An older question is stopped.  What a solver has learned helps with the next position of
its game, so it is kept; the thread that works is the only one to touch it.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from core.text import Text, Words, joined
from gui.jobs.newest import Newest, Report, Stale
from gui.model.timers import make_timer
from gui.widgets.figures import short_count, signed

if TYPE_CHECKING:
    from core.games import Position
    from core.solve import Interim, Solution
    from gui.model.state import Solutions

REST_MS: Final = 120  # a position is asked about when it has been shown so long
REPORT_MS: Final = 250
QUICK_S: Final = 1.0  # for a position that should be solved at once
MOST_KEPT: Final = 512
OVER: Final[Words] = "The game is over: there is no move to value."


class TruthReader(Newest):
    """Solves one position at a time; ``solution`` and ``note`` are of the newest one."""

    changed = Signal()  # another note, or another solution

    def __init__(self, parent: QObject | None = None, solutions: Solutions | None = None) -> None:
        """``solutions``: results that are shared with other readers."""
        super().__init__(parent)
        self._position: Position | None = None  # asked for
        self._solutions: Solutions = OrderedDict() if solutions is None else solutions
        self._solver: Any = None  # touched by the task alone
        self._quick = False  # whether it is given up after a moment
        self._interim: Interim | None = None  # what is known of the newest position while it is solved
        self.note = ""  # what is being done, or why there is no answer; in English
        self._noted: tuple[str, Solution | None] = ("", None)  # the note and the solution at the last note
        self._since_progress, self._since_start = QElapsedTimer(), QElapsedTimer()
        self._later = make_timer(self, REST_MS, self._solve, once=True)
        self.answered.connect(self._take)
        self.failed.connect(self._refuse)
        self.progressed.connect(self._count)

    @property
    def solution(self) -> Solution | None:
        """The exact results of the newest position, as far as they are known; None while there are none."""
        if self._position is None:
            return None
        if self._position in self._solutions:
            return self._solutions[self._position]
        return None if self._interim is None else self._interim.solution

    def ask(self, position: Position | None, quick: bool = False) -> None:
        """Solve a position, or take its cached results; None: stop solving.

        ``quick``: only if it should be solved at once, and without a note where it is not.
        """
        same = (position, quick) == (self._position, self._quick)
        if same and (position is None or quick or position in self._solutions or self.working):
            return
        self._position, self._quick, self._interim = position, quick, None
        self.forget()
        self._later.stop()
        if position is None:
            self._set_note("")
        elif position.is_over:
            self._set_note(OVER)
        elif position in self._solutions:
            self._solutions.move_to_end(position)
            self._set_note("")
        else:
            self._later.start()
            self._set_note("" if quick else "solving…")

    @property
    def solving(self) -> bool:
        """Whether the newest position is being solved, or will be in a moment."""
        return self._later.isActive() or (self.working and self._position is not None)

    def _set_note(self, note: Words) -> None:
        """Set the note, and emit ``changed`` if it or the solution is another one than before."""
        before, self._noted = self._noted, (note, self.solution)
        self.note = note
        if before[0] != note or before[1] is not self._noted[1]:
            self.changed.emit()

    def _solve(self) -> None:
        assert self._position is not None
        self._since_progress.start()
        self._since_start.start()
        self.put(partial(self._work, self._position, self._quick))

    def _work(self, position: Position, quick: bool, stale: Stale, report: Report) -> Solution | None:
        from core.solve import Solver, refusal

        if quick and not is_quick(position):
            return None
        if problem := refusal(position):
            raise ValueError(problem)
        if self._solver is None or self._solver.game != position.game:
            self._solver = Solver(position.game)
        solution: Solution | None = self._solver.solve(
            position, stale, None if quick else report, QUICK_S if quick else None, report
        )
        complete = solution is not None and all(move.value is not None for move in solution.moves)
        return solution if complete or not quick else None

    def _count(self, news: int | Interim) -> None:
        """Take what is known of the score, or count the positions."""
        if not isinstance(news, int):
            self._interim = news
        elif self._since_progress.elapsed() >= REPORT_MS:
            self._since_progress.start()
            self._set_note(self._progress(news))

    def _progress(self, nodes: int) -> Text:
        """Return since when the position is being solved, whether it may take long, what is known, and how fast."""
        assert self._position is not None
        waited = self._since_start.elapsed()
        time = f"{waited // 60_000}:{waited // 1000 % 60:02}"
        began: Words = "solving for {time}" if is_quick(self._position) else "solving for {time}, can take minutes"
        rate = short_count(1000 * nodes / max(1, waited))
        counted = Text("{count} positions, {rate} a second", count=short_count(nodes), rate=rate)
        return joined(filter(None, (Text(began, time=time), self._known(), counted)), " · ")

    def _known(self) -> str:
        """Return what is known of the position while it is solved; "" for nothing."""
        interim = self._interim
        if interim is None or self._position is None:
            return ""
        if interim.bounds is None:
            if interim.known == interim.moves:
                return Text("all {moves} moves solved, in how many plies is still sought", moves=interim.moves)
            return Text("{known} of {moves} moves solved", known=interim.known, moves=interim.moves)
        low, high = (signed(bound, 0) for bound in interim.bounds)
        if low == high:
            return Text(
                "{score} discs, {known} of {moves} moves solved", score=low, known=interim.known, moves=interim.moves
            )
        if interim.best is None:
            return Text("{low} to {high} discs", low=low, high=high)
        best = self._position.game.action_name(interim.best)
        return Text("{low} to {high} discs, best so far {best}", low=low, high=high, best=best)

    def _take(self, solution: Solution | None) -> None:
        assert self._position is not None
        if solution is None:
            return
        self._solutions[self._position] = solution
        while len(self._solutions) > MOST_KEPT:
            self._solutions.popitem(last=False)
        self._set_note("")

    def _refuse(self, sentence: str) -> None:
        if isinstance(sentence, Text) and "game" in sentence.values and self._position is not None:
            sentence = sentence.having(game=self._position.game.title)  # instead of its name
        self._set_note(Text("Not solved: {sentence}.", sentence=sentence))


def is_quick(position: Position) -> bool:
    """Whether a position should be solved at once: small enough, also for the solver of its game if it has one."""
    from core.solve.solver import empty_cells, quick_empties, refusal

    most = quick_empties(position.game)
    return refusal(position) is None and (not most or empty_cells(position) <= most)
