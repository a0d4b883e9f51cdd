"""What travels from an analysis on another machine to the window: state and newest snapshot, in one record.

Positions do not travel: they are played from the position asked about.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.engine.look_back import Past
from core.games import Position
from core.glass.curves import Curves
from core.glass.icicle import Icicle, Twin
from core.glass.picture import TreePicture
from core.glass.snapshot import NodeView, Snapshot
from core.text import Text
from models.cluster.packed import Kind, Layout
from models.cluster.versions import program_version


@dataclass(frozen=True)
class Report:
    """One answer of the analysis on the other machine."""

    number: int  # counts the answers
    wish: int  # the newest wish that it knows of
    searching: bool
    phase: str
    error: str  # "" for none
    notice: str  # "" for none
    missing: str  # the digest of a net that has to be sent first; "" for none
    left_out: str  # what was too large to be sent, in a sentence; ""
    snapshot: Snapshot | None  # None: as before
    past: Past | None


@lru_cache(1)
def _layout() -> tuple[Kind, str]:
    names = {"Curves": Curves, "Icicle": Icicle, "Twin": Twin, "TreePicture": TreePicture}
    # Twins are figures for the icicle of a second search, which is here: it stays without them.
    # A snapshot that is not whole is not sent.
    layout = Layout(names, frozenset({"Snapshot.twins", "Snapshot.whole"}))
    kind = layout.kind(Report)
    return kind, hashlib.sha256("\n".join(layout.lines).encode()).hexdigest()[:16]


def report_kind() -> Kind:
    """How a report is written."""
    return _layout()[0]


def own_versions() -> dict[str, str]:
    """The version of this program and of what travels; both ends must have the same."""
    return {"program": program_version(), "layout": _layout()[1]}


class Places:
    """The positions that paths from one position lead to; kept, as the same ones come again and again."""

    MOST: Final = 4096

    def __init__(self, root: Position) -> None:
        self._known: dict[tuple[int, ...], Position] = {(): root}

    def at(self, path: tuple[int, ...]) -> Position:
        """The position; ``ValueError`` for a move that is not legal."""
        known = self._known.get(path)
        if known is None:
            known = self.at(path[:-1]).play(path[-1])
            if len(self._known) < self.MOST:
                self._known[path] = known
        return known


def nowhere(path: tuple[int, ...]) -> Position:
    """For reports without a position."""
    raise ValueError(Text("the other machine sent a position of no game"))


def check_report(report: Report) -> None:
    """Raise ``ValueError`` unless the arrays of each node belong together and its moves are of the game."""
    past = report.past
    for shown in (report.snapshot, *((past.before, past.snapshot) if past is not None else ())):
        if shown is not None:
            for view in (shown.root, *shown.opened.values()):
                _check_view(view, shown.position.game.num_actions)


def _check_view(view: NodeView, actions: int) -> None:
    edges = len(view.actions)
    whole = (
        *(view.visits_of, view.seen_of, view.priors, view.net_priors, view.qs, view.us, view.scores, view.values),
        *(view.proofs, view.distances, view.expanded, view.pvs),
    )
    perhaps = (view.leads, view.lead_spreads, view.ss, view.radii)
    moves = [*view.actions.tolist(), *(action for pv in view.pvs for action in pv)]
    fits = all(len(one) == edges for one in whole) and all(len(one) in (0, edges) for one in perhaps)
    if not (fits and all(0 <= move < actions for move in moves) and max(view.next_index, view.best_index) < edges):
        raise ValueError(Text("the other machine sent a node whose figures do not belong together"))
