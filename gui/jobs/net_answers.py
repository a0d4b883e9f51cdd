"""Asks the net of the search for the ownership or the outcomes of the position shown, in a thread."""

from __future__ import annotations

import math
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.text import Text, Words
from gui.jobs.newest import Newest, Report, Stale
from gui.model.timers import make_timer
from gui.widgets.board.overlay import MEAN_OWNERS, OUTCOMES, OWNERS

if TYPE_CHECKING:
    from core.engine import Search
    from core.engine.outcomes import Outcomes
    from core.engine.ownership import Ownership
    from core.games import Position
    from gui.model.extras import Analyst
    from gui.model.session import Session
    from gui.model.shown import PathOf

REST_MS: Final = 30  # a position is asked about when it has been shown so long
RENEW_MS: Final = 500  # between two means while the search runs, at least
MOST_OF_TIME: Final = 0.1  # spent on means, at most
POLL_S: Final = 0.05
OVER: Final[Words] = "The game is over."
NO_OWNERSHIP: Final[Words] = "the net gives no ownership"
NO_OUTCOMES: Final[Words] = "the net gives no win, draw and loss"
ELSEWHERE: Final[Words] = "not available for a search on another machine"
IN_PAST: Final[Words] = "a mean is of the present of a search alone"


class _Asked(NamedTuple):
    position: Position
    path: PathOf  # of the position in the search
    what: str  # OWNERS, MEAN_OWNERS or OUTCOMES
    net: str


class NetAnswers(Newest):
    """The answer about the newest position asked about; ``note`` says why there is none, in English."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._asked: _Asked | None = None
        self._visits = self._answered_visits = -1  # of the node; a mean is renewed as they grow
        self._due = 0.0  # when the next mean may be made
        self._pending = False  # an answer to what is asked will come
        self._error = ""  # it failed
        self._reader: Any = None  # used by the task alone; it keeps the net in memory
        self.answer: Ownership | Outcomes | None = None
        self.note = ""
        self._later = make_timer(self, REST_MS, self._start, once=True)
        self.answered.connect(self._take)
        self.failed.connect(self._refuse)

    def ask(self, position: Position | None, path: PathOf = (), what: str = OWNERS) -> None:
        """Ask for the ownership of the position at ``path`` of the search, its mean from there on, or the outcomes
        after its moves; None: stop."""
        label = self._session.source.label if self._session.source is not None else ""
        asked = None if position is None else _Asked(position, path, what, label)
        if asked != self._asked:
            self.forget()
            self._later.stop()
            self._asked, self.answer, self._answered_visits, self._due = asked, None, -1, 0.0
            self._pending, self._error = False, ""
        if asked is None and not self.working:
            self._reader = None
        self.note, self._visits = self._error or self._refusal(), self._visits_now()
        if asked is None or self.note or self._visits < 0 or self._later.isActive() or self._pending:
            return
        if self.answer is None or (what == MEAN_OWNERS and self._visits != self._answered_visits):
            self._later.start(max(REST_MS, math.ceil(1000 * (self._due - time.monotonic()))))

    def _refusal(self) -> str:
        snapshot = self._session.snapshot
        if self._asked is None or snapshot is None:
            return ""
        if self._session.elsewhere:
            return ELSEWHERE
        if self._asked.what == OUTCOMES and not snapshot.outcomes:
            return NO_OUTCOMES
        if self._asked.what != OUTCOMES and not snapshot.ownership:
            return NO_OWNERSHIP
        if self._asked.position.is_over:
            return OVER
        return IN_PAST if self._asked.what == MEAN_OWNERS and snapshot is not self._session.present else ""

    def _visits_now(self) -> int:
        """The visits of the node asked about; -1 while there is no search of the position."""
        snapshot = self._session.present
        if snapshot is None or self._asked is None:
            return -1
        node = snapshot.node(self._asked.path)
        return 0 if node is None else node.visits

    def _start(self) -> None:
        analysis, snapshot = self._session.analysis, self._session.present
        if self._asked is None or analysis is None or snapshot is None:
            return
        self._answered_visits, self._pending = self._visits, True
        self.put(partial(self._work, analysis, snapshot.position, self._asked))

    def _take(self, answer: tuple[Ownership | Outcomes | None, float]) -> None:
        self.answer, spent = answer
        self._pending = False
        self._due = time.monotonic() + max(RENEW_MS / 1000, spent / MOST_OF_TIME)
        self.changed.emit()

    def _refuse(self, sentence: str) -> None:
        self._pending = False
        self.note = self._error = Text("{sentence}.", sentence=sentence)
        self.changed.emit()

    # in the thread

    def _work(
        self, analysis: Analyst, root: Position, asked: _Asked, stale: Stale, report: Report
    ) -> tuple[Ownership | Outcomes | None, float]:
        from core.engine.outcomes import outcomes_of
        from core.engine.ownership import OwnershipReader, most_visited

        def visit(search: Search | None) -> None:
            if search is not None and search.position == root:
                found.append((search.evaluator, most_visited(search, asked.path) if mean else None))
            done.set()

        mean = asked.what == MEAN_OWNERS
        found: list[Any] = []
        done = threading.Event()
        analysis.visit(visit)
        while not done.wait(POLL_S):
            if stale():
                return None, 0.0
        if not found:
            return None, 0.0
        evaluator, below = found[0]
        began = time.monotonic()
        if asked.what == OUTCOMES:
            return outcomes_of(evaluator, asked.position, stale), time.monotonic() - began
        if self._reader is None or self._reader.evaluator is not evaluator:
            self._reader = OwnershipReader(evaluator)
        reader, position = self._reader, asked.position
        answer = reader.mean(position, below, stale) if mean else reader.at(position)
        return answer, time.monotonic() - began
