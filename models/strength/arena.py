"""Matches between two engines; scores and Elo differences with intervals."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from core.engine.dead_stones import agreed_margin
from core.engine.evaluator import Evaluator, gives_ownership
from core.engine.search import Search
from core.games import GameSpec, Position, dispatch
from core.rng import check_seed
from core.search.settings import Limit, SearchSettings
from models.play.openings import new_opening
from models.strength.rating import Z_95


class Mover(Protocol):
    """Chooses the moves of one side in one game."""

    def move(self, position: Position) -> int | None:
        """The move to play at ``position``, which is not over; None to resign."""
        ...


class CountingMover(Mover, Protocol):
    """A mover that counts finished games by itself."""

    def score(self, position: Position) -> str:
        """Its count of a game that was played to its end, such as B+3.5; "" when it has none."""
        ...


class Contestant(Protocol):
    """One side of a match."""

    @property
    def name(self) -> str: ...

    def begin(self, opening: Position, seed: int) -> Mover:
        """Start a game; ``seed`` fixes every random choice in it that is ours."""
        ...


@dataclass(frozen=True)
class Player:
    """A search as one side of a match; ``evaluator`` None evaluates leaves by random rollouts."""

    name: str
    evaluator: Evaluator | None
    limit: Limit
    settings: SearchSettings = field(default_factory=SearchSettings)

    def begin(self, opening: Position, seed: int) -> Mover:
        """Start a game with a tree of its own, which is kept from move to move."""
        return _Searcher(Search(opening, self.evaluator, self.settings, seed=seed), self.limit)


class _Searcher:
    def __init__(self, search: Search, limit: Limit) -> None:
        self._search, self._limit = search, limit

    def move(self, position: Position) -> int:
        search = self._search
        search.go_to(position)
        search.run(self._limit)
        action = search.best_action()
        if action < 0:
            search.run(Limit(simulations=2))  # the limit allowed no search, but a move is needed
            action = search.best_action()
        return action


@dataclass(frozen=True)
class OutsidePlayer:
    """An engine in another process as one side of a match; it is used again for the next game."""

    name: str
    engine: CountingMover

    def begin(self, opening: Position, seed: int) -> Mover:
        """The engine itself; its random choices are its own."""
        return self.engine


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a match."""

    moves: tuple[int, ...]  # the opening included
    opening_plies: int
    a_moves_first: bool
    score: float  # of player A: 1 won, 0.5 draw, 0 lost
    margin: float | None = None  # points of the game's first player less the second's, where the game is counted
    resigned: bool = False  # the side to move gave the game up


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, from player A's view."""

    games: tuple[PlayedGame, ...]

    @property
    def wins(self) -> int:
        return sum(game.score == 1.0 for game in self.games)

    @property
    def draws(self) -> int:
        return sum(game.score == 0.5 for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.score == 0.0 for game in self.games)

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games; NaN without games."""
        return sum(game.score for game in self.games) / len(self.games) if self.games else math.nan

    @property
    def score_interval(self) -> tuple[float, float]:
        """95 % interval of the score; see :func:`wilson_interval`."""
        return wilson_interval(self.score, len(self.games))

    @property
    def elo(self) -> float:
        """Elo difference A - B; see :func:`elo_difference`."""
        return elo_difference(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The Elo differences at the ends of the score's 95 % interval."""
        low, high = self.score_interval
        return elo_difference(low), elo_difference(high)

    def __str__(self) -> str:
        if not self.games:
            return "no games"
        low, high = self.score_interval
        elo_low, elo_high = self.elo_interval
        return (
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost of {len(self.games)}: score {self.score:.1%} "
            f"(95 % interval {low:.1%} to {high:.1%}), "
            f"Elo {_signed(self.elo)} ({_signed(elo_low)} to {_signed(elo_high)})"
        )


def wilson_interval(score: float, games: int, z: float = Z_95) -> tuple[float, float]:
    """Interval of a score s over n games (Wilson 1927):
    ``(s + z^2/2n -+ z sqrt(s (1 - s) / n + z^2/4n^2)) / (1 + z^2/n)``.

    A draw counts as half a win, so with draws the interval is conservative.  (0, 1) without games.
    """
    if games == 0:
        return 0.0, 1.0
    squared = z * z / games
    middle = score + squared / 2.0
    half = z * math.sqrt(max(0.0, score * (1.0 - score)) / games + squared / (4.0 * games))
    return max(0.0, (middle - half) / (1.0 + squared)), min(1.0, (middle + half) / (1.0 + squared))


def _signed(elo: float) -> str:
    text = f"{elo:+.0f}"
    return "0" if text in ("+0", "-0") else text


def elo_difference(score: float) -> float:
    """``-400 log10(1 / s - 1)`` (Elo's logistic curve); infinite at 0 and 1, NaN for NaN."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return -400.0 * math.log10(1.0 / score - 1.0)


def check_match(games: int, opening_plies: int, seed: int) -> None:
    """Check the arguments of :func:`play_match`; ValueError for invalid ones."""
    check_seed(seed)
    if games < 2 or games % 2:
        raise ValueError(f"games is {games!r}; it must be an even number from 2, since each opening is played twice")
    if opening_plies < 0:
        raise ValueError(f"opening_plies is {opening_plies!r}; it must be a whole number from 0")


def play_match(
    game: GameSpec,
    a: Contestant,
    b: Contestant,
    games: int,
    opening_plies: int = 2,
    seed: int = 0,
    report: Callable[[MatchResult], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> MatchResult:
    """Play ``games`` games of A against B from random openings of ``opening_plies`` moves, each with both colours.

    Where the rules take dead stones off, a net's ownership says which they are, else random games.  Openings are
    different as long as the game has enough of them.  ``report`` is called with the result so far after
    every game; ``should_stop`` ends the match before the next one.  Raises ValueError when ``games`` is odd or not
    positive, or ``opening_plies`` is negative.
    """
    check_match(games, opening_plies, seed)
    rng = np.random.default_rng(seed)
    used: set[tuple[int, ...]] = set()
    played: list[PlayedGame] = []
    for number in range(games):
        if should_stop():
            break
        a_moves_first = number % 2 == 0
        if a_moves_first:
            opening = new_opening(game, opening_plies, rng, used)
        last = play_game(opening, (a, b) if a_moves_first else (b, a), seed + number)
        first, margin = last.returns[0], None
        if not last.is_over:
            first = -1 if last.to_move == 0 else 1
        elif game.scoring is not None or game.counting is not None:
            margin = agreed_margin(last, _counter(a, b))
            margin = dispatch.margin(last.state) if margin is None else margin
            first = (margin > 0) - (margin < 0)
        score = 0.5 + 0.5 * (first if a_moves_first else -first)
        played.append(PlayedGame(last.moves, opening.ply, a_moves_first, score, margin, not last.is_over))
        if report is not None:
            report(MatchResult(tuple(played)))
    return MatchResult(tuple(played))


def _counter(*players: Contestant) -> Evaluator | None:
    """An evaluator of the players that says which stones are dead; None when no one has it."""
    evaluators = (player.evaluator for player in players if isinstance(player, Player))
    return next((one for one in evaluators if gives_ownership(one)), None)


def play_game(opening: Position, players: tuple[Contestant, Contestant], seed: int = 0) -> Position:
    """Play a game from ``opening``; its last position, which is not over when the side to move resigned.

    ``players[0]`` is the game's first player.
    """
    movers = [player.begin(opening, 2 * seed + side) for side, player in enumerate(players)]
    position = opening
    while not position.is_over:
        action = movers[position.to_move].move(position)
        if action is None:
            break
        position = position.play(action)
    return position
