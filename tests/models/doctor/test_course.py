"""The checks of a run's reports and settings."""

from typing import Any

import pytest

from core.games import load_game
from models.doctor import course
from models.runs.config import TrainConfig
from models.runs.reports import Report
from models.strength.ladder import net_player

CONFIG = TrainConfig.of(game="connect4", iterations=1)


def iterations(count: int, **figures: Any) -> list[Report]:
    """Reports of iterations; a figure may be a function of the iteration, from 0."""
    return [
        {"event": "iteration", "iteration": i + 1, **{name: f(i) if callable(f) else f for name, f in figures.items()}}
        for i in range(count)
    ]


def test_losses_that_jump_and_gradients_that_are_cut() -> None:
    assert course.unstable(iterations(10, held_out_policy_loss=lambda i: 1.0 + (i % 2))) is not None
    assert course.unstable(iterations(10, held_out_policy_loss=lambda i: 2.0 - 0.05 * i)) is None
    assert course.unstable(iterations(10, gradient_norm=40.0)) is not None
    assert course.unstable(iterations(10, gradient_norm=lambda i: None)) is None


@pytest.mark.parametrize(("rate", "kind"), [(1e-7, "rate low"), (0.3, "rate high"), (2e-3, None)])
def test_rates(rate: float, kind: str | None) -> None:
    finding = course.rates([], CONFIG.changed(rate=rate))
    assert (finding and finding.kind) == kind


def test_the_rate_of_the_reports_counts_not_the_one_of_the_settings() -> None:
    """The settings may say another one than was learned with."""
    reports = iterations(5, learning_rate=lambda i: (1e-8, 2e-7)[i % 2])
    assert course.highest_rate(reports, CONFIG) == 2e-7
    finding = course.rates(reports, CONFIG.changed(rate=2e-3))
    assert finding.kind == "rate low"
    assert "2.0e-07" in finding.sentence
    assert course.rates(iterations(5, learning_rate=2e-3), CONFIG.changed(rate=2e-3)) is None
    assert course.rates(iterations(2, learning_rate=0.0), CONFIG.changed(rate=2e-3)) is None, "no step was taken"


def test_searches_that_cannot_try_each_move() -> None:
    game = load_game("connect4")
    assert course.searches(CONFIG, game) is None
    small = course.searches(CONFIG.changed(simulations=3, fast_simulations=2), game)
    quiet = course.searches(CONFIG.changed(noise_epsilon=0.0), game)
    assert [finding and finding.kind for finding in (small, quiet)] == ["search budget", "noise off"]
    assert course.searches(CONFIG.changed(simulations=60), load_game("gomoku")) is None


def test_resignations_that_were_wrong() -> None:
    reports = iterations(8, wrong_resignations=0.4)
    assert course.resignations(reports, CONFIG) is None  # it never resigns
    assert course.resignations(reports, CONFIG.changed(resign_below=0.5)) is not None
    assert course.resignations(iterations(8, wrong_resignations=0.02), CONFIG.changed(resign_below=0.5)) is None


def test_replays_that_are_old_or_too_small() -> None:
    old = iterations(60, replay_age=lambda i: i, replay=10_000, steps=10, samples=1000)
    assert [f and f.kind for f in (course.replay(old, CONFIG), course.replay(old[:30], CONFIG))] == ["replay old", None]
    young = iterations(6, replay_age=2, replay=200, steps=100, samples=200)
    finding = course.replay(young, CONFIG)
    assert finding.kind == "replay young"
    assert "128 times" in finding.sentence
    assert course.replay(young[:5], CONFIG) is None


def test_a_gate_that_rejects_by_chance() -> None:
    def matches(score: float, passed: bool) -> list[Report]:
        return [{"event": "gate", "score": score, "passed": passed} for _ in range(8)]

    config = CONFIG.changed(gate=0.55)
    assert course.gate(matches(0.51, False), config) is not None
    assert course.gate(matches(0.1, False), config) is None
    assert course.gate(matches(0.6, True), config) is None


def exams(rights: list[int], of: int) -> list[Report]:
    return [{"event": "exam", "step": i, "results": {"ends": {"right": r, "of": of}}} for i, r in enumerate(rights)]


def test_exams_that_do_not_rise_by_more_than_chance() -> None:
    finding = course.exams(exams([50, 52, 49, 51, 53, 52, 50, 53, 52], 100))
    assert finding.experiment.before.value == pytest.approx(151 / 300)
    low, high = finding.experiment.after.low, finding.experiment.after.high
    assert high - low > 0.18, "each of the 100 questions counts once"
    assert course.exams(exams([500, 520, 490, 560, 590, 600, 640, 650, 660], 1000)) is None
    assert course.exams(exams([98, 98, 97, 98, 98, 97], 100)) is None
    assert course.exams(exams([50, 50, 50], 100)) is None


def test_a_ladder_on_which_no_net_rises() -> None:
    def rated(elos: list[float]) -> list[Report]:
        names = [net_player(100 * i) for i in range(len(elos))]
        kept: list[Report] = [{"event": "checkpoint", "step": 100 * i, "net": "n"} for i in range(len(elos))]
        table = {name: [elo, elo - 90.0, elo + 90.0] for name, elo in zip(names, elos, strict=True)}
        return [*kept, {"event": "ladder", "best": None, "ratings": {"random": [0.0, 0.0, 0.0], **table}}]

    flat = course.ladder(rated([10, -20, 30, 15, 0, 25, 40]))
    assert "30 Elo above the first; the newest is known to ±90" in flat.sentence
    assert course.ladder(rated([10, 80, 150, 200, 260, 300, 310])) is None
    assert course.ladder(rated([10, 10, 10])) is None
