"""Makes the input of a net for positions.  Knows no net."""

import numpy as np

from core.games.encoding import OWN, Encoding, Inputs, encode
from core.games.position import Position
from core.games.spec import GameSpec


def make_inputs(game: GameSpec, encoding: Encoding, batch: int) -> Inputs:
    """Zeroed arrays for the inputs of ``batch`` positions."""
    planes = len(encoding.planes) or game.num_planes
    return Inputs(
        np.zeros((batch, planes, *game.shape), np.float32), np.zeros((batch, len(encoding.features)), np.float32)
    )


def inputs_of(position: Position, encoding: Encoding) -> Inputs:
    """The input of a net for one position; B is 1."""
    if encoding.name == OWN:
        return Inputs(position.planes()[None], np.zeros((1, 0), np.float32))
    inputs = make_inputs(position.game, encoding, 1)
    encode(encoding.new_encoder(), position.state, inputs.planes[0], inputs.features[0])
    return inputs
