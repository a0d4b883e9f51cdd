"""Where the heads of a net's attention look: the weight with which each cell of a board takes in each other cell.

The weights are what a Softmax of the net file gives that has a number for each pair of cells and is then multiplied
with something.  Its rows are the cells that look, and the numbers of a row add up to 1.

Letters: B positions, L layers, H heads of a layer, S = height * width cells by rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import helper

from core.games import Position
from core.games.net_inputs import inputs_of
from core.text import Text
from models.inside.changes import cells_of
from models.inside.views import legal_of
from models.netfiles.agreement import chances
from models.netfiles.tapped import TappedNet
from models.netfiles.trunk import taken_by

_UNCHANGED: Final = frozenset(("Cast", "Dropout", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"))
_PRODUCTS: Final = frozenset(("Einsum", "MatMul"))
_FUSED: Final = frozenset(("Attention", "GroupQueryAttention", "MultiHeadAttention", "PackedMultiHeadAttention"))
_MOST_NUMBERS: Final = 1 << 26  # of all weights of a position

Array = NDArray[np.float32]


class LayerLooks(NamedTuple):
    """The weights of one layer of attention for one position."""

    name: str
    """The block in which it is, a ``Text``."""
    weights: Array
    """float32 [H, S, S]: of a head, from a cell, to a cell; each row adds up to 1."""


class Looks(NamedTuple):
    """The weights of all layers for one position."""

    position: Position
    layers: tuple[LayerLooks, ...]
    move_cell: int
    """The cell of the move that the net finds most probable; the middle of the board where that has no cell."""

    def seen(self, layer: int, head: int | None, cell: int, backwards: bool = False) -> Array:
        """How much a head, or the mean of a layer's heads (None), takes in of each cell from ``cell``, [S].

        backwards: how much it takes in of ``cell`` from each cell instead; those do not add up to 1."""
        weights = self.layers[layer].weights
        rows = weights[:, :, cell] if backwards else weights[:, cell]
        row: Array = rows.mean(axis=0) if head is None else rows[head]
        return row


class AttentionReader:
    """Reads the attention of a net; ``layers`` names the blocks in which it was found."""

    def __init__(self, net: TappedNet) -> None:
        """ValueError, one sentence, where the net has no attention that can be read."""
        self._net = net
        nodes = list(net.graph.node)
        found = [node for node in nodes if node.op_type == "Softmax" and _is_multiplied(node.output[0], nodes)]
        names = [node.output[0] for node in found]
        first, cells = inputs_of(net.game.initial(), net.encoding), net.game.num_cells
        shapes = [array.shape for array in net.first_part(names, first)] if names else []
        self._heads, self._tensors = [], []
        for node, shape in zip(found, shapes, strict=True):
            if len(shape) > 2 and shape[-2:] == (cells, cells) and _axis(node, len(shape)) == len(shape) - 1:
                self._tensors.append(node.output[0])
                self._heads.append(int(np.prod(shape[:-2])) // net.batch)
        if not self._tensors:
            raise ValueError(_why_none(net, nodes))
        if sum(self._heads) * cells * cells > _MOST_NUMBERS:
            raise ValueError(
                Text(
                    "{net} has {heads} heads over {cells} cells, more than can be shown",
                    net=net.path.name,
                    heads=sum(self._heads),
                    cells=cells,
                )
            )
        self.layers = tuple(_named(net, self._tensors))

    def looks(self, position: Position) -> Looks:
        """The weights for a position that is not over.  :class:`BadNet` or ValueError when the net fails."""
        net, inputs = self._net, inputs_of(position, self._net.encoding)
        shape = (position.game.num_cells,) * 2
        layers = []
        for name, raw in zip(self.layers, net.first_part(self._tensors, inputs), strict=True):
            weights = raw.reshape(net.batch, -1, *shape)[0].astype(np.float32, copy=False)
            layers.append(LayerLooks(name, self._as_seen(self._as_seen(weights).swapaxes(1, 2)).swapaxes(1, 2)))
        answer = net.run(inputs).answer
        policy = chances(answer.logits, legal_of([position]))[0]
        return Looks(position, tuple(layers), _cell_of(position, int(policy.argmax())))

    def _as_seen(self, weights: Array) -> Array:
        """Weights [H, S, S] whose last axis is in the file's order of cells, in that of the board."""
        heads, cells, _ = weights.shape
        boards = np.ascontiguousarray(weights).reshape(heads, cells, *self._net.size)
        return self._net.as_seen(boards).reshape(heads, cells, cells)


def _cell_of(position: Position, action: int) -> int:
    cells, (height, width) = cells_of(position, [action]), position.game.shape
    return cells[0] if cells else height // 2 * width + width // 2


def _axis(node: Any, rank: int) -> int:
    """The axis along which a Softmax adds up to 1; the last where the file names none, as ONNX does from opset 13."""
    axis = next((helper.get_attribute_value(part) for part in node.attribute if part.name == "axis"), -1)
    return int(axis) % rank


def _is_multiplied(tensor: str, nodes: Sequence[Any]) -> bool:
    """Whether a tensor goes into a product of matrices with one that is no constant, at most cast or reshaped."""
    reached, given = {tensor}, {name for node in nodes for name in node.output}
    for node in nodes:
        if reached.isdisjoint(node.input):
            continue
        if node.op_type in _UNCHANGED:
            reached.add(node.output[0])
        elif node.op_type in _PRODUCTS and all(name in given for name in node.input):
            return True
    return False


def _named(net: TappedNet, tensors: Sequence[str]) -> Iterator[str]:
    """The block in which each of these tensors is computed; a number follows where a block has several."""
    takes: Mapping[str, list[str]] = {
        name: list(taken_by(node)) for node in net.graph.node for name in node.output if name
    }
    blocks: list[str] = []
    for tensor in tensors:
        blocks.append(
            next(
                (block.name for block in net.blocks if _depends(takes, block.tensor, tensor)),
                Text("after the last block"),
            )
        )
    for place, block in enumerate(blocks):
        many, number = blocks.count(block), blocks[: place + 1].count(block)
        yield block if many == 1 else Text("{block}, layer {number}", block=block, number=number)


def _depends(takes: Mapping[str, list[str]], tensor: str, on: str) -> bool:
    """Whether a tensor is computed from another, by what each is computed from."""
    seen, todo = {tensor}, [tensor]
    while todo:
        for source in takes.get(todo.pop(), ()):
            if source == on:
                return True
            if source not in seen:
                seen.add(source)
                todo.append(source)
    return False


def _why_none(net: TappedNet, nodes: Sequence[Any]) -> str:
    fused = next((node.op_type for node in nodes if node.op_type in _FUSED), "")
    if fused:
        return Text(
            "the attention of {net} is one operation, {operator}, which does not give its weights",
            net=net.path.name,
            operator=fused,
        )
    return Text("{net} has no attention between the cells of the board, as transformers have", net=net.path.name)
