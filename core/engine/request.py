"""What is asked of an analysis, in this process or on another machine, and what it has to show."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from core.engine.evaluator import Evaluator
from core.engine.extras import Drawn
from core.engine.look_back import Past
from core.games import GameSpec, Position
from core.glass.icicle import Icicle, IcicleView
from core.glass.snapshot import Path, Snapshot
from core.glass.watch import Watch
from core.search.settings import Limit, SearchSettings
from core.text import Text


@runtime_checkable
class EvaluatorSource(Protocol):
    """Loads an evaluator, in the analysis thread; it is kept while ``label`` stays the same."""

    @property
    def label(self) -> str: ...

    def load(self, game: GameSpec) -> Evaluator:
        """May take long; raises ValueError in one sentence."""
        ...


@dataclass(frozen=True)
class Request:
    """A position to be analysed, and how."""

    id: int
    position: Position
    source: EvaluatorSource | None  # None: random rollouts
    settings: SearchSettings
    seed: int
    only: tuple[int, ...]  # the moves to be searched; (): all


@dataclass(frozen=True)
class Agenda:
    """All that an analysis should do and show at one moment."""

    request: Request | None = None
    runs: int = 0  # how often a search was started or resumed
    running: bool = False  # the search should be running
    limit: Limit = field(default_factory=Limit)
    opened: tuple[Path, ...] = ()  # the nodes that snapshots include
    drawn: Drawn = field(default_factory=Drawn)
    curves: bool = False
    look: int | None = None  # the simulation shown in ``past``; None: the present
    before: bool = False  # with the moment before it
    watch: Watch | None = None  # what pauses the search when it happens


class Analyst(ABC):
    """An analysis as its user knows it; usable as a context manager.

    Each request changes the agenda, from any thread, and takes effect when the search is idle, too.  Results are reads
    of a single reference, from any thread.
    """

    elsewhere: ClassVar[bool] = False  # its tree is not in this process

    def __init__(self, name: str) -> None:
        """``name`` is that of the thread, which a subclass starts."""
        self._condition = threading.Condition()
        self._agenda = Agenda()
        self._latest: Snapshot | None = None
        self._past: Past | None = None
        self._error: str | None = None
        self._refused: str | None = None  # why nothing will be searched any more
        self._closing = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # Requests.

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
            last = self._agenda.request
            number = 1 if last is None else last.id + 1
            request = Request(number, position, source, settings or SearchSettings(), seed, tuple(only))
            self._run(limit, request=request, opened=(), look=None, before=False)
            return number

    def resume(self, limit: Limit | None = None) -> None:
        """Continue with the present tree, to ``limit`` (None: no limit)."""
        if self._agenda.request is not None:
            self._run(limit)

    def stop(self) -> None:
        """Pause after the current slice; the tree is kept."""
        self._change(running=False)

    def request_nodes(self, paths: Iterable[Path]) -> None:
        """Set the nodes, as actions from the root, that snapshots include."""
        self._change(opened=tuple(sorted(set(paths))))

    def request_picture(self, nodes: int) -> None:
        """Set how many of the most visited nodes snapshots include as a picture, 0: none.

        While the search runs only ``Snapshot.whole`` has pictures and curves; it is made a few times a second."""
        self._draw(nodes=nodes)

    def request_icicles(self, icicles: dict[str, IcicleView], twins: dict[str, Icicle]) -> None:
        """Set the icicles of the tree that snapshots include, and the icicles of another search whose nodes they give
        the figures of, by requester; a search on another machine gives none of those."""
        self._draw(icicles=tuple(icicles.items()), twins=tuple(twins.items()))

    def request_answer(self, question: str, player: int = -1) -> None:
        """Set the question to the tree that snapshots answer, as ``core.glass.question`` reads it; "" for none.

        ``player``: whose values are meant, -1: those of the player who makes a move."""
        self._draw(question=question, player=player)

    def request_curves(self, traced: bool) -> None:
        """Set whether snapshots include the root's curves; those of a long search come in parts."""
        self._change(curves=traced)

    def pause_when(self, watch: Watch | None) -> None:
        """Pause the search, within some 10 ms, when something has happened in it; None: for nothing.

        It can be resumed, and then pauses when that happens again."""
        self._change(watch=watch)

    def look_back(self, simulation: int | None, before: bool = False) -> None:
        """Show the search as it was after ``simulation`` of its simulations in ``past``; None ends looking back.

        ``before``: also as it was before that simulation, which takes as long again.

        While the search runs its slices alternate with those of the way there.  A number beyond the last simulation
        means the last one."""
        if simulation is not None and simulation < 0:
            raise ValueError(
                Text(
                    "simulation {simulation!r} is not there to look at; the first one is 0, before any",
                    simulation=simulation,
                )
            )
        self._change(look=simulation, before=before)

    def follow(self, agenda: Agenda) -> None:
        """Do and show all that ``agenda`` says; a run that has ended is not run again."""
        with self._condition:
            before = self._agenda
            if agenda.runs == before.runs:
                agenda = replace(agenda, running=agenda.running and before.running)
            else:
                self._error = self._refused
            if agenda.look is None:
                self._past = None
            if agenda != before:
                self._agenda = agenda
                self._announce(before)

    @abstractmethod
    def visit(self, visitor: Callable[[Any], object]) -> None:
        """Call ``visitor`` with the search between two slices, in the thread, whether it runs or is paused.

        It is the search of the last request, once that has begun; None: there is none here, or it has failed."""

    def close(self, timeout_s: float = 1.0) -> None:
        """End the search and the thread; safe to call twice."""
        with self._condition:
            self._closing = True
            self._agenda = replace(self._agenda, running=False)
            self._announce(self._agenda)
        self._thread.join(timeout_s)

    def _run(self, limit: Limit | None, **changes: Any) -> None:
        with self._condition:
            runs, allowed = self._agenda.runs + 1, self._refused is None
            self._change(runs=runs, running=allowed, limit=limit or Limit(), **changes)

    def _draw(self, **changes: Any) -> None:
        with self._condition:
            self._change(drawn=replace(self._agenda.drawn, **changes))

    def _change(self, **changes: Any) -> None:
        with self._condition:
            self.follow(replace(self._agenda, **changes))

    @abstractmethod
    def _announce(self, before: Agenda) -> None:
        """Have the thread look at the agenda, which was another one ``before``, or end.  Called with the condition."""

    @abstractmethod
    def _work(self) -> None:
        """The thread."""

    # Results.

    def latest(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        return self._latest

    def past(self) -> Past | None:
        """The earlier moment asked for; None while it is being computed, and in the present."""
        return self._past

    @property
    @abstractmethod
    def phase(self) -> str:
        """The present activity, in words; "" when idle."""

    @property
    @abstractmethod
    def notice(self) -> Text | None:
        """What happened that the user did not ask for, such as a tree that was lost; None for nothing."""

    @property
    def searching(self) -> bool:
        """Whether a search is running or about to."""
        return self._agenda.running

    @property
    def error(self) -> str | None:
        """The error of the last request, in one sentence."""
        return self._error

    @property
    def alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()
