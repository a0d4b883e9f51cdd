"""Counts the ended game on the board: dead stones proposed and toggled, the board's marks, the strip, the result."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject

from gui.jobs.net_answers import DeadStonesReader
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.words import count_words, lead_words

if TYPE_CHECKING:
    from core.games import Position
    from core.games.counting import Count
    from core.glass import Snapshot
    from gui.context import Context
    from gui.rooms.board.board_figures import BoardFigures
    from gui.rooms.board.board_room import BoardRoom

_Key = tuple["Position", tuple[int, ...]]
MOST_KEPT: Final = 256  # positions whose marks are kept


class _Marks(NamedTuple):
    dead: frozenset[int]
    chosen: bool  # by the user or the record, not only proposed


_NONE: Final = _Marks(frozenset(), True)


class CountLink(QObject):
    """Keeps board, strip and title supplied with the count of the position shown, if that is counted."""

    def __init__(self, context: Context, view: BoardRoom, figures: BoardFigures) -> None:
        super().__init__(view)
        self._context, self._view, self._figures = context, view, figures
        self._marks: OrderedDict[_Key, _Marks] = OrderedDict()  # of the record
        self._asked_net: set[_Key] = set()
        self.reader = DeadStonesReader(self)
        self.reader.answered.connect(lambda answer: self._propose(*answer))
        self.reader.failed.connect(context.messages.show_error)
        figures.placed.connect(self._renew)
        context.session.snapshot_for_text.connect(self._ask_net)
        context.state.record_changed.connect(self._renew)
        context.state.leaving.connect(self._forget)
        view.count.recorded.connect(self._record)

    def _forget(self) -> None:
        self._marks.clear()
        self._asked_net.clear()

    @property
    def position(self) -> Position | None:
        """The position shown, if the record is there and its game is counted."""
        position, state = self._figures.shown, self._context.state
        if position is None or state.selected or position is not state.position:
            return None
        counting = position.game.counting
        return position if counting is not None and counting.applies(position) else None

    @property
    def count(self) -> Count | None:
        """The count of that position; None while no dead stones are proposed."""
        position = self.position
        if position is None or position.game.counting is None:
            return None
        marks = self._marks.get((position, position.moves)) if position.is_agreed else _NONE
        return None if marks is None else position.game.counting.counted(position, marks.dead)

    def toggle(self, cell: int) -> bool:
        """Mark the stones at a cell as dead or alive; False where no stones are marked."""
        position, count = self.position, self.count
        if position is None or count is None or position.game.counting is None or not position.is_agreed:
            return False
        stones = position.game.counting.chains_at(position, (cell,))
        dead = count.dead - stones if stones <= count.dead else count.dead | stones
        self._marks[position, position.moves] = _Marks(dead, True)
        self._renew()
        return True

    def _propose(self, position: Position, dead: frozenset[int]) -> None:
        marks = self._marks.get((position, position.moves))
        if marks is None or not marks.chosen:
            self._marks[position, position.moves] = _Marks(dead, False)
            while len(self._marks) > MOST_KEPT:
                self._marks.popitem(last=False)
            self._renew()

    def _ask_net(self, snapshot: Snapshot | None) -> None:
        """Ask the net for its proposal once its search is there, for the one by random games was made before."""
        position = self.position
        if position is None or snapshot is None or not snapshot.ownership or not position.is_agreed:
            return
        key = (position, position.moves)
        if key not in self._asked_net and key in self._marks and not self._marks[key].chosen:
            self._asked_net.add(key)
            self.reader.ask(position, self._context.session.analysis)

    def _renew(self) -> None:
        position, view = self.position, self._view
        if position is not None and position.is_agreed and (position, position.moves) not in self._marks:
            self._begin(position)
        count = self.count
        margin = None if count is None else count.margin
        if margin != self._figures.margin:
            self._figures.margin = margin
            self._figures.show_colours(self._context.session.snapshot)
        view.board.set_count(count)
        view.show_legend(count is None)  # an ended game has no overlay
        if position is None or count is None:
            view.count.show_count("", False)
            return
        players = kind_of(position.game.name).players
        title, winner = lead_words(count.margin, players)
        note = tr("after {ply} moves · click dead stones") if position.is_agreed else tr("after {ply} moves")
        view.player.set_position(position.game.name, winner, title, note.format(ply=position.ply))
        view.count.show_count(count_words(count, players), not self._is_recorded(position, count))

    def _begin(self, position: Position) -> None:
        """Take the dead stones that the record names, or ask for them."""
        from core.files.sgf_meaning import dead_of

        state = self._context.state
        named = dead_of(position, state.record.node(state.node)) if state.record is not None else None
        if named is not None:
            self._marks[position, position.moves] = _Marks(named, True)
        else:
            self.reader.ask(position, self._context.session.analysis)

    def _is_recorded(self, position: Position, count: Count) -> bool:
        from core.files.sgf_meaning import points_of, result_of

        state = self._context.state
        if state.record is None:
            return True
        recorded = dict(state.record.node(state.node).extra)
        same = all(recorded.get(ident, ()) == values for ident, values in points_of(position, count).items())
        return same and state.record.info.get("result") == result_of(count)

    def _record(self) -> None:
        from core.files.sgf_meaning import points_of, result_of

        position, count = self.position, self.count
        if position is not None and count is not None:
            self._context.state.settle(result_of(count), points_of(position, count))
