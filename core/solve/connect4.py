"""Exact solver for Connect Four, four in a row on boards of up to 64 bits."""

from contextlib import suppress
from functools import partial
from typing import Final

import numpy as np

from core.games.position import Position
from core.solve.connect4_search import board_shape, make_run, run_slice, winning_cells
from core.solve.refine import Probe, Range, find_score, find_sign, refine
from core.solve.slices import Cancelled, Monitor, OutOfTime, Pace
from core.solve.solution import MoveValue, Solution, publish, solution

TABLE_BITS: Final = 22  # 4 M buckets of 16 bytes, touched only as they are needed


class Connect4Solver:
    """Solves positions on one board; its table is kept between them.

    ``table_bits``: the table has 2 ** table_bits buckets of 16 bytes.
    """

    def __init__(self, rows: int = 6, cols: int = 7, table_bits: int = TABLE_BITS) -> None:
        self.area = rows * cols
        self.shape = board_shape(rows, cols, table_bits)
        self.table = np.zeros(2 * (self.shape.buckets + 1), np.int64)
        self._pace = Pace()
        self._stack = make_run(self.area + 1, cols)

    def probe(self, mover: int, filled: int, threshold: int, monitor: Monitor) -> int:
        """A bound of a position's score: a lower one above ``threshold``, an upper one otherwise.

        The game must not be over, nor the mover able to win at once.
        """
        run = self._stack
        run.mover[0], run.filled[0], run.alpha[0] = mover, filled, threshold
        return self._pace.run(partial(run_slice, run, self.table, self.shape), run.control, monitor)

    def at_sight(self, mover: int, filled: int) -> Range:
        """Bounds of a position's score without a search; the game must not be over."""
        ply = filled.bit_count()
        shape = self.shape
        best = (self.area + 1 - ply) // 2
        wins = winning_cells(mover, filled, shape.rows + 1, shape.board) & (filled + shape.bottom)
        if wins:
            return Range(best, best)
        if ply == self.area - 1:
            return Range(0, 0)
        return Range(-((self.area - ply) // 2), (self.area - 1 - ply) // 2)

    def score(self, position: Position, monitor: Monitor | None = None, *, sign_only: bool = False) -> int:
        """The score of a position for the side to move, or just its sign; the game must not be over.

        Cancelled or OutOfTime when ``monitor`` ends it.
        """
        monitor = monitor or Monitor()
        mover, filled = boards(position)
        bounds = self.at_sight(mover, filled)
        if sign_only:
            find_sign(bounds, lambda threshold: self.probe(mover, filled, threshold, monitor))
            return bounds.sign or 0
        find_score(bounds, lambda threshold: self.probe(mover, filled, threshold, monitor))
        return bounds.low

    def keeping(
        self, position: Position, monitor: Monitor, value: int | None = None
    ) -> tuple[int, tuple[int, ...]] | None:
        """The value of a position, -1, 0 or +1 for the side to move, and the moves that keep it; distances, which take
        longer, are not found.  ``value`` where it is known.  None when ``monitor`` ended it; the game must not be over.
        """
        with suppress(Cancelled, OutOfTime):
            if value is None:
                value = self.score(position, monitor, sign_only=True)
            known = value
            return known, tuple(a for a in position.legal_actions() if self._keeps(position, a, known, monitor))
        return None

    def _keeps(self, position: Position, action: int, value: int, monitor: Monitor) -> bool:
        """Whether a move keeps the known ``value``, by one null-window search."""
        child = position.play(action)
        if child.is_over:
            return child.returns[position.to_move] == value
        if value < 0:
            return True  # every move keeps a loss
        most = -value  # the largest value for the opponent that keeps ``value``
        mover, filled = boards(child)
        bounds = self.at_sight(mover, filled)
        if bounds.low > most or bounds.high <= most:
            return bounds.high <= most
        return self.probe(mover, filled, most, monitor) <= most

    def solve(self, position: Position, monitor: Monitor) -> Solution | None:
        """Solve a position as far as time allows; None when its value was not found.  Cancelled by ``monitor``."""
        if position.is_over:
            return Solution(position.returns[position.to_move], 0, (), 0, monitor.elapsed)
        mover, filled = boards(position)
        shape = self.shape
        moves: list[tuple[int, Range]] = []
        searches = []
        for action in position.legal_actions():
            child = position.play(action)
            if child.is_over:
                best = (self.area + 1 - position.ply) // 2 if child.returns[position.to_move] > 0 else 0
                moves.append((action, Range(-best, -best)))
                continue
            disc = (filled + shape.bottom) & (((1 << shape.rows) - 1) << (action * (shape.rows + 1)))
            theirs, after = mover ^ filled, filled | disc
            bounds = self.at_sight(theirs, after)
            moves.append((action, bounds))
            searches.append((bounds, self._probe(theirs, after, monitor)))

        def answers() -> tuple[MoveValue, ...]:
            return tuple(self._answer(action, bounds, position.ply) for action, bounds in moves)

        # The centre first: when the time runs out, a win found is worth more than a loss.
        middle = len(searches) // 2
        with suppress(OutOfTime):
            ordered = [searches[i] for i in sorted(range(len(searches)), key=lambda i: abs(i - middle))]
            refine(ordered, lambda: publish(answers, monitor))
        return solution(answers(), monitor)

    def _probe(self, mover: int, filled: int, monitor: Monitor) -> Probe:
        return lambda threshold: self.probe(mover, filled, threshold, monitor)

    def _answer(self, action: int, reply: Range, ply: int) -> MoveValue:
        """The value of a move from the score after it."""
        sign = reply.sign
        if sign is None:
            return MoveValue(action, None, None)
        if sign == 0:
            return MoveValue(action, 0, self.area - ply)
        distance = 1 + self.distance(reply.low, ply + 1) if reply.is_exact else None
        return MoveValue(action, -sign, distance)

    def distance(self, score: int, ply: int) -> int:
        """Plies to the end of the game, from a position of ``ply`` discs with this score."""
        if score == 0:
            return self.area - ply
        parity = (self.area + 1 - ply) & 1 if score > 0 else (self.area - ply) & 1
        return self.area + 2 - ply - 2 * abs(score) - parity


def boards(position: Position) -> tuple[int, int]:
    """(discs of the side to move, all discs) of a Connect Four position."""
    discs = position.state.boards
    return int(discs[position.to_move]), int(discs[0] | discs[1])
