"""The games as Gymnasium environments: Gymnasium's own checker, whole games, rewards and refusals."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from core.games import IllegalMove, load_game
from models.gym_env import GameEnv

GAMES = ["tictactoe", "connectn(rows=4, cols=5, k=4)", "gomoku(size=9)", "connect4"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("error")
def test_gymnasiums_own_check(game):
    for mode in (None, "ansi"):
        check_env(gymnasium.make("Plyscope-v0", game=game, render_mode=mode).unwrapped)


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_by_the_mask(game):
    env = GameEnv(game, render_mode="ansi")
    for seed in range(5):
        env.action_space.seed(seed)
        position = load_game(game).initial()
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            assert np.array_equal(observation, position.planes())
            assert np.flatnonzero(info["action_mask"]).tolist() == list(position.legal_actions())
            action = int(env.action_space.sample(info["action_mask"]))
            mover, position = position.to_move, position.play(action)
            observation, reward, over, truncated, info = env.step(action)
            assert (over, truncated) == (position.is_over, False)
            assert reward == (position.returns[mover] if over else 0)
            assert env.render() == position.diagram()
        with pytest.raises(ValueError, match="over"):
            env.step(0)


def test_an_opponent_answers():
    env = GameEnv("tictactoe", opponent=lambda p: p.legal_actions()[0], agent_first=False)
    _, info = env.reset()
    assert (env.position.ply, info["to_move"]) == (1, 1)
    _, reward, over, _, _ = env.step(4)
    assert (env.position.ply, reward, over) == (3, 0.0, False)
    _, reward, over, _, _ = env.step(8)
    assert (reward, over) == (-1.0, True), "the opponent completed its row"


@pytest.mark.parametrize(("moves", "agent_first", "plies"), [("0", True, 2), ("0", False, 1), ("0 3", False, 3)])
def test_after_an_opening_the_agent_keeps_its_side(moves, agent_first, plies):
    env = GameEnv("tictactoe", opponent=lambda p: p.legal_actions()[0], agent_first=agent_first)
    _, info = env.reset(options={"moves": moves})
    assert (env.position.ply, info["to_move"]) == (plies, 0 if agent_first else 1)


def test_an_illegal_move_ends_the_game():
    env = GameEnv("tictactoe")
    env.reset()
    env.step(4)
    assert env.step(4)[1:3] == (-1.0, True)
    with pytest.raises(ValueError, match="over"):
        env.step(0)
    env.reset()
    assert env.step(4)[1:3] == (0.0, False)


def test_openings_and_illegal_moves():
    env = GameEnv("tictactoe")
    env.reset(options={"moves": "0 3 1 4"})
    assert env.step(2)[1:3] == (1.0, True)
    env.reset(options={"moves": "0 3 1 4"})
    assert env.step(0)[1:3] == (-1.0, True)
    strict = GameEnv("tictactoe", illegal="raise")
    strict.reset(options={"moves": "0"})
    with pytest.raises(IllegalMove):
        strict.step(0)
    with pytest.raises(ValueError, match=r"'shrug'.*lose, raise"):
        GameEnv("tictactoe", illegal="shrug")
    with pytest.raises(ValueError, match="'human'"):
        GameEnv("tictactoe", render_mode="human")
