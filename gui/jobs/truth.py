"""Asks for the exact results of a position beside the window, and remembers them.  Knows no view.

Only the newest question counts: an older one is stopped.  What a solver has learned helps with the next position of
its game, so it is kept; the thread that works is the only one to touch it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from gui.jobs.task import Task, run_task
from gui.language.language import mark, tr
from gui.widgets.figures import short_count

if TYPE_CHECKING:
    from core.games import Position
    from core.solve import Solution

REST_MS: Final = 120  # a position is asked about when it has been shown so long
TELL_MS: Final = 250
MOST_KEPT: Final = 512
OVER: Final = mark("The game is over: there is no move to value.")
STOPPED: Final = mark("Solving was stopped; choose the overlay again to continue.")


class TruthReader(QObject):
    """One question at a time.  ``solution`` and ``note`` are about the position asked for last."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._position: Position | None = None  # asked for
        self._kept: OrderedDict[Position, Solution] = OrderedDict()
        self._task: Task | None = None
        self._stop = threading.Event()
        self._working: Position | None = None
        self._solver: Any = None  # touched by the task alone
        self._nodes = 0
        self.note = ""  # what is being done, or why there is no answer
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(REST_MS)
        self._later.timeout.connect(self._next)
        self._clock = QTimer(self)
        self._clock.setInterval(TELL_MS)
        self._clock.timeout.connect(self._tell_progress)

    @property
    def solution(self) -> Solution | None:
        """The answer to the last question; None while there is none."""
        return self._kept.get(self._position) if self._position is not None else None

    @property
    def solving(self) -> bool:
        return self._task is not None

    def ask(self, position: Position | None) -> None:
        """Solve a position, or give what is known of it; None asks nothing and stops what goes on."""
        if position is not None and position == self._position and (self.solution or self.solving):
            return
        self._position = position
        self._stop.set()
        self._later.stop()
        if position is None:
            self._say("")
        elif position.is_over:
            self._say(tr(OVER))
        elif position in self._kept:
            self._kept.move_to_end(position)
            self._say("")
        else:
            self._say(tr("solving…"))
            self._later.start()

    def stop(self) -> None:
        """Give the question up."""
        if self.solving or self._later.isActive():
            self.ask(None)
            self._say(tr(STOPPED))

    def _say(self, note: str) -> None:
        self.note = note
        self.changed.emit()

    def _next(self) -> None:
        position = self._position
        if self._task is not None or position is None or position in self._kept:
            return
        self._stop = threading.Event()
        self._working, self._nodes = position, 0
        self._task = run_task(self, partial(self._work, position, self._stop), self._done, self._broke)
        self._clock.start()

    def _work(self, position: Position, stop: threading.Event) -> Solution | None:
        from core.solve import Solver, refusal

        if problem := refusal(position):
            raise ValueError(problem)
        if self._solver is None or self._solver.game != position.game:
            self._solver = Solver(position.game)
        solution: Solution | None = self._solver.solve(position, stop.is_set, self._count)
        return solution

    def _count(self, nodes: int) -> None:
        self._nodes = nodes

    def _tell_progress(self) -> None:
        if self._working == self._position and self._nodes:
            self._say(tr("solving… {nodes} positions").format(nodes=short_count(self._nodes)))

    def _done(self, solution: Solution | None) -> None:
        position = self._end()
        if solution is not None and position is not None:
            self._kept[position] = solution
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            if position == self._position:
                self._say("")
        self._next()

    def _broke(self, sentence: str) -> None:
        if self._end() == self._position:
            self._say(tr("Not solved: {sentence}.").format(sentence=sentence))
        else:
            self._next()

    def _end(self) -> Position | None:
        self._task = None
        self._clock.stop()
        position, self._working = self._working, None
        return position
