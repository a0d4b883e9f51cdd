"""Overlays of where the search went: its visits and the exploration term."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from gui.language.language import tr
from gui.widgets.board.overlays.overlay import (
    SOLID,
    Legend,
    Overlay,
    Paint,
    SearchOverlay,
    column,
    visible_step,
)
from gui.widgets.figures import COLUMN_INDEX, column_words, plain, rough_percent, short_count
from gui.widgets.theme import Theme, ramp

if TYPE_CHECKING:
    from core.glass import NodeView


@dataclass(frozen=True)
class Visits(SearchOverlay):
    """The share of the visits."""

    better_ringed: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        return 0.0, float(max(1, int(node.visits_of.sum())))

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        return Paint(ramp(theme.share_ramp, visible_step(math.sqrt(figure / high))), solid)

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        total = max(1, int(node.visits_of.sum()))
        return None if few else (rough_percent(figure / total), short_count(int(figure)))

    def explain(self, node: NodeView, mover: str) -> Legend:
        return Legend(tr(self.title), mover, f"{tr(self.tip)}. {tr(SOLID)}", "share_ramp", "0 %", "100 %")


@dataclass(frozen=True)
class Exploration(SearchOverlay):
    """The exploration term U of the selection formula."""

    unvisited: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        finite = [u for u in node.us.tolist() if math.isfinite(u)]
        return min([0.0, *finite]), max([0.0, *finite])

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        low, _ = self.scale(node)
        t = 1.0 if math.isinf(figure) else (figure - low) / max(1e-9, high - low)
        return Paint(ramp(theme.prior_ramp, t), 0.25 + 0.75 * min(1.0, t))

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return plain(figure, 0 if node.selection == "flat" else 3), ""

    def weights(self, node: NodeView, figures: list[float]) -> list[float]:
        return figures

    def explain(self, node: NodeView, mover: str) -> Legend:
        _, tip = column_words(COLUMN_INDEX["u"], node.selection)
        least, most = self.scale(node)
        return Legend(tr(self.title), mover, tip, "prior_ramp", plain(least, 0), plain(most, 3 if most < 10 else 0))


VISITS: Final[tuple[Overlay, ...]] = (
    Visits("visits", "Visits", "Share of the visits and their number", "F5", figures_of=column("visits_of")),
    Exploration("u", "U", "Exploration term of the selection formula", "U", figures_of=column("us")),
)
