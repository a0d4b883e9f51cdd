"""What rooms share: the model, the engine's session and the window's services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal

from core.text import text_of

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from core.games import Position
    from gui.jobs.human_net import HumanNet
    from gui.jobs.opener import Opener
    from gui.jobs.preview import SettingsPreview
    from gui.jobs.root_truth import RootTruth
    from gui.model.session import Session
    from gui.model.state import AppState, PathOf
    from gui.widgets.preferences import Preferences
    from gui.widgets.texts import Messages


class Docks(Protocol):
    """The docks by name; each is created when it is first shown."""

    dock_toggled: Any  # Signal(str, bool): a dock's name and whether it is now shown

    def __getitem__(self, name: str) -> Any:
        """Return the dock (gui.shell.dock.Dock)."""

    def show_dock(self, name: str) -> None:
        """Open a dock and bring it to the front."""

    def set_height(self, name: str, height: int) -> None:
        """Set the height in px of a room that is below the board."""


class WindowEvents(QObject):
    """What happens to a window that no part of it asked for."""

    escaped = Signal()  # the user stops everything: all background work stops
    closing = Signal()  # the window closes, and nobody can cancel that any more
    board_shown = Signal(bool)  # False: rooms cover it
    board_wanted = Signal(str)  # the person is to see the board beside this room, by its name


@dataclass(frozen=True)
class Context:
    """What the rooms of one window share: the model, the session and the window's services, and no view.

    ``window`` is the parent of dialogs and of objects that end with the window, ``actions`` are its commands by name.
    """

    window: QWidget
    state: AppState
    session: Session
    opener: Opener
    preferences: Preferences
    docks: Docks
    messages: Messages
    actions: Mapping[str, QAction]
    events: WindowEvents
    preview: SettingsPreview
    truth: RootTruth
    human: HumanNet

    def play_line(self, path: PathOf, of: Position | None = None) -> None:
        """Play moves below the position ``of``; nothing is played if another position is shown by now."""
        try:
            if of in (None, self.state.position):
                self.state.play_line(path)
        except ValueError as error:
            self.messages.show_error(text_of(error))
