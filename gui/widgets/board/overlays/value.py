"""Overlays of values: searched, proved, and the net's own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from gui.language.language import tr
from gui.widgets.board.board_paint import anchor
from gui.widgets.board.overlays.overlay import (
    MOST_TEXTS,
    NET,
    OUTCOMES,
    RESULTS,
    SOLID,
    BoardContent,
    Legend,
    Mark,
    Overlay,
    Paint,
    SearchOverlay,
    column,
    mover_words,
    plies_text,
    visible_step,
)
from gui.widgets.figures import MINUS, rough_percent, short_count, signed
from gui.widgets.theme import Theme, ramp
from gui.widgets.words import PROVED_VALUES

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView

CONFIDENCE_Z: Final = 1.96  # 95 % of a normal distribution


def interval(node: NodeView, edge: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a move's mean value, as if its simulations were independent.

    The half width is that of the search's own lower confidence bound.  None where the search keeps no squares (it does
    for UCB1-tuned and for the final choice by that bound) or has fewer than two visits.
    """
    choice, visits = node.choice, int(node.visits_of[edge])
    if choice is None or choice.node.squares.size == 0 or visits < 2 or node.proofs[edge]:
        return None
    q = float(node.qs[edge])
    count = visits + int(choice.node.begun[1 + edge])  # number of values in the sums
    variance = max(0.0, float(choice.node.squares[1 + edge]) / count - q * q)
    half = CONFIDENCE_Z * math.sqrt((variance + 1.0 / visits) / visits)
    return max(-1.0, q - half), min(1.0, q + half)


@dataclass(frozen=True)
class Value(SearchOverlay):
    """Values of the moves in [-1, 1] for the side that plays them."""

    better_ringed: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        return -1.0, 1.0

    def firm(self, node: NodeView, i: int) -> bool:
        """Whether a value depends on no number of visits."""
        return False

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        fill = ramp(theme.value_ramp, (figure + 1) / 2)
        return Paint(fill, 1.0) if self.firm(node, i) else Paint(fill, solid, interval(node, i))

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        visits = int(node.visits_of[i])
        return None if few or not visits else (signed(figure, 2), short_count(visits))

    def explain(self, node: NodeView, mover: str) -> Legend:
        tip = f"{tr(self.tip)}. {tr(SOLID)}"
        return Legend(tr(self.title), mover, tip, "value_ramp", f"{MINUS}1", "+1", centred=True)


@dataclass(frozen=True)
class ProvedValue(Value):
    """The exact value where it is proved, else Q."""

    def firm(self, node: NodeView, i: int) -> bool:
        return bool(node.proofs[i])

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        if not node.proofs[i]:
            return super().text(node, i, figure, few)
        return tr(RESULTS[round(figure)]), plies_text(int(node.distances[i]), bool(node.distances_at_most[i]))


@dataclass(frozen=True)
class NetValue(Value):
    """The net's own value of the position after each move."""

    better_ringed: ClassVar[bool] = False

    def firm(self, node: NodeView, i: int) -> bool:
        return True

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return signed(figure, 2), ""

    def explain(self, node: NodeView, mover: str) -> Legend:
        if all(math.isnan(figure) for figure in self.figures(node)):
            no_net = tr("leaves are evaluated by rollouts: no net")
            reason = no_net if math.isnan(node.value) else tr("the net has not evaluated any move yet")
            return Legend(tr(self.title), reason, tr(self.tip))
        return Legend(tr(self.title), mover, f"{tr(self.tip)}.", "value_ramp", f"{MINUS}1", "+1", centred=True)


def _proved_values(node: NodeView) -> list[float]:
    rows = zip(node.proofs.tolist(), node.qs.tolist(), node.visits_of.tolist(), strict=True)
    return [PROVED_VALUES.get(proof, q if visits else math.nan) for proof, q, visits in rows]


class NetOutcomes(Overlay):
    """Win, draw and loss after the moves, as the net expects them."""

    data: ClassVar[str] = OUTCOMES

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        outcomes, position = content.outcomes, content.position
        if outcomes is None or position is None:
            return []
        rows, marks = outcomes.chances.tolist(), []
        for i in sorted(range(len(rows)), key=lambda i: rows[i][2] - rows[i][0])[:MOST_TEXTS]:
            action, (win, draw, loss) = outcomes.actions[i], rows[i]
            fill = ramp(theme.value_ramp, (1.0 + win - loss) / 2)
            texts, shares = (rough_percent(win), rough_percent(draw)), tuple(map(visible_step, rows[i]))
            marks.append(Mark(action, anchor(position, action), fill, 1.0, *texts, "", shares=shares))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        text = tr("win and draw, {mover}").format(mover=mover_words(position))
        steps = tuple((0.5 + 0.5 * result, tr(word)) for result, word in RESULTS.items())
        return Legend(tr(self.title), text, f"{tr(self.tip)}.", "value_ramp", steps=steps)


VALUES: Final[tuple[Overlay, ...]] = (
    ProvedValue("value", "Value", "Value of each move: exact where proved, else Q", "V", figures_of=_proved_values),
    Value(
        "q",
        "Q",
        "Searched value of each move for the side that plays it, centred at 0",
        "F7",
        figures_of=column("qs"),
    ),
    NetValue(
        "net",
        "Net value",
        "The net's own value of the position after each move",
        "Shift+V",
        needs=NET,
        figures_of=column("values"),
    ),
    NetOutcomes(
        "outcomes",
        "Net W/D/L",
        "Win, draw and loss after each move, as the net expects them without search; the bar has all three",
        "Shift+W",
        needs=OUTCOMES,
    ),
)
