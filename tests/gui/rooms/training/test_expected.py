"""What a run will need, beside the settings as they are entered; fields that have no effect."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.rooms.training import expected as expecting
from gui.rooms.training.expected import GPU, MEMORY, NET, TIME, Expected, Gpu, find_gpu, measured
from gui.rooms.training.new_run import NewRunPage
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.tab import TrainingTab
from gui.widgets.form import show_value
from models.runs.config import TrainConfig, to_toml
from models.runs.folder import RUN_TOML
from models.runs.presets import preset
from tests.gui.rooms.training.conftest import ShowRun, delete_now
from tests.gui.rooms.training.runs import iteration, write_reports, write_run


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> Iterator[NewRunPage]:
    page = NewRunPage(tmp_path, runs=list)
    page.resize(1100, 700)
    page.show()
    yield page
    delete_now(page)


def words(of: Expected, row: str) -> str:
    return of.rows[row].text().replace("\u202f", " ")


def known(path: Path, config: TrainConfig, seconds: float) -> RunModel:
    """A run with these settings, whose iterations of 4096 positions took so long."""
    write_run(path, config.game, iterations=0, kept=0)
    (path / RUN_TOML).write_text(to_toml(config), encoding="utf-8")
    taken = {"positions_per_s": 4096 / seconds, "iteration_s": seconds, "learning_s": 1.0, "steps": 96}
    write_reports(path, [{**iteration(n), **taken, "elapsed_s": n * (seconds + 2)} for n in range(1, 6)], "a")
    model = RunModel(path)
    model.look()
    return model


def test_the_net_and_the_memory_follow_the_entries(page: NewRunPage, qtbot: QtBot) -> None:
    page.game.set_game("connect4")
    assert words(page.expected, NET).startswith("193 402 parameters (0.7 MB)")
    before = words(page.expected, MEMORY)
    page.form.inputs["net.channels"].setText("96")
    page.form.check()
    assert words(page.expected, NET).startswith("694 426 parameters")
    page.form.inputs["learning.replay_positions"].setText("30000000")
    page.form.check()
    assert words(page.expected, MEMORY) != before
    assert "replay 5.9 GB" in words(page.expected, MEMORY)
    page.form.inputs["net.channels"].setText("many")
    page.form.check()
    assert not page.expected.rows[NET].isVisible()


def test_more_memory_than_there_is_is_marked(page: NewRunPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expecting, "machine_memory_mb", lambda: 512)
    page.form.check()
    assert words(page.expected, MEMORY).endswith("more than this machine has")
    assert page.expected.rows[MEMORY].objectName() == "error"


def test_time_is_not_made_up(page: NewRunPage) -> None:
    page.game.set_game("connect4")
    assert words(page.expected, TIME).startswith("60 min in all, as set; an iteration: not known: no earlier run")


def test_time_comes_from_an_earlier_run(qtbot: QtBot, tmp_path: Path) -> None:
    config = preset("small", "connect4")
    run = known(tmp_path / "before", config, 40.0)
    view = Expected(lambda: [run])
    qtbot.addWidget(view)
    view.show_settings(config)
    same = "about 42 s an iteration · 60 min in all, as set: about 86 iterations · as measured in “before”"
    assert words(view, TIME) == same
    values = {**config.to_dict(), "simulations": 352, "minutes": 0.0, "iterations": 10}
    view.show_settings(TrainConfig.from_dict(values))
    assert words(view, TIME) == (
        "about 82 s an iteration · about 14 min in all: 10 iterations · scaled from “before” (another search)"
    )


def test_a_run_without_iterations_measures_nothing(tmp_path: Path) -> None:
    model = RunModel(write_run(tmp_path / "a", iterations=0, kept=0))
    model.look()
    assert measured(model) is None


def test_runs_from_elsewhere_do_not_count(tab: TrainingTab, home: Path, tmp_path: Path) -> None:
    """They may have been made on another machine."""
    write_run(home / "a", iterations=2, kept=0)
    tab.open_folder(write_run(tmp_path / "elsewhere" / "b", iterations=2, kept=0))
    assert {run.name for run in tab.known_runs.models.values()} == {"a", "b"}
    assert [run.name for run in tab.known_runs.at_home()] == ["a"]


def test_learning_on_a_gpu_takes_its_memory(page: NewRunPage) -> None:
    page.expected._take_gpu(Gpu("NVIDIA H100", 81_559.0))
    assert "of 79.6 GB for learning" in words(page.expected, GPU)
    assert "NVIDIA H100" in words(page.expected, GPU)
    assert "learning" not in words(page.expected, MEMORY)
    show_value(page.form.inputs["run.device"], "cpu")
    page.form.check()
    assert not page.expected.rows[GPU].isVisible()
    assert "learning" in words(page.expected, MEMORY)


@pytest.mark.parametrize(
    ("output", "gpu"),
    [("NVIDIA H100 80GB HBM3, 81559\nNVIDIA L4, 2\n", Gpu("NVIDIA H100 80GB HBM3", 81559.0)), ("", None)],
)
def test_the_gpu_is_that_of_the_driver(monkeypatch: pytest.MonkeyPatch, output: str, gpu: Gpu | None) -> None:
    monkeypatch.setattr(expecting, "version", lambda _: "2.9.0")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, output, ""))
    assert find_gpu.__wrapped__() == gpu


# fields


def test_fields_without_effect_are_disabled_and_say_why(page: NewRunPage) -> None:
    page.game.set_game("connect4")
    form = page.form
    for name in ("net.inputs", "net.heads", "self_play.komi_spread"):
        assert not form.inputs[name].isEnabled()
        assert form.inputs[name].toolTip()
    check = form.inputs["self_play.resign_check_share"]
    assert check.toolTip() == "No side resigns: resign_below is 0"
    form.inputs["self_play.resign_below"].setText("0.9")
    form.check()
    assert check.isEnabled()
    assert check.toolTip() == ""


def test_a_field_with_an_error_can_be_corrected(page: NewRunPage) -> None:
    """It has no effect either, but the run cannot start with it."""
    page.game.set_game("connect4")
    page.form.inputs["self_play.sizes"].setText("7")
    page.form.check()
    assert "self_play.sizes" in page.form.problems
    assert page.form.inputs["self_play.sizes"].isEnabled()
    page.form.inputs["self_play.sizes"].setText("")
    page.form.check()
    assert not page.form.inputs["self_play.sizes"].isEnabled()


@pytest.mark.slow
def test_the_settings_of_a_run_are_only_read(tab: TrainingTab, show_run: ShowRun) -> None:
    show_run("settings")
    assert tab.view.settings.form.inputs["self_play.resign_check_share"].isEnabled()
    assert not tab.view.settings.form.inputs["self_play.search"].isEnabled()
