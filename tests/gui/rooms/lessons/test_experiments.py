"""The experiments of lessons: known results, the numbers of a course's slides, and what the lessons say of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.games import load_game
from core.search import SearchSettings
from gui.rooms.lessons.experiments import (
    Bandit,
    Formula,
    Noise,
    PointRuns,
    Points,
    Temperature,
    Trials,
    chance_within,
    marks_between,
    pi_error,
    ucb1,
)


def test_pi_and_its_error_bar() -> None:
    one, two = Points(), Points()
    one.add(20_000)
    for more in (1, 9, 90, 900, 19_000):
        two.add(more)
    assert (one.inside, one.estimate) == (two.inside, two.estimate)  # however it is divided
    assert two.ns == sorted(set(two.ns))
    assert two.ns[-1] == 20_000
    assert abs(one.estimate - math.pi) < 3 * pi_error(20_000)
    figures = one.figures()
    assert float(figures["error"]) == pytest.approx(pi_error(20_000), rel=0.02)
    assert pi_error(100) == pytest.approx(0.164, abs=5e-4)
    assert pi_error(1) == pytest.approx(1.64, abs=5e-3)
    assert pi_error(10_000) == pytest.approx(pi_error(100) / 10)


def test_the_published_result_is_within_chance() -> None:
    """30 000 points gave π within 0.07 %: the standard error is 0.30 %, the probability 0.18."""
    assert pi_error(30_000) / math.pi == pytest.approx(0.0030, abs=5e-5)
    assert chance_within(0.0007, 30_000) == pytest.approx(0.18, abs=0.005)
    runs = PointRuns()
    runs.add(60)
    assert runs.count == 60
    assert runs.estimates.mean() == pytest.approx(math.pi, abs=4 * pi_error(30_000 * 60))
    assert runs.estimates.std() == pytest.approx(pi_error(30_000), rel=0.3)
    assert runs.figures()["expected"] == "18\u202f%"
    assert 2 <= runs.near.sum() <= 22


def test_marks_are_even_on_a_logarithmic_axis() -> None:
    assert marks_between(5, 5).tolist() == []
    assert marks_between(0, 3).tolist() == [1, 2, 3]
    assert marks_between(999, 1000).tolist() == [1000]
    assert 28 <= len(marks_between(1000, 10_000)) <= 32


@pytest.mark.parametrize(
    ("wins", "games", "total", "flipped", "c", "scores"),
    [
        ((7, 5, 0), (10, 8, 3), 21, False, 10, (2.4449, 2.5758, 3.1857)),
        ((7, 5, 0), (10, 8, 3), 21, False, 1, (1.2518, 1.2419, 1.0074)),
        ((2, 5), (4, 6), 10, True, 10, (2.8993, 2.1257)),
        ((2, 5), (4, 6), 10, True, 1, (1.2587, 0.7862)),
        ((7, 5), (14, 6), 20, True, 10, (1.9628, 2.4011)),
        ((7, 5), (14, 6), 20, True, 1, (0.9626, 0.8733)),
    ],
)
def test_ucb1_gives_the_numbers_of_the_slides(wins, games, total, flipped, c, scores) -> None:
    formula = Formula(np.array(wins, float), np.array(games, float), c, flipped)
    assert formula.scores == pytest.approx(scores, abs=1e-4)
    assert formula.figures()["total"] == total
    assert formula.figures()["chosen"] == int(np.argmax(scores)) + 1


def test_the_less_tried_of_equal_means_wins_for_every_c() -> None:
    for c in (0.01, 0.1, 1, 10, 100):
        scores = ucb1(np.array([3.0, 6.0]), np.array([4.0, 8.0]), c, 12)
        assert scores[0] > scores[1]
    assert ucb1(np.array([0.0]), np.array([0.0]), 2, 5)[0] == math.inf


def test_a_formula_counts_changes_of_c() -> None:
    formula = Formula(np.array([7.0, 5, 0]), np.array([10.0, 8, 3]), 10)
    formula.set_c(10)
    assert formula.count == 0
    formula.add(1)
    assert (formula.c, formula.count) == (1.0, 1)
    assert [round(score, 2) for score in formula.scores.tolist()] == [1.25, 1.24, 1.01]
    assert formula.figures()["chosen"] == 1


def test_ucb1_tries_all_and_prefers_the_best_machine() -> None:
    bandit, parts = (Bandit(np.array([0.2, 0.5, 0.6, 0.4])) for _ in range(2))
    bandit.add(4)
    assert bandit.games.tolist() == [1, 1, 1, 1]
    bandit.add(1996)
    for _ in range(20):
        parts.add(100)
    assert parts.games.tolist() == bandit.games.tolist()
    assert int(bandit.games.argmax()) == 2
    assert bandit.games.min() > 10
    assert bandit.regret < 0.5 * bandit.random_rate * 2000
    half = bandit.regrets[bandit.ns.index(min(bandit.ns, key=lambda n: abs(n - 1000)))]
    assert bandit.regret - half < half  # it grows more and more slowly
    assert bandit.random_rate == pytest.approx(0.6 - 0.425)


def test_repeated_searches_of_nim() -> None:
    """15 chips: 1 000 simulations find the winning move less often than chance would, 10 000 always."""
    settings = SearchSettings(selection="ucb1", c_ucb=1.4142, prove=False, memory_mb=32)
    position = load_game("nim").initial()
    few, many = Trials(position, settings, 1000), Trials(position, settings, 10_000)
    few.add(100)
    many.add(10)
    assert few.right == {position.game.parse_action("3")}
    assert int(few.figures()["right"]) < 34
    assert many.figures()["share"] == "100\u202f%"


@pytest.mark.slow
def test_the_right_moves_against_a_live_three_are_its_ends() -> None:
    position = load_game("gomoku(size=9)").position("e5 a1 e6 i9 e4")
    trials = Trials(position, SearchSettings(selection="flat", memory_mb=64), 100)
    trials.add(1)
    assert {position.game.action_name(a) for a in trials.right or ()} == {"e3", "e7"}


def test_noise_keeps_three_quarters_and_sums_to_one() -> None:
    priors = np.array([0.6, 0.2, 0.1, 0.1])
    noise = Noise(priors, alpha=0.3, epsilon=0.25)
    assert noise.drawn.tolist() == priors.tolist()
    noise.add(400)
    assert noise.drawn.sum() == pytest.approx(1)
    assert (noise.drawn >= 0.75 * priors - 1e-12).all()
    spiky, even = Noise(np.full(6, 1 / 6), 0.3), Noise(np.full(6, 1 / 6), 10.0)
    tops = []
    for one in (spiky, even):
        total = 0.0
        for _ in range(100):
            one.add(1)
            total += float(one.drawn.max())
        tops.append(total)
    assert tops[0] > 1.1 * tops[1]  # a small α lifts few moves much


def test_temperature_sharpens_and_flattens() -> None:
    one = Temperature(np.array([500.0, 300, 150, 50]))
    assert one.chances == pytest.approx([0.5, 0.3, 0.15, 0.05])
    one.add(1)
    assert one.tau == 0.2
    assert one.chances[0] > 0.9
    one.set_tau(2.0)
    assert one.chances[0] < 0.5
    assert one.count == 2
