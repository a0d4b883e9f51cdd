"""One document: a game with all that belongs to its search, and what of it is in a file.

Nothing of ``core`` is imported before a game is open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from core.text import Words
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.model import sources
from gui.model.shown import ROOT, PathOf, Shown

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.record import GameRecord
    from core.files.session import SavedGame
    from core.files.tree_file import StoredTree
    from core.games import Position
    from core.glass.turns import Turn
    from core.search import SearchSettings

BOUNDED, UNBOUNDED, IDLE = "bounded", "unbounded", "idle"  # how far positions are searched (gui.model.search_limit)
DEFAULT_LIMIT: Final = 1000  # simulations of the automatic search of a new position
LAST_MOVES: Final = 6  # moves of a title
_NEVER: Final = -1  # a revision that no record has
SHOWN, MEMORY, DISK, NONE, CLOSED = "shown", "memory", "disk", "none", "closed"
PLACES: Final[dict[str, Words]] = {
    SHOWN: "shown",
    MEMORY: "in memory",
    DISK: "on disk",
    NONE: "not searched yet",
    CLOSED: "closed",
}


class TraceFaults(NamedTuple):
    """The faults of another program's search, the tree that they are of, and where it was read."""

    marks: tuple[Turn, ...]
    position: Position
    settings: SearchSettings
    seed: int
    simulations: int  # in the trace
    program: str
    file: str


class Lock(NamedTuple):
    """A position that is analysed while others are shown."""

    position: Position
    only: PathOf  # the moves searched there; () for all
    node: int  # of the record


@dataclass(eq=False)
class Document:
    """A game and its search.

    ``AppState.document`` is the one shown, which changes with all that is done; the others are as they were left.
    """

    shown: Shown = field(default_factory=Shown)  # the record, its node, the line through it and the selected path
    source: EvaluatorSource | None = None  # what evaluates positions; None: random rollouts
    settings: SearchSettings | None = None  # None: those in use when it is shown
    limit: int = DEFAULT_LIMIT  # simulations of each new position; 0: those in use when it is shown
    only: PathOf = ()  # the moves searched at the node, ascending; () for all
    seed: int = 0  # of its searches; another one makes a new tree
    name: str = ""  # given by the user; "": it is named after game and moves
    pinned: bool = False  # whether its tree goes to a file last
    tree: StoredTree | None = None  # None while the analysis has it, and if nothing was searched
    mode: str = ""  # how the search goes on when it is shown again; "" while it is shown, or was not shown yet
    lock: Lock | None = None  # what is analysed while other positions are shown
    faults: TraceFaults | None = None  # of the trace that its tree was read from
    human: sources.NetSource | None = (
        None  # a net beside the source that imitates players of a rank; None: there is none
    )
    last_shown: int = 0  # how often another document had been shown when it last was
    saved: int = field(default=_NEVER, init=False)  # the record's revision that lacks no change; see ``unsaved``

    def __post_init__(self) -> None:
        self.mark_saved()

    @property
    def record(self) -> GameRecord | None:
        return self.shown.record

    @property
    def position(self) -> Position | None:
        """The position at its node; None before a game is open."""
        return self.shown.position

    @property
    def title(self) -> str:
        """Its name, or one made of its game and moves."""
        if self.name or self.position is None:
            return self.name
        return f"{game_title(self.position.game)} · {moves_text(self.position) or tr('start')}"

    @property
    def simulations(self) -> int:
        """Simulations of the tree kept of the position that is analysed; 0: there is none."""
        analysed = self.position if self.lock is None else self.lock.position
        return self.tree.simulations if self.tree is not None and self.tree.position == analysed else 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was played, written or set up."""
        record = self.record
        if record is None:
            return True
        root = record.node(ROOT)
        described = root.comment or root.marks or root.extra or record.info
        return len(record) == 1 and record.start == record.game.initial() and not described

    @property
    def trace(self) -> TraceFaults | None:
        """The trace that its tree was read from, while that is its tree; else None."""
        faults = self.faults
        return faults if faults is not None and (self.position, self.settings, self.seed) == faults[1:4] else None

    @property
    def marked_faults(self) -> tuple[Turn, ...]:
        """The faults of its tree, while that is the one of the trace."""
        return () if self.trace is None else self.trace.marks

    # what of it is in a file

    @property
    def unsaved(self) -> bool:
        """Whether it was played, edited or set up here and has changes that are in no file."""
        return self.record is not None and self.record.revision != self.saved and not self.is_empty

    def mark_saved(self) -> None:
        """Mark it as one of which nothing is lost, as it is now."""
        self.saved = _NEVER if self.record is None else self.record.revision

    def mark_unsaved(self) -> None:
        """Mark it as one that no file has."""
        self.saved = _NEVER

    def to_save(self, tree: StoredTree | None = None) -> SavedGame:
        """Return it as a session file has it, with a copy of its record, and perhaps with a tree."""
        from core.files.session import SavedGame

        assert self.record is not None
        return SavedGame(
            self.record.copy(),
            self.shown.node,
            self.settings,
            sources.source_text(self.source),
            self.limit,
            () if tree is None else (tree,),
            self.name,
            self.seed,
            self.shown.selected,
            getattr(self.source, "profile", ""),
            sources.source_text(self.human),
            "" if self.human is None else self.human.profile,
        )


@dataclass(frozen=True)
class DocumentFacts:
    """What a list shows of a document."""

    document: Document
    title: str
    position: Position
    net: str
    simulations: int = 0
    nodes: int = 0
    memory: int = 0  # bytes
    place: str = NONE  # where its tree is: a key of PLACES


def moves_text(position: Position, most: int = LAST_MOVES) -> str:
    """Return the last moves that led to a position: "… d d c"."""
    names = [position.game.action_name(action) for action in position.moves[-most:] if action >= 0]
    return " ".join([*(["…"] if len(position.moves) > most else []), *names])
