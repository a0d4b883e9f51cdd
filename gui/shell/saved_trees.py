"""The open trees as games of a session file, and those of a file as open trees."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.text import Text
from gui.language.language import mark
from gui.model.search_limit import IDLE, Rest
from gui.model.state import AppState
from gui.shell.open_tree import MOST_TREES, REST, OpenTree
from gui.shell.session_games import GameToOpen, GameToSave, saved_game

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.files.session import TreeRoom
    from gui.context import Context
    from gui.shell.filing import Filing
    from gui.shell.open_trees import OpenTrees


class SavedTrees:
    """What opening and saving files needs of the open trees (gui.shell.filing.Others)."""

    def __init__(self, trees: OpenTrees, context: Context, filing: Filing) -> None:
        self._trees, self._state, self._messages = trees, context.state, context.messages
        filing.written.connect(self._written)
        filing.others = self

    @property
    def name(self) -> str:
        return self._trees.shown.name

    @property
    def room(self) -> TreeRoom:
        from core.files.session import TreeRoom

        return TreeRoom(max(0, self._trees.most_memory - self._trees.memory), self._trees.folder)

    def to_save(self) -> tuple[list[GameToSave], int]:
        found = []
        for one in self._trees.trees:
            if one.searched is not None:
                searches = () if one.tree is None else (one.tree,)
                found.append(GameToSave(saved_game(one.searched, one.name, one.seed, searches), one.searched.source))
        return found, self._trees.trees.index(self._trees.shown)

    def revisions(self) -> list[tuple[GameRecord, int]]:
        records = [one.searched.shown.record for one in self._trees.trees if one.searched is not None]
        return [(record, record.revision) for record in records if record is not None]

    def _written(self, record: GameRecord, revision: int) -> None:
        for one in self._trees.trees:
            if one.searched is not None and one.searched.shown.record is record:
                one.held = record, revision

    def add(self, found: GameToOpen) -> None:
        self._trees.shown.name = found.name
        if not found.others:
            self._trees.changed.emit()
            return
        at = self._trees.trees.index(self._trees.shown)
        room = MOST_TREES - len(self._trees.trees)
        if room < len(found.others):
            words = mark("At most {most} trees are open at a time: {left} of the file are left out.")
            self._messages.show_error(Text(words, most=MOST_TREES, left=len(found.others) - room))
        for number, other in enumerate(found.others[:room]):
            self._trees.trees.insert(at + number + (number >= found.place), self._to_tree(other))
        self._trees.make_room()

    def _to_tree(self, found: GameToOpen) -> OpenTree:
        state = AppState()  # it makes what is shown of a game
        state.settings, state.limit = self._state.settings, self._state.limit
        state.open_game(found.record, found.node, found.source, found.settings, found.limit, selected=found.selected)
        searched, kept = state.searched, found.tree
        if kept is not None:
            searched = replace(searched, only=kept.only)
        rest = REST if kept is None else Rest(kept.simulations, IDLE)
        held = (None, 0) if found.unsaved else (found.record, found.record.revision)
        return OpenTree(found.name, False, searched, kept, rest, found.seed or 0, held)
