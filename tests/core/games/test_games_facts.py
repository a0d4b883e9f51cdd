"""What games declare beyond their rules agrees with the rules, and the program knows every kind they name."""

import random

import numpy as np
import pytest

from core.games import GAMES, dispatch, load_game
from core.rng import make_rng
from core.solve.solver import Solver, refusal

TEXTS = (
    "tictactoe",
    "connectn(rows=4, cols=5, k=3)",
    "gomoku(size=7)",
    "gomoku(size=7, rule=standard)",
    "gomoku(size=7, rule=renju)",
    "connect4",
    "connect4(rows=4, cols=4, k=3)",
    "othello(size=6)",
    "othello(size=6, passes=no)",
    "othello(size=10)",
    "nim",
    "nim(heaps=3-4-5)",
)


def played(text, seed, plies):
    position = load_game(text).initial()
    rng = random.Random(seed)
    while not position.is_over and position.ply < plies:
        position = position.play(rng.choice(position.legal_actions()))
    return position


@pytest.mark.parametrize("text", sorted({*TEXTS} - {"othello(size=10)"}))  # which draws from cells, legal or not
def test_redrawing_a_rollout_gives_the_same_game(text):
    for seed in range(20):
        position = played(text, seed, seed)
        state, rng, again = position.game.new_state(), make_rng(seed), make_rng(seed)
        dispatch.copy(state, position.state)
        with np.errstate(over="ignore"):
            dispatch.rollout(state, rng)
            moves = position.game.board.redraw(position, again)
        for action in moves:
            position = position.play(action)
        assert position.is_over
        assert dispatch.key(position.state) == dispatch.key(state)
        assert again.tolist() == rng.tolist()


@pytest.mark.parametrize("text", TEXTS)
def test_facts_about_stones_hold_in_play(text):
    for seed in range(20):
        before, game = played(text, seed, seed), load_game(text)
        if before.is_over:
            continue
        after = before.play(before.legal_actions()[-1])
        changed = np.flatnonzero(before.cells() != after.cells())
        if game.stones_alternate:
            assert changed.size == 1
            assert after.cells().flat[changed[0]] == before.to_move + 1
        if game.gravity:
            column = after.cells()[:, after.last_action]
            assert changed[0] % game.shape[1] == after.last_action
            assert (column[changed[0] // game.shape[1] :] != 0).all()


@pytest.mark.parametrize("text", TEXTS)
def test_the_game_has_a_solver(text):
    position = played(text, 3, 1000)
    assert refusal(position) is None
    assert Solver(position.game).solve(position).value == position.returns[position.to_move]


def test_only_renju_has_fouls():
    assert [text for text in TEXTS if load_game(text).has_fouls] == ["gomoku(size=7, rule=renju)"]


@pytest.mark.parametrize("text", [text for family in GAMES.values() for text in (*family.states, family.small) if text])
def test_games_compiled_beforehand_can_be_loaded(text):
    assert load_game(text).text == text
