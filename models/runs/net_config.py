"""The shape of a net that a training run trains, and its size by closed formulas without torch."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from core.checks import choice_problem, number_problem

if TYPE_CHECKING:
    from core.games import GameSpec

PLANES: Final = {"dense": 8, "pooled": 32}  # of each head, by its kind: pooling reduces each plane to two numbers
HEADS: Final = tuple(PLANES)
INPUTS: Final = ("board", "points")
BLOCKS: Final = (0, 80)
CHANNELS: Final = (1, 1024)


@dataclass(frozen=True, slots=True)
class NetConfig:
    """The shape of a residual net (AlphaGo Zero: 19 blocks of 256 channels, head planes 2 and 1, value layer 256).

    blocks: residual blocks of two 3x3 convolutions.  channels: their width.
    policy_planes, value_planes: planes of the 1x1 convolution that starts each head.
    value_hidden: width of the value head's inner layer.
    heads: ``dense`` layers over the whole board (AlphaGo Zero), or ``pooled`` ones (KataGo, Wu 2019, section 3.3): the
    policy is a convolution with each plane's mean and maximum as further inputs, and the value depends only on these,
    so that the heads are translation invariant and independent of the board's size.
    inputs: ``board``, the game's own planes, or ``points``, in a game that points decide: its encoding for nets of our
    own, with komi.  Such a net also gives the score and the ownership of each point.
    """

    blocks: int = 4
    channels: int = 48
    policy_planes: int = PLANES[HEADS[0]]
    value_planes: int = PLANES[HEADS[0]]
    value_hidden: int = 64
    heads: str = HEADS[0]
    inputs: str = INPUTS[0]

    def __post_init__(self) -> None:
        for name, low, high in (
            ("blocks", *BLOCKS),
            ("channels", *CHANNELS),
            ("policy_planes", 1, 256),
            ("value_planes", 1, 256),
            ("value_hidden", 1, 4096),
        ):
            if wrong := number_problem(name, getattr(self, name), low, high, whole=True):
                raise ValueError(wrong)
        for name, allowed in (("heads", HEADS), ("inputs", INPUTS)):
            if wrong := choice_problem(name, getattr(self, name), allowed):
                raise ValueError(wrong)


class _Layer(NamedTuple):
    """One layer: its weights, its other parameters, the values it gives, and in how many places it is applied."""

    weights: int
    others: int
    outputs: int
    places: int = 1


class NetSize(NamedTuple):
    """The size of a net.  A test compares it with ``models.nets.net.PolicyValueNet``, layer by layer.

    parameters: those that are learned.  multiplications: of weights, per position.  outputs: values of all layers, per
    position, which training keeps for the gradient.
    """

    parameters: int
    multiplications: int
    outputs: int


def net_size(game: "GameSpec", config: NetConfig) -> NetSize:
    """The size of the net of a run of ``game``.  ``ValueError`` for inputs or heads that the game does not have."""
    layers = list(_layers(game, config))
    return NetSize(
        sum(layer.weights + layer.others for layer in layers),
        sum(layer.weights * layer.places for layer in layers),
        sum(layer.outputs for layer in layers),
    )


def _layers(game: "GameSpec", config: NetConfig) -> Iterator[_Layer]:
    from core.games.net_inputs import encoding_for

    encoding = encoding_for(game, config.inputs)
    planes, features = len(encoding.planes) or game.num_planes, len(encoding.features)
    cells, channels, hidden = game.shape[0] * game.shape[1], config.channels, config.value_hidden
    others = game.num_actions - cells  # actions that are not cells
    pooled = config.heads == "pooled"

    def conv(inputs: int, outputs: int, kernel: int) -> _Layer:
        """A convolution and its batch normalisation."""
        return _Layer(inputs * outputs * kernel * kernel, 2 * outputs, 2 * outputs * cells, cells)

    def linear(inputs: int, outputs: int, places: int = 1) -> _Layer:
        return _Layer(inputs * outputs, outputs, outputs * places, places)

    yield conv(planes, channels, 3)
    for _ in range(2 * config.blocks):
        yield conv(channels, channels, 3)
    yield conv(channels, config.policy_planes, 1)
    yield conv(channels, config.value_planes, 1)
    inputs_of_value = config.value_planes * cells
    if pooled:
        yield conv(channels, config.policy_planes, 1)
        yield linear(2 * config.policy_planes, config.policy_planes)
        yield linear(config.policy_planes, 1, cells)
        if others:
            yield linear(2 * config.policy_planes, others)
        inputs_of_value = 2 * config.value_planes
    else:
        yield linear(config.policy_planes * cells, game.num_actions)
    if features:
        yield linear(features, channels)
        yield linear(config.value_planes, 1, cells)
        yield linear(hidden, 1)
        inputs_of_value += features + 1
    yield linear(inputs_of_value, hidden)
    yield linear(hidden, 3)
