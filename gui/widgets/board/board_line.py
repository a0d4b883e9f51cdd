"""A line of moves shown on the board: fixed, drawn ply by ply, stepped by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView

PLY_MS: Final = 500
LONGEST_LINE: Final = 12


def line_after(node: NodeView | None, action: int) -> tuple[int, ...]:
    """Return the principal variation after a visited move of a node; () for any other."""
    if node is None or action < 0:
        return ()
    for i, a in enumerate(node.actions.tolist()):
        if a == action and int(node.visits_of[i]) > 0:
            return node.pvs[i]
    return ()


class ShownLine(QObject):
    """A line that does not change while shown; ``stale`` is set when the principal variation has changed since."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.actions: tuple[int, ...] = ()
        self.stones: list[tuple[tuple[int, ...], int]] = []  # (cells, player) of each move
        self.plies = 0  # number of them drawn now
        self.by_hand = False  # whether the user chose that number
        self.stale = False
        self._clock = make_timer(self, PLY_MS, self._grow)

    def show(self, position: Position | None, actions: tuple[int, ...], at_once: bool) -> None:
        """Set the line; () for none.  It ends before the first illegal move."""
        self.actions = actions[:LONGEST_LINE]
        self.stones = []
        self.by_hand = self.stale = False
        for action in self.actions:
            if position is None or action not in position.legal_actions():
                break
            cells = kind_of(position.game.name).places.cells_of(position, action)
            self.stones.append((cells, position.to_move))
            position = position.play(action)
        self.plies = len(self.stones) if at_once else min(1, len(self.stones))
        self._clock.start() if self.plies < len(self.stones) else self._clock.stop()
        self.changed.emit()

    @property
    def drawn(self) -> list[tuple[tuple[int, ...], int]]:
        return self.stones[: self.plies]

    @property
    def chosen(self) -> tuple[int, ...]:
        """The moves to play: those stepped to by the user, else the whole line."""
        return self.actions[: self.plies if self.by_hand else len(self.stones)]

    def step(self, plies: int) -> None:
        """Show more or fewer moves and stop the animation."""
        self._clock.stop()
        self.by_hand = True
        self.plies = max(min(1, len(self.stones)), min(len(self.stones), self.plies + plies))
        self.changed.emit()

    def compare(self, live: tuple[int, ...]) -> None:
        """Update ``stale``; ``live``: the current principal variation from the first move on."""
        stale = bool(self.actions) and live[:LONGEST_LINE] != self.actions
        if stale != self.stale:
            self.stale = stale
            self.changed.emit()

    def words(self, position: Position) -> str:
        """Return the text about the line shown and what can be done with it; "" without a line."""
        if not self.stones:
            return ""
        first = position.game.action_name(self.actions[0])
        shown = tr("Line of {first}: {plies} of {stones} plies", len(self.stones)).format(
            first=first, plies=self.plies, stones=len(self.stones)
        )
        if self.stale:
            shown = tr("{line}, no longer the principal variation").format(line=shown)
        return tr("{line} · wheel steps, Shift+click plays it").format(line=shown)

    def _grow(self) -> None:
        self.plies = min(len(self.stones), self.plies + 1)
        if self.plies == len(self.stones):
            self._clock.stop()
        self.changed.emit()
