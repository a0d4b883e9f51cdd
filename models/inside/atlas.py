"""An atlas of a net's channels: in which positions, and at which cells, each channel of each block is strongest.

Letters: K blocks with the stem, B positions, C channels, T examples of a channel, H W board.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.net_inputs import inputs_of_all
from models.inside.sample import Stop
from models.netfiles.tapped import TappedNet

EXAMPLES: Final = 6
_BATCH: Final = 64
_EVEN: Final = 1e-6  # a channel whose numbers differ by less says nothing

Array = NDArray[np.float32]


class Spot(NamedTuple):
    """Where a channel is strong."""

    position: Position
    cell: int
    """``row * cols + col``"""
    value: float


class Channel(NamedTuple):
    """What is known of one channel of one block over a sample of positions."""

    block: int
    number: int
    spots: tuple[Spot, ...]
    """The strongest first, one cell of each position."""
    mean: Array
    """float32 [H, W]"""
    least: float
    most: float
    active: float
    """In what share of the cells it is above 0."""

    @property
    def dead(self) -> bool:
        """Whether it gives the same everywhere, in all positions of the sample."""
        return self.most - self.least < _EVEN


class Atlas(NamedTuple):
    """The channels of all blocks."""

    blocks: tuple[str, ...]
    channels: tuple[tuple[Channel, ...], ...]
    """[K][C]"""
    positions: int
    """Of the sample."""


class AtlasMaker:
    """Takes in positions and keeps what is strongest: memory does not grow with their number."""

    def __init__(self, net: TappedNet, examples: int = EXAMPLES) -> None:
        self._net, self._examples = net, examples
        shape = (len(net.blocks), net.channels)
        self._values = np.full((*shape, examples), -np.inf, np.float32)
        self._numbers = np.full((*shape, examples), -1, np.int64)  # of the positions
        self._cells = np.zeros((*shape, examples), np.int64)
        self._sums = np.zeros((*shape, *net.game.shape))
        self._least = np.full(shape, np.inf, np.float32)
        self._most = np.full(shape, -np.inf, np.float32)
        self._active = np.zeros(shape)
        self._kept: dict[int, Position] = {}
        self.positions = 0

    def add(self, positions: Sequence[Position]) -> None:
        """Take in positions, all of the net's game.  BadNet or ValueError when the net fails."""
        tapped = self._net.run(inputs_of_all(positions, self._net.encoding))
        numbers = np.arange(self.positions, self.positions + len(positions))
        for block, output in enumerate(tapped.blocks):
            self._add_block(block, output, numbers)
        self._kept.update(zip(numbers.tolist(), positions, strict=True))
        used = set(np.unique(self._numbers).tolist())
        self._kept = {number: position for number, position in self._kept.items() if number in used}
        self.positions += len(positions)

    def _add_block(self, block: int, output: Array, numbers: NDArray[np.int64]) -> None:
        flat = output.reshape(*output.shape[:2], -1)  # [B, C, H * W]
        cells = flat.argmax(axis=2).T
        values = flat.max(axis=2).T
        merged = np.concatenate([self._values[block], values], axis=1)
        order = np.argsort(-merged, axis=1, kind="stable")[:, : self._examples]
        self._values[block] = np.take_along_axis(merged, order, 1)
        both = np.concatenate([self._numbers[block], np.broadcast_to(numbers, values.shape)], axis=1)
        self._numbers[block] = np.take_along_axis(both, order, 1)
        self._cells[block] = np.take_along_axis(np.concatenate([self._cells[block], cells], axis=1), order, 1)
        self._sums[block] += output.sum(axis=0, dtype=np.float64)
        self._least[block] = np.minimum(self._least[block], flat.min(axis=(0, 2)))
        self._most[block] = np.maximum(self._most[block], values.max(axis=1))
        self._active[block] += (flat > 0).sum(axis=(0, 2))

    def atlas(self) -> Atlas:
        """What was taken in so far; ValueError before the first position."""
        if not self.positions:
            raise ValueError("an atlas needs at least one position")
        names = tuple(block.name for block in self._net.blocks)
        rows = (tuple(self._channel(k, c) for c in range(self._net.channels)) for k in range(len(names)))
        return Atlas(names, tuple(rows), self.positions)

    def _channel(self, block: int, channel: int) -> Channel:
        found = zip(
            self._numbers[block, channel].tolist(),
            self._cells[block, channel].tolist(),
            self._values[block, channel].tolist(),
            strict=True,
        )
        cells = self.positions * self._net.game.num_cells
        return Channel(
            block,
            channel,
            tuple(Spot(self._kept[number], cell, value) for number, cell, value in found if number >= 0),
            (self._sums[block, channel] / self.positions).astype(np.float32),
            float(self._least[block, channel]),
            float(self._most[block, channel]),
            float(self._active[block, channel]) / cells,
        )


def make_atlas(
    net: TappedNet,
    positions: Iterable[Position],
    should_stop: Stop = lambda: False,
    examples: int = EXAMPLES,
    taken: Callable[[int], object] = lambda _: None,
) -> Atlas | None:
    """The atlas of a net over positions, which may be read one by one from a file; None when ``should_stop``.

    taken: gets how many have been taken in.  ValueError where there are none."""
    maker, source = AtlasMaker(net, examples), iter(positions)
    while batch := list(islice(source, _BATCH)):
        if should_stop():
            return None
        maker.add(batch)
        taken(maker.positions)
    return None if should_stop() else maker.atlas()
