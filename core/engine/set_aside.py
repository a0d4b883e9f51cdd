"""The search set aside for a position that is not in its tree or for other settings, for when the user comes back."""

from __future__ import annotations

from typing import Final

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.engine.search_state import locate
from core.games import Position
from core.search.settings import SearchSettings
from core.search.tree import NODES, backups, bytes_used
from core.text import Text

MOST_BYTES: Final = 1 << 30  # of a tree that is set aside, beside the one that is searched
LEAST_NODES: Final = 1000  # of a tree worth keeping


def visits_of(search: Search, position: Position) -> int:
    """The simulations through ``position`` in the tree; -1 where it is not there, or would begin a new tree."""
    if search.endings.holds(position) and position != search.position:
        return -1
    state = search.state()
    node = locate(state.top, state.tree, position)
    return -1 if node < 0 else backups(state.tree, int(state.tree.slot[node]))


class SetAside:
    """At most one search of the game that is kept, the largest left.

    A key says what a search was made with: its net, settings and seed.
    """

    def __init__(self) -> None:
        self._search: Search | None = None
        self._key: object = None  # of that search
        self.notice: Text | None = None  # a tree was lost because it is too large

    def change(self, search: Search | None, key: object, position: Position, next_key: object) -> Search | None:
        """Leave ``search`` of ``key``; return the one kept if it has the key ``next_key`` and knows ``position``."""
        self.notice = None
        if self._search is not None and self._search.game != position.game:
            self._search = None
        resumed = self._search if self._key == next_key else None
        if resumed is not None and visits_of(resumed, position) < 0:
            resumed = None
        if resumed is not None:
            resumed.go_to(position)
            self._search = None
        if search is not None and search.game == position.game and self._is_larger(search) and self._fits(search):
            self._search, self._key = search, key
        return resumed

    def move(
        self, search: Search, key: object, position: Position, rest: tuple[Evaluator | None, SearchSettings, int]
    ) -> Search:
        """Go to ``position`` in ``search``, or in the one kept where that knows more of it; the one used is returned.

        Where neither knows it the larger one is kept and the other begins a new tree; ``key`` is that of ``search``,
        ``rest`` is what a second search is made with."""
        self.notice = None
        other = self._search if self._key == key else None
        count, other_count = visits_of(search, position), -1 if other is None else visits_of(other, position)
        if count >= max(other_count, 0) or (other_count < 0 and not (self._is_larger(search) and self._fits(search))):
            search.go_to(position)
            return search
        self._search, self._key = (search, key) if self._fits(search) else (None, None)
        used = other or Search(position, *rest)
        used.go_to(position)
        return used

    def _is_larger(self, search: Search) -> bool:
        """Whether a search is worth keeping, rather than the one that is kept."""
        least = LEAST_NODES if self._search is None else int(self._search.tree.counts[NODES])
        return not search.only and int(search.tree.counts[NODES]) >= least

    def _fits(self, search: Search) -> bool:
        """Whether there is memory to keep a search; if not, ``notice`` says so."""
        if search.only or bytes_used(search.tree) <= MOST_BYTES:
            return not search.only
        self.notice = Text(
            "The tree of {simulations:,} simulations was too large to be kept beside a new one. "
            "Save a tree of that size before you leave it.",
            simulations=search.simulations,
        )
        return False
