"""Runs kept in order: note, name, archive, folder, deletion; refused while a run trains."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from gui.rooms.training import run_commands
from gui.rooms.training.run_commands import NoteDialog
from gui.rooms.training.tab import TrainingTab
from gui.widgets.dialogs import Question, TextDialog
from gui.window import MainWindow
from models.runs.folder import RUNNING_FILE, read_about, read_command
from tests.gui.rooms.training.runs import write_run, write_running


@pytest.fixture
def two(tab: TrainingTab, home: Path) -> TrainingTab:
    """Two runs, of which "a" is chosen."""
    for name in ("a", "b"):
        write_run(home / name, iterations=3, kept=1)
    tab._list_runs()
    tab.choose(home / "a")
    return tab


def names(tab: TrainingTab) -> list[str]:
    return [row.name for row in tab.list.rows()]


def question(tab: TrainingTab, qtbot: QtBot) -> Question:
    """Return the question that is shown."""
    qtbot.waitUntil(lambda: any(one.isVisible() for one in tab.findChildren(Question)))
    return next(one for one in tab.findChildren(Question) if one.isVisible())


@pytest.mark.slow
def test_a_note_is_shown_in_the_list_and_with_the_run(two: TrainingTab, home: Path, qtbot: QtBot) -> None:
    two.managing.actions["note"].trigger()
    dialog = two.findChild(NoteDialog)
    dialog.field.setPlainText("  wider net,\nsame seed ")
    dialog.main.click()
    assert read_about(home / "a").note == "wider net,\nsame seed"
    assert two.view.note.text() == "wider net,\nsame seed"
    assert two.list.rows()[0].note == "wider net,\nsame seed"
    heights = [two.list.sizeHintForRow(place) for place in (0, 1)]
    assert heights[0] > heights[1]
    assert "same seed" in two.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    again = TrainingTab(two._state, home)
    qtbot.addWidget(again)
    again._list_runs()
    assert again.list.rows()[0].note == "wider net,\nsame seed"


@pytest.mark.slow
def test_a_note_that_is_too_long_is_not_taken(two: TrainingTab, home: Path) -> None:
    two.managing.actions["note"].trigger()
    dialog = two.findChild(NoteDialog)
    dialog.field.setPlainText("x" * 4001)
    assert not dialog.main.isEnabled()
    assert "4001" in dialog.error.text()
    dialog.reject()
    assert read_about(home / "a").note == ""


def test_a_run_is_renamed_with_the_keyboard(two: TrainingTab, home: Path, qtbot: QtBot) -> None:
    two.list.setFocus()
    qtbot.keyClick(two.list, Qt.Key.Key_F2)
    dialog = two.findChild(TextDialog)
    assert not dialog.main.isEnabled()  # the name it has
    problems = {"b": "there is a run “b” already", "x/y": "“x/y” cannot be the name of a folder", "": "needs a name"}
    for name, problem in problems.items():
        dialog.field.setText(name)
        assert problem in dialog.error.text()
        assert not dialog.main.isEnabled()
    dialog.field.setText("wide")
    dialog.main.click()
    assert names(two) == ["b", "wide"]
    assert two.view.title.text() == "wide"
    assert (home / "wide" / "reports.jsonl").is_file()


@pytest.mark.slow
def test_an_archived_run_is_hidden_and_fetched_back(two: TrainingTab, home: Path, training_window: MainWindow) -> None:
    two.managing.actions["archive"].trigger()
    assert names(two) == ["b"]
    assert two.view.title.text() == "b"
    assert two.archived.text() == "Archived: 1"
    two.archived.click()
    assert names(two) == ["b", "a"]
    two.choose(home / "a")
    assert two.managing.actions["archive"].text() == "Bring back from the archive"
    two.managing.actions["archive"].trigger()
    assert names(two) == ["a", "b"]
    assert not two.archived.isVisible()


@pytest.mark.slow
def test_a_run_is_stopped_after_its_iteration(two: TrainingTab, home: Path) -> None:
    assert not two.managing.actions["finish"].isVisible()
    write_running(home / "a", "iteration 4: playing and learning")
    two.tick()
    assert two.managing.actions["finish"].isVisible()
    two.managing.actions["finish"].trigger()
    assert read_command(home / "a") == "finish"
    assert two.view.words.text() == "iteration 4: playing and learning · ending after this iteration…"
    assert not two.view.stop.isEnabled()


@pytest.mark.slow
def test_the_last_run_can_be_archived(two: TrainingTab, home: Path) -> None:
    for _ in range(2):
        two.managing.actions["archive"].trigger()
    assert names(two) == []
    assert two.archived.text() == "Archived: 2"
    assert not two.runs._no_runs.isVisible()
    write_running(home / "a")  # resumed from the command line
    two.tick()
    assert names(two) == ["a"]


@pytest.mark.slow
def test_the_folder_is_shown(two: TrainingTab, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or False)
    two.managing.actions["folder"].trigger()
    assert opened == [str(home / "a")]


def test_a_run_goes_to_the_trash(
    two: TrainingTab, home: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_commands, "to_trash", lambda run: bool(run.rename(tmp_path / "trash")))
    (home / "a" / "thesis.tex").write_text("not of the run")
    two.list.setFocus()
    qtbot.keyClick(two.list, Qt.Key.Key_Delete)
    box = question(two, qtbot)
    words = box.informativeText()
    assert "iterations: 3" in words
    assert "kept nets: 1" in words
    assert str(home / "a") in words
    assert "goes with it: thesis.tex" in words
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    box.choices[0].click()
    qtbot.waitUntil(lambda: names(two) == ["b"])
    assert (tmp_path / "trash" / "reports.jsonl").is_file()
    assert two.view.title.text() == "b"


@pytest.mark.slow
def test_a_cancelled_deletion_leaves_the_run(two: TrainingTab, home: Path, qtbot: QtBot) -> None:
    two.managing.actions["delete"].trigger()
    question(two, qtbot).reject()
    assert names(two) == ["a", "b"]
    assert (home / "a").is_dir()


@pytest.mark.slow
def test_without_a_trash_it_is_asked_again(
    two: TrainingTab, home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_commands, "to_trash", lambda _: False)
    two.managing.actions["delete"].trigger()
    question(two, qtbot).choices[0].click()
    qtbot.waitUntil(lambda: any("for good" in one.text() for one in two.findChildren(Question)))
    box = next(one for one in two.findChildren(Question) if "for good" in one.text())
    assert (home / "a").is_dir()
    box.choices[0].click()
    qtbot.waitUntil(lambda: names(two) == ["b"])
    assert not (home / "a").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the trash of other systems cannot be put elsewhere")
def test_qt_moves_a_folder_to_the_desktops_trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    run = write_run(tmp_path / "r", iterations=1, kept=0)
    assert not run_commands.to_trash(run)  # there is no place for a trash
    assert run.is_dir()
    (tmp_path / "data").mkdir()
    assert run_commands.to_trash(run)
    assert not run.exists()
    assert (tmp_path / "data" / "Trash" / "files" / "r" / "reports.jsonl").is_file()


def test_a_run_that_trains_is_left_alone(two: TrainingTab, training_window: MainWindow, home: Path) -> None:
    write_running(home / "a")
    two.tick()
    for command in ("delete", "rename", "archive"):
        training_window.banner.hide()
        two.managing.actions[command].trigger()
        assert training_window.banner.text.startswith("“a” is training"), command
        assert names(two) == ["a", "b"], command
        assert two.findChildren(Question) == two.findChildren(TextDialog) == [], command


@pytest.mark.slow
def test_a_run_started_after_the_question_is_not_deleted(
    two: TrainingTab, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    two.managing.actions["delete"].trigger()
    box = question(two, qtbot)
    write_running(home / "a")
    box.choices[0].click()
    assert training_window.banner.text.startswith("“a” is training")
    assert (home / "a" / RUNNING_FILE).is_file()
