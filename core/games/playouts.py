"""Random games from a position: whose each point is at their end."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import dispatch
from core.games.position import Position
from core.rng import make_rng

GAMES: Final = 64


@jit
def _rollout(state: Any, rng: NDArray[np.uint64]) -> int:
    return dispatch.rollout(state, rng)


def random_ownership(position: Position, seed: int = 0) -> NDArray[np.float64]:
    """The mean over random games of whose each point is, [H, W]: +1 the first player's, -1 the second's.

    An ended game is played on from its board.
    """
    board = position.game.board
    if position.is_over:
        position = Position(position.game, board.from_cells(position.cells(), position.to_move, -1))
    total, rng = np.zeros(position.game.shape), make_rng(seed)
    for _ in range(GAMES):
        state = position.state
        _rollout(state, rng)
        total += _owners(board.cells(state))
    return total / GAMES


def _owners(cells: NDArray[np.int8]) -> NDArray[np.int8]:
    """+1 and -1 for the owner of each point [H, W]; an empty one is its neighbours', 0 if they differ."""
    signs = np.where(cells == 2, -1, cells).astype(np.int8)
    padded = np.pad(signs, 1)
    near = np.stack([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
    beside = (near == 1).any(axis=0).astype(np.int8) - (near == -1).any(axis=0).astype(np.int8)
    return np.where(cells == 0, beside, signs).astype(np.int8)
