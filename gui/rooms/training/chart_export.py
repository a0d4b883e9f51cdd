"""Charts of runs as a picture and as CSV.  Knows the charts, no file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from gui.rooms.training.charts import Chart
from gui.rooms.training.comparison import Shown
from gui.rooms.training.series import AXES
from gui.widgets.theme import current_theme

SHARPNESS: Final = 2  # resolution of a picture
MARGIN: Final = 8


def csv_of(charts: Sequence[Chart], shown: Sequence[Shown], smoothing: float) -> bytes:
    """Return all figures of the runs in these charts, as in the reports, one in a row with its place in the run."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["run", "chart", "figure", *AXES, "value", *(["smoothed"] if smoothing else [])])
    for run, _ in shown:
        for chart in charts:
            for name, moment, value, mean in chart.figures(run, smoothing):
                numbers = (*moment, value, *([mean] if smoothing else []))
                writer.writerow([run.name, chart.spec.id, name, *(f"{number:.10g}" for number in numbers)])
    return stream.getvalue().encode()


def picture_of(parts: Sequence[QWidget]) -> QImage:
    """Return a picture of widgets below each other, twice as sharp as on the screen."""
    width = max(part.width() for part in parts) + 2 * MARGIN
    height = sum(part.height() for part in parts) + (len(parts) + 1) * MARGIN
    image = QImage(SHARPNESS * width, SHARPNESS * height, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(SHARPNESS)
    image.fill(current_theme().color("window"))
    painter = QPainter(image)
    top = MARGIN
    for part in parts:
        part.render(painter, QPoint(MARGIN, top), QRect(QPoint(), part.size()))
        top += part.height() + MARGIN
    painter.end()
    return image
