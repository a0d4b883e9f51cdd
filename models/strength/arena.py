"""Matches between two engines and what their result is worth.  Knows no torch and no net format."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import GameSpec, Position
from core.rng import check_seed
from core.search.settings import Limit, SearchSettings
from models.play.openings import new_opening

Z_95: Final = 1.959964  # two-sided 95 % of the normal distribution


@dataclass(frozen=True)
class Player:
    """One side of a match; ``evaluator`` None values leaves by random rollouts."""

    name: str
    evaluator: Evaluator | None
    limit: Limit
    settings: SearchSettings = field(default_factory=SearchSettings)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a match."""

    moves: tuple[int, ...]  # the opening included
    opening_plies: int
    a_moves_first: bool
    score: float  # of player A: 1 won, 0.5 draw, 0 lost


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match from player A's side."""

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

    A draw counts as half a win, so with draws the interval is wider than it need be.  (0, 1) without games.
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
    """ValueError for numbers that :func:`play_match` does not take."""
    check_seed(seed)
    if games < 2 or games % 2:
        raise ValueError(f"games is {games!r}; it must be an even number from 2, since each opening is played twice")
    if opening_plies < 0:
        raise ValueError(f"opening_plies is {opening_plies!r}; it must be a whole number from 0")


def play_match(
    game: GameSpec,
    a: Player,
    b: Player,
    games: int,
    opening_plies: int = 2,
    seed: int = 0,
    report: Callable[[MatchResult], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> MatchResult:
    """``games`` games of A against B from random openings of ``opening_plies`` moves, each played with both colours.

    Openings differ from each other while the game has enough of them.  ``report`` gets the result so far after every
    game; ``should_stop`` ends the match before the next one.  Raises ValueError when ``games`` is not positive, or
    odd (one opening would be played with one colour alone), or ``opening_plies`` is negative.
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
        result = last.returns[0 if a_moves_first else 1]
        played.append(PlayedGame(last.moves, opening.ply, a_moves_first, 0.5 + 0.5 * result))
        if report is not None:
            report(MatchResult(tuple(played)))
    return MatchResult(tuple(played))


def play_game(opening: Position, players: tuple[Player, Player], seed: int = 0) -> Position:
    """The last position of a game from ``opening``; ``players[0]`` has the side that moves first in the game.

    Each player searches a tree of its own and keeps what it knows from move to move.
    """
    searches = [
        Search(opening, player.evaluator, player.settings, seed=2 * seed + side) for side, player in enumerate(players)
    ]
    position = opening
    while not position.is_over:
        side = position.to_move
        search = searches[side]
        search.go_to(position)
        search.run(players[side].limit)
        action = search.best_action()
        if action < 0:
            search.run(Limit(simulations=2))  # a limit that allows no search: still a move has to be made
            action = search.best_action()
        position = position.play(action)
    return position
