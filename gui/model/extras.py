"""What snapshots include beyond figures of nodes: picture, icicles and curves, by who requests them.  Knows no view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.engine import Analysis
    from core.glass import Snapshot
    from core.glass.icicle import Icicle, IcicleView

FAST = 50_000  # simulations per second; reading the record of one takes about 0.1 µs


class Extras:
    """The requests, which an analysis is given as soon as there is one."""

    def __init__(self, asked: Callable[[], object]) -> None:
        """``asked`` is called when the next snapshot will have something new."""
        self._asked = asked
        self._analysis: Analysis | None = None
        self._nodes = 0  # in the picture of the tree
        self.icicles: dict[str, IcicleView] = {}  # by requester
        self.twins: dict[str, Icicle] = {}
        self.curves: set[str] = set()  # who requests curves
        self._tracing = False  # whether the snapshots include them

    def attach(self, analysis: Analysis | None) -> None:
        """Request everything from another analysis."""
        self._analysis = analysis
        if analysis is not None:
            analysis.request_picture(self._nodes)
            analysis.request_icicles(self.icicles, self.twins)
            analysis.request_curves(self._tracing)

    def request_picture(self, nodes: int) -> None:
        """Set the number of nodes in the picture of the tree; 0: no picture."""
        self._nodes = nodes
        if self._analysis is not None:
            self._analysis.request_picture(nodes)
            self._asked()

    def request_icicle(self, view: IcicleView | None, requester: str) -> None:
        """Set what ``requester`` shows of the icicle; None: nothing."""
        self._request_icicles(self.icicles, view, requester)

    def request_twin(self, of: Icicle | None, requester: str) -> None:
        """Set the icicle of another search whose nodes' figures ``requester`` is given; None: none."""
        self._request_icicles(self.twins, of, requester)

    def _request_icicles(self, wanted: dict[str, Any], what: object, requester: str) -> None:
        if what == wanted.get(requester):
            return
        if what is None:
            del wanted[requester]
        else:
            wanted[requester] = what
        if self._analysis is not None:
            self._analysis.request_icicles(self.icicles, self.twins)
            self._asked()

    def request_curves(self, wanted: bool, requester: str = "charts") -> None:
        """Set whether ``requester`` needs the root's curves; others may.  ``trace`` applies it.

        Only the charts get them while a search is so fast that reading its records would cost too much of its time;
        the others get them when it pauses."""
        (self.curves.add if wanted else self.curves.discard)(requester)

    def trace(self, present: Snapshot | None) -> None:
        """Ask for curves or for none, by the speed of the search whose newest snapshot is given."""
        fast = present is not None and not present.reason and present.counters.elapsed_s > 0
        if present is not None and fast:
            fast = present.counters.simulations > FAST * present.counters.elapsed_s
        wanted = bool(self.curves) and ("charts" in self.curves or not fast)
        if wanted != self._tracing:
            self._tracing = wanted
            if self._analysis is not None:
                self._analysis.request_curves(wanted)
                self._asked()
