"""The value of one node: the net's, the searched one and proofs.  Knows a node or the row of a leaf."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.language.language import begun, mark, tr
from gui.rooms.inspector.arithmetic import value_words
from gui.rooms.inspector.interval_bars import interval_chart, interval_words
from gui.widgets.bars import Bars, Histogram
from gui.widgets.figures import OTHER_PROOF, count, result_words, signed
from gui.widgets.labels import make_label
from gui.widgets.sections import Facts, Section
from gui.widgets.texts import set_texts
from gui.widgets.words import proof_words

if TYPE_CHECKING:
    from core.glass import MoveRow, NodeView
    from core.glass.leaf_values import LeafValues
    from gui.rooms.inspector.speaker import Speaker


class ValueSection(Section):
    """The section with the values, each with the player it is for."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Value"), parent)
        self.facts = Facts(
            (
                (mark("Net V"), mark("The net's own value of this position, before any search below it.")),
                (mark("Searched"), mark("The mean of all simulations through this node, from both sides.")),
                (mark("Difference"), mark("Searched value minus the net's.")),
                (mark("Value"), mark("This position has no value yet.")),
                (mark("Proof"), mark("The result with best play, proved by the search, and its distance.")),
            ),
            self.body,
        )
        self.histogram = Histogram(self.body, mark("Values at the leaves"))
        set_texts(
            self.histogram,
            toolTip="How often each value was found at the end of a simulation through this node: the net's value of "
            "the leaf, or the result of a random or finished game, for the player named below. Dashed: their mean, and "
            "the net's own value of this node.",
        )
        self.counted = make_label(self.body, "faint", wrap=True)
        self.moves = Bars(self.body, mark("Q of the moves with its interval"))
        self.interval = make_label(self.body, "faint", wrap=True)
        for widget in (self.facts, self.moves, self.interval, self.histogram, self.counted):
            self.add(widget)
        self._shown: tuple[NodeView, Speaker] | None = None  # the node whose moves are shown
        self._leaves: LeafValues | None = None
        self.show_leaves(None, None, math.nan)

    def show_view(self, view: NodeView, who: Speaker) -> None:
        """Show a node whose moves are in the tree."""
        self._shown = view, who
        self._show_moves()
        facts = dict(value_words(view, who))
        proof = proof_words(view, who.name, who.sign)
        facts["Proof"] = begun(proof) if proof else tr("nothing proved yet") if view.visits else ""
        known = view.q if view.visits else view.value
        if not proof and not math.isnan(known):
            proof = tr("{known} for {mover}").format(known=signed(who.sign * known, 2), mover=who.name)
        self._show(facts, proof, who)

    def show_leaf(self, row: MoveRow | None, who: Speaker) -> None:
        """Show a leaf by its parent's row for the move; None: nothing."""
        self._shown = None
        self._show_moves()
        facts = {}
        if row is not None:
            if not math.isnan(row.value):
                facts["Net V"] = who.said(signed(-who.sign * row.value))
            if row.visits:
                facts["Searched"] = tr("{q} for {mover} · {q_2} for {other}").format(
                    q=signed(-who.sign * row.q), mover=who.name, q_2=signed(who.sign * row.q), other=who.other
                )
            if row.proof:
                words = tr("{result} for {player}, this move counted")
                result, player = row.proof, who.other
                if who.fixed and who.sign > 0:
                    result, player = OTHER_PROOF[result], who.name
                elif who.sign < 0:
                    player = who.name
                facts["Proof"] = words.format(
                    result=result_words(result, row.distance, row.distance_at_most), player=player
                )
        self._show(facts, "", who)

    def show_leaves(self, leaves: LeafValues | None, who: Speaker | None, net: float, elsewhere: bool = False) -> None:
        """Show the distribution of leaf values below this node; None hides it, or says that it is ``elsewhere``."""
        if leaves is not self._leaves:
            self._leaves = leaves
            self._show_moves()
        known = leaves is not None and leaves.simulations > 0
        self.histogram.setVisible(known)
        self.counted.setVisible(known or elsewhere)
        if elsewhere:
            self.counted.setText(tr("The values at the leaves are not available for a search on another machine."))
        if leaves is None or who is None or not known:
            return
        mean, counts = who.sign * leaves.mean, leaves.counts.tolist()[:: who.sign]
        words = tr("Leaf values of {counted} of {of} simulations, mean {mean} for {mover}").format(
            counted=count(leaves.simulations), of=count(leaves.of), mean=signed(mean), mover=who.name
        )
        ends = tr("−1 lost for {mover}").format(mover=who.name), tr("+1 won")
        self.histogram.show_counts(counts, ((mean, "text"), (who.sign * net, "prior")), ends, words)
        self.counted.setText(words)

    def _show_moves(self) -> None:
        """Show Q of the moves with its intervals, which may need the spread of the leaf values."""
        shown = self._shown if self._shown is not None and self._shown[0].visits_of.any() else None
        for widget in (self.moves, self.interval):
            widget.setVisible(shown is not None)
        if shown is not None:
            view, who = shown
            spreads = self._leaves.spreads if self._leaves is not None else None
            self.moves.show_chart(interval_chart(view, spreads, who.sign))
            self.interval.setText(interval_words(view))

    def _show(self, facts: dict[str, str], summary: str, who: Speaker) -> None:
        self.set_disc(who.disc)
        self.setVisible(any(facts.values()))
        for name in ("Net V", "Searched", "Difference", "Value", "Proof"):
            self.facts.set_text(name, facts.get(name, ""))
        self.set_summary(summary)
