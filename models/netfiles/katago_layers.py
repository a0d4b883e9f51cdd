"""The layers that KataGo's net files are made of, and how they are read.

A batch normalisation is kept as a factor and a summand per channel.  Every fault is a ``BadFile`` whose sentence has
"it" for the file.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.checks import short
from core.files.reading import BadFile
from models.netfiles.weight_stream import Array, WeightStream

ACTIVATIONS: Final = ("relu", "mish", "silu", "identity")
MOST_CHANNELS: Final = 4096

_LARGEST_KERNEL: Final = 19


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


class LayerReader:
    """Reads layers from a net file of a model version, in the order in which they are written.

    The sizes given to its methods are those that the layers before or the format demand."""

    def __init__(self, stream: WeightStream, version: int) -> None:
        self.stream, self.version = stream, version

    def size(self, what: str, expected: int | None = None) -> int:
        size = self.stream.whole(what, 1, 3 * MOST_CHANNELS)
        if expected not in (None, size):
            raise BadFile(f"{what} is {size}; {expected} is needed")
        return size

    def zeros(self, count: int) -> None:
        """Read numbers that are reserved for later kinds of nets."""
        for _ in range(count):
            if self.stream.word() != "0":
                raise BadFile("it uses a feature that is not known here: a reserved number is not 0")

    def conv(self, inputs: int, outputs: int | None = None) -> Conv:
        stream = self.stream
        name = short(stream.word())
        height, width = (stream.whole(f"the kernel of {name}", 1, _LARGEST_KERNEL) for _ in range(2))
        if height % 2 == 0 or width % 2 == 0:
            raise BadFile(f"{name} has a kernel of {height} x {width}; odd sizes are needed")
        self.size(f"the number of inputs of {name}", inputs)
        outputs = self.size(f"the number of outputs of {name}", outputs)
        dilation = (
            stream.whole(f"the dilation of {name}", 1, 9),
            stream.whole(f"the dilation of {name}", 1, 9),
        )
        weights = stream.numbers(name, height * width * inputs * outputs)
        weights = weights.reshape(height, width, inputs, outputs).transpose(3, 2, 0, 1)
        return Conv(np.ascontiguousarray(weights), dilation)

    def norm(self, channels: int) -> Norm:
        stream = self.stream
        name = short(stream.word())
        self.size(f"the number of channels of {name}", channels)
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
        return Norm(*folded, self.activation())

    def activation(self) -> str:
        """One of ``ACTIVATIONS``."""
        name = short(self.stream.word())
        if self.version <= 10:
            return ACTIVATIONS[0]
        kind = self.stream.word()
        activation = kind.removeprefix("ACTIVATION_").lower()
        if not kind.startswith("ACTIVATION_") or activation not in ACTIVATIONS:
            raise BadFile(f"{name} is of the kind {short(kind)}; {', '.join(ACTIVATIONS)} are supported")
        return activation

    def dense(self, inputs: int, outputs: int | None = None) -> Array:
        """Weights [inputs, outputs] of a layer without bias."""
        name = short(self.stream.word())
        self.size(f"the number of inputs of {name}", inputs)
        outputs = self.size(f"the number of outputs of {name}", outputs)
        return self.stream.numbers(name, inputs * outputs).reshape(inputs, outputs)

    def bias(self, channels: int) -> Array:
        name = short(self.stream.word())
        self.size(f"the number of channels of {name}", channels)
        return self.stream.numbers(name, channels)
