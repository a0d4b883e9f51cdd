"""Q of a node's moves with its intervals, as a chart, and what the selection rule means by them.  Knows a NodeView."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gui.language.language import tr
from gui.rooms.inspector.arithmetic import shown_edges
from gui.widgets.bars import BarChart, BarRow, Dot, scale_of
from gui.widgets.figures import signed

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from core.glass import NodeView

WELL_VISITED: Final = 0.05  # of the most visits: a move with fewer is drawn faintly


def interval_words(view: NodeView) -> str:
    """Return what the intervals are under the selection rule of a node."""
    z = view.choice.params.lcb_z if view.choice is not None else 0.0
    errors = tr("Shown: Q ± {z:g} standard errors of the values found, by which a lower bound may choose the move.")
    if view.selection == "ucb1":
        c = view.choice.c if view.choice is not None else 0.0
        words = tr(
            "UCB1: Q ± U. For independent values each end is wrong with a probability of at most (ΣN)^−{power:.3g}."
        )
        return words.format(power=2 * c * c)
    if view.selection == "ucb1_tuned":
        return tr("Tuned UCB1: Q ± U, which follows the spread of the values; no probability is proved for it.")
    if view.selection == "flat":
        return tr("Flat: Wilson's interval of {z:g} standard errors; the games of a move are independent.").format(z=z)
    none = tr("PUCT defines no interval: U weighs the prior, not doubt.")
    if view.selection == "gumbel":
        none = tr("Gumbel defines no interval: its noise g explores.")
    return f"{none} {errors.format(z=z)}"


def interval_chart(view: NodeView, spreads: NDArray[float64] | None, sign: int) -> BarChart:
    """Return Q of the visited moves with their intervals; ``sign`` -1: for the player who is not to move.

    The scale holds all of them, as far as values go: an interval that was cut would look like a certain one."""
    from core.glass.intervals import intervals

    found, names = intervals(view, spreads), view.position.game.action_name
    most, rows, ends = max(1, int(view.visits_of.max())), [], []
    for i in shown_edges(view, (view.best_index,)):
        q, one, n = sign * float(view.qs[i]), found[i], int(view.visits_of[i])
        if not n and one is None:
            continue
        whisker = None if one is None else (min(sign * one.low, sign * one.high), max(sign * one.low, sign * one.high))
        exact = one is not None and one.low == one.high
        at = whisker[0] if exact and whisker is not None else q
        words = tr("Q {q}, spread not known").format(q=signed(q))
        if whisker is not None:
            words = tr("Q {q}, from {low} to {high}").format(
                q=signed(q), low=signed(whisker[0]), high=signed(whisker[1])
            )
        if exact:
            words = tr("Q {q}, proved: {value}").format(q=signed(q), value=signed(at))
        note = "" if whisker is None else tr("proved") if exact else f"±{(whisker[1] - whisker[0]) / 2:.3f}"
        ends += [at, *(whisker or ())]
        mark = "●" if i == view.best_index else ""
        dot = Dot(at, "high" if at >= 0 else "low", ring=exact)
        faint = n < WELL_VISITED * most
        rows.append(
            BarRow(int(view.actions[i]), names(int(view.actions[i])), (), (), (dot,), words, note, mark, faint, whisker)
        )
    low, high = scale_of(ends, with_zero=False)
    return BarChart(tuple(rows), max(-1.0, low), min(1.0, high))
