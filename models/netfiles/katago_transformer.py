"""Transformer blocks in KataGo's net files: what they hold and how they are read.

A token is a point of the board.  Letters: C channels of the trunk, H heads, K heads of keys and values, Q and V the
numbers of one head's query and value, F channels inside a feed-forward block.  Queries and keys are turned by angles
that grow with a token's column and row (rotary positions): of the pair p of a head's numbers, 2p and 2p + 1.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.checks import short
from core.files.reading import BadFile
from models.netfiles.katago_layers import LayerReader
from models.netfiles.weight_stream import Array

ATTENTION: Final = "transformer_attention_block"
FEED_FORWARD: Final = "transformer_ffn_block"

_MOST_HEADS: Final = 256
_LARGEST_HEAD: Final = 1024
_LEAST_EPSILON: Final = 1e-30


@dataclass(frozen=True, slots=True)
class RmsNorm:
    """x / sqrt(mean of x² over the channels of a token + ``epsilon``) * ``weights`` [C]."""

    weights: Array
    epsilon: float


@dataclass(frozen=True, slots=True)
class TipNorm:
    """An RMS norm at the end of the trunk, plus ``summand`` [C], and its activation.

    of_board: the mean is over the channels of all points of the board."""

    norm: RmsNorm
    summand: Array
    of_board: bool
    activation: str


@dataclass(frozen=True, slots=True)
class AttentionBlock:
    """x + attention(norm x) @ out; the heads of queries in their order share those of keys and values in equal groups.

    queries: [C, H * Q].  keys: [C, K * Q].  values: [C, K * V].  out: [H * V, C].  turns: radians per column and per
    row [K or 1, Q / 2, 2]; None where positions do not count.
    """

    norm: RmsNorm
    heads: int
    groups: int  # K
    queries: Array
    keys: Array
    values: Array
    out: Array
    turns: Array | None


@dataclass(frozen=True, slots=True)
class FeedForwardBlock:
    """x + (silu(y @ inner) * (y @ gate)) @ out, y = norm x; inner and gate [C, F], out [F, C]."""

    norm: RmsNorm
    inner: Array
    gate: Array
    out: Array


def read_attention(layers: LayerReader, channels: int) -> AttentionBlock:
    """Read a block after its kind."""
    stream = layers.stream
    name = short(stream.word())
    heads, groups = (stream.whole(f"the number of heads of {name}", 1, _MOST_HEADS) for _ in range(2))
    if heads % groups:
        raise BadFile(f"{name} has {heads} heads for {groups} of keys and values, which do not divide them")
    query, value = (stream.whole(f"the size of the heads of {name}", 1, _LARGEST_HEAD) for _ in range(2))
    turning, learned = (stream.whole(f"a mark of {name}", 0, 1) for _ in range(2))
    if turning and query % 2:
        raise BadFile(f"{name} turns queries of {query} numbers by pairs; an even number is needed")
    norm = _rms_norm(layers, channels)
    queries, keys = layers.dense(channels, heads * query), layers.dense(channels, groups * query)
    values, out = layers.dense(channels, groups * value), layers.dense(heads * value, channels)
    turns = None
    if turning:
        turns = _learned_turns(layers, groups, query // 2) if learned else _usual_turns(layers, query // 2)
    return AttentionBlock(norm, heads, groups, queries, keys, values, out, turns)


def _learned_turns(layers: LayerReader, groups: int, pairs: int) -> Array:
    name = short(layers.stream.word())
    for expected in (groups, pairs, 2):
        layers.size(f"a number of angles of {name}", expected)
    return layers.stream.numbers(name, groups * pairs * 2).reshape(groups, pairs, 2)


def _usual_turns(layers: LayerReader, pairs: int) -> Array:
    """Geometric frequencies: the first half of the pairs turns with the row, the second with the column."""
    name = short(layers.stream.word())
    theta = layers.stream.number(f"the base of the angles of {name}", 1e-6, 1e9)
    rows = pairs // 2
    p = np.concatenate((np.arange(rows), np.arange(pairs - rows)))
    turns = np.zeros((1, pairs, 2), np.float32)
    turns[0, np.arange(pairs), (np.arange(pairs) < rows).astype(int)] = theta ** (-2.0 * p / pairs)
    return turns


def read_feed_forward(layers: LayerReader, channels: int) -> FeedForwardBlock:
    """Read a block after its kind."""
    stream = layers.stream
    name = short(stream.word())
    layers.size(f"the number of channels of {name}", channels)
    inner = layers.size(f"the number of channels inside {name}")
    if not stream.whole(f"a mark of {name}", 0, 1):
        raise BadFile(f"{name} has no gate (SwiGLU), and its activation is not stated; such blocks are not supported")
    norm = _rms_norm(layers, channels)
    weights, gate = (layers.dense(channels, inner) for _ in range(2))
    return FeedForwardBlock(norm, weights, gate, layers.dense(inner, channels))


def read_tip_norm(layers: LayerReader, channels: int) -> TipNorm:
    """Read an RMS norm at the end of the trunk, with its activation."""
    stream = layers.stream
    name, epsilon = _norm_header(layers, channels)
    of_board = stream.whole(f"a mark of {name}", 0, 1) == 1
    if stream.whole(f"the groups of channels of {name}", 0, 9999):
        raise BadFile(f"{name} normalises groups of channels, which is not supported")
    weights, summand = (stream.numbers(name, channels) for _ in range(2))
    return TipNorm(RmsNorm(weights, epsilon), summand, of_board, layers.activation())


def _rms_norm(layers: LayerReader, channels: int) -> RmsNorm:
    name, epsilon = _norm_header(layers, channels)
    return RmsNorm(layers.stream.numbers(name, channels), epsilon)


def _norm_header(layers: LayerReader, channels: int) -> tuple[str, float]:
    """The name and the epsilon."""
    name = short(layers.stream.word())
    layers.size(f"the number of channels of {name}", channels)
    return name, layers.stream.number(f"the epsilon of {name}", _LEAST_EPSILON, 1.0)
