"""Tests of recent files: order, missing files, saving, and that the user's own settings are not changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.shell.recent import RecentFiles
from gui.widgets.preferences import MOST_RECENT, Preferences
from gui.window import MainWindow
from models.netfiles.shipped import nets_dir
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis


@pytest.fixture
def recent(window: MainWindow) -> RecentFiles:
    found = window.findChild(RecentFiles)
    assert isinstance(found, RecentFiles)
    return found


def kept_in(folder: Path) -> QSettings:
    return QSettings(str(folder / "kept.ini"), QSettings.Format.IniFormat)


@pytest.mark.slow
def test_a_saved_game_is_opened_again_from_the_list(
    qtbot: QtBot, window: MainWindow, recent: RecentFiles, tmp_path: Path
) -> None:
    assert not recent.menu.menuAction().isEnabled()
    window.state.play_line((3, 3, 2))
    path = tmp_path / "game & more.sgf"
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.save_sgf(path)
    window.state.go(0)
    window.state.play(0)
    assert recent.menu.menuAction().isEnabled()
    action = recent.shown[path]
    assert "game && more.sgf" in action.text()
    with qtbot.waitSignal(window.commands.filing.used):
        action.trigger()
    assert window.state.moves == (3, 3, 2)


def test_shipped_nets_are_not_listed_as_recent(
    qtbot: QtBot, window: MainWindow, recent: RecentFiles, tmp_path: Path
) -> None:
    shipped = next(nets_dir().glob("connect4-*.onnx"))
    own = tmp_path / "mine.onnx"
    own.write_bytes(shipped.read_bytes())
    for path in (shipped, own):
        with qtbot.waitSignal(window.context.opener.used):
            window.context.opener.open_net(path)
    assert list(recent.shown) == [own]


def test_files_that_cannot_be_opened_are_not_listed(
    qtbot: QtBot, window: MainWindow, recent: RecentFiles, tmp_path: Path
) -> None:
    path = tmp_path / "broken.plyscope"
    path.write_bytes(b"nothing")
    window.commands.filing.open_file(path)
    qtbot.waitUntil(lambda: "broken.plyscope" in window.banner.text)
    assert recent.shown == {}


def test_a_missing_file_is_disabled_with_the_reason(
    qtbot: QtBot, window: MainWindow, recent: RecentFiles, tmp_path: Path
) -> None:
    here, gone = tmp_path / "here.sgf", tmp_path / "gone.sgf"
    here.write_text("(;GM[1])")
    for path in (here, gone):
        window.context.preferences.add_recent(path)
    recent.menu.aboutToShow.emit()
    qtbot.waitUntil(lambda: not recent.shown[gone].isEnabled())
    assert "no longer there" in recent.shown[gone].text()
    assert recent.shown[here].isEnabled()
    gone.write_text("(;GM[1])")
    recent.menu.aboutToShow.emit()
    qtbot.waitUntil(recent.shown[gone].isEnabled)
    assert "no longer" not in recent.shown[gone].text()


def test_the_last_ten_files_are_listed_in_order_and_can_be_cleared(window: MainWindow, recent: RecentFiles) -> None:
    paths = [Path(f"/games/{i}.sgf") for i in range(MOST_RECENT + 3)]
    for path in paths:
        window.context.preferences.add_recent(path)
    window.context.preferences.add_recent(paths[6])
    assert list(recent.shown) == [paths[6], *[p for p in reversed(paths[3:]) if p != paths[6]]]
    window.context.actions["clear_recent"].trigger()
    assert recent.shown == {}
    assert not window.context.actions["clear_recent"].isEnabled()


def test_the_list_is_kept_and_two_windows_add_to_one(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = Preferences(kept_in(tmp_path)), Preferences(kept_in(tmp_path))
    first.add_recent(Path("/a.sgf"))
    second.add_recent(Path("/b.sgf"))
    assert second.recent == (Path("/b.sgf"), Path("/a.sgf"))
    assert Preferences(kept_in(tmp_path)).recent == second.recent


@pytest.mark.parametrize("text", ['[1, null, ""]', "{}", "[", json.dumps(["/a.sgf"] * 30)])
def test_an_invalid_list_is_read_in_part(tmp_path: Path, text: str) -> None:
    kept = kept_in(tmp_path)
    kept.setValue("recent_files", text)
    assert Preferences(kept).recent == ((Path("/a.sgf"),) if "a.sgf" in text else ())


@pytest.fixture
def own_settings(tmp_path: Path, qapp: QApplication) -> Path:
    """Return where the user's settings would be written."""
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path / "own"))
    return tmp_path / "own"


def test_a_window_without_settings_writes_none(qtbot: QtBot, own_settings: Path) -> None:
    window = open_window(qtbot, FakeAnalysis(), "tictactoe")
    window.context.preferences.add_recent(Path("/a.sgf"))
    window.context.actions["colours_colour-blind"].trigger()
    window.close()
    assert not own_settings.exists()
