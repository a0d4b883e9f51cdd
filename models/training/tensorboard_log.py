"""Logs the figures of iterations for TensorBoard, if that package is installed."""

import importlib.util
from pathlib import Path
from typing import Any, Final

from core.text import Text
from models.runs.reports import Report

FOLDER: Final = "tensorboard"
MISSING: Final = Text(
    "TensorBoard is not installed, so nothing is logged for it; `pip install tensorboard` installs it"
)


class Scalars:
    """Writes every number of an iteration's report as a scalar over the steps."""

    def __init__(self, writer: Any) -> None:
        """``writer``: torch's SummaryWriter, or anything with its ``add_scalar`` and ``close``."""
        self._writer = writer

    def add(self, report: Report) -> None:
        for name, value in report.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self._writer.add_scalar(name, value, report["step"])

    def close(self) -> None:
        self._writer.close()


def open_scalars(run: Path) -> tuple[Scalars | None, str]:
    """Open the log in the run's folder: (Scalars, ""), or (None, reason) without TensorBoard."""
    if importlib.util.find_spec("tensorboard") is None:
        return None, MISSING
    from torch.utils.tensorboard import SummaryWriter

    return Scalars(SummaryWriter(str(run / FOLDER))), ""
