"""Bars of the room Why: intervals, policies and scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from core.search.rules.table import RULES
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.why.arithmetic import margin_text, shown_edges
from gui.widgets.bars import FULL, INNER, LOWER, UPPER, BarChart, BarRow, Dot, Span, scale_of, term_words
from gui.widgets.figures import percent, plain, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64
    from numpy.typing import NDArray

    from core.engine.symmetry import SymmetryAnswer
    from core.glass import NodeView
    from core.glass.choice import Choice

WELL_VISITED: Final = 0.05  # of the most visits: a move with fewer is drawn faintly


def interval_words(view: NodeView) -> str:
    """Return what the intervals are under the selection rule of a node."""
    rule, choice = RULES[view.selection], view.choice
    z, c = (choice.params.lcb_z, choice.c) if choice is not None else (0.0, 0.0)
    words = core_text(rule.interval_words.having(z=z, power=2 * c * c))
    if rule.interval:
        return words
    errors = tr("Shown: Q ± {z:g} standard errors of the values found, by which a lower bound may choose the move.")
    return f"{words} {errors.format(z=z)}"


def interval_chart(view: NodeView, spreads: NDArray[float64] | None, sign: int) -> BarChart:
    """Return Q of the visited moves with their intervals; ``sign`` -1: for the player who is not to move.

    The scale holds all of them, as far as values go: an interval that was cut would look like a certain one."""
    from core.glass.intervals import intervals

    bounds, names = intervals(view, spreads), view.position.game.action_name
    most, rows, ends = max(1, int(view.visits_of.max())), [], []
    for i in shown_edges(view, (view.best_index,)):
        q, one, n = sign * float(view.qs[i]), bounds[i], int(view.visits_of[i])
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


def score_terms(choice: Choice, rule: str, edge: int) -> tuple[tuple[str, float], ...]:
    """Return the terms whose sum is the score of an edge, with their names; infinite for moves tried or due alone."""
    q, u, score = float(choice.qs[edge]), float(choice.us[edge]), float(choice.scores[edge])
    if rule == "gumbel" and choice.due >= 0:
        if not math.isfinite(score):
            return (("g + ln P", -math.inf),)
        value = choice.scale * q
        return (("g + ln P", score - value), ("s · Q", value))
    if rule == "gumbel":
        return (("π′", u), ("−N / (1 + ΣN)", score - u))
    if rule == "flat":
        return (("−N", score),)
    if choice.has_score:
        return (("Q", q), ("S", float(choice.ss[edge])), ("U", u))
    return (("Q", q), ("U", u))


def score_chart(view: NodeView, choice: Choice, proved: bool) -> BarChart:
    """Return the moves' scores: each term a bar from where the last one ended, a line where the sum ends."""
    rule = view.selection
    edges = shown_edges(view, (choice.next_index, choice.second_index))
    sums = {i: score_terms(choice, rule, i) for i in edges}
    ends: list[float] = []
    rows = []
    names = view.position.game.action_name
    for i in edges:
        score, at, spans = float(choice.scores[i]), 0.0, []
        colours = ("prior", "share") if rule == "gumbel" else ("high", "share", "prior")
        if len(sums[i]) == 2 and rule != "gumbel":
            colours = ("high", "prior")
        for place, (_, value) in enumerate(sums[i]):
            if not math.isfinite(value):
                break
            colour = "low" if value < 0 and place == 0 else colours[place]
            spans.append(Span(at, at + value, colour, FULL if place == 0 else INNER))
            at += value
            ends.append(at)
        finite = math.isfinite(score)
        faint = not choice.visits[i] + choice.inflight[i] or not choice.allowed[i]
        rows.append(
            BarRow(
                int(view.actions[i]),
                names(int(view.actions[i])),
                tuple(spans),
                ((score, "text"),) if finite else (),
                words=term_words(sums[i], score),
                note=plain(score, 3 if rule != "flat" else 0),
                mark="" if proved else "▸" if i == choice.next_index else "2" if i == choice.second_index else "",
                faint=bool(faint),
            )
        )
    low, high = scale_of(ends)
    titles = max(sums.values(), key=len, default=())
    colours = ("prior", "share") if rule == "gumbel" else ("high", "share", "prior")
    if len(titles) == 2 and rule != "gumbel":
        colours = ("high", "prior")
    legend = [(colour, name) for colour, (name, _) in zip(colours, titles, strict=False)]
    firsts = {row.spans[0].colour for row in rows if row.spans}
    if "low" in firsts:
        legend[:1] = [*(legend[:1] if len(firsts) > 1 else []), ("low", f"{titles[0][0]} < 0")]
    band, title = None, ""
    margin = choice.margin
    if not proved and math.isfinite(margin):
        band = float(choice.scores[choice.second_index]), float(choice.scores[choice.next_index])
        title = tr("margin {margin}").format(margin=margin_text(margin))
    return BarChart(tuple(rows), low, high, tuple(legend), (), band, title)
