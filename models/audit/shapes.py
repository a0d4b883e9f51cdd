"""Mistakes in groups of common shape.

A mistake is grouped by the move that the net should have preferred: in games of lines by how many stones it lines up
and how many of the opponent's it stops, within one line that can still be completed; in other games by the 3 x 3
cells around it, up to rotation and reflection; where moves have no cell by its name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.text import Text
from models.audit.answers import Audited
from models.strength.exams import after

LEAST_LOSS: Final = 0.1  # of a mistake where the exact answer is not known: a twentieth of the way from loss to win
EMPTY, MINE, THEIRS, OUTSIDE = range(4)
_STEPS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))

Window = tuple[int, ...]  # 9 cells, row by row


@dataclass(frozen=True)
class Shape:
    """What moves that were overlooked have in common: in words, or as the 3 x 3 cells around them."""

    words: str
    window: Window = ()


@dataclass(frozen=True)
class Group:
    """The mistakes of one shape, worst first."""

    shape: Shape
    members: tuple[Audited, ...]
    loss: float  # mean


def is_mistake(audited: Audited, net: int = 0, least: float = LEAST_LOSS) -> bool:
    """Whether the net's first move, or the search's, loses something for certain; where the exact answer is not known,
    whether the net's first move loses at least ``least`` by the search."""
    if audited.exact is not None:
        return audited.net_wrong(net) or audited.search_wrong(net)
    return audited.loss(net) >= least


def right_move(audited: Audited, net: int = 0) -> int:
    """The move that should be preferred: the search's, or where that is wrong the one of the right moves with the
    highest prior."""
    answer = audited.nets[net]
    if not audited.search_wrong(net) or audited.exact is None:
        return answer.best
    worse = audited.exact.worse
    return next((action for action in answer.actions if action not in worse), answer.best)


def groups_of(game: GameSpec, done: Sequence[Audited], net: int = 0) -> list[Group]:
    """The mistakes of a net by shape, the largest total loss first."""
    return grouped([(mistake_shape(game, audited, net), audited) for audited in done if is_mistake(audited, net)], net)


def mistake_shape(game: GameSpec, audited: Audited, net: int) -> Shape:
    """The shape by which a mistake is grouped."""
    return shape_of(after(game, audited.item.moves), right_move(audited, net))


def grouped(mistakes: Iterable[tuple[Shape, Audited]], net: int) -> list[Group]:
    """Mistakes with their shapes as groups, the largest total loss first."""
    by_shape: dict[Shape, list[Audited]] = {}
    for shape, audited in mistakes:
        by_shape.setdefault(shape, []).append(audited)
    groups = []
    for shape, members in by_shape.items():
        worst = tuple(sorted(members, key=lambda audited: (-audited.loss(net), -audited.nets[net].kl)))
        groups.append(Group(shape, worst, sum(member.loss(net) for member in members) / len(members)))
    return sorted(groups, key=lambda group: -group.loss * len(group.members))


def shape_of(position: Position, action: int) -> Shape:
    """The shape around a move."""
    game, cell = position.game, cell_of(position, action)
    if cell is None:
        return Shape(Text("the move {name}", name=game.action_name(action)))
    if game.lines is not None:
        mine, theirs = (_lined_up(position, cell, 1 + (position.to_move ^ other), game.lines.k) for other in (0, 1))
        return Shape(_line_words(mine, theirs, game.lines.k))
    return Shape("", _window(position, cell))


def cell_of(position: Position, action: int) -> int | None:
    """The cell where a move puts a stone; None where it puts none."""
    game = position.game
    if game.gravity:
        empty = np.flatnonzero(position.cells()[:, action] == 0)
        return int(empty[-1]) * game.shape[1] + action if len(empty) else None
    return action if game.moves_are_cells and action < game.num_cells else None


def _lined_up(position: Position, cell: int, stone: int, k: int) -> int:
    """The most stones that a stone at ``cell`` makes within k cells in a row free of the other side's; 0 for none."""
    cells = position.cells()
    rows, cols = cells.shape
    row, col = divmod(cell, cols)
    most = 0
    for down, right in _STEPS:
        line = []
        for i in range(1 - k, k):
            r, c = row + i * down, col + i * right
            inside = 0 <= r < rows and 0 <= c < cols
            line.append(3 if not inside else stone if i == 0 else int(cells[r, c]))
        for first in range(k):
            window = line[first : first + k]
            if all(cell_stone in (0, stone) for cell_stone in window):
                most = max(most, window.count(stone))
    return most


def _line_words(mine: int, theirs: int, k: int) -> str:
    if mine >= k:
        return Text("wins: completes {k} in a row", k=k)
    makes = Text("makes {mine} of {k}", mine=mine, k=k) if mine > 1 else Text("makes no line")
    if theirs >= k:
        return Text("{makes}, stops {k} in a row", makes=makes, k=k)
    return Text("{makes}, stops {theirs} of {k}", makes=makes, theirs=theirs, k=k) if theirs > 1 else makes


def _window(position: Position, cell: int) -> Window:
    """The 3 x 3 cells around ``cell`` for the side to move, the least of their rotations and reflections."""
    mover, cells = position.to_move + 1, position.cells()
    padded = np.full((cells.shape[0] + 2, cells.shape[1] + 2), OUTSIDE, np.int8)
    padded[1:-1, 1:-1] = np.where(cells == 0, EMPTY, np.where(cells == mover, MINE, THEIRS))
    row, col = divmod(cell, cells.shape[1])
    part = padded[row : row + 3, col : col + 3]
    turned: list[NDArray[np.int8]] = [np.rot90(view, k) for view in (part, part.T) for k in range(4)]
    return min(tuple(view.reshape(-1).tolist()) for view in turned)
