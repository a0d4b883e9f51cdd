"""Our engine under other programs: the dialogue's lines, its options and clock, and a search that follows the game.

Options that are changed in the dialogue (``kata-set-param`` and its like) are the search settings by their own names,
and those of KataGo's names that mean the same here.
"""

import json
import math
import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TextIO

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import Position
from core.glass.snapshot import FULL, OVER, PROVED
from core.search.settings import SETTING, SETTINGS, Limit, SearchSettings, Setting
from models.engines.gtp_board import Refused

LONGEST_LINE: Final = 1 << 22  # characters; the rest is cut off
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
VISITS, TIME = "maxVisits", "maxTime"
RESIGN, RESIGN_LEAD, RESIGN_TURNS = "resignThreshold", "resignMinScoreDifference", "resignConsecTurns"
_KATAGO: Final = {
    "chosenMoveTemperature": "temperature",
    "cpuctExploration": "c_puct",
    "cpuctExplorationBase": "c_base",
    "cpuctExplorationLog": "c_log",
    "fpuReductionMax": "fpu_reduction",
    "lcbStdevs": "lcb_z",
    "minVisitPropForLCB": "lcb_share",
    "numSearchThreads": "threads",
    "rootFpuReductionMax": "root_fpu_reduction",
    "rootPolicyTemperature": "root_temperature",
}
NAMES: Final = (VISITS, TIME, RESIGN, RESIGN_LEAD, RESIGN_TURNS, *_KATAGO, *(setting.name for setting in SETTINGS))
_LONGEST_S: Final = 1e9  # stands for no limit
_PLAY: Final = {
    setting.name: setting
    for setting in (
        Setting(VISITS, "int", None, 1, 1 << 31, (), "", ""),
        Setting(TIME, "float", None, 0.0, _LONGEST_S, (), "", ""),
        Setting(RESIGN, "float", None, -1.0, 0.0, (), "", ""),
        Setting(RESIGN_LEAD, "float", None, 0.0, 400.0, (), "", ""),
        Setting(RESIGN_TURNS, "int", None, 1, 1000, (), "", ""),
    )
}
SLACK_S: Final = 0.3  # for the way to the other program
LEAST_S: Final = 0.05
MOVES_LEFT: Final = 40  # of a side that main time must suffice for, at least
SHARE: Final = 0.9  # of the time of a byo-yomi move that is used
SLICE_S: Final = 0.05
ENDED: Final = (FULL, OVER, PROVED)
"""Why a search cannot go on."""


class Dialogue:
    """Reads commands from ``source`` and writes answers to ``output``."""

    def __init__(self, output: TextIO, is_end: Callable[[str], bool] = lambda line: False) -> None:
        """``is_end``: whether a line ends what is going on, such as a search, as soon as it has come."""
        self._output, self._is_end = output, is_end
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._came = self._taken = 0  # lines that end something: each counter is of one thread

    @property
    def waiting(self) -> bool:
        """Whether a line has come that was not yet taken."""
        return not self._lines.empty()

    @property
    def ended(self) -> bool:
        """Whether a line that ends something has come and was not yet taken; the end of the input is none."""
        return self._came > self._taken

    def lines(self, source: TextIO) -> Iterator[str]:
        """Yield the lines of ``source`` without control characters."""
        threading.Thread(target=self._read, args=(source,), name="engine input", daemon=True).start()
        while (line := self._lines.get()) is not None:
            self._taken += self._is_end(line.strip())
            yield _CONTROL.sub("", line.replace("\t", " ")).strip()

    def next_line(self) -> str:
        """The next line within a command of several lines; "" at the end of the input."""
        line = self._lines.get()
        if line is None:
            self._lines.put(None)
            return ""
        self._taken += self._is_end(line.strip())
        return _CONTROL.sub("", line.replace("\t", " ")).strip()

    def write(self, text: str) -> None:
        """Write an answer at once; OSError when the other program is gone."""
        self._output.write(text)
        self._output.flush()

    def _read(self, source: TextIO) -> None:
        try:
            while line := source.readline(LONGEST_LINE):
                rest = line
                while rest and not rest.endswith("\n"):
                    rest = source.readline(LONGEST_LINE)
                self._came += self._is_end(line.strip())
                self._lines.put(line)
        except (OSError, ValueError):  # closed, or not UTF-8
            pass
        self._lines.put(None)


@dataclass(frozen=True, slots=True)
class ResignRule:
    """A side resigns when its game has looked lost for some turns of its own in a row."""

    below: float | None = None
    """A game looks lost when its value is below minus this; None is never."""
    lead: float = 0.0
    """Where it is above 0, the lead in points must be below minus this as well."""
    turns: int = 1

    def is_lost(self, value: float, lead: float) -> bool:
        """Whether a game looks lost to the side with this value and lead; NaN where there is none."""
        return self.below is not None and value < -self.below and (not self.lead or lead < -self.lead)


NEVER: Final = ResignRule()


