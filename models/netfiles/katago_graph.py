"""Writes a net of KataGo as ONNX, for boards of any size.

Inputs, float32: ``spatial`` [N, 22, H, W] and ``global`` [N, 19], which KataGo calls V7.  A board smaller than H x W
lies in the top left corner, and plane 0 marks its points.  Outputs, float32, all for the side to move and as the last
layers give them (:mod:`models.netfiles.katago_answers` makes probabilities and points of them):

- ``policy`` [N, P, H * W + 1]: logits of the points by rows, then of the pass.  P is 1, or 2: plain and optimistic.
- ``value`` [N, 3]: logits of win, loss and no result.
- ``miscvalue`` [N, 4 or 6]: mean, spread and lead in points, moves left; from version 9 on two short-term errors.
- ``ownership`` [N, H, W].

A net that imitates players has a third input, ``meta`` [N, 192] (:mod:`models.netfiles.katago_metadata`).

Batch normalisations are folded into the convolutions before them.  Letters: N batch, H W board, C channels.
"""

import json
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

import numpy as np

from models.netfiles.graph import GraphBuilder
from models.netfiles.katago_file import (
    GLOBALS,
    PLANES,
    Block,
    KataNet,
    NestedBlock,
    OrdinaryBlock,
    PolicyHead,
    PoolingBlock,
    ValueHead,
)
from models.netfiles.katago_layers import Conv, Norm
from models.netfiles.katago_metadata import HUMAN_ENCODING, INPUTS, MetadataEncoder
from models.netfiles.katago_transformer import AttentionBlock, FeedForwardBlock, TipNorm
from models.netfiles.katago_transformer_graph import TokenGraph
from models.netfiles.weight_stream import Array

ENCODING: Final = "katago-v7"
ARCHITECTURE: Final = "KataGo"


def katago_onnx(net: KataNet) -> bytes:
    """The contents of the net file."""
    with np.errstate(over="ignore"):  # folded weights that are not finite give answers that are not
        return _Writer(net).file()


def about_net(net: KataNet) -> dict[str, Any]:
    """What the metadata say of a net beyond its encoding: ``plyscope.config``."""
    return {
        "architecture": ARCHITECTURE,
        "source": net.name,
        "blocks": len(net.blocks),
        "channels": net.channels,
        "suicide_regions": net.suicide_regions,
        "scaling": asdict(net.scaling),
    }


