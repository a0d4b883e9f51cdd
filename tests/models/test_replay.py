"""The ring of positions: what it forgets, its symmetries, and its shards on disk."""

from pathlib import Path

import numpy as np
import pytest

from core.games import GameSpec, load_game
from models.replay import BadReplay, Replay, load_shard, restore, save_shard, shard_path
from models.selfplay import Samples

TTT = load_game("tictactoe")
C4 = load_game("connect4")


def numbered(game: GameSpec, first: int, count: int) -> Samples:
    """Samples told apart by their root value; plane 2 and the policy both point at one random action."""
    rng = np.random.default_rng(first)
    actions = rng.integers(game.num_actions, size=count)
    samples = Samples(
        np.zeros((count, game.num_planes, *game.shape), np.int8),
        np.eye(game.num_actions, dtype=np.float32)[actions],
        rng.integers(-1, 2, size=count).astype(np.int8),
        np.arange(first, first + count, dtype=np.float32) / 1000,
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
    replay = Replay(TTT, 10)
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


def test_shards_bring_the_ring_back(tmp_path: Path) -> None:
    for iteration in range(1, 6):
        save_shard(tmp_path, iteration, numbered(TTT, 100 * iteration, 8))
    replay = restore(tmp_path, TTT, 20, last_iteration=4)
    assert held(replay) == {*range(204, 208), *range(300, 308), *range(400, 408)}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000002.npz", "000003.npz", "000004.npz"]


def test_shard_round_trip(tmp_path: Path) -> None:
    samples = numbered(C4, 0, 5)
    save_shard(tmp_path, 1, samples)
    read = load_shard(shard_path(tmp_path, 1), C4)
    for name in ("planes", "policy", "result", "root_value", "game", "ply"):
        np.testing.assert_array_equal(getattr(read, name), getattr(samples, name))


def test_bad_shards_are_told(tmp_path: Path) -> None:
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
