"""Makes the input of a net for positions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from core.games.encoding import OWN, OWN_ENCODING, Encoding, Inputs, encode
from core.games.past_boards import tell_past
from core.text import Text

if TYPE_CHECKING:
    from core.games.position import Position
    from core.games.spec import GameSpec

BOARD: Final = "board"


def make_inputs(game: "GameSpec", encoding: Encoding, batch: int) -> Inputs:
    """Zeroed arrays for the inputs of ``batch`` positions."""
    planes = len(encoding.planes) or game.num_planes
    return Inputs(
        np.zeros((batch, planes, *game.shape), np.float32), np.zeros((batch, len(encoding.features)), np.float32)
    )


def encoding_for(game: "GameSpec", inputs: str) -> Encoding:
    """What nets of ``game`` are trained with: its own planes for ``board``, else its encoding for that.  ValueError
    where there is none."""
    if inputs == BOARD:
        return OWN_ENCODING
    for encoding in game.encodings:
        if encoding.trained:
            return encoding
    raise ValueError(Text("{game} has no points to show to a net", game=game.text))


def inputs_of_all(positions: Sequence["Position"], encoding: Encoding) -> Inputs:
    """The inputs of a net for these positions, of one game."""
    inputs = [inputs_of(position, encoding) for position in positions]
    return Inputs(np.concatenate([part.planes for part in inputs]), np.concatenate([part.features for part in inputs]))


def inputs_of(position: "Position", encoding: Encoding) -> Inputs:
    """The input of a net for one position; B is 1."""
    if encoding.name == OWN:
        return Inputs(position.planes()[None], np.zeros((1, 0), np.float32))
    inputs = make_inputs(position.game, encoding, 1)
    encoder = encoding.new_encoder()
    tell_past(encoder, position)
    encode(encoder, position.state, inputs.planes[0], inputs.features[0])
    return inputs
