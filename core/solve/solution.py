"""Results of the solvers, and their limits of time."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.solve.control import SEARCHED, VALUE

SOLVER_SLICE_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class MoveValue:
    """The value of one move for the player who makes it.

    ``value`` -1, 0 or +1; ``distance`` the plies from before the move to the end of the game under best play, in which
    the winner minimises and the loser maximises it.  None when not found in time; the distance is also None where only
    the value is known (Nim of several heaps, draws of games that may end early; Othello, which is played for discs).
    ``bounds`` of the score: the discs that the player of the move has more at the end, where discs decide the game.
    """

    action: int
    value: int | None
    distance: int | None
    bounds: tuple[int, int] | None = None

    @property
    def score(self) -> int | None:
        """The difference of discs at the end; None where it is not known exactly."""
        return exact_score(self.bounds)


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a position for the side to move, and of each of its moves in ascending order of action.

    ``value`` and ``distance`` are those of the best move (see :class:`MoveValue`); a finished position has
    distance 0 and no moves.  ``nodes`` are positions searched, ``seconds`` the time it took.
    """

    value: int
    distance: int | None
    moves: tuple[MoveValue, ...]
    nodes: int
    seconds: float
    bounds: tuple[int, int] | None = None

    @property
    def score(self) -> int | None:
        """The difference of discs at the end; None where it is not known exactly."""
        return exact_score(self.bounds)

    def scores(self, actions: Iterable[int]) -> dict[int, int]:
        """The differences of discs that are known of ``actions``."""
        wanted = {int(action) for action in actions}
        return {move.action: move.score for move in self.moves if move.action in wanted and move.score is not None}

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that keep the value and, where they are known, the score and the distance."""
        if self.score is not None:
            return tuple(move.action for move in self.moves if move.score == self.score)
        same = [move for move in self.moves if move.value == self.value]
        return tuple(move.action for move in same if self.distance in (None, move.distance))


def best_first(solution: Solution) -> list[MoveValue]:
    """Moves in order: by discs where they decide, else wins, shortest first; draws; losses, longest first; the rest."""

    def order(move: MoveValue) -> tuple[int, int, int]:
        if move.bounds is not None:
            return -move.bounds[1], -move.bounds[0], move.action
        distance = move.distance or 0
        if move.value is None:
            return 2, 0, move.action
        return -move.value, distance if move.value > 0 else -distance, move.action

    return sorted(solution.moves, key=order)


@dataclass(frozen=True, slots=True)
class Interim:
    """What is known while a position is still searched: bounds of its score, and the best move so far."""

    low: int
    high: int
    best: int | None
    solution: Solution | None  # as far as it goes; None before win, draw or loss is known


def exact_score(bounds: tuple[int, int] | None) -> int | None:
    """The score that bounds leave; None when they leave several."""
    return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None


class Cancelled(Exception):
    """The caller cancelled the search; never leaves ``core.solve``."""


class OutOfTime(Exception):
    """The time limit is reached; never leaves ``core.solve``."""


@dataclass
class Watch:
    """Checked between slices of a search: counts nodes, reports progress, enforces the limits.

    ``should_stop`` is polled and ``progress`` called with the nodes so far, both in the solving thread; ``interim``
    with what is known, by the solvers that find it step by step.
    """

    should_stop: Callable[[], bool] | None = None
    progress: Callable[[int], None] | None = None
    seconds: float | None = None
    nodes: int = 0
    began: float = field(default_factory=time.perf_counter)
    interim: Callable[[Interim], None] | None = None

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.began

    def check(self, nodes: int = 0) -> None:
        """Count ``nodes`` more; Cancelled or OutOfTime when the search must end."""
        self.nodes += nodes
        if self.progress is not None:
            self.progress(self.nodes)
        if self.should_stop is not None and self.should_stop():
            raise Cancelled
        if self.seconds is not None and self.elapsed >= self.seconds:
            raise OutOfTime


@dataclass
class Pace:
    """Adapts the nodes per slice of a search, so that the limits are checked about every SOLVER_SLICE_S."""

    nodes: int = 1000

    def run(self, search: Callable[[int], bool], control: NDArray[np.int64], watch: Watch) -> int:
        """Begin a search and continue it until it has finished; return its value.

        ``search`` continues it for so many nodes and returns whether it has finished; ``control`` is that of its Run.
        Cancelled or OutOfTime when ``watch`` ends it.
        """
        control[:] = 0
        counted = 0
        while True:
            began = time.perf_counter()
            ended = search(self.nodes)
            self.follow(time.perf_counter() - began, ended)
            nodes = int(control[SEARCHED])
            watch.check(nodes - counted)
            counted = nodes
            if ended:
                return int(control[VALUE])

    def follow(self, spent: float, ended: bool) -> None:
        """Adapt to a slice that took ``spent`` seconds; the last one (``ended``) may have been short."""
        if spent > SOLVER_SLICE_S:
            self.nodes = max(self.nodes // 2, 100)
        elif not ended:
            self.nodes += self.nodes // 2


def solution(moves: tuple[MoveValue, ...], watch: Watch) -> Solution | None:
    """The solution of a position from the values of its moves; None when they do not determine its value."""
    known = [move.value for move in moves if move.value is not None]
    if not known or (len(known) < len(moves) and max(known) < 1):
        return None
    value = max(known)
    # The distance is known only when those of all moves that may have the same value are.
    rivals = [move for move in moves if move.value is None or move.value == value]
    distances = [move.distance for move in rivals if move.distance is not None]
    distance = None
    if len(distances) == len(rivals):
        distance = max(distances) if value < 0 else min(distances)
    return Solution(value, distance, moves, watch.nodes, watch.elapsed)
