"""Replay buffer of the newest self-play positions, and its shards on disk.

A shard holds the samples of one iteration and the games they came from.
Letters: n samples, A actions, C planes, H W board, S symmetries.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.files.arrays import Unpacked
from core.files.atomic import write_atomically
from core.files.reading import read_bytes
from core.games import GameSpec
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.net_inputs import make_inputs
from core.text import Text, text_of
from models.play.left_out import LeftOut, without
from models.play.samples import (
    KIND_ARRAY,
    LATER_ARRAYS,
    POINT_ARRAYS,
    SAMPLE_ARRAYS,
    TRACE_ARRAYS,
    PointSamples,
    Samples,
    array_names,
    checked,
    pack,
    unpack,
)
from models.runs.folder import shard_name
from models.runs.folder import shard_path as shard_path

# The window grows as KataGo's does: N = c (1 + beta ((total / c)^alpha - 1) / alpha) positions (Wu 2020, appendix C:
# alpha 0.75, beta 0.4, c 250 000).  Here c is a share of the capacity, which the window reaches at about 17 c.
_ALPHA: Final = 0.75
_BETA: Final = 0.4
_FIRST_SHARE: Final = 0.2


_MOST_BYTES: Final = 4 << 30  # of a shard
_MOST_GAMES: Final = 1 << 16  # characters of the games of its traces


class BadReplay(ValueError):
    """A shard cannot be read or is of another game; the message is one sentence."""


class Batch(NamedTuple):
    """A training batch; every value is for the side to move."""

    planes: NDArray[np.float32]  # [n, C, H, W]
    policy: NDArray[np.float32]  # [n, A]
    result: NDArray[np.float32]  # [n] +1, 0, -1
    root_value: NDArray[np.float32]  # [n]
    points: PointSamples | None = None
    legal: NDArray[np.bool_] | None = None  # [n, A]; None: all moves


def batch_of(samples: Samples, rows: slice | NDArray[np.int64]) -> Batch:
    """Some of ``samples``, as they are."""
    points = samples.points
    if points is not None:
        points = PointSamples(points.features[rows], points.margin[rows], points.owners[rows])
    return Batch(
        samples.planes[rows].astype(np.float32),
        samples.policy[rows],
        samples.result[rows].astype(np.float32),
        samples.root_value[rows],
        points,
        samples.legal[rows],
    )


def newest_batch(samples: Samples, most: int) -> Batch:
    """The newest ``most`` of ``samples``, as they are."""
    return batch_of(samples, slice(max(0, len(samples) - most), len(samples)))


def window(total: int, most: int) -> int:
    """Number of newest positions to sample from after ``total`` were made, at most ``most``."""
    first = max(1.0, _FIRST_SHARE * most)
    grown = first * (1.0 + _BETA * ((max(total, first) / first) ** _ALPHA - 1.0) / _ALPHA)
    return min(most, total, int(grown))


class Replay:
    """Ring buffer of the newest ``capacity`` samples; batches are drawn from the growing :func:`window`.

    ``draw`` applies a random symmetry of the game to each sample.
    """

    def __init__(
        self,
        game: GameSpec,
        capacity: int,
        total: int = 0,
        encoding: Encoding = OWN_ENCODING,
    ) -> None:
        """``total``: number of samples made before those that will be added; the size of the window depends on it."""
        self.game, self.encoding = game, encoding
        self.capacity = capacity
        self._total = total
        self._size = 0
        self._next = 0
        cells = game.shape[0] * game.shape[1]
        self._shape = game.shape
        shown = make_inputs(game, encoding, 0)
        self._planes = np.zeros((capacity, shown.planes.shape[1], cells), np.int8)
        self._policy = np.zeros((capacity, game.num_actions), np.float32)
        self._result = np.zeros(capacity, np.int8)
        self._root_value = np.zeros(capacity, np.float32)
        self._legal = np.ones((capacity, game.num_actions), np.bool_)
        self._weight = np.ones(capacity, np.float32)
        # Sums of the window's weights, newest first; [0] where they are all alike, None where they are not known.
        self._sums: NDArray[np.float64] | None = None
        self._points: PointSamples | None = None
        if encoding.leads:
            features = np.zeros((capacity, shown.features.shape[1]), np.float32)
            margin, owners = np.zeros(capacity, np.float32), np.zeros((capacity, *game.shape), np.int8)
            self._points = PointSamples(features, margin, owners)
        # [s, j]: the action or cell that symmetry s maps to j.
        self._action_from = np.argsort(game.symmetries, axis=1).astype(np.int64)
        self._cell_from = np.argsort(game.cell_symmetries, axis=1).astype(np.int64)

    def __len__(self) -> int:
        """Number of samples in the window."""
        return min(self._size, window(self._total, self.capacity))

    def add(self, samples: Samples) -> None:
        """Add ``samples``, overwriting the oldest."""
        n = min(len(samples), self.capacity)
        places = (self._next + np.arange(n)) % self.capacity
        self._planes[places] = samples.planes[len(samples) - n :].reshape(n, *self._planes.shape[1:])
        self._policy[places] = samples.policy[len(samples) - n :]
        self._result[places] = samples.result[len(samples) - n :]
        self._root_value[places] = samples.root_value[len(samples) - n :]
        self._legal[places] = samples.legal[len(samples) - n :]
        self._weight[places] = samples.weight[len(samples) - n :]
        self._sums = None
        if self._points is not None and samples.points is not None:
            for name, column in self._points._asdict().items():
                column[places] = getattr(samples.points, name)[len(samples) - n :]
        self._next = int(self._next + n) % self.capacity
        self._size = min(self.capacity, self._size + n)
        self._total += len(samples)

    def begin(self, total: int) -> None:
        """Take ``total`` samples to have been made before, those in the buffer included."""
        self._total = max(self._size, total)
        self._sums = None

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """Draw ``count`` samples with replacement by weight, each under a random symmetry; the buffer must not be
        empty."""
        rows = (self._next - 1 - self._ages(count, rng)) % self.capacity
        which = rng.integers(len(self._action_from), size=count)
        planes = np.take_along_axis(self._planes[rows], self._cell_from[which][:, None, :], axis=2)
        actions = self._action_from[which]
        points = self._points
        if points is not None:
            owners = np.take_along_axis(points.owners[rows].reshape(count, -1), self._cell_from[which], axis=1)
            points = PointSamples(points.features[rows], points.margin[rows], owners.reshape(count, *self._shape))
        return Batch(
            planes.reshape(count, -1, *self._shape).astype(np.float32),
            np.take_along_axis(self._policy[rows], actions, axis=1),
            self._result[rows].astype(np.float32),
            self._root_value[rows],
            points,
            np.take_along_axis(self._legal[rows], actions, axis=1),
        )

    def _ages(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw ``count`` samples of the window by weight; the newest is 0."""
        if self._sums is None:
            newest_first = (self._next - 1 - np.arange(len(self))) % self.capacity
            weights = self._weight[newest_first]
            if not weights.any():
                raise BadReplay(Text("every position that it could learn from is left out; leave out fewer"))
            alike = weights.min() == weights.max()
            self._sums = np.zeros(0) if alike else np.cumsum(weights, dtype=np.float64)
        if not len(self._sums):
            return rng.integers(len(self), size=count)
        drawn = np.searchsorted(self._sums, rng.random(count) * self._sums[-1], side="right")
        ages: NDArray[np.int64] = np.minimum(drawn, len(self) - 1)
        return ages


