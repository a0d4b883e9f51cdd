"""Reads KataGo's net files, ``.bin.gz`` and ``.txt.gz``, into a description.

Model versions 8 to 16, which take the planes that KataGo calls V7.  A batch normalisation is kept as a factor and a
summand per channel.  Files are untrusted: every size is limited and every fault is a ``BadNet``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.checks import short
from core.files.reading import BadFile
from models.netfiles.weight_stream import Array, WeightStream, open_weights

PLANES: Final = 22
GLOBALS: Final = 19
VERSIONS: Final = (8, 16)
ACTIVATIONS: Final = ("relu", "mish", "silu", "identity")

_MOST_CHANNELS: Final = 4096
_MOST_BLOCKS: Final = 1024
_DEEPEST: Final = 4  # blocks inside blocks
_LARGEST_KERNEL: Final = 19
_USUAL_SCALING: Final = (20.0, 20.0, 20.0, 40.0, 0.25, 30.0)  # of nets whose files do not state it, as below version 13


@dataclass(frozen=True, slots=True)
class Conv:
    """A convolution without bias, same size, zeros beyond the edge; weights [out, in, height, width]."""

    weights: Array
    dilation: tuple[int, int]

    @property
    def outputs(self) -> int:
        return len(self.weights)


@dataclass(frozen=True, slots=True)
class Norm:
    """A batch normalisation as ``factor`` * x + ``summand``, each [channels], with the activation that follows."""

    factor: Array
    summand: Array
    activation: str  # one of ACTIVATIONS


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


Block = OrdinaryBlock | PoolingBlock | NestedBlock


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

    suicide_regions: planes 18 and 19 count regions as they do where suicide is legal, under any rules.
    """

    name: str
    scaling: Scaling
    suicide_regions: bool
    start: Conv
    start_dense: Array  # [19, channels]
    blocks: tuple[Block, ...]
    tip: Norm
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
    """Reads the layers of a net in the order in which they are written."""

    def __init__(self, stream: WeightStream) -> None:
        self._stream = stream
        self._version = 0
        self._blocks = 0  # read so far, those inside others included

    def net(self) -> KataNet:
        stream = self._stream
        name = stream.word()
        scaling, suicide_regions = self._header()
        stream.word()  # the trunk's name
        count = stream.whole("the number of blocks", 1, _MOST_BLOCKS)
        channels = stream.whole("the number of channels", 1, _MOST_CHANNELS)
        for _ in range(4):  # of the channels in its blocks, which their layers tell too
            stream.whole("the number of channels", 0, _MOST_CHANNELS)
        if self._version >= 15:
            if stream.whole("the kind of the last norm", 0, 99):
                raise BadFile(
                    "its trunk ends in another norm than batch normalisation (RMSNorm), which is not supported"
                )
            self._zeros(5)
        start = self._conv(PLANES, channels)
        start_dense = self._dense(GLOBALS, channels)
        blocks = self._block_list(count, channels, 1)
        tip = self._norm(channels)
        policy = self._policy(channels)
        value = self._value(channels)
        if not stream.ended():
            raise BadFile(f"it goes on after its last layer with {short(stream.word())}")
        return KataNet(name, scaling, suicide_regions, start, start_dense, blocks, tip, policy, value)

    def _header(self) -> tuple[Scaling, bool]:
        """Read what stands before the trunk."""
        stream = self._stream
        self._version = version = stream.whole("its model version", 0, 999)
        low, high = VERSIONS
        if not low <= version <= high:
            why = "it takes other inputs" if version < low else "it may have other layers (transformers)"
            raise BadFile(f"its model version is {version}: {why}; {low} to {high} are supported")
        for what, expected in (("planes", PLANES), ("global inputs", GLOBALS)):
            count = stream.whole(f"the number of its {what}", 0, 9999)
            if count != expected:
                raise BadFile(f"it takes {count} {what}; {expected} are supported")
        scalings: Sequence[float] = _USUAL_SCALING
        if version >= 13:
            scalings = [stream.number("a multiplier of its outputs", 1e-6, 1e6) for _ in range(7)][1:]
        suicide_regions = False
        if version >= 15:
            if stream.whole("the kind of its metadata encoder", 0, 99):
                raise BadFile(
                    "it imitates players by their rank (human SL), for which it needs inputs that are not supported"
                )
            suicide_regions = stream.whole("its mark of suicide in areas", 0, 1) == 1
            self._zeros(6)
        return Scaling(version, *scalings), suicide_regions

    def _zeros(self, count: int) -> None:
        """Read numbers that are reserved for later kinds of nets."""
        for _ in range(count):
            if self._stream.word() != "0":
                raise BadFile("it uses a feature that is not known here: a reserved number is not 0")

    def _block_list(self, count: int, channels: int, depth: int) -> tuple[Block, ...]:
        self._blocks += count
        if self._blocks > _MOST_BLOCKS or depth > _DEEPEST:
            raise BadFile(f"it has more than {_MOST_BLOCKS} blocks, or more than {_DEEPEST} inside each other")
        return tuple(self._block(channels, depth) for _ in range(count))

    def _block(self, channels: int, depth: int) -> Block:
        kind = self._stream.word()
        if kind.startswith("transformer"):
            raise BadFile(f"it has a {short(kind)}; transformers are not supported")
        if kind not in ("ordinary_block", "gpool_block", "nested_bottleneck_block"):
            raise BadFile(f"it has {short(kind)} where a block should begin")
        self._stream.word()  # its name
        inner = self._stream.whole("the number of blocks", 1, _MOST_BLOCKS) if kind.startswith("nested") else 0
        norm1 = self._norm(channels)
        conv1 = self._conv(channels)
        middle = conv1.outputs
        if kind == "gpool_block":
            pool_conv = self._conv(channels)
            pool_norm = self._norm(pool_conv.outputs)
            dense = self._dense(3 * pool_conv.outputs, middle)
            return PoolingBlock(
                norm1, conv1, pool_conv, pool_norm, dense, self._norm(middle), self._conv(middle, channels)
            )
        if kind == "ordinary_block":
            return OrdinaryBlock(norm1, conv1, self._norm(middle), self._conv(middle, channels))
        blocks = self._block_list(inner, middle, depth + 1)
        return NestedBlock(norm1, conv1, blocks, self._norm(middle), self._conv(middle, channels))

    def _policy(self, channels: int) -> PolicyHead:
        self._stream.word()
        conv, pool_conv = self._conv(channels), self._conv(channels)
        pool_norm = self._norm(pool_conv.outputs)
        pooled = 3 * pool_conv.outputs
        dense = self._dense(pooled, conv.outputs)
        norm = self._norm(conv.outputs)
        out_conv = self._conv(conv.outputs)
        count = out_conv.outputs
        allowed = (1,) if self._version <= 11 else (2,) if self._version <= 15 else (2, 4)
        if count not in allowed:
            raise BadFile(f"its policy has {count} channels, which its model version does not have")
        if self._version < 15:
            return PolicyHead(conv, pool_conv, pool_norm, dense, norm, out_conv, self._dense(pooled, count), None)
        pass_dense = self._dense(pooled)
        hidden = pass_dense.shape[1]
        then = (self._bias(hidden), self._activation(), self._dense(hidden, count))
        return PolicyHead(conv, pool_conv, pool_norm, dense, norm, out_conv, pass_dense, then)

    def _value(self, channels: int) -> ValueHead:
        self._stream.word()
        conv = self._conv(channels)
        norm = self._norm(conv.outputs)
        weights = self._dense(3 * conv.outputs)
        hidden = weights, self._bias(weights.shape[1])
        activation = self._activation()
        value = self._dense(weights.shape[1], 3), self._bias(3)
        count = 4 if self._version == 8 else 6
        scores = self._dense(weights.shape[1], count), self._bias(count)
        return ValueHead(conv, norm, hidden, activation, value, scores, self._conv(conv.outputs, 1))

    # Layers; an argument is the size that the layers before or the format demand

    def _size(self, what: str, expected: int | None = None) -> int:
        size = self._stream.whole(what, 1, 3 * _MOST_CHANNELS)
        if expected not in (None, size):
            raise BadFile(f"{what} is {size}; {expected} is needed")
        return size

    def _conv(self, inputs: int, outputs: int | None = None) -> Conv:
        stream = self._stream
        name = short(stream.word())
        height, width = (stream.whole(f"the kernel of {name}", 1, _LARGEST_KERNEL) for _ in range(2))
        if height % 2 == 0 or width % 2 == 0:
            raise BadFile(f"{name} has a kernel of {height} x {width}; odd sizes are needed")
        self._size(f"the number of inputs of {name}", inputs)
        outputs = self._size(f"the number of outputs of {name}", outputs)
        dilation = (
            stream.whole(f"the dilation of {name}", 1, 9),
            stream.whole(f"the dilation of {name}", 1, 9),
        )
        weights = stream.numbers(name, height * width * inputs * outputs)
        weights = weights.reshape(height, width, inputs, outputs).transpose(3, 2, 0, 1)
        return Conv(np.ascontiguousarray(weights), dilation)

    def _norm(self, channels: int) -> Norm:
        stream = self._stream
        name = short(stream.word())
        self._size(f"the number of channels of {name}", channels)
        epsilon = stream.number(f"the epsilon of {name}", 0.0, 1.0)
        has_scale, has_bias = (stream.whole(f"a mark of {name}", 0, 1) for _ in range(2))
        mean, variance = (stream.numbers(name, channels).astype(np.float64) for _ in range(2))
        scale = stream.numbers(name, channels) if has_scale else np.ones(channels, np.float32)
        bias = stream.numbers(name, channels) if has_bias else np.zeros(channels, np.float32)
        factor = scale / np.sqrt(variance + epsilon)
        summand = bias - factor * mean
        folded = factor.astype(np.float32), summand.astype(np.float32)
        if not all(np.isfinite(part).all() for part in folded):
            raise BadFile(f"{name} divides by a variance that is not above 0, or leads to infinity")
        return Norm(*folded, self._activation())

    def _activation(self) -> str:
        name = short(self._stream.word())
        if self._version <= 10:
            return ACTIVATIONS[0]
        kind = self._stream.word()
        activation = kind.removeprefix("ACTIVATION_").lower()
        if not kind.startswith("ACTIVATION_") or activation not in ACTIVATIONS:
            raise BadFile(f"{name} is of the kind {short(kind)}; {', '.join(ACTIVATIONS)} are supported")
        return activation

    def _dense(self, inputs: int, outputs: int | None = None) -> Array:
        name = short(self._stream.word())
        self._size(f"the number of inputs of {name}", inputs)
        outputs = self._size(f"the number of outputs of {name}", outputs)
        return self._stream.numbers(name, inputs * outputs).reshape(inputs, outputs)

    def _bias(self, channels: int) -> Array:
        name = short(self._stream.word())
        self._size(f"the number of channels of {name}", channels)
        return self._stream.numbers(name, channels)
