"""Predicted values against results, with the 95 % intervals of the results, as the lines of a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gui.widgets.charts.lines import CURVE, DASHED, NOTHING, POINTS, Drawing, Line, Role
from gui.widgets.figures import plain
from models.strength.rating import result_interval

Bin = tuple[float, float, int]  # mean predicted value, mean result, number of positions


class Dots(NamedTuple):
    """The bins of one net."""

    name: str
    colour: Role
    bins: Sequence[Bin]
    error: float  # mean
    owner: str = ""


def calibration(rows: Sequence[Dots], unit: str = "") -> Drawing:
    """Return what a chart shows: on the diagonal a value is right; a dot's size is the number of positions.

    Bins without positions are left out.
    """
    lines = [_line(row, len(rows) == 1) for row in rows]
    if any(len(line.x) for line in lines):
        ends = np.array([-1.0, 1.0])
        lines.append(Line("", ends, ends, "faint", DASHED, width=1, beside=True))
    return Drawing(lines, across=(-1.05, 1.05), up=(-1.08, 1.08), unit=unit, reads=NOTHING)


def _line(row: Dots, alone: bool) -> Line:
    bins = [entry for entry in row.bins if entry[2] > 0]
    most = max((entry[2] for entry in bins), default=1)
    ends = np.array([result_interval(entry[1], entry[2]) for entry in bins]).reshape(-1, 2)
    return Line(
        row.name,
        np.array([entry[0] for entry in bins]),
        np.array([entry[1] for entry in bins]),
        row.colour,
        form=CURVE if alone else POINTS,
        now=plain(row.error),
        owner=row.owner,
        low=ends[:, 0],
        high=ends[:, 1],
        sizes=[4 + 9 * math.sqrt(entry[2] / most) for entry in bins],
    )
