"""Comparison of the answers of two nets, or of one net in two forms, over positions of play.

Letters: B batch, C planes, G features, H W board, A actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from core.games.encoding import Encoding, Inputs
from core.games.net_inputs import inputs_of

_AS_GOOD: Final = 0.01  # difference of probability up to which two moves count as equal
_LONGEST_OPENING: Final = 80  # random moves

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AgreementGate:
    """The largest change of the answers that is accepted."""

    good_best: float  # least share of positions whose best move stays, or is as good
    mean_dv: float  # largest mean difference of the value
    mean_kl: float = float("inf")  # largest mean divergence of the policy, nats

    def passes(self, agreement: "Agreement") -> bool:
        return (
            agreement.good_best >= self.good_best
            and agreement.mean_dv <= self.mean_dv
            and not agreement.mean_kl > self.mean_kl
        )


GATES: Final = {
    "int8": AgreementGate(0.97, 0.02),
    "fp16": AgreementGate(0.99, 0.003),
}  # of a net file in another precision


@dataclass(frozen=True, slots=True)
class Agreement:
    """Comparison of the answers of two nets over positions of play."""

    same_best: float  # share of positions with the same best legal move
    good_best: float  # the same, moves of probabilities within 0.01 of each other counting as one (symmetric moves are)
    max_dp: float  # largest difference of a legal move's probability
    mean_dv: float
    max_dv: float
    positions: int
    mean_kl: float  # of the second policy from the first, over the legal moves, nats


@dataclass(frozen=True, slots=True)
class Positions:
    """Unfinished positions; ``legal`` bool [B, A]."""

    inputs: Inputs
    legal: NDArray[np.bool_]


class Play:
    """Games played at once from random openings, with moves sampled from a net's policy."""

    def __init__(
        self,
        game: "GameSpec",
        encoding: Encoding,
        games: int,
        rng: np.random.Generator,
        random_moves: int = _LONGEST_OPENING,
    ) -> None:
        """An opening has fewer than ``random_moves``."""
        self._game, self._encoding, self._rng, self._random_moves = game, encoding, rng, random_moves
        self._positions = [self._opening() for _ in range(games)]
        self._legal = np.zeros((games, game.num_actions), np.bool_)

    def positions(self) -> Positions:
        """The present positions, one of each game."""
        shown = [inputs_of(position, self._encoding) for position in self._positions]
        self._legal[:] = False
        for i, position in enumerate(self._positions):
            self._legal[i, position.legal_actions()] = True
        return Positions(Inputs(*map(np.concatenate, zip(*shown, strict=True))), self._legal.copy())

    def advance(self, logits: Array) -> None:
        """Play a move in each game, sampled from ``logits`` [B, A]; a finished game is replaced by an opening."""
        shares = chances(logits, self._legal)
        for i, position in enumerate(self._positions):
            following = position.play(int(self._rng.choice(self._game.num_actions, p=shares[i])))
            self._positions[i] = self._opening() if following.is_over else following

    def _opening(self) -> Any:
        """An unfinished position after a few random moves."""
        position = self._game.initial()
        for _ in range(int(self._rng.integers(max(2, min(self._game.max_plies // 3, self._random_moves))))):
            following = position.play(int(self._rng.choice(position.legal_actions())))
            if following.is_over:
                break
            position = following
        return position


def chances(logits: Array, legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Probabilities [B, A] of the legal moves."""
    masked = np.where(legal, logits.astype(np.float64), -np.inf)
    shares = np.exp(masked - masked.max(axis=1, keepdims=True))
    result: NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return result


def compare(first: Sequence[Array], second: Sequence[Array], legal: NDArray[np.bool_]) -> Agreement | None:
    """Compare two answers, logits [B, A] and values [B]; None when there are NaN or infinities among them."""
    if not all(np.isfinite(part).all() for answer in (first, second) for part in answer):
        return None
    mine, other = (chances(answer[0], legal) for answer in (first, second))
    dv = np.abs(first[1].astype(np.float64) - second[1].astype(np.float64))
    best, its_best = mine.argmax(axis=1), other.argmax(axis=1)
    rows = np.arange(len(dv))
    tiny = np.finfo(np.float64).tiny
    kl = (mine * (np.log(np.maximum(mine, tiny)) - np.log(np.maximum(other, tiny)))).sum(axis=1)
    return Agreement(
        same_best=float((best == its_best).mean()),
        good_best=float((mine[rows, best] - mine[rows, its_best] <= _AS_GOOD).mean()),
        max_dp=float(np.abs(mine - other).max()),
        mean_dv=float(dv.mean()),
        max_dv=float(dv.max()),
        positions=len(dv),
        mean_kl=float(kl.mean()),
    )
