"""Elo ratings with intervals from match results.

The model is Davidson's (1970) extension of Bradley and Terry (1952) to draws: with strengths ``x = exp(r)``,
``P(i wins) = x_i / D``, ``P(draw) = nu sqrt(x_i x_j) / D``, ``D = x_i + x_j + nu sqrt(x_i x_j)``, one ``nu`` for all.
It is an exponential family in which a draw adds half a win to the score, so ratings depend on scores as in plain
Bradley-Terry, and draws make the intervals narrower.  The log-likelihood is concave; Newton's method finds the unique
maximum a posteriori.  Three weak priors keep every rating finite:

- each player has one virtual game, half won and half lost, spread over its opponents in proportion to their games
  (Haldane 1955 and Anscombe 1956 add the same halves to a single logit; BayesElo does likewise with draws);
- each rating is normal around the anchor with a standard deviation of 2000 Elo, for players without games;
- log nu is normal around 0 (a third of the games between equals drawn) with a standard deviation of 2.

Who moved first is not modelled: matches play every opening with both colours.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

ANCHOR: Final = "random"
ELO_PER_NAT: Final = 400.0 / math.log(10.0)  # Elo of a strength ratio of e
Z_95: Final = 1.959964  # two-sided 95 % of the normal distribution

RATING_SD: Final = 2000.0  # Elo, of the prior of a rating
LOG_NU_SD: Final = 2.0
_VIRTUAL_GAMES: Final = 1.0  # per player
_STEPS: Final = 100
_TOLERANCE: Final = 1e-10  # of a Newton step, in nats


class Record(NamedTuple):
    """Results between two players; ``wins`` and ``losses`` are those of ``a``."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games of ``a``; NaN without games."""
        return (self.wins + 0.5 * self.draws) / self.games if self.games else math.nan

    def seen_by_b(self) -> "Record":
        """The same games with the players in the other order."""
        return Record(self.b, self.a, self.losses, self.draws, self.wins)


