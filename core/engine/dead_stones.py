"""Proposes which stones are dead where players count an ended game.  Knows no window and no protocol."""

from core.games import Position
from core.games.playouts import random_ownership


def dead_stones(position: Position) -> frozenset[int]:
    """The cells of the stones that are dead in most random games; none in a game that is not counted."""
    counting = position.game.counting
    return frozenset() if counting is None else counting.dead_stones(position, random_ownership(position))
