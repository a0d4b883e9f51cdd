"""What the search kernels ask of threats, against judging afresh and against exact play."""

import numpy as np
import pytest

from core._jit import jit
from core.games import Position, load_game
from core.solve.threats import make_scout
from core.solve.threats_leaf import (
    NoThreats,
    boost_priors,
    leaf_boosts,
    leaf_outcome,
    outcome,
    prior_boost,
    write_boosts,
)
from core.solve.threats_lines import Threats, load, make_threats

FOUR_IN_ROW = "connectn(rows=5, cols=5, k=4)"


def random_game(text: str, seed: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    found = [load_game(text).initial()]
    while not found[-1].is_over:
        found.append(found[-1].play(int(rng.choice(found[-1].legal_actions()))))
    return found


@jit
def _compiled_outcome(t, state):
    return leaf_outcome(t, state)


@jit
def _compiled_boosts(t, state, actions, n, out):
    return leaf_boosts(t, state, actions, n, out)


@pytest.mark.parametrize("text", ["gomoku(size=9)", "gomoku(size=9, rule=standard)", "connectn(rows=4, cols=7, k=3)"])
def test_follow_reaches_any_position_of_the_game(text: str) -> None:
    game = load_game(text)
    t = make_scout(game)
    fresh = make_scout(game)
    rng = np.random.default_rng(4)
    positions = [p for seed in range(4) for p in random_game(text, seed)]
    for i in rng.permutation(len(positions)):
        assert _compiled_outcome(t, positions[i].state) == outcome(t, positions[i].to_move)
        load(fresh, positions[i].cells().reshape(-1))
        for mine, theirs, name in zip(t, fresh, t._fields, strict=True):
            assert np.array_equal(mine, theirs), name


@pytest.mark.parametrize("text", ["othello", "gomoku(rule=renju)", "nim"])
def test_other_games_have_no_threats(text: str) -> None:
    game = load_game(text)
    state, actions, out = game.new_state(), np.zeros(game.num_actions, np.int16), np.ones(game.num_actions, np.float32)
    t = make_scout(game)
    assert isinstance(t, NoThreats)
    assert leaf_outcome(t, state) == _compiled_outcome(t, state) == 0
    assert not leaf_boosts(t, state, actions, 1, out)
    assert not _compiled_boosts(t, state, actions, 1, out)
    assert (out == 1).all()


def test_no_threats_are_kept_if_not_wanted() -> None:
    assert isinstance(make_scout(load_game("gomoku"), wanted=False), NoThreats)


def value(position: Position, plies: int) -> int:
    """+1 or -1 when the side to move wins or loses within ``plies``, 0 when it is not settled by then."""
    if position.is_over:
        return position.returns[position.to_move]
    if plies == 0:
        return 0
    best = -1
    for action in position.legal_actions():
        best = max(best, -value(position.play(action), plies - 1))
        if best == 1:
            break
    return best


@pytest.mark.parametrize("text", [FOUR_IN_ROW, "connect4", "connect4(rows=4, cols=5, k=3)"])
def test_outcome_is_exact(text: str) -> None:
    game = load_game(text)
    t = make_scout(game)
    seen = set()
    for seed in range(30):
        for position in random_game(text, seed)[4 if "k=3" in text else 10 : -1]:
            plies = leaf_outcome(t, position.state)
            assert plies == _compiled_outcome(t, position.state)
            seen.add(plies)
            if plies > 0:
                assert value(position, plies) == 1
                assert plies == 1 or value(position, plies - 2) == 0
            elif plies < 0:
                assert value(position, -plies) == -1
                assert value(position, 1) == 0
            else:
                assert value(position, 1) == 0
                assert value(position, 2) == 0
    assert seen == {1, -2, 3, 0}


def board(*rows: str) -> Threats:
    t = make_threats(len(rows), len(rows[0]), 5)
    load(t, np.array([[".XO".index(symbol) for symbol in row] for row in rows], np.int8).reshape(-1))
    return t


def test_boosts_follow_the_urgency_of_moves() -> None:
    t = board(
        "XXXX.....",
        ".........",
        ".OOO.....",
        ".........",
        "....X....",
        "....X....",
        ".........",
        ".........",
        ".........",
    )
    make_five, stop_open_four, make_open_three, nothing = 4, 22, 58, 71
    weights = [prior_boost(t, 0, cell) for cell in (make_five, stop_open_four, make_open_three, nothing)]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 4
    assert weights[-1] == 1.0
    assert prior_boost(t, 1, make_five) > prior_boost(t, 1, stop_open_four) > prior_boost(t, 1, nothing)


def test_boosted_priors_keep_their_sum() -> None:
    t = board(*["." * 9] * 3, "..XXX....", *["." * 9] * 5)
    actions = np.array([a for a in range(81) if t.cells[a] == 0], np.int16)
    priors = np.full(len(actions), 65535 // len(actions), np.uint16)
    before = int(priors.sum())
    boosts = np.zeros(len(actions), np.float32)
    write_boosts(t, 0, actions, len(actions), boosts)
    boost_priors(priors, boosts, len(actions))
    assert abs(int(priors.sum()) - before) <= len(actions)
    assert priors.min() >= 1
    best = {int(a) for a in actions[np.argsort(-priors.astype(np.int64))[:2]]}
    assert best == {3 * 9 + 1, 3 * 9 + 5}


def test_priors_of_a_quiet_board_stay() -> None:
    t = board(*["." * 9] * 9)
    actions = np.arange(81, dtype=np.int16)
    priors = np.arange(1, 82, dtype=np.uint16)
    boosts = np.zeros(81, np.float32)
    write_boosts(t, 0, actions, 81, boosts)
    assert boosts.tolist() == [1.0] * 81
    boost_priors(priors, boosts, 81)
    assert np.array_equal(priors, np.arange(1, 82))
