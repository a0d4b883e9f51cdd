"""Running games of self-play, and statistics and samples of finished ones, with their weights.

A sample's weight is how often it is drawn, by how much its search surprised the net: policy surprise weighting
(KataGo, docs/KataGoMethods.md).  A share of the weight of a game's samples is equal among them, the rest in proportion
to the KL divergence of the policy target from the prior, here the one without noise.  Each counts whole when drawn.
"""

from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from core.games.encoding import Encoding
from models.play.samples import COUNTED, PROVED_EARLY, RESIGNED, GameTrace, PointSamples, Samples


def surprises(policies: NDArray[np.float32], priors: NDArray[np.float32]) -> NDArray[np.float64]:
    """KL(policy || priors) in nats of each row, both [R, A]; ``priors`` above 0 wherever ``policies`` are."""
    positive = policies > 0.0
    terms = np.zeros(policies.shape)
    target = policies[positive].astype(np.float64)
    terms[positive] = target * np.log(target / priors[positive])
    return np.maximum(0.0, terms.sum(axis=1))  # type: ignore[no-any-return]


def surprise_weights(surprises: NDArray[np.float64], share: float) -> NDArray[np.float32]:
    """The weights [n] of the samples of one game, of mean 1: ``share`` of them in proportion to the surprises."""
    total = float(surprises.sum())
    if not total:
        return np.ones(len(surprises), np.float32)
    return ((1.0 - share) + share * len(surprises) * surprises / total).astype(np.float32)


@dataclass(frozen=True, slots=True)
class PlayStats:
    """Statistics of a stretch of self-play."""

    games: int = 0  # finished
    moves: int = 0  # searched, unfinished games included
    plies: int = 0  # of finished games, openings included
    first_wins: int = 0
    draws: int = 0
    resigned: int = 0
    proved: int = 0  # games that ended with a proof
    counted: int = 0  # games of the greatest number of moves, counted as they were
    checked: int = 0  # games in which a side would have resigned, played to the end as a check
    wrongly: int = 0  # of those, games that the side did not lose
    evaluations: int = 0
    batches: int = 0
    cache_hits: int = 0
    play_s: float = 0.0  # time playing, summed over threads
    net_s: float = 0.0  # of that, time in the evaluator

    def __add__(self, other: "PlayStats") -> "PlayStats":
        return PlayStats(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


Part = tuple[Samples, PlayStats]  # of a stretch of self-play


class Pending(NamedTuple):
    """A position waiting for the result of its game."""

    planes: NDArray[np.int8]
    policy: NDArray[np.float32]
    root_value: float
    mover: int
    ply: int
    features: NDArray[np.float32]
    legal: NDArray[np.bool_]  # [A]
    surprise: float  # by models.play.games


class Counted(NamedTuple):
    """The final count of a game."""

    margin: float  # points of the first player less those of the second; NaN when it was not counted
    owners: NDArray[np.int8]  # [H, W] 1 the first player, -1 the second, 0 nobody


@dataclass
class RunningGame:
    """A running game."""

    number: int  # counts the games begun
    opening: tuple[int, ...]
    checked: bool
    komi: float | None = None  # where it is not the game's
    moves: list[int] = field(default_factory=list)
    full: list[bool] = field(default_factory=list)  # which searches were full ones, the running one included
    values: list[float] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    low: list[int] = field(default_factory=lambda: [0, 0])  # consecutive turns with a low value, by side
    would_resign: int = -1  # in a checked game: the side that would have resigned

    @property
    def ply(self) -> int:
        return len(self.opening) + len(self.moves)


def for_first(value: int, mover: int) -> int:
    """Convert a result for ``mover`` to one for the first player (and back)."""
    return value if mover == 0 else -value


class FinishedGames:
    """Collects the samples, traces and statistics of the games that finish during one call of ``play``."""

    def __init__(self, game: GameSpec, encoding: Encoding, surprise_share: float = 0.0) -> None:
        self._game, self._encoding, self._surprise_share = game, encoding, surprise_share
        self._weights: list[NDArray[np.float32]] = []  # by game
        self._unknown = Counted(np.nan, np.zeros(game.shape, np.int8))
        self._counts: list[Counted] = []  # by row
        self._rows: list[Pending] = []
        self._results: list[int] = []
        self._numbers: list[int] = []
        self._traces: list[GameTrace] = []
        self._games: list[PlayStats] = []
        self.moves = 0

    @property
    def samples(self) -> int:
        return len(self._rows)

    def add(self, game: RunningGame, outcome: int, ending: str, net_step: int, counted: Counted | None = None) -> None:
        """Add a finished game; ``outcome`` is for the first player."""
        self._counts.extend([counted or self._unknown] * len(game.pending))
        self._rows.extend(game.pending)
        surprises = np.array([row.surprise for row in game.pending])
        self._weights.append(surprise_weights(surprises, self._surprise_share))
        self._results.extend(for_first(outcome, row.mover) for row in game.pending)
        self._numbers.extend([len(self._traces)] * len(game.pending))
        searches, points, text = len(game.values), self._game.scoring, self._game.text
        if points is not None and game.komi is not None:
            text = points.text(*self._game.shape, game.komi)
        self._traces.append(
            GameTrace(
                game=text,
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
                proved=int(ending == PROVED_EARLY),
                counted=int(ending == COUNTED),
                checked=int(game.checked and would >= 0),
                wrongly=int(game.checked and would >= 0 and for_first(outcome, would) >= 0),
            )
        )

    @property
    def stats(self) -> PlayStats:
        """Statistics of the finished games, with the moves of all games."""
        return sum(self._games, PlayStats(moves=self.moves))

    def gathered(self) -> Samples:
        """The samples of all finished games."""
        rows = self._rows
        if not rows:
            return replace(Samples.empty(self._game, self._encoding), traces=tuple(self._traces))
        points = None
        if self._encoding.leads:
            sides = np.array([for_first(1, row.mover) for row in rows], np.int8)
            points = PointSamples(
                np.stack([row.features for row in rows]),
                np.array([counted.margin for counted in self._counts], np.float32) * sides,
                np.stack([counted.owners for counted in self._counts]) * sides[:, None, None],
            )
        return Samples(
            np.stack([row.planes for row in rows]),
            np.stack([row.policy for row in rows]),
            np.array(self._results, np.int8),
            np.array([row.root_value for row in rows], np.float32),
            np.array(self._numbers, np.int32),
            np.array([row.ply for row in rows], np.int16),
            tuple(self._traces),
            points,
            np.stack([row.legal for row in rows]),
            np.concatenate(self._weights),
        )
