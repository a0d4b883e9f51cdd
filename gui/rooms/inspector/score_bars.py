"""The terms of every move's score as bars, for each selection rule.  Knows a Choice, no widget but the bars."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gui.language.language import tr
from gui.rooms.inspector.arithmetic import margin_text, shown_edges
from gui.widgets.bars import FULL, INNER, BarChart, BarRow, Span, scale_of, term_words
from gui.widgets.figures import plain

if TYPE_CHECKING:
    from core.glass import NodeView
    from core.glass.choice import Choice


def score_terms(choice: Choice, rule: str, edge: int) -> tuple[tuple[str, float], ...]:
    """Return the terms whose sum is the score of an edge, with their names; infinite for moves tried or due alone."""
    q, u, score = float(choice.qs[edge]), float(choice.us[edge]), float(choice.scores[edge])
    if rule == "gumbel" and choice.due >= 0:
        if not math.isfinite(score):
            return (("g + ln P", -math.inf),)
        value = float(choice.c) * q
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
