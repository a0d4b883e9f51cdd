"""What is shown, as one value: a node of the game record and a selected path of the search below it.

Nothing of ``core`` is imported here: the window is drawn before the engine is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.games import Position

PathOf = tuple[int, ...]  # actions from the position at the cursor
ROOT = 0  # core.files.record.ROOT, which is not loaded yet when the window is first shown


DISCS, SQUARES, RINGS = "discs", "squares", "rings"  # how the cells of a ``CellsShown`` are drawn


class CellShown(NamedTuple):
    """What is drawn at one cell."""

    cell: int  # -1 for a move without one, such as a pass
    share: float = (
        0.0  # the place of its colour on the ramp, 0 to 1; of a square also how large it is; HOLLOW: no colour
    )
    text: str = ""
    tip: str = ""  # what it says, in one line
    action: int = -1  # the move that is meant, -1 for none
    opacity: float = 1.0
    ringed: bool = False  # the first move of a line of hollow cells; else the highest of the cells
    outer: float | None = None  # of a ring, -1 to 1: how much of it is drawn, by its sign in one colour or the other
    inner: float | None = None  # of a ring within that one, 0 to 1


HOLLOW: Final = -1.0


@dataclass(frozen=True)
class CellsShown:
    """What a part of the room Inside shows of a position cell by cell; texts in the window's language."""

    position: Position
    source: object  # the net, as the source of a search
    title: str
    text: str  # what colours and figures mean
    cells: tuple[CellShown, ...] = ()
    tip: str = ""
    form: str = DISCS
    ramp: str = "share_ramp"  # a ramp of the theme
    low: str = ""  # the ends of the ramp; "", "" where it is not explained
    high: str = ""
    steps: tuple[tuple[float, str], ...] = ()  # or some places of it


@dataclass(frozen=True, eq=False)
class Shown:
    """A node of a record with the line it is on, and the selected path below it.

    It is replaced as a whole, so that readers always see a consistent position, game and selection.
    """

    record: GameRecord | None = None
    node: int = ROOT
    position: Position | None = None  # at the node; None until a game is open
    line: tuple[int, ...] = ()  # nodes from the root through the node to an end
    moves: PathOf = ()  # the actions along that line, ~n for a node n that sets up stones
    cursor: int = 0  # the number of these that lead to the node
    selected: PathOf = ()  # below the position; () is the position itself
    preview: Position | None = None  # the position at the selected path

    @classmethod
    def at(cls, position: Position) -> Shown:
        """Return the value for a position without a record."""
        return cls(position=position, preview=position)

    @classmethod
    def of(cls, record: GameRecord, node: int, selected: PathOf = (), beyond: Sequence[int] | None = None) -> Shown:
        """Return the value for a node of a record, with a path selected below it.

        The line goes on from the node along the nodes ``beyond``, itself included; None: along the main line.
        ``ValueError`` for no such node, ``IllegalMove`` when the path cannot be played.
        """
        led, position = record.line(node), record.position(node)
        line = (*led, *(record.main_line(node) if beyond is None else beyond)[1:])
        shown = cls(record, node, position, line, record.steps(line[-1]), len(led) - 1, (), position)
        return shown.select(selected) if selected else shown

    def select(self, path: PathOf) -> Shown:
        """Return a copy with another path selected.  ``IllegalMove`` when the path cannot be played."""
        assert self.position is not None
        return replace(self, selected=path, preview=position_at(self.position, path))

    @cached_property
    def positions(self) -> list[Position]:
        """The positions of the line from the start: [number of moves + 1]."""
        return [self.record.position(node) for node in self.line] if self.record is not None else []


def positions_along(position: Position, path: Iterable[int]) -> list[Position]:
    """Return the position and those after each move of a path.  ``IllegalMove`` when a move cannot be played."""
    positions = [position]
    for action in path:
        positions.append(positions[-1].play(action))
    return positions


def position_at(position: Position, path: Iterable[int]) -> Position:
    """Return the position after the moves of a path.  ``IllegalMove`` when a move cannot be played."""
    return positions_along(position, path)[-1]
