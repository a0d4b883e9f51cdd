"""Exact values of any game by minimax."""

from contextlib import suppress
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.dispatch import repeated
from core.games.position import Position
from core.games.spec import GameSpec
from core.solve.alphabeta import Hashing, Traits, make_run, run_slice
from core.solve.refine import Probe, Range, refine
from core.solve.slices import Monitor, OutOfTime, Pace
from core.solve.solution import MoveValue, Solution, publish, solution
from core.solve.table import make_table

TABLE_BITS: Final = 20  # 1 M buckets of two entries of 26 bytes, touched only as they are needed


class MinimaxSolver:
    """Solves positions of one game; its table is kept between them.

    ``table_bits``: the table has 2 ** table_bits buckets of two entries.
    """

    def __init__(self, game: GameSpec, table_bits: int = TABLE_BITS) -> None:
        self.game = game
        height, width = game.shape
        cells = height * width
        # A pass is a ply of its own and never follows another in a game that goes on.
        self.levels = 2 * cells + 2
        lines = game.lines is not None
        free = game.lines is not None and not game.gravity and not game.lines.exact
        self.rules = Traits(2 * cells + 4, lines, free, not lines, 5)
        # Where fouls are forbidden a player may run out of moves before the board is full.
        self._fills = lines and not game.has_fouls
        self._pace = Pace()
        self._windows = windows(game.shape, game.lines.k if game.lines is not None else 0)
        codes = np.random.default_rng(1).integers(1, 2**64, (2, 3, max(cells, 2)), np.uint64)
        self._board = Hashing(
            np.zeros((game.num_planes, height, width), np.float32),
            np.zeros(cells, np.int64),
            np.zeros(cells, np.int8),
            np.zeros(cells, np.int64),
            self._windows,
            codes,
            np.ascontiguousarray(game.cell_symmetries),
            np.ascontiguousarray(game.symmetries),
            np.argsort(game.symmetries, axis=1).astype(np.int16),
        )
        self._table = make_table(table_bits)
        self._stack = repeated(game.new_state(), self.levels)
        self._search = make_run(self.levels, game.num_actions)
        if lines:
            self._search.history[:] = _centrality(game)

    def probe(self, position: Position, threshold: int, monitor: Monitor) -> int:
        """A bound of an unfinished position's score: a lower one above ``threshold``, an upper one otherwise."""
        run = self._search
        for array, value in zip(self._stack, position.state, strict=True):
            array[0] = value
        run.alpha[0] = threshold
        search = partial(run_slice, self._stack, run, self._table, self._board, self.rules)
        return self._pace.run(search, run.control, monitor)

    def solve(self, position: Position, monitor: Monitor) -> Solution | None:
        """Solve a position as far as time allows; None when its value was not found.  Cancelled by ``monitor``."""
        if position.is_over:
            return Solution(position.returns[position.to_move], 0, (), 0, monitor.elapsed)
        # Lines with stones of both sides are dead for good.
        owners = position.cells().reshape(-1)[self._windows]
        alive = ~((owners == 1).any(axis=1) & (owners == 2).any(axis=1))
        self._board = self._board._replace(windows=np.ascontiguousarray(self._windows[alive]))
        big = self.rules.big
        moves: list[tuple[int, Range]] = []
        searches = []
        for action in position.legal_actions():
            child = position.play(action)
            if child.is_over:
                score = child.returns[child.to_move] * big
                bounds = Range(score, score)
            else:
                bounds = Range(1 - big, big - 1)
                searches.append((bounds, self._probe(child, monitor)))
            moves.append((action, bounds))

        def answers() -> tuple[MoveValue, ...]:
            return tuple(self._answer(action, bounds, position) for action, bounds in moves)

        with suppress(OutOfTime):
            refine(searches, lambda: publish(answers, monitor))
        return solution(answers(), monitor)

    def _probe(self, position: Position, monitor: Monitor) -> Probe:
        return lambda threshold: self.probe(position, threshold, monitor)

    def _answer(self, action: int, reply: Range, position: Position) -> MoveValue:
        """The value of a move from the score after it."""
        sign = reply.sign
        if sign is None:
            return MoveValue(action, None, None)
        if sign == 0:
            return MoveValue(action, 0, self.game.max_plies - position.ply if self._fills else None)
        return MoveValue(action, -sign, 1 + self.rules.big - abs(reply.low) if reply.is_exact else None)


def windows(shape: tuple[int, int], k: int) -> NDArray[np.int16]:
    """The cells of every line of k on a board of ``shape`` (rows, columns), int16 [L, k]; none for 0, int16 [0, 1]."""
    if not k:
        return np.zeros((0, 1), np.int16)
    height, width = shape
    steps = np.arange(k)
    lines = [
        (row + down * steps) * width + col + right * steps
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        for row in range(height)
        for col in range(width)
        if row + down * (k - 1) < height and 0 <= col + right * (k - 1) < width
    ]
    return np.array(lines, np.int16)


def _centrality(game: GameSpec) -> NDArray[np.int64]:
    """Initial move ordering: larger for actions nearer to the centre, int64 [A]."""
    height, width = game.shape
    if game.num_actions == width:
        return -abs(2 * np.arange(width, dtype=np.int64) + 1 - width) + width
    rows = abs(2 * np.arange(height, dtype=np.int64) + 1 - height)[:, None]
    cols = abs(2 * np.arange(width, dtype=np.int64) + 1 - width)[None, :]
    return (height + width - rows - cols).reshape(-1)
