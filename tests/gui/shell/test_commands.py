"""Tests of changeable keys, the command palette and the log."""

from __future__ import annotations

import json
import logging
import threading
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from core.search import SearchSettings
from gui.app import _restore, _save
from gui.model.keymap import KeyTaken
from gui.shell.actions import ENTRIES
from gui.shell.commanding import change_keys, palette_commands, place_of, show_palette
from gui.shell.entry import NO_MENUS
from gui.shell.keys_editor import KeysEditor
from gui.shell.log_view import KEPT, Log, LogView
from gui.shell.palette import Command, Palette, pieces, ranked
from gui.shell.preferences_dialog import PreferencesDialog
from gui.widgets.dialogs import KeysDialog
from gui.widgets.theme import current_theme
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis


def names(found: list[Command]) -> list[str]:
    return [command.title for command in found]


# keys


def test_no_two_commands_begin_with_one_key() -> None:
    keys = [key for entry in ENTRIES for key in entry.keys]
    assert len(keys) == len(set(keys))
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)


def test_a_new_key_runs_the_command_and_the_old_one_does_not(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.keymap.give("overlay_q", "Ctrl+Shift+F6")
    qtbot.keyClick(window, Qt.Key.Key_F7)
    assert window.state.overlay == "visits"
    qtbot.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.state.overlay == "q"
    assert "Ctrl+Shift+F6" in window.views.toolbar.overlays.families["value"].toolTip()


def test_a_key_in_use_is_refused_in_a_sentence_or_taken_over(window: MainWindow) -> None:
    keymap = window.commands.keymap
    with pytest.raises(KeyTaken, match="F5 is already the key of “Overlay: Visits”") as received:
        keymap.give("coordinates", "F5")
    assert received.value.owner == "overlay_visits"
    assert keymap.keys("coordinates") == ("K",)
    keymap.give("coordinates", "F5", take_over=True)
    assert keymap.keys("coordinates") == ("F5",)
    assert keymap.keys("overlay_visits") == ()
    with pytest.raises(KeyTaken, match="F5 is now the key of “Coordinates”"):
        keymap.reset("overlay_visits")
    keymap.reset("coordinates")
    keymap.reset("overlay_visits")
    assert keymap.is_first("coordinates")
    assert keymap.is_first("overlay_visits")


def test_keys_used_by_views_cannot_be_assigned(window: MainWindow) -> None:
    for key in ("Shift+Left", "Shift+Return", "Tab"):
        with pytest.raises(KeyTaken) as received:
            window.commands.keymap.give("theme", key, take_over=True)
        assert received.value.owner == "", key
        assert window.commands.keymap.is_first("theme"), key


def test_keys_are_remembered(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.commands.keymap.give("theme", "Ctrl+L")
    window.commands.keymap.give("keys", "")
    kept = window.commands.keymap.save()
    window.commands.keymap.reset_all()
    assert window.commands.keymap.save() == "{}"
    window.commands.keymap.restore(kept)
    assert window.commands.keymap.keys("theme") == ("Ctrl+L",)
    assert window.commands.keymap.keys("keys") == ()
    assert window.commands.keymap.keys("back") == ("Left",)


@pytest.mark.slow
def test_damaged_keys_never_clash(window: MainWindow) -> None:
    usual = window.commands.keymap.save()
    wrong_types = ['{"theme": 3}', '{"keys": ["F5", 7, "Tab"]}', '{"keys": "F2"}']
    for kept in ["", "{", "[1]", "null", '{"nothing": ["F2"]}', *wrong_types]:
        window.commands.keymap.restore(kept)
        keys = [key for name in window.commands.keymap.actions for key in window.commands.keymap.keys(name)]
        assert len(keys) == len(set(keys)), kept
        assert window.commands.keymap.keys("overlay_visits") == ("F5",), kept
        assert "Tab" not in keys, kept
        window.commands.keymap.reset_all()
        assert window.commands.keymap.save() == usual


def test_swapped_keys_are_restored(window: MainWindow) -> None:
    window.commands.keymap.restore(json.dumps({"theme": ["F5"], "overlay_visits": ["Ctrl+T"]}))
    assert window.commands.keymap.keys("theme") == ("F5",)
    assert window.commands.keymap.keys("overlay_visits") == ("Ctrl+T",)


@pytest.fixture
def editor(qtbot: QtBot, window: MainWindow) -> KeysEditor:
    dialog = change_keys(window.commands, ENTRIES)
    assert isinstance(dialog, KeysEditor)
    qtbot.waitExposed(dialog)
    return dialog


def test_the_editor_records_a_key(qtbot: QtBot, window: MainWindow, editor: KeysEditor) -> None:
    qtbot.keyClicks(editor.search, "light or")
    assert editor.name == "theme"
    assert "Light or dark" in editor.chosen.text()
    qtbot.keyClick(editor.recorder, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.commands.keymap.keys("theme") == ("Ctrl+L",)
    row = editor.list.chosen
    assert row.keys == QKeySequence("Ctrl+L").toString(QKeySequence.SequenceFormat.NativeText)
    assert row.changed
    qtbot.mouseClick(editor.first, Qt.MouseButton.LeftButton)
    assert window.commands.keymap.is_first("theme")
    assert not editor.first.isEnabled()
    editor.reject()


@pytest.mark.slow
def test_the_editor_shows_a_conflict_and_can_take_over_the_key(
    qtbot: QtBot, window: MainWindow, editor: KeysEditor
) -> None:
    editor.choose("coordinates")
    assert not editor.take_over.isEnabled()
    qtbot.keyClick(editor.recorder, Qt.Key.Key_F5)
    assert "“Overlay: Visits”" in editor.sentence.text()
    assert window.commands.keymap.keys("coordinates") == ("K",)
    qtbot.mouseClick(editor.take_over, Qt.MouseButton.LeftButton)
    assert window.commands.keymap.keys("coordinates") == ("F5",)
    assert editor.sentence.text() == ""
    qtbot.mouseClick(editor.none, Qt.MouseButton.LeftButton)
    assert window.commands.keymap.keys("coordinates") == ()
    restore = next(b for b in editor.findChildren(QPushButton) if b.text() == "Restore default keys")
    qtbot.mouseClick(restore, Qt.MouseButton.LeftButton)
    assert window.commands.keymap.save() == "{}"
    editor.reject()


@pytest.mark.slow
def test_the_editor_finds_by_key_and_by_menu(qtbot: QtBot, editor: KeysEditor) -> None:
    editor.search.setText("ctrl+z")
    assert editor.shown() == ["undo"]
    editor.search.setText("theme dark")
    assert "theme_dark" in editor.shown()
    editor.search.setText("no such thing")
    assert editor.shown() == []
    editor.reject()


@pytest.mark.slow
def test_the_list_of_keys_shows_those_that_are(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.keymap.give("theme", "Ctrl+L")
    dialog = KeysDialog(list(window.context.actions.values()), window)
    qtbot.addWidget(dialog)
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Ctrl+L" in labels
    assert "Ctrl+T" not in labels


# palette


@pytest.mark.parametrize(
    ("typed", "text", "count"),
    [
        ("tree", "Tree", 1),
        ("tree", "To reach each end", 3),
        ("tb", "Take back", 2),
        ("setpos", "Set up a position", 2),
        ("puct", "c_puct", 1),
        ("证明", "只看已证明", 1),
        ("bt", "Take back", None),
        ("chin", "Overlay: Chains", None),
        ("chin", "This machine", None),
    ],
)
def test_what_is_typed_is_made_of_beginnings_of_words(typed: str, text: str, count: int | None) -> None:
    assert pieces(typed, text) == count


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("tree", {"Tree"}),
        ("log", {"Show the log", "c_log"}),
        ("theme dark", {"Dark"}),
        ("dark mode", {"Dark"}),
        ("reswork", {"Reset this workspace"}),
        ("wrong", {"Next mistake"}),
        ("blunder", {"Next mistake", "Analyse the whole game"}),
        ("heatmap", {"Overlay: Visits"}),
        ("cpuct", {"c_puct"}),
        ("exploration", {"c_puct", "c_ucb"}),
        ("noise", {"Noise α", "Noise share ε"}),
        ("dirichlet", {"Noise α", "Noise share ε"}),
        ("simulations limit", {"Simulations"}),
        ("threads", {"Threads"}),
        ("defaults", {"Defaults"}),
        ("chin", {"简体中文"}),
        ("中文", {"简体中文"}),
        ("撤销", {"Undo the last change"}),
        ("内存", {"Memory"}),
        ("主题 深色", {"Dark"}),
    ],
)
def test_the_palette_finds_by_synonyms_and_in_every_language(window: MainWindow, typed: str, titles: set[str]) -> None:
    window.state.play(3)
    assert titles.issubset(names(ranked(typed, palette_commands(window.commands, ENTRIES)))[:3])


def test_the_palette_shows_all_at_first_and_nothing_for_nonsense(window: MainWindow) -> None:
    found = palette_commands(window.commands, ENTRIES)
    assert ranked("", found) == found
    assert ranked("qqqq", found) == []


def test_a_setting_found_is_shown_with_the_focus(qtbot: QtBot, window: MainWindow) -> None:
    palette = show_palette(window.commands, ENTRIES)
    palette.line.setText("dirichlet")
    palette.run()
    panel: Any = window.docks["settings"].widget_made
    qtbot.waitUntil(panel.inputs["noise_epsilon"].hasFocus)
    palette = show_palette(window.commands, ENTRIES)
    window.state.set_settings(SearchSettings(c_puct=3.0))
    palette.line.setText("defaults")
    palette.run()
    assert window.state.settings == SearchSettings()


def test_every_action_that_can_be_run_is_found(window: MainWindow) -> None:
    found = names(palette_commands(window.commands, ENTRIES))
    for entry in ENTRIES:
        action = window.context.actions[entry.name]
        if entry.name != "palette":
            assert (action.text().replace("&", "").rstrip("…") in found) == action.isEnabled()
    assert "Redo" not in found
    window.state.play(3)
    window.state.take_back()
    assert "Redo" in names(palette_commands(window.commands, ENTRIES))


def palette_of(window: MainWindow) -> Palette:
    return next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, Palette))


