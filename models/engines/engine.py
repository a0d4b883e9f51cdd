"""An outside engine as a player, whatever protocol it speaks."""

import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final, Protocol

from core.checks import short
from core.engine.review import ended
from core.games import GameSpec, IllegalMove, Position
from core.glass.review import FIRST_FEW, Figures
from core.text import Text
from models.engines.opinion import Opinion
from models.engines.process import EngineError, EngineProcess, split_command

THINK_S: Final = 600.0  # to a search without a limit that is known
LONGEST_MOVE_S: Final = 3600.0
MOST_DEPTH: Final = 60
MOST_MEMORY_MB: Final = 1 << 20
MOST_VISITS: Final = 10**9
_SECONDS: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)s", re.ASCII)
WINRATES: Final = ("mover", "black", "white")  # the side to move, the first player, the second

SECONDS: Final = 1.0


@dataclass(frozen=True)
class EngineOptions:
    """How an engine plays; None leaves a limit to the engine."""

    seconds: float | None = None
    """For each move."""
    depth: int | None = None
    """Plies of its search, for protocols that have such a limit."""
    memory_mb: int | None = None
    """MiB for its tables, for protocols that have such a limit."""
    visits: int | None = None
    """Of each search, for protocols that have such a limit."""
    winrate: str = WINRATES[0]
    """Whose win rates and leads its analysis gives: one of WINRATES."""

    def flips(self, to_move: int) -> bool:
        """Whether its win rates at a position are those of the side that is not to move."""
        return self.winrate != WINRATES[0] and WINRATES.index(self.winrate) - 1 != to_move

    @property
    def patience(self) -> float:
        """Seconds to wait for a move before the engine counts as hung."""
        return THINK_S if self.seconds is None else 3.0 * self.seconds + 10.0


OWN_LIMITS: Final = EngineOptions()
"""All limits are left to the engine."""


class Engine(Protocol):
    """A running engine, which follows one game at a time."""

    name: str

    @property
    def process(self) -> EngineProcess:
        """The program, with its dialogue."""
        ...

    def move(self, position: Position) -> int | None:
        """The engine's move at ``position``, which is not over; None when it resigns.

        EngineError for anything else."""
        ...

    def analysis(
        self, position: Position, seconds: float, should_stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Opinion]:
        """Yield the engine's opinions of ``position``, which is not over, as they grow, for at most ``seconds``.

        EngineError when it cannot analyse, or fails."""
        ...

    def score(self, position: Position) -> str:
        """The engine's own count of a game that was played to its end, such as B+3.5; "" when it has none."""
        ...

    def close(self) -> None:
        """End the program."""
        ...


def read_options(words: list[str], options: EngineOptions = OWN_LIMITS) -> EngineOptions:
    """``options`` with those that ``words`` name, such as ``1s``, ``depth=6`` and ``memory=256``; ValueError for a word
    that is none."""
    for word in (word.strip() for word in words):
        name, _, value = word.partition("=")
        if match := _SECONDS.fullmatch(word):
            seconds = float(match[1])
            if not 0.0 < seconds <= LONGEST_MOVE_S:
                raise ValueError(
                    Text("{word} is no time for a move; it must be above 0 and at most 3600 s", word=short(word))
                )
            options = replace(options, seconds=seconds)
        elif name == "depth":
            options = replace(options, depth=_whole(word, value, MOST_DEPTH))
        elif name == "memory":
            options = replace(options, memory_mb=_whole(word, value, MOST_MEMORY_MB))
        elif name == "visits":
            options = replace(options, visits=_whole(word, value, MOST_VISITS))
        elif name == "winrate" and value in WINRATES:
            options = replace(options, winrate=value)
        else:
            raise ValueError(
                Text(
                    "{word} is no option of an engine; write seconds per move as in 1s, depth=6, memory=256 (MiB), "
                    "visits=500, or winrate=mover, black or white: whose win rates its analysis gives",
                    word=short(word),
                )
            )
    return options


def _whole(word: str, value: str, most: int) -> int:
    number = int(value) if re.fullmatch("[0-9]{1,10}", value, re.ASCII) else 0
    if not 1 <= number <= most:
        raise ValueError(Text("{word} must be a whole number from 1 to {most}", word=short(word), most=most))
    return number


def not_offered(name: str) -> EngineError:
    """The error of an engine that plays but gives no figures."""
    return EngineError(Text("the engine {name} offers no analysis; it only plays", name=name))


def legal_move(name: str, position: Position, action: int | None, word: str) -> int:
    """``action``, which the engine ``name`` wrote as ``word``; EngineError when it is None or not legal."""
    if action is None:
        reason: object = Text("it is no move of {game}", game=position.game.text)
    else:
        try:
            position.play(action)
            return action
        except IllegalMove as error:
            reason = error
    raise EngineError(
        Text(
            "the engine {name} played {move}, which is not legal: {reason}", name=name, move=short(word), reason=reason
        )
    )


class EngineClient(ABC):
    """A running program that is asked for moves of one game."""

    farewell: ClassVar[str] = "quit"  # the line that asks the program to end

    def __init__(
        self,
        command: str,
        game: GameSpec,
        options: EngineOptions = OWN_LIMITS,
        folder: Path | None = None,
        name: str = "",
    ) -> None:
        """Start the engine; EngineError when it cannot be started, does not answer or cannot play the game.

        ``name``: of the engine in sentences; "" for that of its program."""
        self._check(game)
        self._game, self._options = game, options
        self._process = EngineProcess(split_command(command), folder, name)
        self.name = self._process.name
        with self._process.starting():
            self._begin()

    @abstractmethod
    def move(self, position: Position) -> int | None:
        """As :meth:`Engine.move`."""

    @abstractmethod
    def analysis(
        self, position: Position, seconds: float, should_stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Opinion]:
        """As :meth:`Engine.analysis`."""

    @abstractmethod
    def _check(self, game: GameSpec) -> None:
        """EngineError for a game that the protocol does not know."""

    @abstractmethod
    def _begin(self) -> None:
        """Give the first commands of the dialogue; EngineError when one is refused."""

    @property
    def process(self) -> EngineProcess:
        """The program, with its dialogue."""
        return self._process

    def score(self, position: Position) -> str:
        """No count of its own."""
        return ""

    def close(self) -> None:
        """End the engine; may be called again."""
        self._process.close(self.farewell)


def judged(
    engine: Engine, positions: Iterable[Position], seconds: float, should_stop: Callable[[], bool]
) -> Iterator[tuple[Position, Figures]]:
    """Yield each position with the engine's last word on it after ``seconds``, until it is to stop.

    The end of a game is counted here.  EngineError when the engine fails."""
    has_leads = False
    for position in positions:
        if position.is_over:
            yield position, ended(position, None, has_leads)
            continue
        last = deque(engine.analysis(position, seconds, should_stop), maxlen=1)
        if should_stop():
            return
        if not last:
            raise EngineError(Text("the engine {name} named no move", name=engine.name))
        figures = figures_of(last[0])
        has_leads = has_leads or figures.lead == figures.lead
        yield position, figures


def figures_of(opinion: Opinion) -> Figures:
    """An opinion as the result of a search: the value of a position is that of its best move."""
    rows = opinion.rows
    best = rows[0]
    return Figures(
        value=best.value,
        exact=False,
        best=(best.action,),
        best_value=best.value,
        pv=best.pv,
        visits=sum(max(0, row.visits) for row in rows),
        lead=best.lead,
        best_lead=best.lead,
        firsts=tuple(row.action for row in rows[:FIRST_FEW]),
    )
