"""The analysis thread: one search at a time, snapshots published as it runs.

The thread looks at the agenda between slices of about 10 ms: no lock in the hot loop.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import replace

from core.engine.endings import has_come
from core.engine.evaluator import Evaluator, telling
from core.engine.extras import Extras
from core.engine.look_back import LookBack, watcher_of
from core.engine.request import Agenda, Analyst, Request
from core.engine.search import Search
from core.engine.set_aside import SetAside
from core.engine.warm_up import Preparation, kernels_of, warm_up
from core.search.settings import Limit
from core.text import Text, text_of

PUBLISH_S = 0.03  # between two snapshots while the search runs
SLOW_PUBLISH_S = 0.1  # the same for a large tree, which hardly changes within ``PUBLISH_S``
SLOW_GROWTH = 0.02  # a tree that has grown by a smaller share since its last snapshot is large
SNAPSHOT_SHARE = 0.02  # of the thread's time for snapshots, at most; on a busy machine each takes longer
LOOK_S = 0.01  # one slice on the way to an earlier simulation
log = logging.getLogger(__name__)


def publish_interval_s(simulations: int, published: int, took: float = 0.0) -> float:
    """Seconds between two snapshots of a running search; the last one had ``published`` of its ``simulations``, and
    ``took`` so many seconds."""
    least = PUBLISH_S if simulations > (1 + SLOW_GROWTH) * published else SLOW_PUBLISH_S
    return max(least, min(SLOW_PUBLISH_S, took / SNAPSHOT_SHARE))


class Analysis(Analyst):
    """A daemon thread around one :class:`Search`."""

    def __init__(self) -> None:
        super().__init__("analysis")
        self._changed = False  # there is something new for the thread
        self._extras = Extras()
        self._looking = False  # ``past`` must be made again
        self._back: LookBack | None = None  # kept while it fits the search
        self._phase: str | Preparation = ""
        self._search: Search | None = None
        self._aside = SetAside()
        self._search_key: object = None
        self._served = 0  # the id of the request that the search last moved to
        self._timed = 0, 0.0  # the run, and when it began
        self._took = 0.0  # s, for the last snapshot
        self._evaluator: Evaluator | None = None
        self._evaluator_key: object = None
        self._warm: set[object] = set()
        self._visitors: list[Callable[[Search | None], object]] = []
        self._thread.start()

    def visit(self, visitor: Callable[[Search | None], object]) -> None:
        with self._condition:
            self._visitors.append(visitor)
            self._wake()

    @property
    def phase(self) -> str:
        return self._phase.text() if isinstance(self._phase, Preparation) else self._phase

    @property
    def notice(self) -> Text | None:
        """Which tree the last request lost."""
        return self._aside.notice

    # The thread.

    def prepared(self, request: Request, search: Search) -> None:
        """Hook: subclasses may load a saved tree before the first slice.  Called in the thread."""

    def _announce(self, before: Agenda) -> None:
        if _shown(self._agenda) != _shown(before):
            self._looking = self._agenda.look is not None
        self._wake()

    def _wake(self) -> None:
        self._changed = True
        self._condition.notify_all()

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._changed and not self._looking:
                    self._condition.wait()
                changed, self._changed = self._changed, False
                if self._closing:
                    return
                agenda, request = self._agenda, self._agenda.request
                self._looking = self._looking and request is not None
            if request is None:
                self._call_visitors()
                continue
            try:
                if changed:
                    self._serve(agenda, request)
                while self._looking and not self._changed:
                    self._approach_past(request)
            except ValueError as error:
                self._fail(request, text_of(error))
            except Exception as error:  # the thread's top: nothing may end it in silence
                log.exception("the search stopped")
                self._fail(
                    request,
                    Text("the search stopped: {kind}: {error}", kind=type(error).__name__, error=text_of(error)),
                )
            self._phase = ""

    def _fail(self, request: Request, sentence: str) -> None:
        self._search = None
        self._search_key = None
        self._back = None
        with self._condition:
            if self._is_current(request):
                self._agenda = replace(self._agenda, running=False, look=None)
                self._past, self._looking, self._error = None, False, sentence
        self._call_visitors()

    def _is_current(self, request: Request) -> bool:
        return self._agenda.request is not None and self._agenda.request.id == request.id

    def _search_of(self, request: Request) -> Search | None:
        """The search, if it is at the position of ``request``."""
        return self._search if self._served == request.id else None

    def _call_visitors(self, search: Search | None = None) -> None:
        """Call the waiting visitors with ``search``."""
        with self._condition:
            visitors, self._visitors = self._visitors, []
        for visitor in visitors:
            try:
                visitor(search)
            except Exception:  # the search goes on
                log.exception("a visitor of the search failed")

    def _serve(self, agenda: Agenda, request: Request) -> None:
        """Move the search to the request's position, then run it until the agenda changes."""
        if not agenda.running:
            resting = self._search_of(request)
            self._call_visitors(resting)
            if resting is not None:
                self._publish(request)
                self._catch_up(request)
            return
        search = self._prepare(request)
        kernels = kernels_of(search.game, search.evaluator, search.settings)
        if kernels not in self._warm:
            self._phase = Preparation(search.game)
            warm_up(search.game, search.evaluator, search.settings)
            self._warm.add(kernels)
        self.prepared(request, search)
        self._call_visitors(search)
        self._publish(request)
        published = time.perf_counter()
        if self._timed[0] != agenda.runs:  # other requests do not extend its time
            self._timed = agenda.runs, published
        deadline = None if agenda.limit.seconds is None else self._timed[1] + agenda.limit.seconds
        half = None if deadline is None else (published + deadline) / 2  # at most, for solving an ending
        watcher = None if agenda.watch is None else watcher_of(search, agenda.watch)
        self._phase, ended = "searching", False
        while not self._changed:
            reason = search.step(
                agenda.limit.simulations,
                stop_solving=lambda: self._changed or has_come(half, time.perf_counter()),
            )
            now = time.perf_counter()
            if reason or has_come(deadline, now):
                ended = True
                if not reason:
                    search.run(Limit(seconds=0.0))
                break
            if watcher is not None and watcher.has_happened():
                ended = True
                search.run(Limit(), should_stop=lambda: True)
                break
            shown = self._latest.simulations if self._latest is not None else 0
            if now - published >= publish_interval_s(search.simulations, shown, self._took):
                self._publish(request)
                published = now
            if self._looking:
                self._approach_past(request)
        if self._changed and not self._agenda.running:
            search.run(Limit(), should_stop=lambda: True)
        self._publish(request, ended)
        self._catch_up(request)

    def _publish(self, request: Request, ended: bool = False) -> None:
        """Publish a snapshot of the search; ``ended``: it is the last of the run, and ``searching`` becomes False."""
        assert self._search is not None
        agenda = self._agenda
        began = time.perf_counter()
        snapshot = self._search.snapshot(agenda.opened, request.id)
        self._took = time.perf_counter() - began
        asked = agenda.runs, agenda.opened, agenda.drawn, agenda.curves
        snapshot = self._extras.added(self._search, snapshot, self._latest, agenda.drawn, agenda.curves, asked)
        with self._condition:
            self._latest = snapshot
            if ended and not self._changed:
                self._agenda = replace(self._agenda, running=False)

    def _approach_past(self, request: Request) -> None:
        """One slice of the way to the simulation for ``past``, which is published on arrival."""
        search = self._search_of(request)
        with self._condition:
            agenda = self._agenda
            if search is None or agenda.look is None:
                self._looking = False
                return
        if self._back is None or not self._back.fits(search):
            self._back = None  # free its arrays before the next ones are allocated
            self._back = LookBack(search)
        simulation = min(agenda.look, len(self._back))
        try:
            if not self._back.approach(simulation, LOOK_S):
                return
        except ValueError as error:
            with self._condition:
                self._agenda = replace(self._agenda, look=None)
                self._looking, self._error = False, text_of(error)
            return
        past = self._back.past(simulation, agenda.opened, agenda.drawn, request.id, agenda.before)
        with self._condition:
            if _shown(agenda) == _shown(self._agenda):
                self._looking = False
            if self._agenda.look is not None and self._is_current(request):
                self._past = past

    def _catch_up(self, request: Request) -> None:
        """Publish the rest of the curves of a search that is paused."""
        while not self._changed and self._latest is not None:
            curves = self._latest.curves
            if curves is None or not curves.behind:
                return
            self._publish(request)

    def _prepare(self, request: Request) -> Search:
        game = request.position.game
        label = None if request.source is None else request.source.label
        evaluator_key = (game.text, label)
        if self._evaluator_key != evaluator_key:
            self._evaluator_key = None
            self._evaluator = None
            if request.source is not None:
                self._phase = Text("loading {label}", label=label)
                with telling(lambda words: setattr(self, "_phase", words)):
                    self._evaluator = request.source.load(game)
            self._evaluator_key = evaluator_key
        search_key = (evaluator_key, request.settings, request.seed)
        search = self._search
        if search is None or self._search_key != search_key or not search.is_at(request.position, request.only):
            self._search = self._back = resumed = None  # frees what is not kept before the next is allocated
            if self._search_key != search_key:
                resumed = self._aside.change(search, self._search_key, request.position, search_key)
                if resumed is not None and not resumed.is_at(request.position, request.only):
                    resumed = None
            search = resumed
            if search is None:
                search = Search(request.position, self._evaluator, request.settings, request.seed, request.only)
            self._search, self._search_key = search, search_key
        else:
            rest = (self._evaluator, request.settings, request.seed)
            search = self._search = self._aside.move(search, search_key, request.position, rest)
        self._served = request.id
        return search


def _shown(agenda: Agenda) -> object:
    """What ``past`` shows."""
    return agenda.look, agenda.before, agenda.opened, agenda.drawn
