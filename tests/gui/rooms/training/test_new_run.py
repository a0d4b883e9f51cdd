"""The page for a new run: every setting present, checked while typing, no entry lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.language.core_words import core_text
from gui.language.language import CHINESE, ENGLISH
from gui.rooms.training.new_run import NewRunPage
from gui.rooms.training.settings_form import RunForm
from gui.rooms.training.tab import TrainingTab
from gui.widgets.dialogs import GameDialog
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from models.netfiles.shipped import default_net
from models.runs.config import SETTINGS, TrainConfig
from models.runs.presets import preset_values
from tests.gui.rooms.training.conftest import delete_now


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> Iterator[NewRunPage]:
    page = NewRunPage(tmp_path)
    page.resize(1100, 700)
    page.show()
    yield page
    delete_now(page)


def enter(qtbot: QtBot, form: RunForm, name: str, text: str) -> None:
    field = form.inputs[name]
    assert isinstance(field, QLineEdit)
    field.clear()
    qtbot.keyClicks(field, text)


def test_every_setting_has_a_field_with_its_meaning(page: NewRunPage) -> None:
    for setting in SETTINGS:
        if setting.name == "game":
            continue
        kinds = {"bool": QCheckBox, "choice": QComboBox}
        assert isinstance(page.form.inputs[setting.name], kinds.get(setting.kind, QLineEdit))
        assert setting.meaning in page.form.meanings[setting.name].text()
        assert ("default" in page.form.meanings[setting.name].text()) == (setting.default != "")


def test_games_are_chosen_by_their_titles(page: NewRunPage, qtbot: QtBot) -> None:
    box = page.game
    assert box.findText("Gomoku 9×9") >= 0
    box.activated.emit(box.count() - 1)  # another one
    dialog = page.window().findChild(GameDialog)
    dialog.game = load_game("nim(heaps=2-5)")
    dialog.accept()
    assert (box.game, box.currentText()) == (dialog.game.text, core_text(dialog.game.title))
    assert page.form.game == dialog.game.text


def test_meanings_have_their_heights_after_a_switch_of_language_while_hidden(
    qtbot: QtBot, training_window: MainWindow, tab: TrainingTab
) -> None:
    """A hidden page is laid out when it is shown."""
    training_window.resize(956, 508)
    switch_language(CHINESE)
    tab.show_new()
    qtbot.waitUntil(lambda: heights(tab.form)[0] == heights(tab.form)[1])
    chinese = heights(tab.form)[1]
    training_window.workspaces.turn_to("search")
    QApplication.processEvents()
    switch_language(ENGLISH)
    QApplication.processEvents()
    training_window.workspaces.turn_to("nets")
    qtbot.waitUntil(lambda: heights(tab.form)[0] == heights(tab.form)[1] != chinese)


def heights(page: NewRunPage) -> tuple[list[int], list[int]]:
    """Of the meanings: the heights they have, and those they need."""
    labels = page.form.meanings.values()
    return [label.height() for label in labels], [label.heightForWidth(label.width()) for label in labels]


def test_the_preset_fills_the_form_and_starts(page: NewRunPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.game.set_game("connect4")
    assert {name: page.form.values()[name] for name in preset_values("small", "connect4")} == preset_values(
        "small", "connect4"
    )
    with qtbot.waitSignal(page.start_requested) as request:
        qtbot.mouseClick(page.start, Qt.MouseButton.LeftButton)
    folder, game, values = request.args
    assert folder == tmp_path / "connect4-1"
    assert game == "connect4"
    assert TrainConfig.from_dict(values) == TrainConfig.from_dict(preset_values("small", "connect4"))


def test_the_initial_net_is_checked_before_the_run_starts(
    page: NewRunPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.game.set_game("tictactoe")
    form = page.form

    def message() -> str:
        return form.problems.get("net.init", "")

    enter(qtbot, form, "net.init", str(tmp_path / "none, at all.onnx"))
    form.check()
    assert not page.start.isEnabled()
    qtbot.waitUntil(lambda: "does not exist" in message())
    assert "none, at all.onnx" in message()
    net = default_net(load_game("tictactoe"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(net), ""))
    enter(qtbot, form, "net.channels", "8")
    qtbot.mouseClick(form.browsers["net.init"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "a net of 2 blocks of 32 channels" in message())
    enter(qtbot, form, "net.channels", "32")
    enter(qtbot, form, "net.blocks", "2")
    qtbot.waitUntil(page.start.isEnabled)
    assert form.values()["net.init"] == str(net)


def test_errors_are_shown_beside_their_fields(page: NewRunPage, qtbot: QtBot) -> None:
    enter(qtbot, page.form, "self_play.games", "0")
    enter(qtbot, page.form, "learning.rate", "fast")
    enter(qtbot, page.form, "run.minutes", "0")
    qtbot.waitUntil(lambda: len(page.form.problems) == 3)
    assert page.form.meanings["self_play.games"].text().endswith("it must be a whole number from 1 to 65536")
    assert "'fast'" in page.form.meanings["learning.rate"].text()
    assert "minutes, iterations and evaluations are all 0" in page.form.meanings["run.minutes"].text()
    assert page.form.inputs["self_play.games"].property("bad")
    assert not page.start.isEnabled()
    for title in ("Games", "Learning rate", "Minutes"):
        assert title in page.error.text()
    page.form.show_setting("learning.rate")
    assert page.form.inputs["learning.rate"].hasFocus() or not page.isActiveWindow()
    enter(qtbot, page.form, "self_play.games", "64")
    enter(qtbot, page.form, "learning.rate", "0,001")
    enter(qtbot, page.form, "run.minutes", "10")
    qtbot.waitUntil(page.start.isEnabled)
    assert page.form.values()["learning.rate"] == 0.001


def test_entered_values_survive_another_preset(page: NewRunPage, qtbot: QtBot) -> None:
    enter(qtbot, page.form, "self_play.games", "77")
    qtbot.mouseClick(page.presets.buttons["large"], Qt.MouseButton.LeftButton)
    page.game.set_game("othello")
    assert page.form.values()["self_play.games"] == 77
    assert page.form.values()["net.blocks"] == preset_values("large", "othello")["net.blocks"]
    with qtbot.waitSignal(page.cancelled):
        qtbot.mouseClick(page.back, Qt.MouseButton.LeftButton)
    page.open_for("tictactoe")
    assert page.game.game == "othello"
    assert page.form.values()["self_play.games"] == 77
    qtbot.mouseClick(page.reset, Qt.MouseButton.LeftButton)
    assert page.form.values()["self_play.games"] == preset_values("large", "othello")["self_play.games"]


def test_an_unknown_game_is_reported(page: NewRunPage) -> None:
    page.game.set_game("chess")
    assert "'chess'" in page.error.text()
    assert not page.start.isEnabled()
    page.game.set_game("nim(heaps=3-4-5)")
    assert page.start.isEnabled()


@pytest.mark.parametrize(("name", "message"), [("a/b", "cannot be the name"), ("..", "cannot"), ("taken", "already")])
def test_an_invalid_name_is_reported(page: NewRunPage, tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "taken").mkdir()
    page.name.setText(name)
    page.name.textEdited.emit(name)
    assert message in page.error.text()
    assert not page.start.isEnabled()


def test_names_are_free_ones(page: NewRunPage, tmp_path: Path) -> None:
    page.game.set_game("gomoku(size=9)")
    assert page.folder() == tmp_path / "gomoku-size-9-1"
    page.folder().mkdir()
    page.open_for("")
    assert page.folder() == tmp_path / "gomoku-size-9-2"


def test_the_form_starts_with_settings_of_another_run(page: NewRunPage) -> None:
    config = TrainConfig.of(game="othello", minutes=33.0, search="gumbel", threat_proofs=False, carry_steps=False)
    page.open_with(config.to_dict())
    assert TrainConfig.from_dict(page.form.values()) == config
    assert page.form.titles["run.minutes"].objectName() == "changed"


def test_the_columns_of_all_groups_are_in_line(page: NewRunPage) -> None:
    meanings = {label.x() for label in page.form.meanings.values()}
    assert len(meanings) == 1


@pytest.mark.parametrize("width", [640, 1100])
def test_a_label_is_beside_its_field(page: NewRunPage, qtbot: QtBot, width: int) -> None:
    page.resize(width, 700)
    label = next(one for one in page.findChildren(QLabel) if one.text() == "Game to learn")
    qtbot.waitUntil(lambda: 0 < page.game.x() - label.geometry().right() < 20)
