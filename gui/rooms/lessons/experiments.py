"""The experiments of lessons, as numbers: random points, bandits, repeated searches, noise.

Each has ``count``, what was done so far, ``add(n)`` to do more, and ``figures()`` by name.  The same options and the
same sums of ``add`` give the same numbers.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gui.widgets.figures import percent

if TYPE_CHECKING:
    from core.games import Position
    from core.search import SearchSettings

Figures = dict[str, float | str]
Floats = NDArray[np.float64]
MOST: Final = 10_000_000  # points, plays or draws of one experiment
SOLVE_S: Final = 30.0
KEPT_POINTS: Final = 30_000  # for the picture


class Experiment(Protocol):
    """What a picture shows."""

    count: int

    def add(self, more: int) -> None: ...

    def figures(self) -> Figures: ...


def marks_between(before: int, after: int) -> NDArray[np.int64]:
    """The counts in (before, after] at which a curve on a logarithmic axis gets a point: about 30 a decade."""
    if after <= before:
        return np.zeros(0, np.int64)
    low, high = math.log10(max(1, before)), math.log10(after)
    marks = np.unique(np.rint(10 ** np.linspace(low, high, 2 + int(30 * (high - low)))).astype(np.int64))
    return marks[(marks > before) & (marks <= after)]


class Points:
    """Random points in the unit square; four times the share inside the quarter circle estimates π."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self.count = self.inside = 0
        self.points: Floats = np.zeros((0, 2))  # the first ones
        self.ns: list[int] = []  # of the curve
        self.estimates: list[float] = []

    def add(self, more: int) -> None:
        more = min(more, MOST - self.count)
        if more <= 0:
            return
        points = self._random.random((more, 2))
        hits = np.cumsum((points**2).sum(axis=1) <= 1.0)
        marks = marks_between(self.count, self.count + more)
        estimates = 4 * (self.inside + hits[marks - self.count - 1]) / marks
        self.ns += marks.tolist()
        self.estimates += estimates.tolist()
        self.points = np.concatenate([self.points, points[: max(0, KEPT_POINTS - self.count)]])
        self.count += more
        self.inside += int(hits[-1])

    @property
    def estimate(self) -> float:
        return 4 * self.inside / self.count if self.count else math.nan

    def figures(self) -> Figures:
        share = self.inside / self.count if self.count else math.nan
        error = 4 * math.sqrt(share * (1 - share) / self.count) if self.count else math.nan
        return {
            "points": self.count,
            "inside": self.inside,
            "estimate": round(self.estimate, 4),
            "error": round(error, 4),
            "off": round(abs(self.estimate - math.pi), 4),
        }


def pi_error(points: int) -> float:
    """The standard error of the estimate of π from so many points."""
    share = math.pi / 4
    return 4 * math.sqrt(share * (1 - share) / points)


def chance_within(relative: float, points: int) -> float:
    """The probability that so many points give π within a relative error, by the normal distribution."""
    return math.erf(relative * math.pi / pi_error(points) / math.sqrt(2))


