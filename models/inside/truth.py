"""Exact answers that a net's choice is compared with: the value of a position and its best moves.

Two kinds: of a solver, where the position is small enough for it; by fours, on free boards that are larger: whether the
side to move wins by a row of fours, which is proved, and by which first moves.
"""

import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from core.games import GameSpec, Position
from core.solve import Solver, refusal, threats
from core.solve.threats_lines import FIVE, FOUR, OPEN_FOUR
from core.solve.threats_win import find_win
from models.inside.sample import Stop

SOLVED: Final = "solved"
FOURS: Final = "fours"
SECONDS: Final = 10.0  # for all positions that are compared
_DEPTH: Final = 10  # moves of the attacker
_NODES: Final = 20_000  # of one search for fours


class Truth(NamedTuple):
    """The exact answer to a position, for the side to move; two are equal when nothing that was looked for differs."""

    kind: str
    """SOLVED or FOURS."""
    value: int
    """-1, 0 or +1; of FOURS +1, or 0 where it wins by no fours, which says nothing else."""
    best: frozenset[int]
    """The moves that keep the value; of FOURS those that win by fours."""

    def allows(self, move: int) -> bool | None:
        """Whether ``move`` is among the best; None where fours decide nothing."""
        return None if self.kind == FOURS and not self.best else move in self.best


class TruthFinder:
    """Finds the exact answers of positions of one game; its tables are kept between them.  Not thread-safe."""

    def __init__(self, game: GameSpec) -> None:
        self._solver = Solver(game)
        self._fours = not threats.refusal(game)

    def kind_for(self, position: Position) -> str:
        """How the position can be judged: SOLVED, FOURS, or "" where it cannot be."""
        if refusal(position) is None:
            return SOLVED
        return FOURS if self._fours else ""

    def judge(self, position: Position, kind: str, seconds: float, should_stop: Stop) -> Truth | None:
        """The exact answer of this kind; None when it was not found in time."""
        if kind == FOURS:
            return _by_fours(position, should_stop)
        solution = self._solver.solve(position, should_stop, seconds=seconds)
        if solution is None or any(move.value is None for move in solution.moves):
            return None
        best = frozenset(move.action for move in solution.moves if move.value == solution.value)
        return Truth(SOLVED, solution.value, best)

    def judge_all(
        self, positions: Sequence[Position], seconds: float = SECONDS, should_stop: Stop = lambda: False
    ) -> list[Truth | None] | None:
        """The exact answers in the way of the first; None for those not found in ``seconds`` of the clock for all.

        None in all when ``should_stop``, or the first position has no answer."""
        end = time.perf_counter() + seconds
        kind = self.kind_for(positions[0])
        found: list[Truth | None] = []
        for position in positions:
            left = end - time.perf_counter()
            judged = self.judge(position, kind, left, should_stop) if left > 0.0 and kind else None
            if should_stop() or (judged is None and not found):
                return None
            found.append(judged)
        return found


def _by_fours(position: Position, should_stop: Stop) -> Truth:
    """The moves that begin a win by fours."""
    best = frozenset[int]()
    if _wins(position, should_stop):
        side, points = position.to_move, threats.threats(position)
        best = frozenset(points.points(side, FIVE)) or frozenset(
            cell
            for kind in (OPEN_FOUR, FOUR)
            for cell in points.points(side, kind)
            if _keeps_win(position.play(cell), side, should_stop)
        )
    return Truth(FOURS, 1 if best else 0, best)


def _keeps_win(after: Position, side: int, should_stop: Stop) -> bool:
    """Whether ``side``, which has just made a four, still wins by fours."""
    points = threats.threats(after)
    completes = points.points(side, FIVE)
    if points.points(1 - side, FIVE) or not completes:
        return False
    return len(completes) > 1 or _wins(after.play(completes[0]), should_stop)


def _wins(position: Position, should_stop: Stop) -> bool:
    return find_win(position, "vcf", _DEPTH, max_nodes=_NODES, should_stop=should_stop) is not None
