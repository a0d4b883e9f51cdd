"""Selects the solver for a game; refuses positions that are too large."""

from collections.abc import Callable
from typing import Final

import numpy as np

from core.games.position import Position
from core.games.spec import DISCS, FOUR_ON_BITS, HISTORY, MINIMAX, NIM_SUM, NO_SOLVER, GameSpec
from core.solve.connect4 import Connect4Solver
from core.solve.history import HistorySolver
from core.solve.minimax import MinimaxSolver
from core.solve.nim import solve_nim
from core.solve.othello import OthelloSolver
from core.solve.slices import Cancelled, Monitor
from core.solve.solution import Interim, Solution
from core.text import Text

# The most empty cells that minimax solves in seconds to a minute: on free boards, where stones fall, and in others.
FREE_EMPTIES: Final = 20
FALLING_EMPTIES: Final = 25
OTHER_EMPTIES: Final = 16
DISCS_EMPTIES: Final = 26  # where discs are counted, in minutes; 20 take seconds
HISTORY_CELLS: Final = 9  # the most cells, empty or not, where earlier positions count
_QUICK_EMPTIES: Final = {DISCS: 16, FOUR_ON_BITS: 30}
_INSTANT_EMPTIES: Final = {DISCS: 12, FOUR_ON_BITS: 24}

Solve = Callable[[Position, Monitor], Solution | None]

# What makes the solver of each kind that a game may name.
_MAKERS: Final[dict[str, Callable[[GameSpec], Solve]]] = {
    MINIMAX: lambda game: MinimaxSolver(game).solve,
    FOUR_ON_BITS: lambda game: Connect4Solver(*game.shape).solve,
    NIM_SUM: lambda game: solve_nim,
    DISCS: lambda game: OthelloSolver(game.shape[0], game.params["passes"] == "yes").solve,
    HISTORY: lambda game: HistorySolver(game).solve,
}


def empty_cells(position: Position) -> int:
    """The number of empty cells of a position."""
    return int(np.count_nonzero(position.cells() == 0))


def quick_empties(game: GameSpec) -> int:
    """The most empty cells of positions that a solver made for the game solves in a tenth of a second or less, as a
    rule; 0 without such a solver."""
    return _QUICK_EMPTIES.get(game.solver, 0)


def instant_empties(game: GameSpec) -> int:
    """The same for a few milliseconds: nobody waits for them."""
    return _INSTANT_EMPTIES.get(game.solver, 0)


def refusal(position: Position) -> str | None:
    """The reason why a position is too large to be solved, one sentence; None when it can be solved."""
    game = position.game
    cells = position.cells().size
    if game.solver == HISTORY and cells > HISTORY_CELLS and not position.is_over:
        return Text(
            "{game} has {cells} cells, exact solving is offered up to {most} where earlier positions count",
            game=game.text,
            cells=cells,
            most=HISTORY_CELLS,
        )
    if game.solver == NO_SOLVER and not position.is_over:
        return Text("{game} has no exact solver, as its positions cannot be told apart by their cells", game=game.text)
    if game.solver not in (MINIMAX, DISCS) or position.is_over:
        return None
    empties = empty_cells(position)
    most = DISCS_EMPTIES if game.solver == DISCS else OTHER_EMPTIES
    if game.lines is not None:
        most = FALLING_EMPTIES if game.gravity else FREE_EMPTIES
    if empties <= most:
        return None
    return Text(
        "this position of {game} has {empties} empty cells, exact solving is offered up to {most}",
        game=game.text,
        empties=empties,
        most=most,
    )


class Solver:
    """Solves positions of one game; its tables are kept between them.  Not thread-safe."""

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self._solve: Solve | None = None

    def solve(
        self,
        position: Position,
        should_stop: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
        seconds: float | None = None,
        interim: Callable[[Interim], None] | None = None,
    ) -> Solution | None:
        """Solve ``position`` and each of its moves: first the values, then the distances.

        ``should_stop`` is polled and ``progress`` called with the positions searched every few dozen milliseconds;
        ``interim`` with what is known of its moves, and of the score in games won by discs, as it becomes known.
        After ``seconds`` the solution may lack values or distances of moves.  None when ``should_stop`` ended it, or
        the position's value was not found in time.  ValueError when the position is too large (see ``refusal``) or of
        another game.
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
        monitor = Monitor(should_stop, progress, seconds, interim=interim)
        if self._solve is None:
            self._solve = _MAKERS[self.game.solver](self.game)
        try:
            return self._solve(position, monitor)
        except Cancelled:
            return None


def solve(
    position: Position,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
    seconds: float | None = None,
    interim: Callable[[Interim], None] | None = None,
) -> Solution | None:
    """:meth:`Solver.solve` for a single position."""
    return Solver(position.game).solve(position, should_stop, progress, seconds, interim)
