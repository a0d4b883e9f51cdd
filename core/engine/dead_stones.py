"""Proposes which stones are dead where players count an ended game: by a net's ownership, else by random games."""

from core.engine.evaluator import Evaluator
from core.engine.ownership import OwnershipReader
from core.games import Position
from core.games.playouts import random_ownership


def dead_stones(position: Position, evaluator: Evaluator | None = None) -> frozenset[int]:
    """The cells of the stones that are dead by the evaluator's ownership if it gives it, else in most random games.

    None in a game that is not counted; ValueError where the evaluator fails.
    """
    counting = position.game.counting
    if counting is None:
        return frozenset()
    if evaluator is None or not evaluator.gives_ownership:
        return counting.dead_stones(position, random_ownership(position))
    return counting.dead_stones(position, OwnershipReader(evaluator).at(_going_on(position)).points)


def agreed_margin(position: Position, evaluator: Evaluator | None = None) -> float | None:
    """Player 0's points less player 1's in an ended game that its players count, without the stones that seem dead.

    None for any other position.  ValueError where the evaluator fails.
    """
    counting = position.game.counting
    if counting is None or not position.is_agreed:
        return None
    return counting.counted(position, dead_stones(position, evaluator)).margin


def _going_on(position: Position) -> Position:
    """The position, or where that ended the game the one before its last move, a pass."""
    if not position.is_over:
        return position
    before = position.start
    for action in position.moves[:-1]:
        before = before.play(action)
    return before
