"""Which way of solving a game gets, and what is too large to be solved.  Knows no screen and no engine."""

from collections.abc import Callable
from typing import Final

import numpy as np

from core.games import GameSpec, Position
from core.solve import connect4
from core.solve.connect4 import Connect4Solver
from core.solve.minimax import LINE_GAMES, MinimaxSolver
from core.solve.nim import solve_nim
from core.solve.solution import Cancelled, Solution, Watch
from core.text import Text

# The most empty cells that minimax solves in seconds to a minute: on free boards, where stones fall, and in others.
FREE_EMPTIES: Final = 20
FALLING_EMPTIES: Final = 25
OTHER_EMPTIES: Final = 16


def refusal(position: Position) -> str | None:
    """Why a position is too large to be solved, in one sentence; None when it is not."""
    game = position.game
    if game.name == "nim" or _is_connect4(game) or position.is_over:
        return None
    empties = int(np.count_nonzero(position.cells() == 0))
    most = OTHER_EMPTIES
    if game.name in LINE_GAMES:
        most = FALLING_EMPTIES if game.name == "connect4" else FREE_EMPTIES
    if empties <= most:
        return None
    return Text(
        "this position of {game} has {empties} empty cells, exact solving is offered up to {most}",
        game=game.text,
        empties=empties,
        most=most,
    )


class Solver:
    """Solves one position after another of one game; what it has learned helps with the next.  For one thread."""

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self._connect4: Connect4Solver | None = None
        self._minimax: MinimaxSolver | None = None

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
            raise ValueError(
                Text(
                    "the solver of {game} was given a position of {other}",
                    game=self.game.text,
                    other=position.game.text,
                )
            )
        reason = refusal(position)
        if reason is not None:
            raise ValueError(reason)
        watch = Watch(should_stop, progress, seconds)
        if self.game.name == "nim":
            return solve_nim(position, watch)
        try:
            if _is_connect4(self.game):
                if self._connect4 is None:
                    self._connect4 = Connect4Solver(*self.game.shape)
                return self._connect4.solve(position, watch)
            if self._minimax is None:
                self._minimax = MinimaxSolver(self.game)
            return self._minimax.solve(position, watch)
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


def _is_connect4(game: GameSpec) -> bool:
    return game.name == "connect4" and int(game.params["k"]) == connect4.K