class Replays:
    """The buffers of a run by the size of the board; a batch draws every position in their windows as likely."""

    def __init__(self, by_shape: Mapping[tuple[int, int], Replay]) -> None:
        self.by_shape = by_shape

    def __len__(self) -> int:
        """Number of samples in the windows."""
        return sum(map(len, self.by_shape.values()))

    def add(self, samples: Samples) -> None:
        self.by_shape[samples.shape].add(samples)

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Batch, ...]:
        """Draw ``count`` samples as :meth:`Replay.draw` does, in a part for each size."""
        replays = list(self.by_shape.values())
        if len(replays) == 1:
            return (replays[0].draw(count, rng),)
        counts = rng.multinomial(count, np.array([len(replay) for replay in replays]) / len(self))
        return tuple(replay.draw(int(n), rng) for replay, n in zip(replays, counts, strict=True) if n)


def save_shard(folder: Path, iteration: int, samples: Samples, label: str = "") -> None:
    """Write the samples of ``iteration`` and their games atomically."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays_of(samples))
    write_atomically(shard_path(folder, iteration, label), buffer.getbuffer(), make_folder=False)


def arrays_of(samples: Samples) -> dict[str, Any]:
    """The samples and their games as arrays by name."""
    arrays: dict[str, Any] = {name: getattr(samples, name) for name in array_names()}
    if samples.points is not None:
        arrays.update(samples.points._asdict())
    if samples.traces:
        arrays.update(pack(samples.traces))
    return arrays


def from_arrays(arrays: Mapping[str, Any]) -> Samples:
    """Inverse of :func:`arrays_of`; ValueError when the arrays are inconsistent."""
    points = PointSamples(*(arrays[name] for name in POINT_ARRAYS)) if "owners" in arrays else None
    samples = checked(Samples(**{name: arrays[name] for name in SAMPLE_ARRAYS}, points=points))
    if "trace_game" not in arrays:
        return samples
    return replace(samples, traces=unpack(str(arrays["trace_game"]), arrays, samples))


def samples_of(path: Path, legal_alone: bool = True) -> Samples:
    """Read a shard of any game; :class:`BadReplay` when it is damaged, or where ``legal_alone`` and a policy has moves
    that are not legal."""
    try:
        archive = Unpacked(read_bytes(path, _MOST_BYTES))
        columns: dict[str, Any] = {
            name: archive.array(f"{name}.npy", dtype, shape) for name, (dtype, shape) in SAMPLE_ARRAYS.items()
        }
        for name, (dtype, shape) in LATER_ARRAYS.items():
            if f"{name}.npy" in archive.names():
                columns[name] = archive.array(f"{name}.npy", dtype, shape)
        points = None
        if "owners.npy" in archive.names():
            points = PointSamples(
                *(archive.array(f"{name}.npy", dtype, shape) for name, (dtype, shape) in POINT_ARRAYS.items())
            )
        samples = checked(Samples(**columns, points=points), legal_alone)
        if "trace_game.npy" not in archive.names():
            return samples
        arrays = {name: archive.array(f"{name}.npy", dtype, shape) for name, (dtype, shape) in TRACE_ARRAYS.items()}
        if "trace_kind.npy" in archive.names():
            arrays["trace_kind"] = archive.array("trace_kind.npy", *KIND_ARRAY)
        return replace(samples, traces=unpack(archive.text("trace_game.npy", _MOST_GAMES), arrays, samples))
    except (OSError, ValueError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: OSError | ValueError) -> BadReplay:
    why = error.strerror if isinstance(error, OSError) and error.strerror else text_of(error)
    return BadReplay(
        Text(
            "{path} is not a shard of positions, or is damaged ({why}); delete it to continue",
            path=short(str(path)),
            why=why,
        )
    )


def load_shard(path: Path, game: GameSpec, encoding: Encoding | None = None, legal_alone: bool = True) -> Samples:
    """Read a shard of ``game``; :class:`BadReplay` when it is damaged or its sizes are those of another game or
    ``encoding``, None for any.  legal_alone: a policy with moves that are not legal is damage, too."""
    samples = samples_of(path, legal_alone)
    if encoding is None:
        trained = [candidate for candidate in game.encodings if candidate.trained]
        encoding = trained[0] if trained and samples.points is not None else OWN_ENCODING
    expected = Samples.empty(game, encoding)
    shown = None if samples.points is None else samples.points.features.shape[1:]
    if (
        samples.planes.shape[1:] != expected.planes.shape[1:]
        or samples.policy.shape[1:] != expected.policy.shape[1:]
        or shown != (None if expected.points is None else expected.points.features.shape[1:])
    ):
        raise BadReplay(f"{short(str(path))} holds positions of another game than {game.text!r}")
    if any(action >= game.num_actions for trace in samples.traces for action in (*trace.opening, *trace.moves)):
        raise BadReplay(f"{short(str(path))} holds moves that {game.text!r} does not have")
    return samples


def drop_old_shards(folder: Path, megabytes: float) -> list[Path]:
    """Delete the oldest shards until the rest fits ``megabytes`` MiB, but never the newest; the deleted paths."""
    total, dropped = 0, []
    shards = _shards(folder)
    for iteration, _, path in shards:
        total += path.stat().st_size
        if iteration < shards[0][0] and total > megabytes * (1 << 20):
            path.unlink()
            dropped.append(path)
    return dropped


def restore(
    folder: Path,
    replay: Replay,
    last_iteration: int,
    total: int | None = None,
    label: str = "",
    left_out: Mapping[str, Sequence[LeftOut]] | None = None,
) -> Replay:
    """Fill the empty ``replay`` as after ``last_iteration``, when ``total`` samples had been made (None: those on
    disk), from the shards with ``label``; returns it.  ``left_out``: samples that are not drawn, by the name of their
    shard.

    Shards of later iterations are deleted; those too old for the buffer are kept for inspection.
    """
    shards: list[Samples] = []
    count = 0
    for iteration, board, path in _shards(folder):
        if iteration > last_iteration:
            path.unlink()
        elif board == label and count < replay.capacity:
            samples = load_shard(path, replay.game, replay.encoding)
            shards.append(without(samples, path.stem, (left_out or {}).get(path.stem, ())))
            count += len(shards[-1])
    for samples in reversed(shards):
        replay.add(samples)
    if total is not None:
        replay.begin(max(count, total))
    return replay


def _shards(folder: Path) -> list[tuple[int, str, Path]]:
    """Iteration, label and path of the shards in ``folder``, newest first."""
    named = ((shard_name(path), path) for path in folder.glob("*.npz"))
    return sorted(((*name, path) for name, path in named if name is not None), reverse=True)
