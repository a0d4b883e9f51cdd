"""The policies of one node: the net's, with noise, by visits, and as the target of training.  Knows a NodeView."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from gui.language.language import mark, tr
from gui.rooms.inspector import arithmetic as sums
from gui.rooms.inspector.policy_bars import policy_chart
from gui.widgets.bars import Bars
from gui.widgets.figures import NONE, divergence, percent, plain
from gui.widgets.sections import Facts, FigureGrid, GridRow, Section

if TYPE_CHECKING:
    from core.glass import NodeView

MOST_NAMES: Final = 6  # of worse moves


class PolicySection(Section):
    """The section with a row for each move: the net's policy, with noise, by visits, the target of training."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Policies"), parent)
        self.grid = FigureGrid(self.body, mark("Policies of the moves"))
        self.measures = FigureGrid(self.body, mark("Entropy and divergence"))
        self.measures.set_heads(
            (mark("nats"), "", "", "", ""), (mark("Entropy H, and KL(· ‖ P): how far each lies from the net's."),) * 5
        )
        self.bars = Bars(self.body, mark("Net policy and visits of the moves"))
        self.worse = Facts(
            (
                (
                    mark("Worse moves"),
                    mark(
                        "Moves whose value is lower by 0.1 or more than that of the move played now: exact where it is "
                        "proved, else Q. P on them is what the net gives to moves that the search rejects."
                    ),
                ),
                (
                    mark("Wrong moves"),
                    mark(
                        "Moves with a worse exact result than the best one. Known where the position was solved: by "
                        "the overlay of exact results, or by “Why not?”."
                    ),
                ),
            ),
            self.body,
        )
        for widget in (self.bars, self.grid, self.measures, self.worse):
            self.add(widget)

    def show_view(self, view: NodeView, exact: Mapping[int, int] | None = None) -> None:
        """Show a node; ``exact``: the exact values of its moves, where they are known."""
        choice = view.choice
        if choice is None:
            return
        last = {"puct": tr("π pruned"), "gumbel": "π′"}.get(view.selection, tr("π target"))
        changed = view.has_priors and bool((view.priors != view.net_priors).any())
        heads = (tr("Move"), "P", tr("P scaled") if view.left_out else tr("P noise"), "π", last)
        tips = (
            tr("The move."),
            tr("The net's prior over the legal moves; uniform without a net."),
            tr("Prior as selection uses it: root noise mixed in, scaled to sum 1 where only some moves are searched."),
            tr("Share of the visits."),
            {
                "puct": tr(
                    "Visits without those that only noise or early doubt explains (KataGo, section 3.2), no proved "
                    "loss among them: what a net would learn."
                ),
                "gumbel": tr(
                    "Improved policy: the prior, raised where Q is above the node's value: what a net would learn."
                ),
            }.get(view.selection, tr("Visits without proved losses: what a net would learn.")),
        )
        self.grid.set_heads(heads, tips)
        visits = choice.visits.astype(float)
        pi = visits / max(1.0, float(visits.sum()))
        columns = (view.net_priors.astype(float), view.priors.astype(float), pi, choice.target)
        names = view.position.game.action_name
        best = view.best_index
        rows = []
        edges = sums.shown_edges(view, (best,))
        self.bars.show_chart(policy_chart(view, edges, columns[0].tolist(), columns[2].tolist()))
        for i in edges:
            texts = [percent(float(column[i])) for column in columns]
            if not changed:
                texts[1] = NONE
            sign = "●" if i == best else ""
            rows.append(GridRow(int(view.actions[i]), (names(int(view.actions[i])), *texts), sign))
        self.grid.show_rows(rows)
        columns = (columns[0] / columns[0].sum(), *columns[1:])  # over the moves searched
        entropies = [plain(sums.entropy(column), 2) for column in columns]
        apart = [plain(divergence(column, columns[0]), 2) for column in columns]
        if not changed:
            entropies[1] = apart[1] = NONE
        apart[0] = NONE
        self.measures.show_rows((GridRow(-2, ("H", *entropies)), GridRow(-3, ("KL", *apart))))
        self.worse.set_text("Worse moves", worse_words(view, None))
        self.worse.set_text("Wrong moves", worse_words(view, exact) if exact else "")
        self.set_summary(f"KL(π ‖ P) {apart[2]}")


def worse_words(view: NodeView, exact: Mapping[int, int] | None) -> str:
    """Return the policy on the moves that the search, or the ``exact`` values, hold to be worse."""
    from core.glass.worse import find_worse

    found = find_worse(view, exact)
    if found is None:
        return ""
    names = [view.position.game.action_name(action) for action in found.actions]
    listed = ", ".join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")
    words = tr("π {share} on {moves}") if math.isnan(found.prior) else tr("P {prior}, π {share} on {moves}")
    said = words.format(prior=percent(found.prior), share=percent(found.share), moves=listed) if names else tr("none")
    if found.unknown > 0:
        said += tr("; P {prior} on moves without visits").format(prior=percent(found.unknown))
    return said
