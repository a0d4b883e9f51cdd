"""Proposes the dead stones of an ended game in a thread: by random games.  Knows no view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gui.jobs.newest import Newest, Report, Stale

if TYPE_CHECKING:
    from core.games import Position


class DeadStonesReader(Newest):
    """Proposes for the newest position; ``answered`` emits the position and the cells of its dead stones."""

    def ask(self, position: Position) -> None:
        """Propose for a position whose game is counted; replaces an earlier one."""
        self.put(partial(self._work, position))

    # in the thread

    def _work(self, position: Position, stale: Stale, report: Report) -> tuple[Position, frozenset[int]]:
        from core.engine.dead_stones import dead_stones

        return position, dead_stones(position)
