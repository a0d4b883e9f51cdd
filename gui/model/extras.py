"""What snapshots include beyond the root: nodes, picture, icicles and curves, by who requests them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

from gui.model.shown import PathOf

if TYPE_CHECKING:
    from core.engine import Analyst
    from core.games import Position
    from core.glass import Snapshot
    from core.glass.icicle import Icicle, IcicleView

FAST = 50_000  # simulations per second; reading the record of one takes about 0.1 µs


class Extras:
    """The requests, which an analysis is given as soon as there is one."""

    def __init__(self, renewed: Callable[[], object], present: Callable[[], Snapshot | None]) -> None:
        """``renewed`` is called when the next snapshot will have something new; ``present`` returns the newest one."""
        self._renewed, self._present = renewed, present
        self._analysis: Analyst | None = None
        self._shown: dict[str, tuple[Position | None, tuple[PathOf, ...]]] = {}  # requester: (position, paths)
        self._requested: tuple[PathOf, ...] | None = None  # of the running search
        self._nodes = 0  # in the picture of the tree
        self.icicles: dict[str, IcicleView] = {}  # by requester
        self.twins: dict[str, Icicle] = {}
        self._question: tuple[str, int] = ("", -1)  # asked of the tree, and whose values it means
        self.curves: set[str] = set()  # who requests curves
        self._tracing = False  # whether the snapshots include them

    def attach(self, analysis: Analyst | None) -> None:
        """Request everything from another analysis."""
        self._analysis = analysis
        if analysis is not None:
            analysis.request_picture(self._nodes)
            analysis.request_icicles(self.icicles, self.twins)
            analysis.request_answer(*self._question)
            analysis.request_curves(self._tracing)

    def want_nodes(self, position: Position | None, paths: tuple[PathOf, ...], requester: str) -> None:
        """Set the nodes below ``position`` whose children ``requester`` shows; ``request_nodes`` applies it."""
        self._shown[requester] = position, tuple(paths)

    def request_nodes(self, position: Position | None, selected: PathOf) -> None:
        """Request the nodes wanted below ``position``, the selected one and its parent, which holds its row."""
        paths = chain(*(paths for of, paths in self._shown.values() if of == position))
        requested = tuple(sorted({*paths, selected, selected[:-1]} - {()}))
        if self._analysis is not None and requested != self._requested:
            self._requested = requested
            self._analysis.request_nodes(requested)
            self._renewed()

    def forget_nodes(self) -> None:
        """Request the nodes again next time: the search is another one."""
        self._requested = None

    def request_picture(self, nodes: int) -> None:
        """Set the number of nodes in the picture of the tree; 0: no picture."""
        self._nodes = nodes
        if self._analysis is not None:
            self._analysis.request_picture(nodes)
            self._renewed()

    def request_icicle(self, view: IcicleView | None, requester: str) -> None:
        """Set what ``requester`` shows of the icicle; None: nothing."""
        self._request_icicles(self.icicles, view, requester)

    def request_twin(self, of: Icicle | None, requester: str) -> None:
        """Set the icicle of another search whose nodes' figures ``requester`` is given; None: none."""
        self._request_icicles(self.twins, of, requester)

    def _request_icicles(self, views: dict[str, Any], what: object, requester: str) -> None:
        if what == views.get(requester):
            return
        if what is None:
            del views[requester]
        else:
            views[requester] = what
        if self._analysis is not None:
            self._analysis.request_icicles(self.icicles, self.twins)
            self._renewed()

    def request_answer(self, question: str, player: int) -> None:
        """Set the question to the tree, "" for none; ``player``: whose values it means, -1: the side that moves."""
        if (question, player) == self._question:
            return
        self._question = question, player
        if self._analysis is not None:
            self._analysis.request_answer(question, player)
            self._renewed()

    def request_curves(self, shown: bool, requester: str = "charts") -> None:
        """Set whether ``requester`` needs the root's curves in the snapshots; others may.

        Only the charts get them while a search is so fast that reading its records would cost too much of its time;
        the others get them when it pauses."""
        (self.curves.add if shown else self.curves.discard)(requester)
        self.trace()

    def trace(self) -> None:
        """Ask for curves or for none, by the speed of the search."""
        present = self._present()
        fast = present is not None and not present.reason and present.counters.elapsed_s > 0
        if present is not None and fast:
            fast = present.counters.simulations > FAST * present.counters.elapsed_s
        tracing = bool(self.curves) and ("charts" in self.curves or not fast)
        if tracing != self._tracing:
            self._tracing = tracing
            if self._analysis is not None:
                self._analysis.request_curves(tracing)
                self._renewed()
