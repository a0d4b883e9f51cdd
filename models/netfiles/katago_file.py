"""Reads KataGo's net files, ``.bin.gz`` and ``.txt.gz``, into a description.

Model versions 8 to 17, which take the planes that KataGo calls V7.  Files are untrusted: every size is limited and
every fault is a ``BadNet``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.checks import short
from core.files.reading import BadFile
from models.netfiles.katago_layers import MOST_CHANNELS, Conv, LayerReader, Norm
from models.netfiles.katago_metadata import MetadataEncoder, read_encoder
from models.netfiles.katago_transformer import (
    ATTENTION,
    FEED_FORWARD,
    AttentionBlock,
    FeedForwardBlock,
    TipNorm,
    read_attention,
    read_feed_forward,
    read_tip_norm,
)
from models.netfiles.weight_stream import Array, WeightStream, open_weights

PLANES: Final = 22
GLOBALS: Final = 19
VERSIONS: Final = (8, 17)

_MOST_BLOCKS: Final = 1024
_DEEPEST: Final = 4  # blocks inside blocks
_USUAL_SCALING: Final = (20.0, 20.0, 20.0, 40.0, 0.25, 30.0)  # of nets whose files do not state it, as below version 13


@dataclass(frozen=True, slots=True)
class OrdinaryBlock:
    """x + conv2(norm2(conv1(norm1 x)))."""

    norm1: Norm
    conv1: Conv
    norm2: Norm
    conv2: Conv


@dataclass(frozen=True, slots=True)
class PoolingBlock:
    """An ordinary block to whose first convolution the pooled output of another is added."""

    norm1: Norm
    conv1: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_dense: Array  # [3 * pooled channels, channels of conv1]
    norm2: Norm
    conv2: Conv


@dataclass(frozen=True, slots=True)
class NestedBlock:
    """x + conv2(norm2(blocks(conv1(norm1 x))))."""

    norm1: Norm
    conv1: Conv
    blocks: "tuple[Block, ...]"
    norm2: Norm
    conv2: Conv


Block = OrdinaryBlock | PoolingBlock | NestedBlock | AttentionBlock | FeedForwardBlock


@dataclass(frozen=True, slots=True)
class PolicyHead:
    """The layers from the trunk to the policy; from version 15 on the pass has a hidden layer."""

    conv: Conv
    pool_conv: Conv
    pool_norm: Norm
    pool_dense: Array
    norm: Norm
    out_conv: Conv  # to 1, 2 or 4 channels
    pass_dense: Array
    pass_hidden: tuple[Array, str, Array] | None  # bias, activation, weights


@dataclass(frozen=True, slots=True)
class ValueHead:
    """The layers from the trunk to win, loss and no result, the scores and the ownership; (weights, bias) each."""

    conv: Conv
    norm: Norm
    hidden: tuple[Array, Array]
    activation: str
    value: tuple[Array, Array]
    scores: tuple[Array, Array]
    ownership: Conv


@dataclass(frozen=True, slots=True)
class Scaling:
    """The model version and the multipliers by which a net's outputs become points, probabilities and moves."""

    version: int
    score_mean: float
    score_stdev: float
    lead: float
    var_time: float
    short_value: float
    short_score: float


@dataclass(frozen=True, slots=True)
class KataNet:
    """A net as its file describes it.

    suicide_regions: planes 18 and 19 count regions as they do where suicide is legal, under any rules.  metadata: of a
    net that imitates players by rank or year (human SL); else None.
    """

    name: str
    scaling: Scaling
    suicide_regions: bool
    start: Conv
    start_dense: Array  # [19, channels]
    metadata: MetadataEncoder | None
    blocks: tuple[Block, ...]
    tip: Norm | TipNorm
    policy: PolicyHead
    value: ValueHead

    @property
    def channels(self) -> int:
        return self.start.outputs


def read_katago(path: str | Path) -> KataNet:
    """Read a net file of KataGo; ``BadNet`` when it is another file, damaged, or of a kind not known here."""
    with open_weights(path) as stream, np.errstate(all="ignore"):
        return _Reader(stream).net()


