"""The open record and the current place in it; signals report every change.

The current line leads from the start through the cursor to an end: at each fork it takes the move visited last, else
the main continuation.  Nothing of ``core`` is imported before a position is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.model.document import Document
from gui.model.shown import ROOT as ROOT
from gui.model.shown import PathOf as PathOf
from gui.model.shown import Shown

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.games import GameSpec, Position

TIMES_UP: Final = ("W+T", "B+T")  # results by the loser
RESIGNED: Final = ("W+R", "B+R")


class RecordState(QObject):
    """A game record with a cursor.  All changes can be undone, including played moves.

    Record, position and selection are one value, ``shown``: signals are emitted only after all of it has changed.
    """

    leaving = Signal(object)  # emitted before another Document, which it carries, is shown
    position_changed = Signal()  # the current line or the cursor changed
    game_changed = Signal()  # emitted before position_changed
    record_changed = Signal()  # moves were added, removed or reordered, anywhere in the record
    comment_changed = Signal()  # the comment at the cursor changed
    signs_changed = Signal()  # the annotation signs of moves changed
    selection_changed = Signal(object)  # PathOf

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = Document()  # the game shown, with its search
        self.signs: dict[int, str] = {}  # node -> annotation of its move, such as "?"
        self._visited: dict[int, int] = {}  # node -> its child visited last
        self._written: tuple[int, int] | None = None  # (node, revision) of the comment being edited

    # the current place

    @property
    def shown(self) -> Shown:
        return self.document.shown

    @property
    def record(self) -> GameRecord | None:
        return self.shown.record

    @property
    def node(self) -> int:
        """The record's node at the cursor."""
        return self.shown.node

    @property
    def cursor(self) -> int:
        """The number of moves of the current line up to the cursor."""
        return self.shown.cursor

    @property
    def selected(self) -> PathOf:
        """The selected path below the position; () is the position itself."""
        return self.shown.selected

    @property
    def start(self) -> Position | None:
        """The start position of the record; None until a game is open."""
        return self.record.start if self.record is not None else None

    @property
    def position(self) -> Position | None:
        """The position at the cursor; None until a game is open."""
        return self.shown.position

    @property
    def positions(self) -> list[Position]:
        """The positions of the current line from the start: [number of moves + 1]."""
        return self.shown.positions

    @property
    def game(self) -> GameSpec | None:
        return self.position.game if self.position is not None else None

    @property
    def moves(self) -> PathOf:
        """The actions of the current line, from the start to its end; below 0 where stones are set up instead."""
        return self.shown.moves

    @property
    def line(self) -> PathOf:
        """The actions from the start to the cursor; below 0 where stones are set up instead."""
        return self.moves[: self.cursor]

    @property
    def line_nodes(self) -> tuple[int, ...]:
        """The record's nodes along the current line, the root first: [number of moves + 1]."""
        return self.shown.line

    @property
    def ended_early(self) -> tuple[str, int] | None:
        """How the game ended before its end on the board, "R" or "T", and the loser; None if it did not."""
        result = self.record.info.get("result", "") if self.record is not None else ""
        for way in (TIMES_UP, RESIGNED):
            if result in way:
                return result[-1], way.index(result)
        return None

    @property
    def comment(self) -> str:
        """The comment at the cursor."""
        return self.record.node(self.node).comment if self.record is not None else ""

    # opening and moving through the record

    def show_document(self, document: Document) -> None:
        """Show another game with its search, at the place where it was left."""
        assert document.record is not None
        self.leaving.emit(document)
        changed = self.game != document.record.game
        self.document = document
        self._written, self.signs = None, {}
        self._visited = dict(pairwise(document.shown.line))
        if changed:
            self.game_changed.emit()
        self._emit_edited()
        self._moved()

    def go(self, cursor: int) -> None:
        """Show the position after the first ``cursor`` moves of the current line."""
        cursor = max(0, min(len(self.moves), cursor))
        if cursor != self.cursor:
            self._move_to(self.line_nodes[cursor])

    def go_to(self, node: int) -> None:
        """Show the position at a node of the record.  ValueError when there is no such node."""
        if self.record is not None and node != self.node:
            self._move_to(node)

    def neighbour(self, step: int) -> int | None:
        """Return the node of the variation above (-1) or below (1), at the cursor's depth or at its end; None for none.

        The variations are those at the nearest fork before the cursor that has one on that side.
        """
        record = self.record
        if record is None:
            return None
        for depth in range(self.cursor, 0, -1):
            beside = record.node(self.line_nodes[depth - 1]).children
            at = beside.index(self.line_nodes[depth]) + step
            if 0 <= at < len(beside):
                return self._along(record, beside[at])[: self.cursor - depth + 1][-1]
        return None

    def go_beside(self, step: int) -> None:
        """Go to the variation above (-1) or below (1) the current one."""
        node = self.neighbour(step)
        if node is not None:
            self._move_to(node)

    # editing

    def play(self, action: int) -> None:
        """Play a move at the cursor: a new variation unless it exists already.  Raises ``IllegalMove``."""
        self.play_line((action,))

    def play_line(self, actions: PathOf) -> None:
        """Play several moves at the cursor as one undo step; none is played when one is illegal (``IllegalMove``)."""
        if self.record is not None and actions:
            size = len(self.record)
            node = self.record.play_line(self.node, actions)
            self._move_to(node, edited=len(self.record) != size)

    def set_up(self, position: Position) -> None:
        """Set up another position at the cursor, from which the game goes on: a new variation unless it exists."""
        if self.record is not None and self.position is not None:
            from core.files.record import Setup

            size = len(self.record)
            node = self.record.set_up(self.node, Setup.between(self.position, position))
            self._move_to(node, edited=len(self.record) != size)

    def take_back(self, joined: bool = False) -> None:
        """Remove the move before the cursor from the record, with everything after it.

        If it is the end of what was played last, that is undone, so that ``redo`` plays it again, ``joined`` together
        with the move taken back before; otherwise ``undo`` restores it.
        """
        record, node = self.record, self.node
        if record is None or self.cursor == 0:
            return
        above, ends, line = record.node(node).parent, not record.node(node).children, self.line
        origin = record.undo(joined)
        if node in record or not ends:
            if origin is not None:
                record.redo()
            record.delete(node)
        elif above not in record:  # several moves were played as one step: make each a step of its own
            assert origin is not None
            at = origin
            for action in line[len(record.line(origin)) - 1 :]:
                above, at = at, record.play(at, action)
            record.undo()
        self._move_to(above, edited=True)

    def delete(self, node: int) -> None:
        """Remove a node from the record, with everything after it.  ValueError for the root."""
        if self.record is not None:
            above = self.record.delete(node)
            self._move_to(above if node in self.line_nodes[: self.cursor + 1] else self.node, edited=True)

    def promote(self, node: int) -> None:
        """Move a node's variation one place up."""
        if self.record is not None and self.record.promote(node):
            self._move_to(self.node, edited=True)

    def make_main(self, node: int) -> None:
        """Make the line through a node the main line."""
        if self.record is not None and self.record.make_main(node):
            self._move_to(self.node, edited=True)

    def set_comment(self, text: str) -> None:
        """Set the comment at the cursor.  Consecutive edits of one comment are one undo step."""
        record = self.record
        if record is None:
            return
        if self._written == (self.node, record.revision):
            record.undo()
        before = record.revision
        record.set_comment(self.node, text)
        self._written = (self.node, record.revision) if record.revision != before else None
        self.comment_changed.emit()

    def write_info(self, values: Mapping[str, str]) -> None:
        """Set the game's details such as players and date, by core.files.record.INFO_KEYS, as one undo step."""
        if self.record is not None:
            self.record.write_info(values, self.node)
            self._emit_edited()

    def settle(self, result: str, properties: Mapping[str, tuple[str, ...]]) -> None:
        """Set the game's result and what a file says of its end at the cursor, as one undo step."""
        if self.record is not None:
            self.record.settle(self.node, result, properties)
            self._emit_edited()

    def set_signs(self, signs: Mapping[int, str]) -> None:
        """Set the annotations of the current line, by move number from 1; those of other lines are kept."""
        others = {node: sign for node, sign in self.signs.items() if node not in self.line_nodes}
        self._set_signs({**others, **{self.line_nodes[ply]: sign for ply, sign in signs.items()}})

    def clear_signs(self) -> None:
        """Remove all annotations."""
        self._set_signs({})

    def _set_signs(self, signs: dict[int, str]) -> None:
        if signs != self.signs:
            self.signs = signs
            self.signs_changed.emit()

    @property
    def can_undo(self) -> bool:
        return self.record is not None and self.record.can_undo

    @property
    def can_redo(self) -> bool:
        return self.record is not None and self.record.can_redo

    def undo(self, joined: bool = False) -> None:
        """Undo the record's last change and show where it was; ``joined``: ``redo`` takes it with the one before."""
        if self.record is not None and (node := self.record.undo(joined)) is not None:
            self._move_to(node, edited=True)

    def redo(self) -> None:
        """Redo what was undone last and show where it is."""
        if self.record is not None and (node := self.record.redo()) is not None:
            self._move_to(node, edited=True)

    def _along(self, record: GameRecord, node: int) -> list[int]:
        """Return the nodes from ``node`` to the end of its line."""
        nodes = [node]
        while children := record.node(nodes[-1]).children:
            visited = self._visited.get(nodes[-1])
            nodes.append(visited if visited in children else children[0])
        return nodes

    def _move_to(self, node: int, edited: bool = False) -> None:
        """Move to a node and emit the signals; ``edited``: the record was changed before."""
        assert self.record is not None
        before, shown = self.shown, self._at(self.record, node)
        moved = (shown.node, shown.line) != (before.node, before.line)
        if moved:
            self.document.shown, self.document.only = shown, ()
        if edited:
            self._emit_edited()
        if moved:
            self._moved()

    def _at(self, record: GameRecord, node: int) -> Shown:
        """Return what is shown at a node of a record: its line, with nothing selected.  ValueError for no such node."""
        self._visited.update(pairwise(record.line(node)))
        return Shown.of(record, node, beyond=self._along(record, node))

    def _emit_edited(self) -> None:
        self.record_changed.emit()
        self.comment_changed.emit()

    def _moved(self) -> None:
        self.position_changed.emit()
        self.selection_changed.emit(self.selected)
