"""Asks nets about positions in threads: for ownership, outcomes, dead stones, and the answers under symmetries."""

from __future__ import annotations

import math
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.text import Text, Words
from gui.jobs.newest import Newest, Report, Stale
from gui.language.language import tr
from gui.model.sources import UniformSource, source_title
from gui.model.timers import make_timer
from gui.widgets.board.overlays.overlay import MEAN_OWNERS, OUTCOMES, OWNERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.engine import Analyst, Evaluator, EvaluatorSource, Search
    from core.engine.outcomes import Outcomes
    from core.engine.ownership import Ownership
    from core.engine.symmetry import SymmetryAnswer
    from core.games import Position
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
NO_NET: Final[Words] = "Leaves are evaluated by random rollouts: no net is used."
SAME_FOR_ALL: Final[Words] = "The uniform prior ignores the board: it is the same under every symmetry."
GAME_OVER: Final[Words] = "The game is over: a net evaluates only positions with legal moves."


class _Question(NamedTuple):
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
        self._question: _Question | None = None
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
        question = None if position is None else _Question(position, path, what, label)
        if question != self._question:
            self.forget()
            self._later.stop()
            self._question, self.answer, self._answered_visits, self._due = question, None, -1, 0.0
            self._pending, self._error = False, ""
        if question is None and not self.working:
            self._reader = None
        self.note, self._visits = self._error or self._refusal(), self._visits_now()
        if question is None or self.note or self._visits < 0 or self._later.isActive() or self._pending:
            return
        if self.answer is None or (what == MEAN_OWNERS and self._visits != self._answered_visits):
            self._later.start(max(REST_MS, math.ceil(1000 * (self._due - time.monotonic()))))

    def _refusal(self) -> str:
        snapshot = self._session.snapshot
        if self._question is None or snapshot is None:
            return ""
        if self._session.elsewhere:
            return ELSEWHERE
        if self._question.what == OUTCOMES and not snapshot.outcomes:
            return NO_OUTCOMES
        if self._question.what != OUTCOMES and not snapshot.ownership:
            return NO_OWNERSHIP
        if self._question.position.is_over:
            return OVER
        return IN_PAST if self._question.what == MEAN_OWNERS and snapshot is not self._session.present else ""

    def _visits_now(self) -> int:
        """The visits of the node asked about; -1 while there is no search of the position."""
        snapshot = self._session.present
        if snapshot is None or self._question is None:
            return -1
        node = snapshot.node(self._question.path)
        return 0 if node is None else node.visits

    def _start(self) -> None:
        analysis, snapshot = self._session.analysis, self._session.present
        if self._question is None or analysis is None or snapshot is None:
            return
        self._answered_visits, self._pending = self._visits, True
        self.put(partial(self._work, analysis, snapshot.position, self._question))

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
        self, analysis: Analyst, root: Position, question: _Question, stale: Stale, report: Report
    ) -> tuple[Ownership | Outcomes | None, float]:
        from core.engine.outcomes import outcomes_of
        from core.engine.ownership import OwnershipReader, most_visited

        def look(search: Search) -> Any:
            if search.position != root:
                return None
            return search.evaluator, most_visited(search, question.path) if mean else None

        mean = question.what == MEAN_OWNERS
        answers = look_at_search(analysis, look, stale)
        if answers is None:
            return None, 0.0
        evaluator, below = answers
        began = time.monotonic()
        if question.what == OUTCOMES:
            return outcomes_of(evaluator, question.position, stale), time.monotonic() - began
        if self._reader is None or self._reader.evaluator is not evaluator:
            self._reader = OwnershipReader(evaluator)
        reader, position = self._reader, question.position
        answer = reader.mean(position, below, stale) if mean else reader.at(position)
        return answer, time.monotonic() - began


def look_at_search(analysis: Analyst, look: Callable[[Search], Any], stale: Stale) -> Any:
    """Return what ``look``, called in the analysis thread, returns of the search; None without one, or when stale."""

    def visit(search: Search | None) -> None:
        if search is not None:
            results.append(look(search))
        done.set()

    results: list[Any] = []
    done = threading.Event()
    analysis.visit(visit)
    while not done.wait(POLL_S):
        if stale():
            return None
    return results[0] if results else None


class DeadStonesReader(Newest):
    """Proposes the dead stones of the newest position, by the net of the search.

    ``answered`` emits the position and the cells of its dead stones.
    """

    def ask(self, position: Position, analysis: Analyst | None) -> None:
        """Propose for a position whose game is counted; replaces an earlier one."""
        self.put(partial(self._work, position, analysis))

    # in the thread

    def _work(
        self, position: Position, analysis: Analyst | None, stale: Stale, report: Report
    ) -> tuple[Position, frozenset[int]]:
        from core.engine.ownership import dead_stones

        def look(search: Search) -> Evaluator | None:
            return search.evaluator if search.position.game == position.game else None

        evaluator = None if analysis is None else look_at_search(analysis, look, stale)
        return position, dead_stones(position, evaluator)


def refusal(source: EvaluatorSource | None, position: Position | None) -> str:
    """Return why the position cannot be evaluated, in one sentence; "" when it can."""
    if source is None:
        return tr(NO_NET)
    if isinstance(source, UniformSource):
        return tr(SAME_FOR_ALL)
    return tr(GAME_OVER) if position is not None and position.is_over else ""


class SymmetryReader(Newest):
    """Evaluates the newest position in a thread; ``answered`` emits a ``core.engine.symmetry.SymmetryAnswer``."""

    phase_changed = Signal(str)  # what is being done

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loaded: tuple[object, Evaluator] | None = None  # (game and label, evaluator); touched by the task alone

    def ask(self, source: EvaluatorSource, position: Position) -> None:
        """Evaluate a position; replaces an earlier one."""
        loaded = self._loaded is not None and self._loaded[0] == (position.game.text, source.label)
        asking, loading = tr("evaluating with {net} under {symmetries} symmetries…"), tr("loading {net}…")
        symmetries = len(position.game.symmetries)
        words = (asking if loaded else loading).format(net=source_title(source), symmetries=symmetries)
        self.phase_changed.emit(words)
        self.put(lambda stale, report: self._work(source, position))

    def _work(self, source: EvaluatorSource, position: Position) -> SymmetryAnswer:
        from core.engine.symmetry import under_symmetries

        key = (position.game.text, source.label)
        if self._loaded is None or self._loaded[0] != key:
            self._loaded = None
            self._loaded = (key, source.load(position.game))
        return under_symmetries(self._loaded[1], position)
