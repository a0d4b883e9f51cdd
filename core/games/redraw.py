"""Replays of rollouts in plain Python, to find the moves that a compiled rollout played.

Each function plays from a position to the end of the game with the same random numbers as the compiled rollout,
advances the generator and returns the moves; None when they cannot be drawn.
"""

import numpy as np
from numpy.typing import NDArray

from core.games.position import PASS, Position
from core.rng import random_below


def redraw_legal(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """Replay a rollout that draws from the legal moves in ascending order; a forced pass is not drawn."""
    moves: list[int] = []
    while not position.is_over:
        legal = position.legal_actions()
        forced = position.game.action_name(legal[0]) == PASS
        action = legal[0 if forced else random_below(rng, len(legal))]
        position = position.play(action)
        moves.append(action)
    return tuple(moves)


def redraw_columns(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """Replay a rollout that draws from a list of columns and replaces a full one by the last."""
    columns = list(position.legal_actions())
    moves: list[int] = []
    while not position.is_over:
        pick = random_below(rng, len(columns))
        action = columns[pick]
        position = position.play(action)
        moves.append(action)
        if not position.is_over and action not in position.legal_actions():
            columns[pick] = columns[-1]
            columns.pop()
    return tuple(moves)


def redraw_empties(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """Replay a rollout that draws from a list of empty cells and replaces a used one by the last; fouls are kept."""
    empties = np.flatnonzero(position.cells().ravel() == 0).tolist()
    moves: list[int] = []
    while not position.is_over:
        legal = set(position.legal_actions())
        untried = len(empties)
        action = -1
        while action not in legal:
            if not untried:
                return None
            pick = random_below(rng, untried)
            untried -= 1
            action = empties[pick]
            empties[pick], empties[untried] = empties[untried], action
        position = position.play(action)
        moves.append(action)
        empties[untried] = empties[-1]
        empties.pop()
    return tuple(moves)
