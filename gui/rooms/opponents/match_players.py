"""The fields of one player of a match: who it is, and its limit of a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from core.text import Text, Words
from gui.jobs.match_job import MatchPlayer
from gui.language.language import mark
from gui.model.sources import OutsideSource
from gui.widgets.form import ComboBox, NumberEdit, choice_box, number_of
from gui.widgets.texts import set_texts

SIMULATIONS, SECONDS = 100, 1.0
LEAST_S, MOST_S, MOST_SIMULATIONS = 0.05, 3600.0, 10_000_000
UNITS: Final[Sequence[tuple[str, Words]]] = (("simulations", "simulations a move"), ("seconds", "seconds a move"))
Sources = list[tuple[str, Any]]  # titles and sources


class PlayerFields(QWidget):
    """A choice of players, a number and its unit; outside engines have seconds."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.who = set_texts(ComboBox(self), accessibleName=name)
        self.who.setMinimumContentsLength(10)
        self.who.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.amount = set_texts(NumberEdit(self), accessibleName=mark("Limit of a move"))
        self.amount.setMaximumWidth(90)
        self.unit = set_texts(choice_box(self, UNITS, self._take_unit), accessibleName=mark("Unit of the limit"))
        self.amount.setText(str(SIMULATIONS))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.who, 1)
        row.addWidget(self.amount)
        row.addWidget(self.unit)
        self._picked = False  # the user chose the player shown
        self.who.activated.connect(self._pick)

    def _pick(self, _: int) -> None:
        self._picked = True
        self._show_unit()

    def offer(self, sources: Sources, chosen: int = 0) -> None:
        """Offer these players; the one that the user chose stays as far as it is among them, else ``chosen`` is."""
        before = self.who.currentData() if self._picked else ...
        self.who.clear()
        for title, source in sources:
            self.who.addItem(title, source)
        place = next((i for i, (_, source) in enumerate(sources) if source == before), -1)
        self._picked = place >= 0
        place = place if self._picked else min(chosen, len(sources) - 1)
        self.who.setCurrentIndex(place)
        self._show_unit()

    def _show_unit(self) -> None:
        outside = isinstance(self.who.currentData(), OutsideSource)
        if outside and self.unit.currentData() != "seconds":
            self.unit.setCurrentIndex(self.unit.findData("seconds"))
            self._take_unit()
        self.unit.setEnabled(not outside)

    def _take_unit(self) -> None:
        self.amount.setText(f"{SECONDS:g}" if self.unit.currentData() == "seconds" else str(SIMULATIONS))

    def player(self) -> MatchPlayer:
        """Return the player entered; ``ValueError`` for a bad limit."""
        source = self.who.currentData()
        title = source.name if isinstance(source, OutsideSource) else self.who.currentText()
        if self.unit.currentData() == "seconds":
            return MatchPlayer(title, source, seconds=float(limited(self.amount, "seconds", LEAST_S, MOST_S)))
        return MatchPlayer(title, source, int(limited(self.amount, "simulations", 2, MOST_SIMULATIONS)))


def limited(field: NumberEdit, name: str, low: float, high: float) -> float:
    """Return the number entered, a whole one where ``low`` is; ``ValueError`` outside the limits."""
    number, text = number_of(field.text()), field.text()
    if isinstance(low, int) and (not isinstance(number, int) or not low <= number <= high):
        raise ValueError(
            Text(
                "{name} is {value!r}; it must be a whole number from {low} to {high}",
                name=name,
                value=text,
                low=low,
                high=high,
            )
        )
    if isinstance(number, str) or not low <= number <= high:
        raise ValueError(
            Text(
                "{name} is {value}; it must be a number from {low:g} to {high:g}",
                name=name,
                value=repr(text),
                low=low,
                high=high,
            )
        )
    return float(number)
