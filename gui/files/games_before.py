"""The games that were open before, with all that can be undone in them, and the way back.  Knows the state, no view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, QTimer

from gui.language.core_words import game_title
from gui.language.language import tr

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from gui.window import MainWindow

KEPT: Final = 10


class Left(NamedTuple):
    """A game as it was left."""

    record: GameRecord
    node: int
    source: Any

    @property
    def words(self) -> str:
        """ "Connect Four, 12 moves: that game is kept."."""
        moves = len(self.record) - 1
        one, more = tr("{game}, 1 move: that game is kept."), tr("{game}, {moves} moves: that game is kept.")
        return (one if moves == 1 else more).format(game=game_title(self.record.game), moves=moves)


class GamesBefore(QObject):
    """Keeps what was played, written or set up here and then left for another game; what a file holds stays there."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._state = window, window.state
        self._left: list[Left] = []  # the last one last
        self._state.leaving.connect(self._keep)
        self._enable()

    def _present(self) -> Left | None:
        """The open game, when something would be lost with it."""
        state, record = self._state, self._state.record
        if record is None or not (record.can_undo or record.can_redo or record.start != record.game.initial()):
            return None
        return Left(record, state.node, state.source)

    def _keep(self) -> None:
        left = self._present()
        if left is not None:
            self._left = [*self._left, left][-KEPT:]
            self._enable()
            QTimer.singleShot(0, self, self._offer)

    def _offer(self) -> None:
        """Say so, unless something else is being said."""
        if self._left and not self._window.banner.text:
            self._window.banner.offer(self._left[-1].words, tr("Back to it"), self.go_back)

    def go_back(self) -> None:
        """Show the last one again; the open game is then the first of them, so that going on meets them all."""
        if not self._left:
            return
        left, present = self._left.pop(), self._present()
        if present is not None:
            self._left.insert(0, present)
        same = left.record.game == self._state.game
        self._state.leaving.disconnect(self._keep)
        try:
            self._state.open_game(left.record, left.node, ... if same else left.source)
        finally:
            self._state.leaving.connect(self._keep)
        self._enable()

    def _enable(self) -> None:
        self._window.actions_by_name["game_before"].setEnabled(bool(self._left))
