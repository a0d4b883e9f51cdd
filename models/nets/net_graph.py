"""Writes a :class:`PolicyValueNet` as ONNX, node by node.  Evaluates nothing; the export compares the file with torch.

Weights have the names they have in the net (with the batch normalisations folded).  Written by hand, as torch's own
exporter takes seconds for the smallest net and merges weights that are equal.
"""

from collections.abc import Mapping
from typing import Final

from models.netfiles.graph import GraphBuilder, Shape
from models.netfiles.net_file import FEATURES, OWNERSHIP, SCORE
from models.nets.net import KOMI_SCALE, LEAST_SPREAD, POINTS_SCALE, PolicyValueNet

OPSET: Final = 20


def net_onnx(net: PolicyValueNet, about: Mapping[str, str]) -> bytes:
    """The contents of the net file of a folded ``net`` on the processor, with metadata ``about`` it."""
    return _Writer(net).file(about)


class _Writer:
    """The graph of one net, in the order of ``PolicyValueNet.forward``, whose parts have the same names here."""

    def __init__(self, net: PolicyValueNet) -> None:
        self._net = net
        self._graph = GraphBuilder()
        self._arrays = {name: tensor.numpy() for name, tensor in net.state_dict().items()}

    def file(self, about: Mapping[str, str]) -> bytes:
        net = self._net
        tower = self._tower()
        self._policy(tower)
        self._values(self._relu(self._conv(tower, "value_conv.conv")))
        if self._arrays:
            raise ValueError(f"the exporter knows no {next(iter(self._arrays))}")
        planes, *board = net.input_shape
        moves: int | str = net.num_actions
        size: Shape = board
        if net.takes_any_size:
            moves, size = "moves", ["height", "width"]
        inputs: dict[str, Shape] = {"planes": ["batch", planes, *size]}
        outputs: dict[str, Shape] = {"policy": ["batch", moves], "value": ["batch"], "wdl": ["batch", 3]}
        if net.num_features:
            inputs[FEATURES] = ["batch", net.num_features]
            outputs |= {SCORE: ["batch", 2], OWNERSHIP: ["batch", *size]}
        return self._graph.file(inputs, outputs, about, OPSET)

    def _tower(self) -> str:
        x = self._conv("planes", "stem.conv")
        if self._net.num_features:
            x = self._graph.op("Add", x, self._at_each_point(self._dense(FEATURES, "feature_in")))
        x = self._relu(x)
        for i in range(len(self._net.blocks)):
            inner = self._relu(self._conv(x, f"blocks.{i}.first.conv"))
            x = self._relu(self._graph.op("Add", x, self._conv(inner, f"blocks.{i}.second.conv")))
        return x

    def _policy(self, tower: str) -> None:
        graph, cells = self._graph, self._conv(tower, "policy_conv.conv")
        if not self._net.pools:
            self._dense(graph.op("Flatten", self._relu(cells)), "policy_out", "policy")
            return
        board = self._pooled(self._relu(self._conv(tower, "policy_pool.conv")))
        mixed = graph.op("Add", cells, self._at_each_point(self._dense(board, "policy_mix")))
        logits = self._conv(self._relu(mixed), "policy_out")
        if self._net.policy_others is None:
            graph.op("Flatten", logits, name="policy")
        else:
            others = self._dense(board, "policy_others")
            graph.op("Concat", graph.op("Flatten", logits), others, axis=1, name="policy")

    def _values(self, values: str) -> None:
        graph = self._graph
        pooled_values = self._pooled(values) if self._net.pools else graph.op("Flatten", values)
        if not self._net.num_features:
            self._chances(self._relu(self._dense(pooled_values, "value_hidden")))
            return
        expected = graph.op("Tanh", self._conv(values, "ownership_out"))
        graph.op("Squeeze", expected, graph.constant(1), name=OWNERSHIP)
        stones = graph.op("ReduceSum", OWNERSHIP, graph.constant(1, 2), keepdims=0)
        komi = graph.op("Gather", FEATURES, graph.constant(0, scalar=True), axis=1)
        lead = graph.op("Add", stones, self._times(komi, KOMI_SCALE))
        lead = graph.op("Unsqueeze", lead, graph.constant(1))
        shown = graph.op("Div", lead, graph.constant(POINTS_SCALE, scalar=True))
        hidden = self._relu(self._dense(graph.op("Concat", pooled_values, shown, FEATURES, axis=1), "value_hidden"))
        self._chances(hidden)
        spread = self._times(graph.op("Softplus", self._dense(hidden, "spread_out")), POINTS_SCALE)
        spread = graph.op("Add", spread, graph.constant(LEAST_SPREAD, scalar=True))
        graph.op("Concat", lead, spread, axis=1, name=SCORE)

    def _chances(self, hidden: str) -> None:
        """Add the outputs ``wdl`` and ``value``."""
        graph = self._graph
        chances = graph.op("Softmax", self._dense(hidden, "wdl_out", "wdl"), axis=1)
        win, loss = (graph.op("Gather", chances, graph.constant(i, scalar=True), axis=1) for i in (0, 2))
        graph.op("Sub", win, loss, name="value")

    def _pooled(self, x: str) -> str:
        axes = self._graph.constant(2, 3)
        mean, highest = (self._graph.op(kind, x, axes, keepdims=0) for kind in ("ReduceMean", "ReduceMax"))
        return self._graph.op("Concat", mean, highest, axis=1)

    def _relu(self, x: str) -> str:
        return self._graph.op("Relu", x)

    def _times(self, x: str, factor: float) -> str:
        return self._graph.op("Mul", x, self._graph.constant(factor, scalar=True))

    def _at_each_point(self, x: str) -> str:
        """[B, C] as [B, C, 1, 1]."""
        return self._graph.op("Unsqueeze", x, self._graph.constant(2, 3))

    def _conv(self, x: str, layer: str) -> str:
        size = self._arrays[f"{layer}.weight"].shape[2:]
        pads = [side // 2 for side in size] * 2
        return self._graph.op("Conv", x, *self._weights(layer), kernel_shape=size, pads=pads)

    def _dense(self, x: str, layer: str, name: str | None = None) -> str:
        return self._graph.op("Gemm", x, *self._weights(layer), name=name, transB=1)

    def _weights(self, layer: str) -> list[str]:
        """Put a layer's weights into the graph; their names."""
        names = [f"{layer}.weight", f"{layer}.bias"]
        return [self._graph.weights(self._arrays.pop(name), name) for name in names]
