"""One number of a net taken apart: the products of a convolution at one cell, which add up to what a block gives there.

What stands at a cell of a channel of a block's output is an activation of a sum.  The sum has one part for each tensor
that the graph adds up: of a convolution a product for each channel and each cell that it reads, and its bias; of
anything else, as of what goes round a residual block, the number itself.

Letters: C channels that the convolution reads, O channels that it gives, k cells along a side of its kernel.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import helper

from core.games import Position
from core.games.net_inputs import inputs_of
from core.text import Text
from models.netfiles.tapped import TappedNet

TOLERANCE: Final = 1e-5  # of the sum, relative to the sizes of its parts
_ADDS: Final = frozenset({"Add", "Sum"})

Array = NDArray[np.float32]


class Summed(NamedTuple):
    """What a block gives at one cell of one channel, and the sum it is made of."""

    value: float
    """What the block gives."""
    before: float
    """Before the activation at its end, as the net computes it."""
    products: NDArray[np.float64]
    """float64 [C, k, k] weights times read values: row 0 of the k is above the cell."""
    read: Array
    """float32 [C, k, k] what the convolution reads round the cell; 0 beyond the board."""
    bias: float
    others: tuple[tuple[str, float], ...]
    """(Tensor, its number at the cell) of the other parts, as of what goes round the block."""
    activation: str
    """ONNX's operator between ``before`` and ``value``; "" for none."""

    @property
    def total(self) -> float:
        """All parts together: ``before``, up to rounding."""
        return float(self.products.sum()) + self.bias + sum(number for _, number in self.others)

    @property
    def size(self) -> float:
        """The sizes of all parts together, which rounding is relative to."""
        return float(np.abs(self.products).sum()) + abs(self.bias) + sum(abs(number) for _, number in self.others)


class _Convolution(NamedTuple):
    """The last convolution of a block."""

    source: str  # the tensor that it reads
    weights: Array  # [O, C, k, k] as a player sees the board
    biases: Array  # [O]


class SumReader:
    """Takes apart what one block of a net gives."""

    def __init__(self, net: TappedNet, block: int) -> None:
        """ValueError, one sentence, where the block does not end with a convolution."""
        self._net = net
        self._nodes = {output: node for node in net.graph.node for output in node.output}
        self._output = net.blocks[block].tensor
        node = self._nodes[self._output]
        self._activation = "" if node.op_type in (*_ADDS, "Conv") else node.op_type
        self._sum = node.input[0] if self._activation else self._output
        added = self._added(self._sum)
        round_it = net.blocks[block - 1].tensor if block else ""
        found = [(tensor, self._convolution(tensor)) for tensor in added if tensor != round_it]
        made = [(tensor, part) for tensor, part in found if part is not None]
        if len(made) != 1:
            name = net.blocks[block].name
            raise ValueError(Text("{block} does not end with one convolution that could be taken apart", block=name))
        self._part = made[0][1]
        self._others = tuple(tensor for tensor in added if tensor != made[0][0])

    def summed(self, position: Position, channel: int, cell: int) -> Summed:
        """The sum at a cell ``row * cols + col`` of a channel.  ValueError where the parts do not add up to it."""
        row, column = divmod(cell, position.game.shape[1])
        names = tuple(dict.fromkeys((self._output, self._sum, self._part.source, *self._others)))
        given = dict(zip(names, self._net.tensors(names, inputs_of(position, self._net.encoding)), strict=True))
        weights = self._part.weights[channel]
        half = weights.shape[-1] // 2
        around = np.pad(given[self._part.source][0], ((0, 0), (half, half), (half, half)))
        read = around[:, row : row + 2 * half + 1, column : column + 2 * half + 1]
        summed = Summed(
            float(given[self._output][0, channel, row, column]),
            float(given[self._sum][0, channel, row, column]),
            weights.astype(np.float64) * read,
            read,
            float(self._part.biases[channel]),
            tuple((name, float(given[name][0, channel, row, column])) for name in self._others),
            self._activation,
        )
        if abs(summed.total - summed.before) > TOLERANCE * max(1.0, summed.size):
            raise ValueError(
                Text(
                    "the parts add up to {total}, and the net computes {before}: it calculates otherwise than its file "
                    "says",
                    total=f"{summed.total:.6g}",
                    before=f"{summed.before:.6g}",
                )
            )
        return summed

    def _added(self, tensor: str) -> tuple[str, ...]:
        """The tensors that a tensor is the sum of: itself where it is none."""
        node = self._nodes.get(tensor)
        if node is None or node.op_type not in _ADDS:
            return (tensor,)
        return tuple(node.input)

    def _convolution(self, tensor: str) -> _Convolution | None:
        """The convolution that gives a tensor, if it is one over all channels with a square kernel round each cell."""
        node = self._nodes.get(tensor)
        if node is None or node.op_type != "Conv":
            return None
        weights = self._net.array(node.input[1])
        if weights is None or weights.ndim != 4 or not _is_plain(node, weights.shape):
            return None
        biases = self._net.array(node.input[2]) if len(node.input) > 2 else np.zeros(len(weights), np.float32)
        if biases is None:
            return None
        return _Convolution(node.input[0], self._net.as_seen(weights), biases.astype(np.float32))


def _is_plain(node: Any, shape: Sequence[int]) -> bool:
    """Whether a convolution with weights of ``shape`` leaves the board's size and reads each neighbour once."""
    facts = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    height, width = shape[2:]
    if height != width or height % 2 == 0 or facts.get("group", 1) != 1:
        return False
    if any(step != 1 for name in ("strides", "dilations") for step in facts.get(name, ())):
        return False
    same = facts.get("auto_pad", b"NOTSET") in (b"SAME_UPPER", b"SAME_LOWER")
    return same or list(facts.get("pads", (0, 0, 0, 0))) == [height // 2] * 4
