"""What the window shows and with what it searches: game, record, source, settings, choices.  Knows no widget.

Positions, games and settings come from ``core`` as values; nothing of it is imported here, so that the
window can be drawn before the engine is loaded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from core.search import SearchSettings

OVERLAYS = ("visits", "prior", "q", "none")
PRIOR_RULES = ("puct", "gumbel")  # rules of selection that make use of a net's policy
DEFAULT_LIMIT = 1000  # simulations a new position gets by itself
PathOf = tuple[int, ...]  # actions from the position at the cursor


class AppState(QObject):
    """One record of moves with a cursor, and the choices beside it; every change is told by one signal."""

    position_changed = Signal()  # the record or its cursor
    game_changed = Signal()  # emitted before position_changed
    search_changed = Signal()  # source, settings or limit
    overlay_changed = Signal(str)
    coordinates_changed = Signal(bool)
    selection_changed = Signal(object)  # PathOf

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.start: Position | None = None
        self.positions: list[Position] = []  # [number of moves + 1], from the start on
        self.moves: tuple[int, ...] = ()
        self.cursor = 0
        self.source: Any = None  # an EvaluatorSource; None: random rollouts
        self.settings: SearchSettings | None = None  # None until the engine is loaded
        self.limit = DEFAULT_LIMIT
        self.overlay = OVERLAYS[0]
        self.coordinates = True
        self.selected: PathOf = ()
        self._taken: list[int] = []  # moves taken back, the next to replay last

    # the record

    @property
    def position(self) -> Position | None:
        """The position at the cursor; None until a game is open."""
        return self.positions[self.cursor] if self.positions else None

    @property
    def game(self) -> GameSpec | None:
        return self.start.game if self.start is not None else None

    @property
    def line(self) -> tuple[int, ...]:
        """The moves from the start to the cursor."""
        return self.moves[: self.cursor]

    @property
    def can_redo(self) -> bool:
        return bool(self._taken)

    def open_position(self, position: Position, source: Any = ...) -> None:
        """Show a new record: the position with the moves that led to it; ``source`` replaces the one in use."""
        changed = self.game is None or self.game != position.game
        if source is not ...:
            self._take_source(source)
        self.start = position.start
        self.moves = tuple(position.moves)
        self.positions = [self.start]
        for action in self.moves:
            self.positions.append(self.positions[-1].play(action))
        self.cursor = len(self.moves)
        self._taken.clear()
        if changed:
            self.game_changed.emit()
        self._moved()

    def play(self, action: int) -> None:
        """Play a move at the cursor; what followed there is dropped unless it began with the same move.

        Raises ``IllegalMove``."""
        if self.position is None:
            return
        if self.moves[self.cursor : self.cursor + 1] == (action,):
            self.cursor += 1
        else:
            after = self.position.play(action)
            self._cut(self.cursor)
            if self._taken and self._taken[-1] == action:
                self._taken.pop()
            else:
                self._taken.clear()
            self.moves += (action,)
            self.positions.append(after)
            self.cursor += 1
        self._moved()

    def play_line(self, actions: PathOf) -> None:
        """Play several moves at the cursor as one step; none is played when one is illegal (``IllegalMove``)."""
        if self.position is None or not actions:
            return
        position, played = self.position, []
        for action in actions:
            position = position.play(action)
            played.append(position)
        if self.moves[self.cursor : self.cursor + len(actions)] != tuple(actions):
            self._cut(self.cursor)
            self._taken.clear()
            self.moves += tuple(actions)
            self.positions += played
        self.cursor += len(actions)
        self._moved()

    def take_back(self) -> None:
        """Remove the move before the cursor and all after it; ``redo`` plays them again."""
        if self.cursor == 0:
            return
        self._taken.extend(reversed(self.moves[self.cursor - 1 :]))
        self._cut(self.cursor - 1)
        self.cursor -= 1
        self._moved()

    def redo(self) -> None:
        """Play the move last taken back."""
        if self._taken and self.cursor == len(self.moves):
            self.play(self._taken[-1])

    def go(self, cursor: int) -> None:
        """Show the position after so many moves of the record."""
        cursor = max(0, min(len(self.moves), cursor))
        if cursor != self.cursor:
            self.cursor = cursor
            self._moved()

    def _cut(self, length: int) -> None:
        self.moves = self.moves[:length]
        del self.positions[length + 1 :]

    def _moved(self) -> None:
        self.selected = ()
        self.position_changed.emit()
        self.selection_changed.emit(())

    # the search

    def set_source(self, source: Any) -> None:
        """Value leaves by another net, uniformly or (None) by rollouts."""
        if source != self.source:
            self._take_source(source)
            self.search_changed.emit()

    def _take_source(self, source: Any) -> None:
        """Rollouts begin with UCB1 and nets with PUCT: the rule changes with the kind of source, not within it."""
        kind_changes = not self.positions or (source is None) != (self.source is None)
        if self.settings is not None and kind_changes:
            weighs_priors = self.settings.selection in PRIOR_RULES
            if weighs_priors == (source is None):
                rule = "ucb1" if source is None else PRIOR_RULES[0]
                self.settings = replace(self.settings, selection=rule)
        self.source = source

    def set_settings(self, settings: SearchSettings) -> None:
        if settings != self.settings:
            self.settings = settings
            self.search_changed.emit()

    def set_search(self, source: Any, settings: SearchSettings) -> None:
        """Another source with settings of its own, told as one change."""
        if source != self.source or settings != self.settings:
            self.source, self.settings = source, settings
            self.search_changed.emit()

    def set_limit(self, simulations: int) -> None:
        if simulations != self.limit:
            self.limit = simulations
            self.search_changed.emit()

    # what is shown

    def set_overlay(self, overlay: str) -> None:
        if overlay not in OVERLAYS:
            raise ValueError(f"overlay is {overlay!r}; it must be one of {', '.join(OVERLAYS)}")
        if overlay != self.overlay:
            self.overlay = overlay
            self.overlay_changed.emit(overlay)

    def set_coordinates(self, shown: bool) -> None:
        if shown != self.coordinates:
            self.coordinates = shown
            self.coordinates_changed.emit(shown)

    def select(self, path: PathOf) -> None:
        """Look at the node at ``path`` below the position; () is the position itself."""
        path = tuple(path)
        if path != self.selected:
            self.selected = path
            self.selection_changed.emit(path)
