"""Every counterfactual is a position that legal moves lead to, and that differs in the stones it names alone."""

import numpy as np
import pytest

from core.games import Position, load_game
from models.inside.counterfactuals import EXCHANGED, PARTNERS, counterfactuals, refusal

GAMES = (
    "connect4",
    "connect4(rows=4, cols=5)",
    "tictactoe",
    "gomoku(size=9)",
    "gomoku(size=9, rule=renju)",
    "go(size=7)",
)


def random_position(game_text: str, seed: int, most: int = 24) -> Position | None:
    """A position of some random moves; None where the game was over before."""
    position, rng = load_game(game_text).initial(), np.random.default_rng(seed)
    for _ in range(int(rng.integers(2, most))):
        if position.is_over:
            return None
        legal = [a for a in position.legal_actions() if position.game.name != "go" or a != position.game.passing]
        position = position.play(int(rng.choice(legal)))
    return None if position.is_over else position


@pytest.mark.parametrize("game", GAMES)
def test_legal_moves_lead_to_each_and_change_its_stones_alone(game: str) -> None:
    number = 0
    for seed in range(40):
        position = random_position(game, seed, 7 if game == "tictactoe" else 24)
        if position is None:
            continue
        for other in counterfactuals(position):
            again = other.position.start
            for action in other.position.moves:
                assert action in again.legal_actions()
                again = again.play(action)
            assert again == other.position
            assert np.array_equal(again.planes(), other.position.planes())
            assert (again.is_over, again.to_move) == (False, position.to_move)
            before, after = position.cells().ravel(), again.cells().ravel()
            assert set(np.flatnonzero(before != after).tolist()) == set(other.stones)
            for cell in other.stones:
                assert after[cell] == (3 - before[cell] if other.kind == EXCHANGED else 0)
            number += 1
    assert number > 50


def test_they_are_the_same_each_time_and_as_many_as_wanted() -> None:
    position = load_game("gomoku(size=9)").position("e5 d5 e6 d6 f5 c4 g7 h8")
    found = counterfactuals(position)
    assert found == counterfactuals(position)
    stones = [cell for other in found for cell in other.stones]
    assert min(stones.count(cell) for cell in set(stones)) >= PARTNERS - 1
    assert set(stones) == set(np.flatnonzero(position.cells()).tolist())


def test_none_are_looked_for_when_told_to_stop() -> None:
    position = load_game("tictactoe").position("a1 b2")
    assert len(counterfactuals(position, should_stop=lambda: True)) <= 1


@pytest.mark.parametrize("game", ["othello", "nim"])
def test_games_whose_moves_change_other_stones_are_refused_in_a_sentence(game: str) -> None:
    loaded = load_game(game)
    assert "no stone of" in refusal(loaded)
    with pytest.raises(ValueError, match="can be changed by itself"):
        counterfactuals(loaded.initial())
