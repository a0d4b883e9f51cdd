"""The analysis thread: one search at a time, snapshots published as it runs.

The caller makes requests (``start``, ``stop``, ``resume``, ``open``, ``draw``, ``look_back``, ``trace``) and reads
``latest`` and ``past``; the thread checks for requests between slices of about 10 ms: no lock in the hot loop.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from core.engine.endings import has_come
from core.engine.evaluator import Evaluator
from core.engine.extras import Extras
from core.engine.look_back import LookBack, Past
from core.engine.progress import publish_interval_s, telling
from core.engine.request import EvaluatorSource, Request
from core.engine.search import Search
from core.engine.set_aside import SetAside
from core.engine.warm_up import Preparation, kernels_of, warm_up
from core.games import Position
from core.glass.icicle import Icicle, IcicleView
from core.glass.snapshot import Path, Snapshot
from core.search.settings import Limit, SearchSettings
from core.text import Text, text_of

LOOK_S = 0.01  # one slice on the way to an earlier simulation
log = logging.getLogger(__name__)


class Analysis:
    """A daemon thread around one :class:`Search`; usable as a context manager."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._request: Request | None = None
        self._should_run = False  # the request's search should be running
        self._closing = False
        self._changed = False  # there is something new for the thread
        self._opened: frozenset[Path] = frozenset()
        self._extras = Extras()
        self._last_id = 0
        self._latest: Snapshot | None = None
        self._look: int | None = None  # the simulation shown in ``past``; None: the present
        self._looking = False  # ``past`` must be made again
        self._past: Past | None = None
        self._back: LookBack | None = None  # kept while it fits the search
        self._phase: str | Preparation = ""
        self._error: str | None = None
        self._search: Search | None = None
        self._aside = SetAside()
        self._search_key: object = None
        self._served = 0  # the id of the request that the search last moved to
        self._timed: tuple[Request, float] | None = None  # the request that runs, and when it began
        self._evaluator: Evaluator | None = None
        self._evaluator_key: object = None
        self._warm: set[object] = set()
        self._visitors: list[Callable[[Search | None], object]] = []
        self._thread = threading.Thread(target=self._work, name="analysis", daemon=True)
        self._thread.start()

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # Requests, from any thread.

    def start(
        self,
        position: Position,
        source: EvaluatorSource | None = None,
        settings: SearchSettings | None = None,
        limit: Limit | None = None,
        seed: int = 0,
        only: Iterable[int] = (),
    ) -> int:
        """Analyse ``position``; returns the request's id, which its snapshots carry.

        The tree is kept when game, source label, settings and seed stay the same and the position lies in it; else a
        large one is set aside for coming back to the position, the settings or the net.
        ``only``: the moves to be searched there, () for all; another choice of them starts a new tree.
        """
        with self._condition:
            self._last_id += 1
            self._request = Request(
                self._last_id, position, source, settings or SearchSettings(), limit or Limit(), seed, tuple(only)
            )
            self._opened = frozenset()
            self._look = self._past = None
            self._should_run = True
            self._error = None
            self._notify()
            return self._last_id

    def stop(self) -> None:
        """Pause after the current slice; the tree is kept."""
        with self._condition:
            self._should_run = False
            self._notify()

    def resume(self, limit: Limit | None = None) -> None:
        """Continue with the present tree, to ``limit`` (None: no limit)."""
        with self._condition:
            if self._request is not None:
                self._request = replace(self._request, limit=limit or Limit())
                self._should_run = True
                self._error = None
                self._extras.renew()
                self._notify()

    def request_nodes(self, paths: Iterable[Path]) -> None:
        """Set the nodes, as actions from the root, that snapshots include; takes effect when idle, too."""
        with self._condition:
            self._opened = frozenset(paths)
            self._extras.renew()
            self._looking = self._look is not None
            self._notify()

    def request_picture(self, nodes: int) -> None:
        """Set how many of the most visited nodes snapshots include as a picture, 0: none; takes effect when idle, too.

        While the search runs only ``Snapshot.whole`` has pictures and curves; it is made a few times a second."""
        with self._condition:
            if nodes != self._extras.drawn.nodes:
                self._extras.draw(nodes)
                self._looking = self._look is not None
                self._notify()

    def request_icicles(self, icicles: dict[str, IcicleView], twins: dict[str, Icicle]) -> None:
        """Set the icicles of the tree that snapshots include, and the icicles of another search whose nodes they give
        the figures of, by requester; takes effect when idle, too."""
        with self._condition:
            self._extras.lay_out(icicles, twins)
            self._looking = self._look is not None
            self._notify()

    def look_back(self, simulation: int | None) -> None:
        """Show the search as it was after ``simulation`` of its simulations in ``past``; None ends looking back.

        Takes effect when idle, too.  While the search runs its slices alternate with those of the way there.  A number
        beyond the last simulation means the last one."""
        with self._condition:
            if simulation is not None and simulation < 0:
                raise ValueError(
                    Text(
                        "simulation {simulation!r} is not there to look at; the first one is 0, before any",
                        simulation=simulation,
                    )
                )
            self._look = simulation
            self._looking = simulation is not None
            if simulation is None:
                self._past = None
            self._condition.notify_all()

    def request_curves(self, traced: bool) -> None:
        """Set whether snapshots include the root's curves; takes effect when idle, too.

        Those of a long search come in parts."""
        with self._condition:
            if traced != self._extras.traced:
                self._extras.trace(traced)
                self._notify()

    def visit(self, visitor: Callable[[Search | None], object]) -> None:
        """Call ``visitor`` with the search between two slices, in the thread, whether it runs or is paused.

        It is the search of the last request, once that has begun; None: there is none, or it has failed."""
        with self._condition:
            self._visitors.append(visitor)
            self._notify()

    def close(self, timeout_s: float = 1.0) -> None:
        """End the thread; safe to call twice."""
        with self._condition:
            self._closing = True
            self._should_run = False
            self._notify()
        self._thread.join(timeout_s)

    def _notify(self) -> None:
        self._changed = True
        self._condition.notify_all()

    # Results, from any thread: reads of a single reference.

    def latest(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        return self._latest

    def past(self) -> Past | None:
        """The earlier moment asked for; None while it is being computed, and in the present."""
        return self._past

    @property
    def phase(self) -> str:
        """The thread's present activity, in words; "" when idle."""
        return self._phase.text() if isinstance(self._phase, Preparation) else self._phase

    @property
    def searching(self) -> bool:
        """Whether a search is running or about to."""
        return self._should_run

    @property
    def error(self) -> str | None:
        """The error of the last request, in one sentence."""
        return self._error

    @property
    def notice(self) -> Text | None:
        """Which tree the last request lost, in a sentence; None for none."""
        return self._aside.notice

    @property
    def alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    # The thread.

    def prepared(self, request: Request, search: Search) -> None:
        """Hook: subclasses may load a saved tree before the first slice.  Called in the thread."""

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._changed and not self._looking:
                    self._condition.wait()
                changed, self._changed = self._changed, False
                if self._closing:
                    return
                request, should_run = self._request, self._should_run
            if request is None:
                self._call_visitors()
                continue
            try:
                if changed:
                    self._serve(request, should_run)
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
            if self._request is not None and self._request.id == request.id:
                self._look = self._past = None
                self._looking = False
                self._error = sentence
                self._should_run = False
        self._call_visitors()

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

    def _serve(self, request: Request, should_run: bool) -> None:
        """Move the search to the request's position, then run it until there is another request."""
        if not should_run:
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
        if self._timed is None or self._timed[0] is not request:  # other requests do not extend its time
            self._timed = request, published
        deadline = None if request.limit.seconds is None else self._timed[1] + request.limit.seconds
        half = None if deadline is None else (published + deadline) / 2  # at most, for solving an ending
        self._phase, ended = "searching", False
        while not self._changed:
            reason = search.step(
                request.limit.simulations,
                stop_solving=lambda: self._changed or has_come(half, time.perf_counter()),
            )
            now = time.perf_counter()
            if reason or has_come(deadline, now):
                ended = True
                if not reason:
                    search.run(Limit(seconds=0.0))
                break
            shown = self._latest.simulations if self._latest is not None else 0
            if now - published >= publish_interval_s(search.simulations, shown):
                self._publish(request)
                published = now
            if self._looking:
                self._approach_past(request)
        if self._changed and not self._should_run:
            search.run(Limit(), should_stop=lambda: True)
        self._publish(request, ended)
        self._catch_up(request)

    def _publish(self, request: Request, ended: bool = False) -> None:
        """Publish a snapshot of the search; ``ended``: it is the last of the run, and ``searching`` becomes False."""
        assert self._search is not None
        snapshot = self._search.snapshot(self._opened, request.id)
        snapshot = self._extras.added(self._search, snapshot, self._latest)
        with self._condition:
            self._latest = snapshot
            if ended and not self._changed:
                self._should_run = False

    def _approach_past(self, request: Request) -> None:
        """One slice of the way to the simulation for ``past``, which is published on arrival."""
        search = self._search_of(request)
        with self._condition:
            look, opened, drawn = self._look, self._opened, self._extras.drawn
            if search is None or look is None:
                self._looking = False
                return
        if self._back is None or not self._back.fits(search):
            self._back = None  # free its arrays before the next ones are allocated
            self._back = LookBack(search)
        simulation = min(look, len(self._back))
        try:
            if not self._back.approach(simulation, LOOK_S):
                return
        except ValueError as error:
            with self._condition:
                self._look, self._looking, self._error = None, False, text_of(error)
            return
        past = self._back.past(simulation, opened, drawn, request.id)
        with self._condition:
            if (look, opened, drawn) == (self._look, self._opened, self._extras.drawn):
                self._looking = False
            if self._look is not None and self._request is not None and self._request.id == request.id:
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
