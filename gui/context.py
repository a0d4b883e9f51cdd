"""What rooms share: the model, the engine's session and the window's services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from core.games import Position
    from gui.jobs.opener import Opener
    from gui.model.keymap import KeyMap
    from gui.model.session import Session
    from gui.model.state import AppState, PathOf
    from gui.widgets.board.board import BoardView
    from gui.widgets.preferences import Preferences
    from gui.widgets.tables.moves_table import MovesTable
    from gui.widgets.tables.tree_view import TreeView
    from gui.widgets.texts import TextSource


class Messages(Protocol):
    """Shows one message at a time in the place of the status line.

    Sentences and titles are English or make their translated text.
    """

    @property
    def text(self) -> str:
        """The message shown; "" when none is."""

    def show_error(self, sentence: TextSource) -> None:
        """Show an error; it stays until it is closed or something else is done."""

    def show_notice(self, sentence: TextSource) -> None:
        """Show a notice while it can be read."""

    def show_offer(
        self,
        sentence: TextSource,
        title: str,
        run: Callable[[], object],
        other: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        """Show a message with a button that runs ``run``, and optionally a second button."""


class Docks(Protocol):
    """The docks by name; each is created when it is first shown."""

    dock_toggled: Any  # Signal(str, bool): a dock's name and whether it is now shown

    def __getitem__(self, name: str) -> Any:
        """Return the dock (gui.shell.dock.Dock)."""

    def show_dock(self, name: str) -> None:
        """Open a dock and bring it to the front."""

    def dock_of(self, view: QWidget) -> Any:
        """Return the dock that holds a view, or None."""

    def set_height(self, name: str, height: int) -> None:
        """Set a dock's height in px, as far as the other docks allow."""


@dataclass(frozen=True)
class Context:
    """The parts of one window that rooms share.

    ``window`` is the parent of dialogs and of objects that end with the window.  ``escaped`` is emitted when the user
    stops everything, ``closing`` when the window closes and nobody can cancel that any more, ``page_changed(name)``
    when another page is shown.  ``play_line(path, of)`` plays moves below the position ``of`` and does nothing if
    another position is shown by then.
    """

    window: QWidget
    state: AppState
    session: Session
    opener: Opener
    preferences: Preferences
    board: BoardView
    moves: MovesTable
    tree: TreeView
    docks: Docks
    messages: Messages
    actions: Mapping[str, QAction]
    keymap: KeyMap
    escaped: SignalInstance
    closing: SignalInstance
    page_changed: SignalInstance
    play_line: Callable[[PathOf, Position | None], None]
