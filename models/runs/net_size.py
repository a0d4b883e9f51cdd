"""The size of a net by its shape: parameters, multiplications, memory in training.  Closed formulas without torch.

They follow ``models.nets.net.PolicyValueNet`` layer by layer; a test compares the two.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from core.games.net_inputs import encoding_for
from models.runs.net_config import NetConfig

if TYPE_CHECKING:
    from core.games import GameSpec


class _Layer(NamedTuple):
    """One layer: its weights, its other parameters, the values it gives, and in how many places it is applied."""

    weights: int
    others: int
    outputs: int
    places: int = 1


class NetSize(NamedTuple):
    """The size of a net.

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
    seen = config.value_planes * cells
    if pooled:
        yield conv(channels, config.policy_planes, 1)
        yield linear(2 * config.policy_planes, config.policy_planes)
        yield linear(config.policy_planes, 1, cells)
        if others:
            yield linear(2 * config.policy_planes, others)
        seen = 2 * config.value_planes
    else:
        yield linear(config.policy_planes * cells, game.num_actions)
    if features:
        yield linear(features, channels)
        yield linear(config.value_planes, 1, cells)
        yield linear(hidden, 1)
        seen += features + 1
    yield linear(seen, hidden)
    yield linear(hidden, 3)
