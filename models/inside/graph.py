"""The graph of a net file: its operations in groups, with shapes, parameters, multiplications and a position's values.

Parameters are the numbers of floating or 8-bit type that the file stores for an operation; sizes, axes and places are
none.  Multiplications are those of Conv, Gemm, MatMul and their kinds for numbers in 8 bits, each product of a weight
and an input counted, with those of the padding's zeros; what else is multiplied, such as by a scale, is not counted.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import TensorProto, helper

from core.games import GameSpec, Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of, make_inputs
from core.text import Text, text_of
from models.netfiles.checked import checked_net, open_changed
from models.netfiles.ort_session import ORT_ERRORS, BadNet, first_line, unusable
from models.netfiles.recipe import Recipe
from models.netfiles.trunk import find_trunk, taken_by, with_outputs

_MOST_NODES: Final = 20_000
_MOST_BYTES: Final = 1 << 30  # of a graph without the weights that lie beside it
_MOST_READ: Final = 1 << 24  # numbers of the tensors that one run returns
_MOST_TENSORS: Final = 256  # that one run returns
_FLOATS: Final = frozenset({TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE})
_SIZES: Final = frozenset({"Shape", "Size"})  # give nothing of the numbers in a tensor
_STORED: Final = _FLOATS | {TensorProto.INT8, TensorProto.UINT8}  # what weights are stored as
# The places of input and weights among what an operation is given.
_CONVOLUTIONS: Final = {"Conv": (0, 1), "ConvInteger": (0, 1), "FusedConv": (0, 1), "QLinearConv": (0, 3)}
_PRODUCTS: Final = {"Gemm": (0, 1), "MatMul": (0, 1), "MatMulInteger": (0, 1), "QLinearMatMul": (0, 3)}
_UNCOUNTED: Final = frozenset(["Attention", "ConvTranspose", "Einsum", "GRU", "LSTM", "MultiHeadAttention", "RNN"])

Shape = tuple[int, ...]


class Operation(NamedTuple):
    """One operation of a net."""

    operator: str  # ONNX's name of it
    sizes: str  # of its weights: "3×3, 48 → 48"; "" for an operation that has none
    inputs: tuple[str, ...]  # the tensors it is given that depend on the position
    outputs: tuple[str, ...]  # the tensors that it gives
    parameters: int
    multiplications: int | None  # of a run; None: it multiplies, and how often is not counted
    group: int  # its place among the graph's groups


class OperationGroup(NamedTuple):
    """Operations that belong together: the stem, a block, a head."""

    name: str  # a Text
    head: bool  # whether it comes after the last block, beside the other heads
    operations: tuple[int, ...]  # their places among the graph's operations, in the order of a run


class NetGraph(NamedTuple):
    """The operations of a net for one board."""

    operations: tuple[Operation, ...]
    groups: tuple[OperationGroup, ...]
    shapes: Mapping[str, Shape | None]  # of the tensors that depend on the position; None: not known
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]  # those that a search reads first
    batch: int  # positions of a run, for which shapes and multiplications are
    no_blocks: str  # why no blocks are shown, a sentence; "" where they are

    def parameters(self, places: Iterable[int]) -> int:
        """The parameters of these operations."""
        return sum(self.operations[place].parameters for place in places)

    def multiplications(self, places: Iterable[int]) -> int:
        """The multiplications of these operations in a run, as far as they are counted."""
        return sum(self.operations[place].multiplications or 0 for place in places)

    @property
    def all_counted(self) -> bool:
        """Whether no operation multiplies without being counted."""
        return all(operation.multiplications is not None for operation in self.operations)


class Values(NamedTuple):
    """The numbers in one tensor for a position."""

    mean: float
    least: float
    most: float
    zeros: float  # the share of those that are exactly 0


class GraphReader:
    """Reads the graph of a net file for one game, and the values in it for positions, on the processor.

    graph: the :class:`NetGraph`.  encoding: what the net is shown of a position.
    One thread at a time may use it."""

    def __init__(self, path: str | Path, game: "GameSpec", *, recipe: Recipe | None = None, threads: int = 1) -> None:
        """Load ``path`` for ``game``; ``recipe`` as ``OnnxEvaluator`` takes it.  :class:`BadNet`, one sentence, when it
        cannot be used or is too large to be shown."""
        self.path, self._threads = Path(path), threads
        self._file, _, self._heads = checked_net(self.path, game, recipe)
        self.encoding, batch = self._heads.encoding, self._heads.batch or 1
        empty = make_inputs(game, self.encoding, batch)
        try:
            if self._file.stat().st_size > _MOST_BYTES:
                raise self._too_large(Text("{bytes} bytes", bytes=self._file.stat().st_size), _MOST_BYTES)
            self._model = onnx.load(self._file, load_external_data=False)
        except DecodeError as error:
            raise unusable(self.path.name, first_line(error)) from None
        except OSError as error:
            raise unusable(self.path.name, str(error.strerror)) from None
        if len(self._model.graph.node) > _MOST_NODES:
            raise self._too_large(Text("{nodes} operations", nodes=len(self._model.graph.node)), _MOST_NODES)
        given = {name: array.shape for name, array in self._heads.inputs(*empty).items()}
        facts = _facts(self._model, given)
        self._floats = [name for name, kind in facts.kinds.items() if kind in _FLOATS and name in facts.moving]
        self._sizes = {name: math.prod(shape) for name, shape in facts.shapes.items() if shape is not None}
        self._session: Any = None
        unknown = [name for name in self._floats if name not in self._sizes]
        for name, array in self._read(unknown, empty, lambda: False):
            facts.shapes[name], self._sizes[name] = array.shape, array.size
        self.graph = _graph(self._model, self._heads.outputs, facts, tuple(given), batch)

    def values(self, position: "Position", stale: Callable[[], bool] = lambda: False) -> dict[str, Values]:
        """The values of every tensor of floating type whose size is known and not too large, by its name.

        {} when ``stale``, which is asked between runs, says that they are not wanted any more.  :class:`BadNet` when
        the net cannot be evaluated."""
        inputs = inputs_of(position, self.encoding)
        names = [name for name in self._floats if 0 < self._sizes.get(name, 0) <= _MOST_READ]
        values = {name: _values_of(array) for name, array in self._read(names, self._heads.in_parts(inputs)[0], stale)}
        return values if len(values) == len(names) else {}

    def _read(
        self, names: Sequence[str], inputs: Inputs, stale: Callable[[], bool]
    ) -> Iterable[tuple[str, NDArray[Any]]]:
        """Each of these tensors for inputs of a whole batch, with its name."""
        arrays = self._heads.inputs(*inputs)
        if self._session is None:
            self._session = open_changed(self._file, with_outputs(self._model, self._floats), self._threads)
        taken = {tensor.name for tensor in self._session.get_inputs()}
        given = {name: array for name, array in arrays.items() if name in taken}
        todo = list(names)
        while todo and not stale():
            part = [todo.pop(0)]
            room = _MOST_READ - self._sizes.get(part[0], _MOST_READ)
            while todo and len(part) < _MOST_TENSORS and self._sizes.get(todo[0], _MOST_READ) <= room:
                room -= self._sizes[todo[0]]
                part.append(todo.pop(0))
            try:
                yield from zip(part, self._session.run(part, given), strict=True)
            except ORT_ERRORS as error:
                words = Text("{net} cannot be evaluated: {error}", net=self.path.name, error=first_line(error))
                raise BadNet(words) from None

    def _too_large(self, size: str, most: int) -> BadNet:
        return BadNet(
            Text("{net} has {size}; graphs of up to {most} are shown", net=self.path.name, size=size, most=most)
        )


def _values_of(array: NDArray[Any]) -> Values:
    numbers, zeros = array.astype(np.float64), np.count_nonzero(array == 0)
    return Values(float(numbers.mean()), float(numbers.min()), float(numbers.max()), float(zeros / numbers.size))


class _Facts(NamedTuple):
    """What is known of the tensors of a graph, by their names."""

    kinds: dict[str, int]  # of those that nodes give: a type of TensorProto
    shapes: dict[str, Shape | None]
    moving: set[str]  # those that depend on the position


def _facts(model: Any, given: Mapping[str, Shape]) -> _Facts:
    """The facts of a graph whose inputs have the shapes ``given``."""
    fixed = onnx.ModelProto()
    fixed.CopyFrom(model)
    for tensor in fixed.graph.input:
        if tensor.name in given:
            kind = tensor.type.tensor_type.elem_type
            tensor.type.CopyFrom(helper.make_tensor_type_proto(kind, given[tensor.name]))
    for tensor in fixed.graph.output:
        tensor.type.tensor_type.ClearField("shape")  # as the file says it: of a board of any size
    del fixed.graph.value_info[:]
    with suppress(onnx.shape_inference.InferenceError):  # what onnx does not know is found by a run
        fixed = onnx.shape_inference.infer_shapes(fixed, data_prop=True)
    inferred = {tensor.name: tensor.type.tensor_type for tensor in (*fixed.graph.value_info, *fixed.graph.output)}
    shapes: dict[str, Shape | None] = {tensor.name: tuple(tensor.dims) for tensor in fixed.graph.initializer}
    shapes.update(given)
    moving, kinds = set(given), {}
    for node in fixed.graph.node:
        moves = node.op_type not in _SIZES and not moving.isdisjoint(taken_by(node))
        for name in filter(None, node.output):
            kinds[name] = inferred[name].elem_type if name in inferred else TensorProto.UNDEFINED
            shapes[name] = _shape_in(inferred.get(name))
            if moves:
                moving.add(name)
    return _Facts(kinds, shapes, moving)


def _shape_in(tensor: Any) -> Shape | None:
    if tensor is None or not tensor.HasField("shape"):
        return None
    sizes = [size.dim_value if size.HasField("dim_value") else -1 for size in tensor.shape.dim]
    return None if -1 in sizes else tuple(sizes)


class _Reading:
    """Makes operations and groups of the nodes of a graph that depend on the position."""

    def __init__(self, model: Any, facts: _Facts) -> None:
        self._facts = facts
        self._nodes = list(model.graph.node)
        self._givers = {name: place for place, node in enumerate(self._nodes) for name in node.output if name}
        self._stored = {
            tensor.name: math.prod(tensor.dims)
            for tensor in (*model.graph.initializer, *_constants(self._nodes))
            if tensor.dims and tensor.data_type in _STORED
        }
        self._counted: set[str] = set()  # the weights of operations before
        self._places = [place for place, node in enumerate(self._nodes) if facts.moving.intersection(node.output)]

    def groups(self, blocks: Sequence[str], outputs: Sequence[str]) -> list[tuple[str, bool, list[int]]]:
        """The name, whether it is a head, and the places of the nodes of each group; ``blocks``: the output tensor of
        the stem and of each block."""
        left = set(self._places)
        groups = []

        def take(name: str, head: bool, places: set[int]) -> None:
            taken = sorted(left & places)
            left.difference_update(taken)
            if taken:
                groups.append((name, head, taken))

        for number, tensor in enumerate(blocks):
            name = Text("block {number}", number=number) if number else Text("stem")
            take(name, False, self._above([tensor]))
        policy, others = self._above(outputs[:1]), self._above(outputs[1:])
        take(Text("shared by the heads") if blocks else Text("body"), False, policy & others)
        take(Text("policy head"), True, policy)
        take(Text("value head"), True, others)
        take(Text("other outputs"), True, set(left))
        return groups

    def _above(self, tensors: Iterable[str]) -> set[int]:
        """The nodes by which these tensors are computed."""
        above: set[int] = set()
        todo = list(tensors)
        while todo:
            place = self._givers.get(todo.pop(), -1)
            if place >= 0 and place not in above:
                above.add(place)
                todo += taken_by(self._nodes[place])
        return above

    def operation(self, place: int, group: int) -> Operation:
        """The operation of a node; those of a graph are asked for in their order."""
        node, moving = self._nodes[place], self._facts.moving
        fixed = [name for name in taken_by(node) if name not in moving]
        weights = ({name for name in self._constants_of(fixed) if name in self._stored}) - self._counted
        self._counted |= weights
        sizes, multiplications = self._work_of(node)
        return Operation(
            node.op_type,
            sizes,
            tuple(dict.fromkeys(name for name in taken_by(node) if name in moving)),
            tuple(filter(None, node.output)),
            sum(self._stored[name] for name in weights),
            multiplications,
            group,
        )

    def _constants_of(self, tensors: list[str]) -> set[str]:
        """These tensors and those that they are computed from."""
        found, todo = set(tensors), list(tensors)
        while todo:
            place = self._givers.get(todo.pop(), -1)
            fresh = set() if place < 0 else set(self._nodes[place].input) - found
            found |= fresh
            todo += fresh
        return found

    def _work_of(self, node: Any) -> tuple[str, int | None]:
        """The sizes of an operation's weights in words, and its multiplications."""
        kind, shapes = node.op_type, self._facts.shapes
        if kind in _UNCOUNTED or any(attribute.HasField("g") for attribute in node.attribute):
            return "", None
        if kind not in _CONVOLUTIONS and kind not in _PRODUCTS:
            return "", 0
        first, second = (shapes.get(node.input[i]) for i in {**_CONVOLUTIONS, **_PRODUCTS}[kind])
        given = shapes.get(node.output[0])
        if not first or not second or given is None:
            return "", None
        if kind in _CONVOLUTIONS:
            channels, per_group, *kernel = second
            words = f"{'×'.join(map(str, kernel))}, {first[1]} → {channels}"
            return words, math.prod(given) * per_group * math.prod(kernel)
        turned = {attribute.name: attribute.i for attribute in node.attribute}
        inner = first[0] if turned.get("transA") else first[-1]
        return f"{inner} → {given[-1]}", math.prod(given) * inner


