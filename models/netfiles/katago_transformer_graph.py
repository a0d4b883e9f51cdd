"""Writes the transformer blocks of KataGo's nets as nodes of an ONNX graph.

Between its transformer blocks a net holds a board as tokens [N, S, C], S = height * width by rows, so that dense layers
are products of one matrix and the channels of a token lie beside each other; blocks of convolutions take [N, C, H, W].
Points beyond the board are tokens that no other looks at.  Letters: N batch, and those of
:mod:`models.netfiles.katago_transformer`.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import numpy as np
from onnx import TensorProto

from models.netfiles.graph import GraphBuilder
from models.netfiles.katago_transformer import AttentionBlock, FeedForwardBlock, RmsNorm
from models.netfiles.weight_stream import Array

ATTENTION_WEIGHTS: Final = "attention_"
"""How the tensors begin that hold how much tokens look at others, [N, H, S, S] or in groups [N, K, H / K, S, S]."""

_NEVER: Final = 30000.0  # taken from the logarithm of a weight; within 16 bits


class TokenGraph:
    """Adds transformer blocks to ``graph``, whose input ``spatial`` is [N, planes, H, W]; ``off_board`` [N, 1, H, W] is
    a tensor of 0 on the board and -1 beyond."""

    def __init__(self, graph: GraphBuilder, spatial: str, off_board: str) -> None:
        self._graph, self._spatial, self._off_board = graph, spatial, off_board
        self._turns: dict[bytes, tuple[str, str]] = {}
        self._count = 0  # attention blocks so far

    def run(self, x: str, blocks: Iterable[AttentionBlock | FeedForwardBlock]) -> str:
        """The output of these blocks, one after the other; ``x`` and it are [N, C, H, W]."""
        graph = self._graph
        tokens = graph.op("Transpose", graph.op("Reshape", x, graph.constant(0, 0, -1)), perm=[0, 2, 1])
        for block in blocks:
            branch = self._attention if isinstance(block, AttentionBlock) else self._feed_forward
            tokens = graph.op("Add", tokens, branch(tokens, block))  # type: ignore[arg-type]
        shape = graph.op("Concat", graph.constant(0, 0), self._board_shape, axis=0)
        return graph.op("Reshape", graph.op("Transpose", tokens, perm=[0, 2, 1]), shape)

    def _attention(self, tokens: str, block: AttentionBlock) -> str:
        graph, c = self._graph, self._graph.constant
        heads, groups = block.heads, block.groups
        shared = heads // groups
        query, value = block.queries.shape[1] // heads, block.values.shape[1] // groups
        # All at once: parts of q, of k, then v.  The two numbers of a pair go to two parts: products of q and k stay.
        q, k = block.queries / np.float32(np.sqrt(query)), block.keys
        if block.turns is not None:
            q, k = _by_parts(q, heads), _by_parts(k, groups)
        parts = 1 if block.turns is None else 2
        sizes = [heads * query // parts] * parts + [groups * query // parts] * parts + [groups * value]
        weights = graph.weights(np.concatenate((q, k, block.values), axis=1))
        *q_parts, v = graph.split(graph.op("MatMul", self._normed(tokens, block.norm), weights), sizes)
        k_parts = q_parts[parts:]
        grouped = (groups, shared) if shared > 1 else (heads,)
        q_parts = [graph.op("Reshape", part, c(0, -1, *grouped, query // parts)) for part in q_parts[:parts]]
        k_parts = [graph.op("Reshape", part, c(0, -1, groups, query // parts)) for part in k_parts]
        v = graph.op("Reshape", v, c(0, -1, *((groups, 1) if shared > 1 else (groups,)), value))
        if block.turns is not None:
            cos, sin = self._angles(block.turns)
            k_parts = [self._turned(k_parts, cos, sin)]
            if shared > 1:
                cos, sin = (graph.op("Unsqueeze", angles, c(3)) for angles in (cos, sin))
            q_parts = [self._turned(q_parts, cos, sin)]
        off_board = graph.op("Mul", graph.op("Reshape", self._off_board, c(0, 1, 1, -1)), c(_NEVER, scalar=True))
        by_head = [0, 2, 1, 3]
        k_turned = graph.op("Transpose", k_parts[0], perm=[0, 2, 3, 1])
        if shared > 1:
            by_head = [0, 2, 3, 1, 4]
            k_turned, off_board = graph.op("Unsqueeze", k_turned, c(2)), graph.op("Unsqueeze", off_board, c(1))
        scores = graph.op("MatMul", graph.op("Transpose", q_parts[0], perm=by_head), k_turned)
        self._count += 1
        looks = graph.op(
            "Softmax", graph.op("Add", scores, off_board), axis=-1, name=f"{ATTENTION_WEIGHTS}{self._count}"
        )
        seen = graph.op("MatMul", looks, graph.op("Transpose", v, perm=by_head))
        back = graph.op("Transpose", seen, perm=[0, 2, 1, 3] if shared == 1 else [0, 3, 1, 2, 4])
        return graph.op("MatMul", graph.op("Reshape", back, c(0, -1, heads * value)), graph.weights(block.out))

    def _feed_forward(self, tokens: str, block: FeedForwardBlock) -> str:
        graph = self._graph
        x = self._normed(tokens, block.norm)
        inner, gate = (graph.op("MatMul", x, graph.weights(weights)) for weights in (block.inner, block.gate))
        inner = graph.op("Mul", inner, graph.op("Sigmoid", inner))
        return graph.op("MatMul", graph.op("Mul", inner, gate), graph.weights(block.out))

    def _normed(self, tokens: str, norm: RmsNorm) -> str:
        """The norm over the last axis, in the nodes that onnxruntime makes one of."""
        graph = self._graph
        mean = graph.op("ReduceMean", graph.op("Pow", tokens, graph.constant(2.0, scalar=True)), axes=[-1], keepdims=1)
        root = graph.op("Sqrt", graph.op("Add", mean, graph.constant(norm.epsilon, scalar=True)))
        return graph.op("Mul", graph.op("Div", tokens, root), graph.weights(norm.weights))

    def _turned(self, parts: list[str], cos: str, sin: str) -> str:
        """Both parts of pairs turned by angles, one part after the other."""
        first, second = parts
        op = self._graph.op
        x = op("Sub", op("Mul", first, cos), op("Mul", second, sin))
        y = op("Add", op("Mul", first, sin), op("Mul", second, cos))
        return op("Concat", x, y, axis=-1)

    def _angles(self, turns: Array) -> tuple[str, str]:
        """Cosine and sine [1, S, K or 1, Q / 2] of each token's angles; ``turns`` as in an attention block."""
        key = turns.tobytes()
        if key not in self._turns:
            graph, c = self._graph, self._graph.constant
            columns, rows = self._positions
            groups, pairs, _ = turns.shape
            by_column, by_row = (
                graph.op("Mul", at, graph.weights(turns[..., axis].ravel())) for axis, at in ((0, columns), (1, rows))
            )
            angles = graph.op("Reshape", graph.op("Add", by_column, by_row), c(1, -1, groups, pairs))
            self._turns[key] = graph.op("Cos", angles), graph.op("Sin", angles)
        return self._turns[key]

    @cached_property
    def _board_shape(self) -> str:
        c = self._graph.constant
        return self._graph.op("Slice", self._graph.op("Shape", self._spatial), c(2), c(4))

    @cached_property
    def _positions(self) -> tuple[str, str]:
        """The numbers of the columns [1, W, 1] and of the rows [H, 1, 1]."""
        graph, c = self._graph, self._graph.constant
        found = []
        for axis, shape in ((1, (1, -1, 1)), (0, (-1, 1, 1))):
            size = graph.op("Gather", self._board_shape, c(axis, scalar=True))
            numbers = graph.op("Range", c(0, scalar=True), size, c(1, scalar=True))
            found.append(graph.op("Reshape", graph.op("Cast", numbers, to=TensorProto.FLOAT), c(*shape)))
        return found[0], found[1]


def _by_parts(weights: Array, heads: int) -> Array:
    """[C, heads * Q] with the first numbers of all pairs of all heads before the second ones."""
    size = len(weights)
    return weights.reshape(size, heads, -1, 2).transpose(0, 3, 1, 2).reshape(size, -1)
