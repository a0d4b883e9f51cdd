"""Practices of self-play that a run may switch on: each against a slow exact reference."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.engine.lockstep import Lockstep
from core.games import load_game
from core.search.settings import SearchSettings
from models.play.selfplay import SelfPlay, root_temperature, search_settings
from models.play.weighting import surprise_weights, surprises
from models.runs.config import TrainConfig
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4(rows=4, cols=5)")
CONFIG = TrainConfig(
    game=GAME.text, simulations=30, fast_simulations=12, full_share=0.5, resign_check_share=1.0, iterations=1
)


def full_searches(config: TrainConfig) -> list[tuple[int, int]]:
    """(visits kept, visits at which it ends) of the full searches of some games, of roots that had visits before."""
    net, seen = HashEvaluator(5), []

    class Watched(SelfPlay):
        def _full_target(self, lockstep, g):  # type: ignore[no-untyped-def]
            before = lockstep.visits(g)
            target = super()._full_target(lockstep, g)
            seen.append((before, lockstep.visits(g), target))
            return target

    Watched(GAME, net, config, games=6, seed=2).play(net, 60)
    assert all(after in (0, before) for before, after, _ in seen)
    return [(after, target) for before, after, target in seen if before]


def test_full_searches_count_all_visits_new_ones_or_begin_anew() -> None:
    total = full_searches(CONFIG)
    assert {target for _, target in total} == {30}
    assert max(kept for kept, _ in total) > 8
    new = full_searches(replace(CONFIG, full_search="new"))
    assert {target - kept for kept, target in new} == {30}
    assert max(kept for kept, _ in new) > 8
    assert set(full_searches(replace(CONFIG, full_search="fresh"))) == {(0, 30)}


def test_gumbel_begins_anew_whatever_a_full_search_counts() -> None:
    config = replace(CONFIG, search="gumbel", full_search="new")
    assert full_searches(config) == []


def test_a_tree_that_grows_from_search_to_search_is_bounded() -> None:
    """One line alone: all visits are kept from move to move."""
    net = HashEvaluator(5)
    config = replace(CONFIG, full_search="new", full_share=1.0, noise_epsilon=0.0, c_puct=0.0, temperature_plies=0)
    play = SelfPlay(GAME, net, config, games=2, seed=2)
    lockstep = play._lanes[0].lockstep
    for kept, target in ((90, 120), (91, 30)):
        lockstep.restart(0)
        lockstep.set_target(0, kept, noise=False)
        while lockstep.visits(0) < kept:
            lockstep.step()
        assert play._full_target(lockstep, 0) == target


def test_searches_that_keep_more_have_more_memory() -> None:
    big = replace(CONFIG, simulations=4000)
    had = search_settings(GAME, big, 512).memory_mb
    assert search_settings(GAME, replace(big, full_search="new"), 512).memory_mb == pytest.approx(2 * had, abs=1)
    assert search_settings(GAME, replace(big, full_search="fresh"), 512).memory_mb == had


def slow_legal(moves: tuple[int, ...]) -> list[bool]:
    position = GAME.initial()
    for action in moves:
        position = position.play(action)
    return [action in position.legal_actions() for action in range(GAME.num_actions)]


def test_samples_know_the_legal_moves_and_sum_to_their_number() -> None:
    net = HashEvaluator(5)
    for search in ("puct", "gumbel"):
        config = replace(CONFIG, search=search, surprise_share=0.5)
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


def test_the_root_temperature_halves_its_distance_with_the_side_of_the_board() -> None:
    config = replace(CONFIG, root_temperature=1.1, root_temperature_early=1.25)
    at = [root_temperature(config, ply, 81) for ply in (0, 9, 18, 900)]
    assert at == pytest.approx([1.25, 1.175, 1.1375, 1.1])
    assert root_temperature(CONFIG, 3, 81) == 1.0


def test_a_run_gives_its_practices_to_full_searches_alone() -> None:
    net = HashEvaluator(5)
    config = replace(CONFIG, forced_playouts=2.0, root_temperature=1.5, root_temperature_early=2.0, root_fpu="none")
    asked: list[tuple[bool, float]] = []

    class Watched(Lockstep):
        def set_targets(self, games, simulations, noise, scales, temperatures):  # type: ignore[no-untyped-def]
            asked.extend(zip(noise.tolist(), temperatures.tolist(), strict=True))
            super().set_targets(games, simulations, noise, scales, temperatures)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("models.play.selfplay.Lockstep", Watched)
        play = SelfPlay(GAME, net, config, games=3, seed=2)
        play.play(net, 40)
    assert {noise for noise, _ in asked} == {True, False}
    assert all(1.5 < temperature <= 2.0 for _, temperature in asked)
    params = play._lanes[0].lockstep._params
    assert (params.forced, params.extended, params.root_fpu_reduction) == (2.0, True, 0.0)
    assert params.fpu_reduction == 0.25
    plain = SelfPlay(GAME, net, CONFIG, games=3, seed=2)._lanes[0].lockstep._params
    assert (plain.forced, plain.extended) == (0.0, False)
    gumbel = SelfPlay(GAME, net, replace(config, search="gumbel"), games=3, seed=2)._lanes[0].lockstep._params
    assert gumbel.forced == 0.0
