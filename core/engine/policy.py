"""A net's policy and value of one position, without search."""

from typing import NamedTuple

import numpy as np

from core.engine.evaluator import Evaluator, ask
from core.games import Position
from core.games.net_inputs import inputs_of


class NetView(NamedTuple):
    """What a net says of one position, without search."""

    policy: dict[int, float]  # probability of each legal move; they add up to 1
    value: float  # for the side to move, in [-1, 1]


def view_of(evaluator: Evaluator, position: Position) -> NetView:
    """Ask a net about one position.

    ValueError, one sentence, as ``core.engine.evaluator.ask`` raises it; the policy is empty where the game is over.
    """
    legal = list(position.legal_actions())
    answer = ask(evaluator, inputs_of(position, evaluator.encoding), position.game.num_actions)
    value = float(answer.values[0])
    if not legal:
        return NetView({}, value)
    logits = answer.logits[0, legal].astype(np.float64)
    weights = np.exp(logits - logits.max())
    return NetView(dict(zip(legal, (weights / weights.sum()).tolist(), strict=True)), value)
