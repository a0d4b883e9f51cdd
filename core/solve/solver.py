"""Which way of solving a game gets, and what is too large to be solved.  Knows no screen and no engine."""

from collections.abc import Callable
from typing import Final

import numpy as np

from core.games import GameSpec, Position
from core.games.spec import FOUR_ON_BITS, MINIMAX, NIM_SUM
from core.solve.connect4 import Connect4Solver
from core.solve.minimax import MinimaxSolver
from core.solve.nim import solve_nim
from core.solve.solution import Cancelled, Solution, Watch

# The most empty cells that minimax solves in seconds to a minute: on free boards, where stones fall, and in others.
FREE_EMPTIES: Final = 20
FALLING_EMPTIES: Final = 25
OTHER_EMPTIES: Final = 16

Solve = Callable[[Position, Watch], Solution | None]

# What makes the solver of each kind that a game may name.
_MAKERS: Final[dict[str, Callable[[GameSpec], Solve]]] = {
    MINIMAX: lambda game: MinimaxSolver(game).solve,
    FOUR_ON_BITS: lambda game: Connect4Solver(*game.shape).solve,
    NIM_SUM: lambda game: solve_nim,
}


def refusal(position: Position) -> str | None:
    """Why a position is too large to be solved, in one sentence; None when it is not."""
    game = position.game
    if game.solver != MINIMAX or position.is_over:
        return None
    empties = int(np.count_nonzero(position.cells() == 0))
    most = OTHER_EMPTIES
    if game.lines is not None:
        most = FALLING_EMPTIES if game.gravity else FREE_EMPTIES
    if empties <= most:
        return None
    return f"this position of {game.text} has {empties} empty cells, exact solving is offered up to {most}"


class Solver:
    """Solves one position after another of one game; what it has learned helps with the next.  For one thread."""

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self._solve: Solve | None = None

    def solve(
        self,
        position: Position,
        should_stop: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
        seconds: float | None = None,
    ) -> Solution | None:
        """The exact worth of ``position`` and of each of its moves.

        ``should_stop`` is asked and ``progress`` told the positions searched every few dozen milliseconds.  When
        ``seconds`` are over the answer is what has been found: first every move's value is sought, then the
        distances.  None when ``should_stop`` said so, or the value was not found in time.  ValueError when the
        position is too large (see ``refusal``) or of another game.
        """
        if position.game != self.game:
            raise ValueError(f"the solver of {self.game.text} was given a position of {position.game.text}")
        reason = refusal(position)
        if reason is not None:
            raise ValueError(reason)
        watch = Watch(should_stop, progress, seconds)
        if self._solve is None:
            self._solve = _MAKERS[self.game.solver](self.game)
        try:
            return self._solve(position, watch)
        except Cancelled:
            return None


def solve(
    position: Position,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
    seconds: float | None = None,
) -> Solution | None:
    """:meth:`Solver.solve` for a single position."""
    return Solver(position.game).solve(position, should_stop, progress, seconds)
