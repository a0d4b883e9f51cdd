"""The calibration of an audited net's value and of its search's.  Knows an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.language.language import mark, tr
from gui.widgets.calibration_plot import CalibrationDots
from gui.widgets.figures import plain
from gui.widgets.plot import ChartFrame, Plot
from gui.widgets.texts import on_language
from gui.widgets.theme import on_theme

if TYPE_CHECKING:
    from models.audit.results import Audit

HEIGHT = 190
MEANING = mark(
    "Predicted value against the mean result, both for the side to move, with 95 % intervals: on the diagonal a value "
    "means what it says. Results are exact where a position was solved, else those of the game it is from."
)


class AuditChart(ChartFrame):
    """Two rows of dots: the net's values and the search's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(mark("Calibration of the value"), MEANING, Plot(), 2, parent)
        self.plot.setFixedHeight(HEIGHT)
        self.head.addWidget(self.legend, 1, 0, 1, 2)
        self._errors = ("", "")
        self._dots = CalibrationDots(self.plot, (1, 0))
        on_language(self, self._show_legend)
        on_theme(self, self._show_legend)

    def show_audit(self, audit: Audit, net: int) -> None:
        """Show the calibration of one net over the positions so far."""
        from models.audit.summary import calibrate

        both = [calibrate(audit.done, net, searched) for searched in (False, True)]
        self._dots.show([[(one.predicted, one.result, one.positions) for one in found.bins] for found in both])
        self._errors = (plain(both[0].error), plain(both[1].error))
        self._show_legend()

    def _show_legend(self) -> None:
        rows = zip((tr("net, mean error"), tr("search, mean error")), self._errors, strict=True)
        self.legend.show_rows([(self._dots.colour(i), False, title, text) for i, (title, text) in enumerate(rows)])
