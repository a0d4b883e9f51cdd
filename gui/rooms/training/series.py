"""Figures over a run as arrays: their places, smoothed."""

from __future__ import annotations

import math
from array import array
from typing import Final, NamedTuple

import numpy as np

from gui.widgets.charts.lines import Floats

AXES: Final = ("step", "iteration", "samples", "minutes")
FORGOTTEN: Final = 1e-12  # a weight that changes no figure


class Moment(NamedTuple):
    """A place in a run on each of the axes."""

    step: float = 0.0  # of the optimiser
    iteration: float = 0.0
    samples: float = 0.0  # positions to learn from so far
    minutes: float = 0.0  # of the run, including earlier sessions

    def at(self, axis: str) -> float:
        """Return its place on one of :data:`AXES`."""
        return float(self[AXES.index(axis)])


class Series:
    """One figure over the run, in the order of the reports."""

    def __init__(self) -> None:
        self._at = tuple(array("d") for _ in AXES)
        self._values = array("d")

    def add(self, moment: Moment, value: float) -> None:
        """Append a value; NaN if not reported."""
        for places, place in zip(self._at, moment, strict=True):
            places.append(place)
        self._values.append(value)

    def __len__(self) -> int:
        return len(self._values)

    def at(self, axis: str) -> Floats:
        """Return the places on one of :data:`AXES`."""
        return np.array(self._at[AXES.index(axis)])

    @property
    def values(self) -> Floats:
        return np.array(self._values)

    @property
    def last(self) -> float:
        return self._values[-1] if self._values else math.nan


def smoothed(values: Floats, weight: float) -> Floats:
    """Return the exponential moving average with ``weight`` for what was before; gaps stay gaps and are passed over.

    The first values are averages of the few before them, as the weights are divided by their sum.
    """
    known = np.isfinite(values)
    mean, factor, reach = (1 - weight) * values[known], weight, 1
    while reach < len(mean) and factor > FORGOTTEN:  # after each round a place holds the sum over twice as many
        mean[reach:] += factor * mean[:-reach].copy()
        factor, reach = factor * factor, 2 * reach
    result = np.full(len(values), np.nan)
    result[known] = mean / (1 - weight ** np.arange(1.0, len(mean) + 1))
    return result
