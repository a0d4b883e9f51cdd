"""The room of a second opinion with small engines in processes of their own: rows, dialogue, faults, the list."""

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from core.games import load_game
from core.games.catalog import GAMES
from gui.jobs.outside import OutsideAnalysis
from gui.language.language import CHINESE, set_language
from gui.rooms.opponents.engines_dialog import EnginesDialog
from gui.rooms.opponents.second_opinion import EnginesView, SecondRing
from models.engines.engine_list import EngineEntry, read_engines, write_engines
from tests.gui.conftest import open_window

ENGINES = Path(__file__).parents[3] / "models" / "engines"
OTHELLO = load_game("othello")


def entry(name: str, file: str, kind: str, protocol: str, **values: Any) -> EngineEntry:
    return EngineEntry(name, protocol, f"'{sys.executable}' '{ENGINES / file}' {kind}", **values)


HINTS = entry("hints", "fake_nboard.py", "plays", "nboard")
PLAYER = entry("player", "fake_gomocup.py", "plays", "gomocup")
CRASHES = entry("mute", "fake_gomocup.py", "odd", "gomocup")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr("models.engines.engine_list.data_home", lambda: tmp_path)


@pytest.fixture
def opened(qtbot, analysis):
    """Othello after f5, with the room open and two engines in the list."""
    write_engines([HINTS, PLAYER])
    window = open_window(qtbot, analysis, "othello")
    window.state.play(OTHELLO.parse_action("f5"))
    window.commands.open_dock("second_opinion")
    return window


def view(window) -> EnginesView:
    widget = window.docks["opponents"].widget_made.made["second_opinion"]
    assert isinstance(widget, EnginesView)
    return widget


def rows(window) -> list[list[str]]:
    table = view(window).table
    return [
        [column.text(said) for place, column in enumerate(table.columns) if not table.isColumnHidden(place)]
        for said in table.moves.rows
    ]


def asked(qtbot, window) -> None:
    qtbot.mouseClick(view(window).ask, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(rows(window)) == 3)


def test_an_engine_says_what_it_thinks_of_the_position_shown(qtbot, opened):
    assert view(opened).ask.text() == "Ask"
    asked(qtbot, opened)
    assert rows(opened) == [
        ["d6", "+1.5", "+1.5", "7", "d6 c3 d3"],
        ["f4", "+0.5", "0.5,-1", "book", "f4"],
        ["f6", "−2.0", "-2", "7", "f6"],
    ]
    assert view(opened).state.text() == "hints: its own figures, for White."
    process = view(opened).job._holder.engine.process
    opened.state.play(OTHELLO.parse_action("f6"))
    qtbot.waitUntil(lambda: any("W[F6]" in line.text for line in view(opened).job.dialogue))
    qtbot.mouseClick(view(opened).ask, Qt.MouseButton.LeftButton)
    assert view(opened).job.entry is None
    qtbot.waitUntil(lambda: not process.running)


@pytest.mark.slow
def test_its_best_move_is_ringed_on_the_board_while_it_is_asked(qtbot, opened):
    ring, board = opened.room.board.findChild(SecondRing), opened.room.board
    assert (ring.isVisible(), ring.box()) == (False, None)
    asked(qtbot, opened)
    assert ring.box().center() == board.geometry_of_board().center(OTHELLO.parse_action("d6"))
    assert ring.isVisible()
    assert ring.size() == board.size()
    assert view(opened).ringed.text() == "Ringed so on the board: d6, its best move"
    opened.state.select((OTHELLO.parse_action("f6"),))  # the board shows another position
    qtbot.waitUntil(lambda: ring.box() is None)
    opened.state.select(())
    qtbot.waitUntil(lambda: ring.box() is not None)
    opened.docks.hide_dock("opponents")
    assert not ring.isVisible()
    opened.commands.open_dock("second_opinion")
    qtbot.waitUntil(ring.isVisible)
    view(opened).job.stop()
    assert not ring.isVisible()
    assert not view(opened).ringed.isVisible()


@pytest.mark.slow
def test_what_an_engine_said_is_still_its_own_after_it_was_stopped(qtbot, opened):
    asked(qtbot, opened)
    said = rows(opened), view(opened).state.text()
    qtbot.mouseClick(view(opened).ask, Qt.MouseButton.LeftButton)
    assert view(opened).job.entry is None
    assert (rows(opened), view(opened).state.text()) == said
    view(opened).job.look_at(None)
    assert view(opened).state.text().startswith("Ask an engine")


def test_a_click_selects_the_move_and_a_double_click_plays_it(qtbot, opened):
    asked(qtbot, opened)
    view(opened).table.chosen.emit(OTHELLO.parse_action("f6"))
    assert opened.state.selected == (OTHELLO.parse_action("f6"),)
    view(opened).table.played.emit(OTHELLO.parse_action("d6"))
    assert opened.state.position.moves[-1] == OTHELLO.parse_action("d6")


def test_the_dialogue_is_shown_with_its_times(qtbot, opened):
    asked(qtbot, opened)
    view(opened).dialogue_fold.fold.click()
    qtbot.waitUntil(lambda: "< search F6 -2 0 7" in view(opened).dialogue.toPlainText())
    assert "> nboard 2" in view(opened).dialogue.toPlainText()


def test_what_is_wrong_with_an_engine_is_said(qtbot, opened):
    view(opened).choice.setCurrentIndex(1)
    qtbot.mouseClick(view(opened).ask, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(view(opened).note.text()))
    assert "othello cannot be played by the Gomocup protocol" in view(opened).note.text()
    assert view(opened).job.entry is None
    assert view(opened).ask.text() == "Ask"


