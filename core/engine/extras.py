"""Pictures and curves in the snapshots of a search; while it runs they are made a few times a second only."""

import time
from dataclasses import dataclass, replace

from core.engine.search import Search
from core.glass.icicle import Icicle, IcicleView, find_twins, lay_out
from core.glass.picture import picture_of
from core.glass.snapshot import Snapshot
from core.search.tree import Path, Tree

WHOLE_S = 0.25  # between two whole snapshots while the search runs: long enough to read numbers, and for moving boxes
DRAWN_SHARE = 0.03  # of the thread's time for pictures, at most
CURVE_RECORDS = 1 << 17  # read at once: some 10 ms


@dataclass(frozen=True)
class Drawn:
    """What is wanted of the tree as a whole."""

    nodes: int = 0  # in the picture; 0: no picture
    icicles: tuple[tuple[str, IcicleView], ...] = ()  # by who requested it
    twins: tuple[tuple[str, Icicle], ...] = ()  # icicles of another search whose nodes are looked up

    def added(self, search: Search, snapshot: Snapshot, past: Tree | None = None, path: Path = ()) -> Snapshot:
        """Return ``snapshot``, which is of ``search`` or of its tree at an earlier moment ``past``, with the picture,
        the icicles, in which the nodes along ``path`` are laid out, and the twins."""
        if self == Drawn():
            return snapshot
        tree, root, pv = past or search.tree, search.root, snapshot.pv
        number, with_priors = search.numbering, search.settings.rule.priors
        return replace(
            snapshot,
            picture=picture_of(tree, root, self.nodes, pv, number, with_priors) if self.nodes else None,
            icicles={name: lay_out(tree, root, view, pv, number, with_priors, path) for name, view in self.icicles},
            twins={name: find_twins(tree, root, of) for name, of in self.twins},
        )


class Extras:
    """What snapshots include beyond the figures of nodes, and when it is made again.

    All of it is made for the same snapshots, so that whoever shows one shows one moment of the search."""

    def __init__(self) -> None:
        self.drawn = Drawn()
        self.traced = False  # snapshots include curves
        self._next = 0.0  # when the next whole snapshot is due
        self._renewals = self._renewed = 0  # how often one was asked for at once, and for which of these it was made

    def draw(self, nodes: int) -> None:
        """Set the number of nodes in the picture."""
        self.drawn = replace(self.drawn, nodes=nodes)
        self.renew()

    def lay_out(self, icicles: dict[str, IcicleView], twins: dict[str, Icicle]) -> None:
        """Set the icicles and twins."""
        self.drawn = replace(self.drawn, icicles=tuple(icicles.items()), twins=tuple(twins.items()))
        self.renew()

    def trace(self, traced: bool) -> None:
        """Set whether there are curves."""
        self.traced = traced
        self.renew()

    def renew(self) -> None:
        """Make the next snapshot a whole one."""
        self._renewals += 1

    def added(self, search: Search, snapshot: Snapshot, latest: Snapshot | None) -> Snapshot:
        """Return ``snapshot`` with all that is wanted, or with the last whole one while that is recent.

        The last snapshot of a run is whole."""
        last = None if latest is None else latest.whole or latest
        renewals, began = self._renewals, time.perf_counter()
        fits = last is not None and last.request == snapshot.request and renewals == self._renewed
        if fits and not snapshot.reason and began < self._next:
            return replace(snapshot, whole=last)
        snapshot = self.drawn.added(search, snapshot)
        self._renewed, now = renewals, time.perf_counter()
        has_extras = self.traced or self.drawn != Drawn()
        self._next = now + max(WHOLE_S, (now - began) / DRAWN_SHARE) if has_extras else 0.0
        return replace(snapshot, curves=search.curves(CURVE_RECORDS)) if self.traced else snapshot