def test_the_palette_runs_what_is_typed(qtbot: QtBot, window: MainWindow) -> None:
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_P, keys)
    palette = palette_of(window)
    with qtbot.waitSignal(palette.destroyed):
        qtbot.keyClicks(palette.line, "overlay value")
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.state.overlay == "value"


def test_the_palette_opens_a_game_and_a_dock(qtbot: QtBot, window: MainWindow) -> None:
    palette = show_palette(window.commands, ENTRIES)
    palette.line.setText("tic tac")
    palette.run()
    qtbot.waitUntil(lambda: window.state.game is not None and window.state.game.name == "tictactoe")
    palette = show_palette(window.commands, ENTRIES)
    palette.line.setText("report")
    palette.run()
    assert "report" in window.docks.shown


@pytest.mark.slow
def test_arrow_keys_move_in_the_palette_and_escape_closes_it(qtbot: QtBot, window: MainWindow) -> None:
    palette = show_palette(window.commands, ENTRIES)
    first = palette.list.currentIndex().row()
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == first + 1
    for _ in range(3):
        qtbot.keyClick(palette.line, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == 0
    palette.line.setText("qqqq")
    assert palette.nothing.isVisible()
    palette.run()
    assert palette.isVisible()
    with qtbot.waitSignal(palette.destroyed):
        qtbot.keyClick(palette.line, Qt.Key.Key_Escape)


# menus and preferences


def entries_of(menu: QMenu) -> int:
    """Return how many entries a menu has, with those of its submenus."""
    actions = [action for action in menu.actions() if not action.isSeparator()]
    below = [action.menu() for action in actions]
    return len(actions) + sum(entries_of(one) for one in below if isinstance(one, QMenu))


def test_every_place_is_a_menu_or_a_place_without_one(window: MainWindow) -> None:
    titles = {action.text().replace("&", "") for action in window.menuBar().actions()}
    assert {place_of(entry.menu).split(" › ")[0] for entry in ENTRIES} == titles | set(NO_MENUS)


def test_the_view_menu_is_short(window: MainWindow) -> None:
    view = next(action.menu() for action in window.menuBar().actions() if action.text() == "&View")
    assert isinstance(view, QMenu)
    assert entries_of(view) <= 25


def test_preferences_take_effect_at_once_and_follow_what_is_set_elsewhere(qtbot: QtBot, window: MainWindow) -> None:
    actions, state = window.context.actions, window.state
    actions["preferences"].trigger()
    dialog = next(one for one in QApplication.topLevelWidgets() if isinstance(one, PreferencesDialog))
    fields: dict[str, Any] = dialog.fields
    assert fields["theme"].currentText() == "Dark"
    fields["theme"].setCurrentIndex(fields["theme"].findText("Light"))
    fields["theme"].activated.emit(fields["theme"].currentIndex())
    assert not current_theme().dark
    assert fields["coordinates"].isChecked()
    fields["coordinates"].click()
    assert not state.coordinates
    actions["coordinates"].trigger()
    assert fields["coordinates"].isChecked()
    actions["values_second"].trigger()
    assert fields["values"].currentText() == "The second player"
    assert fields["values"].accessibleName() == "Values for"
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()


# log


@pytest.fixture
def log() -> Iterator[Log]:
    log = Log()
    log.open()
    yield log
    log.close()


@pytest.mark.slow
def test_the_log_keeps_the_last_lines_of_every_thread(log: Log) -> None:
    logger = logging.getLogger("core.test")
    threads = [threading.Thread(target=lambda: [logger.info("line") for _ in range(KEPT)]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.count == 3 * KEPT
    assert len(log.lines) == KEPT


def test_the_log_is_shown_from_a_level_on_and_copied(qtbot: QtBot, log: Log) -> None:
    view = LogView(log)
    qtbot.addWidget(view)
    logger = logging.getLogger("gui.test")
    logger.info("a note")
    logger.warning("a warning")
    view.show()
    assert [line.split("  ")[-1] for line in view.text.toPlainText().splitlines()] == ["a note", "a warning"]
    logger.error("an error")
    qtbot.waitUntil(lambda: "an error" in view.text.toPlainText())
    view.level.setCurrentText("Errors")
    assert view.text.blockCount() == 1
    view.copy.click()
    assert QGuiApplication.clipboard().text().endswith("gui.test  an error")
    for number in range(KEPT + 5):
        logger.error("%d", number)
    view.look()
    assert view.text.blockCount() == KEPT
    assert view.state.text().startswith(f"the last {KEPT} of ")


def test_a_failure_is_logged_with_its_traceback(log: Log) -> None:
    try:
        raise RuntimeError("gone")
    except RuntimeError:
        logging.getLogger("gui.test").exception("a task failed")
    assert any("RuntimeError: gone" in line.text for line in log.lines)


def test_messages_are_logged_until_the_window_closes(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.banner.show_error("gone wrong")
    assert window.commands.log.lines[-1].text.endswith("gone wrong")
    analysis.publish(1000)
    analysis.finish()
    qtbot.waitUntil(lambda: "limit reached after 1000 simulations" in window.commands.log.lines[-1].text)
    window.close()
    assert window.commands.log not in logging.getLogger().handlers


def test_changed_keys_are_written_at_once(window: MainWindow, tmp_path: Path) -> None:
    def kept() -> QSettings:
        return QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)

    mine = kept()
    _restore(window, mine, Namespace(size="", overlay=""))
    window.commands.keymap.give("theme", "Ctrl+L")
    assert json.loads(str(kept().value("keys"))) == {"theme": ["Ctrl+L"]}  # as the next start reads it
    other = kept()
    other.setValue("keys", json.dumps({"theme": ["F2"]}))  # another window changes them meanwhile
    other.sync()
    _save(window, mine)
    mine.sync()
    assert json.loads(str(kept().value("keys"))) == {"theme": ["F2"]}
