"""The state of the window: game, record, source, settings, choices.

Positions, games and settings come from ``core`` as values; nothing that loads the engine is imported here, so that the
window can be drawn before.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from gui.model.document import Document
from gui.model.record import PathOf as PathOf
from gui.model.record import RecordState
from gui.model.shown import CellsShown, Shown
from gui.model.sources import fitting

if TYPE_CHECKING:
    from types import EllipsisType

    from core.engine import EvaluatorSource
    from core.files.record import GameRecord
    from core.games import Position
    from core.search import SearchSettings
    from core.solve import Solution
    from gui.model.sources import NetSource

    Solutions: TypeAlias = OrderedDict[Position, Solution]

INSIDE_OVERLAY = "inside"  # its name, of gui.widgets.board.overlays
QUICK_GAMES = (
    "connect4",
    "connect4(rows=7, cols=8)",
    "tictactoe",
    "connectn(rows=4, cols=4, k=3)",
    "gomoku",
    "gomoku(size=9)",
    "gomoku(rule=renju)",
    "othello",
    "go(size=9)",
    "go",
    "nim(heaps=3-4-5)",
)


@dataclass(frozen=True, eq=False)
class SettingsChange:
    """A change of the search's settings by the user, for undo and redo; flat Monte Carlo changes the source, too."""

    before: tuple[EvaluatorSource | None, SearchSettings | None]
    after: tuple[EvaluatorSource | None, SearchSettings | None]
    place: int  # how many changes of the record could be undone when it was made


