"""What SGF says of a game that players counted: the result in points, and whose each point is."""

from collections.abc import Mapping
from typing import Final

from core.files.record import Node
from core.files.sgf_points import BadPoint, point, read_cells
from core.games import Position
from core.games.counting import Count

OWNERS: Final = ("TB", "TW")  # points of black and of white


def result_of(count: Count) -> str:
    """The result as ``B+3.5``, ``W+0.5`` or ``0``."""
    return f"{'B' if count.margin > 0 else 'W'}+{abs(count.margin):g}" if count.margin else "0"


def points_of(position: Position, count: Count) -> dict[str, tuple[str, ...]]:
    """The properties for the empty points and the dead stones of each owner."""
    owners, cells = count.owners.ravel(), position.cells().ravel()
    cols = position.game.shape[1]
    free = [cell for cell in range(len(owners)) if not cells[cell] or cell in count.dead]
    return {
        ident: tuple(point(cell, cols) for cell in free if owners[cell] == owner)
        for owner, ident in enumerate(OWNERS, 1)
    }


def dead_of(position: Position, node: Node) -> frozenset[int] | None:
    """The stones that lie on points of the other side, by the properties of ``node``; None where it has none."""
    properties: Mapping[str, tuple[str, ...]] = dict(node.extra)
    if not any(ident in properties for ident in OWNERS):
        return None
    cells = position.cells().ravel()
    dead: set[int] = set()
    for owner, ident in enumerate(OWNERS, 1):
        for value in properties.get(ident, ()):
            try:
                dead.update(cell for cell in read_cells(value, position.game.shape) if cells[cell] == 3 - owner)
            except BadPoint:
                continue
    counting = position.game.counting
    assert counting is not None
    return counting.chains_at(position, dead)
