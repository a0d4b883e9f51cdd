"""A net's policy and value of one position, and a player that draws its moves from the policy without search."""

import random
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


class PolicyPlayer:
    """Plays by a net's policy without search: each move is drawn with its probability, at temperature 1.

    The draw depends on the seed and on the number of moves played alone, so that a game can be played again.
    """

    def __init__(self, evaluator: Evaluator, seed: int) -> None:
        self._evaluator, self._seed = evaluator, seed

    def move(self, position: Position) -> int:
        """Draw a move of a position that is not over; ValueError when the net answers wrongly."""
        policy = view_of(self._evaluator, position).policy
        draw = random.Random(f"{self._seed} {position.ply}")
        return draw.choices(list(policy), list(policy.values()))[0]

    def close(self) -> None:
        """Nothing is to be ended."""
