"""A lens: for each block of a net an affine map of its channels, the same at every cell, to those of the last block.

The net's heads are trained with the last block's output; an early block may hold the same facts in other directions.
The map turns them, by least squares over positions of random and net-led play, and the net's own heads then read it.
How well it reads is measured on other games.  What it reads is there in the block; what it does not read may be there
in another form.

Letters: K blocks with the stem, B positions, C channels, N cells of several positions, A actions, H W board.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import report
from core.files.arrays import Unpacked, pack
from core.files.reading import BadFile, read_bytes
from core.games import Position
from core.games.net_inputs import inputs_of_all
from core.text import Text
from models.inside.caches import cache_path, keep
from models.inside.sample import Stop, play_sample
from models.inside.views import Array, Views, joined_views, legal_of, read_blocks
from models.netfiles.opened import digest_of
from models.netfiles.tapped import TappedNet

MOST_POSITIONS: Final = 5_000  # four times as many read the shipped nets no better
_LEAST_POSITIONS: Final = 256
_CELLS: Final = 150_000  # of all positions together
_NUMBERS: Final = 1e10  # that a net computes for all positions, so that a large one does not take minutes
_HELD_OUT: Final = 5  # to so many positions of the fit one of the measurement, of other games
_AT_ONCE: Final = 64  # positions
_RIDGE: Final = 1e-5  # of the mean variance of a channel
_Z: Final = 1.96
_MOST_BYTES: Final = 256 << 20
_MOST_FILES: Final = 40
_VERSION: Final = 2


class Figure(NamedTuple):
    """A mean over the positions of the measurement, and the ends of its 95 % interval over games."""

    mean: float
    low: float
    high: float


class Reading(NamedTuple):
    """How near one way to read a block comes to the net's answer."""

    divergence: Figure  # KL(answer || block) in nats
    agreement: Figure  # share of positions with the same first move


class Lens(NamedTuple):
    """The maps of a net's K blocks, the last one the identity, and how well they read."""

    weights: Array  # [K, C, C]
    biases: Array  # [K, C]
    rectified: bool  # whether no output of the last block was negative, and so nothing that is read is
    own: tuple[Reading, ...]  # of each block by the net's own heads
    fitted: tuple[Reading, ...]  # of each block by its map and the heads
    positions: int  # that the maps are fitted to
    held_out: int  # other positions, of the measurement

    def read(self, blocks: Sequence[Array]) -> list[Array]:
        """The outputs of all blocks [B, C, H, W] in the directions of the last block's."""
        read: list[Array] = []
        for output, weights, bias in zip(blocks[:-1], self.weights, self.biases, strict=False):
            mapped = np.einsum("oc,bchw->bohw", weights, output, optimize=True) + bias[:, None, None]
            read.append(np.maximum(mapped, 0.0, dtype=np.float32) if self.rectified else mapped)
        return [*read, blocks[-1]]


def lens_for(net: TappedNet, should_stop: Stop = lambda: False) -> Lens | None:
    """The lens of a net from the user's caches, or fitted now and kept there; None when ``should_stop`` says so.

    Takes ten to thirty seconds for the shipped nets; what is being done is said to
    :func:`core.engine.evaluator.telling`."""
    path = _path(net)
    with suppress(OSError, BadFile):
        return read_lens(path, net)
    report(Text("reading the blocks of {net}", net=net.path.name))
    lens = fit_lens(net, positions_for(net), should_stop)
    if lens is not None:
        keep(path, lens_file(lens), _MOST_FILES)
    return lens


