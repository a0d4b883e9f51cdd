"""Figures over a run as arrays: their places, smoothed, thinned to pixels."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

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


def inside(x: Floats, left: float, right: float) -> slice:
    """Return the part of ascending places within a range, and one place more at each side."""
    found = np.flatnonzero((x >= left) & (x <= right))
    if not found.size:  # the range lies between two places, or beside all
        after = int(np.searchsorted(x, left))
        return slice(max(0, after - 1), after + 1)
    return slice(max(0, int(found[0]) - 1), int(found[-1]) + 2)


def thinned(x: Floats, y: Floats, left: float, right: float, pixels: int) -> tuple[Floats, Floats]:
    """Return the part of a curve within a range, with the least and the greatest value of each pixel if it is long."""
    part = inside(x, left, right)
    x, y = x[part], y[part]
    if len(x) <= 4 * pixels or not right > left:
        return x, y
    columns = np.floor((x - left) * (pixels / (right - left)))
    starts = np.concatenate(([0], np.flatnonzero(np.diff(columns)) + 1))
    ends = np.stack((np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)), axis=1)
    return np.repeat(x[starts], 2), ends.ravel()


def nearest(at: Sequence[float] | Floats, x: float) -> int:
    """Return the index of the value nearest to ``x`` in an ascending, non-empty sequence."""
    place = bisect_left(at, x)
    if place == 0:
        return 0
    if place == len(at):
        return len(at) - 1
    return place if at[place] - x < x - at[place - 1] else place - 1