@dataclass(frozen=True)
class Options:
    """How the engine plays."""

    limit: Limit
    settings: SearchSettings
    resign: ResignRule = NEVER
    seed: int = 0
    version: str = ""


def get_param(options: Options, name: str) -> str:
    """The value of a parameter; Refused for a name that is none."""
    if name == VISITS:
        return str(options.limit.simulations or 1 << 31)
    if name == TIME:
        return f"{options.limit.seconds or _LONGEST_S:g}"
    rule = options.resign
    if name in (RESIGN, RESIGN_LEAD, RESIGN_TURNS):
        below = 1.0 if rule.below is None else rule.below
        return f"{ {RESIGN: -below, RESIGN_LEAD: rule.lead, RESIGN_TURNS: rule.turns}[name]:g}"
    value = getattr(options.settings, _setting(name).name)
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def all_params(options: Options) -> str:
    """All parameters in JSON."""
    return json.dumps({name: get_param(options, name) for name in NAMES}, separators=(",", ":"))


def set_param(options: Options, name: str, word: str) -> Options:
    """The options with another value of a parameter; ValueError for a name or value that is none."""
    setting = _PLAY.get(name) or _setting(name)
    value = replace(setting, name=name).parse(word)
    rule, limit = options.resign, options.limit
    if name == VISITS:
        return replace(options, limit=replace(limit, simulations=value))
    if name == TIME:
        return replace(options, limit=replace(limit, seconds=None if value >= _LONGEST_S else value))
    if name == RESIGN:
        return replace(options, resign=replace(rule, below=None if value <= -1.0 else -value))
    if name == RESIGN_LEAD:
        return replace(options, resign=replace(rule, lead=value))
    if name == RESIGN_TURNS:
        return replace(options, resign=replace(rule, turns=value))
    return replace(options, settings=replace(options.settings, **{setting.name: value}))


def _setting(name: str) -> Setting:
    setting = SETTING.get(_KATAGO.get(name, name))
    if setting is None:
        raise Refused(f"unknown parameter {name[:40]}; kata-list-params lists them")
    return setting


@dataclass
class Clock:
    """Time settings, and what each colour has left."""

    main: float = 0.0
    byoyomi: float = 0.0
    stones: int = 0
    """Moves to be made within ``byoyomi`` seconds; 0: there is none."""
    unlimited: bool = True
    remaining: dict[int, tuple[float, int]] = field(default_factory=dict)
    """Colour -> (seconds, stones of byo-yomi, 0 in main time), as last stated."""

    def settings(self, main: float, byoyomi: float, stones: int) -> None:
        """Take the figures of ``time_settings``: byo-yomi without stones means no limit at all."""
        self.main, self.byoyomi, self.stones = main, byoyomi, stones
        self.unlimited = stones == 0 and byoyomi > 0
        self.remaining = {}

    def seconds(self, colour: int, moves_left: int) -> float | None:
        """Seconds for the next move of ``colour``, who has about ``moves_left`` to make; None without a limit."""
        if self.unlimited:
            return None
        seconds, stones = self.remaining.get(colour, (self.main, 0))
        if stones > 0:
            return max(LEAST_S, SHARE * (seconds - SLACK_S) / stones)
        spare = SHARE * self.byoyomi / self.stones if self.stones else 0.0
        share = (seconds - SLACK_S) / max(MOVES_LEFT, moves_left)
        return max(LEAST_S, share + spare, 0.0) if seconds > 0 or spare else LEAST_S


def in_slices(search: Search, limit: Limit, should_stop: Callable[[], bool]) -> Iterator[None]:
    """Run ``search`` to ``limit`` in slices of a short time; yield between two of them."""
    began = time.monotonic()
    while not should_stop():
        seconds = math.inf if limit.seconds is None else limit.seconds - (time.monotonic() - began)
        reason = search.run(Limit(limit.simulations, max(0.0, min(SLICE_S, seconds))), should_stop)
        reached = limit.simulations is not None and search.simulations >= limit.simulations
        if reason in ENDED or reached or seconds <= SLICE_S:
            return
        yield


class Thinker:
    """Keeps the tree from one position to the next where that leads on from it."""

    def __init__(self, evaluator: Evaluator | None, options: Options) -> None:
        self.evaluator, self.options = evaluator, options
        self._search: Search | None = None

    def forget(self) -> None:
        """Drop the tree."""
        self._search = None

    def choose(self, options: Options) -> None:
        """Search by other options from now on."""
        if options.settings != self.options.settings:
            self._search = None
        self.options = options

    def at(self, position: Position, only: Iterable[int] = ()) -> Search:
        """The search, at ``position``, among the moves ``only`` if there are any."""
        only = list(only)
        if self._search is None or not self._search.is_at(position, only):
            options = self.options
            self._search = Search(position, self.evaluator, options.settings, options.seed, only)
        self._search.go_to(position)
        return self._search

    def think(self, search: Search, limit: Limit, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Run ``search`` to ``limit``; its best move, for which it is run on if need be."""
        search.run(limit, should_stop)
        if search.best_action() < 0:
            search.run(Limit(simulations=2))
        return search.best_action()
