"""Players, event, date and place: shown and edited in the record's room, kept in files with unknown properties."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from core.files.record import INFO_KEYS, ROOT, GameRecord
from core.games import load_game
from gui.language.language import CHINESE, ENGLISH
from gui.rooms.game.game_info import COMMENT, GameInfoDialog, edit_info, info_words
from gui.rooms.game.record_panel import RecordPanel
from gui.widgets.texts import switch_language
from gui.window import MainWindow

SGF = (
    "(;GM[4]FF[4]PLYGAME[connect4]SZ[7:6]PB[Ada]BR[3 dan]PW[Grace]EV[Open]DT[1971]RE[W+]KM[6.5]GC[two\nlines]"
    ";B[df]C[first]ZZ[kept\\: as it is])"
)


def dialog_of(window: MainWindow) -> GameInfoDialog:
    dialog = edit_info(window.context)
    assert dialog is not None
    return dialog


def room(qtbot: QtBot, window: MainWindow) -> RecordPanel:
    window.docks.show_dock("game")
    qtbot.waitUntil(lambda: window.docks["game"].widget_made is not None)
    panel = window.docks["game"].widget_made
    assert isinstance(panel, RecordPanel)
    return panel


def test_every_record_property_has_a_field(qtbot: QtBot, window: MainWindow) -> None:
    dialog = dialog_of(window)
    assert {*dialog.fields, COMMENT} == set(INFO_KEYS)
    dialog.reject()


def test_edited_information_is_shown_and_undone_as_one_change(qtbot: QtBot, window: MainWindow) -> None:
    panel, state = room(qtbot, window), window.state
    state.play_line((3, 2))
    assert panel.about.text() == "No players, event or date recorded."
    dialog = dialog_of(window)
    for key, text in (("black", "Ada"), ("white", "Grace"), ("event", "Open"), ("result", "W+")):
        qtbot.keyClicks(dialog.fields[key], text)
    dialog.comment.setFocus()
    qtbot.keyClicks(dialog.comment, "Played by post.")
    qtbot.mouseClick(
        dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton
    )
    assert panel.about.text() == "Ada (Red) – Grace (Yellow) · Open · Yellow wins"
    assert state.record.info == {
        "black": "Ada",
        "white": "Grace",
        "event": "Open",
        "result": "W+",
        "comment": "Played by post.",
    }
    assert window.state.document.unsaved
    state.undo()
    assert (state.record.info, state.line) == ({}, (3, 2))
    assert panel.about.text() == "No players, event or date recorded."


def test_player_names_are_in_the_current_language(qtbot: QtBot, window: MainWindow) -> None:
    panel = room(qtbot, window)
    window.state.write_info({"black": "Ada", "white": "Grace"})
    switch_language(CHINESE)
    assert panel.about.text() == "Ada (红方) – Grace (黄方)"
    switch_language(ENGLISH)
    assert panel.about.text() == "Ada (Red) – Grace (Yellow)"


def test_accepting_unchanged_information_changes_nothing(qtbot: QtBot, window: MainWindow) -> None:
    room(qtbot, window).edit_about.click()
    dialog = window.findChild(GameInfoDialog)
    qtbot.keyClicks(dialog.fields["black"], "Ada")
    dialog.reject()
    assert not window.state.record.info
    dialog = dialog_of(window)
    dialog.accept()
    assert not window.state.can_undo


@pytest.mark.parametrize("suffix", [".sgf", ".plyscope"])
def test_files_keep_game_information_and_unknown_properties(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / "from.sgf").write_text(SGF)
    state, out, again = window.state, tmp_path / f"out{suffix}", tmp_path / "again.sgf"
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.open_file(tmp_path / "from.sgf")
    dialog = dialog_of(window)
    assert dialog.fields["white"].text() == "Grace"
    assert dialog.comment.toPlainText() == "two\nlines"
    dialog.fields["event"].setFocus()
    dialog.fields["event"].selectAll()
    qtbot.keyClicks(dialog.fields["event"], "Closed [A]")
    dialog.accept()
    with qtbot.waitSignal(window.commands.filing.used):
        (window.commands.filing.save_sgf if suffix == ".sgf" else window.commands.filing.save_session)(out)
    window.context.opener.new_game()
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.open_file(out)
    assert state.record.info["event"] == "Closed [A]"
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.save_sgf(again)
    text = again.read_text()
    for kept in ("PB[Ada]", "BR[3 dan]", "DT[1971]", "RE[W+]", "KM[6.5]", "GC[two\nlines]", "ZZ[kept\\: as it is]"):
        assert kept in text


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ({}, ""),
        ({"comment": "only this"}, ""),
        ({"black": "Ada"}, "Ada (Red) – ? (Yellow)"),
        ({"event": "Open", "result": "W+R"}, "Open · W+R"),
        ({"event": "Open", "result": "0"}, "Open · Draw"),
        ({"event": "Open", "result": "W+3.5"}, "Open · Yellow wins by 3.5"),
    ],
)
def test_the_information_line_lists_the_known_values(info: dict[str, str], words: str) -> None:
    assert info_words(GameRecord(load_game("connect4").initial(), info)) == words


def test_a_game_that_was_won_needs_no_result_written_down(qtbot: QtBot) -> None:
    record = GameRecord.of(load_game("connect4").position("a b a b a b a"))
    dialog = GameInfoDialog(record)
    qtbot.addWidget(dialog)
    assert dialog.fields["result"].placeholderText() == "B+, as it was played"
    record.write_info({"event": "Open"}, ROOT)
    assert info_words(record) == "Open · Red wins"
