"""Whether the search is hidden from the views while a person plays against an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.text import Words

if TYPE_CHECKING:
    from core.glass import Snapshot

CONCEALED: Words = "the analysis is hidden while you play"  # a phase
NOT_LOADING = ("", "searching", CONCEALED)  # phases in which nothing is being loaded or compiled


class Concealment(QObject):
    """Hides the snapshots and the phase of a search that goes on."""

    changed = Signal()

    def __init__(self, parent: QObject, show_again: Callable[[], None]) -> None:
        """``show_again`` gives the views what they may see; it is called after each change."""
        super().__init__(parent)
        self.on = False
        self._show_again = show_again

    def set(self, on: bool) -> None:
        """Hide the search from all views, or show it again."""
        if on != self.on:
            self.on = on
            self.changed.emit()
            self._show_again()

    def visible(self, snapshot: Snapshot | None) -> Snapshot | None:
        """Return what the views may see of a snapshot: None while it is hidden."""
        return None if self.on else snapshot

    def phase(self, phase: str) -> str:
        """Return what the views may see of a phase."""
        return CONCEALED if self.on and phase in NOT_LOADING else phase
