"""The search set aside where the next position is not in its tree, for when the user comes back.  Knows no thread."""

from __future__ import annotations

from typing import Final

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.engine.search_state import locate
from core.games import Position
from core.search.settings import SearchSettings
from core.search.tree import NODES, bytes_used, seen
from core.text import Text

MOST_BYTES: Final = 1 << 30  # of a tree that is set aside, beside the one that is searched
LEAST_NODES: Final = 1000  # of a tree worth keeping


def visits_of(search: Search, position: Position) -> int:
    """The simulations through ``position`` in the tree; -1 where it is not there, or would begin a new tree."""
    if search.endings.holds(position) and position != search.position:
        return -1
    state = search.state()
    node = locate(state.top, state.tree, position)
    return -1 if node < 0 else seen(state.tree, int(state.tree.slot[node]))


class SetAside:
    """At most one search that is kept, the largest left; all have the same game, net, settings and seed."""

    def __init__(self) -> None:
        self._search: Search | None = None
        self.notice: Text | None = None  # a tree was lost because it is too large

    def clear(self) -> None:
        """Forget the search that is kept."""
        self._search = None

    def move(self, search: Search, position: Position, rest: tuple[Evaluator | None, SearchSettings, int]) -> Search:
        """Go to ``position`` in ``search``, or in the one kept where that knows more of it; the one used is returned.

        Where neither knows it the larger one is kept and the other begins a new tree; ``rest`` is what a second search
        is made with."""
        other, self.notice = self._search, None
        here, there = visits_of(search, position), -1 if other is None else visits_of(other, position)
        nodes = int(search.tree.counts[NODES])
        larger = nodes >= (LEAST_NODES if other is None else int(other.tree.counts[NODES]))
        fits = not search.only and bytes_used(search.tree) <= MOST_BYTES
        stays = here >= there if max(here, there) >= 0 else not (larger and fits)
        if stays:
            if here < 0 and larger and not search.only:
                self.notice = Text(
                    "The tree of {simulations} simulations was too large to be kept beside a new one. "
                    "Save a tree of that size before you leave it.",
                    simulations=f"{search.simulations:,}",
                )
            search.go_to(position)
            return search
        self._search = search if fits else None
        used = other or Search(position, *rest)
        used.go_to(position)
        return used
