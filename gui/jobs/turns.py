"""Finds the hesitations of the search shown, in a thread, seldom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.jobs.newest import Newest

if TYPE_CHECKING:
    from core.glass.snapshot import Snapshot
    from core.glass.turns import Turn

GROWTH: Final = 1.05  # of the simulations before they are searched again


class TurnFinder(Newest):
    """The hesitations of the newest search; ``changed`` is emitted when ``turns`` are others."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.turns: tuple[Turn, ...] = ()
        self._of: object = None  # request and position
        self._read = 0  # simulations read
        self.answered.connect(self._take)

    def ask(self, snapshot: Snapshot | None) -> None:
        """Find the hesitations of a search's present, where its curves are complete."""
        of = None if snapshot is None else (snapshot.request, snapshot.position)
        if of != self._of:
            self._of, self._read = of, 0
            self.forget()
            self._take(())
        curves = None if snapshot is None else snapshot.curves
        if snapshot is None or curves is None or curves.behind or not curves.exact or not curves.simulations.size:
            return
        now, resting = int(curves.simulations[-1]), bool(snapshot.reason)
        if now <= self._read or (not resting and now < GROWTH * self._read) or self.working:
            return
        self._read = now
        names = snapshot.position.game.action_names

        def work(stale: object, report: object) -> tuple[Turn, ...]:
            from core.glass.turns import find_turns

            return find_turns(curves, names)

        self.put(work)

    def _take(self, turns: tuple[Turn, ...]) -> None:
        if turns != self.turns:
            self.turns = turns
            self.changed.emit()
