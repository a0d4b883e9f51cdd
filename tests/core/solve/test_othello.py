"""Othello by minimax against minimax in plain Python, with and without passes."""

import random

import numba
import numpy as np
import pytest

from core.games import load_game
from core.solve import Solver, solve
from tests.core.solve import plain

INTERPRETED = bool(numba.config.DISABLE_JIT)


def late_positions(game, empties, number):
    rng = random.Random(empties)
    while number:
        position = game.initial()
        while not position.is_over and np.count_nonzero(position.cells() == 0) > empties:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_over:
            number -= 1
            yield position


@pytest.mark.parametrize("text", ["othello(size=4)", "othello(size=4, passes=no)", "othello(size=6)", "othello"])
def test_late_positions(text):
    game = load_game(text)
    solver = Solver(game)
    seen = {}
    for position in late_positions(game, 5 if INTERPRETED else 7, 4 if INTERPRETED else 15):
        found = solver.solve(position)
        # The length of a draw is not sought.
        expected = [(a, value, distance if value else None) for a, value, distance in plain.move_worths(position, seen)]
        assert [(move.action, move.value, move.distance) for move in found.moves] == expected, position.diagram()
        assert found.value == plain.worth(position, seen)[0]


def test_whole_game_on_4x4():
    """White, who moves second, wins, after any first move: plain minimax over all boards agrees."""
    found = solve(load_game("othello(size=4)").initial())
    assert [move.value for move in found.moves] == [-1, -1, -1, -1]
    assert len({move.distance for move in found.moves}) == 1


def test_large_positions_are_refused():
    with pytest.raises(ValueError, match="position of othello has 60 empty cells, exact solving is offered up to"):
        solve(load_game("othello").initial())
