"""The record that is open and the place in it that is looked at; every change is told.  Knows no widget, no search.

The current line goes from the start through the cursor on to an end: at each fork by the move last looked at, else by
the main continuation.  Nothing of ``core`` is imported before a position is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.model.shown import ROOT as ROOT
from gui.model.shown import PathOf as PathOf
from gui.model.shown import Shown

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.games import GameSpec, Position


class RecordState(QObject):
    """A game record with a cursor.  Its changes can all be undone, playing a move among them.

    Record, position and selection are one value, ``shown``: every signal comes after all of it has changed."""

    position_changed = Signal()  # the current line or the cursor
    game_changed = Signal()  # emitted before position_changed
    record_changed = Signal()  # moves came, went or changed places, anywhere in the record
    comment_changed = Signal()  # what is said at the cursor
    judged = Signal()  # the signs of moves
    selection_changed = Signal(object)  # PathOf

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = Shown()
        self.signs: dict[int, str] = {}  # node -> how its move was judged, such as "?"
        self._visited: dict[int, int] = {}  # node -> the node after it that was looked at last
        self._written: tuple[int, int] | None = None  # (node, revision) of the comment being written

    # what is looked at

    @property
    def record(self) -> GameRecord | None:
        return self.shown.record

    @property
    def node(self) -> int:
        """The record's node at the cursor."""
        return self.shown.node

    @property
    def cursor(self) -> int:
        """How many moves of the current line are on the board."""
        return self.shown.cursor

    @property
    def selected(self) -> PathOf:
        """The path below the position that is looked at; () is the position itself."""
        return self.shown.selected

    @property
    def start(self) -> Position | None:
        """The position the record begins with; None until a game is open."""
        return self.record.start if self.record is not None else None

    @property
    def position(self) -> Position | None:
        """The position at the cursor; None until a game is open."""
        return self.shown.position

    @property
    def positions(self) -> list[Position]:
        """Those of the current line, from the start on: [number of moves + 1]."""
        return self.shown.positions

    @property
    def game(self) -> GameSpec | None:
        return self.position.game if self.position is not None else None

    @property
    def moves(self) -> PathOf:
        """The actions of the current line, from the start to its end."""
        return self.shown.moves

    @property
    def line(self) -> PathOf:
        """The actions from the start to the cursor."""
        return self.moves[: self.cursor]

    @property
    def line_nodes(self) -> tuple[int, ...]:
        """The record's nodes along the current line, the root first: [number of moves + 1]."""
        return self.shown.line

    @property
    def comment(self) -> str:
        """What is said at the cursor."""
        return self.record.node(self.node).comment if self.record is not None else ""

    # opening and walking

    def open_record(self, record: GameRecord, node: int = ROOT) -> None:
        """Show a record at one of its nodes."""
        changed = self.game != record.game
        self._written, self.signs = None, {}
        self._visited.clear()
        self._show(self._at(record, node))
        if changed:
            self.game_changed.emit()
        self._tell_edited()
        self._moved()

    def go(self, cursor: int) -> None:
        """Show the position after so many moves of the current line."""
        cursor = max(0, min(len(self.moves), cursor))
        if cursor != self.cursor:
            self._stand(self.line_nodes[cursor])

    def go_to(self, node: int) -> None:
        """Show the position at a node of the record.  ValueError when it has no such node."""
        if self.record is not None and node != self.node:
            self._stand(node)

    def neighbour(self, step: int) -> int | None:
        """The node of the variation above (-1) or below (1), as far on as the cursor is or to its end; None for none.

        The variations are those of the nearest fork before the cursor that has one on that side."""
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
            self._stand(node)

    # changes

    def play(self, action: int) -> None:
        """Play a move at the cursor: a new variation unless it is there already.  Raises ``IllegalMove``."""
        self.play_line((action,))

    def play_line(self, actions: PathOf) -> None:
        """Play several moves at the cursor as one step; none is played when one is illegal (``IllegalMove``)."""
        if self.record is not None and actions:
            size = len(self.record)
            node = self.record.play_line(self.node, actions)
            self._stand(node, edited=len(self.record) != size)

    def take_back(self) -> None:
        """Take the move before the cursor out of the record, with all that follows it.

        When it ends what was played last, that is undone, so that ``redo`` plays it again; otherwise ``undo`` brings
        it back."""
        record, node = self.record, self.node
        if record is None or self.cursor == 0:
            return
        above, ends, line = record.node(node).parent, not record.node(node).children, self.line
        origin = record.undo()
        if node in record or not ends:
            if origin is not None:
                record.redo()
            record.delete(node)
        elif above not in record:  # several moves were played as one step: make a step of each
            assert origin is not None
            at = origin
            for action in line[len(record.path(origin)) :]:
                above, at = at, record.play(at, action)
            record.undo()
        self._stand(above, edited=True)

    def delete(self, node: int) -> None:
        """Take a node out of the record, with all that follows it.  ValueError for the root."""
        if self.record is not None:
            above = self.record.delete(node)
            self._stand(above if node in self.line_nodes[: self.cursor + 1] else self.node, edited=True)

    def promote(self, node: int) -> None:
        """Move the variation of a node one place up."""
        if self.record is not None and self.record.promote(node):
            self._stand(self.node, edited=True)

    def make_main(self, node: int) -> None:
        """Make the line that leads to a node the main line."""
        if self.record is not None and self.record.make_main(node):
            self._stand(self.node, edited=True)

    def set_comment(self, text: str) -> None:
        """Say something at the cursor.  All that is written there in one go is one change."""
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
        """Say who played, when and the like, by core.files.record.INFO_KEYS, as one change."""
        if self.record is not None:
            self.record.write_info(values, self.node)
            self._tell_edited()

    def judge(self, signs: Mapping[int, str]) -> None:
        """How moves of the current line were judged, by their number from 1 on; those of other lines stay judged."""
        others = {node: sign for node, sign in self.signs.items() if node not in self.line_nodes}
        self._judge({**others, **{self.line_nodes[ply]: sign for ply, sign in signs.items()}})

    def forget_signs(self) -> None:
        """No move is judged any more."""
        self._judge({})

    def _judge(self, signs: dict[int, str]) -> None:
        if signs != self.signs:
            self.signs = signs
            self.judged.emit()

    @property
    def can_undo(self) -> bool:
        return self.record is not None and self.record.can_undo

    @property
    def can_redo(self) -> bool:
        return self.record is not None and self.record.can_redo

    def undo(self) -> None:
        """Take the last change of the record back and show where it was."""
        if self.record is not None and (node := self.record.undo()) is not None:
            self._stand(node, edited=True)

    def redo(self) -> None:
        """Make the change that was taken back again and show where it is."""
        if self.record is not None and (node := self.record.redo()) is not None:
            self._stand(node, edited=True)

    def _along(self, record: GameRecord, node: int) -> list[int]:
        """The nodes from ``node`` on to the end of its line."""
        nodes = [node]
        while children := record.node(nodes[-1]).children:
            visited = self._visited.get(nodes[-1])
            nodes.append(visited if visited in children else children[0])
        return nodes

    def _stand(self, node: int, edited: bool = False) -> None:
        """Look at a node; ``edited``: the record was changed before."""
        assert self.record is not None
        before, shown = self.shown, self._at(self.record, node)
        moved = (shown.node, shown.line) != (before.node, before.line)
        if moved:
            self._show(shown)
        if edited:
            self._tell_edited()
        if moved:
            self._moved()

    def _at(self, record: GameRecord, node: int) -> Shown:
        """What is shown at a node of a record: its line, with nothing selected.  ValueError for no such node."""
        led = record.line(node)
        self._visited.update(pairwise(led))
        line = (*led, *self._along(record, node)[1:])
        position = record.position(node)
        return Shown(record, node, position, line, record.path(line[-1]), len(led) - 1, (), position)

    def _show(self, shown: Shown) -> None:
        """Hook: a subclass may drop what belongs to the position shown before."""
        self.shown = shown

    def _tell_edited(self) -> None:
        self.record_changed.emit()
        self.comment_changed.emit()

    def _moved(self) -> None:
        self.position_changed.emit()
        self.selection_changed.emit(self.selected)
