"""A net's view of one position, and the player that draws moves from its policy."""

import math
from collections import Counter

import pytest

from core.engine import UniformEvaluator
from core.engine.policy import PolicyPlayer, view_of
from core.games import load_game
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4(rows=4, cols=5, k=3)")


def test_the_policy_is_over_the_legal_moves_and_adds_up_to_one() -> None:
    position = GAME.position("a a a a")
    view = view_of(HashEvaluator(GAME.num_actions), position)
    assert tuple(view.policy) == position.legal_actions() == (1, 2, 3, 4)
    assert math.isclose(sum(view.policy.values()), 1.0)
    assert len(set(view.policy.values())) == 4
    assert -1.0 <= view.value <= 1.0
    assert view_of(UniformEvaluator(GAME.num_actions), position).policy == dict.fromkeys(range(1, 5), 0.25)


def test_the_same_seed_draws_the_same_moves() -> None:
    def game(seed: int) -> tuple[int, ...]:
        position, player = GAME.initial(), PolicyPlayer(UniformEvaluator(GAME.num_actions), seed)
        while not position.is_over:
            position = position.play(player.move(position))
        return position.moves

    assert game(3) == game(3)
    assert len({game(seed) for seed in range(5)}) == 5


def test_moves_are_drawn_with_their_probability() -> None:
    evaluator, position = HashEvaluator(GAME.num_actions), GAME.initial()
    policy = view_of(evaluator, position).policy
    drawn = Counter(PolicyPlayer(evaluator, seed).move(position) for seed in range(2000))
    for action, chance in policy.items():
        assert drawn[action] / 2000 == pytest.approx(chance, abs=4 * math.sqrt(chance * (1 - chance) / 2000))
