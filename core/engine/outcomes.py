"""Win, draw and loss after each move of a position, as a net expects them without search.

Letters: B batch, E moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.games import Position
from core.games.net_inputs import inputs_of
from core.text import Text

_BATCH: Final = 64
_SLACK: Final = 1e-3  # rounding tolerated of chances, as of nets in 8 or 16 bits

Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The chances of win, draw and loss, float32 [E, 3], for the side that plays each legal move."""

    position: Position
    actions: tuple[int, ...]
    chances: Array


def outcomes_of(
    evaluator: Evaluator | None, position: Position, stale: Callable[[], bool] = lambda: False
) -> Outcomes | None:
    """Ask for the outcomes after every move; exact where a move ends the game.  None once ``stale``.

    ValueError, one sentence, when the evaluator gives none or answers wrongly.
    """
    if evaluator is None or not evaluator.gives_outcomes:
        raise ValueError(
            Text("{evaluator} gives no win, draw and loss", evaluator=evaluator.description)
            if evaluator is not None
            else Text("random games give no win, draw and loss; a net that has them is needed")
        )
    actions = tuple(position.legal_actions())
    after = [position.play(action) for action in actions]
    chances = np.zeros((len(actions), 3), np.float32)
    unfinished = [i for i, position_after in enumerate(after) if not position_after.is_over]
    for i, position_after in enumerate(after):
        if position_after.is_over:
            chances[i, 1 - int(np.sign(position_after.returns[position.to_move]))] = 1.0
    for start in range(0, len(unfinished), _BATCH):
        if stale():
            return None
        part = unfinished[start : start + _BATCH]
        inputs = [inputs_of(after[i], evaluator.encoding) for i in part]
        answer = evaluator.outcomes(*(np.concatenate(parts) for parts in zip(*inputs, strict=True)))
        if answer.shape != (len(part), 3) or not (np.abs(answer.sum(axis=1) - 1.0) <= _SLACK).all():
            raise ValueError(Text("{evaluator} gave chances that do not add up to 1", evaluator=evaluator.description))
        for i, row in zip(part, answer, strict=True):
            chances[i] = row if after[i].to_move == position.to_move else row[::-1]
    return Outcomes(position, actions, chances)
