"""The calibration of an audited net's value and of its search's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from core.text import Words
from gui.language.language import tr
from gui.widgets.charts.calibration import Dots, calibration
from gui.widgets.charts.chart import Chart
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from models.audit.results import Audit

HEIGHT = 190
MEANING: Words = (
    "Predicted value against the mean result, both for the side to move, with 95 % intervals: on the diagonal a value "
    "means what it says. Results are exact where a position was solved, else those of the game it is from."
)


class AuditChart(Chart):
    """Two rows of dots: the net's values and the search's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Calibration of the value", MEANING, parent, entries=4, height=HEIGHT)
        self._shown: tuple[Audit, int] | None = None
        on_language(self, self._show)

    def show_audit(self, audit: Audit, net: int) -> None:
        """Show the calibration of one net over the positions so far."""
        self._shown = audit, net
        self._show()

    def _show(self) -> None:
        from models.audit.summary import calibrate

        if self._shown is None:
            return
        audit, net = self._shown
        rows = []
        for searched, colour, name in ((False, 1, tr("net, mean error")), (True, 0, tr("search, mean error"))):
            curve = calibrate(audit.done, net, searched)
            bins = [(entry.predicted, entry.result, entry.positions) for entry in curve.bins]
            rows.append(Dots(name, colour, bins, curve.error))
        self.show_drawing(calibration(rows))
