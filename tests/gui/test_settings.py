"""Tests of the settings panel and the dialogs: input, refusal and passing on."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.engine import set_aside
from core.games import load_game
from core.search import SearchSettings
from core.search.rules.table import RULES
from core.search.settings import PRESETS, SETTING, with_preset
from gui.language.language import CHINESE
from gui.model.sources import UniformSource, source_title
from gui.widgets.dialogs import GameDialog, KeysDialog
from gui.widgets.form import NumberEdit, number_of
from gui.widgets.settings.setting_fields import FIELDS, PRESET_TITLES, change_words
from gui.widgets.settings.settings_panel import SettingsPanel
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis


@pytest.fixture
def panel(qtbot: QtBot) -> SettingsPanel:
    panel = SettingsPanel()
    qtbot.addWidget(panel)
    panel.show_settings(SearchSettings(), 1000)
    return panel


def test_every_setting_has_a_field_of_its_kind() -> None:
    assert set(FIELDS) == set(SETTING)
    for name, field in FIELDS.items():
        assert sorted(choice for choice, _ in field.choices) == sorted(SETTING[name].choices)
        assert (field.check != "") == (SETTING[name].kind == "bool")


def test_a_double_click_takes_the_whole_number(qtbot: QtBot, panel: SettingsPanel) -> None:
    field = panel.inputs["c_puct"]
    assert isinstance(field, NumberEdit)
    assert field.text() == "1.5"
    qtbot.mouseDClick(field, Qt.MouseButton.LeftButton, pos=field.rect().center())
    assert field.selectedText() == "1.5"


@pytest.mark.parametrize("selection", RULES)
@pytest.mark.parametrize("source", [None, UniformSource()])
def test_what_applies_is_shown_and_at_most_seven_of_it_at_first(
    panel: SettingsPanel, selection: str, source: UniformSource | None
) -> None:
    def shown() -> set[str]:
        return {name for name, field in panel.inputs.items() if not field.isHidden()}

    game = load_game("othello(size=6)")
    panel.show_settings(SearchSettings(selection=selection), 1000, game, source)
    assert {"selection", "limit", "memory_mb", "prove"} < shown()
    assert 5 <= len(shown()) <= 7
    panel.form.fold.click()
    assert ("c_base" in shown()) == (selection == "puct")
    assert ("threads" in shown()) == ("rollout_policy" in shown()) == (source is None)
    assert ("max_batch" in shown()) == (source is not None)
    assert "exact_empties" in shown()
    assert "threat_proofs" not in shown()
    panel.form.show_setting("threat_proofs")
    assert "threat_proofs" in shown()
    assert not panel.inputs["threat_proofs"].isEnabled()


def test_rows_are_made_in_the_order_of_the_settings(panel: SettingsPanel) -> None:
    form = panel.form
    assert len(panel.inputs) > 4
    assert list(panel.inputs) == [name for name in form.fields if name in panel.inputs]


def test_a_form_is_wide_enough_for_a_title_in_bold(qtbot: QtBot, panel: SettingsPanel) -> None:
    form = panel.form
    panel.resize(800, 900)
    panel.show()
    qtbot.waitExposed(panel)
    form.show_setting("root_fpu_reduction")
    title, least = form.titles["root_fpu_reduction"], form.minimumWidth()
    assert title.sizeHint().width() == max(other.sizeHint().width() for other in form.titles.values())
    panel.show_settings(SearchSettings(root_fpu_reduction=0.5), 1000)
    assert title.objectName() == "changed"
    assert form.minimumWidth() > least
    qtbot.waitUntil(lambda: title.width() >= title.sizeHint().width())


def next_by_tab(widget: QWidget) -> QWidget:
    """Return the next widget in the focus chain that the Tab key reaches."""
    widget = widget.nextInFocusChain()
    while widget.isHidden() or not widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        widget = widget.nextInFocusChain()
    return widget


def test_a_row_is_made_when_its_setting_is_shown_with_the_value_that_it_has(panel: SettingsPanel) -> None:
    form = panel.form
    panel.show_settings(SearchSettings(noise_epsilon=0.25), 1000)
    assert "noise_epsilon" not in panel.inputs
    assert form.values()["noise_epsilon"] == 0.25
    width = form.minimumWidth()
    form.fold.click()
    assert panel.inputs["noise_epsilon"].text() == "0.25"
    assert form.titles["noise_epsilon"].objectName() == "changed"
    assert form.minimumWidth() == width
    assert next_by_tab(panel.inputs["c_puct"]) is form.sliders["c_puct"]
    assert next_by_tab(form.fold) is form.inputs["fpu_reduction"]


def test_what_is_changed_is_marked_and_put_back(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.show_settings(SearchSettings(c_puct=3.0, noise_epsilon=0.25), 1000)
    form = panel.form
    form.fold.click()
    marked = {name for name, title in form.titles.items() if title.objectName() == "changed"}
    assert marked == {"c_puct", "noise_epsilon"}
    assert form.fold.summary == "1 changed"
    assert form.undos["c_puct"].toolTip() == "Back to 1.5"
    with qtbot.waitSignal(panel.changed) as received:
        form.undos["c_puct"].click()
    assert received.args == [SearchSettings(noise_epsilon=0.25)]
    assert form.undos["c_puct"].isHidden()


def test_what_a_slider_is_moved_to_is_tried_and_taken_when_it_is_kept(qtbot: QtBot, panel: SettingsPanel) -> None:
    slider = panel.form.sliders["c_puct"]
    with qtbot.assertNotEmitted(panel.changed), qtbot.waitSignal(panel.tried) as received:
        slider.setValue(slider.maximum())
    assert received.args == [SearchSettings(c_puct=10.0), "c_puct 1.5 → 10"]
    assert not panel.trial.isHidden()
    panel.show_settings(SearchSettings(), 1000)
    assert panel.trial.isHidden()
    assert slider.number == pytest.approx(1.5, rel=0.02)
    slider.setValue(slider.maximum())
    with qtbot.waitSignal(panel.changed) as received:
        panel.keep.click()
    assert received.args == [SearchSettings(c_puct=10.0)]
    assert panel.trial.isHidden()


def test_a_number_of_many_digits_is_not_rounded(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.show_settings(SearchSettings(c_puct=1.2345678), 1000)
    with qtbot.assertNotEmitted(panel.changed):
        panel.take()


def test_a_valid_value_is_emitted_complete(qtbot: QtBot, panel: SettingsPanel) -> None:
    with qtbot.waitSignal(panel.changed) as received:
        panel.inputs["c_puct"].selectAll()
        qtbot.keyClicks(panel.inputs["c_puct"], "2,5")
    assert received.args == [SearchSettings(c_puct=2.5)]


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("c_puct", "-1", "must be a number from 0 to 100"),
        ("max_batch", "2.5", "whole number"),
        ("memory_mb", "much", "'much'"),
        ("limit", "0", "simulations is 0"),
    ],
)
def test_an_invalid_value_shows_an_error_until_corrected(
    qtbot: QtBot, panel: SettingsPanel, name: str, text: str, part: str
) -> None:
    panel.form.show_setting(name)
    line = panel.inputs[name]
    sound = line.text()
    with qtbot.assertNotEmitted(panel.changed), qtbot.assertNotEmitted(panel.limit_changed):
        line.setText(text)
        panel.take()
    assert part in panel.error.text()
    assert line.property("bad") is True
    line.setText(sound)
    panel.take()
    assert panel.error.text() == ""
    assert line.property("bad") is False


def test_what_is_automatic_says_so_in_every_language(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.show_settings(SearchSettings(), 1000, load_game("othello(size=6)"), UniformSource())
    line = panel.inputs["max_batch"]
    assert (line.text(), line.placeholderText()) == ("", "automatic")
    assert panel.form.values()["max_batch"] == 0
    with qtbot.assertNotEmitted(panel.changed):
        panel.take()
    with qtbot.waitSignal(panel.changed) as received:
        line.selectAll()
        qtbot.keyClicks(line, "64")
    assert received.args == [SearchSettings(max_batch=64)]
    assert change_words(SearchSettings(), SearchSettings(max_batch=64)) == "Batch = 64"
    assert change_words(SearchSettings(max_batch=64), SearchSettings()) == "Batch = automatic"
    assert panel.form.undos["max_batch"].toolTip() == "Back to automatic"
    with qtbot.waitSignal(panel.changed) as received:
        panel.form.undos["max_batch"].click()
    assert received.args == [SearchSettings()]
    assert line.text() == ""
    switch_language(CHINESE)
    assert line.placeholderText() == "自动设定"


def test_the_defaults_button_restores_the_defaults(qtbot: QtBot, panel: SettingsPanel) -> None:
    panel.show_settings(SearchSettings(c_puct=3.0, prove=False), 500)
    button = next(b for b in panel.findChildren(QPushButton) if b.text() == "Defaults")
    with qtbot.waitSignal(panel.changed) as received:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert received.args == [SearchSettings()]
    assert panel.inputs["c_puct"].text() == "1.5"
    assert panel.inputs["prove"].isChecked()


def test_every_preset_has_a_button_that_takes_it(qtbot: QtBot, panel: SettingsPanel) -> None:
    assert set(PRESET_TITLES) == set(PRESETS)
    own = SearchSettings(memory_mb=64, selection="ucb1", temperature=0.5)
    panel.show_settings(own, 500)
    for name, title in PRESET_TITLES.items():
        button = next(b for b in panel.findChildren(QPushButton) if b.text() == title)
        with qtbot.waitSignal(panel.changed) as received:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert received.args == [with_preset(own, name)]
        assert panel.shown == (with_preset(own, name), 500)
        with qtbot.assertNotEmitted(panel.changed):
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.slow
def test_settings_restart_the_search(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.context.actions["settings"].trigger()
    panel: Any = window.docks["settings"].widget_made
    assert panel.isVisible()
    panel.inputs["c_ucb"].setText("0.5")
    panel.take()
    assert analysis.started[-1].settings == SearchSettings(selection="ucb1", c_ucb=0.5)
    panel.inputs["limit"].setText("2 500")
    panel.take()
    assert analysis.started[-1].limit.simulations == 2500
    assert window.views.toolbar.limit.text() == "to 2\u202f500"


def test_a_change_of_a_setting_is_said_and_undone_with_its_tree(
    qtbot: QtBot, real_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_aside, "LEAST_NODES", 50)
    window, state, session = real_window, real_window.state, real_window.session
    before = state.settings
    state.set_limit(3000)
    window.context.actions["settings"].trigger()
    panel: Any = window.docks["settings"].widget_made

    def searched(simulations: int) -> bool:
        return not session.searching and session.newest is not None and session.newest.simulations == simulations

    qtbot.waitUntil(lambda: searched(3000))
    state.set_limit(400)
    qtbot.waitUntil(lambda: searched(3000))
    panel.inputs["c_ucb"].setText("2")
    panel.take()
    assert window.banner.text.startswith("The search begins again with c_ucb = 2; it had 3")
    qtbot.waitUntil(lambda: searched(400))
    window.context.actions["undo"].trigger()
    assert state.settings == before
    assert number_of(panel.inputs["c_ucb"].text()) == before.c_ucb
    qtbot.waitUntil(lambda: searched(3000))
    window.context.actions["redo"].trigger()
    assert state.settings.c_ucb == 2
    window.context.actions["undo"].trigger()
    qtbot.waitUntil(lambda: searched(3000))


def test_the_last_act_is_undone_first_whether_a_move_or_a_setting(window: MainWindow) -> None:
    state, undo, redo = window.state, *(window.context.actions[name] for name in ("undo", "redo"))
    assert not undo.isEnabled()
    seen = []
    state.play(3)
    seen.append((state.moves, state.settings))
    state.change_settings(SearchSettings(c_puct=2.0))
    seen.append((state.moves, state.settings))
    state.play(2)
    seen.append((state.moves, state.settings))
    state.change_settings(SearchSettings(c_puct=3.0))
    for step in reversed(seen):
        undo.trigger()
        assert (state.line, state.settings) == step
    undo.trigger()
    assert not undo.isEnabled()
    for step in seen:
        redo.trigger()
        assert (state.line, state.settings) == step
    undo.trigger()
    undo.trigger()
    state.play(4)
    assert not redo.isEnabled()
    state.open_position(load_game("tictactoe").initial())
    assert not undo.isEnabled()


def test_flat_monte_carlo_replaces_the_net_by_random_games(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    net = UniformSource()
    window.state.set_source(net)
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.session.newest is not None and window.session.newest.simulations == 1000)
    before = window.state.settings
    window.context.actions["settings"].trigger()
    panel: Any = window.docks["settings"].widget_made
    panel.inputs["selection"].setCurrentIndex(panel.inputs["selection"].findData("flat"))
    panel.take()
    assert window.state.source is None
    assert analysis.started[-1].source is None
    assert window.views.toolbar.net.text() == source_title(None)
    assert window.banner.text.startswith("Flat Monte Carlo plays random games and asks no net")
    qtbot.mouseClick(window.banner.offer_button, Qt.MouseButton.LeftButton)
    assert (window.state.source, window.state.settings) == (net, before)
    assert analysis.started[-1].source == net


@pytest.mark.slow
def test_return_in_a_field_plays_no_move(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    window.context.actions["settings"].trigger()
    panel: Any = window.docks["settings"].widget_made
    line = panel.inputs["c_ucb"]
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert window.state.moves == ()


def test_the_game_dialog_builds_the_text_and_shows_errors(qtbot: QtBot) -> None:
    dialog = GameDialog(load_game("connect4"))
    qtbot.addWidget(dialog)
    assert load_game(dialog.text()).text == "connect4"
    dialog._inputs[dialog.list.currentRow()]["cols"].setValue(8)
    assert dialog.game.text == load_game("connect4(cols=8)").text
    dialog._inputs[dialog.list.currentRow()]["k"].setValue(12)
    ok = dialog.main
    assert dialog.game is None
    assert not ok.isEnabled()
    assert "k" in dialog.error.text()


@pytest.mark.parametrize("text", ["tictactoe", "gomoku(size=9)", "connectn(rows=3, cols=5, k=3)"])
def test_the_game_dialog_begins_with_the_game_that_is_open(qtbot: QtBot, text: str) -> None:
    game = load_game(text)
    dialog = GameDialog(game)
    qtbot.addWidget(dialog)
    assert dialog.game == game


@pytest.mark.slow
def test_a_chosen_game_opens(qtbot: QtBot, window: MainWindow) -> None:
    window.context.opener.choose_game()
    dialog = window.context.opener.dialog
    assert isinstance(dialog, GameDialog)
    dialog.list.setCurrentRow([f.name for f in dialog._families].index("tictactoe"))
    with qtbot.waitSignal(window.state.game_changed):
        dialog.accept()
    assert window.views.toolbar.game.text() == "Tic-tac-toe"
    assert window.room.player.title == "X to move"


def test_an_invalid_dropped_net_is_reported(qtbot: QtBot, window: MainWindow, tmp_path) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(b"not a net")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(10, 10),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: "broken.onnx" in window.banner.text)


def test_the_keys_are_listed(qtbot: QtBot, window: MainWindow) -> None:
    dialog = KeysDialog(list(window.context.actions.values()))
    qtbot.addWidget(dialog)
    from PySide6.QtWidgets import QLabel

    texts = {label.text() for label in dialog.findChildren(QLabel)}
    assert {"Space", "Ctrl+Z, Undo"} & texts
    assert "Search or stop" in texts
