"""A lens: for each block of a net an affine map of its channels, the same at every cell, to those of the last block.

The net's heads are trained with the last block's output; an early block may hold the same facts in other directions.
The map turns them, by least squares over positions of random and net-led play, and the net's own heads then read it.
What is nearest in the channels need not be nearest in the policy: each map is drawn back to the identity as far as that
helps in games that it was not fitted to.  How well it reads is measured on yet other games.  What it reads is there in
the block; what it does not read may be there in another form.

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
from core.files.caches import cache_path, keep
from core.files.reading import BadFile, read_bytes
from core.games.net_inputs import inputs_of_all
from core.text import Text
from models.inside.sample import Sample, Stop, play_sample
from models.inside.views import Array, Views, joined_views, legal_of, read_blocks
from models.netfiles.opened import digest_of
from models.netfiles.tapped import TappedNet

MOST_POSITIONS: Final = 5_000  # four times as many read the shipped nets no better
_LEAST_POSITIONS: Final = 256
_CELLS: Final = 150_000  # of all positions together
_NUMBERS: Final = 1e10  # that a net computes for all positions, so that a large one does not take minutes
_HELD_OUT: Final = 5  # to so many positions of the fit one of the measurement, and one of the choice of the share
_SHARES: Final = (1.0, 0.75, 0.5, 0.25, 0.0)  # of the fitted map in the one that is used; the rest is the identity
_AT_ONCE: Final = 64  # positions
_RIDGE: Final = 1e-5  # of the mean variance of a channel
_Z: Final = 1.96
_MOST_BYTES: Final = 256 << 20
_MOST_FILES: Final = 40
_VERSION: Final = 3


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

    def drawn_back(self, shares: Array) -> "Lens":
        """With ``shares`` [K] of each map, the rest of it the identity."""
        share, channels = np.asarray(shares, np.float32)[:, None, None], self.weights.shape[1]
        weights = share * self.weights + (1.0 - share) * np.eye(channels, dtype=np.float32)
        return self._replace(weights=weights, biases=share[:, 0] * self.biases)

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
    sample = play_sample(net, positions + 2 * positions // _HELD_OUT, seed, should_stop)
    names = np.random.default_rng(seed).permutation(np.unique(sample.games))
    part = max(1, len(names) // (_HELD_OUT + 2))
    measured, chosen = (np.isin(sample.games, games) for games in (names[:part], names[part : 2 * part]))
    fitted_to = np.flatnonzero(~measured & ~chosen)
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
    nearest = np.zeros((len(_SHARES), last + 1))
    for row, share in enumerate(_SHARES):
        views = _views(net, lens.drawn_back(np.full(last + 1, share)), sample, chosen, should_stop)
        if views is None:
            return None
        nearest[row] = views.divergences.mean(axis=1)
    lens = lens.drawn_back(np.array(_SHARES)[nearest.argmin(axis=0)])
    own, fitted = (_views(net, reader, sample, measured, should_stop) for reader in (None, lens))
    if own is None or fitted is None:
        return None
    games = sample.games[measured]
    return lens._replace(own=_readings(own, games), fitted=_readings(fitted, games), held_out=len(games))


def _columns(output: Array) -> Array:
    """The output of a block [B, C, H, W] as [N, C], a row for each cell."""
    return output.transpose(0, 2, 3, 1).reshape(-1, output.shape[1])


def _views(
    net: TappedNet, lens: Lens | None, sample: Sample, chosen: NDArray[np.bool_], should_stop: Stop
) -> Views | None:
    """What the blocks want, through the lens or without, of the positions of the sample that are ``chosen`` [N]; None
    when there is none or ``should_stop`` says so."""
    positions = [sample.positions[i] for i in np.flatnonzero(chosen)]
    parts = []
    for start in range(0, len(positions), _AT_ONCE):
        if should_stop():
            return None
        some = positions[start : start + _AT_ONCE]
        inputs = inputs_of_all(some, net.encoding)
        blocks = net.run(inputs).blocks
        parts.append(read_blocks(net, inputs, blocks if lens is None else lens.read(blocks), legal_of(some)))
    return joined_views(parts) if parts else None


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
