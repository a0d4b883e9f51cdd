"""Results of the solvers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.solve.slices import Monitor


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
        chosen = {int(action) for action in actions}
        return {move.action: move.score for move in self.moves if move.action in chosen and move.score is not None}

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
    """What is known while a position is still searched.

    ``known`` of its ``moves`` have a value.  Where discs decide the game: ``bounds`` of the score, and the move that is
    ``best`` so far.
    """

    moves: int
    known: int
    solution: Solution | None  # as far as it goes; None before win, draw or loss is known
    bounds: tuple[int, int] | None = None
    best: int | None = None


def exact_score(bounds: tuple[int, int] | None) -> int | None:
    """The score that bounds leave; None when they leave several."""
    return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None


def publish(known_moves: Callable[[], tuple[MoveValue, ...]], monitor: Monitor) -> None:
    """Pass on what is known of the moves of a position that is still searched, where somebody wants to know."""
    if monitor.interim is not None:
        moves = known_moves()
        known = sum(move.value is not None for move in moves)
        monitor.interim(Interim(len(moves), known, solution(moves, monitor)))


def solution(moves: tuple[MoveValue, ...], monitor: Monitor) -> Solution | None:
    """The solution of a position from the values of its moves; None when they do not determine its value."""
    values = [move.value for move in moves if move.value is not None]
    if not values or (len(values) < len(moves) and max(values) < 1):
        return None
    value = max(values)
    # The distance is known only when those of all moves that may have the same value are.
    rivals = [move for move in moves if move.value is None or move.value == value]
    distances = [move.distance for move in rivals if move.distance is not None]
    distance = None
    if len(distances) == len(rivals):
        distance = max(distances) if value < 0 else min(distances)
    return Solution(value, distance, moves, monitor.nodes, monitor.elapsed)
