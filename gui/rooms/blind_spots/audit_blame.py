"""What is to blame for the mistakes of an audited search, as bars with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.bars import BarChart, BarRow, Bars, Span
from gui.widgets.figures import percent
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from models.audit.results import Audit

COLOURS: Final = {"policy": "prior", "value": "high", "horizon": "share"}  # what else there is: pale


class BlameChart(QWidget):
    """A bar for each thing to blame, its share of the mistakes examined; hidden while there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = make_label(self, "dim", wrap=True)
        self.bars = Bars(self, "What is to blame for the search's mistakes")
        lay_column(self.words, self.bars, of=self, margins=(0, 6, 0, 6), spacing=4)
        self._shown: tuple[Audit, int] | None = None
        on_language(self, self._show)
        self._show()

    def show_audit(self, audit: Audit, net: int) -> None:
        """Show the shares of one net, over the mistakes examined so far."""
        self._shown = audit, net
        self._show()

    def _show(self) -> None:
        if self._shown is None or not self._shown[0].blames:
            self.hide()
            return
        from models.audit.blame import WORDS, mistakes, shares

        audit, net = self._shown
        parts, rows = shares(audit.blames, net), []
        for key, part in enumerate(parts):
            low, high = part.interval
            words = tr("{examined} of {count} mistakes, 95 % interval {low} to {high}").format(
                examined=part.mistakes, count=part.of, low=percent(low, 0), high=percent(high, 0)
            )
            span = Span(0.0, part.share, COLOURS.get(part.kind, "line"))
            name, note = core_text(WORDS[part.kind]), percent(part.share, 0)
            rows.append(BarRow(key, name, (span,), words=words, note=note, whisker=part.interval))
        self.bars.show_chart(BarChart(tuple(rows), 0.0, 1.0, ends=("0 %", "100 %")))
        count = parts[0].of if parts else 0
        self.words.setText(
            tr("To blame for the search's mistakes: {examined} of {count} examined").format(
                examined=count, count=len(mistakes(audit, net))
            )
        )
        self.show()
