"""Games of self-play in flight, and the account of those that are over.  Knows no search and no choice of moves."""

from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from models.play.samples import PROVED, RESIGNED, GameTrace, Samples


@dataclass(frozen=True, slots=True)
class PlayStats:
    """What a bout of self-play did."""

    games: int = 0  # finished
    moves: int = 0  # searched, those of unfinished games included
    plies: int = 0  # of the finished games, openings included
    first_wins: int = 0
    draws: int = 0
    resigned: int = 0
    proved: int = 0  # games that ended with a proof
    checked: int = 0  # games played to the end in which a side would have resigned
    wrongly: int = 0  # of those, games that this side did not lose
    evaluations: int = 0
    batches: int = 0
    cache_hits: int = 0
    play_s: float = 0.0  # spent playing, each thread's
    net_s: float = 0.0  # of that, with the evaluator at work

    def __add__(self, other: "PlayStats") -> "PlayStats":
        return PlayStats(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


class Pending(NamedTuple):
    """A position waiting for the result of its game."""

    planes: NDArray[np.int8]
    policy: NDArray[np.float32]
    root_value: float
    mover: int
    ply: int


@dataclass
class RunningGame:
    """A game in flight."""

    number: int  # of all that were begun
    opening: tuple[int, ...]
    checked: bool
    moves: list[int] = field(default_factory=list)
    full: list[bool] = field(default_factory=list)  # which searches were full ones, the one in hand included
    values: list[float] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    low: list[int] = field(default_factory=lambda: [0, 0])  # turns in a row that a side's value was low
    would_resign: int = -1  # the side that would have, where the game is checked

    @property
    def ply(self) -> int:
        return len(self.opening) + len(self.moves)


def for_first(value: int, mover: int) -> int:
    """A result for ``mover`` as the first player's."""
    return value if mover == 0 else -value


class Bout:
    """The finished games of one call of ``play``."""

    def __init__(self, game: GameSpec) -> None:
        self._game = game
        self._rows: list[Pending] = []
        self._results: list[int] = []
        self._numbers: list[int] = []
        self._traces: list[GameTrace] = []
        self._games: list[PlayStats] = []
        self.moves = 0

    @property
    def samples(self) -> int:
        return len(self._rows)

    def add(self, game: RunningGame, outcome: int, ending: str, net_step: int) -> None:
        """``game`` is over with ``outcome`` for the first player."""
        self._rows.extend(game.pending)
        self._results.extend(for_first(outcome, row.mover) for row in game.pending)
        self._numbers.extend([len(self._traces)] * len(game.pending))
        searches = len(game.values)
        self._traces.append(
            GameTrace(
                game=self._game.text,
                opening=game.opening,
                moves=tuple(game.moves),
                full=np.array(game.full[:searches], np.bool_),
                values=np.array(game.values, np.float32),
                policies={row.ply: row.policy for row in game.pending},
                outcome=outcome,
                ending=ending,
                checked=game.checked,
                net_step=net_step,
            )
        )
        would = game.would_resign
        self._games.append(
            PlayStats(
                games=1,
                plies=game.ply,
                first_wins=int(outcome > 0),
                draws=int(outcome == 0),
                resigned=int(ending == RESIGNED),
                proved=int(ending == PROVED),
                checked=int(would >= 0),
                wrongly=int(would >= 0 and for_first(outcome, would) >= 0),
            )
        )

    @property
    def stats(self) -> PlayStats:
        """Of the finished games, and the moves of all."""
        return sum(self._games, PlayStats(moves=self.moves))

    def gathered(self) -> Samples:
        """All of it, to learn from."""
        rows = self._rows
        if not rows:
            return replace(Samples.empty(self._game), traces=tuple(self._traces))
        return Samples(
            np.stack([row.planes for row in rows]),
            np.stack([row.policy for row in rows]),
            np.array(self._results, np.int8),
            np.array([row.root_value for row in rows], np.float32),
            np.array(self._numbers, np.int32),
            np.array([row.ply for row in rows], np.int16),
            tuple(self._traces),
        )
