"""Endings of self-play from the exact solver: the last moves of a game and what its positions teach.

A game that reaches few enough empty cells is played on by best moves of both sides, chosen at random among equals, to
its end by the rules.  Best moves keep the exact result, so it is that of every position on the way.  Best are, with
discs to count, those of the greatest difference, else the quickest wins and the longest losses.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.lockstep import Lockstep
from core.games import GameSpec, Position
from core.solve import Solver
from core.solve.solver import empty_cells, quick_empties
from models.play.games import Pending, RunningGame, for_first


class _ExactMove(NamedTuple):
    """A solved position of a game and the move played there."""

    position: Position
    policy: NDArray[np.float32]  # [A]: equal among the best moves
    value: int  # -1, 0 or +1 for the side to move
    action: int


class ExactEndings:
    """Plays games to their end from ``empties`` empty cells on, 0 never; a ``share`` of the positions is learned."""

    def __init__(self, game: GameSpec, empties: int, share: float, rng: np.random.Generator) -> None:
        self._game, self._share, self._rng = game, share, rng
        self._empties = min(empties, quick_empties(game))
        self._first = empty_cells(game.initial())
        self._solver: Solver | None = None  # its table takes memory

    def finish(self, lockstep: Lockstep, g: int, game: RunningGame, should_stop: Callable[[], bool]) -> int | None:
        """Play the rest of game ``g`` of ``lockstep`` and record it; the outcome for the first player.

        None where the game goes on by searches: with too many empty cells, and when ``should_stop`` ended the solver.
        """
        if not self._empties or self._first - game.ply > self._empties:  # a pass fills no cell
            return None
        start = lockstep.position(g)
        if empty_cells(start) > self._empties:
            return None
        moves = self._solved(start, should_stop)
        for position, policy, value, action in moves:
            learned = bool(self._rng.random() < self._share)
            if learned:
                shown = lockstep.inputs(g)
                legal = np.zeros(len(policy), np.bool_)
                legal[list(position.legal_actions())] = True
                planes, facts = shown.planes[0].astype(np.int8), (shown.features[0], legal, 0.0)
                game.pending.append(Pending(planes, policy, float(value), position.to_move, game.ply, *facts))
            game.full.append(learned)
            game.values.append(float(value))
            game.moves.append(action)
            lockstep.play(g, action)
        return for_first(moves[0].value, start.to_move) if moves else None

    def _solved(self, position: Position, should_stop: Callable[[], bool]) -> list[_ExactMove]:
        """The rest of a game by best moves; nothing when ``should_stop`` ended it."""
        if self._solver is None:
            self._solver = Solver(self._game)
        moves: list[_ExactMove] = []
        while not position.is_over:
            solution = self._solver.solve(position, should_stop)
            if solution is None:
                return []
            policy = np.zeros(self._game.num_actions, np.float32)
            policy[list(solution.best)] = 1.0 / len(solution.best)
            action = int(self._rng.choice(solution.best))
            moves.append(_ExactMove(position, policy, solution.value, action))
            position = position.play(action)
        return moves
