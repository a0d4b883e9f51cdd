"""The value of one node: the net's, the searched one and proofs.  Knows a node or the row of a leaf."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.language.language import begun, mark, tr
from gui.rooms.inspector.arithmetic import value_words
from gui.widgets.figures import plies_words, signed
from gui.widgets.sections import Facts, Section
from gui.widgets.words import proof_words

if TYPE_CHECKING:
    from core.glass import MoveRow, NodeView


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
        self.add(self.facts)

    def show_view(self, view: NodeView, mover: str, other: str) -> None:
        """Show a node whose moves are in the tree."""
        facts = dict(value_words(view, mover, other))
        proof = proof_words(view, mover)
        facts["Proof"] = begun(proof) if proof else tr("nothing proved yet") if view.visits else ""
        known = view.q if view.visits else view.value
        if not proof and not math.isnan(known):
            proof = tr("{known} for {mover}").format(known=signed(known, 2), mover=mover)
        self._show(facts, proof)

    def show_leaf(self, row: MoveRow | None, mover: str, other: str) -> None:
        """Show a leaf by its parent's row for the move; None: nothing."""
        facts = {}
        if row is not None:
            if not math.isnan(row.value):
                facts["Net V"] = tr("{value} for {mover}, who is to move").format(value=signed(-row.value), mover=mover)
            if row.visits:
                facts["Searched"] = tr("{q} for {mover} · {q_2} for {other}").format(
                    q=signed(-row.q), mover=mover, q_2=signed(row.q), other=other
                )
            if row.proof:
                words = tr("{result} in {plies} for {player}, this move counted")
                if not row.distance:
                    words = tr("{result} for {player}, this move counted")
                facts["Proof"] = words.format(
                    result=tr(row.proof), plies=plies_words(row.distance, row.distance_at_most), player=other
                )
        self._show(facts, "")

    def _show(self, facts: dict[str, str], summary: str) -> None:
        self.setVisible(any(facts.values()))
        for name in ("Net V", "Searched", "Difference", "Value", "Proof"):
            self.facts.set_text(name, facts.get(name, ""))
        self.set_summary(summary)
