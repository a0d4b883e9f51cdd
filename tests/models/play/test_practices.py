"""Practices of self-play that a run may switch on: each against a slow exact reference."""

import math

import numpy as np
import pytest

from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search.settings import SearchSettings
from models.play.games import surprise_weights, surprises
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4(rows=4, cols=5)")
CONFIG = TrainConfig.of(
    game=GAME.text, simulations=30, fast_simulations=12, full_share=0.5, resign_check_share=1.0, iterations=1
)


def slow_legal(moves: tuple[int, ...]) -> list[bool]:
    position = GAME.initial()
    for action in moves:
        position = position.play(action)
    return [action in position.legal_actions() for action in range(GAME.num_actions)]


def test_samples_know_the_legal_moves_and_sum_to_their_number() -> None:
    net = HashEvaluator(5)
    for search in ("puct", "gumbel"):
        config = CONFIG.changed(search=search, surprise_share=0.5)
        samples, _ = SelfPlay(GAME, net, config, games=8, seed=1).play(net, 80)
        for row, (number, ply) in enumerate(zip(samples.game.tolist(), samples.ply.tolist(), strict=True)):
            trace = samples.traces[number]
            assert samples.legal[row].tolist() == slow_legal((*trace.opening, *trace.moves)[:ply])
        assert not samples.legal.all()
        weights = [samples.weight[samples.game == number] for number in set(samples.game.tolist())]
        assert [part.sum() for part in weights] == pytest.approx([len(part) for part in weights])
        assert samples.weight.min() >= 0.5
        assert samples.weight.max() > 1.5


def test_the_surprise_is_the_divergence_from_the_prior_without_noise() -> None:
    net = HashEvaluator(5)
    lockstep = Lockstep(GAME, net, 1, SearchSettings(noise_epsilon=0.9, memory_mb=64), 3)
    lockstep.restart(0, (2, 2))
    lockstep.set_target(0, 40, noise=True)
    while lockstep.visits(0) < 40:
        lockstep.step()
    logits = net.evaluate(GAME.position("c c").planes()[None])[0][0].astype(np.float64)
    clean = np.exp(logits) / np.exp(logits).sum()
    found = lockstep.found(np.array([0, 0]))
    assert found.priors[0] == pytest.approx(clean, abs=1e-4)
    by_hand = sum(p * math.log(p / q) for p, q in zip(found.policy[0].tolist(), clean.tolist(), strict=True) if p)
    assert surprises(found.policy, found.priors) == pytest.approx([by_hand] * 2, abs=1e-3)
    assert by_hand > 0.1


def test_weights_by_hand() -> None:
    """Of three positions, all of the surprise in two: 1/2 each, and of the other 3/2 a third and two thirds."""
    weights = surprise_weights(np.array([0.0, 0.2, 0.4]), 0.5)
    assert weights == pytest.approx([0.5, 1.0, 1.5])
    assert surprise_weights(np.array([0.0, 0.2, 0.4]), 0.0) == pytest.approx([1, 1, 1])
    assert surprise_weights(np.zeros(3), 0.5) == pytest.approx([1, 1, 1])
    assert len(surprise_weights(np.zeros(0), 0.5)) == 0
