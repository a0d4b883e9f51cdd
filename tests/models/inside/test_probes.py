"""Lines fitted to labels and their scores, against slow computations."""

import numpy as np
import pytest

from models.inside.probes import Scorer, area, fit_lines, score_of, split_games, spread_of


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        readings = rng.integers(0, 6, 40).astype(np.float64)  # with ties
        labels = rng.random(40) < 0.4
        pairs = [(a > b) + (a == b) / 2 for a in readings[labels] for b in readings[~labels]]
        assert area(readings, labels) == pytest.approx(np.mean(pairs), abs=1e-12)
    assert np.isnan(area(readings, np.zeros(40, np.bool_)))


def test_lines_are_the_ridge_regression_of_the_standardised_numbers() -> None:
    rng = np.random.default_rng(1)
    rows = (rng.normal(size=(500, 6)) * [1, 2, 3, 4, 5, 0] + 7).astype(np.float32)  # the last one never changes
    labels = rows[:, :2] @ rng.normal(size=(2, 3)) + rng.normal(size=(500, 3))
    lines = fit_lines(rows[:400], labels[:400], rows[400:], labels[400:])
    assert np.isfinite(lines.weights).all()
    assert not lines.weights[5].any()
    fit, scale = rows[:400, :5].astype(np.float64), rows[:400, :5].std(0, dtype=np.float64)
    scaled = (fit - fit.mean(0)) / scale
    best: list[np.ndarray] = []
    for t in range(3):
        tries = []
        for strength in (1e-5, 1e-3, 1e-1):
            wide = np.vstack([scaled, np.sqrt(strength * 400) * np.eye(5)])  # least squares of a longer system
            right = np.concatenate([labels[:400, t] - labels[:400, t].mean(), np.zeros(5)])
            weights = np.linalg.lstsq(wide, right, rcond=None)[0]
            read = ((rows[400:, :5] - fit.mean(0)) / scale) @ weights + labels[:400, t].mean()
            tries.append((((read - labels[400:, t]) ** 2).sum(), read))
        best.append(min(tries, key=lambda pair: pair[0])[1])
    assert lines.read(rows[400:]) == pytest.approx(np.stack(best, 1), abs=1e-4)


def test_intervals_are_over_games_and_their_bins_change_nothing_to_speak_of() -> None:
    rng = np.random.default_rng(2)
    games = np.repeat(np.arange(80), 30)
    luck = rng.normal(size=80)[games]  # the rows of a game are alike
    labels = rng.random(len(games)) < 0.3
    readings = labels + luck + rng.normal(size=len(games))
    judge = Scorer(games, 0)
    value, drawn = judge.areas(readings, labels)
    assert value == area(readings, labels)
    times = np.random.default_rng(0).integers(80, size=(200, 80))
    for number in range(3):
        rows = np.concatenate([np.flatnonzero(games == game) for game in times[number]])
        assert drawn[number] == pytest.approx(area(readings[rows], labels[rows]), abs=2e-3)
    score = score_of(value, drawn)
    assert score.low < value < score.high
    by_row = score_of(*Scorer(np.arange(len(games)), 0).areas(readings, labels))
    assert score.high - score.low != pytest.approx(by_row.high - by_row.low, rel=0.02)


def test_explained_variance_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(3)
    games, labels = np.repeat(np.arange(20), 5), rng.normal(size=100)
    readings = labels + 0.5 * rng.normal(size=100)
    value, drawn = Scorer(games, 1).shares(readings, labels)
    assert value == pytest.approx(1 - ((labels - readings) ** 2).sum() / ((labels - labels.mean()) ** 2).sum())
    assert drawn.shape == (200,)
    assert abs(np.median(drawn) - value) < 0.1


def test_no_game_is_in_two_parts_and_all_rows_are_in_one() -> None:
    games = np.random.default_rng(4).integers(0, 60, 500)
    parts = split_games(games, 0)
    assert sorted(np.concatenate(parts).tolist()) == list(range(500))
    sets = [set(games[part].tolist()) for part in parts]
    assert not sets[0] & sets[1]
    assert not (sets[0] | sets[1]) & sets[2]
    assert [len(part) for part in sets] == [30, 10, 20]


def test_the_spread_of_draws_is_that_of_a_normal_distribution() -> None:
    draws = np.random.default_rng(5).normal(0.5, 0.1, 4000).tolist()
    spread = spread_of(draws)
    assert np.mean([spread.low < draw < spread.high for draw in draws]) == pytest.approx(0.95, abs=0.01)
