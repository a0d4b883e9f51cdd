"""What Go players see in a position: stones in atari and in ladders, eyes, what is alive for certain."""

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.go_shapes import HELD, area, chains
from core.games.grid import marked
from core.games.position import Position
from core.games.spec import Concept, Label


def _on(position: Position, actions: list[int]) -> NDArray[np.bool_]:
    marks = np.zeros(position.game.shape, np.bool_)
    marks.flat[actions] = True
    return marks


def _side(position: Position, own: bool) -> int:
    return position.to_move if own else 1 - position.to_move


def _short(own: bool, most: int, position: Position) -> Label:
    """The stones of a side whose chain has at most so many liberties."""
    side, cells = _side(position, own), position.cells()
    short = [cell for c in chains(position.state) if c.player == side and len(c.liberties) <= most for cell in c.cells]
    return marked(cells, _on(position, short), cells == side + 1)


def _caught(own: bool, position: Position) -> Label:
    """The stones of a side that a ladder catches."""
    side, cells = _side(position, own), position.cells()
    caught = [cell for c in chains(position.state) if c.player == side and c.caught for cell in c.cells]
    return marked(cells, _on(position, caught), cells == side + 1)


def _capture(position: Position) -> Label:
    """The empty points where the side to move captures."""
    side = _side(position, False)
    points = [c.liberties[0] for c in chains(position.state) if c.player == side and len(c.liberties) == 1]
    return marked(position.cells(), _on(position, points))


def _begins_ladder(position: Position) -> Label:
    """The empty points where a move of the side to move begins a ladder that catches a chain."""
    points = [cell for c in chains(position.state) if c.player != position.to_move for cell in c.catches]
    return marked(position.cells(), _on(position, points))


def _eye(own: bool, position: Position) -> Label:
    """The empty points all of whose neighbours are stones of a side; whether it is a false eye is not asked."""
    cells = position.cells()
    around = np.pad(cells == _side(position, own) + 1, 1, constant_values=True)
    eyes = around[:-2, 1:-1] & around[2:, 1:-1] & around[1:-1, :-2] & around[1:-1, 2:]
    return marked(cells, eyes)


def _alive(own: bool, position: Position) -> Label:
    """The stones of a side that live whatever the other side plays (Benson's condition)."""
    side, cells = _side(position, own), position.cells()
    return marked(cells, area(position.state) == side + 1 + HELD, cells == side + 1)


CONCEPTS: Final = (
    Concept("capture", "the side to move captures here", _capture, is_move=True),
    Concept("begins ladder", "the side to move begins a ladder here that catches stones", _begins_ladder),
    Concept("own atari", "a stone of the side to move in atari", partial(_short, True, 1)),
    Concept("their atari", "a stone of the other side in atari", partial(_short, False, 1)),
    Concept("own two liberties", "a stone of the side to move with at most two liberties", partial(_short, True, 2)),
    Concept("their two liberties", "a stone of the other side with at most two liberties", partial(_short, False, 2)),
    Concept("own ladder", "a stone of the side to move that a ladder catches", partial(_caught, True)),
    Concept("their ladder", "a stone of the other side that a ladder catches", partial(_caught, False)),
    Concept("own eye", "a point that only stones of the side to move touch", partial(_eye, True)),
    Concept("their eye", "a point that only stones of the other side touch", partial(_eye, False)),
    Concept("own alive", "a stone of the side to move that lives for certain", partial(_alive, True)),
    Concept("their alive", "a stone of the other side that lives for certain", partial(_alive, False)),
)
