"""The heatmap on the board as values: which cell, what colour, which figures, which ring.  Knows no painter.

Colour and opacity follow one node (drawn often), texts another of the same position (changed a few times a
second), so that figures stay readable while the picture moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QColor

from gui.board_paint import anchor
from gui.figures import count, firmness, percent, rough_percent, short_count, signed
from gui.theme import Theme, ramp

if TYPE_CHECKING:
    from core.games import Position
    from core.search import NodeView

LOWEST_PRIOR: Final = 1e-3  # the low end of the logarithmic scale of priors
TWIN_OPACITY: Final = 0.5  # of a move that is searched as another one, the same by symmetry
MOST_TEXTS: Final = 24  # a board of 225 moves gets figures on its first ones only

BEST, BETTER, TOP = "best", "better", "top"  # rings: the move to play; higher Q than the most visited; highest prior


@dataclass(frozen=True)
class Mark:
    """One move on the board."""

    action: int
    cell: int
    fill: QColor
    opacity: float
    text: str
    sub: str
    ring: str  # "", BEST, BETTER or TOP


def overlay_marks(
    position: Position, node: NodeView, text_node: NodeView, overlay: str, best: int, theme: Theme
) -> list[Mark]:
    """The marks of one overlay ("visits", "prior", "q"; "none" gives an empty list)."""
    if overlay == "none" or len(node.actions) == 0:
        return []
    total = max(1, int(node.visits_of.sum()))
    texts = _texts(text_node, overlay)
    most = int(node.visits_of.argmax())
    top = int(node.priors.argmax())
    outstanding = bool((node.priors >= node.priors[top] * 0.999).sum() == 1)
    marks = []
    for i, raw in enumerate(node.actions):
        action, visits = int(raw), int(node.visits_of[i])
        prior, q = float(node.priors[i]), float(node.qs[i])
        if overlay == "prior":
            t = _log_scale(prior)
            fill, opacity = ramp(theme.prior_ramp, t), 0.25 + 0.75 * t
            shown, ring = prior >= LOWEST_PRIOR, TOP if i == top and outstanding else ""
        elif overlay == "visits":
            share = visits / total
            fill, opacity = ramp(theme.share_ramp, math.sqrt(share)), firmness(visits)
            shown, ring = visits > 0, ""
            if visits and i != most and q > float(node.qs[most]):
                ring = BETTER
        else:
            fill, opacity = ramp(theme.value_ramp, (q + 1) / 2 if not math.isnan(q) else 0.5), firmness(visits)
            shown, ring = visits > 0, ""
        if overlay != "prior" and action == best:
            ring = BEST
        if shown:
            text, sub = texts.get(action, ("", ""))
            marks.append(Mark(action, anchor(position, action), fill, opacity, text, sub, ring))
            twin = f"= {position.game.action_name(action)}"
            for other in node.same.get(action, ()):
                marks.append(Mark(other, anchor(position, other), fill, TWIN_OPACITY * opacity, twin, "", ""))
    return marks


def _texts(node: NodeView, overlay: str) -> dict[int, tuple[str, str]]:
    """action -> (figure, smaller figure below it) for the moves worth reading."""
    total = max(1, int(node.visits_of.sum()))
    order = sorted(
        range(len(node.actions)),
        key=lambda i: -(float(node.priors[i]) if overlay == "prior" else float(node.visits_of[i])),
    )
    result = {}
    for i in order[:MOST_TEXTS]:
        visits, prior = int(node.visits_of[i]), float(node.priors[i])
        if overlay == "prior":
            if prior < 0.005:
                continue
            result[int(node.actions[i])] = (rough_percent(prior), "")
        elif overlay == "visits":
            if visits < 0.005 * total:
                continue
            result[int(node.actions[i])] = (rough_percent(visits / total), short_count(visits))
        elif visits:
            result[int(node.actions[i])] = (signed(float(node.qs[i]), 2), short_count(visits))
    return result


def _log_scale(prior: float) -> float:
    """0 at ``LOWEST_PRIOR`` and below, 1 at certainty."""
    return 0.0 if prior <= LOWEST_PRIOR else 1.0 - math.log(prior) / math.log(LOWEST_PRIOR)


def mark_tip(node: NodeView, action: int) -> str:
    """One line of figures for a move, for its tool tip; "" for what is no move."""
    name = node.position.game.action_name
    for kept, others in node.same.items():
        if action in others:
            return f"{name(action)}: the same as {name(kept)} by symmetry, searched as that"
    if action in node.left_out:
        return f"{name(action)}: left out of the search, P {percent(node.left_out[action])}"
    for row in node.rows:
        if row.action == action:
            return (
                f"{row.name}: N {count(row.visits)} ({percent(row.share)}), P {percent(row.prior)}, "
                f"Q {signed(row.q)}, V {signed(row.value)}"
            )
    return ""
