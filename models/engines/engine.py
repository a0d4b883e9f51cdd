"""An outside engine as a player, whatever protocol it speaks."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

from core.checks import short
from core.games import IllegalMove, Position
from core.text import Text
from models.engines.opinion import Opinion
from models.engines.process import EngineError, EngineProcess

THINK_S: Final = 600.0  # to a search without a limit that is known
LONGEST_MOVE_S: Final = 3600.0
MOST_DEPTH: Final = 60
MOST_MEMORY_MB: Final = 1 << 20
MOST_VISITS: Final = 10**9
_SECONDS: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)s", re.ASCII)


WINRATES: Final = ("mover", "black", "white")  # the side to move, the first player, the second


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
        if found := _SECONDS.fullmatch(word):
            seconds = float(found[1])
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
