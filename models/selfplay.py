"""Games an evaluator plays against itself, turned into positions to learn from.  Knows no torch and no training.

Each finished game gives samples: positions searched in full, with the search's policy and the game's result.  Letters:
n samples, A actions, C planes, H W board.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.engine.lockstep import Lockstep
from core.games import GameSpec, Position
from core.search import work
from core.search.settings import SearchSettings
from models.train_config import TrainConfig

_LEAST_MEMORY_MB: Final = 64


@dataclass(frozen=True)
class Samples:
    """Positions to learn from; every value is for the side to move."""

    planes: NDArray[np.int8]  # [n, C, H, W] the encoding's ones and zeros
    policy: NDArray[np.float32]  # [n, A] visit shares
    result: NDArray[np.int8]  # [n] +1 the mover won, 0 draw, -1 lost
    root_value: NDArray[np.float32]  # [n] the search's value
    game: NDArray[np.int32]  # [n] number of the game within this batch of samples
    ply: NDArray[np.int16]  # [n]

    def __len__(self) -> int:
        return len(self.result)

    @classmethod
    def empty(cls, game: GameSpec) -> Self:
        """No samples of ``game``."""
        return cls(
            np.zeros((0, game.num_planes, *game.shape), np.int8),
            np.zeros((0, game.num_actions), np.float32),
            np.zeros(0, np.int8),
            np.zeros(0, np.float32),
            np.zeros(0, np.int32),
            np.zeros(0, np.int16),
        )

    @classmethod
    def joined(cls, parts: "list[Samples]") -> Self:
        """All of ``parts`` (at least one) in order, their games numbered on."""
        arrays = {field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)}
        counts = [int(part.game.max(initial=-1)) + 1 for part in parts]
        firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        arrays["game"] = np.concatenate([part.game + int(first) for part, first in zip(parts, firsts, strict=True)])
        arrays["game"] = arrays["game"].astype(np.int32)
        return cls(**arrays)


@dataclass(frozen=True, slots=True)
class PlayStats:
    """What a bout of self-play did."""

    games: int = 0  # finished
    moves: int = 0  # searched, those of unfinished games included
    plies: int = 0  # of the finished games, openings included
    first_wins: int = 0
    draws: int = 0
    evaluations: int = 0
    batches: int = 0
    cache_hits: int = 0

    def __add__(self, other: "PlayStats") -> "PlayStats":
        return PlayStats(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


class _Pending(NamedTuple):
    """A position waiting for the result of its game."""

    planes: NDArray[np.int8]
    policy: NDArray[np.float32]
    root_value: float
    mover: int
    ply: int


def search_settings(game: GameSpec, config: TrainConfig, games: int) -> SearchSettings:
    """The settings of the searches in self-play; the memory budget holds ``games`` full searches several times over."""
    alpha = config.noise_alpha or 10.0 / len(game.initial().legal_actions())
    node_bytes = 80 + 4 * game.num_actions
    wanted = 8 * games * max(config.simulations, config.fast_simulations) * node_bytes >> 20
    return SearchSettings(
        c_puct=config.c_puct,
        noise_epsilon=config.noise_epsilon,
        noise_alpha=alpha,
        memory_mb=max(_LEAST_MEMORY_MB, wanted),
    )


def sharpened(policy: NDArray[np.float32], temperature: float) -> NDArray[np.float64]:
    """pi^(1/tau), normalised (AlphaGo Zero, Methods, "Play"); ``temperature`` 0 shares all among the largest."""
    top = policy.max()
    if temperature == 0.0:
        weights = (policy == top).astype(np.float64)
    else:
        weights = np.exp(np.log(np.maximum(policy.astype(np.float64) / top, 1e-300)) / temperature)
        weights[policy == 0.0] = 0.0
    return weights / weights.sum()  # type: ignore[no-any-return]


def random_opening(game: GameSpec, plies: int, rng: np.random.Generator) -> Position:
    """The position after ``plies`` uniformly random moves, drawn again while the game ends before; ``plies`` falls by
    one with every ten tries, so a game too short for it still gives a position."""
    tries = 0
    while True:
        position = game.initial()
        for _ in range(plies - tries // 10):
            position = position.play(int(rng.choice(position.legal_actions())))
            if position.is_over:
                break
        if not position.is_over:
            return position
        tries += 1


class SelfPlay:
    """Games in lockstep with one evaluator; those unfinished when a bout ends go on in the next one."""

    def __init__(self, game: GameSpec, evaluator: Evaluator, config: TrainConfig, games: int, seed: int) -> None:
        """``games`` are played side by side; ``seed`` fixes every random choice."""
        self._game, self._config = game, config
        self._rng = np.random.default_rng(seed)
        self._lockstep = Lockstep(game, evaluator, games, search_settings(game, config, games), seed)
        self._pending: list[list[_Pending]] = [[] for _ in range(games)]
        self._full = [False] * games  # whether the search in hand is a full one
        for g in range(games):
            self._restart(g)

    def play(
        self, evaluator: Evaluator, samples: int, should_stop: Callable[[], bool] = lambda: False
    ) -> tuple[Samples, PlayStats]:
        """Play on with ``evaluator`` until finished games gave ``samples`` positions or ``should_stop``."""
        if evaluator is not self._lockstep.evaluator:
            self._lockstep.forget_evaluations(evaluator)
        before = self._lockstep.stats
        rows: list[_Pending] = []
        results: list[int] = []
        numbers: list[int] = []
        stats = PlayStats()
        while len(rows) < samples and not should_stop():
            for g in self._lockstep.step():
                finished = self._move(int(g))
                stats += PlayStats(moves=1)
                if finished is None:
                    continue
                returns = finished.returns
                rows.extend(self._pending[g])
                results.extend(returns[row.mover] for row in self._pending[g])
                numbers.extend([stats.games] * len(self._pending[g]))
                stats += PlayStats(
                    games=1, plies=finished.ply, first_wins=int(returns[0] > 0), draws=int(returns[0] == 0)
                )
                self._restart(int(g))
        spent = self._lockstep.stats - before
        stats += PlayStats(
            evaluations=int(spent[work.EVALUATIONS]),
            batches=int(spent[work.BATCHES]),
            cache_hits=int(spent[work.CACHE_HITS]),
        )
        return self._gather(rows, results, numbers), stats

    def _restart(self, g: int) -> None:
        config = self._config
        plies = 0
        if config.opening_plies and self._rng.random() < config.opening_share:
            plies = int(self._rng.integers(1, config.opening_plies + 1))
        self._pending[g] = []
        self._lockstep.restart(g, random_opening(self._game, plies, self._rng).moves)
        self._aim(g)

    def _aim(self, g: int) -> None:
        full = bool(self._rng.random() < self._config.full_share)
        self._full[g] = full
        self._lockstep.aim(g, self._config.simulations if full else self._config.fast_simulations, noise=full)

    def _move(self, g: int) -> Position | None:
        """Play the move that game ``g``'s search found; the last position when that ended the game."""
        position = self._lockstep.positions[g]
        policy = self._lockstep.policy(g)
        if not policy.any():
            policy[list(position.legal_actions())] = 1.0 / len(position.legal_actions())
        if self._full[g]:
            row = _Pending(
                position.planes().astype(np.int8), policy, self._lockstep.value(g), position.to_move, position.ply
            )
            self._pending[g].append(row)
        early = position.ply < self._config.temperature_plies
        chances = sharpened(policy, self._config.temperature if early else self._config.late_temperature)
        following = self._lockstep.play(g, int(self._rng.choice(len(chances), p=chances)))
        if following.is_over:
            return following
        self._aim(g)
        return None

    def _gather(self, rows: list[_Pending], results: list[int], numbers: list[int]) -> Samples:
        if not rows:
            return Samples.empty(self._game)
        return Samples(
            np.stack([row.planes for row in rows]),
            np.stack([row.policy for row in rows]),
            np.array(results, np.int8),
            np.array([row.root_value for row in rows], np.float32),
            np.array(numbers, np.int32),
            np.array([row.ply for row in rows], np.int16),
        )
