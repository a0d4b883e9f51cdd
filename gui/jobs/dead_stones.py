"""Proposes the dead stones of an ended game in a thread, by the net of the search."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from gui.jobs.newest import Newest, Report, Stale

if TYPE_CHECKING:
    from core.engine import Evaluator, Search
    from core.games import Position
    from gui.model.extras import Analyst

POLL_S: Final = 0.05


class DeadStonesReader(Newest):
    """Proposes for the newest position; ``answered`` emits the position and the cells of its dead stones."""

    def ask(self, position: Position, analysis: Analyst | None) -> None:
        """Propose for a position whose game is counted; replaces an earlier one."""
        self.put(partial(self._work, position, analysis))

    # in the thread

    def _work(
        self, position: Position, analysis: Analyst | None, stale: Stale, report: Report
    ) -> tuple[Position, frozenset[int]]:
        from core.engine.dead_stones import dead_stones

        evaluator = None if analysis is None else self._evaluator(position, analysis, stale)
        return position, dead_stones(position, evaluator)

    def _evaluator(self, position: Position, analysis: Analyst, stale: Stale) -> Evaluator | None:
        """The evaluator of the search, if that is of this game."""

        def visit(search: Search | None) -> None:
            if search is not None and search.position.game == position.game:
                found.append(search.evaluator)
            done.set()

        found: list[Evaluator | None] = []
        done = threading.Event()
        analysis.visit(visit)
        while not done.wait(POLL_S):
            if stale():
                return None
        return found[0] if found else None
