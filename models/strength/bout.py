"""Plays many games between two players in parallel, so that a net evaluates them in batches.

The players alternate: a batch for the games in which one is to move, then a batch
for those of the other.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, Protocol

import numpy as np

from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.engine.search import Search
from core.games import GameSpec, Position
from core.processors import machine_memory_mb
from core.search.settings import Limit, SearchSettings

ROUND: Final = 4  # openings
LEAST_SIMULATIONS: Final = 2  # after the first visit of a root no move has a visit yet
_ROLLOUT_MB: Final = 8  # least budget of one rollout tree
_ROLLOUTS_AT_ONCE: Final = 2000  # between checks of should_stop: a tenth of a second on large boards


class Side(Protocol):
    """A player of many games at once."""

    def begin(self, opening: Position, g: int) -> None:
        """Start game ``g`` at ``opening``."""
        ...

    def think(self, positions: list[Position], games: list[int]) -> dict[int, int]:
        """Continue searching ``games``, in which it is to move: the moves of those that are finished, by game."""
        ...

    def follow(self, g: int, action: int) -> None:
        """Update game ``g`` after a move of either player."""
        ...


class RandomSide:
    """Plays uniformly random legal moves."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def begin(self, opening: Position, g: int) -> None:
        pass

    def think(self, positions: list[Position], games: list[int]) -> dict[int, int]:
        return {g: int(self._rng.choice(positions[g].legal_actions())) for g in games}

    def follow(self, g: int, action: int) -> None:
        pass


class RolloutSide:
    """Plays by UCT with random rollouts (ucb1, c = 1, proofs), with a tree per game kept from move to move."""

    def __init__(self, game: GameSpec, games: int, simulations: int, seed: int) -> None:
        megabytes = 8 * simulations * (80 + 4 * game.num_actions) >> 20
        megabytes = min(max(_ROLLOUT_MB, megabytes), machine_memory_mb())
        self._settings = SearchSettings(selection="ucb1", memory_mb=megabytes)
        self._limit = Limit(simulations=simulations)
        self._at_once = max(1, _ROLLOUTS_AT_ONCE // simulations)
        self._seed = seed
        self._searches: list[Search | None] = [None] * games

    def begin(self, opening: Position, g: int) -> None:
        self._searches[g] = Search(opening, None, self._settings, seed=self._seed + g)

    def think(self, positions: list[Position], games: list[int]) -> dict[int, int]:
        moves = {}
        for g in games[: self._at_once]:
            search = self._searches[g]
            assert search is not None
            search.go_to(positions[g])
            search.run(self._limit)
            moves[g] = search.best_action()
        return moves

    def follow(self, g: int, action: int) -> None:
        pass


class NetSide:
    """Plays by PUCT with an evaluator; a batch holds a leaf of every game in which it is to move."""

    def __init__(self, game: GameSpec, evaluator: Evaluator, games: int, simulations: int, seed: int) -> None:
        self._lockstep = Lockstep(game, evaluator, games, net_settings(game, games, simulations), seed)
        self._simulations = simulations
        self._thinking: set[int] = set()

    def begin(self, opening: Position, g: int) -> None:
        self._lockstep.restart(g, opening.moves)

    def think(self, positions: list[Position], games: list[int]) -> dict[int, int]:
        for g in games:
            if g not in self._thinking:
                self._thinking.add(g)
                self._lockstep.set_target(g, self._simulations, noise=False)
        ready = self._thinking.intersection(self._lockstep.step().tolist())
        for g in ready:
            self._lockstep.set_target(g, 0, noise=False)
        self._thinking -= ready
        return {g: self._lockstep.best(g) for g in ready}

    def follow(self, g: int, action: int) -> None:
        self._lockstep.play(g, action)


def net_settings(game: GameSpec, games: int, simulations: int) -> SearchSettings:
    """Settings for ``games`` searches with a net in one pool of nodes, several times what they need."""
    node_bytes = 80 + 4 * game.num_actions
    megabytes = max(64, 8 * games * simulations * node_bytes >> 20)
    return SearchSettings(memory_mb=min(megabytes, machine_memory_mb()))


def play_side_by_side(
    game: GameSpec, a: Side, b: Side, openings: Iterable[Position], should_stop: Callable[[], bool] = lambda: False
) -> list[Position] | None:
    """Play two games from each opening in parallel; their last positions.

    None when ``should_stop`` (called between batches) ended them, as the games that finish early are a biased sample.
    Games 0, 2, 4, ... have A as player 0, the others, from the same openings, B.
    """
    positions = [opening for opening in openings for _ in range(2)]
    sides = (a, b)
    for g, opening in enumerate(positions):
        a.begin(opening, g)
        b.begin(opening, g)
    going = set(range(len(positions)))
    while going:
        for number, side in enumerate(sides):
            if should_stop():
                return None
            # In even games A (0) is player 0; in odd ones B is.
            mine = sorted(g for g in going if (positions[g].to_move + g) % 2 == number)
            if not mine:
                continue
            for g, action in side.think(positions, mine).items():
                positions[g] = positions[g].play(action)
                if positions[g].is_over:
                    going.remove(g)
                    continue
                a.follow(g, action)
                b.follow(g, action)
    return positions


def play_in_rounds(
    game: GameSpec, a: Side, b: Side, openings: Iterable[Position], should_stop: Callable[[], bool] = lambda: False
) -> Iterator[tuple[int, int, int]]:
    """Play two games from each opening, those of ``ROUND`` openings in parallel; after each round (wins, draws, losses)
    of A so far.

    ``should_stop`` ends it after the rounds that are finished, which are whole, so that no result is preferred.
    """
    total = (0, 0, 0)
    rest = iter(openings)
    while some := list(islice(rest, ROUND)):
        lasts = play_side_by_side(game, a, b, some, should_stop)
        if lasts is None:
            return
        total = tuple(sum(pair) for pair in zip(total, scores(lasts), strict=True))  # type: ignore[assignment]
        yield total


def scores(lasts: list[Position]) -> tuple[int, int, int]:
    """(wins, draws, losses) of A in games as ordered by :func:`play_side_by_side`."""
    results = [last.returns[g % 2] for g, last in enumerate(lasts)]
    return results.count(1), results.count(0), results.count(-1)
