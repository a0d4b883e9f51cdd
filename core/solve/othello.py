"""Exact disc differences of Othello on boards of up to 8x8."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

import numpy as np

from core.games.position import Position
from core.solve.othello_last import final_score, make_rules
from core.solve.othello_search import find, make_run, make_table, move_of, run_slice
from core.solve.refine import Probe, Range
from core.solve.slices import Monitor, OutOfTime, Pace
from core.solve.solution import Interim, MoveValue, Solution

TABLE_BITS: Final = 20  # 1 M buckets of 64 bytes, touched only as they are needed
_SMALL_BITS: Final = 14
_SMALL_EMPTIES: Final = 14  # up to which the small table is enough


class OthelloSolver:
    """Solves positions on one board; its table is kept between them."""

    def __init__(self, size: int = 8, passes: bool = True) -> None:
        self.size = size
        self.rules = make_rules(size, passes)
        self._table_bits = _SMALL_BITS
        self.table = make_table(_SMALL_BITS)
        self._pace = Pace()
        self._run = make_run(size)

    def probe(self, mover: np.uint64, other: np.uint64, threshold: int, monitor: Monitor) -> int:
        """A bound of a position's score: a lower one above ``threshold``, an upper one otherwise."""
        run = self._run
        run.mover[0], run.other[0], run.alpha[0] = mover, other, threshold
        return self._pace.run(partial(run_slice, run, self.table, self.rules), run.control, monitor)

    def score(self, position: Position, monitor: Monitor | None = None) -> int:
        """The score of a position for the side to move: the discs it has more at the end, or fewer.

        Cancelled or OutOfTime when ``monitor`` ends it.
        """
        bounds = Range(-self.rules.cells, self.rules.cells)
        self._make_room(position)
        mover, other = boards(position)
        narrow(bounds, self._probe(mover, other, monitor or Monitor()), 0)
        return bounds.low

    def solve(self, position: Position, monitor: Monitor) -> Solution | None:
        """Solve a position as far as time allows: its score first, then those of its moves.

        None when not even win, draw or loss was found.  Cancelled by ``monitor``.
        """
        mover, other = boards(position)
        cells = self.rules.cells
        if position.is_over:
            end = int(final_score(mover, other, cells))
            return Solution(_sign(end), 0, (), 0, monitor.elapsed, (end, end))
        self._make_room(position)
        whole = Range(-cells, cells)
        moves = {action: Range(-cells, cells) for action in position.legal_actions()}

        def publish() -> None:
            if monitor.interim is not None:
                solved = self._solution(whole, moves, monitor)
                known = sum(bounds.sign is not None for bounds in moves.values())
                best = self._favourite(mover, other)
                monitor.interim(Interim(len(moves), known, solved, (whole.low, whole.high), best))

        with suppress(OutOfTime):
            narrow(whole, self._probe(mover, other, monitor), 0, publish)
            first = self._favourite(mover, other)
            for action in sorted(moves, key=lambda move: move != first):
                bounds = moves[action]
                bounds.high = whole.high
                reply = self._probe(*boards(position.play(action)), monitor)
                narrow(bounds, _negated(reply), whole.high - 2, publish)
        return self._solution(whole, moves, monitor)

    def _solution(self, whole: Range, moves: dict[int, Range], monitor: Monitor) -> Solution | None:
        if whole.sign is None:
            return None
        answers = tuple(
            MoveValue(action, bounds.sign, None, (bounds.low, bounds.high)) for action, bounds in sorted(moves.items())
        )
        return Solution(whole.sign, None, answers, monitor.nodes, monitor.elapsed, (whole.low, whole.high))

    def _probe(self, mover: np.uint64, other: np.uint64, monitor: Monitor) -> Probe:
        return lambda threshold: self.probe(mover, other, threshold, monitor)

    def _favourite(self, mover: np.uint64, other: np.uint64) -> int | None:
        """The action that the table holds best in a position."""
        with np.errstate(over="ignore"):  # the hash wraps around
            stored = int(find(self.table, mover, other))
        cell = int(move_of(stored))
        return None if stored == 0 or cell >= 64 else cell // 8 * self.size + cell % 8

    def _make_room(self, position: Position) -> None:
        """Take the large table when a position needs it."""
        if self._table_bits < TABLE_BITS and np.count_nonzero(position.cells() == 0) > _SMALL_EMPTIES:
            self._table_bits = TABLE_BITS
            self.table = make_table(TABLE_BITS)


def narrow(bounds: Range, probe: Probe, guess: int, changed: Callable[[], None] | None = None) -> None:
    """Search until an even score is known: at the guess, then in doubled steps away from it, then between.

    ``changed`` is called after each search.
    """
    threshold, step = guess, 2
    low, high = bounds.low, bounds.high
    while not bounds.is_exact:
        threshold = min(max(threshold, bounds.low), bounds.high - 2)
        bounds.ask(probe, threshold)
        if changed is not None:
            changed()
        if bounds.low > low and bounds.high < high:
            threshold = (bounds.low + bounds.high) // 4 * 2
        else:
            threshold += step if bounds.low > threshold else -step
            step *= 2


def boards(position: Position) -> tuple[np.uint64, np.uint64]:
    """(discs of the side to move, discs of the other) of a position of Othello."""
    discs = position.state.boards
    return discs[position.to_move], discs[1 - position.to_move]


def _negated(probe: Probe) -> Probe:
    """A search of the score after a move, asked for the side that made it; scores are even."""
    return lambda threshold: -probe(-threshold - 2)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
