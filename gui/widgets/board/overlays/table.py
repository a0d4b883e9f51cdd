"""The table of the board's overlays, and which of them a search can fill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gui.widgets.board.overlays.exact import EXACTS
from gui.widgets.board.overlays.inside import INSIDES
from gui.widgets.board.overlays.overlay import (
    EXACT,
    LEADS,
    LINES,
    NET,
    OUTCOMES,
    OWNERSHIP,
    PRIORS,
    NoOverlay,
    Overlay,
)
from gui.widgets.board.overlays.points import POINTS
from gui.widgets.board.overlays.policy import POLICIES
from gui.widgets.board.overlays.stones import STONES
from gui.widgets.board.overlays.value import VALUES
from gui.widgets.board.overlays.visits import VISITS

if TYPE_CHECKING:
    from core.glass import Snapshot

# in the order of their buttons; the first overlay of a family is chosen with it
FAMILIES: Final[dict[str, tuple[Overlay, ...]]] = {
    "visits": VISITS,
    "policy": POLICIES,
    "value": VALUES,
    "points": POINTS,
    "exact": EXACTS,
    "stones": (*STONES, *INSIDES),
    "none": (NoOverlay("none", "Off", "The board alone", "F8"),),
}
TABLE: Final = tuple(row for rows in FAMILIES.values() for row in rows)
NAMES: Final = tuple(row.name for row in TABLE)
BY_NAME: Final = {row.name: row for row in TABLE}


def given_by(snapshot: Snapshot, net: bool) -> frozenset[str]:
    """Return what overlays need, as far as the search and its position have it; ``net``: whether it asks a net."""
    from core.solve import refusal, threats  # when there is a search, the engine is loaded

    root, game = snapshot.root, snapshot.position.game
    given = {
        NET: net,
        PRIORS: net and root.has_priors,
        LEADS: root.leads.size > 0,
        OWNERSHIP: snapshot.ownership,
        OUTCOMES: snapshot.outcomes,
        LINES: not threats.refusal(game),
        EXACT: refusal(snapshot.position) is None,
    }
    return frozenset(need for need, is_given in given.items() if is_given)
