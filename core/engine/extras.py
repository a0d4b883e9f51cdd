"""Pictures and curves in the snapshots of a search, made less often than these while it runs.  Knows no thread."""

import time
from dataclasses import replace

from core.engine.search import Search
from core.glass.snapshot import Snapshot

PICTURE_SHARE = 0.02  # of the thread's time for pictures of the tree, at most
CURVES_S = 0.12  # between two curves while the search runs
CURVE_RECORDS = 1 << 17  # read at once: some 10 ms


class Extras:
    """What snapshots include beyond the figures of nodes, and when it is made again."""

    def __init__(self) -> None:
        self.nodes = 0  # in the picture; 0: no picture
        self.traced = False  # snapshots include curves
        self._next_picture = self._next_curves = 0.0

    def draw(self, nodes: int) -> None:
        """Set the number of nodes in the picture; the next snapshot has a new one."""
        self.nodes, self._next_picture = nodes, 0.0

    def trace(self, wanted: bool) -> None:
        """Set whether there are curves; the next snapshot has new ones."""
        self.traced, self._next_curves = wanted, 0.0

    def added(self, search: Search, snapshot: Snapshot, latest: Snapshot | None) -> Snapshot:
        """Return ``snapshot`` with what is wanted, new or, while that is recent and the search runs, of ``latest``."""
        last = latest if latest is not None and latest.request == snapshot.request else None
        running = not snapshot.reason
        if self.nodes:
            began = time.perf_counter()
            picture = last.picture if last is not None and running and began < self._next_picture else None
            if picture is None:
                picture = search.picture(self.nodes, snapshot.pv)
                now = time.perf_counter()
                self._next_picture = now + (now - began) / PICTURE_SHARE
            snapshot = replace(snapshot, picture=picture)
        if self.traced:
            now = time.perf_counter()
            curves = last.curves if last is not None and running and now < self._next_curves else None
            if curves is None or curves.behind:
                curves = search.curves(CURVE_RECORDS)
                self._next_curves = now + CURVES_S
            snapshot = replace(snapshot, curves=curves)
        return snapshot
