"""The ring of positions: what it forgets, its symmetries, and its shards on disk."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import GameSpec, load_game
from models.play.replay import (
    BadReplay,
    Replay,
    drop_old_shards,
    load_shard,
    restore,
    samples_of,
    save_shard,
    shard_path,
    window,
)
from models.play.samples import LATER_ARRAYS, array_names
from models.play.selfplay import Samples, SelfPlay
from models.runs.config import TrainConfig

TTT = load_game("tictactoe")
C4 = load_game("connect4")


def numbered(game: GameSpec, first: int, count: int) -> Samples:
    """Samples identified by their root value; plane 2 and the policy both point at one random action."""
    rng = np.random.default_rng(first)
    actions = rng.integers(game.num_actions, size=count)
    samples = Samples(
        np.zeros((count, game.num_planes, *game.shape), np.int8),
        np.eye(game.num_actions, dtype=np.float32)[actions],
        rng.integers(-1, 2, size=count).astype(np.int8),
        np.arange(first, first + count, dtype=np.float32) / np.float32(1000),
        np.zeros(count, np.int32),
        np.zeros(count, np.int16),
    )
    height, width = game.shape
    rows, columns = (actions // width, actions) if game.num_actions == height * width else (0 * actions, actions)
    samples.planes[np.arange(count), 2, rows, columns % width] = 1
    return samples


def held(replay: Replay) -> set[int]:
    drawn = replay.draw(2000, np.random.default_rng(0)).root_value
    return {round(1000 * float(value)) for value in drawn}


def test_ring_forgets_the_oldest() -> None:
    replay = Replay(TTT, 10, total=1000)
    replay.add(numbered(TTT, 0, 6))
    assert (len(replay), held(replay)) == (6, set(range(6)))
    replay.add(numbered(TTT, 6, 7))
    assert (len(replay), held(replay)) == (10, set(range(3, 13)))
    replay.add(numbered(TTT, 100, 25))
    assert (len(replay), held(replay)) == (10, set(range(115, 125)))


@pytest.mark.parametrize(("game", "images"), [(TTT, 8), (C4, 2)])
def test_planes_and_policy_turn_together(game: GameSpec, images: int) -> None:
    replay = Replay(game, 1)
    samples = numbered(game, 0, 1)
    samples.planes[0, 0, 0, 1] = 1  # with the last move it tells all eight images apart
    samples.planes[0, 1, 1, 0] = 1
    replay.add(samples)
    batch = replay.draw(400, np.random.default_rng(1))
    assert batch.planes.dtype == np.float32
    where = batch.planes[:, 2].reshape(400, -1) if game is TTT else batch.planes[:, 2, 0]
    np.testing.assert_array_equal(where, batch.policy)
    allowed = {game.transform_planes(samples.planes[0], s).tobytes() for s in range(len(game.symmetries))}
    seen = {row.astype(np.int8).tobytes() for row in batch.planes}
    assert seen == allowed
    assert len(seen) == images


def test_samples_are_drawn_by_weight() -> None:
    """A window of 10 of which the oldest of 12 have gone; the weights wander round the ring with them."""
    replay = Replay(TTT, 10, total=1000)
    weights = np.arange(12, dtype=np.float32) % 4
    replay.add(dataclasses.replace(numbered(TTT, 0, 7), weight=weights[:7]))
    replay.add(dataclasses.replace(numbered(TTT, 7, 5), weight=weights[7:]))
    drawn = np.rint(1000 * replay.draw(60_000, np.random.default_rng(3)).root_value).astype(int)
    shares = np.bincount(drawn, minlength=12) / 60_000
    wanted = np.where(np.arange(12) < 2, 0.0, weights)
    assert shares == pytest.approx(wanted / wanted.sum(), abs=0.01)
    assert set(shares[wanted == 0.0]) == {0.0}


@pytest.mark.parametrize(("game", "images"), [(TTT, 8), (C4, 2)])
def test_legal_moves_turn_with_the_policy(game: GameSpec, images: int) -> None:
    samples = numbered(game, 0, 1)
    replay = Replay(game, 1)
    replay.add(dataclasses.replace(samples, legal=samples.policy > 0.0))
    batch = replay.draw(200, np.random.default_rng(1))
    assert batch.legal is not None
    np.testing.assert_array_equal(batch.legal, batch.policy > 0.0)


def test_older_shards_allow_all_moves(tmp_path: Path) -> None:
    samples = numbered(C4, 0, 5)
    save_shard(tmp_path, 1, samples)
    with np.load(shard_path(tmp_path, 1)) as archive:
        older = {name: archive[name] for name in archive.files if name not in LATER_ARRAYS}
    np.savez_compressed(shard_path(tmp_path, 2), **older)
    read = load_shard(shard_path(tmp_path, 2), C4)
    assert read.legal.all()
    assert read.weight.tolist() == [1.0] * 5


@pytest.mark.parametrize(
    "changed",
    [
        {"legal": np.zeros((5, 7), np.bool_)},  # the target is a move that is not
        {"legal": np.ones((5, 8), np.bool_)},
        {"weight": np.full(5, np.nan, np.float32)},
        {"weight": np.full(5, -1, np.float32)},
        {"weight": np.ones(4, np.float32)},
    ],
)
def test_bad_weights_and_legal_moves_are_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    save_shard(tmp_path, 1, dataclasses.replace(numbered(C4, 0, 5), **changed))
    with pytest.raises(BadReplay, match="is not a shard of positions, or is damaged"):
        load_shard(shard_path(tmp_path, 1), C4)


def test_the_replay_ring_is_restored_from_shards(tmp_path: Path) -> None:
    for iteration in range(1, 6):
        save_shard(tmp_path, iteration, numbered(TTT, 100 * iteration, 8))
    replay = restore(tmp_path, Replay(TTT, 20), last_iteration=4, total=10_000)
    assert held(replay) == {*range(204, 208), *range(300, 308), *range(400, 408)}
    left = ["000001.npz", "000002.npz", "000003.npz", "000004.npz"]  # the first is past the ring, but can be looked at
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def test_shard_round_trip(tmp_path: Path) -> None:
    samples = numbered(C4, 0, 5)
    save_shard(tmp_path, 1, samples)
    read = load_shard(shard_path(tmp_path, 1), C4)
    for name in array_names():
        np.testing.assert_array_equal(getattr(read, name), getattr(samples, name))


def test_bad_shards_are_refused(tmp_path: Path) -> None:
    save_shard(tmp_path, 1, numbered(TTT, 0, 5))
    with pytest.raises(BadReplay, match="holds positions of another game than 'connect4'"):
        load_shard(shard_path(tmp_path, 1), C4)
    whole = shard_path(tmp_path, 1).read_bytes()
    for data in (b"", b"junk", whole[: len(whole) // 2]):
        shard_path(tmp_path, 1).write_bytes(data)
        with pytest.raises(BadReplay, match="is not a shard of positions, or is damaged"):
            load_shard(shard_path(tmp_path, 1), TTT)


def test_shards_hold_no_pickles(tmp_path: Path) -> None:
    np.savez(shard_path(tmp_path, 1), planes=np.array([{}], dtype=object))
    with pytest.raises(BadReplay, match="is not a shard"):
        load_shard(shard_path(tmp_path, 1), TTT)


@pytest.fixture(scope="module")
def played() -> Samples:
    config = TrainConfig.of(game="tictactoe", simulations=24, fast_simulations=8, full_share=0.5, iterations=1, seed=3)
    player = SelfPlay(TTT, UniformEvaluator(9), config, games=8, seed=5)
    first, _ = player.play(UniformEvaluator(9), 40, net_step=5)
    second, _ = player.play(UniformEvaluator(9), 40, net_step=9)
    return Samples.joined([first, Samples.empty(TTT), second])


def test_games_of_a_shard_are_read_back(tmp_path: Path, played: Samples) -> None:
    save_shard(tmp_path, 3, played)
    read = load_shard(shard_path(tmp_path, 3), TTT)
    games = samples_of(shard_path(tmp_path, 3)).traces
    assert {trace.net_step for trace in games} == {5, 9}
    assert len(games) == len(played.traces) == len(read.traces)
    for trace, before in zip(games, played.traces, strict=True):
        for name in ("game", "opening", "moves", "outcome", "ending", "checked", "net_step"):
            assert getattr(trace, name) == getattr(before, name)
        np.testing.assert_array_equal(trace.full, before.full)
        np.testing.assert_array_equal(trace.values, before.values)
        assert trace.policies.keys() == before.policies.keys()
        assert all((trace.policies[ply] == before.policies[ply]).all() for ply in trace.policies)
    for row in range(len(read)):
        assert read.ply[row] in games[read.game[row]].policies


def test_shards_without_games_can_still_be_read(tmp_path: Path, played: Samples) -> None:
    np.savez_compressed(shard_path(tmp_path, 1), **{name: getattr(played, name) for name in array_names()})
    read = samples_of(shard_path(tmp_path, 1))
    assert read.traces == ()
    np.testing.assert_array_equal(read.policy, played.policy)


def test_games_that_do_not_match_their_samples_are_refused(tmp_path: Path, played: Samples) -> None:
    save_shard(tmp_path, 1, played)
    with np.load(shard_path(tmp_path, 1)) as file:
        arrays = dict(file)
    for name, wrong in (
        ("trace_moves", arrays["trace_moves"][:-1]),
        ("trace_counts", arrays["trace_counts"][:-1]),
        ("trace_ends", arrays["trace_ends"] + 5),
        ("trace_full", arrays["trace_full"][1:]),
    ):
        np.savez_compressed(shard_path(tmp_path, 2), **{**arrays, name: wrong})
        with pytest.raises(BadReplay, match="is not a shard of positions, or is damaged"):
            samples_of(shard_path(tmp_path, 2))


def test_the_window_grows_to_all_that_is_kept() -> None:
    sizes = [window(total, 150_000) for total in range(0, 700_000, 1000)]
    assert sizes == sorted(sizes)
    assert window(20_000, 150_000) == 20_000  # all there is
    assert window(30_000, 150_000) == 30_000
    # KataGo's formula with c = 30 000: 30 000 (1 + 0.4 (5^0.75 - 1) / 0.75).
    assert window(150_000, 150_000) == int(30_000 * (1 + 0.4 * (5**0.75 - 1) / 0.75)) == 67_499
    assert window(600_000, 150_000) == 150_000
    assert window(3, 1) == 1


def test_only_the_window_is_drawn_from() -> None:
    replay = Replay(TTT, 100)
    replay.add(numbered(TTT, 0, 100))
    assert len(replay) == window(100, 100) < 50
    assert held(replay) == set(range(100 - len(replay), 100))


def test_the_oldest_shards_are_dropped_beyond_the_bytes(tmp_path: Path) -> None:
    for iteration in range(1, 6):
        save_shard(tmp_path, iteration, numbered(TTT, iteration, 50))
    (tmp_path / "notes.npz").write_bytes(b"not ours")
    size = shard_path(tmp_path, 5).stat().st_size
    assert drop_old_shards(tmp_path, 100) == []
    dropped = drop_old_shards(tmp_path, 2.5 * size / (1 << 20))
    assert sorted(path.name for path in dropped) == ["000001.npz", "000002.npz", "000003.npz"]
    drop_old_shards(tmp_path, 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000005.npz", "notes.npz"]
