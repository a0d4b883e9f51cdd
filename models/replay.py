"""The newest positions of self-play, on disk in shards and in memory to draw from.  Knows no torch and no net.

Letters: n samples, A actions, C planes, H W board, S symmetries.
"""

import io
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec
from models.atomic import write_atomically
from models.selfplay import Samples


class BadReplay(ValueError):
    """A shard of positions that cannot be read or is of another game, in one sentence."""


class Batch(NamedTuple):
    """Samples drawn to learn from; every value is for the side to move."""

    planes: NDArray[np.float32]  # [n, C, H, W]
    policy: NDArray[np.float32]  # [n, A]
    result: NDArray[np.float32]  # [n] +1, 0, -1
    root_value: NDArray[np.float32]  # [n]


class Replay:
    """A ring of the newest ``capacity`` samples.

    ``draw`` shows each under a random symmetry of the game.
    """

    def __init__(self, game: GameSpec, capacity: int) -> None:
        self._capacity = capacity
        self._size = 0
        self._next = 0
        cells = game.shape[0] * game.shape[1]
        self._shape = game.shape
        self._planes = np.zeros((capacity, game.num_planes, cells), np.int8)
        self._policy = np.zeros((capacity, game.num_actions), np.float32)
        self._result = np.zeros(capacity, np.int8)
        self._root_value = np.zeros(capacity, np.float32)
        # Row s, entry j: which action or cell comes to j under symmetry s.
        self._action_from = np.argsort(game.symmetries, axis=1).astype(np.int64)
        self._cell_from = np.argsort(game.cell_symmetries, axis=1).astype(np.int64)

    def __len__(self) -> int:
        return self._size

    def add(self, samples: Samples) -> None:
        """Put ``samples`` in, over the oldest ones."""
        n = min(len(samples), self._capacity)
        places = (self._next + np.arange(n)) % self._capacity
        self._planes[places] = samples.planes[len(samples) - n :].reshape(n, *self._planes.shape[1:])
        self._policy[places] = samples.policy[len(samples) - n :]
        self._result[places] = samples.result[len(samples) - n :]
        self._root_value[places] = samples.root_value[len(samples) - n :]
        self._next = int(self._next + n) % self._capacity
        self._size = min(self._capacity, self._size + n)

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """``count`` samples with replacement, each under a symmetry of its own; the ring must hold some."""
        rows = rng.integers(self._size, size=count)
        which = rng.integers(len(self._action_from), size=count)
        planes = np.take_along_axis(self._planes[rows], self._cell_from[which][:, None, :], axis=2)
        policy = np.take_along_axis(self._policy[rows], self._action_from[which], axis=1)
        return Batch(
            planes.reshape(count, -1, *self._shape).astype(np.float32),
            policy,
            self._result[rows].astype(np.float32),
            self._root_value[rows],
        )


def shard_path(folder: Path, iteration: int) -> Path:
    """Where the samples of an iteration are kept."""
    return folder / f"{iteration:06d}.npz"


def save_shard(folder: Path, iteration: int, samples: Samples) -> None:
    """Write the samples of ``iteration``, whole or not at all."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **{field.name: getattr(samples, field.name) for field in fields(samples)})
    write_atomically(shard_path(folder, iteration), buffer.getbuffer())


def load_shard(path: Path, game: GameSpec) -> Samples:
    """Read what :func:`save_shard` wrote; :class:`BadReplay` when it is damaged or of other sizes."""
    try:
        with np.load(path, allow_pickle=False) as file:
            samples = Samples(**{field.name: file[field.name] for field in fields(Samples)})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadReplay(f"{str(path)!r} is not a shard of positions, or is damaged; delete it to go on") from None
    if samples.planes.shape[1:] != (game.num_planes, *game.shape) or samples.policy.shape[1:] != (game.num_actions,):
        raise BadReplay(f"{str(path)!r} holds positions of another game than {game.text!r}")
    return samples


def restore(folder: Path, game: GameSpec, capacity: int, last_iteration: int) -> Replay:
    """The ring as it was after ``last_iteration``; shards of later iterations and needless old ones are deleted."""
    replay = Replay(game, capacity)
    kept: list[Samples] = []
    held = 0
    for path in sorted(folder.glob("*.npz"), reverse=True):
        if not path.stem.isdigit() or int(path.stem) > last_iteration or held >= capacity:
            path.unlink()
            continue
        samples = load_shard(path, game)
        held += len(samples)
        kept.append(samples)
    for samples in reversed(kept):
        replay.add(samples)
    return replay
