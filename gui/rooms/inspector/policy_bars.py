"""The net's policy beside the visits, and its answers under symmetries, as charts.  Knows figures, no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.language.language import tr
from gui.widgets.bars import LOWER, UPPER, BarChart, BarRow, Dot, Span
from gui.widgets.figures import percent, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.engine.symmetry import SymmetryAnswer
    from core.glass import NodeView

MOST_MOVES = 4  # whose policy is shown under symmetries


def policy_chart(view: NodeView, edges: Sequence[int], priors: Sequence[float], shares: Sequence[float]) -> BarChart:
    """Return P above π for some moves, on a common scale from 0."""
    names = view.position.game.action_name
    rows = tuple(
        BarRow(
            int(view.actions[i]),
            names(int(view.actions[i])),
            (Span(0.0, float(priors[i]), "prior", UPPER), Span(0.0, float(shares[i]), "share", LOWER)),
            words=f"P {percent(float(priors[i]))}, π {percent(float(shares[i]))}",
            mark="●" if i == view.best_index else "",
        )
        for i in edges
    )
    most = max([float(column[i]) for column in (priors, shares) for i in edges] + [0.01])
    legend = (("prior", "P"), ("share", "π"))
    return BarChart(rows, 0.0, most, legend, ends=("0", percent(most)))


def value_dots(answer: SymmetryAnswer, sign: int = 1) -> BarChart:
    """Return the value under each symmetry as dots, with their mean; the ring is the board as it stands.

    ``sign`` -1: for the player who is not to move."""
    values = [sign * value for value in answer.values.tolist()]
    pad = max(0.05, 0.15 * (max(values) - min(values)))
    low, high = max(-1.0, min(values) - pad), min(1.0, max(values) + pad)
    mean = sign * answer.value_mean
    words = tr("{low} to {high}").format(low=signed(min(values)), high=signed(max(values)))
    dots = (*(Dot(value, "high") for value in values), Dot(values[0], "text", ring=True))
    row = BarRow(-2, "V", ticks=((mean, "accent"),), dots=dots, words=words)
    return BarChart((row,), low, high, (("accent", tr("mean")), ("high", tr("under each symmetry"))))


def policy_dots(answer: SymmetryAnswer) -> BarChart:
    """Return P of the first moves under each symmetry as dots, with their means."""
    means = answer.policy_mean
    order = sorted(range(len(answer.actions)), key=lambda i: (-float(means[i]), i))[:MOST_MOVES]
    names = answer.position.game.action_name
    rows = tuple(
        BarRow(
            answer.actions[i],
            names(answer.actions[i]),
            ticks=((float(means[i]), "accent"),),
            dots=(
                *(Dot(p, "prior") for p in answer.policies[:, i].tolist()),
                Dot(float(answer.policies[0, i]), "text", ring=True),
            ),
            words=percent(float(means[i])),
        )
        for i in order
    )
    most = float(answer.policies[:, order].max()) * 1.05 if order else 1.0
    return BarChart(rows, 0.0, most, ends=("0", percent(most)))
