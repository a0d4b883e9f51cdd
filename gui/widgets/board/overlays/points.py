"""Overlays of games of points: score leads, and to whom the net expects each point to belong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of, stone_color
from gui.widgets.board.overlays.overlay import (
    LEADS,
    MEAN_OWNERS,
    OWNERS,
    OWNERSHIP,
    SOLID,
    BoardContent,
    Legend,
    Mark,
    Overlay,
    Paint,
    SearchOverlay,
    visible_step,
)
from gui.widgets.figures import plain, short_count, signed
from gui.widgets.theme import Theme, ramp

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView

MOST_LOST: Final = 12.0  # points, at the end of the scale
LEAD_SCALES: Final = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 400)  # points at the ends
LEAST_OWNED: Final = 0.05  # no square for less


@dataclass(frozen=True)
class Lead(SearchOverlay):
    """Score leads in points."""

    def scale(self, node: NodeView) -> tuple[float, float]:
        most = max((abs(lead) for lead in node.leads.tolist() if not math.isnan(lead)), default=0.0)
        high = float(next((end for end in LEAD_SCALES if end >= most), most))
        return -high, high

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        return Paint(ramp(theme.value_ramp, 0.5 + 0.5 * figure / high), solid)

    def number(self, figure: float) -> str:
        return signed(figure, 1)

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return None if few else (self.number(figure), short_count(int(node.visits_of[i])))

    def explain(self, node: NodeView, mover: str) -> Legend:
        if not node.leads.size:
            return Legend(tr(self.title), tr("the net gives no score leads"), tr(self.tip))
        low, high = self.scale(node)
        text, tip = tr("points, {mover}").format(mover=mover), f"{tr(self.tip)}. {tr(SOLID)}"
        return Legend(tr(self.title), text, tip, "value_ramp", signed(low, 0), signed(high, 0), centred=True)


@dataclass(frozen=True)
class Lost(Lead):
    """Points lost beside the move to play."""

    def scale(self, node: NodeView) -> tuple[float, float]:
        return 0.0, MOST_LOST

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        return Paint(ramp(theme.value_ramp, 1.0 - math.sqrt(min(1.0, max(0.0, figure) / high))), solid)

    def number(self, figure: float) -> str:
        return plain(figure, 1)

    def explain(self, node: NodeView, mover: str) -> Legend:
        legend = super().explain(node, mover)
        if not legend.ramp:
            return legend
        return Legend(legend.title, legend.text, legend.tip, legend.ramp, plain(MOST_LOST, 0), "0")


def leads_of(node: NodeView) -> list[float]:
    """Return each move's score lead [E]; NaN for none."""
    leads: list[float] = node.leads.tolist() or [math.nan] * len(node.actions)
    return leads


def points_lost(node: NodeView) -> list[float]:
    """Return the points that each move loses beside the move to play [E]; NaN for none."""
    leads = leads_of(node)
    best = leads[node.best_index] if node.best_index >= 0 else math.nan
    return [best - lead for lead in leads]


@dataclass(frozen=True)
class Owners(Overlay):
    """A square in the expected owner's colour on each point, whose area is how sure that is."""

    mean: bool = False  # over the positions of the tree

    @property
    def data(self) -> str:  # type: ignore[override]
        return MEAN_OWNERS if self.mean else OWNERS

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        ownership = content.ownership
        if ownership is None:
            return []
        kind, stones = kind_of(ownership.position.game.name), ownership.position.cells().ravel().tolist()
        colours = [stone_color(kind, player, theme) for player in range(2)]
        marks = []
        for cell, point in enumerate(ownership.points.ravel().tolist()):
            if abs(point) >= LEAST_OWNED:
                owner, side = int(point < 0), visible_step(0.56 * math.sqrt(abs(point)))
                filled = float(stones[cell] != owner + 1)  # on the owner's stones without a fill
                marks.append(Mark(cell, cell, colours[owner], filled, "", "", "", side=side))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        ownership, players = content.ownership, kind_of(position.game.name).players
        title, tip = tr(self.title), f"{tr(self.tip)}."
        if ownership is None:
            return Legend(title, tr("not analysed yet"), tip)
        text = tr("{first} or {second}, as the net expects it, without search")
        if ownership.positions > 1:
            text = tr("{first} or {second}, mean of {count} positions of the tree")
        text = text.format(first=players[0], second=players[1], count=ownership.positions)
        return Legend(title, text, tip)


POINTS: Final[tuple[Overlay, ...]] = (
    Lead("lead", "Lead", "Score lead in points after each move", "S", needs=LEADS, figures_of=leads_of),
    Lost(
        "lost",
        "Points lost",
        "Points lost by each move: the lead after the move to play less the lead after this one",
        "Shift+S",
        needs=LEADS,
        figures_of=points_lost,
    ),
    Owners(
        "ownership",
        "Ownership",
        "To whom the net expects each point to belong at the end; the larger the square, the surer",
        "O",
        needs=OWNERSHIP,
    ),
    Owners(
        "mean_ownership",
        "Mean ownership",
        "Ownership averaged over the most visited positions of the tree from the one shown on, weighted by visits",
        "Shift+O",
        needs=OWNERSHIP,
        mean=True,
    ),
)
