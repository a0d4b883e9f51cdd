"""One of the open trees of a window, and what a list shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gui.language.core_words import game_title
from gui.language.language import mark, tr
from gui.model.search_limit import IDLE, Rest
from gui.shell.previous_games import Held, is_empty
from gui.shell.session_games import GameToOpen

if TYPE_CHECKING:
    from core.files.tree_file import StoredTree
    from core.games import Position
    from gui.model.state import Searched
    from gui.shell.previous_games import ReplacedGame

MOST_TREES: Final = 20
LAST_MOVES: Final = 6  # moves of a title
SHOWN, MEMORY, DISK, NONE = "shown", "memory", "disk", "none"
PLACES: Final = {
    SHOWN: mark("shown"),
    MEMORY: mark("in memory"),
    DISK: mark("on disk"),
    NONE: mark("not searched yet"),
}
REST: Final = Rest(0, IDLE)


@dataclass(eq=False)
class OpenTree:
    """One open tree.  While it is shown, state and session have its game and search."""

    name: str = ""  # given by the user; "": it is named after game and moves
    pinned: bool = False  # goes to a file last
    searched: Searched | None = None  # None while it is shown
    tree: StoredTree | None = None  # None while the analysis has it, and if nothing was searched
    rest: Rest = REST
    seed: int = 0
    held: Held = (None, 0)  # its record, and its revision with nothing unsaved
    used: int = 0  # when it was left: the number of trees left before
    replaced: ReplacedGame | None = None  # its unsaved game among the previous ones, once it is closed

    @property
    def unsaved(self) -> bool:
        """Whether its game, which is not shown, has changes that are in no file."""
        record = None if self.searched is None else self.searched.shown.record
        return record is not None and not is_empty(record) and (record, record.revision) != self.held


@dataclass(frozen=True)
class TreeFacts:
    """What a list shows of an open tree."""

    tree: OpenTree
    title: str
    position: Position
    net: str
    simulations: int
    nodes: int
    memory: int  # bytes
    place: str  # SHOWN, MEMORY, DISK or NONE


def moves_text(position: Position, most: int = LAST_MOVES) -> str:
    """Return the last moves that led to a position: "… d d c"."""
    names = [position.game.action_name(action) for action in position.moves[-most:] if action >= 0]
    return " ".join([*(["…"] if len(position.moves) > most else []), *names])


def title_of(tree: OpenTree, position: Position) -> str:
    """Return the tree's name, or one made of its game and moves."""
    return tree.name or f"{game_title(position.game)} · {moves_text(position) or tr('start')}"


def game_of(tree: OpenTree) -> GameToOpen:
    """Return the game of a tree that is not shown."""
    searched = tree.searched
    assert searched is not None
    shown = searched.shown
    assert shown.record is not None
    found = GameToOpen(shown.record, shown.node, source=searched.source, has_source=True)
    found.settings, found.limit, found.selected = searched.settings, searched.limit, shown.selected
    found.name, found.seed = tree.name, tree.seed
    return found
