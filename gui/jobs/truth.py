"""Asks for the exact results of a position beside the window, and remembers them.  Knows no view.

An older question is stopped.  What a solver has learned helps with the next position of
its game, so it is kept; the thread that works is the only one to touch it.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from core.text import Text
from gui.jobs.newest import Newest, Stale, Tell
from gui.language.language import mark
from gui.model.timers import make_timer
from gui.widgets.figures import short_count

if TYPE_CHECKING:
    from core.games import Position
    from core.solve import Solution

REST_MS: Final = 120  # a position is asked about when it has been shown so long
TELL_MS: Final = 250
MOST_KEPT: Final = 512
OVER: Final = mark("The game is over: there is no move to value.")
STOPPED: Final = mark("Solving was stopped; choose the overlay again to continue.")


class TruthReader(Newest):
    """``solution`` and ``note`` are about the position asked for last."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._position: Position | None = None  # asked for
        self._kept: OrderedDict[Position, Solution] = OrderedDict()
        self._solver: Any = None  # touched by the task alone
        self.note = ""  # what is being done, or why there is no answer; in English
        self._since_told = QElapsedTimer()
        self._later = make_timer(self, REST_MS, self._solve, once=True)
        self.answered.connect(self._take)
        self.failed.connect(self._refuse)
        self.told.connect(self._count)

    @property
    def solution(self) -> Solution | None:
        """The answer to the last question; None while there is none."""
        return self._kept.get(self._position) if self._position is not None else None

    def ask(self, position: Position | None) -> None:
        """Solve a position, or give what is known of it; None asks nothing and stops what goes on."""
        if position is not None and position == self._position and (self.solution or self.working):
            return
        self._position = position
        self.forget()
        self._later.stop()
        if position is None:
            self._say("")
        elif position.is_over:
            self._say(OVER)
        elif position in self._kept:
            self._kept.move_to_end(position)
            self._say("")
        else:
            self._say(mark("solving…"))
            self._later.start()

    def stop(self) -> None:
        """Give the question up."""
        if self.working or self._later.isActive():
            self.ask(None)
            self._say(STOPPED)

    def _say(self, note: str) -> None:
        self.note = note
        self.changed.emit()

    def _solve(self) -> None:
        assert self._position is not None
        self._since_told.start()
        self.put(partial(self._work, self._position))

    def _work(self, position: Position, stale: Stale, tell: Tell) -> Solution | None:
        from core.solve import Solver, refusal

        if problem := refusal(position):
            raise ValueError(problem)
        if self._solver is None or self._solver.game != position.game:
            self._solver = Solver(position.game)
        solution: Solution | None = self._solver.solve(position, stale, tell)
        return solution

    def _count(self, nodes: int) -> None:
        if self._since_told.elapsed() >= TELL_MS:
            self._since_told.start()
            self._say(Text("solving… {nodes} positions", nodes=short_count(nodes)))

    def _take(self, solution: Solution) -> None:
        assert self._position is not None
        self._kept[self._position] = solution
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._say("")

    def _refuse(self, sentence: str) -> None:
        self._say(Text("Not solved: {sentence}.", sentence=sentence))
