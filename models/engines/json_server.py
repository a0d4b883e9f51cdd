"""Analyses many positions for another program: a JSON object per line in, one or more per request out.

In the manner of KataGo's analysis engine, for every game, and in its very words for programs that were made for it:
what ``plyscope serve`` answers.  Several searches run at
once, in threads; requests of a higher priority first, then in the order in which they came.
"""

import heapq
import json
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, TextIO

from core.checks import short
from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.files.reading import BadFile, Fields, in_short, parse_json
from core.games import GameSpec, Position, load_game
from core.search.settings import SETTING, Limit, SearchSettings
from models.engines import json_katago
from models.engines.our_engine import Dialogue, Options, in_slices

LONGEST_REQUEST: Final = 1 << 20  # characters
MOST_WAITING: Final = 10_000  # searches
MOST_TURNS: Final = 1_000  # of one request
MOST_GAMES: Final = 8  # whose evaluators are kept
LEAST_REPORT_S: Final = 0.05
LONGEST_S: Final = 86_400.0
MOST_SIMULATIONS: Final = 10**12
MOST_TREE: Final = 100_000  # nodes
_KEYS: Final = (
    *("id", "action", "terminateId", "game", "moves", "position", "turns", "simulations", "seconds", "only"),
    *("settings", "priority", "reportEvery", "includePolicy", "includeOwnership", "tree"),
)


@dataclass(frozen=True)
class Request:
    """One search that was asked for."""

    id: str
    turn: int
    """Moves played before the position."""
    position: Position
    limit: Limit
    settings: Mapping[str, Any]
    """Search settings other than those of the command line."""
    only: tuple[int, ...] = ()
    priority: int = 0
    report_s: float = 0.0
    """Seconds between two reports during the search; 0: none."""
    policy: bool = False
    ownership: bool = False
    tree_depth: int = 0
    tree_nodes: int = 0
    katago: json_katago.View | None = None
    """How it is answered in KataGo's words; None: in ours."""

    def answer(self, figures: Mapping[str, Any], during: bool = False) -> dict[str, Any]:
        """The object that says these figures, or why there are none."""
        if self.katago is None:
            return {"id": self.id, "turn": self.turn, "isDuringSearch": during, **figures}
        head = {"id": self.id, "turnNumber": self.turn, "isDuringSearch": during}
        if "moves" in figures:
            return {**head, **json_katago.answer(figures, self.position, self.katago)}
        return {**head, **({"noResults": True} if "terminated" in figures else figures)}


@dataclass
class _Job:
    request: Request
    ended: threading.Event = field(default_factory=threading.Event)


