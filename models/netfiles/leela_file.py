"""Reads Leela Zero's weight files, text or gzip, and writes them as ONNX.

A weight file is lines of numbers: the version, four lines a convolution (weights, bias, mean, variance), and the heads'
dense layers (weights, bias).  The board's size follows from the policy's.

The net file takes ``planes`` float32 [N, 18, S, S]: eight boards of the mover's stones, newest first, eight of the
opponent's, ones when black is to move, ones when white is.  It gives ``policy`` float32 [N, S * S + 1], logits of the
points by rows, then of the pass, and ``value`` float32 [N] in [-1, 1], the mover's.  Letters: N batch, S board.
"""

import json
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Final

import numpy as np

from core.files.reading import BadFile
from models.netfiles.graph import GraphBuilder
from models.netfiles.weight_stream import Array, WeightStream, open_weights

ARCHITECTURE: Final = "Leela Zero"
ENCODING: Final = "leela-zero"
PLANES: Final = 18

_BLACK_TO_MOVE: Final = 16  # the plane; the next one is white's
_EPSILON: Final = 1e-5
_HEADS: Final = 14  # lines
_MOST_BLOCKS: Final = 256
_SIZES: Final = (2, 25)

Layer = tuple[Array, Array]  # weights, bias


@dataclass(frozen=True, slots=True)
class LeelaNet:
    """A net of Leela Zero, its batch normalisations folded into the convolutions.

    blacks_value: the value is black's (version 2), not the mover's.  start and blocks: weights [out, in, 3, 3];
    policy_conv and value_conv: [out, in, 1, 1]; dense layers: [in, out].
    """

    blacks_value: bool
    size: int
    start: Layer
    blocks: tuple[tuple[Layer, Layer], ...]
    policy_conv: Layer
    policy: Layer
    value_conv: Layer
    value_hidden: Layer
    value: Layer

    @property
    def version(self) -> int:
        return 2 if self.blacks_value else 1

    @property
    def channels(self) -> int:
        return len(self.start[1])


def read_leela(path: str | Path) -> LeelaNet:
    """Read a weight file of Leela Zero; ``BadNet`` when it is another file or damaged."""
    with open_weights(path) as stream, np.errstate(all="ignore"):
        return _net(stream)


def _net(stream: WeightStream) -> LeelaNet:
    version = stream.whole("its version", 1, 2)
    stream.line("line 1")
    lines: list[Array] = []
    while not stream.ended():
        lines.append(stream.line(f"line {len(lines) + 2}"))
        if len(lines) > 4 + 8 * _MOST_BLOCKS + _HEADS:
            raise BadFile(f"it has more than {_MOST_BLOCKS} blocks")
    if len(lines) < 4 + _HEADS or (len(lines) - 4 - _HEADS) % 8:
        raise BadFile(f"it has {len(lines) + 1} lines; 19 and 8 for each block are needed")
    convs = [_conv(lines, at, 3, PLANES if at == 0 else len(lines[1])) for at in range(0, len(lines) - _HEADS, 4)]
    at = len(lines) - _HEADS
    size = isqrt(max(0, len(lines[at + 5]) - 1))
    low, high = _SIZES
    if size * size + 1 != len(lines[at + 5]) or not low <= size <= high:
        raise BadFile(f"its policy has {len(lines[at + 5])} moves, which fits no board")
    channels = len(lines[1])
    policy_conv = _conv(lines, at, 1, channels)
    policy = _dense(lines, at + 4, len(policy_conv[1]) * size * size)
    value_conv = _conv(lines, at + 6, 1, channels)
    hidden = _dense(lines, at + 10, len(value_conv[1]) * size * size)
    value = _dense(lines, at + 12, len(hidden[1]))
    if len(value[1]) != 1 or any(len(bias) != channels for _, bias in convs):
        raise BadFile("its convolutions have different sizes, or it has several values")
    blocks = tuple(zip(convs[1::2], convs[2::2], strict=True))
    return LeelaNet(version == 2, size, convs[0], blocks, policy_conv, policy, value_conv, hidden, value)


def _conv(lines: list[Array], at: int, kernel: int, inputs: int) -> Layer:
    """The convolution in the four lines from ``at`` on, its normalisation folded."""
    weights, bias, mean, variance = lines[at : at + 4]
    outputs = len(bias)
    _need(at, weights, outputs * inputs * kernel * kernel)
    _need(at + 2, mean, outputs)
    _need(at + 3, variance, outputs)
    factor = 1.0 / np.sqrt(variance.astype(np.float64) + _EPSILON)
    folded = weights.reshape(outputs, inputs, kernel, kernel) * factor[:, None, None, None]
    layer = folded.astype(np.float32), ((bias - mean) * factor).astype(np.float32)
    if not all(np.isfinite(part).all() for part in layer):
        raise BadFile(f"line {at + 5} has a variance that is not above 0")
    return layer


def _dense(lines: list[Array], at: int, inputs: int) -> Layer:
    weights, bias = lines[at : at + 2]
    _need(at, weights, inputs * len(bias))
    return weights.reshape(len(bias), inputs).T, bias


def _need(at: int, line: Array, count: int) -> None:
    if not count or len(line) != count:
        raise BadFile(f"line {at + 2} has {len(line)} numbers; {count} are needed")


def leela_onnx(net: LeelaNet, source: str) -> bytes:
    """The contents of the net file; ``source`` is the name of the weight file."""
    graph = GraphBuilder()

    def conv(x: str, layer: Layer) -> str:
        return graph.conv(x, *layer)

    x = graph.op("Relu", conv("planes", net.start))
    for first, second in net.blocks:
        x = graph.op("Relu", graph.op("Add", conv(graph.op("Relu", conv(x, first)), second), x))
    graph.dense(graph.op("Flatten", graph.op("Relu", conv(x, net.policy_conv))), *net.policy, name="policy")
    hidden = graph.dense(graph.op("Flatten", graph.op("Relu", conv(x, net.value_conv))), *net.value_hidden)
    value = graph.op("Tanh", graph.dense(graph.op("Relu", hidden), *net.value))
    if net.blacks_value:
        c = graph.constant
        colours = graph.op("Slice", "planes", c(_BLACK_TO_MOVE, 0, 0), c(_BLACK_TO_MOVE + 2, 1, 1), c(1, 2, 3))
        sign = graph.dense(graph.op("Flatten", colours), np.array([[1.0], [-1.0]], np.float32))
        value = graph.op("Mul", value, sign)
    graph.op("Squeeze", value, graph.constant(1), name="value")
    config = {
        "architecture": ARCHITECTURE,
        "source": source,
        "version": net.version,
        "blocks": len(net.blocks),
        "channels": net.channels,
        "size": net.size,
    }
    return graph.file(
        {"planes": ["batch", PLANES, net.size, net.size]},
        {"policy": ["batch", net.size**2 + 1], "value": ["batch"]},
        {"encoding": ENCODING, "config": json.dumps(config)},
    )
