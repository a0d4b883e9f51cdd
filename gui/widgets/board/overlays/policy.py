"""Overlays of policies: the prior, the net's own policy, and the one that comes out of the search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from gui.language.language import tr
from gui.widgets.board.board_paint import anchor
from gui.widgets.board.overlays.overlay import (
    HUMAN,
    LEAST_SHARE,
    MOST_TEXTS,
    PRIORS,
    TOP,
    BoardContent,
    Legend,
    Mark,
    Overlay,
    Paint,
    SearchOverlay,
    column,
    mover_words,
    visible_step,
)
from gui.widgets.figures import percent, rough_percent
from gui.widgets.theme import Theme, ramp

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView

LOWEST_PRIOR: Final = 1e-3  # the low end of the logarithmic scale of policies


@dataclass(frozen=True)
class Policy(SearchOverlay):
    """Probabilities of the moves on a logarithmic scale."""

    unvisited: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        return LOWEST_PRIOR, 1.0

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        if figure < LOWEST_PRIOR:
            return None
        t = log_scale(figure)
        return Paint(ramp(theme.prior_ramp, t), 0.25 + 0.75 * t)

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return None if figure < LEAST_SHARE else (rough_percent(figure), "")

    def weights(self, node: NodeView, figures: list[float]) -> list[float]:
        return figures

    def outstanding(self, figures: list[float]) -> int:
        top = max(range(len(figures)), key=figures.__getitem__)
        return top if sum(figure >= figures[top] * 0.999 for figure in figures) == 1 else -1

    def best_ringed(self) -> bool:
        return False

    def kind(self, node: NodeView) -> tuple[str, str]:
        """Which policy of that name a search has, "" for the usual one, and its meaning."""
        return "", tr(self.tip)

    def missing(self, node: NodeView) -> str:
        """Why there is nothing to see, or ""."""
        figures = self.figures(node)
        if all(map(math.isnan, figures)):
            return tr("this selection rule uses no priors")
        uniform = math.isnan(node.value) and max(figures) - min(figures) < 1e-4
        return tr("no net: uniform policy") if uniform else ""

    def explain(self, node: NodeView, mover: str) -> Legend:
        (kind, tip), missing = self.kind(node), self.missing(node)
        if missing:
            return Legend(tr(self.title), missing, tip)
        text = tr("{mover} · log").format(mover=mover)
        text, tip = f"{kind} · {text}" if kind else text, f"{tip}."
        return Legend(tr(self.title), text, tip, "prior_ramp", percent(LOWEST_PRIOR), "100 %")


class Prior(Policy):
    """The policy by which selection prefers moves."""

    def kind(self, node: NodeView) -> tuple[str, str]:
        return tr("changed by noise or temperature") if node.noisy else "", tr(self.tip)


class SearchPolicy(Policy):
    """The policy that a net would learn from the search."""

    def missing(self, node: NodeView) -> str:
        return ""

    def kind(self, node: NodeView) -> tuple[str, str]:
        if node.selection == "gumbel":
            return "π′", tr("Improved policy: the prior, raised where Q is above the node's value and lowered below")
        if node.selection == "puct":
            return tr("π pruned"), tr(
                "Visits without those that only noise or early doubt explains, no proved loss among them"
            )
        return "", tr("Visits without proved losses")


class HumanPolicy(Overlay):
    """The policy of the human net beside the search, of the players that it imitates."""

    data: ClassVar[str] = HUMAN

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        policy, position = content.human, content.position
        if policy is None or position is None:
            return []
        marks = []
        for place, (action, share) in enumerate(sorted(policy.items(), key=lambda move: -move[1])):
            if share < LOWEST_PRIOR:
                break
            t = log_scale(share)
            text = rough_percent(share) if place < MOST_TEXTS and share >= LEAST_SHARE else ""
            fill, opacity = ramp(theme.prior_ramp, t), visible_step(0.25 + 0.75 * t)
            marks.append(Mark(action, anchor(position, action), fill, opacity, text, "", "" if place else TOP))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        title, tip = tr(self.title), f"{tr(self.tip)}."
        if content.human is None:
            return Legend(title, tr("not evaluated yet"), tip)
        text = tr("{mover} · log").format(mover=mover_words(position))
        return Legend(title, text, tip, "prior_ramp", percent(LOWEST_PRIOR), "100 %")


def log_scale(prior: float) -> float:
    """Return 0 at ``LOWEST_PRIOR`` and below, 1 for certainty."""
    return 0.0 if prior <= LOWEST_PRIOR else 1.0 - math.log(prior) / math.log(LOWEST_PRIOR)


def _priors(node: NodeView) -> list[float]:
    return column("priors")(node) if node.has_priors else [math.nan] * len(node.actions)


def _target(node: NodeView) -> list[float]:
    return node.choice.target.tolist() if node.choice is not None else [math.nan] * len(node.actions)


POLICIES: Final[tuple[Overlay, ...]] = (
    Prior(
        "prior",
        "Prior P",
        "The policy as selection uses it, on a logarithmic scale",
        "F6",
        needs=PRIORS,
        figures_of=_priors,
    ),
    Policy(
        "raw",
        "Net prior",
        "The net's policy before noise, on a logarithmic scale",
        "R",
        needs=PRIORS,
        figures_of=column("net_priors"),
    ),
    SearchPolicy("policy", "Policy π", "The policy that comes out of the search", "Shift+R", figures_of=_target),
    HumanPolicy(
        "human",
        "Human P",
        "How likely the players that the human net imitates play each move, as that net claims, on a logarithmic scale",
        "Alt+R",
        needs=HUMAN,
    ),
)
