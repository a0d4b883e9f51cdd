"""Win, draw and loss after each move, as a net says them."""

import numpy as np
import pytest

from core.engine.outcomes import outcomes_of
from core.games import load_game
from tests.core.search.fakes import HashEvaluator


class OutcomeEvaluator(HashEvaluator):
    """A net that gives the side to move the same chances everywhere."""

    gives_outcomes = True
    chances = (0.6, 0.3, 0.1)

    def outcomes(self, planes, features=None):
        return np.tile(np.array(self.chances, np.float32), (len(planes), 1))


def test_they_are_for_the_side_that_moves_and_exact_where_the_game_ends():
    position = load_game("tictactoe").position("a1 b1 a2 b2")
    found = outcomes_of(OutcomeEvaluator(position.game.num_actions), position)
    rows = dict(zip(found.actions, found.chances.tolist(), strict=True))
    assert set(rows) == set(position.legal_actions())
    assert rows.pop(position.game.parse_action("a3")) == [1.0, 0.0, 0.0]
    for row in rows.values():
        assert row == pytest.approx([0.1, 0.3, 0.6])


def test_an_evaluator_without_them_or_with_wrong_ones_is_refused_in_a_sentence():
    position = load_game("tictactoe").initial()
    for evaluator in (None, HashEvaluator(9)):
        with pytest.raises(ValueError, match="no win, draw and loss"):
            outcomes_of(evaluator, position)
    wrong = OutcomeEvaluator(9)
    wrong.chances = (0.6, 0.6, 0.1)
    with pytest.raises(ValueError, match="do not add up to 1"):
        outcomes_of(wrong, position)
    assert outcomes_of(OutcomeEvaluator(9), position, lambda: True) is None
