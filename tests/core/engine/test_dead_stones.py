"""Tests of the proposal of dead stones: by a net's ownership, else by random games."""

import numpy as np
import pytest

from core.engine.dead_stones import dead_stones
from core.games import load_game
from core.games.playouts import random_ownership
from tests.core.search.fakes import HashEvaluator

GO = load_game("go(size=5, rules=chinese, komi=0.5)")
# Black has the left, with a white stone at a3; white has the right.
ENDED = "c1 d1 c2 d2 c3 d3 c4 d4 c5 d5 b1 a3 b2 e2 b4 e4 b5 pass a2 pass a4"


class WhiteOwnsAll(HashEvaluator):
    """A net that gives every point to white, and is asked only where the game goes on."""

    gives_ownership = True

    def ownership(self, planes, features=None):
        first_to_move = planes[:, 3:4].max(axis=(1, 2, 3), keepdims=False)
        signs = np.where(first_to_move > 0, -1.0, 1.0)
        return np.broadcast_to(signs[:, None, None], (len(planes), *GO.shape)).astype(np.float32)


@pytest.mark.parametrize("passes", ["", " pass", " pass pass"])
def test_by_random_games(passes):
    position = GO.position(ENDED + passes)
    assert [GO.action_name(cell) for cell in dead_stones(position)] == ["a3"]
    owned = random_ownership(position)
    assert owned.shape == (5, 5)
    assert owned[:, :3].min() > 0.5
    assert owned[:, 3:].max() < -0.5


@pytest.mark.parametrize("passes", ["", " pass", " pass pass"])
def test_by_the_net(passes):
    position = GO.position(ENDED + passes)
    blacks = set(np.flatnonzero(position.cells() == 1).tolist())
    assert dead_stones(position, WhiteOwnsAll(GO.num_actions)) == blacks
    assert dead_stones(position, HashEvaluator(GO.num_actions)) == dead_stones(position)


def test_none_in_a_game_that_is_not_counted():
    assert dead_stones(load_game("tictactoe").position("1 2 3")) == frozenset()
