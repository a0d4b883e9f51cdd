"""A line of moves shown on the board: frozen, drawn ply by ply, stepped by hand.  Knows no board and no search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position

PLY_MS: Final = 500
LONGEST_LINE: Final = 12


class ShownLine(QObject):
    """The moves do not change while they are looked at; ``stale`` tells that the search expects others by now."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.actions: tuple[int, ...] = ()
        self.stones: list[tuple[tuple[int, ...], int]] = []  # (cells, player) of each move
        self.plies = 0  # of them drawn now
        self.by_hand = False  # how many are drawn was chosen
        self.stale = False
        self._clock = QTimer(self)
        self._clock.setInterval(PLY_MS)
        self._clock.timeout.connect(self._grow)

    def show(self, position: Position | None, actions: tuple[int, ...], at_once: bool) -> None:
        """Freeze a line; () shows none.  What is not legal in it ends it."""
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
        """What is meant by playing the line: the plies stepped to by hand, else all of it."""
        return self.actions[: self.plies if self.by_hand else len(self.stones)]

    def step(self, plies: int) -> None:
        """Show more or fewer of its moves; from now on they do not come by themselves."""
        self._clock.stop()
        self.by_hand = True
        self.plies = max(min(1, len(self.stones)), min(len(self.stones), self.plies + plies))
        self.changed.emit()

    def compare(self, live: tuple[int, ...]) -> None:
        """``live``: what the search expects now after the first move."""
        stale = bool(self.actions) and live[:LONGEST_LINE] != self.actions
        if stale != self.stale:
            self.stale = stale
            self.changed.emit()

    def words(self, position: Position) -> str:
        """What is shown and what can be done with it; "" without a line."""
        if not self.stones:
            return ""
        first = position.game.action_name(self.actions[0])
        shown = tr("Line of {first}: {plies} of {stones} plies").format(
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