class PointRuns:
    """The estimate of π from ``points`` random points, again and again."""

    def __init__(self, points: int = 30_000, within: float = 0.0007, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self.points, self.within = points, within
        self.count = 0
        self.estimates: Floats = np.zeros(0)

    def add(self, more: int) -> None:
        more = min(more, MOST // self.points - self.count)
        estimates = [self._estimate() for _ in range(more)]
        self.estimates = np.concatenate([self.estimates, np.array(estimates)])
        self.count = len(self.estimates)

    def _estimate(self) -> float:
        points = self._random.random((2, self.points))
        return 4 * float(((points[0] ** 2 + points[1] ** 2) <= 1.0).mean())

    @property
    def near(self) -> NDArray[np.bool_]:
        """Which estimates lie within the relative error."""
        return np.abs(self.estimates / math.pi - 1) <= self.within

    def figures(self) -> Figures:
        spread = float(self.estimates.std()) if self.count else math.nan
        return {
            "runs": self.count,
            "near": int(self.near.sum()),
            "share": percent(self.near.mean(), 0) if self.count else "–",
            "expected": percent(chance_within(self.within, self.points), 0),
            "error": percent(pi_error(self.points) / math.pi, 2),
            "spread": percent(spread / math.pi, 2) if self.count else "–",
        }


def ucb1(wins: Floats, games: Floats, c: float, total: float, flipped: bool = False) -> Floats:
    """Q + √(C · ln ΣN / N), with C inside the root; ``flipped``: with 1 - Q, for the opponent's choice.

    Infinite for what was never tried.
    """
    tried = games > 0
    n = np.where(tried, games, 1.0)
    mean = np.where(tried, wins / n, 0.0)
    scores = (1 - mean if flipped else mean) + np.sqrt(c * math.log(max(total, 1.0)) / n)
    return np.where(tried, scores, np.inf)


class Formula:
    """UCB1 for moves with given wins and games; ``count`` is how often C was changed."""

    def __init__(self, wins: Floats, games: Floats, c: float = 2.0, flipped: bool = False) -> None:
        self.wins, self.games, self.c, self.flipped = wins, games, c, flipped
        self.count = 0

    def add(self, more: int) -> None:
        """Change C to 1 or, from 1, to 10."""
        self.set_c(10.0 if self.c == 1.0 else 1.0)

    def set_c(self, c: float) -> None:
        self.count += c != self.c
        self.c = c

    @property
    def scores(self) -> Floats:
        return ucb1(self.wins, self.games, self.c, float(self.games.sum()), self.flipped)

    def figures(self) -> Figures:
        scores = self.scores
        named: Figures = {f"score{i}": round(float(score), 2) for i, score in enumerate(scores.tolist()[:3], 1)}
        return {**named, "c": self.c, "total": int(self.games.sum()), "chosen": int(scores.argmax()) + 1}


class Bandit:
    """Slot machines with hidden chances to win, chosen by UCB1; beside it the regret of choosing at random."""

    def __init__(self, arms: Floats, c: float = 2.0, seed: int = 1) -> None:
        self.arms, self.c = arms, c
        self._random = np.random.default_rng(seed)
        self.count = 0
        self.wins, self.games = np.zeros(len(arms)), np.zeros(len(arms))
        self.ns: list[int] = []  # of the curves of regret
        self.regrets: list[float] = []
        self.last = -1  # the machine played last

    def add(self, more: int) -> None:
        before, after = self.count, min(MOST, self.count + more)
        marks = set(marks_between(before, after).tolist())
        draws = self._random.random(after - before)
        for draw in draws.tolist():
            arm = self.last = self.next
            self.wins[arm] += draw < self.arms[arm]
            self.games[arm] += 1
            self.count += 1
            if self.count in marks:
                self.ns.append(self.count)
                self.regrets.append(self.regret)

    @property
    def scores(self) -> Floats:
        return ucb1(self.wins, self.games, self.c, self.count)

    @property
    def next(self) -> int:
        """The machine that is played next: the first of those with the highest score."""
        return int(self.scores.argmax())

    @property
    def regret(self) -> float:
        """What was lost on average by not playing the best machine every time."""
        return float((self.games * (self.arms.max() - self.arms)).sum())

    @property
    def random_rate(self) -> float:
        """The same for each play of a machine chosen at random."""
        return float(self.arms.max() - self.arms.mean())

    def figures(self) -> Figures:
        best = int(self.arms.argmax())
        share = self.games[best] / self.count if self.count else math.nan
        return {
            "plays": self.count,
            "next": self.next + 1,
            "best": best + 1,
            "share": percent(share, 0) if self.count else "–",
            "regret": round(self.regret, 1),
            "random": round(self.random_rate * self.count, 1),
            "machines": len(self.arms),
        }


class Trials:
    """The same search again and again, each with another seed: how often is each move chosen?"""

    def __init__(self, position: Position, settings: SearchSettings, simulations: int, seed: int = 0) -> None:
        self.position, self.settings, self.simulations = position, settings, simulations
        self._seed = seed
        self.count = 0
        self.chosen: dict[int, int] = dict.fromkeys(position.legal_actions(), 0)
        self.right: frozenset[int] | None = None  # the moves that keep the exact value; None while not solved

    def add(self, more: int) -> None:
        from core.engine import Search
        from core.search import Limit

        if self.right is None:
            self.right = self._solve()
        for _ in range(min(more, 1000)):
            search = Search(self.position, None, self.settings, self._seed + self.count)
            search.run(Limit(simulations=self.simulations))
            self.chosen[search.best_action()] += 1
            self.count += 1

    def _solve(self) -> frozenset[int]:
        """The moves that keep the exact value; where that cannot be solved, those that threats do not prove lost."""
        from core.engine import Search
        from core.search import Limit
        from core.solve import refusal, solve

        if not refusal(self.position):
            solution = solve(self.position, seconds=SOLVE_S)
            if solution is not None and all(m.value is not None for m in solution.moves):
                return frozenset(m.action for m in solution.moves if m.value == solution.value)
        proving = replace(self.settings, selection="ucb1", prove=True, threat_proofs=True)
        search = Search(self.position, None, proving)
        search.run(Limit(simulations=2 * self.position.game.num_actions))
        rows = search.snapshot().moves
        unlost = frozenset(row.action for row in rows if row.proof != "loss")
        return unlost if len(unlost) < len(rows) else frozenset()

    def figures(self) -> Figures:
        right = sum(times for action, times in self.chosen.items() if self.right and action in self.right)
        return {
            "searches": self.count,
            "right": right,
            "share": percent(right / self.count, 0) if self.count else "–",
            "simulations": self.simulations,
        }


class Noise:
    """Priors mixed with Dirichlet noise: (1 - ε) P + ε · Dir(α), drawn again and again."""

    def __init__(self, priors: Floats, alpha: float = 0.3, epsilon: float = 0.25, seed: int = 1) -> None:
        self.priors, self.alpha, self.epsilon = priors / priors.sum(), alpha, epsilon
        self._random = np.random.default_rng(seed)
        self.count = 0
        self.drawn = self.priors  # the last mixture
        self._sum = np.zeros(len(priors))

    def add(self, more: int) -> None:
        for _ in range(min(more, MOST - self.count)):
            noise = self._random.dirichlet(np.full(len(self.priors), self.alpha))
            self.drawn = (1 - self.epsilon) * self.priors + self.epsilon * noise
            self._sum += self.drawn
            self.count += 1

    @property
    def mean(self) -> Floats:
        return self._sum / self.count if self.count else self.priors

    def figures(self) -> Figures:
        raised = self.drawn - self.priors
        return {
            "draws": self.count,
            "alpha": self.alpha,
            "epsilon": self.epsilon,
            "moves": len(self.priors),
            "raised": int(raised.argmax()) + 1 if self.count else "–",
            "before": percent(self.priors[int(raised.argmax())], 0),
            "after": percent(self.drawn[int(raised.argmax())], 0),
        }


class Temperature:
    """The chance of each move, N^(1/τ) / ΣN^(1/τ); ``count`` is how often τ was changed."""

    def __init__(self, visits: Floats, tau: float = 1.0) -> None:
        self.visits, self.tau = visits, tau
        self.count = 0

    def add(self, more: int) -> None:
        """Change τ to 0.2 or, from there, to 1."""
        self.set_tau(1.0 if self.tau < 0.5 else 0.2)

    def set_tau(self, tau: float) -> None:
        self.count += tau != self.tau
        self.tau = tau

    @property
    def chances(self) -> Floats:
        from core.search.play import chances

        return chances(self.visits, int(self.visits.argmax()), False, self.tau)

    def figures(self) -> Figures:
        chances = self.chances
        return {
            "tau": self.tau,
            "first": percent(chances.max(), 0),
            "visits": int(self.visits.max()),
            "all": int(self.visits.sum()),
        }