def _constants(nodes: Iterable[Any]) -> Iterator[Any]:
    """The tensors of the nodes that give a constant, under the names of these."""
    for node in nodes:
        if node.op_type == "Constant":
            for attribute in node.attribute:
                if attribute.name == "value":
                    tensor = TensorProto(name=node.output[0], dims=attribute.t.dims, data_type=attribute.t.data_type)
                    yield tensor


def _graph(model: Any, outputs: Sequence[str], facts: _Facts, inputs: tuple[str, ...], batch: int) -> NetGraph:
    blocks: tuple[str, ...] = ()
    no_blocks = ""
    try:
        blocks = find_trunk(model, outputs).tensors
    except ValueError as error:
        no_blocks = text_of(error)
    reading = _Reading(model, facts)
    named = reading.groups(blocks, outputs)
    of = {place: group for group, (_, _, places) in enumerate(named) for place in places}
    order = sorted(of)
    operations = tuple(reading.operation(place, of[place]) for place in order)
    new = {place: i for i, place in enumerate(order)}
    groups = tuple(OperationGroup(name, head, tuple(new[place] for place in places)) for name, head, places in named)
    shapes = {name: shape for name, shape in facts.shapes.items() if name in facts.moving}
    return NetGraph(operations, groups, shapes, inputs, tuple(outputs), batch, no_blocks)
