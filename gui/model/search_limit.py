"""How far positions are searched: to a number of simulations, without a limit, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.model.document import BOUNDED, IDLE, UNBOUNDED

if TYPE_CHECKING:
    from core.search import Limit
    from gui.model.state import AppState


class SearchLimit:
    """The mode in which positions are searched, and the limit that follows from it and the state's simulations."""

    def __init__(self, state: AppState, search_again: Callable[[], None], changed: Callable[[], object]) -> None:
        """``search_again`` begins the search anew; ``changed`` is called after each choice."""
        self._state, self._search_again, self._changed = state, search_again, changed
        self._mode = BOUNDED
        self.unlimited = False  # whether the search has no limit, or had none when it was stopped

    @property
    def mode(self) -> str:
        """BOUNDED, UNBOUNDED (also for the positions visited next) or IDLE."""
        return self._mode

    @mode.setter
    def mode(self, mode: str) -> None:
        self._mode = mode
        if mode != IDLE:
            self.unlimited = mode == UNBOUNDED

    def choose(self, simulations: int) -> None:
        """Search each position to this many simulations; a search without limit becomes one to this limit."""
        unbounded = self.mode == UNBOUNDED
        self.unlimited = False
        if unbounded:
            self.mode = BOUNDED
        if simulations != self._state.limit:
            self._state.set_limit(simulations)
        elif unbounded:
            self._search_again()
        self._changed()

    def wake(self) -> None:
        """Search to the limit again after a stop."""
        if self.mode == IDLE:
            self.mode = BOUNDED

    def resume(self, mode: str, automatic: bool) -> Limit | None:
        """Take up the mode in which the document shown was left; return its limit, None when it is not to be searched.

        ``automatic``: a position without a tree is searched.  A tree at rest is searched to what it has.
        """
        document = self._state.document
        from core.search import Limit

        self.mode = BOUNDED if mode == IDLE else mode
        if mode != IDLE or (automatic and not document.simulations):
            return self.next
        if not document.simulations:
            return None
        self.mode = IDLE
        return Limit(simulations=document.simulations)

    @property
    def next(self) -> Limit:
        """The limit of a search that begins now."""
        from core.search import Limit

        return Limit() if self.mode == UNBOUNDED else Limit(simulations=self._state.limit)
