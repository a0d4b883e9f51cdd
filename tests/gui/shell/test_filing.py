"""Tests of opening and saving games and sessions in the window."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from core.files import GAME_SUFFIXES
from core.files.record import ROOT
from core.files.sgf import read_sgf
from core.games import load_game
from gui.model.sources import UniformSource
from gui.widgets import saving
from gui.widgets.saving import ask_open_name, ask_save_name, keep_folders, start_folder
from gui.window import MainWindow

TWO_LINES = "(;GM[4]PLYGAME[connect4]SZ[7:6];B[df](;W[de]C[up];B[dd])(;W[cf]))"


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a file and wait until it is shown."""
    with qtbot.waitSignal(window.state.position_changed):
        window.commands.filing.open_file(path)


def saved(qtbot: QtBot, window: MainWindow, path: Path, *, session: bool = False) -> None:
    (window.commands.filing.save_session if session else window.commands.filing.save_sgf)(path)
    qtbot.waitUntil(lambda: window.banner.text == f"{path.name} is saved.")


def test_a_game_is_opened_at_its_start_and_saved_with_its_variations(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(TWO_LINES)
    opened(qtbot, window, path)
    assert (window.state.moves, window.state.cursor) == ((3, 3, 3), 0)
    window.state.go(1)
    window.state.play(6)
    saved(qtbot, window, tmp_path / "out.sgf")
    (record,) = read_sgf((tmp_path / "out.sgf").read_bytes()).records
    assert record == window.state.record
    assert record.path(record.main_line()[-1]) == (3, 3, 3)
    (first,) = record.node(ROOT).children
    assert [record.node(c).action for c in record.node(first).children] == [3, 2, 6]
    assert [record.node(c).comment for c in record.node(first).children] == ["up", "", ""]


def test_a_new_game_takes_nothing_of_the_file_before(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(TWO_LINES)
    opened(qtbot, window, path)
    window.context.opener.new_game()
    window.state.play(0)
    assert len(window.state.record) == 2


def test_a_game_of_another_kind_is_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[2]SZ[4]PLYGAME[othello(size=4)])")
    opened(qtbot, window, path)
    assert window.state.game == load_game("othello(size=4)")


def test_a_session_is_restored(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    state = window.state
    state.play_line((3, 3, 2))
    state.set_source(UniformSource())
    state.set_limit(321)
    state.go(2)
    settings = state.settings
    path = tmp_path / "mine.plyscope"
    saved(qtbot, window, path, session=True)
    state.open_position(load_game("tictactoe").initial(), None)
    state.set_limit(5)
    opened(qtbot, window, path)
    qtbot.waitUntil(lambda: state.cursor == 2)
    assert (state.moves, state.limit, state.source) == ((3, 3, 2), 321, UniformSource())
    assert state.settings == settings


WRONG_FILES = [
    ("hex.sgf", "(;GM[11];B[aa])", "hex.sgf cannot be opened: it is of Hex"),
    ("words.sgf", "words", "words.sgf cannot be opened: there is no SGF game in it"),
    ("words.plyscope", "words", "words.plyscope cannot be opened: it is no zip archive"),
]


def test_files_that_cannot_be_opened_are_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for name, content, sentence in WRONG_FILES:
        (tmp_path / name).write_text(content)
        window.commands.filing.open_file(tmp_path / name)
        qtbot.waitUntil(lambda sentence=sentence: window.banner.text.startswith(sentence))


def test_the_first_error_is_the_reason_shown(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "broken.sgf").write_bytes(b"\xff\xfe(;GM[1]CA[utf-8]\xff)")
    window.commands.filing.open_file(tmp_path / "broken.sgf")
    qtbot.waitUntil(lambda: window.banner.text.startswith("broken.sgf cannot be opened: there is no SGF game in it"))


def test_parts_left_out_are_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "odd.sgf"
    path.write_text("(;GM[4]SZ[5];B[aa];W[aa])(;GM[4]SZ[5])")
    window.commands.filing.open_file(path)
    qtbot.waitUntil(lambda: "the first of 2 games" in window.banner.text)
    assert "the place is taken" in window.banner.text


def test_a_failed_save_is_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.state.open_position(load_game("nim").initial(), None)
    window.commands.filing.save_sgf(tmp_path / "nim.sgf")
    qtbot.waitUntil(lambda: "cannot be written as SGF" in window.banner.text)
    assert not (tmp_path / "nim.sgf").exists()


def test_a_file_is_written_in_a_thread(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.state.play(3)
    seen = []
    monkeypatch.setattr("core.files.sgf.write_sgf", lambda records: seen.append(threading.current_thread()) or b"(;)")
    saved(qtbot, window, tmp_path / "game.sgf")
    assert (tmp_path / "game.sgf").read_bytes() == b"(;)"
    assert seen[0] is not threading.main_thread()


@pytest.mark.parametrize("answer", ["Replace", "Cancel"])
def test_a_file_is_not_overwritten_without_asking(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    there, asked = tmp_path / "final.v2.sgf", []

    def reply(box: QMessageBox) -> None:
        asked.append(box.text())
        next(button for button in box.buttons() if button.text().replace("&", "") == answer).click()

    there.write_text("of last week")
    window.state.play(3)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "final.v2"), ""))
    monkeypatch.setattr(QMessageBox, "exec", reply)
    written = []
    window.commands.filing.used.connect(written.append)
    window.commands.filing.choose_sgf()
    if answer == "Replace":
        qtbot.waitUntil(lambda: written == [there])
    assert asked == ["final.v2.sgf already exists. Replace it?"]
    assert (there.read_text() == "of last week") == (answer == "Cancel")
    assert [path.name for path in tmp_path.iterdir()] == ["final.v2.sgf"]


def test_errors_of_the_system_are_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.commands.filing.open_file(tmp_path / "gone.sgf")
    sentence = f"'{tmp_path / 'gone.sgf'}' cannot be opened: No such file or directory"
    qtbot.waitUntil(lambda: window.banner.text == sentence)
    window.commands.filing.save_sgf(tmp_path)
    qtbot.waitUntil(lambda: window.banner.text == f"'{tmp_path}' cannot be written: Is a directory")


def test_menu_entries_ask_for_a_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    for name, suffix in (("save_sgf", ".sgf"), ("save_session", ".plyscope")):
        with qtbot.waitSignal(window.commands.filing.used):
            window.context.actions[name].trigger()
        assert (tmp_path / f"mine{suffix}").exists()
    kinds = []

    def choose(*given: object) -> tuple[str, str]:
        kinds.append(given[-1])
        return str(tmp_path / "mine.sgf"), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    with qtbot.waitSignal(window.state.position_changed):
        window.context.actions["open_file"].trigger()
    kinds_known = " ".join(f"*{suffix}" for suffix in (*GAME_SUFFIXES, ".plyscope", ".npz", ".trace"))
    assert kinds == [f"Games, sessions and trees ({kinds_known});;All files (*)"]


def test_dialogs_begin_where_the_last_file_of_their_kind_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: MainWindow
) -> None:
    games, nets, settings = tmp_path / "games", tmp_path / "nets", str(tmp_path / "kept.ini")
    begun: list[Path] = []

    def choose(*given: object) -> tuple[str, str]:
        begun.append(Path(str(given[2])))
        return str(next(answers)), ""

    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, choose)
    for name in ("_folders", "_kept"):
        monkeypatch.setattr(saving, name, type(getattr(saving, name))())  # another test has its own
    for folder in (games, nets):
        folder.mkdir()
    answers = iter((games / "a.sgf", nets / "b.onnx", games / "c.sgf", "", ""))
    keep_folders(QSettings(settings, QSettings.Format.IniFormat))
    ask_open_name(window, "Open", "games")
    ask_open_name(window, "Open", "nets")
    ask_save_name(window, "Save", "games", "c.sgf")
    keep_folders(QSettings(settings, QSettings.Format.IniFormat))  # the next start
    ask_open_name(window, "Open", "games")
    games.rmdir()
    ask_open_name(window, "Open", "games")
    assert begun[0] == begun[1] == begun[4] == start_folder("pictures"), "documents at first, and for a folder gone"
    assert begun[2:4] == [games / "c.sgf", games]


def test_opening_a_file_while_the_engine_loads_asks_to_wait(qtbot: QtBot, tmp_path: Path) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.commands.filing.open_file(tmp_path / "game.sgf")
    assert window.banner.text == "The engine is still being loaded: open game.sgf in a moment."
    window.close()
