"""Matches in rounds: whole rounds only, with a result after each."""

import numpy as np

from core.engine import UniformEvaluator
from core.games import load_game
from models.play.openings import draw_openings
from models.strength.bout import ROUND, NetSide, RandomSide, play_in_rounds

GAME = load_game("tictactoe")


def test_a_result_after_each_round() -> None:
    openings = draw_openings(GAME, ROUND + 1, np.random.default_rng(1))
    strong = NetSide(GAME, UniformEvaluator(GAME.num_actions), 2 * ROUND, 60, 3)
    found = list(play_in_rounds(GAME, strong, RandomSide(2), openings))
    assert [sum(score) for score in found] == [2 * ROUND, 2 * ROUND + 2]
    wins, _, losses = found[-1]
    assert wins > losses + 3


def test_a_round_that_was_stopped_does_not_count() -> None:
    """Games that end early are mostly decided ones: their result would be biased."""
    openings = draw_openings(GAME, 3 * ROUND, np.random.default_rng(1))
    calls = 0

    def should_stop() -> bool:
        nonlocal calls
        calls += 1
        return calls > 12  # within the second round

    found = list(play_in_rounds(GAME, RandomSide(1), RandomSide(2), openings, should_stop))
    assert 1 <= len(found) < 3
    assert sum(found[-1]) == 2 * ROUND * len(found)