def positions_for(net: TappedNet) -> int:
    """How many positions a lens of this net is fitted to."""
    cells = math.prod(net.game.shape)
    numbers = cells * net.channels**2 * 2 * len(net.blocks)
    return int(max(_LEAST_POSITIONS, min(MOST_POSITIONS, _CELLS // cells, _NUMBERS // numbers)))


def fit_lens(net: TappedNet, positions: int, should_stop: Stop = lambda: False, seed: int = 0) -> Lens | None:
    """Fit the maps to about so many positions and measure them on those of other games; None when ``should_stop`` says
    so."""
    sample = play_sample(net, positions + positions // _HELD_OUT, seed, should_stop)
    names = np.random.default_rng(seed).permutation(np.unique(sample.games))
    is_held_out = np.isin(sample.games, names[: max(1, len(names) // (_HELD_OUT + 1))])
    fitted_to = np.flatnonzero(~is_held_out)
    size, last, lowest = net.channels + 1, len(net.blocks) - 1, 0.0
    products, targets = np.zeros((last, size, size)), np.zeros((last, size, net.channels))
    for start in range(0, len(fitted_to), _AT_ONCE):
        if should_stop():
            return None
        some = [sample.positions[i] for i in fitted_to[start : start + _AT_ONCE]]
        blocks = net.run(inputs_of_all(some, net.encoding)).blocks
        wanted = _columns(blocks[-1])
        lowest = min(lowest, float(wanted.min()))
        for block in range(last):
            shown = _columns(blocks[block])
            shown = np.concatenate([shown, np.ones((len(shown), 1), np.float32)], axis=1)
            products[block] += shown.T @ shown
            targets[block] += shown.T @ wanted
    maps = np.zeros((last + 1, size, net.channels))
    maps[last, :-1] = np.eye(net.channels)
    for block in range(last):
        ridge = _RIDGE * np.trace(products[block]) / size
        maps[block] = np.linalg.solve(products[block] + ridge * np.eye(size), targets[block])
    weights = np.ascontiguousarray(maps[:, :-1].transpose(0, 2, 1), np.float32)
    lens = Lens(weights, maps[:, -1].astype(np.float32), lowest >= 0.0, (), (), len(fitted_to), 0)
    held_out = np.flatnonzero(is_held_out)
    return _measured(net, lens, [sample.positions[i] for i in held_out], sample.games[held_out], should_stop)


def _columns(output: Array) -> Array:
    """The output of a block [B, C, H, W] as [N, C], a row for each cell."""
    return output.transpose(0, 2, 3, 1).reshape(-1, output.shape[1])


def _measured(
    net: TappedNet, lens: Lens, positions: Sequence[Position], games: NDArray[np.int64], should_stop: Stop
) -> Lens | None:
    """The lens with its figures on these positions."""
    parts: tuple[list[Views], list[Views]] = ([], [])
    for start in range(0, len(positions), _AT_ONCE):
        if should_stop():
            return None
        some = positions[start : start + _AT_ONCE]
        inputs, legal = inputs_of_all(some, net.encoding), legal_of(some)
        blocks = net.run(inputs).blocks
        for views, read in zip(parts, (blocks, lens.read(blocks)), strict=True):
            views.append(read_blocks(net, inputs, read, legal))
    if not positions or should_stop():
        return None
    own, fitted = (_readings(joined_views(views), games) for views in parts)
    return lens._replace(own=own, fitted=fitted, held_out=len(positions))


def _readings(views: Views, games: NDArray[np.int64]) -> tuple[Reading, ...]:
    """The figures of each block."""
    rows = zip(views.divergences, views.agreements, strict=True)
    return tuple(
        Reading(_figure(kl, games, math.inf), _figure(same.astype(np.float64), games, 1.0)) for kl, same in rows
    )


def _figure(values: NDArray[np.float64], games: NDArray[np.int64], most: float) -> Figure:
    """The mean of [B], and its interval with the positions of a game taken as one draw."""
    mean = float(values.mean())
    _, of = np.unique(games, return_inverse=True)
    sums = np.bincount(of, values - mean)
    error = math.sqrt((sums**2).sum() * len(sums) / max(1, len(sums) - 1)) / len(values)
    return Figure(mean, max(0.0, mean - _Z * error), min(most, mean + _Z * error))


# The cache.


def _path(net: TappedNet) -> Path:
    return cache_path("lenses", "lens", digest_of(net.path), net.game.text, str(_VERSION))


def lens_file(lens: Lens) -> bytes:
    """A lens as a file."""
    figures = np.array(
        [[[*reading.divergence, *reading.agreement] for reading in part] for part in (lens.own, lens.fitted)]
    )
    counts = np.array([lens.positions, lens.held_out, lens.rectified], np.int64)
    parts = {"weights": lens.weights, "biases": lens.biases, "figures": figures, "counts": counts}
    return pack(parts)


def read_lens(path: Path, net: TappedNet) -> Lens:
    """The lens in a file; :class:`BadFile` when it is damaged or of another net, OSError when it cannot be read."""
    parts, blocks, channels = Unpacked(read_bytes(path, _MOST_BYTES)), len(net.blocks), net.channels
    figures = parts.array("figures", np.float64, (2, blocks, 6))
    positions, held_out, rectified = parts.array("counts", np.int64, (3,)).tolist()
    own, fitted = (tuple(Reading(Figure(*row[:3]), Figure(*row[3:])) for row in part) for part in figures.tolist())
    weights = parts.array("weights", np.float32, (blocks, channels, channels))
    biases = parts.array("biases", np.float32, (blocks, channels))
    if not all(np.isfinite(array).all() for array in (weights, biases, figures)):
        raise BadFile("a figure is not finite")
    return Lens(weights, biases, bool(rectified), own, fitted, positions, held_out)
