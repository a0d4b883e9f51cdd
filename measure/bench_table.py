"""Tables of measurements in Markdown, and a description of the machine."""

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from typing import Final

from core.machine import processor_name, processors

PACKAGES: Final = ("numpy", "numba", "onnxruntime-gpu", "onnxruntime", "openvino", "open-spiel")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text cells; the first ``words`` columns are left-aligned, ``note`` explains it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    words: int = 1

    def lines(self) -> list[str]:
        """The lines of the table in Markdown, its columns padded for a terminal."""
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]
        rule = ["-" * width if i < self.words else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
        rows = [
            [cell.ljust(width) if i < self.words else cell.rjust(width) for i, (cell, width) in enumerate(cells)]
            for cells in (zip(row, widths, strict=True) for row in (self.columns, *self.rows))
        ]
        note = [self.note[0].upper() + self.note[1:] + ".", ""] if self.note else []
        lines = ["| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:])]
        return ["## " + self.title[0].upper() + self.title[1:], "", *note, *lines]


def machine_lines() -> list[str]:
    """Description of the machine: date, processor, load before the measurements, versions of the main packages."""
    packages = [f"{name} {release}" for name in PACKAGES if (release := _version(name))]
    busy = f", load average {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    cpu = f"{processor_name()}, {processors()} cores"
    return [
        f"{date.today().isoformat()}, {cpu}, {platform.system()} {platform.machine()}{busy}",
        f"Python {platform.python_version()}, {', '.join(packages)}",
    ]


def ratio_cells(ours: Sequence[float], theirs: Sequence[float]) -> tuple[str, str]:
    """Cells for the ratio of the medians and for the lowest and highest ratio of a round."""
    rounds = [a / b for a, b in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ours) / statistics.median(theirs)
    return _short(ratio), f"{_short(min(rounds))} to {_short(max(rounds))}"


def _short(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 5 else f"{ratio:.2f}"


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:  # importlib.metadata's PackageNotFoundError
        return ""
