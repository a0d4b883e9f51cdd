"""Closing the window while a run trains: it is shown that it goes on, and can be stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from gui.rooms.training.tab import TrainingTab
from gui.widgets.dialogs import Question
from gui.window import MainWindow
from models.runs.folder import RUNNING_FILE, read_command
from tests.gui.conftest import close_by_title_bar
from tests.gui.rooms.training.conftest import ShowRun
from tests.gui.rooms.training.runs import write_run, write_running


@pytest.fixture
def training(tab: TrainingTab, home: Path) -> TrainingTab:
    """A run that trains, and one that does not."""
    write_running(write_run(home / "a", iterations=1, kept=0), "iteration 2: playing and learning")
    write_run(home / "b", iterations=1, kept=0)
    tab._list_runs()
    return tab


def asked(window: MainWindow) -> Question:
    return next(one for one in window.findChildren(Question) if one.isVisible())


@pytest.mark.parametrize(("choice", "command"), [(0, ""), (1, "finish"), (2, "stop")])
def test_the_user_chooses_what_becomes_of_a_run(
    training: TrainingTab, training_window: MainWindow, home: Path, choice: int, command: str
) -> None:
    training_window.context.actions["quit"].trigger()
    box = asked(training_window)
    assert training_window.isVisible()
    assert box.text() == "A run goes on training when this window is closed."
    assert "a: iteration 2: playing and learning" in box.informativeText()
    assert "b:" not in box.informativeText()
    assert box.defaultButton() is box.choices[0]
    box.choices[choice].click()
    assert not training_window.isVisible()
    assert read_command(home / "a") == command
    (home / "a" / RUNNING_FILE).unlink()


def test_the_window_stays_open_when_it_is_cancelled(
    training: TrainingTab, training_window: MainWindow, home: Path
) -> None:
    training_window.workspaces.turn_to("search")
    training_window.commands.leave()
    asked(training_window).button(QMessageBox.StandardButton.Cancel).click()
    assert training_window.isVisible()
    assert read_command(home / "a") == ""
    (home / "a" / RUNNING_FILE).unlink()


def test_the_window_manager_asks_as_well_and_a_signal_does_not(
    qtbot: QtBot, training: TrainingTab, training_window: MainWindow
) -> None:
    """A signal or the end of the desktop session closes the window by ``close``: nobody is there to answer."""
    with qtbot.assertNotEmitted(training_window.context.events.closing):
        close_by_title_bar(training_window)
        asked(training_window).reject()
    assert training_window.isVisible()
    with qtbot.waitSignal(training_window.context.events.closing):
        training_window.close()
    assert not training_window.isVisible()


def test_nothing_is_asked_when_no_run_trains(training_window: MainWindow, show_run: ShowRun) -> None:
    show_run()
    training_window.commands.leave()
    assert not training_window.isVisible()


@pytest.mark.slow
def test_a_command_that_cannot_be_sent_keeps_the_window_open(
    training: TrainingTab, training_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(training.known_runs.launcher, "command", fail)
    training_window.commands.leave()
    asked(training_window).choices[2].click()
    assert training_window.isVisible()
    assert "No space left" in training_window.banner.text


@pytest.mark.slow
def test_several_runs_are_all_listed(
    training: TrainingTab, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    write_running(home / "b", "paused")
    training_window.commands.leave()
    box = asked(training_window)
    assert box.text() == "2 runs go on training when this window is closed."
    assert "b: paused" in box.informativeText()
    box.choices[1].click()
    assert [read_command(home / name) for name in ("a", "b")] == ["finish", "finish"]