class _Writer:
    """The graph of one net; ``mask`` [N, 1, H, W] is 1 on the board, ``area`` [N, 1] counts its points."""

    def __init__(self, net: KataNet) -> None:
        self._net = net
        self._graph = graph = GraphBuilder()
        c = graph.constant
        self._mask = graph.op("Slice", "spatial", c(0), c(1), c(1))
        self._off_board = graph.op("Sub", self._mask, c(1.0, scalar=True))  # 0 on the board, -1 beyond
        self._area = graph.op("Flatten", graph.op("ReduceSum", self._mask, c(2, 3)))
        size = graph.op("Sub", graph.op("Sqrt", self._area), c(14.0, scalar=True))
        self._size = graph.op("Div", size, c(10.0, scalar=True))  # (the board's side - 14) / 10
        self._tokens = TokenGraph(graph, "spatial", self._off_board)

    def file(self) -> bytes:
        net, graph = self._net, self._graph
        inputs: dict[str, list[int | str]] = {
            "spatial": ["batch", PLANES, "height", "width"],
            "global": ["batch", GLOBALS],
        }
        everywhere = graph.dense("global", net.start_dense)
        if net.metadata is not None:
            inputs["meta"] = ["batch", INPUTS]
            everywhere = graph.op("Add", everywhere, self._encoded(net.metadata))
        x = graph.op("Add", self._conv("spatial", net.start), self._on_board(everywhere))
        x = self._blocks(x, net.blocks)
        tip = self._tip(x, net.tip) if isinstance(net.tip, TipNorm) else self._activated(x, net.tip)
        channels = self._policy(tip, net.policy)
        scores = self._value(tip, net.value)
        return graph.file(
            inputs,
            {
                "policy": ["batch", channels, "moves"],
                "value": ["batch", 3],
                "miscvalue": ["batch", scores],
                "ownership": ["batch", "height", "width"],
            },
            {"encoding": ENCODING if net.metadata is None else HUMAN_ENCODING, "config": json.dumps(about_net(net))},
        )

    def _encoded(self, encoder: MetadataEncoder) -> str:
        """What the players add to every point [N, C]."""
        graph = self._graph
        x = self._act(graph.dense("meta", encoder.hidden1, encoder.bias1), encoder.activation1)
        x = self._act(graph.dense(x, encoder.hidden2, encoder.bias2), encoder.activation2)
        return graph.dense(x, encoder.out)

    def _blocks(self, x: str, blocks: tuple[Block, ...]) -> str:
        for _, row in groupby(blocks, lambda block: isinstance(block, AttentionBlock | FeedForwardBlock)):
            transformers: list[AttentionBlock | FeedForwardBlock] = []
            for block in row:
                if isinstance(block, AttentionBlock | FeedForwardBlock):
                    transformers.append(block)
                else:
                    x = self._graph.op("Add", x, self._branch(x, block))
            x = self._tokens.run(x, transformers) if transformers else x
        return x

    def _branch(self, x: str, block: OrdinaryBlock | PoolingBlock | NestedBlock) -> str:
        """What a block of convolutions adds to its input."""
        x = self._activated(x, block.norm1)
        if isinstance(block, NestedBlock):
            y = self._activated(self._blocks(self._conv(x, block.conv1), block.blocks), block.norm2)
        elif isinstance(block, OrdinaryBlock):
            y = self._folded(x, block.conv1, block.norm2)
        else:
            y = self._folded(x, block.conv1, block.norm2, self._pooled(x, block), block.pool_dense)
        return self._conv(y, block.conv2)

    def _pooled(self, x: str, part: PoolingBlock | PolicyHead) -> str:
        """The mean, the mean by the board's size and the maximum of each channel [N, 3C]."""
        graph = self._graph
        x = self._folded(x, part.pool_conv, part.pool_norm)
        mean = self._mean(x)
        highest = graph.op("ReduceMax", graph.op("Add", x, self._off_board), axes=[2, 3], keepdims=0)
        return graph.op("Concat", mean, graph.op("Mul", mean, self._size), highest, axis=1)

    def _mean(self, x: str) -> str:
        """The mean over the board [N, C] of a tensor that is 0 beyond it."""
        graph = self._graph
        return graph.op("Div", graph.op("ReduceSum", x, graph.constant(2, 3), keepdims=0), self._area)

    def _policy(self, tip: str, head: PolicyHead) -> int:
        """Add the output ``policy``; the number of its channels."""
        graph = self._graph
        pooled = self._pooled(tip, head)
        x = self._folded(tip, head.conv, head.norm, pooled, head.pool_dense)
        count = min(2, head.out_conv.outputs)  # the others are values of moves
        points = self._conv(x, Conv(head.out_conv.weights[:count], head.out_conv.dilation))
        if head.pass_hidden is None:
            passing = graph.dense(pooled, head.pass_dense[:, :count])
        else:
            bias, activation, weights = head.pass_hidden
            hidden = self._act(graph.dense(pooled, head.pass_dense, bias), activation)
            passing = graph.dense(hidden, weights[:, :count])
        flat = graph.op("Reshape", points, graph.constant(0, count, -1))
        graph.op("Concat", flat, graph.op("Unsqueeze", passing, graph.constant(2)), axis=2, name="policy")
        return count

    def _value(self, tip: str, head: ValueHead) -> int:
        """Add the other outputs; the number of scores."""
        graph = self._graph
        x = self._folded(tip, head.conv, head.norm)
        mean = self._mean(x)
        square = graph.op("Sub", graph.op("Mul", self._size, self._size), graph.constant(0.1, scalar=True))
        pooled = graph.op("Concat", mean, graph.op("Mul", mean, self._size), graph.op("Mul", mean, square), axis=1)
        hidden = self._act(graph.dense(pooled, *head.hidden), head.activation)
        graph.dense(hidden, *head.value, name="value")
        graph.dense(hidden, *head.scores, name="miscvalue")
        graph.op("Squeeze", self._conv(x, head.ownership), graph.constant(1), name="ownership")
        return len(head.scores[1])

    def _conv(self, x: str, conv: Conv) -> str:
        return self._graph.conv(x, conv.weights, dilation=conv.dilation)

    def _folded(self, x: str, conv: Conv, norm: Norm, pooled: str = "", dense: Array | None = None) -> str:
        """A convolution, plus a dense layer of ``pooled`` at every point if given, then the norm and its activation."""
        graph = self._graph
        weights = conv.weights * norm.factor[:, None, None, None]
        y = graph.conv(x, weights, norm.summand, conv.dilation)
        if dense is not None:
            y = graph.op("Add", y, self._on_board(graph.dense(pooled, dense * norm.factor)))
        return self._masked(self._act(y, norm.activation))

    def _activated(self, x: str, norm: Norm) -> str:
        """A norm that follows a sum, and its activation."""
        graph = self._graph
        factor, summand = (graph.weights(part[:, None, None]) for part in (norm.factor, norm.summand))
        return self._masked(self._act(graph.op("Add", graph.op("Mul", x, factor), summand), norm.activation))

    def _tip(self, x: str, tip: TipNorm) -> str:
        """An RMS norm at the end of the trunk, and its activation."""
        graph, norm = self._graph, tip.norm
        square = graph.op("Mul", x, x)
        if tip.of_board:
            total = graph.op("ReduceSum", self._masked(square), graph.constant(1, 2, 3))
            numbers = graph.op("Mul", self._on_board(self._area), graph.constant(float(len(norm.weights)), scalar=True))
            mean = graph.op("Div", total, numbers)
        else:
            mean = graph.op("ReduceMean", square, axes=[1])
        root = graph.op("Sqrt", graph.op("Add", mean, graph.constant(norm.epsilon, scalar=True)))
        weights, summand = (graph.weights(part[:, None, None]) for part in (norm.weights, tip.summand))
        y = graph.op("Add", graph.op("Mul", graph.op("Div", x, root), weights), summand)
        return self._masked(self._act(y, tip.activation))

    def _masked(self, x: str) -> str:
        return self._graph.op("Mul", x, self._mask)

    def _on_board(self, x: str) -> str:
        """[N, C] as [N, C, 1, 1]."""
        return self._graph.op("Unsqueeze", x, self._graph.constant(2, 3))

    def _act(self, x: str, activation: str) -> str:
        graph = self._graph
        if activation == "relu":
            return graph.op("Relu", x)
        if activation == "silu":
            return graph.op("Mul", x, graph.op("Sigmoid", x))
        if activation == "mish":
            # tanh(softplus x) = u / (2 - u) where u = t (2 - t), t = sigmoid x: nearly half of a net's time less
            two = graph.constant(2.0, scalar=True)
            t = graph.op("Sigmoid", x)
            u = graph.op("Mul", t, graph.op("Sub", two, t))
            return graph.op("Mul", x, graph.op("Div", u, graph.op("Sub", two, u)))
        return x
