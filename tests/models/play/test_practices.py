"""Practices of self-play that a run may switch on: each against a slow exact reference."""

from dataclasses import replace

import numpy as np
import pytest

from core.games import load_game
from models.play.selfplay import SelfPlay, search_settings
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
