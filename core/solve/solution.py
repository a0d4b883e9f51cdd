"""What an exact answer looks like, and the clock a solver works against.  Knows no game."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

SLICE_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class MoveValue:
    """The worth of one move to the player who makes it.

    ``value`` -1, 0 or +1; ``distance`` the plies from before the move to the end of the game under best play, where
    the winner hurries and the loser holds out.  None is what was not found in the time given; the distance is also
    None where the game's law gives the value only (Nim of several heaps, draws of games that may end early).
    """

    action: int
    value: int | None
    distance: int | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The worth of a position to the side to move, and of each of its moves in ascending order of action.

    ``value`` and ``distance`` are those of the best move (see :class:`MoveValue`); a finished position has
    distance 0 and no moves.  ``nodes`` are positions searched, ``seconds`` the time it took.
    """

    value: int
    distance: int | None
    moves: tuple[MoveValue, ...]
    nodes: int
    seconds: float

    @property
    def best(self) -> tuple[int, ...]:
        """The moves known to keep the value and, where it is known, the distance."""
        same = [move for move in self.moves if move.value == self.value]
        return tuple(move.action for move in same if self.distance in (None, move.distance))


class Cancelled(Exception):
    """The caller wanted no more; never leaves ``core.solve``."""


class OutOfTime(Exception):
    """The seconds given are over; never leaves ``core.solve``."""


@dataclass
class Watch:
    """Asked between slices of a search: counts its nodes, reports them, ends it.

    ``should_stop`` is polled, ``progress`` is told the nodes so far, both in the solving thread.
    """

    should_stop: Callable[[], bool] | None = None
    progress: Callable[[int], None] | None = None
    seconds: float | None = None
    nodes: int = 0
    began: float = field(default_factory=time.perf_counter)

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
    """How many nodes a slice of a search takes, so that the caller is heard every SLICE_S or so."""

    nodes: int = 1000

    def follow(self, spent: float, ended: bool) -> None:
        """Learn from a slice that took ``spent`` seconds; one in which the search ended may have been short."""
        if spent > SLICE_S:
            self.nodes = max(self.nodes // 2, 100)
        elif not ended:
            self.nodes += self.nodes // 2


def solution(moves: tuple[MoveValue, ...], watch: Watch) -> Solution | None:
    """The position's worth out of its moves' worth; None when they do not settle it."""
    known = [move.value for move in moves if move.value is not None]
    if not known or (len(known) < len(moves) and max(known) < 1):
        return None
    value = max(known)
    # The distance stands only when every move that may share the value has its own.
    rivals = [move for move in moves if move.value is None or move.value == value]
    distances = [move.distance for move in rivals if move.distance is not None]
    distance = None
    if len(distances) == len(rivals):
        distance = max(distances) if value < 0 else min(distances)
    return Solution(value, distance, moves, watch.nodes, watch.elapsed)