class JsonServer:
    """Reads requests until the end of the input, and answers all of them."""

    def __init__(
        self,
        game: GameSpec | None,
        load: Callable[[GameSpec], Evaluator | None],
        settings: Callable[[Evaluator | None, Mapping[str, Any]], SearchSettings],
        describe: Callable[[Search, Request], dict[str, Any]],
        options: Options,
        output: TextIO,
        parallel: int = 1,
    ) -> None:
        """``game``: of requests that name none.  ``load`` gives the evaluator for a game, ``settings`` the settings
        of a search with it, ``describe`` the figures of an answer; each may raise ValueError.  ``parallel``: searches
        at once."""
        self._game, self._load, self._settings, self._describe = game, load, settings, describe
        self._options, self._parallel = options, parallel
        self._dialogue = Dialogue(output)
        self._numbers = count()
        self._waiting: list[tuple[int, int, _Job]] = []
        self._jobs: list[_Job] = []  # waiting and running
        self._changed = threading.Condition()
        self._closing = False
        self._loading = threading.Lock()
        self._evaluators: dict[str, Evaluator | None] = {}
        self._writing = threading.Lock()
        self._gone = False

    def run(self, source: TextIO) -> None:
        """Answer the requests of ``source``."""
        workers = [threading.Thread(target=self._work, name=f"search {i}") for i in range(self._parallel)]
        for worker in workers:
            worker.start()
        try:
            for line in self._dialogue.lines(source):
                if self._gone:
                    break
                if line:
                    self._take(line)
        finally:
            with self._changed:
                self._closing = True
                if self._gone:
                    self._end(lambda job: True)
                self._changed.notify_all()
            for worker in workers:
                worker.join()

    def _write(self, answer: dict[str, Any]) -> None:
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        with self._writing:
            try:
                self._dialogue.write(text + "\n")
            except OSError:  # the other program is gone
                self._gone = True

    # Requests.

    def _take(self, line: str) -> None:
        name: Any = None
        try:
            if len(line) >= LONGEST_REQUEST:
                raise BadFile(f"it has more than {LONGEST_REQUEST} characters")
            values = parse_json(line)
            name = values.get("id") if isinstance(values, dict) else None
            request = Fields(values, "a request")
            for key in () if json_katago.SIGN in request.values else request.values:
                if key not in _KEYS:
                    raise BadFile(f"{short(key)} is unknown; a request has {', '.join(_KEYS)}")
            self._carry_out(request.text("id"), request)
        except ValueError as error:
            answer = {"error": in_short(str(error))}
            self._write({"id": name, **answer} if isinstance(name, str) else answer)

    def _carry_out(self, name: str, fields: Fields) -> None:
        action = fields.text("action", "")
        if action == "query_version":
            self._write({"id": name, "action": action, "version": self._options.version})
        elif action == "terminate":
            which = fields.text("terminateId")
            self._write({"id": name, "action": action, "terminateId": which, "ended": self._terminate(which)})
        elif action == "terminate_all":
            self._write({"id": name, "action": action, "ended": self._terminate(None)})
        elif action:
            raise BadFile(f"{short(action)} is no action; it must be query_version, terminate or terminate_all")
        elif json_katago.SIGN in fields.values:
            self._add(self._read_katago(name, fields))
            for key, warning in json_katago.not_followed(fields):
                self._write({"id": name, "field": key, "warning": warning})
        else:
            self._add(self._read(name, fields))

    def _read_katago(self, name: str, fields: Fields) -> list[Request]:
        positions = json_katago.read_positions(self._game, fields)
        default, overrides = self._options.limit, fields.object("overrideSettings", {})
        visits = fields.whole("maxVisits", 1, MOST_SIMULATIONS, overrides.whole("maxVisits", 1, MOST_SIMULATIONS, None))
        seconds = overrides.number("maxTime", 0.001, LONGEST_S, None)
        base = Request(
            name,
            0,
            positions[0],
            default if visits is None and seconds is None else Limit(visits, seconds),
            {},
            priority=fields.whole("priority", -(10**6), 10**6, 0),
            report_s=fields.number("reportDuringSearchEvery", LEAST_REPORT_S, LONGEST_S, 0.0),
            policy=fields.flag("includePolicy", False),
            ownership=fields.flag("includeOwnership", False),
            katago=json_katago.read_view(fields),
        )
        return [
            replace(base, turn=turn, position=positions[turn], only=json_katago.read_only(fields, positions[turn]))
            for turn in _turns(fields, "analyzeTurns", positions)
        ]

    def _read(self, name: str, fields: Fields) -> list[Request]:
        game = load_game(fields.text("game")) if self._game is None else load_game(fields.text("game", self._game.text))
        start, moves = _position(game, fields), _moves(game, fields)
        positions = [start]
        for action in moves:
            positions.append(positions[-1].play(action))
        turns = _turns(fields, "turns", positions)
        tree = fields.object("tree", {})
        settings = dict(fields.object("settings", {}).values)
        for key, value in settings.items():
            if key not in SETTING:
                raise BadFile(f"{short(key)} is no search setting")
            if not isinstance(value, str | int | float | bool):
                raise BadFile(f"the setting {key} is {short(value)}")
        SearchSettings(**settings)
        default = self._options.limit
        simulations = fields.whole("simulations", 1, MOST_SIMULATIONS, None)
        seconds = fields.number("seconds", 0.001, LONGEST_S, None)
        limit = default if simulations is None and seconds is None else Limit(simulations, seconds)
        base = Request(
            name,
            0,
            start,
            limit,
            settings,
            priority=fields.whole("priority", -(10**6), 10**6, 0),
            report_s=fields.number("reportEvery", LEAST_REPORT_S, LONGEST_S, 0.0),
            policy=fields.flag("includePolicy", False),
            ownership=fields.flag("includeOwnership", False),
            tree_depth=tree.whole("depth", 0, 1_000, 0),
            tree_nodes=tree.whole("nodes", 1, MOST_TREE, 1_000) if tree.values else 0,
        )
        only = tuple(map(game.parse_action, _words(fields.list("only", []), "only")))
        return [replace(base, turn=turn, position=positions[turn], only=only) for turn in turns]

    def _add(self, requests: list[Request]) -> None:
        with self._changed:
            if len(self._waiting) + len(requests) > MOST_WAITING:
                raise BadFile(f"more than {MOST_WAITING} searches are waiting")
            for request in requests:
                job = _Job(request)
                self._jobs.append(job)
                heapq.heappush(self._waiting, (-request.priority, next(self._numbers), job))
            self._changed.notify_all()

    def _terminate(self, name: str | None) -> int:
        """End the searches of a request, None for all; how many there were."""
        with self._changed:
            return self._end(lambda job: name is None or job.request.id == name)

    def _end(self, which: Callable[[_Job], bool]) -> int:
        jobs = [job for job in self._jobs if which(job) and not job.ended.is_set()]
        for job in jobs:
            job.ended.set()
        return len(jobs)

    # Searches.

    def _work(self) -> None:
        while (job := self._next()) is not None:
            request = job.request
            try:
                answer = self._search(job)
            except ValueError as error:
                answer = {"error": in_short(str(error))}
            except Exception as error:  # the other requests must not wait for ever
                traceback.print_exc()
                what = type(error).__name__
                answer = {"error": f"an error of the program, which is printed on standard error: {what}"}
            with self._changed:
                self._jobs.remove(job)
            data = request.answer(answer)
            if "rootInfo" in data and "scoreLead" not in data["rootInfo"]:
                self._write({"id": request.id, "field": "scoreLead", "warning": "the net gives no leads"})
            self._write(data)

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._waiting:
                if self._closing:
                    return None
                self._changed.wait()
            return heapq.heappop(self._waiting)[2]

    def _search(self, job: _Job) -> dict[str, Any]:
        request = job.request
        if job.ended.is_set():
            return {"terminated": True}
        evaluator = self._evaluator(request.position.game)
        settings = self._settings(evaluator, request.settings)
        search = Search(request.position, evaluator, settings, self._options.seed, request.only)
        self._run(search, job)
        answer = self._describe(search, request)
        return {**answer, "terminated": True} if job.ended.is_set() else answer

    def _run(self, search: Search, job: _Job) -> None:
        request, reported = job.request, time.monotonic()
        for _ in in_slices(search, request.limit, job.ended.is_set):
            now = time.monotonic()
            if request.report_s and now - reported >= request.report_s:
                reported = now
                self._write(request.answer(self._describe(search, request), during=True))

    def _evaluator(self, game: GameSpec) -> Evaluator | None:
        with self._loading:
            if game.text not in self._evaluators:
                if len(self._evaluators) >= MOST_GAMES:
                    del self._evaluators[next(iter(self._evaluators))]
                self._evaluators[game.text] = self._load(game)
            return self._evaluators[game.text]


def _turns(fields: Fields, name: str, positions: list[Position]) -> tuple[int, ...]:
    """After how many moves to search."""
    last = len(positions) - 1
    turns = fields.wholes(name, 0, last, [last])
    if not turns or len(turns) > MOST_TURNS:
        raise BadFile(f"{name} has {len(turns)} numbers; it must have 1 to {MOST_TURNS}")
    return turns


def _position(game: GameSpec, fields: Fields) -> Position:
    """The position before ``moves``: that of a diagram, else the game's first."""
    text = fields.text("position", "")
    return game.position(text) if text else game.initial()


def _moves(game: GameSpec, fields: Fields) -> list[int]:
    value = fields.values.get("moves")
    words = value.replace(",", " ").split() if isinstance(value, str) else _words(fields.list("moves", []), "moves")
    return [game.parse_action(word) for word in words]


def _words(values: list[Any], what: str) -> list[str]:
    for value in values:
        if not isinstance(value, str):
            raise BadFile(f"{what} has {short(value)}; it must be a list of moves")
    return values
