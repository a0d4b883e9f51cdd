"""A net asked under all symmetries: each answer carried back to the board as it stands."""

import numpy as np
import pytest

from core.engine.evaluator import Evaluator
from core.engine.symmetry import under_symmetries
from core.games import load_game
from tests.core.search.fakes import HashEvaluator

GAMES = ("tictactoe", "connect4", "othello(size=6)", "gomoku(size=7)")


class Neighbours(Evaluator):
    """Knows every symmetry: a cell's logit is its number of stones beside it, the value the stones' difference."""

    description = "neighbours"

    def evaluate(self, planes, features=None):
        stones = np.pad(planes[:, 0] + 2 * planes[:, 1], ((0, 0), (1, 1), (1, 1)))
        beside = stones[:, :-2, 1:-1] + stones[:, 2:, 1:-1] + stones[:, 1:-1, :-2] + stones[:, 1:-1, 2:]
        return beside.reshape(len(planes), -1).astype(np.float32), (planes[:, 0] - planes[:, 1]).mean(axis=(1, 2))


@pytest.mark.parametrize("name", ["tictactoe", "gomoku(size=7)"])
def test_a_symmetric_net_has_no_spread(name):
    position = load_game(name).position("a1 b2 c1")
    answer = under_symmetries(Neighbours(), position)
    assert len(answer.values) == len(position.game.symmetries) == 8
    assert answer.value_spread == pytest.approx(0.0, abs=1e-7)
    assert answer.policy_spread == pytest.approx(np.zeros(len(answer.actions)), abs=1e-7)
    assert answer.policy_mean == pytest.approx(answer.policies[0])


@pytest.mark.parametrize("name", GAMES)
def test_each_row_is_the_answer_for_the_turned_position(name):
    game = load_game(name)
    position = game.initial()
    for _ in range(3):
        position = position.play(position.legal_actions()[-1])
    net = HashEvaluator(game.num_actions)
    answer = under_symmetries(net, position)
    for s, image in enumerate(game.symmetries):
        logits, values = net.evaluate(game.transform_planes(position.planes(), s)[None])
        shares = np.exp([float(logits[0, image[a]]) for a in answer.actions])
        assert answer.values[s] == pytest.approx(values[0])
        assert answer.policies[s] == pytest.approx(shares / shares.sum())
    assert answer.value_mean == pytest.approx(answer.values.mean())
    assert answer.value_spread > 0
    assert answer.policy_mean.sum() == pytest.approx(1.0)


def test_a_finished_game_is_refused():
    over = load_game("tictactoe").position("a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="the game is over after 5 plies"):
        under_symmetries(HashEvaluator(9), over)