def test_without_engines_the_room_says_how_to_add_one(qtbot, analysis):
    window = open_window(qtbot, analysis, "othello")
    window.commands.open_dock("second_opinion")
    assert "No engine is listed yet" in view(window).state.text()
    assert not view(window).ask.isEnabled()
    assert view(window).state.height() < 3 * view(window).fontMetrics().height()  # the rest is the table's
    assert not view(window).table.isVisible()  # no columns of nothing


def test_an_engine_ends_with_the_window(qtbot, opened):
    asked(qtbot, opened)
    process = view(opened).job._holder.engine.process
    opened.docks.show_dock("game")  # the room is hidden behind it
    assert process.running
    opened.close()
    qtbot.waitUntil(lambda: not process.running)


def test_an_engine_of_another_game_is_started_again(qtbot):
    job = OutsideAnalysis(None)
    yixin = entry("yixin", "fake_gomocup.py", "yixin", "gomocup")
    sizes = set()
    job.reported.connect(lambda: sizes.add(None if job.opinion is None else job.opinion.position.game.shape))
    job.start(yixin, load_game("gomoku(size=9)").position("e6"))
    qtbot.waitUntil(lambda: (9, 9) in sizes)
    job.look_at(load_game("gomoku(size=7)").initial())
    qtbot.waitUntil(lambda: (7, 7) in sizes)
    job.stop()
    qtbot.waitUntil(lambda: job._holder.engine is None and not job.running)


def test_the_list_is_edited(qtbot):
    write_engines([HINTS])
    dialog = EnginesDialog(None)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.name.text() == "hints"
    dialog.add.click()
    assert dialog.command.text() == ""
    dialog.name.setText("rapfi")
    dialog.protocol.setCurrentIndex(dialog.protocol.findData("gomocup"))
    dialog.save.click()
    assert "is no command" in dialog.error.text()
    assert [one.name for one in read_engines()] == ["hints"]
    assert dialog.name.text() == "rapfi"  # what was entered stays
    dialog.command.setText(PLAYER.command)
    dialog.options.setText("0.5s")
    dialog.games.choose(["gomoku"])
    assert dialog.games.text() == GAMES["gomoku"].title  # no name of the program's own
    dialog.save.click()
    assert dialog.error.isHidden()
    assert read_engines()[1] == EngineEntry("rapfi", "gomocup", PLAYER.command, "", ("gomoku",), "0.5s")
    dialog.name.setText("hints")
    dialog.save.click()
    assert "two engines with the name 'hints'" in dialog.error.text()
    dialog.names.setCurrentRow(0)
    assert dialog.error.text().startswith("hints was not saved: there are two engines")
    dialog.remove.click()
    assert [one.name for one in read_engines()] == ["rapfi"]
    dialog.close()


def test_machines_used_before_are_offered(qtbot):
    write_engines([HINTS])
    used = ("ssh://me@server:2222/opt/plyscope", "ray://head:10001", "auto", "ssh://two", "me@server:2222")
    dialog = EnginesDialog(None, used)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.host.currentText() == ""
    assert [dialog.host.itemText(row) for row in range(dialog.host.count())] == ["me@server:2222", "two"]
    dialog.host.setCurrentIndex(0)
    dialog.save.click()
    assert read_engines()[0].host == "me@server:2222"
    dialog.add.click()
    assert dialog.host.currentText() == ""
    dialog.close()


def test_what_was_entered_is_saved_on_leaving_it(qtbot):
    write_engines([HINTS])
    dialog = EnginesDialog(None)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.options.setText("2s")
    dialog.add.click()
    assert read_engines()[0].options == "2s"
    dialog.name.setText("new")
    dialog.buttons.rejected.emit()  # Close
    assert dialog.isVisible()
    assert "new was not saved" in dialog.error.text()
    dialog.command.setText(PLAYER.command)
    dialog.buttons.rejected.emit()
    assert not dialog.isVisible()
    assert [one.name for one in read_engines()] == ["hints", "new"]


def test_escape_leaves_the_list_as_it_was(qtbot):
    write_engines([HINTS])
    dialog = EnginesDialog(None)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.options.setText("2s")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert read_engines() == (HINTS,)


def test_the_list_of_engines_is_all_chinese(qtbot):
    set_language(CHINESE)
    dialog = EnginesDialog(None)
    qtbot.addWidget(dialog)
    parts: list[Any] = [*dialog.findChildren(QPushButton), *dialog.findChildren(QLabel)]
    shown = [part.text() for part in parts]
    assert [text for text in shown if text and text.isascii()] == []


def test_an_engine_is_tried(qtbot):
    write_engines([PLAYER, CRASHES])
    dialog = EnginesDialog(None)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.test.click()
    qtbot.waitUntil(lambda: dialog.outcome.text() == "player plays gomoku: its first move is a15")
    assert "> START 15" in dialog.dialogue.toPlainText()
    dialog.names.setCurrentRow(1)
    dialog.test.click()
    qtbot.waitUntil(lambda: "which is not the Gomocup protocol" in dialog.error.text())
    assert dialog.outcome.text() == ""
    assert "< hello" in dialog.dialogue.toPlainText()
    dialog.close()


def test_a_list_that_cannot_be_read_is_not_replaced(qtbot, tmp_path):
    file = tmp_path / "plyscope" / "engines.json"
    file.parent.mkdir()
    file.write_text("{")
    dialog = EnginesDialog(None)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "is no list of engines" in dialog.error.text()
    assert not dialog.save.isEnabled()
    dialog.close()
    assert file.read_text() == "{"
