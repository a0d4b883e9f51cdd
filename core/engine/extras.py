"""Pictures and curves in the snapshots of a search; while it runs they are made a few times a second only."""

import time
from dataclasses import dataclass, replace

from core.engine.search import Search
from core.glass.ask import Matches, answer
from core.glass.icicle import Icicle, IcicleView, find_twins, lay_out
from core.glass.picture import picture_of
from core.glass.question import read_question
from core.glass.snapshot import Snapshot
from core.search.tree import Path, Tree

WHOLE_S = 0.25  # between two whole snapshots while the search runs: long enough to read numbers, and for moving boxes
DRAWN_SHARE = 0.03  # of the thread's time for pictures, at most
CURVE_RECORDS = 1 << 17  # read at once: some 10 ms


@dataclass(frozen=True)
class Drawn:
    """What snapshots show of the tree as a whole."""

    nodes: int = 0  # in the picture; 0: no picture
    icicles: tuple[tuple[str, IcicleView], ...] = ()  # by who requested it
    twins: tuple[tuple[str, Icicle], ...] = ()  # icicles of another search whose nodes are looked up
    question: str = ""  # to which an answer is wanted; "": to none
    player: int = -1  # whose values are meant by it, as in ``core.glass.ask``

    def added(self, search: Search, snapshot: Snapshot, past: Tree | None = None, path: Path = ()) -> Snapshot:
        """Return ``snapshot``, which is of ``search`` or of its tree at an earlier moment ``past``, with the picture,
        the icicles, in which the nodes along ``path`` are laid out, the twins and the answer."""
        if self == Drawn():
            return snapshot
        tree, root, pv = past or search.tree, search.root, snapshot.pv
        number, with_priors = search.numbering, search.settings.rule.priors
        return replace(
            snapshot,
            picture=picture_of(tree, root, self.nodes, pv, number, with_priors) if self.nodes else None,
            icicles={name: lay_out(tree, root, view, pv, number, with_priors, path) for name, view in self.icicles},
            twins={name: find_twins(tree, root, of) for name, of in self.twins},
            answer=self._answer(search, tree, snapshot) if self.question else None,
        )

    def _answer(self, search: Search, tree: Tree, snapshot: Snapshot) -> Matches | None:
        """The answer to the question; None where it names no moves of the game."""
        try:
            question = read_question(self.question, search.game)
        except ValueError:
            return None
        return answer(
            question,
            tree,
            search.root,
            search.params,
            search.position,
            priors=search.settings.rule.priors,
            player=self.player,
            number=search.numbering,
            shown=snapshot.opened,
        )


class Extras:
    """When what snapshots include beyond the figures of nodes is made again.

    All of it is made for the same snapshots, so that whoever shows one shows one moment of the search."""

    def __init__(self) -> None:
        self._next = 0.0  # when the next whole snapshot is due
        self._made_for: object = None  # what was asked for when the last one was made

    def added(
        self, search: Search, snapshot: Snapshot, latest: Snapshot | None, drawn: Drawn, traced: bool, asked: object
    ) -> Snapshot:
        """Return ``snapshot`` with what is ``drawn`` of the tree and, if ``traced``, curves, or with the last whole one
        while that is recent and the same is ``asked`` for.

        The last snapshot of a run is whole."""
        whole = None if latest is None else latest.whole or latest
        began = time.perf_counter()
        fits = whole is not None and whole.request == snapshot.request and asked == self._made_for
        if fits and not snapshot.reason and began < self._next:
            return replace(snapshot, whole=whole)
        snapshot = drawn.added(search, snapshot)
        self._made_for, now = asked, time.perf_counter()
        self._next = now + max(WHOLE_S, (now - began) / DRAWN_SHARE) if traced or drawn != Drawn() else 0.0
        return replace(snapshot, curves=search.curves(CURVE_RECORDS)) if traced else snapshot
