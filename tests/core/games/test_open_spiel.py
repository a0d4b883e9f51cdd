"""The rules against OpenSpiel's games of the same rules: legal actions, end and returns, move for move."""

from collections.abc import Callable

import numpy as np
import pytest

from core.games import load_game
from tests.tiers import slow_but

pyspiel = pytest.importorskip("pyspiel")

Translate = Callable[[int], int]


def same(action: int) -> int:
    return action


def nim_action(heaps: int, largest: int) -> Translate:
    """Ours: heap * largest + take - 1.  OpenSpiel's: (take - 1) * heaps + heap."""
    return lambda action: (action % largest) * heaps + action // largest


# (our game, OpenSpiel's, how our actions are written there, random games)
PAIRS = [
    ("tictactoe", "tic_tac_toe", same, 1500),
    ("connect4", "connect_four", same, 600),
    ("connectn(rows=4, cols=6, k=4)", "mnk(m=6,n=4,k=4)", same, 300),
    ("connectn(rows=5, cols=5, k=3)", "mnk(m=5,n=5,k=3)", same, 300),
    ("gomoku", "mnk(m=15,n=15,k=5)", same, 40),
    ("gomoku(size=9)", "gomoku(size=9)", same, 60),
    ("othello", "othello", same, 120),
    ("nim(heaps=1-3-5-7)", "nim(pile_sizes=1;3;5;7,is_misere=False)", nim_action(4, 7), 600),
    ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)", nim_action(3, 5), 600),
    ("nim(heaps=3-4-5, misere=yes)", "nim(pile_sizes=3;4;5,is_misere=True)", nim_action(3, 5), 300),
]


@pytest.mark.parametrize(("ours", "theirs", "translate", "games"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_random_games_agree(ours: str, theirs: str, translate: Translate, games: int) -> None:
    rng = np.random.default_rng(7)
    game, other = load_game(ours), pyspiel.load_game(theirs)
    for _ in range(games):
        position, state = game.initial(), other.new_initial_state()
        while not position.is_over:
            legal = position.legal_actions()
            assert not state.is_terminal()
            assert sorted(translate(a) for a in legal) == sorted(state.legal_actions())
            assert state.current_player() == position.to_move
            action = int(rng.choice(legal))
            position = position.play(action)
            state.apply_action(translate(action))
        assert state.is_terminal()
        assert list(position.returns) == state.returns()


@pytest.mark.parametrize("size", slow_but((5, 9), (5, 7, 9, 13, 19)))
def test_random_games_of_go_agree(size: int) -> None:
    """Three rules differ: OpenSpiel forbids all suicide; a move that repeats a board may be played there, and ends the
    game as a draw; and a game that is too long is scored there, a draw here."""
    rng = np.random.default_rng(size)
    game = load_game(f"go(size={size}, suicide=no)")
    other = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length={game.max_plies})")
    cells = size * size

    def translate(action: int) -> int:  # its rows are counted from the bottom
        return action if action == cells else (size - 1 - action // size) * size + action % size

    scored = 0
    for number in range({5: 30, 7: 20, 9: 10, 13: 4, 19: 2}[size]):
        passing = 0.01 if number % 2 else 0.1
        position, state = game.initial(), other.new_initial_state()
        while not position.is_over:
            legal, its = position.legal_actions(), {translate(a) for a in state.legal_actions()}
            assert not state.is_terminal()
            assert state.current_player() == position.to_move
            assert set(legal) <= its
            for action in its - set(legal):
                assert game.board.refusal(position.state, action) == "it repeats an earlier position"
                repeated = state.child(translate(action))
                assert repeated.is_terminal()
                assert repeated.returns() == [0, 0]
            passes = len(legal) == 1 or rng.random() < passing
            action = cells if passes else int(rng.choice(legal[:-1]))
            position = position.play(action)
            state.apply_action(translate(action))
        assert state.is_terminal()
        if position.ply == game.max_plies:
            assert position.returns == (0, 0)
        else:
            assert list(position.returns) == state.returns()
            scored += 1
    assert scored
