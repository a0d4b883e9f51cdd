"""Exact answers that a net's choice is compared with: the value of a position and its best moves.

Three kinds: of a solver, where the position is small enough for it; by fours, on free boards that are larger: whether
the side to move wins by a row of fours, which is proved, and by which first moves; what a search has proved of the
position that it began at, which says nothing of any other position.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from core.games import GameSpec, Position
from core.glass.snapshot import NodeView
from core.search.proofs import UNPROVED, WIN, exact_value
from core.solve import Solver, refusal, threats
from core.solve.threats_lines import FIVE, FOUR, OPEN_FOUR
from core.solve.threats_win import find_win
from models.inside.sample import Stop

SOLVED: Final = "solved"
FOURS: Final = "fours"
PROVED: Final = "proved"
SECONDS: Final = 10.0  # for all positions that are compared
_DEPTH: Final = 10  # moves of the attacker
_NODES: Final = 20_000  # of one search for fours


class Truth(NamedTuple):
    """The exact answer to a position, for the side to move; two are equal when nothing that was looked for differs."""

    kind: str
    """SOLVED, FOURS or PROVED."""
    value: int
    """-1, 0 or +1; of FOURS +1, or 0 where it wins by no fours, which says nothing else."""
    best: frozenset[int]
    """The moves that keep the value; of FOURS those that win by fours."""
    unproved: frozenset[int] = frozenset()
    """Of PROVED: the moves of which it is not proved whether they keep the value."""

    def allows(self, move: int) -> bool | None:
        """Whether ``move`` is among the best; None where fours decide nothing, or the search has not proved it."""
        unknown = move in self.unproved or (self.kind == FOURS and not self.best)
        return None if unknown else move in self.best


def proved_truth(root: NodeView) -> Truth | None:
    """What a search has proved of the position that it began at, of kind SOLVED where the proofs are the solver's; None
    where nothing is proved of the value of all its moves."""
    if root.proof == UNPROVED or (root.left_out and root.proof != WIN):  # moves that are not searched may be better
        return None
    of_proof: dict[int, set[int]] = {}
    for action, proof in zip(root.actions.tolist(), root.proofs.tolist(), strict=True):
        of_proof.setdefault(proof, set()).update((action, *root.same.get(action, ())))
    unproved = frozenset(of_proof.get(UNPROVED, set()) | root.left_out.keys())
    best = frozenset(of_proof.get(root.proof, set()))
    kind = SOLVED if root.solved and not unproved else PROVED
    return Truth(kind, int(exact_value(root.proof)), best, unproved)


class TruthFinder:
    """Finds the exact answers of positions of one game; its tables are kept between them.  Not thread-safe."""

    def __init__(self, game: GameSpec, clock: Callable[[], float] = time.perf_counter) -> None:
        """``clock``: gives the time in seconds, by which the seconds that are allowed are counted."""
        self._clock = clock
        self._solver = Solver(game)
        self._fours = not threats.refusal(game)

    def kind_for(self, position: Position) -> str:
        """How the position can be judged: SOLVED, FOURS, or "" where it cannot be."""
        if refusal(position) is None:
            return SOLVED
        return FOURS if self._fours else ""

    def judge(self, position: Position, kind: str, seconds: float, should_stop: Stop) -> Truth | None:
        """The exact answer of this kind; None when it was not found in ``seconds``, or ``should_stop``."""
        if kind == FOURS:
            return self._by_fours(position, seconds, should_stop)
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
        end = self._clock() + seconds
        kind = self.kind_for(positions[0])
        found: list[Truth | None] = []
        for position in positions:
            left = end - self._clock()
            judged = self.judge(position, kind, left, should_stop) if left > 0.0 and kind else None
            if should_stop() or (judged is None and not found):
                return None
            found.append(judged)
        return found

    def _by_fours(self, position: Position, seconds: float, should_stop: Stop) -> Truth | None:
        """Whether the side to move wins by fours, and by which first moves; None when it was not found in time."""
        end, gave_up = self._clock() + seconds, False

        def gives_up() -> bool:
            nonlocal gave_up
            gave_up = gave_up or should_stop() or self._clock() >= end
            return gave_up

        best = _moves_by_fours(position, gives_up)
        return None if gave_up else Truth(FOURS, 1 if best else 0, best)


def _moves_by_fours(position: Position, gives_up: Stop) -> frozenset[int]:
    """The moves that begin a win by fours; some or none of them once ``gives_up`` says so."""
    if not _wins(position, gives_up):
        return frozenset()
    side, points = position.to_move, threats.threats(position)
    return frozenset(points.points(side, FIVE)) or frozenset(
        cell
        for kind in (OPEN_FOUR, FOUR)
        for cell in points.points(side, kind)
        if _keeps_win(position.play(cell), side, gives_up)
    )


def _keeps_win(after: Position, side: int, gives_up: Stop) -> bool:
    """Whether ``side``, which has just made a four, still wins by fours."""
    points = threats.threats(after)
    completes = points.points(side, FIVE)
    if points.points(1 - side, FIVE) or not completes:
        return False
    return len(completes) > 1 or _wins(after.play(completes[0]), gives_up)


def _wins(position: Position, gives_up: Stop) -> bool:
    return find_win(position, "vcf", _DEPTH, max_nodes=_NODES, should_stop=gives_up) is not None
