"""The legend of the drawn trees: what the colours mean, the same in all of them, and what each drawing adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.text import Words
from gui.language.language import tr
from gui.widgets.tree_legend import RAMP, LegendEntry, draw_line, draw_nothing, draw_ramp

if TYPE_CHECKING:
    from gui.rooms.tree.drawn_tree import DrawnTree

MODE_TIPS: dict[str, Words] = {
    "value": "Colour by the searched value Q",
    "change": "Colour by the change of Q against the parent: who gained by the move",
    "net": "Colour by the net's value V less the searched Q: where the search overturned the net",
    "proof": "Colour by what is proved",
}


def entries(drawn: Sequence[DrawnTree], mode: str, player: str) -> tuple[LegendEntry, ...]:
    """Return the entries for a meaning of the colours, in the current language; values are for ``player``."""
    colours = {
        "value": (tr("Q for {player}"), tr("loses"), tr("wins")),
        "change": (tr("Q against the parent's, for {player}"), tr("worse by 0.5"), tr("better by 0.5")),
        "net": (tr("V of the net less Q, for {player}"), tr("net 0.5 too low"), tr("net 0.5 too high")),
        "proof": (tr("Proved for {player}"), tr("loses"), tr("wins")),
    }
    title, low, high = colours[mode]
    return (
        LegendEntry(title.format(player=player), 0, draw_nothing, ""),
        LegendEntry(low, RAMP, draw_ramp, high),
        LegendEntry("", 18, draw_line, tr("principal variation")),
        *(entry for part in drawn for entry in part.entries(mode)),
    )


def meaning(drawn: Sequence[DrawnTree], mode: str, player: str) -> str:
    """Return the legend in words."""
    words = {
        "value": tr("Colour: the searched value Q for {player}, the same player in every row."),
        "change": tr("Colour: by how much Q of a node is better for {player} than that of its parent."),
        "net": tr("Colour: by how much the net's own value is higher for {player} than what the search found."),
        "proof": tr("Colour: what is proved for {player}; grey: nothing."),
    }
    return " ".join((words[mode].format(player=player), *(part.meaning() for part in drawn)))
