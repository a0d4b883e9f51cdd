"""The list of games in a window: a folder and an archive listed, searched by words and by position, opened."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from pytestqt.qtbot import QtBot

from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from gui.rooms.library.folder_games import FolderGames
from gui.rooms.training.tab import TrainingTab
from gui.shell.dock import RIGHT
from gui.window import MainWindow

LINES = ("d d c", "d d e f", "c d d", "a b", "e d d c")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five games of Connect Four in two folders, and a file that is none."""
    game = load_game("connect4")
    place = tmp_path / "games"
    (place / "more").mkdir(parents=True)
    for i, line in enumerate(LINES):
        record = GameRecord.of(game.position(line))
        record.write_info({"black": f"Anna {i}", "white": "Béla", "date": f"202{i}", "result": "W+"}, 0)
        (place / ("more" if i % 2 else "") / f"g{i}.sgf").write_bytes(write_sgf([record]))
    (place / "broken.sgf").write_text("no game")
    return place


@pytest.fixture
def view(window: MainWindow) -> FolderGames:
    made = window.commands.open_dock("folder_games")
    assert isinstance(made, FolderGames)
    return made


def wait_idle(qtbot: QtBot, view: FolderGames) -> None:
    qtbot.waitUntil(lambda: view.progress.isHidden() and view.folder.isEnabled())


def listed(qtbot: QtBot, view: FolderGames, *places: Path) -> None:
    view.list_places(places)
    wait_idle(qtbot, view)


def names(view: FolderGames) -> list[str]:
    return sorted(row.listed.name.rpartition("/")[2] for row in view.model.rows)


def test_a_folder_is_listed_searched_and_opened(
    qtbot: QtBot, window: MainWindow, view: FolderGames, folder: Path
) -> None:
    assert not view.search.isEnabled()
    listed(qtbot, view, folder)
    assert names(view) == ["broken.sgf", *(f"g{i}.sgf" for i in range(5))]
    view.words.setText("béla ANNA 2023")
    assert names(view) == ["g3.sgf"]
    view.words.clear()
    window.state.open_position(load_game("connect4").position("d d e"))
    view.search.click()
    wait_idle(qtbot, view)
    assert names(view) == ["g0.sgf", "g1.sgf"]
    view.symmetric.click()
    view.search.click()
    wait_idle(qtbot, view)
    assert names(view) == ["g1.sgf"]
    view.table.selectRow(0)
    with qtbot.waitSignal(window.state.position_changed):
        qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert (window.state.cursor, len(window.state.moves)) == (3, 4)
    assert window.state.record.info["black"] == "Anna 1"
    view.all.click()
    assert len(view.model.rows) == 6


def test_an_archive_is_listed_and_opened(
    qtbot: QtBot, window: MainWindow, view: FolderGames, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for one in sorted(folder.rglob("*.sgf")):
            archive.write(one, one.relative_to(folder).as_posix())
        archive.writestr("notes.txt", "nothing")
    window.commands.filing.open_paths([path])
    qtbot.waitUntil(lambda: len(view.model.rows) == 6)
    wait_idle(qtbot, view)
    view.words.setText("more/g3")
    with qtbot.waitSignal(window.state.position_changed):
        view.table.doubleClicked.emit(view.model.index(0, 0))
    assert len(window.state.moves) == 2


def test_several_dropped_games_are_listed(qtbot: QtBot, window: MainWindow, view: FolderGames, folder: Path) -> None:
    window.commands.filing.open_paths([folder / "g0.sgf", folder / "g2.sgf"])
    qtbot.waitUntil(lambda: len(view.model.rows) == 2)
    wait_idle(qtbot, view)
    with qtbot.waitSignal(window.state.position_changed):
        window.commands.filing.open_paths([folder / "g4.sgf"])
    assert len(window.state.moves) == 4


def drop(window: MainWindow, paths: list[Path]) -> None:
    """Drop files on the middle of the window, as the system does."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at, copy, left = window.rect().center(), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    for event in (
        QDragEnterEvent(at, copy, mime, left, Qt.KeyboardModifier.NoModifier),
        QDropEvent(QPointF(at), copy, mime, left, Qt.KeyboardModifier.NoModifier),
    ):
        QCoreApplication.sendEvent(window.windowHandle(), event)
        assert event.isAccepted()


@pytest.mark.parametrize("place", ["closed", "open", "floating", "on the right"])
@pytest.mark.parametrize("workspace", ["search", "nets"])
def test_a_folder_dropped_on_any_workspace_is_listed_on_the_screen(
    qtbot: QtBot, window: MainWindow, folder: Path, tmp_path: Path, workspace: str, place: str
) -> None:
    window.commands.make_training = lambda _: TrainingTab(window.state, tmp_path / "runs")
    window.workspaces.turn_to(workspace)
    dock = window.docks["library"]
    if place == "floating":
        window.docks.float_dock("library")
    elif place == "on the right":
        window.docks.move_dock("library", RIGHT)
    elif place == "open":
        window.docks.show_dock("library")
    drop(window, [folder])
    assert dock.isVisible()
    parts: Any = dock.widget_made
    view = parts.made["folder_games"]
    assert isinstance(view, FolderGames)
    qtbot.waitUntil(lambda: len(view.model.rows) == 6)
    qtbot.waitUntil(lambda: not view.visibleRegion().isEmpty())  # a window of its own is exposed a moment later
    assert window.context.actions["library"].isChecked()
    wait_idle(qtbot, view)


def test_a_place_that_cannot_be_read_is_told(
    qtbot: QtBot, window: MainWindow, view: FolderGames, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\3\4 no archive")
    listed(qtbot, view, broken)
    assert window.banner.text == "'broken.zip' is no archive"
    assert view.collection is None


def test_the_list_sorts(qtbot: QtBot, view: FolderGames, folder: Path) -> None:
    listed(qtbot, view, folder)
    header = view.table.horizontalHeader()
    for _ in range(2):
        header.sectionClicked.emit(3)
    assert [row.info("date") for row in view.model.rows] == ["2024", "2023", "2022", "2021", "2020", ""]
