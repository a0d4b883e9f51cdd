"""The calibration of the runs' value heads: predicted value against outcome.  Knows RunModels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from gui.language.language import tr
from gui.rooms.training.charts import Chart, Look
from gui.rooms.training.comparison import Shown
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.series import Moment
from gui.widgets.calibration_plot import CalibrationDots
from gui.widgets.chart_table import ChartSpec
from gui.widgets.plot import Row


class CalibrationChart(Chart):
    """A chart of predicted value against outcome, of each run's newest iteration."""

    def __init__(self, spec: ChartSpec, parent: QWidget | None = None) -> None:
        self._runs: list[Shown] = []
        super().__init__(spec, parent)
        self._dots_of_runs = CalibrationDots(self.plot)

    def show_runs(self, runs: Sequence[Shown], look: Look) -> None:
        self.several, self._runs = len(runs) > 1, list(runs)
        self._dots_of_runs.show([run.calibration for run, _ in runs], self._colours)
        self.measure()
        self._show_legend()

    def figures(self, run: RunModel, smoothing: float) -> Iterator[tuple[str, Moment, float, float]]:
        yield from super().figures(run, smoothing)
        for place, (predicted, outcome, positions) in enumerate(run.calibration, 1):
            bins = {"predicted": predicted, "outcome": outcome, "positions": float(positions)}
            yield from ((f"bin {place} {name}", run.moment, value, value) for name, value in bins.items())

    @property
    def _colours(self) -> list[int]:
        return [colour if self.several else 0 for _, colour in self._runs]

    def _draw(self) -> None:
        """Do nothing: the axes are values."""

    def set_hover(self, x: float) -> None:
        """Ignore the common crosshair, because this chart is not over time."""

    def _show_legend(self) -> None:
        rows: list[Row] = []
        for (run, _), colour in zip(self._runs, self._colours, strict=True):
            error = run.series["calibration_error"].last if "calibration_error" in run.series else math.nan
            rows.append((self.colour(colour), 0, "" if rows else tr("mean error"), self.spec.text(error)))
        self.legend.show_rows(
            rows, "; ".join(f"{run.name} {row[3]}" for (run, _), row in zip(self._runs, rows, strict=True))
        )
