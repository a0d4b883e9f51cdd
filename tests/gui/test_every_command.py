"""Tests that every command runs during a real search without harm; what each does is tested with its room."""

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import Limit
from gui.window import MainWindow

ENDS = {"quit"}  # closes the window itself


@pytest.fixture
def no_file_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for ask in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, ask, staticmethod(lambda *_, **__: ("", "")))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(lambda *_, **__: ""))


def shown_dialogs() -> list[QDialog]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog) and widget.isVisible()]


@pytest.mark.slow
@pytest.mark.usefixtures("no_file_is_chosen")
def test_every_command_leaves_a_window_that_works(qtbot: QtBot, real_window: MainWindow) -> None:
    window, state, session = real_window, real_window.state, real_window.session
    position = load_game("tictactoe").position("b2 a1")
    run = []

    def searched() -> bool:
        return session.present is not None and bool(session.present.reason)

    commands = [one for one in window.context.actions.items() if one[0] not in ENDS]
    for name, action in commands:
        window.context.actions["workspace_search"].trigger()
        if session.concealed:  # by a game against the engine
            window.context.actions["start_play"].trigger()
        if state.position != position or state.selected or not searched():  # else the last command left all as it was
            state.open_position(position, None)
            session.search_to(Limit(simulations=50))
            qtbot.waitUntil(searched)
        if not action.isEnabled():
            continue
        action.trigger()
        QApplication.processEvents()
        for dialog in shown_dialogs():
            dialog.reject()
        QApplication.processEvents()
        assert window.isVisible(), name
        assert shown_dialogs() == [], name
        run.append(name)
    assert len(run) > 80
