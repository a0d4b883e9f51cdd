"""The figures of an iteration by hand, and as scalars for TensorBoard."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from core.games import load_game
from models.play.games import PlayStats
from models.play.samples import PLAYED, GameTrace, Samples
from models.training.figures import (
    MISSING,
    Progress,
    Scalars,
    iteration_report,
    memory_mb,
    newest,
    open_scalars,
    stats_of,
    window_age,
)


def test_a_report_by_hand() -> None:
    progress = Progress(iteration=3, step=40, games=100, samples=500, elapsed_s=61.26)
    stats = PlayStats(
        games=10, moves=80, plies=70, first_wins=6, draws=1, resigned=2, proved=3, checked=4, wrongly=1,
        evaluations=900, batches=30, cache_hits=7, play_s=4.0, net_s=3.0,
    )  # fmt: skip
    report = iteration_report(progress, 50, stats, 2.0, kl=0.5)
    wanted = {
        "event": "iteration", "elapsed_s": 61.3, "iteration": 3, "games": 10, "games_total": 100, "samples": 50,
        "samples_total": 500, "step": 40, "kl": 0.5, "mean_plies": 7.0, "first_wins": 0.6, "draws": 0.1,
        "resigned": 0.2, "proved": 0.3, "wrong_resignations": 0.25, "iteration_s": 2.0, "games_per_s": 5.0,
        "positions_per_s": 25.0, "moves_per_s": 40.0, "evaluations_per_s": 450.0,
        "of_alone": 0.75, "mean_batch": 30.0, "cache_hits": 7,
    }  # fmt: skip
    assert {name: report[name] for name in wanted} == wanted
    assert report["time"] > 1e9


def test_nothing_was_played() -> None:
    report = iteration_report(Progress(), 0, PlayStats(), 1.0)
    for name in ("mean_plies", "first_wins", "draws", "resigned", "wrong_resignations", "of_alone", "mean_batch"):
        assert report[name] is None


def trace(outcome: int, moves: int) -> GameTrace:
    nothing = np.zeros(0, np.float32)
    return GameTrace(
        "tictactoe", (4,), tuple(range(moves)), nothing.astype(np.bool_), nothing, {}, outcome, PLAYED, False, 0
    )


def test_games_that_are_over_are_counted() -> None:
    empty = Samples.empty(load_game("tictactoe"))
    samples = Samples(
        empty.planes, empty.policy, empty.result, empty.root_value, empty.game, empty.ply,
        (trace(1, 4), trace(0, 8), trace(-1, 5), trace(1, 6)),
    )  # fmt: skip
    assert stats_of(samples) == PlayStats(games=4, plies=27, first_wins=2, draws=1)
    assert stats_of(empty) == PlayStats()


@pytest.mark.parametrize(("held", "age"), [(0, 0), (30, 0), (31, 1), (50, 1), (51, 2), (60, 2), (1000, 2)])
def test_age_of_the_window(held: int, age: int) -> None:
    assert window_age([(5, 10), (6, 20), (7, 30)], held) == age
    assert window_age([], held) == 0


def test_newest_parts_cover_the_given_positions() -> None:
    made = [(1, 10), (2, 0), (3, 20), (4, 30)]
    assert newest(made, 30) == made[3:]
    assert newest(made, 31) == made[2:]
    assert newest(made, 51) == made
    assert newest(made, 99) == made
    assert newest(made, 0) == []


class Writer:
    """Keeps what it is given, as torch's SummaryWriter would."""

    def __init__(self) -> None:
        self.scalars: list[tuple[str, float, int]] = []
        self.closed = False

    def add_scalar(self, name: str, value: float, step: int) -> None:
        self.scalars.append((name, value, step))

    def close(self) -> None:
        self.closed = True


def test_numbers_become_scalars() -> None:
    writer = Writer()
    scalars = Scalars(writer)
    scalars.add({"event": "iteration", "step": 5, "kl": 0.5, "draws": None, "calibration": [[0, 0, 1]], "ok": True})
    scalars.close()
    assert writer.scalars == [("step", 5, 5), ("kl", 0.5, 5)]
    assert writer.closed


def test_without_tensorboard_a_note_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "tensorboard" else find(name))
    assert open_scalars(tmp_path) == (None, MISSING)
    assert not list(tmp_path.iterdir())


def test_memory_mb_is_plausible_or_none() -> None:
    held = memory_mb()
    assert held is None or 10 < held < 1 << 20
