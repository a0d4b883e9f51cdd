"""The table of board overlays: names, titles, meanings, keys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from gui.language.language import tr
from gui.model.keymap import plain_title

if TYPE_CHECKING:
    from core.games import GameSpec
    from core.glass import Snapshot

LEADS, OWNERSHIP = "leads", "ownership"  # what only some nets give
CAPTURES = "captures"  # what only some games have
MEAN = "mean_ownership"  # the overlay of ownership averaged over the tree


@dataclass(frozen=True)
class Overlay:
    """The colours on the board and the number shown on each move, chosen together so that they always agree."""

    name: str
    title: str  # on its button and in the legend
    tip: str
    menu: str  # text in the View menu
    key: str
    button: bool = False  # has its own button in the toolbar; the others share a menu
    searched: bool = True  # shows results of the search; False: does not
    needs: str = ""  # LEADS or OWNERSHIP: offered only where the net gives that; CAPTURES: where the game has them

    @property
    def words(self) -> str:
        """Its text in the toolbar's overlay menu, without the prefix "Overlay: "."""
        text = plain_title(tr(self.menu)).removeprefix(tr("Overlay: "))
        return text[0].upper() + text[1:] if text.isascii() else text


TABLE: Final = (
    Overlay("visits", "Visits", "Share of the visits and their number", "Overlay: &visits", "F5", button=True),
    Overlay(
        "prior",
        "Prior",
        "The policy as selection uses it, on a logarithmic scale",
        "Overlay: &prior",
        "F6",
        button=True,
    ),
    Overlay(
        "q",
        "Q",
        "Searched value of each move for the side that plays it, centred at 0",
        "Overlay: &Q",
        "F7",
        button=True,
    ),
    Overlay("none", "Off", "The board alone", "N&o overlay", "F8", button=True, searched=False),
    Overlay("u", "U", "Exploration term of the selection formula", "Overlay: &U, the exploration term", "U"),
    Overlay(
        "raw",
        "Net P",
        "The net's policy before noise, on a logarithmic scale",
        "Overlay: &raw net policy",
        "R",
    ),
    Overlay(
        "policy",
        "π",
        "The policy that comes out of the search",
        "Overlay: π, the &search's policy",
        "Shift+R",
    ),
    Overlay("value", "Value", "Value of each move: exact where proved, else Q", "Overlay: va&lue by move", "V"),
    Overlay(
        "net",
        "Net V",
        "The net's own value of the position after each move",
        "Overlay: n&et value",
        "Shift+V",
    ),
    Overlay(
        "lead",
        "Lead",
        "Score lead in points after each move",
        "Overlay: lea&d by move",
        "S",
        needs=LEADS,
    ),
    Overlay(
        "lost",
        "Lost",
        "Points lost by each move: the lead after the move to play less the lead after this one",
        "Overlay: points lost by &move",
        "Shift+S",
        needs=LEADS,
    ),
    Overlay(
        "ownership",
        "Ownership",
        "To whom the net expects each point to belong at the end; the larger the square, the surer",
        "Overlay: o&wnership",
        "O",
        searched=False,
        needs=OWNERSHIP,
    ),
    Overlay(
        MEAN,
        "Mean own.",
        "Ownership averaged over the most visited positions of the tree from the one shown on, weighted by visits",
        "Overlay: me&an ownership in the tree",
        "Shift+O",
        searched=False,
        needs=OWNERSHIP,
    ),
    Overlay(
        "truth",
        "Truth",
        "Exact result of each move and its distance",
        "Overlay: &truth, exact results",
        "T",
        searched=False,
    ),
    Overlay(
        "threats",
        "Threats",
        "Fives, fours and threes of both sides",
        "Overlay: t&hreats",
        "Shift+T",
        searched=False,
    ),
    Overlay(
        "chains",
        "Chains",
        "Liberties of each chain, chains in atari, and chains that a ladder catches",
        "Overlay: &chains, liberties and ladders",
        "Shift+L",
        searched=False,
        needs=CAPTURES,
    ),
    Overlay(
        "area",
        "Area",
        "What each side holds even if it passes from now on; when the game is over, whose each point is",
        "Overlay: area and terr&itory",
        "Shift+A",
        searched=False,
        needs=CAPTURES,
    ),
)


def in_words(row: Overlay) -> Overlay:
    """Return the row translated into the window's language."""
    return replace(row, title=tr(row.title), tip=tr(row.tip))


NAMES: Final = tuple(row.name for row in TABLE)
BY_NAME: Final = {row.name: row for row in TABLE}
OWNERSHIPS: Final = tuple(row.name for row in TABLE if row.needs == OWNERSHIP)


def not_offered(snapshot: Snapshot | None, game: GameSpec | None) -> frozenset[str]:
    """Return the overlays for which the game, or the net of a search of it, does not give what they need."""
    leads = snapshot is not None and snapshot.root.leads.size > 0
    given = {
        LEADS: leads,
        OWNERSHIP: snapshot is not None and snapshot.ownership,
        CAPTURES: game is not None and game.captures,
    }
    return frozenset(row.name for row in TABLE if row.needs and not given[row.needs])