class Rating(NamedTuple):
    """An Elo rating and its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Ratings(Mapping[str, Rating]):
    """The ratings of n players by name, the anchor first, at 0.

    elo: float64 [n].  covariance: float64 [n, n], Elo squared, relative to the anchor (whose row is 0).
    games: int64 [n], played.  nu: Davidson's draw parameter.
    """

    players: tuple[str, ...]
    elo: NDArray[np.float64]
    covariance: NDArray[np.float64]
    games: NDArray[np.int64]
    nu: float

    def __getitem__(self, player: str) -> Rating:
        return self._rating(self._weights({player: 1.0}))

    def __iter__(self) -> Iterator[str]:
        return iter(self.players)

    def __len__(self) -> int:
        return len(self.players)

    def lead(self, player: str, group: Iterable[str]) -> Rating:
        """Elo of ``player`` above the mean of ``group``; KeyError for an unknown player.

        Its interval is narrower than those of the ratings, which share the uncertainty of the anchor.
        """
        return self.difference((player,), group)

    def difference(self, players: Iterable[str], group: Iterable[str]) -> Rating:
        """Mean Elo of ``players`` above the mean of ``group``; KeyError for an unknown player."""
        names, others = tuple(players), tuple(group)
        weights = self._weights(dict.fromkeys(names, 1.0 / len(names)))
        return self._rating(weights - self._weights(dict.fromkeys(others, 1.0 / len(others))))

    def table(self) -> dict[str, list[float]]:
        """{player: [elo, low, high]}, strongest first, rounded to a tenth, as reports hold it."""
        order = sorted(self.players, key=lambda player: -self[player].elo)
        return {player: [round(figure, 1) for figure in self[player]] for player in order}

    def _weights(self, weight_of: Mapping[str, float]) -> NDArray[np.float64]:
        weights = np.zeros(len(self.players))
        for player, weight in weight_of.items():
            if player not in self.players:
                raise KeyError(player)
            weights[self.players.index(player)] = weight
        return weights

    def _rating(self, weights: NDArray[np.float64]) -> Rating:
        elo = float(weights @ self.elo)
        half = Z_95 * math.sqrt(max(0.0, float(weights @ self.covariance @ weights)))
        return Rating(elo, elo - half, elo + half)


def rate(records: Iterable[Record], anchor: str = ANCHOR, players: Iterable[str] = ()) -> Ratings:
    """Rate all players in ``records`` and ``players`` relative to ``anchor``, which need not have played.

    The order of the records does not matter, nor whether a match is one record or several.  Raises ValueError for
    negative counts and for a player's games against itself.
    """
    pairs: dict[tuple[str, str], list[int]] = {}
    for record in records:
        if record.a == record.b:
            raise ValueError(f"a record is of {record.a!r} against itself; a match has two players")
        if min(record.wins, record.draws, record.losses) < 0:
            raise ValueError(f"{record} has a negative count; counts are whole numbers from 0")
        if record.a > record.b:
            record = record.seen_by_b()
        sums = pairs.setdefault((record.a, record.b), [0, 0, 0])
        for outcome, count in enumerate(record[2:]):
            sums[outcome] += count
    names = {name for pair in pairs for name in pair} | set(players)
    order = (anchor, *sorted(names - {anchor}))
    number = {name: i for i, name in enumerate(order)}
    met = sorted(pair for pair, counts in pairs.items() if sum(counts))
    first = np.array([number[a] for a, _ in met], np.int64)
    second = np.array([number[b] for _, b in met], np.int64)
    counts = np.array([pairs[pair] for pair in met], np.float64).reshape(-1, 3)
    games = counts.sum(axis=1)
    played = np.bincount(first, games, len(order)) + np.bincount(second, games, len(order))
    elo, covariance, nu = _fit(len(order), first, second, counts, played)
    return Ratings(order, elo, covariance, played.astype(np.int64), nu)


def information(gap: NDArray[np.float64], nu: float) -> NDArray[np.float64]:
    """Expected Fisher information of one game about the rating difference of its players, per Elo squared.

    ``gap``: that difference in Elo, any shape.
    """
    p_win, _, p_loss = _chances(gap / ELO_PER_NAT, math.log(nu))
    per_game: NDArray[np.float64] = ((p_win + p_loss) / 4.0 - ((p_win - p_loss) / 2.0) ** 2) / ELO_PER_NAT**2
    return per_game


def _chances(
    gap: NDArray[np.float64], log_nu: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """P(win), P(draw), P(loss) for a rating difference of ``gap`` nats."""
    logits = np.stack([gap / 2.0, np.full_like(gap, log_nu), -gap / 2.0])
    weights = np.exp(logits - logits.max(axis=0))
    win, draw, loss = weights / weights.sum(axis=0)
    return win, draw, loss


def _fit(
    n: int, i: NDArray[np.int64], j: NDArray[np.int64], counts: NDArray[np.float64], played: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Fit the model: (Elo [n], covariance in Elo squared [n, n], nu).

    ``counts`` [m, 3]: wins, draws and losses of the players ``i`` [m] against ``j`` [m].  ``played`` [n]: games of each
    player.  The parameters are the n ratings in nats, number 0 fixed at 0, and log nu.
    """
    games = counts.sum(axis=1)
    virtual = _VIRTUAL_GAMES * games * 0.5 * (1.0 / played[i] + 1.0 / played[j])
    wins, draws, losses = counts[:, 0] + virtual / 2.0, counts[:, 1], counts[:, 2] + virtual / 2.0
    total = games + virtual
    precision = np.full(n + 1, (ELO_PER_NAT / RATING_SD) ** 2)
    precision[n] = 1.0 / LOG_NU_SD**2

    def height(x: NDArray[np.float64]) -> float:
        """Log posterior up to a constant."""
        half = (x[i] - x[j]) / 2.0
        draw = np.full_like(half, x[n])
        log_sum = np.logaddexp(np.logaddexp(half, -half), draw)
        return float(
            ((wins - losses) * half + draws * draw - total * log_sum).sum() - 0.5 * (precision * x * x)[1:].sum()
        )

    def slopes(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Gradient [n] and information matrix (minus the Hessian) [n, n], without the anchor."""
        p_win, p_draw, p_loss = _chances(x[i] - x[j], float(x[n]))
        over = (wins - losses) / 2.0 - total * (p_win - p_loss) / 2.0
        gradient = np.bincount(i, over, n + 1) - np.bincount(j, over, n + 1) - precision * x
        gradient[n] += float((draws - total * p_draw).sum())
        precise = total * ((p_win + p_loss) / 4.0 - ((p_win - p_loss) / 2.0) ** 2)
        mixed = -total * p_draw * (p_win - p_loss) / 2.0
        h = np.diag(precision)
        np.add.at(h, (i, i), precise)
        np.add.at(h, (j, j), precise)
        np.add.at(h, (i, j), -precise)
        np.add.at(h, (j, i), -precise)
        for row, sign in ((i, 1.0), (j, -1.0)):
            h[:, n] += sign * np.bincount(row, mixed, n + 1)
            h[n, :] += sign * np.bincount(row, mixed, n + 1)
        h[n, n] += float((total * p_draw * (1.0 - p_draw)).sum())
        return gradient[1:], h[1:, 1:]

    x = np.zeros(n + 1)
    for _ in range(_STEPS):
        gradient, h = slopes(x)
        step = np.concatenate([[0.0], np.linalg.solve(h, gradient)])
        share, present = 1.0, height(x)
        while share > 1e-6 and height(x + share * step) < present:
            share /= 2.0
        x += share * step
        if np.abs(step).max() < _TOLERANCE:
            break
    inverse = np.linalg.inv(slopes(x)[1])
    covariance = np.zeros((n, n))
    covariance[1:, 1:] = inverse[: n - 1, : n - 1] * ELO_PER_NAT**2
    return x[:n] * ELO_PER_NAT, covariance, math.exp(x[n])


def wilson_interval(score: float, games: int) -> tuple[float, float]:
    """Interval of a score s over n games (Wilson 1927):
    ``(s + z^2/2n -+ z sqrt(s (1 - s) / n + z^2/4n^2)) / (1 + z^2/n)``.

    A draw counts as half a win, so with draws the interval is conservative.  (0, 1) without games.
    """
    if games == 0:
        return 0.0, 1.0
    z = Z_95
    squared = z * z / games
    middle = score + squared / 2.0
    half = z * math.sqrt(max(0.0, score * (1.0 - score)) / games + squared / (4.0 * games))
    return max(0.0, (middle - half) / (1.0 + squared)), min(1.0, (middle + half) / (1.0 + squared))


def result_interval(mean: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a mean result in [-1, 1] over ``count`` games; conservative where there are draws."""
    low, high = wilson_interval((mean + 1.0) / 2.0, count)
    return 2.0 * low - 1.0, 2.0 * high - 1.0


def elo_difference(score: float) -> float:
    """``-400 log10(1 / s - 1)`` (Elo's logistic curve); infinite at 0 and 1, NaN for NaN."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return -400.0 * math.log10(1.0 / score - 1.0)
