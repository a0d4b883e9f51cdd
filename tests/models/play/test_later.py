"""What samples learn of the moves after theirs, by hand and beside slow sums."""

import dataclasses

import numpy as np
import pytest

from core.games import load_game
from models.play.later import later_values, replies
from models.play.replay import Replay, newest_batch
from models.play.samples import PLAYED, GameTrace
from models.play.selfplay import Samples, SelfPlay
from models.runs.config import TrainConfig
from models.runs.practices import Practices
from tests.core.search.fakes import HashEvaluator

GAME = load_game("tictactoe")


def trace(opening: tuple[int, ...], values: list[float], outcome: int) -> GameTrace:
    moves = tuple(range(len(opening), len(opening) + len(values)))
    full, held = np.ones(len(values), np.bool_), np.array(values, np.float32)
    return GameTrace("tictactoe", opening, moves, full, held, {}, outcome, PLAYED, False, 0)


def samples_at(places: list[tuple[int, int]], traces: tuple[GameTrace, ...]) -> Samples:
    n = len(places)
    return Samples(
        np.zeros((n, 4, 3, 3), np.int8),
        np.eye(9, dtype=np.float32)[[ply for _, ply in places]],
        np.zeros(n, np.int8),
        np.full(n, 0.25, np.float32),
        np.array([number for number, _ in places], np.int32),
        np.array([ply for _, ply in places], np.int16),
        traces,
    )


def test_later_values_by_hand() -> None:
    """Two turns ahead, l = 1/2.  Of the first player the values are 0.4, -0.2, 0.6 and the result -1.

    From the end: 0.6/2 - 1/2 = -0.2; -0.2/2 - 0.2/2 = -0.2; 0.4/2 - 0.2/2 = 0.1.  The opening has one ply: the second
    player moves first, so that values of even searches are shown negated."""
    game = trace((0,), [-0.4, -0.2, -0.6], -1)
    found = later_values(samples_at([(0, 1), (0, 2), (0, 3)], (game,)), 2.0)
    assert found.tolist() == pytest.approx([-0.1, -0.2, 0.2])
    own = later_values(samples_at([(0, 1), (0, 2), (0, 3)], (game,)), 1.0)  # one turn: the own search alone
    assert own.tolist() == pytest.approx([-0.4, -0.2, -0.6])
    assert later_values(samples_at([(0, 1)], ()), 2.0).tolist() == [0.25]  # a shard without traces: its own value


@pytest.fixture(scope="module")
def played() -> Samples:
    config = TrainConfig(game="tictactoe", simulations=12, fast_simulations=6, full_share=0.6, iterations=1)
    net = HashEvaluator(9)
    return SelfPlay(GAME, net, config, games=8, seed=5).play(net, 120)[0]


@pytest.mark.parametrize("turns", [1.0, 3.0, 50.0])
def test_later_values_of_games_are_the_slow_sum(played: Samples, turns: float) -> None:
    found, kept = later_values(played, turns), 1 - 1 / turns
    for row, (number, ply) in enumerate(zip(played.game.tolist(), played.ply.tolist(), strict=True)):
        game = played.traces[number]
        after = game.values[ply - len(game.opening) :].tolist()
        total = sum((1 - kept) * kept**i * (-1) ** i * value for i, value in enumerate(after))
        total += kept ** len(after) * game.outcome * (1 if ply % 2 == 0 else -1)
        assert found[row] == pytest.approx(total, abs=1e-5)


def test_replies_are_the_next_positions_targets(played: Samples) -> None:
    found = replies(played)
    known = 0
    for row, (number, ply) in enumerate(zip(played.game.tolist(), played.ply.tolist(), strict=True)):
        policy = played.traces[number].policies.get(ply + 1)
        known += policy is not None
        np.testing.assert_array_equal(found[row], np.zeros(9) if policy is None else policy)
    assert 20 < known < len(played)


def test_the_buffer_keeps_them_with_their_positions(played: Samples) -> None:
    """Replies turn with the policy: one that points where the target does still does."""
    practices = Practices(horizon_share=0.5, horizon_turns=3.0, reply_weight=0.1)
    same = dataclasses.replace(played, policy=replies(played))
    first = Replay(GAME, 40, practices=practices)
    first.add(played)
    second = Replay(GAME, 40)
    second.add(dataclasses.replace(same, root_value=later_values(played, 3.0)))
    drawn, wanted = (one.draw(200, np.random.default_rng(3)) for one in (first, second))
    assert wanted.policy.any()
    np.testing.assert_array_equal(drawn.reply, wanted.policy)
    np.testing.assert_array_equal(drawn.later, wanted.root_value)
    assert (wanted.later, wanted.reply) == (None, None)
    batch = newest_batch(played, 40, practices)
    np.testing.assert_array_equal(batch.later, later_values(played, 3.0)[-40:])
    np.testing.assert_array_equal(batch.reply, replies(played)[-40:])