class AppState(RecordState):
    """A record with its cursor, and the user's choices; each change emits one signal."""

    solved = Signal()  # a position was solved, or is being solved: see ``solutions``
    search_changed = Signal()  # source, settings, limit or the moves searched changed
    human_changed = Signal()  # the human net, or the players that it imitates
    overlay_changed = Signal(str)
    coordinates_changed = Signal(bool)
    numbers_changed = Signal(bool)
    move_asked = Signal(str)  # a move by its name: the tree is asked where it occurs
    outside_changed = Signal()  # another engine names another line
    cells_changed = Signal()  # the room Inside shows something else cell by cell

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.overlay = "visits"  # a name of gui.widgets.board.overlays
        self.overlay_before = ""  # to which Esc leads back while the one chosen is worked out; "" while it is not
        self.coordinates = True
        self.solutions: Solutions = OrderedDict()  # exact results, as they become known
        self.numbers = False  # whether move numbers are shown on the stones
        self.cells: CellsShown | None = None  # what the overlay of the room Inside shows; None: it is not offered
        self._offers: dict[str, tuple[bool, CellsShown]] = {}  # by those who offer them, the latest one last
        self._overlay_before_inside = self.overlay
        self._outside: tuple[Position, PathOf] | None = None  # what another engine names, and where
        self._changes: list[SettingsChange] = []  # what can be undone, the last one last
        self._undone: list[SettingsChange] = []  # what can be redone, the next one last

    # the record

    def open_position(
        self, position: Position, source: EvaluatorSource | EllipsisType | None = ..., seed: int | None = None
    ) -> None:
        """Open a new record: the position with the moves that led to it; see ``open_game``."""
        from core.files.record import GameRecord

        record = GameRecord.of(position)
        self.open_game(record, record.main_line()[-1], source, seed)

    def open_game(
        self,
        record: GameRecord,
        node: int,
        source: EvaluatorSource | EllipsisType | None = ...,
        seed: int | None = None,
    ) -> None:
        """Open a record at one of its nodes; ``source`` and ``seed`` replace the current ones."""
        source = self.source if source is ... else source
        shown, settings = Shown.of(record, node), self._settings_for(source)
        seed = self.document.seed if seed is None else seed
        beside = self.human if self.game is not None and self.game.name == record.game.name else None
        self.show_document(Document(shown, source, settings, self.limit, seed=seed, human=beside))

    def show_document(self, document: Document) -> None:
        if document.settings is None:
            document.settings = self._settings_for(document.source)
        document.limit = document.limit or self.limit
        self._forget_changes()
        before = self.human
        super().show_document(document)
        if self.human != before:
            self.human_changed.emit()

    # the search

    @property
    def source(self) -> EvaluatorSource | None:
        """What evaluates positions: a net, uniform or (None) rollouts."""
        return self.document.source

    @property
    def settings(self) -> SearchSettings | None:
        """The settings of the search; None until the engine is loaded."""
        return self.document.settings

    @property
    def limit(self) -> int:
        """Simulations of the automatic search of a new position."""
        return self.document.limit

    @property
    def only(self) -> PathOf:
        """The moves searched at the cursor, ascending; () for all."""
        return self.document.only

    @property
    def human(self) -> NetSource | None:
        """The net beside the source that imitates players of a rank; None: there is none."""
        return self.document.human

    def set_human(self, human: NetSource | None) -> None:
        """Set the human net, with the players that it imitates; None: none."""
        if human != self.human:
            self.document.human = human
            self.human_changed.emit()

    def set_source(self, source: EvaluatorSource | None) -> None:
        """Set the evaluator source: a net, uniform or (None) rollouts."""
        if source != self.source:
            self._take_source(source)
            self.search_changed.emit()

    def _take_source(self, source: EvaluatorSource | None) -> None:
        """Set the source, and the settings that fit it."""
        self._forget_changes()
        self.document.settings = self._settings_for(source)
        self.document.source = source

    def _settings_for(self, source: EvaluatorSource | None) -> SearchSettings | None:
        """Return the settings for a source: when it changes between rollouts and nets, with a rule that suits it."""
        kind_changes = self.record is None or (source is None) != (self.source is None)
        if self.settings is not None and kind_changes:
            return fitting(self.settings, source)
        return self.settings

    def set_settings(self, settings: SearchSettings) -> None:
        """Set the settings of the search; flat Monte Carlo, which plays random games, replaces a net by them."""
        if settings != self.settings:
            self._forget_changes()
            self._search_with(self._source_for(settings), settings)

    def change_settings(self, settings: SearchSettings) -> None:
        """Set the settings as a change by the user, which can be undone."""
        if self.record is not None and settings != self.settings:
            before, after = (self.source, self.settings), (self._source_for(settings), settings)
            self._changes.append(SettingsChange(before, after, self.record.changes))
            self._undone.clear()
            self._search_with(*after)

    def _source_for(self, settings: SearchSettings) -> EvaluatorSource | None:
        return None if settings.selection == "flat" else self.source

    def _search_with(self, source: EvaluatorSource | None, settings: SearchSettings | None) -> None:
        self.document.source, self.document.settings = source, settings
        self.search_changed.emit()

    def _forget_changes(self) -> None:
        """Undo no change of settings made before another game, net or lesson."""
        self._changes.clear()
        self._undone.clear()

    # undo: the changes of the settings in one order with those of the record

    @property
    def can_undo(self) -> bool:
        return bool(self._changes) or super().can_undo

    @property
    def can_redo(self) -> bool:
        return bool(self._undone) or super().can_redo

    def undo_settings(self) -> bool:
        """Undo the last change if it was one of the settings; return whether it was."""
        if self.record is None or not self._changes or self._changes[-1].place < self.record.changes:
            return False
        change = self._changes.pop()
        self._undone.append(change)
        self._search_with(*change.before)
        return True

    def redo_settings(self) -> bool:
        """Redo the change undone last if it was one of the settings; return whether it was."""
        if self.record is None or not self._undone or self._undone[-1].place > self.record.changes:
            return False
        change = self._undone.pop()
        self._changes.append(change)
        self._search_with(*change.after)
        return True

    def redo(self) -> None:
        undone = self._undone[:]
        super().redo()
        self._undone = undone

    def _emit_edited(self) -> None:
        if self.record is not None and not self.record.can_redo:  # something new was done, or all was redone
            self._undone.clear()
        super()._emit_edited()

    def set_limit(self, simulations: int) -> None:
        if simulations != self.limit:
            self.document.limit = simulations
            self.search_changed.emit()

    def restrict(self, actions: PathOf) -> None:
        """Search only these moves at the cursor until it moves; () or all moves for no restriction."""
        legal = self.position.legal_actions() if self.position is not None else ()
        chosen = tuple(action for action in legal if action in actions)
        only = () if chosen == legal else chosen
        if only != self.only:
            self.document.only = only
            self.search_changed.emit()

    # display

    def set_overlay(self, overlay: str) -> None:
        if overlay != self.overlay:
            if overlay == INSIDE_OVERLAY:
                self._overlay_before_inside = self.overlay
            self.overlay = overlay
            self.overlay_changed.emit(overlay)

    def offer_cells(self, by: str, cells: CellsShown | None, first: bool = False) -> None:
        """Offer the board what ``by`` shows of the net; None: nothing, and the overlay before that comes back when
        nobody offers anything.  The board has the latest, of those that come ``first`` where there are such."""
        self._offers.pop(by, None)
        if cells is not None:
            self._offers[by] = first, cells
        offers = sorted(self._offers.values(), key=lambda offer: offer[0])
        cells = offers[-1][1] if offers else None
        if cells != self.cells:
            self.cells = cells
            if cells is None:
                self.show_cells(False)
            self.cells_changed.emit()

    def show_cells(self, shown: bool) -> None:
        """Have the board show what the room Inside offers, or the overlay before that, if it still shows it."""
        if shown:
            self.set_overlay(INSIDE_OVERLAY)
        elif self.overlay == INSIDE_OVERLAY:
            self.set_overlay(self._overlay_before_inside)

    def set_coordinates(self, shown: bool) -> None:
        if shown != self.coordinates:
            self.coordinates = shown
            self.coordinates_changed.emit(shown)

    def set_numbers(self, shown: bool) -> None:
        if shown != self.numbers:
            self.numbers = shown
            self.numbers_changed.emit(shown)

    @property
    def outside_line(self) -> PathOf:
        """The line that another engine names at the position; () while none does."""
        return () if self._outside is None or self._outside[0] != self.position else self._outside[1]

    def set_outside_line(self, position: Position | None, line: PathOf = ()) -> None:
        """Set the line that another engine names at a position; None when it names none."""
        outside = None if position is None else (position, line)
        if outside != self._outside:
            self._outside = outside
            self.outside_changed.emit()

    def select(self, path: PathOf, of: Position | None = None) -> None:
        """Select the node at ``path`` below the position; () is the position itself.

        ``of``: the position the path belongs to; nothing happens if another one is shown by now.  ``IllegalMove`` when
        the path cannot be played.
        """
        path = tuple(path)
        if path != self.selected and of in (None, self.position):
            self.document.shown = self.shown.select(path)
            self.selection_changed.emit(path)
