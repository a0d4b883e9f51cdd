"""Keeps unsaved games that were replaced by another game, and reopens them.  Knows the state, no view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from gui.language.core_words import game_title
from gui.language.language import mark, tr
from gui.model.record import ROOT
from gui.shell.session_games import GameToOpen

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from gui.context import Context
    from gui.shell.filing import Filing
    from gui.shell.kept_game import Kept

KEPT: Final = 10
Held = tuple["GameRecord | None", int]  # a record, and its revision with nothing unsaved
NO_REVISION: Final = -1  # a revision that no record has


@dataclass(eq=False)
class ReplacedGame:
    """A game kept when it was replaced, and its file for the next start."""

    found: GameToOpen
    kept: Kept | None = None

    @property
    def words(self) -> str:
        """The message such as "Connect Four, 12 moves: that game is kept."."""
        record, others = self.found.record, len(self.found.others)
        moves = len(record) - 1
        one, more = tr("{game}, 1 move: that game is kept."), tr("{game}, {moves} moves: that game is kept.")
        if others:
            one = tr("{game}, 1 move, and the games of {others} more trees: they are kept.")
            more = tr("{game}, {moves} moves, and the games of {others} more trees: they are kept.")
        if others == 1:
            one = tr("{game}, 1 move, and the game of another tree: they are kept.")
            more = tr("{game}, {moves} moves, and the game of another tree: they are kept.")
        return (one if moves == 1 else more).format(game=game_title(record.game), moves=moves, others=others)

    @property
    def dropped_words(self) -> str:
        """The message such as "At most 10 unsaved games are kept. Dropped: Connect Four, 12 moves."."""
        record = self.found.record
        moves = len(record) - 1
        one = tr("At most {most} unsaved games are kept. Dropped: {game}, 1 move.")
        more = tr("At most {most} unsaved games are kept. Dropped: {game}, {moves} moves.")
        return (one if moves == 1 else more).format(most=KEPT, game=game_title(record.game), moves=moves)


class PreviousGames(QObject):
    """Keeps games that were played, edited or set up here and then replaced, unless a file has them."""

    left = Signal(object)  # the open game is being replaced, or None when nothing is lost
    returned = Signal(object)  # the game that was reopened
    dropped = Signal(object)  # a game beyond the maximum number, or discarded by the user

    def __init__(self, context: Context, filing: Filing) -> None:
        super().__init__(context.window)
        self._context, self._filing, self._state = context, filing, context.state
        self._left: list[ReplacedGame] = []  # newest last
        self._held: Held = (None, 0)
        self._going_back = False
        self._switching = False
        self._state.leaving.connect(self._keep)
        self._state.record_changed.connect(self._record_changed)
        filing.written.connect(self._written)
        self._enable()

    # unsaved changes

    @property
    def unsaved(self) -> bool:
        """Whether the open game was played, edited or set up here and has changes that are in no file."""
        record = self._state.record
        if record is None or is_empty(record):
            return False
        held, revision = self._held
        return record is not held or record.revision != revision

    @property
    def held(self) -> Held:
        """A record, and its revision with nothing unsaved."""
        return self._held

    def show_kept(self, held: Held, show: Callable[[], object]) -> None:
        """Show a game by ``show`` while the open one is kept elsewhere; ``held`` was noted when it was left."""
        self._switching = True
        try:
            show()
        finally:
            self._switching = False
        self._held = held

    def mark_as_unsaved(self) -> None:
        """Mark the game just opened as saved in no file."""
        self._held = (self._state.record, NO_REVISION)

    def mark_as_kept(self) -> None:
        """Mark the open game as one of which nothing is lost when another replaces it."""
        record = self._state.record
        if record is not None:
            self._held = (record, record.revision)

    def _written(self, record: GameRecord, revision: int) -> None:
        if record is self._state.record:  # no other was opened meanwhile
            self._held = (record, revision)

    def _record_changed(self) -> None:
        """Treat a record just opened as saved, unless ``mark_as_unsaved`` is called."""
        record = self._state.record
        if record is not None and record is not self._held[0]:
            self._held = (record, record.revision)

    # the earlier games

    def keep(self, found: GameToOpen) -> ReplacedGame:
        """Keep an unsaved game that is no longer among the open ones."""
        left = ReplacedGame(found)
        self._left.append(left)
        self.left.emit(left)
        self._enable()
        return left

    def withdraw(self, left: ReplacedGame) -> None:
        """Forget a game that is open again."""
        if left in self._left:
            self._left.remove(left)
            self.dropped.emit(left)
            self._enable()

    def _keep(self) -> None:
        if self._switching:
            return
        state, left = self._state, None
        if self.unsaved:
            assert state.record is not None
            left = ReplacedGame(GameToOpen(state.record, state.node, source=state.source))
        self.left.emit(left)
        if left is not None and self._going_back:
            self._left.insert(0, left)  # so that going back repeatedly visits them all
        elif left is not None:
            self._left.append(left)
            QTimer.singleShot(0, self, self._offer)
        self._enable()

    def add(self, before: Sequence[ReplacedGame]) -> None:
        """Add games kept from an earlier run of the program, newest last."""
        self._left = [*before, *self._left]
        self._enable()
        self._offer_kept()

    @property
    def games(self) -> tuple[ReplacedGame, ...]:
        """The games that can be reopened, newest last."""
        return tuple(self._left)

    def _offer(self) -> None:
        """Show which game is kept; above the maximum, drop the oldest and say so.

        Does nothing while another message is shown.
        """
        banner = self._context.messages
        if banner.text or not self._left:
            return
        if len(self._left) > KEPT:
            oldest = self._left.pop(0)
            self.dropped.emit(oldest)
            banner.show_offer(lambda: oldest.dropped_words, mark("Open it"), partial(self._show, oldest))
        else:
            newest = self._left[-1]
            banner.show_offer(lambda: newest.words, mark("Back to it"), self.go_back)

    def _offer_kept(self) -> None:
        """Offer the newest game of an earlier run, to open or to discard."""
        if self._left and not self._context.messages.text:
            newest = self._left[-1]
            discard = (mark("Discard"), partial(self._discard, newest))
            self._context.messages.show_offer(lambda: newest.words, mark("Open"), self.go_back, discard)

    def _discard(self, left: ReplacedGame) -> None:
        if left in self._left:
            self.withdraw(left)
            self._offer_kept()

    def go_back(self) -> None:
        """Reopen the newest game; the open game becomes the oldest."""
        if self._left:
            self._show(self._left[-1])

    def _show(self, left: ReplacedGame) -> None:
        self._going_back = True
        try:
            self._filing.take(left.found)
        finally:
            self._going_back = False
        if left in self._left:
            self._left.remove(left)
        self.mark_as_unsaved()
        self.returned.emit(left)
        self._enable()

    def _enable(self) -> None:
        self._context.actions["game_before"].setEnabled(bool(self._left))


def is_empty(record: GameRecord) -> bool:
    """Whether nothing was played, written or set up in the record."""
    root = record.node(ROOT)
    described = root.comment or root.marks or root.extra or record.info
    return len(record) == 1 and record.start == record.game.initial() and not described
