"""Figures of a run as arrays: smoothed as a loop would, thinned without losing extremes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gui.rooms.training.run_model import AXES, Moment, Series, smoothed
from gui.widgets.charts.lines import inside, thinned


def test_a_series_has_its_places_on_every_axis() -> None:
    series = Series()
    series.add(Moment(step=100, iteration=1, samples=4096, minutes=0.5), 1.5)
    series.add(Moment(step=200, iteration=2, samples=8192, minutes=1.5), math.nan)
    assert [series.at(axis).tolist() for axis in AXES] == [[100, 200], [1, 2], [4096, 8192], [0.5, 1.5]]
    assert series.values.tolist()[0] == 1.5
    assert math.isnan(series.last)


@pytest.mark.parametrize("weight", [0.0, 0.6, 0.99])
def test_smoothing_is_an_average_with_falling_weights_that_passes_over_gaps(weight: float) -> None:
    values = np.random.default_rng(1).normal(size=3000)
    values[[3, 4, 700]] = math.nan
    expected, total, weights = [], 0.0, 0.0
    for value in values:
        if math.isnan(value):
            expected.append(math.nan)
            continue
        total, weights = weight * total + value, weight * weights + 1
        expected.append(total / weights)
    np.testing.assert_allclose(smoothed(values, weight), expected, atol=1e-9)


def test_smoothing_nothing_gives_nothing() -> None:
    assert smoothed(np.zeros(0), 0.5).tolist() == []
    assert np.isnan(smoothed(np.full(3, math.nan), 0.5)).all()


def test_a_thinned_curve_keeps_the_extremes_of_every_pixel() -> None:
    x = np.arange(10_000.0)
    y = np.random.default_rng(2).normal(size=10_000)
    y[[10, 5000]] = -9, 9
    y[20:60] = math.nan
    at, values = thinned(x, y, 0.0, 9999.0, 200)
    assert len(at) <= 2 * 201
    assert (np.nanmin(values), np.nanmax(values)) == (-9, 9)
    for left in (0, 4000, 9950):
        seen = (at >= left) & (at < left + 50)
        assert np.nanmax(values[seen]) <= np.nanmax(y[left : left + 100])
    assert np.all(np.diff(at) >= 0)


def test_few_points_stay_as_they_are_with_one_at_each_side() -> None:
    x = np.arange(10.0)
    at, values = thinned(x, x * x, 3.5, 6.5, 100)
    assert at.tolist() == [3, 4, 5, 6, 7]
    assert values.tolist() == [9, 16, 25, 36, 49]
    assert inside(x, 4.2, 4.8) == slice(4, 6)  # between two places
    assert inside(x, 20, 30) == slice(9, 11)  # beside all
    assert inside(np.zeros(0), 0, 1) == slice(0, 1)
