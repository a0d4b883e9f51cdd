"""The moves that followed the position on the board, in the list of games: follows the board, plays, is drawn there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from gui.rooms.library.folder_games import FolderGames
from gui.rooms.library.next_moves import COLUMNS, NextMoves
from gui.window import MainWindow

GAME = load_game("connect4")
LINES = {"d d c": "B+", "d d e f": "W+", "c d d": "0", "d c": "B+", "d d c b": ""}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    for number, (line, result) in enumerate(LINES.items()):
        record = GameRecord.of(GAME.position(line))
        record.write_info({"black": f"Anna {number}", "result": result}, 0)
        (tmp_path / f"g{number}.sgf").write_bytes(write_sgf([record]))
    return tmp_path


@pytest.fixture
def view(qtbot: QtBot, window: MainWindow, folder: Path) -> FolderGames:
    window.state.open_position(GAME.position("d"))
    made = window.commands.open_dock("folder_games")
    assert isinstance(made, FolderGames)
    made.list_places((folder,))
    qtbot.waitUntil(lambda: made.collection is not None and not made.job.running)
    made.openings.click()
    answered(qtbot, window, made.next_moves)
    return made


def answered(qtbot: QtBot, window: MainWindow, panel: NextMoves) -> None:
    qtbot.waitUntil(lambda: panel.explored is not None and panel.position == window.state.position)


def shown(panel: NextMoves) -> list[tuple[str, ...]]:
    return [tuple(column.text(row).replace("\u202f", " ") for column in COLUMNS) for row in panel.model.rows]


def test_the_table_follows_the_board_and_a_click_plays(qtbot: QtBot, window: MainWindow, view: FolderGames) -> None:
    panel = view.next_moves
    rows = shown(panel)
    assert [row[:2] for row in rows] == [("d", "3"), ("c", "1")]
    assert [text.rstrip(" %").strip() for text in rows[0][2:]] == ["75.0", "50", "0", "50"]
    assert [text.rstrip(" %").strip() for text in rows[1][3:]] == ["100", "0", "0"]
    titles = [panel.model.words(column)[0] for column in range(len(COLUMNS))]
    assert titles[3:] == ["Red wins", "Draws", "Yellow wins"]
    panel.table.clicked.emit(panel.model.index(0, 0))
    assert window.state.position == GAME.position("d d")
    answered(qtbot, window, panel)
    assert [row[:2] for row in shown(panel)] == [("c", "3")]  # e is its image
    assert panel.report.text().startswith("3 of 5 games have this position, 0 end here")


def test_without_images_each_move_counts_alone(qtbot: QtBot, window: MainWindow, view: FolderGames) -> None:
    window.state.open_position(GAME.position("d d"))
    answered(qtbot, window, view.next_moves)
    view.symmetric.click()
    answered(qtbot, window, view.next_moves)
    assert [row[:2] for row in shown(view.next_moves)] == [("c", "2"), ("e", "1")]


def test_the_board_shows_how_often_each_move_followed(qtbot: QtBot, window: MainWindow, view: FolderGames) -> None:
    panel = view.next_moves
    panel.on_board.click()
    board = window.room.board
    marks = {GAME.action_name(mark.action): mark.text for mark in board.marks()}
    assert {name: text.rstrip("\u202f\u2009 %") for name, text in marks.items()} == {"d": "75", "c": "25"}
    assert board.legend("").title == "Next moves"
    view.openings.click()
    assert window.state.cells is None
    assert not panel.on_board.isChecked()


def test_a_position_of_no_game_and_a_game_without_cells(qtbot: QtBot, window: MainWindow, view: FolderGames) -> None:
    panel = view.next_moves
    window.state.open_position(GAME.position("a a a"))
    answered(qtbot, window, panel)
    assert panel.model.rows == []
    assert panel.report.text().startswith("0 of 5 games have this position")
    assert panel.cells() is None
    window.state.open_position(load_game("nim").initial())
    qtbot.waitUntil(lambda: "have no openings by position" in panel.report.text())


def test_keys_play_a_move(qtbot: QtBot, window: MainWindow, view: FolderGames) -> None:
    view.next_moves.table.selectRow(1)
    qtbot.keyClick(view.next_moves.table, Qt.Key.Key_Return)
    assert window.state.position == GAME.position("d c")
