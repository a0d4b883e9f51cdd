"""Finds the residual blocks of an ONNX graph, and cuts the graph at their outputs.

A residual sum adds to a tensor, the skip, what is computed from it, the branch.  The trunk is the row of those through
which everything goes that the outputs have of the skip, and that lie in no other's branch: sums in the heads and within
a block do not count.  A block's output is what the next sum takes as its skip: the sum itself, or its activation.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, Final, NamedTuple

import onnx
from onnx import helper

from core.text import Text

_MOST_NODES: Final = 10_000  # of a graph that is searched
_MOST_SUMS: Final = 500  # residual ones, each of which is followed through the graph
_DEEPEST: Final = 16  # graphs within graphs
_SHAPES: Final = frozenset({"Shape", "Size"})  # give nothing of the numbers in a tensor
_SUMS: Final = frozenset({"Add", "Sum"})
_ACTIVATIONS: Final = frozenset(
    (
        *("Celu", "Clip", "Elu", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Mish", "PRelu", "Relu", "Selu"),
        *("Sigmoid", "Softplus", "Swish", "Tanh"),
    )
)
_AT_A_POINT: Final = _ACTIVATIONS | frozenset(
    (
        *("Abs", "Add", "BatchNormalization", "Cast", "DequantizeLinear", "Div", "Dropout", "Erf", "Exp", "Identity"),
        *("Log", "Max", "Min", "Mul", "Neg", "Pow", "QuantizeLinear", "Reciprocal", "Sqrt", "Sub", "Sum", "Where"),
    )
)
_CONVOLUTIONS: Final = {"Conv": 1, "ConvInteger": 1, "FusedConv": 1, "QLinearConv": 3}  # the place of the weights
_POOLS: Final = frozenset({"AveragePool", "MaxPool"})
_CHANNELS_MOVED: Final = ([0, 2, 3, 1], [0, 3, 1, 2])  # of Transpose


class Trunk(NamedTuple):
    """The outputs of the stem and of each block, in their order."""

    tensors: tuple[str, ...]
    radii: tuple[int | None, ...]
    """How many cells an effect can travel from each to the last; None: anywhere."""


class _Sum(NamedTuple):
    """A residual sum, by the numbers of tensors."""

    output: int
    skip: int
    branch: int


def find_trunk(model: Any, outputs: Sequence[str]) -> Trunk:
    """The trunk of an ``onnx.ModelProto`` for these of its outputs.  ``ValueError`` where there is none."""
    if len(model.graph.node) > _MOST_NODES:
        raise ValueError(
            Text(
                "it has {number} nodes; blocks are looked for in graphs of up to {most}",
                number=len(model.graph.node),
                most=_MOST_NODES,
            )
        )
    return _Search(model.graph, outputs).trunk()


class _Search:
    """The tensors that depend on the graph's inputs, numbered in the order in which they are computed; sets of them are
    bits of whole numbers."""

    def __init__(self, graph: Any, outputs: Sequence[str]) -> None:
        self._sizes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
        self._dequantized = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "DequantizeLinear"}
        self._numbers: dict[str, int] = {}
        self._above: list[int] = []  # of each tensor: those that it is computed from, and itself
        self._nodes: list[Any] = []  # that gives each tensor, None for an input of the graph
        self._sources: list[list[int]] = []
        for tensor in graph.input:
            if tensor.name not in self._sizes:
                self._number(tensor.name, None, [])
        for node in graph.node:
            sources = (
                [] if node.op_type in _SHAPES else [self._numbers[x] for x in taken_by(node) if x in self._numbers]
            )
            if sources:
                for name in filter(None, node.output):
                    self._number(name, node, sources)
        self._names = list(self._numbers)
        self._ends = [self._numbers[name] for name in outputs if name in self._numbers]

    def _number(self, name: str, node: Any, sources: list[int]) -> None:
        number = self._numbers[name] = len(self._above)
        above = 1 << number
        for source in sources:
            above |= self._above[source]
        self._above.append(above)
        self._nodes.append(node)
        self._sources.append(sources)

    def trunk(self) -> Trunk:
        sums = list(islice(self._residual_sums(), _MOST_SUMS + 1))
        if len(sums) > _MOST_SUMS:
            raise ValueError(Text("it has more than {most} residual sums", most=_MOST_SUMS))
        sums = self._outermost([part for part in sums if self._is_cut(part.skip, part.output)])
        if not sums:
            raise ValueError(Text("it has no residual blocks, which add something to what they are given"))
        return self._trunk_of([part for part in sums if self._is_cut(sums[0].skip, part.output)])

    def _residual_sums(self) -> Iterator[_Sum]:
        for number, node in enumerate(self._nodes):
            sources = self._sources[number]
            if node is None or node.op_type not in _SUMS or len(set(sources)) != 2 or len(sources) != 2:
                continue
            skip, branch = sorted(sources)  # what is computed from another comes after it
            if self._depends(branch, skip):
                yield _Sum(number, skip, branch)

    def _outermost(self, sums: list[_Sum]) -> list[_Sum]:
        """Those that lie in no other's branch."""
        inner = 0
        for part in sums:
            inner |= self._above[part.branch] & ~self._above[part.skip]
        return [part for part in sums if not inner >> part.output & 1]

    def _depends(self, tensor: int, on: int) -> bool:
        return bool(self._above[tensor] >> on & 1)

    def _is_cut(self, start: int, tensor: int) -> bool:
        """Whether every output depends on ``tensor``, and on ``start`` by it alone."""
        if not self._ends or not all(self._depends(end, tensor) for end in self._ends):
            return False
        reached = {start} - {tensor}
        for number in range(start + 1, len(self._above)):
            if number != tensor and any(source in reached for source in self._sources[number]):
                reached.add(number)
        return reached.isdisjoint(self._ends)

    def _between(self, start: int, end: int) -> list[str]:
        """The operators of the nodes by which ``end`` is computed from ``start``."""
        inner = range(start + 1, end + 1)
        return [self._nodes[i].op_type for i in inner if self._depends(end, i) and self._depends(i, start)]

    def _trunk_of(self, sums: list[_Sum]) -> Trunk:
        stem, last = sums[0].skip, sums[-1].output
        inner = [
            after.skip if self._depends(after.skip, part.output) and self._is_cut(stem, after.skip) else part.output
            for part, after in pairwise(sums)
        ]
        operators: list[str] = []
        if inner:
            operators = self._between(sums[-2].output, inner[-1])
        elif self._nodes[stem] is not None and self._nodes[stem].op_type in _ACTIVATIONS:
            operators = [self._nodes[stem].op_type]
        if operators:
            after = (i for i in range(last + 1, len(self._above)) if self._depends(i, last))
            fitting = (i for i in after if self._between(last, i) == operators and self._is_cut(stem, i))
            last = next(fitting, last)
        tensors = [stem, *inner, last]
        reach = self._reach(last)
        radii = tuple(None if math.isinf(reach[i]) else int(reach[i]) for i in tensors)
        return Trunk(tuple(self._names[i] for i in tensors), radii)

    def _reach(self, last: int) -> dict[int, float]:
        """How many cells an effect can travel from each tensor to ``last``, ``inf`` for anywhere."""
        reach = {last: 0.0}
        for number in range(last, -1, -1):
            if number in reach and self._nodes[number] is not None:
                far = reach[number] + self._radius(self._nodes[number])
                for source in self._sources[number]:
                    reach[source] = max(reach.get(source, 0.0), far)
        return reach

    def _radius(self, node: Any) -> float:
        """How many cells an effect travels in one node; ``inf`` unless it is known."""
        facts = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        if node.op_type in _AT_A_POINT:
            return 0.0
        if node.op_type in ("Concat", "Split"):
            return 0.0 if facts.get("axis") == 1 else math.inf
        if node.op_type == "Transpose":
            return 0.0 if facts.get("perm") in _CHANNELS_MOVED else math.inf
        kernel = list(facts.get("kernel_shape", ()))
        if node.op_type in _CONVOLUTIONS:
            weights = node.input[_CONVOLUTIONS[node.op_type]]
            kernel = kernel or list(self._sizes.get(self._dequantized.get(weights, weights), ()))[2:]
        elif node.op_type not in _POOLS:
            return math.inf
        if len(kernel) != 2 or any(step != 1 for step in facts.get("strides", ())):
            return math.inf
        extents = [step * (size - 1) for size, step in zip(kernel, facts.get("dilations", (1, 1)), strict=True)]
        pads = list(facts.get("pads", (0, 0, 0, 0)))[:2]
        if facts.get("auto_pad", b"NOTSET") in (b"SAME_UPPER", b"SAME_LOWER"):
            pads = [extent // 2 for extent in extents]
        return float(max(max(pad, extent - pad) for pad, extent in zip(pads, extents, strict=True)))


def taken_by(node: Any, depth: int = 0) -> Iterator[str]:
    """The tensors that a node takes, those of the graphs within it included."""
    yield from filter(None, node.input)
    if depth < _DEEPEST:
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                for inner in graph.node:
                    yield from taken_by(inner, depth + 1)


def with_outputs(model: Any, tensors: Sequence[str]) -> Any:
    """A copy of an ``onnx.ModelProto`` that also has these tensors as outputs, at the end."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    present = {output.name for output in copy.graph.output}
    copy.graph.output.extend(onnx.ValueInfoProto(name=name) for name in tensors if name not in present)
    return copy


def rest_of(model: Any, tensor: str, kind: int, outputs: Sequence[str]) -> Any:
    """The part of an ``onnx.ModelProto`` that computes ``outputs`` when ``tensor`` is given as an input.

    kind: its type, of ``onnx.TensorProto``.  The inputs that it still needs keep their names."""
    graph = model.graph
    wanted, nodes = set(outputs), []
    for node in reversed(graph.node):
        given = wanted.intersection(node.output) - {tensor}
        if given:
            nodes.append(node)
            wanted.update(taken_by(node))
    rest = onnx.ModelProto()
    rest.CopyFrom(model)
    for field in (rest.graph.node, rest.graph.initializer, rest.graph.input, rest.graph.output, rest.graph.value_info):
        del field[:]
    rest.graph.node.extend(nodes[::-1])
    rest.graph.initializer.extend(part for part in graph.initializer if part.name in wanted)
    rest.graph.input.extend(part for part in graph.input if part.name in wanted)
    rest.graph.input.append(helper.make_tensor_value_info(tensor, kind, None))
    rest.graph.output.extend(part for part in graph.output if part.name in outputs)
    return rest
