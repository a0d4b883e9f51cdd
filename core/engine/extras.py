"""Pictures and curves in the snapshots of a search, made less often than these while it runs.  Knows no thread."""

import time
from dataclasses import dataclass, replace

from core.engine.search import Search
from core.glass.icicle import Icicle, IcicleView
from core.glass.snapshot import Snapshot
from core.search.tree import Path, Tree

PICTURE_SHARE = 0.02  # of the thread's time for pictures of the tree, at most
ICICLE_SHARE = 0.01  # the same for icicles
ICICLES_S = 0.3  # between two icicles while the search runs: long enough for one to move to the next and rest
CURVES_S = 0.12  # between two curves while the search runs
CURVE_RECORDS = 1 << 17  # read at once: some 10 ms


@dataclass(frozen=True)
class Drawn:
    """What is wanted of the tree as a whole."""

    nodes: int = 0  # in the picture; 0: no picture
    icicles: tuple[tuple[str, IcicleView], ...] = ()  # by who requested it
    twins: tuple[tuple[str, Icicle], ...] = ()  # icicles of another search whose nodes are looked up

    def picture(self, search: Search, snapshot: Snapshot, past: Tree | None = None) -> Snapshot:
        """Return ``snapshot`` with the picture."""
        if not self.nodes:
            return snapshot
        return replace(snapshot, picture=search.picture(self.nodes, snapshot.pv, past))

    def icicle(self, search: Search, snapshot: Snapshot, past: Tree | None = None, path: Path = ()) -> Snapshot:
        """Return ``snapshot`` with icicles, in which the nodes along ``path`` are laid out, and twins."""
        if not self.icicles and not self.twins:
            return snapshot
        return replace(
            snapshot,
            icicles={name: search.icicle(view, snapshot.pv, past, path) for name, view in self.icicles},
            twins={name: search.twin(of, past) for name, of in self.twins},
        )


class Extras:
    """What snapshots include beyond the figures of nodes, and when it is made again."""

    def __init__(self) -> None:
        self.drawn = Drawn()
        self.traced = False  # snapshots include curves
        self._next_picture = self._next_icicles = self._next_curves = 0.0

    def draw(self, nodes: int) -> None:
        """Set the number of nodes in the picture; the next snapshot has a new one."""
        self.drawn, self._next_picture = replace(self.drawn, nodes=nodes), 0.0

    def lay_out(self, icicles: dict[str, IcicleView], twins: dict[str, Icicle]) -> None:
        """Set the icicles and twins; the next snapshot has new ones."""
        self.drawn = replace(self.drawn, icicles=tuple(icicles.items()), twins=tuple(twins.items()))
        self._next_icicles = 0.0

    def trace(self, wanted: bool) -> None:
        """Set whether there are curves; the next snapshot has new ones."""
        self.traced, self._next_curves = wanted, 0.0

    def added(self, search: Search, snapshot: Snapshot, latest: Snapshot | None) -> Snapshot:
        """Return ``snapshot`` with what is wanted, new or, while that is recent and the search runs, of ``latest``."""
        last = latest if latest is not None and latest.request == snapshot.request and not snapshot.reason else None
        began = time.perf_counter()
        if last is not None and last.picture is not None and self.drawn.nodes and began < self._next_picture:
            snapshot = replace(snapshot, picture=last.picture)
        else:
            snapshot = self.drawn.picture(search, snapshot)
            now = time.perf_counter()
            self._next_picture = now + (now - began) / PICTURE_SHARE
        began = time.perf_counter()
        if last is not None and began < self._next_icicles:
            snapshot = replace(snapshot, icicles=last.icicles, twins=last.twins)
        else:
            snapshot = self.drawn.icicle(search, snapshot)
            now = time.perf_counter()
            self._next_icicles = now + max(ICICLES_S, (now - began) / ICICLE_SHARE)
        if self.traced:
            now = time.perf_counter()
            curves = last.curves if last is not None and now < self._next_curves else None
            if curves is None or curves.behind:
                curves = search.curves(CURVE_RECORDS)
                self._next_curves = now + CURVES_S
            snapshot = replace(snapshot, curves=curves)
        return snapshot