class _Reader:
    """Reads a net in the order in which it is written."""

    def __init__(self, stream: WeightStream) -> None:
        self._stream = stream
        self._layers = LayerReader(stream, 0)
        self._blocks = 0  # read so far, those inside others included

    def net(self) -> KataNet:
        stream, layers = self._stream, self._layers
        name = stream.word()
        scaling = self._header()
        human, suicide_regions = False, False
        if scaling.version >= 15:
            human = stream.whole("the kind of its metadata encoder", 0, 1) == 1
            suicide_regions = stream.whole("its mark of suicide in areas", 0, 1) == 1
            layers.zeros(6)
        stream.word()  # the trunk's name
        count = stream.whole("the number of blocks", 1, _MOST_BLOCKS)
        channels = stream.whole("the number of channels", 1, MOST_CHANNELS)
        for _ in range(4):  # of the channels in its blocks, which their layers tell too
            stream.whole("the number of channels", 0, MOST_CHANNELS)
        rms = False
        if scaling.version >= 15:
            rms = stream.whole("the kind of the last norm", 0, 1) == 1
            layers.zeros(5)
        start = layers.conv(PLANES, channels)
        start_dense = layers.dense(GLOBALS, channels)
        metadata = read_encoder(layers, channels) if human else None
        blocks = self._block_list(count, channels, 1)
        tip = read_tip_norm(layers, channels) if rms else layers.norm(channels)
        policy = self._policy(channels)
        value = self._value(channels)
        if not stream.ended():
            raise BadFile(f"it goes on after its last layer with {short(stream.word())}")
        return KataNet(name, scaling, suicide_regions, start, start_dense, metadata, blocks, tip, policy, value)

    def _header(self) -> Scaling:
        """Read the version, the sizes of the inputs and the multipliers of the outputs."""
        stream = self._stream
        version = stream.whole("its model version", 0, 999)
        low, high = VERSIONS
        if not low <= version <= high:
            why = "it takes other inputs" if version < low else "it may have other layers"
            raise BadFile(f"its model version is {version}: {why}; {low} to {high} are supported")
        self._layers.version = version
        for what, expected in (("planes", PLANES), ("global inputs", GLOBALS)):
            count = stream.whole(f"the number of its {what}", 0, 9999)
            if count != expected:
                raise BadFile(f"it takes {count} {what}; {expected} are supported")
        scalings: Sequence[float] = _USUAL_SCALING
        if version >= 13:
            scalings = [stream.number("a multiplier of its outputs", 1e-6, 1e6) for _ in range(7)][1:]
        return Scaling(version, *scalings)

    def _block_list(self, count: int, channels: int, depth: int) -> tuple[Block, ...]:
        self._blocks += count
        if self._blocks > _MOST_BLOCKS or depth > _DEEPEST:
            raise BadFile(f"it has more than {_MOST_BLOCKS} blocks, or more than {_DEEPEST} inside each other")
        return tuple(self._block(channels, depth) for _ in range(count))

    def _block(self, channels: int, depth: int) -> Block:
        layers = self._layers
        kind = self._stream.word()
        if kind == ATTENTION:
            return read_attention(layers, channels)
        if kind == FEED_FORWARD:
            return read_feed_forward(layers, channels)
        if kind not in ("ordinary_block", "gpool_block", "nested_bottleneck_block"):
            raise BadFile(f"it has {short(kind)} where a block should begin")
        self._stream.word()  # its name
        inner = self._stream.whole("the number of blocks", 1, _MOST_BLOCKS) if kind.startswith("nested") else 0
        norm1 = layers.norm(channels)
        conv1 = layers.conv(channels)
        middle = conv1.outputs
        if kind == "gpool_block":
            pool_conv = layers.conv(channels)
            pool_norm = layers.norm(pool_conv.outputs)
            dense = layers.dense(3 * pool_conv.outputs, middle)
            return PoolingBlock(
                norm1, conv1, pool_conv, pool_norm, dense, layers.norm(middle), layers.conv(middle, channels)
            )
        if kind == "ordinary_block":
            return OrdinaryBlock(norm1, conv1, layers.norm(middle), layers.conv(middle, channels))
        blocks = self._block_list(inner, middle, depth + 1)
        return NestedBlock(norm1, conv1, blocks, layers.norm(middle), layers.conv(middle, channels))

    def _policy(self, channels: int) -> PolicyHead:
        layers = self._layers
        stated = self._head()
        conv, pool_conv = layers.conv(channels), layers.conv(channels)
        pool_norm = layers.norm(pool_conv.outputs)
        pooled = 3 * pool_conv.outputs
        dense = layers.dense(pooled, conv.outputs)
        norm = layers.norm(conv.outputs)
        out_conv = layers.conv(conv.outputs, stated)
        count, version = out_conv.outputs, layers.version
        allowed = (1,) if version <= 11 else (2,) if version <= 15 else (2, 4)
        if count not in allowed:
            raise BadFile(f"its policy has {count} channels, which its model version does not have")
        if version < 15:
            return PolicyHead(conv, pool_conv, pool_norm, dense, norm, out_conv, layers.dense(pooled, count), None)
        pass_dense = layers.dense(pooled)
        hidden = pass_dense.shape[1]
        then = (layers.bias(hidden), layers.activation(), layers.dense(hidden, count))
        return PolicyHead(conv, pool_conv, pool_norm, dense, norm, out_conv, pass_dense, then)

    def _value(self, channels: int) -> ValueHead:
        layers = self._layers
        self._head(stated=False)
        conv = layers.conv(channels)
        norm = layers.norm(conv.outputs)
        weights = layers.dense(3 * conv.outputs)
        hidden = weights, layers.bias(weights.shape[1])
        activation = layers.activation()
        value = layers.dense(weights.shape[1], 3), layers.bias(3)
        count = 4 if layers.version == 8 else 6
        scores = layers.dense(weights.shape[1], count), layers.bias(count)
        return ValueHead(conv, norm, hidden, activation, value, scores, layers.conv(conv.outputs, 1))

    def _head(self, *, stated: bool = True) -> int | None:
        """Read what stands before a head's layers; ``stated``: from version 17 on the number of its channels."""
        self._stream.word()  # its name
        if self._layers.version < 17:
            return None
        count = self._stream.whole("the number of channels of the policy", 1, MOST_CHANNELS) if stated else None
        self._layers.zeros(3)
        return count
