"""Matches between two sides: games one after another or side by side, scores and Elo differences with intervals.

Side by side the sides alternate: a batch for the games in which one is to move, then a batch for those of the other.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

import numpy as np

from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.engine.ownership import agreed_margin
from core.engine.search import Search
from core.games import GameSpec, Position, dispatch
from core.machine import machine_memory_mb
from core.rng import check_seed
from core.search.settings import Limit, SearchSettings
from models.play.openings import new_opening
from models.strength.rating import elo_difference, wilson_interval

ROUND: Final = 4  # openings
LEAST_SIMULATIONS: Final = 2  # after the first visit of a root no move has a visit yet
_ROLLOUT_MB: Final = 8  # least budget of one rollout tree
_AT_ONCE: Final = 2000  # simulations between checks of should_stop: a tenth of a second of rollouts on large boards


class Side:
    """One side of a match, in one game at a time or in many at once; games are numbered from 0."""

    name = ""
    evaluator: Evaluator | None = None
    """May say which stones are dead at the end."""

    def begin(self, g: int, opening: Position, seed: int) -> None:
        """Start game ``g`` in place of the one before; ``seed`` fixes every random choice in it that is ours."""

    def think(self, positions: Mapping[int, Position]) -> Mapping[int, int | None]:
        """Continue searching the games in which it is to move, none of which is over: the moves of those that are
        finished, by game; None to resign."""
        raise NotImplementedError

    def follow(self, g: int, action: int) -> None:
        """Update game ``g`` after a move of either side."""


class RandomSide(Side):
    """Plays uniformly random legal moves."""

    def __init__(self) -> None:
        self._rngs: dict[int, np.random.Generator] = {}

    def begin(self, g: int, opening: Position, seed: int) -> None:
        self._rngs[g] = np.random.default_rng(seed)

    def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
        return {g: int(self._rngs[g].choice(position.legal_actions())) for g, position in positions.items()}


class SearchSide(Side):
    """Plays by a search, with a tree per game that is kept from move to move; without an evaluator by rollouts."""

    def __init__(
        self, name: str, evaluator: Evaluator | None, limit: Limit, settings: SearchSettings | None = None
    ) -> None:
        self.name, self.evaluator, self.limit, self.settings = name, evaluator, limit, settings or SearchSettings()
        self._searches: dict[int, Search] = {}

    def begin(self, g: int, opening: Position, seed: int) -> None:
        self._searches.pop(g, None)  # its tree takes memory
        self._searches[g] = Search(opening, self.evaluator, self.settings, seed=seed)

    def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
        at_once = max(1, _AT_ONCE // self.limit.simulations) if self.limit.simulations else 1
        return {g: self._move(self._searches[g], position) for g, position in islice(positions.items(), at_once)}

    def _move(self, search: Search, position: Position) -> int:
        search.go_to(position)
        search.run(self.limit)
        action = search.best_action()
        if action < 0:
            search.run(Limit(simulations=2))  # the limit allowed no search, but a move is needed
            action = search.best_action()
        return action


def rollout_side(game: GameSpec, simulations: int) -> SearchSide:
    """UCT with random rollouts (ucb1, c = 1, proofs)."""
    megabytes = 8 * simulations * (80 + 4 * game.num_actions) >> 20
    megabytes = min(max(_ROLLOUT_MB, megabytes), machine_memory_mb())
    settings = SearchSettings(selection="ucb1", memory_mb=megabytes)
    return SearchSide("rollouts", None, Limit(simulations=simulations), settings)


class NetSide(Side):
    """Plays ``games`` games by PUCT with an evaluator; a batch holds a leaf of every game in which it is to move."""

    def __init__(self, game: GameSpec, evaluator: Evaluator, games: int, simulations: int) -> None:
        self.evaluator = evaluator
        self._lockstep = Lockstep(game, evaluator, games, net_settings(game, games, simulations))
        self._simulations = simulations
        self._thinking: set[int] = set()

    def begin(self, g: int, opening: Position, seed: int) -> None:
        self._lockstep.restart(g, opening.moves)

    def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
        for g in positions.keys() - self._thinking:
            self._thinking.add(g)
            self._lockstep.set_target(g, self._simulations, noise=False)
        ready = self._thinking.intersection(self._lockstep.step().tolist())
        for g in ready:
            self._lockstep.set_target(g, 0, noise=False)
        self._thinking -= ready
        return {g: self._lockstep.best(g) for g in ready}

    def follow(self, g: int, action: int) -> None:
        self._lockstep.play(g, action)


class MoveMaker(Protocol):
    """What a match asks of a program in another process."""

    def move(self, position: Position) -> int | None: ...

    def score(self, position: Position) -> str: ...


class EngineSide(Side):
    """An engine in another process, which follows one game at a time; its random choices are its own."""

    def __init__(self, name: str, engine: MoveMaker) -> None:
        self.name, self.engine = name, engine

    def think(self, positions: Mapping[int, Position]) -> dict[int, int | None]:
        g, position = next(iter(positions.items()))
        return {g: self.engine.move(position)}


def net_settings(game: GameSpec, games: int, simulations: int) -> SearchSettings:
    """Settings for ``games`` searches with a net in one pool of nodes, several times what they need."""
    node_bytes = 80 + 4 * game.num_actions
    megabytes = max(64, 8 * games * simulations * node_bytes >> 20)
    return SearchSettings(memory_mb=min(megabytes, machine_memory_mb()))


def play_games(
    a: Side, b: Side, openings: Sequence[Position], seed: int = 0, should_stop: Callable[[], bool] = lambda: False
) -> list[Position] | None:
    """Play a game from each opening side by side; their last positions, not over where the side to move resigned.

    A is player 0 in games 0, 2, 4, ... and B in the others.  None when ``should_stop`` (called between batches) ended
    them, as the games that finish early are a biased sample.
    """
    positions, sides = list(openings), (a, b)
    for g, opening in enumerate(positions):
        for number, side in enumerate(sides):
            side.begin(g, opening, 2 * (seed + g) + (number + g) % 2)
    going = set(range(len(positions)))
    while going:
        for number, side in enumerate(sides):
            if should_stop():
                return None
            mine = {g: positions[g] for g in sorted(going) if (positions[g].to_move + g) % 2 == number}
            if not mine:
                continue
            for g, action in side.think(mine).items():
                if action is not None:
                    positions[g] = positions[g].play(action)
                if action is None or positions[g].is_over:
                    going.remove(g)
                    continue
                a.follow(g, action)
                b.follow(g, action)
    return positions


def both_colours(openings: Iterable[Position]) -> list[Position]:
    """Each opening twice, for :func:`play_games`."""
    return [opening for opening in openings for _ in range(2)]


def play_in_rounds(
    a: Side, b: Side, openings: Iterable[Position], should_stop: Callable[[], bool] = lambda: False
) -> Iterator[tuple[int, int, int]]:
    """Play two games from each opening, those of ``ROUND`` openings side by side; after each round (wins, draws,
    losses) of A so far.

    ``should_stop`` ends it after the rounds that are finished, which are whole, so that no result is preferred.
    """
    total = (0, 0, 0)
    rest = iter(openings)
    while batch := list(islice(rest, ROUND)):
        lasts = play_games(a, b, both_colours(batch), should_stop=should_stop)
        if lasts is None:
            return
        total = tuple(sum(pair) for pair in zip(total, scores(lasts), strict=True))  # type: ignore[assignment]
        yield total


def scores(lasts: list[Position]) -> tuple[int, int, int]:
    """(wins, draws, losses) of A in games as ordered by :func:`play_games`."""
    results = [last.returns[g % 2] for g, last in enumerate(lasts)]
    return results.count(1), results.count(0), results.count(-1)


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
    def one_sided(self) -> tuple[int, int]:
        """(Openings from which the same side of the board won both games, openings played twice): the former say
        nothing of which player is stronger."""
        pairs = list(zip(self.games[::2], self.games[1::2], strict=False))
        return sum({first.score, second.score} == {0.0, 1.0} for first, second in pairs), len(pairs)

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
        same, pairs = self.one_sided
        return (
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost of {len(self.games)}: score {self.score:.1%} "
            f"(95 % interval {low:.1%} to {high:.1%}), "
            f"Elo {_signed(self.elo)} ({_signed(elo_low)} to {_signed(elo_high)})"
            + (f"; in {same} of {pairs} openings the same side of the board won both games" if same else "")
        )


def _signed(elo: float) -> str:
    text = f"{elo:+.0f}"
    return "0" if text in ("+0", "-0") else text


def check_match(games: int, opening_plies: int, seed: int, openings: Sequence[Position] = ()) -> None:
    """Check the arguments of :func:`play_match`; ValueError for invalid ones."""
    check_seed(seed)
    if games < 2 or games % 2:
        raise ValueError(f"games is {games!r}; it must be an even number from 2, since each opening is played twice")
    if opening_plies < 0:
        raise ValueError(f"opening_plies is {opening_plies!r}; it must be a whole number from 0")
    if openings and games > 2 * len(openings):
        raise ValueError(f"games is {games!r}; with {len(openings)} openings it must be at most {2 * len(openings)}")


def play_match(
    game: GameSpec,
    a: Side,
    b: Side,
    games: int,
    opening_plies: int = 2,
    seed: int = 0,
    report: Callable[[MatchResult], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    openings: Sequence[Position] = (),
) -> MatchResult:
    """Play ``games`` games of A against B, one after another, from random openings of ``opening_plies`` moves, each
    with both colours; from ``openings``, drawn at random, where they are given.

    Where the rules take dead stones off, a net's ownership says which they are, else random games.  Openings are
    different as long as the game has enough of them.  ``report`` is called with the result so far after every game;
    ``should_stop`` ends the match, without the game that is played.  Raises ValueError when ``games`` is odd, not
    positive or more than twice the openings given, or ``opening_plies`` is negative.
    """
    check_match(games, opening_plies, seed, openings)
    rng = np.random.default_rng(seed)
    used: set[tuple[int, ...]] = set()
    played: list[PlayedGame] = []
    given = iter(rng.permutation(len(openings)).tolist())
    opening = game.initial()
    for number in range(games):
        a_moves_first = number % 2 == 0
        if a_moves_first:
            opening = openings[next(given)] if openings else new_opening(game, opening_plies, rng, used)
        lasts = play_games(*((a, b) if a_moves_first else (b, a)), [opening], seed + number, should_stop)
        if lasts is None:
            break
        first, margin = _result(lasts[0], a, b)
        score = 0.5 + 0.5 * (first if a_moves_first else -first)
        played.append(PlayedGame(lasts[0].moves, opening.ply, a_moves_first, score, margin, not lasts[0].is_over))
        if report is not None:
            report(MatchResult(tuple(played)))
    return MatchResult(tuple(played))


def _result(last: Position, *sides: Side) -> tuple[int, float | None]:
    """(+1, 0, -1 for the game's first player, the margin in points where the game is counted)."""
    if not last.is_over:
        return (-1 if last.to_move == 0 else 1), None
    if last.game.scoring is None and last.game.counting is None:
        return int(last.returns[0]), None
    evaluators = (side.evaluator for side in sides)
    counter = next((evaluator for evaluator in evaluators if evaluator is not None and evaluator.gives_ownership), None)
    margin = agreed_margin(last, counter)
    margin = dispatch.margin(last.state) if margin is None else margin
    return (margin > 0) - (margin < 0), margin
