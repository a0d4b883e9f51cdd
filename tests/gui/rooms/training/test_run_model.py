"""A run's folder as a model: reading continues where it stopped, whatever happens to the files."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from gui.rooms.training import run_model
from gui.rooms.training.run_model import LOG, RunModel, last_lines, minutes_text
from models.runs.folder import REPORTS, RUN_TOML
from tests.gui.rooms.training.runs import iteration, write_reports, write_run


def read(path: Path) -> RunModel:
    model = RunModel(path)
    while model.look() or model.behind:
        pass
    return model


def test_a_run_model_reads_everything_a_run_reports(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "r", iterations=12, kept=3))
    assert run.game == "tictactoe"
    assert (run.iterations, run.step, run.games_total) == (12, 1200, 3600)
    assert run.minutes == 6.0
    assert run.series["policy_loss"].values.tolist() == [1.1 + 1.0 / n for n in range(1, 13)]
    assert run.series["policy_loss"].at("step").tolist() == [100.0 * n for n in range(1, 13)]
    assert run.series["kl"].at("minutes")[-1] == 6.0
    assert run.calibration[0] == (-0.8, -0.75, 40)
    assert [net.step for net in run.nets()] == [400, 800, 1200]
    assert run.ratings["step-00001200"].low < run.ratings["step-00001200"].elo < run.ratings["step-00001200"].high
    assert run.exams["early policy"].at("step").tolist() == [400, 800, 1200]
    assert run.exams["late policy"].last == round(40 * (1 - 1 / 13)) / 40
    assert run.bouts == 3
    assert run.problem == ""


def test_notes_of_the_start_are_read(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=1, kept=0)
    write_reports(folder, [{"event": "start", "elapsed_s": 30.0, "notes": ["on the processor", "no TensorBoard"]}], "a")
    assert read(folder).notes == ("on the processor", "no TensorBoard")


def test_only_new_lines_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_run(tmp_path / "r", iterations=3, kept=0)
    run = read(folder)
    taken: list[dict[str, object]] = []
    monkeypatch.setattr(run, "_take", taken.append)
    write_reports(folder, [iteration(4)], "a")
    assert run.look()
    assert [report["iteration"] for report in taken] == [4]
    assert not run.look()


def test_an_incomplete_line_is_read_once_complete(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    run = read(folder)
    write_reports(folder, [iteration(3)], "a")
    whole = (folder / REPORTS).read_bytes()
    (folder / REPORTS).write_bytes(whole[:-40])
    run.look()
    assert run.iterations == 2
    with (folder / REPORTS).open("ab") as file:
        file.write(whole[-40:])
    run.look()
    assert run.iterations == 3
    assert run.problem == ""


def test_a_long_file_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_run(tmp_path / "r", iterations=30, kept=0)
    monkeypatch.setattr(run_model, "LOOK_BYTES", 4096)
    run = RunModel(folder)
    run.look()
    assert run.behind
    assert 0 < run.iterations < 30
    while run.behind:
        run.look()
    assert run.iterations == 30


@pytest.mark.parametrize("replaced", [True, False])
def test_rewritten_reports_are_read_again(tmp_path: Path, replaced: bool) -> None:
    """A resumed run truncates its reports: iterations after the checkpoint are removed."""
    folder = write_run(tmp_path / "r", iterations=9, kept=0)
    run = read(folder)
    if replaced:
        (folder / REPORTS).rename(folder / "old")
    write_reports(folder, [iteration(n) for n in range(1, 5)])
    run.look()
    assert run.iterations == 4
    assert len(run.series["policy_loss"].values) == 4


def test_the_form_without_events_is_read(tmp_path: Path) -> None:
    old = {"iteration": 7, "elapsed_s": 120.0, "step": 40, "games_total": 9, "moves_per_s": 300, "policy_entropy": 2.0}
    (tmp_path / REPORTS).write_text("")
    write_reports(tmp_path, [{**old, "policy_loss": None}])
    run = read(tmp_path)
    assert run.series["moves_per_s"].last == 300
    assert run.series["entropy"].last == 2.0
    assert math.isnan(run.series["policy_loss"].last)


def test_invalid_lines_are_reported_and_left_out(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    with (folder / REPORTS).open("ab") as file:
        file.write(b'{"event": "iteration"}\n\xff\xfe\n[1, 2]\n{"event": "ladder", "ratings": 3}\n')
    write_reports(folder, [iteration(3)], "a")
    run = read(folder)
    assert run.iterations == 3
    assert run.problem == f"4 lines of {REPORTS} cannot be read and are left out."


def test_a_file_of_another_kind_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / REPORTS).write_bytes(b"hello\nworld\n")
    assert "holds no reports of a training run" in read(tmp_path).problem


def test_a_removed_folder_is_reported(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    run = read(folder)
    (folder / REPORTS).unlink()
    (folder / RUN_TOML).unlink()
    (folder / "nets").rmdir()
    folder.rmdir()
    assert run.look()
    assert run.iterations == 0
    assert "is not there any more" in run.problem


def test_unreadable_settings_are_reported_and_replaced_by_those_of_the_start(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    (folder / RUN_TOML).write_text("a = " + "[" * 50_000)
    run = read(folder)
    assert run.game == "tictactoe"
    assert "is not a TOML file of settings: it is nested too deep" in run.problem
    (folder / RUN_TOML).write_text('game = "tictactoe"\ntemperature_plies = "x"\nminutes = 1e400\n')
    run = read(folder)
    assert isinstance(run.config["self_play.temperature_plies"], int)
    assert run.problem == f"{RUN_TOML} has settings that cannot be used: self_play.temperature_plies, run.minutes."


@pytest.mark.parametrize("name", [RUN_TOML, REPORTS, LOG])
def test_a_pipe_instead_of_a_file_does_not_block(tmp_path: Path, name: str) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    read(folder)
    assert last_lines(folder / LOG) == []


def test_progress_is_measured_against_the_nearer_limit(tmp_path: Path) -> None:
    run = read(write_run(tmp_path / "r", iterations=12, kept=0, minutes=60.0))
    assert run.progress == pytest.approx(0.1)


def test_a_run_that_kept_no_net_shows_its_newest(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=2, kept=0)
    (folder / "net.onnx").write_bytes(b"x")
    assert [net.path.name for net in read(folder).nets()] == ["net.onnx"]


def test_last_lines_skip_empty_lines(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    assert last_lines(log) == []
    log.write_text("a\nplyscope: no room\n\n  \n")
    assert last_lines(log) == ["a", "plyscope: no room"]


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(0.0, "0 min"), (1.54, "1.5 min"), (99.4, "99 min"), (119.7, "2 h 00 min"), (185.0, "3 h 05 min")],
)
def test_many_minutes_are_shown_as_hours(minutes: float, text: str) -> None:
    assert minutes_text(minutes) == text
