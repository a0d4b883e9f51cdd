"""Traces and samples: any games come back from their arrays, and joined bouts keep every sample with its game."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.games import load_game
from models.play.samples import ENDINGS, GameTrace, Samples, pack, unpack

GAME = load_game("tictactoe")
ACTIONS = st.lists(st.integers(0, 8), max_size=9).map(tuple)


@st.composite
def traces(draw: st.DrawFn) -> GameTrace:
    moves, opening = draw(ACTIONS), draw(ACTIONS)
    searches = len(moves) + draw(st.integers(0, 1))
    full = draw(st.lists(st.booleans(), min_size=searches, max_size=searches))
    values = draw(st.lists(st.floats(-1, 1, width=32), min_size=searches, max_size=searches))
    learned = [len(opening) + i for i in range(searches) if full[i]]
    return GameTrace(
        game="tictactoe",
        opening=opening,
        moves=moves,
        full=np.array(full, np.bool_),
        values=np.array(values, np.float32),
        policies={ply: np.eye(9, dtype=np.float32)[ply % 9] for ply in learned},
        outcome=draw(st.integers(-1, 1)),
        ending=draw(st.sampled_from(ENDINGS)),
        checked=draw(st.booleans()),
        net_step=draw(st.integers(0, 1 << 40)),
    )


def samples_of(games: Sequence[GameTrace]) -> Samples:
    rows = [(number, ply, policy) for number, trace in enumerate(games) for ply, policy in trace.policies.items()]
    n = len(rows)
    return Samples(
        np.zeros((n, 4, 3, 3), np.int8),
        np.array([row[2] for row in rows], np.float32).reshape(n, 9),
        np.zeros(n, np.int8),
        np.zeros(n, np.float32),
        np.array([row[0] for row in rows], np.int32),
        np.array([row[1] for row in rows], np.int16),
        tuple(games),
    )


def check_same(one: GameTrace, other: GameTrace) -> None:
    for name in ("game", "opening", "moves", "outcome", "ending", "checked", "net_step"):
        assert getattr(one, name) == getattr(other, name)
    assert one.full.tolist() == other.full.tolist()
    assert one.values.tolist() == other.values.tolist()
    assert {ply: policy.tolist() for ply, policy in one.policies.items()} == {
        ply: policy.tolist() for ply, policy in other.policies.items()
    }


@pytest.mark.slow
@given(st.lists(traces(), min_size=1, max_size=5))
def test_any_games_round_trip_through_arrays(games: list[GameTrace]) -> None:
    samples = samples_of(games)
    arrays = pack(games)
    read = unpack(str(arrays["trace_game"]), arrays, samples)
    assert len(read) == len(games)
    for one, other in zip(read, games, strict=True):
        check_same(one, other)


@pytest.mark.slow
@given(st.lists(st.lists(traces(), max_size=3), min_size=1, max_size=4))
def test_joined_bouts_keep_every_sample_with_its_game(bouts: list[list[GameTrace]]) -> None:
    joined = Samples.joined([samples_of(games) for games in bouts])
    assert joined.traces == tuple(trace for games in bouts for trace in games)
    for game, ply, policy in zip(joined.game, joined.ply, joined.policy, strict=True):
        assert (joined.traces[game].policies[int(ply)] == policy).all()
    assert len(joined) == sum(len(trace.policies) for trace in joined.traces)


def test_games_that_do_not_fit_the_samples_are_refused() -> None:
    trace = GameTrace("tictactoe", (), (4,), np.ones(1, np.bool_), np.zeros(1, np.float32), {}, 0, "played", False, 3)
    empty = Samples.empty(GAME)
    arrays = pack([trace])
    assert unpack("tictactoe", arrays, empty)[0].moves == (4,)
    for name in arrays.keys() - {"trace_game"}:
        with pytest.raises(ValueError, match="its games do not fit"):
            unpack("tictactoe", {**arrays, name: arrays[name][:0]}, empty)
    for name, wrong in (("trace_moves", -1), ("trace_ends", 3), ("trace_counts", -1)):
        with pytest.raises(ValueError, match="its games do not fit"):
            unpack("tictactoe", {**arrays, name: np.full_like(arrays[name], wrong)}, empty)
