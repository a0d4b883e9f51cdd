"""Tests that an unsaved game replaced by another one is not lost."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.shell.document_files import Bundle
from gui.window import MainWindow


def test_the_previous_game_is_restored_with_its_undo_history(qtbot: QtBot, window: MainWindow) -> None:
    state = window.state
    assert not window.context.actions["game_before"].isEnabled()
    state.play_line((3, 3))
    state.set_comment("a plan")
    state.go(1)
    state.play(5)
    record = state.record
    window.context.actions["new_game"].trigger()
    assert state.moves == ()
    qtbot.waitUntil(lambda: window.banner.text == "Connect Four, 3 moves: that game is kept.")
    window.banner.offer_button.click()
    assert (state.record, state.line) == (record, (3, 5))
    assert state.record is record
    state.undo()
    assert state.moves == (3, 3)
    assert window.banner.text == ""
    assert not window.context.actions["game_before"].isEnabled()


def test_going_back_restores_every_game_with_its_source(qtbot: QtBot, window: MainWindow) -> None:
    state, back = window.state, window.context.actions["game_before"]
    for text in ("connect4", "tictactoe", "connect4(rows=4, cols=5, k=3)"):
        state.open_position(load_game(text).initial(), None)
        state.play(1)
    met = []
    for _ in range(3):
        back.trigger()
        met.append(state.game.text)
        assert state.moves == (1,)
    assert met == ["tictactoe", "connect4", "connect4(rows=4, cols=5, k=3)"]


def test_an_unchanged_game_is_not_offered(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("connect4").position("d d c"))
    window.context.opener.new_game()
    assert not window.context.actions["game_before"].isEnabled()


def test_a_pasted_game_counts_as_unsaved(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setText("d d c")
    window.context.opener.paste_moves()
    window.context.opener.new_game()
    assert window.context.actions["game_before"].isEnabled()


def test_an_error_stays_readable(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play(3)
    window.context.opener.new_game()
    window.banner.show_error("The net cannot be read.")
    window.state.play(3)
    window.context.opener.new_game()
    received = []
    QTimer.singleShot(0, window, lambda: received.append(window.banner.text))  # after the offer, which is not delayed
    qtbot.waitUntil(lambda: bool(received))
    assert window.banner.text == "The net cannot be read."


def test_the_message_counts_the_other_trees(window: MainWindow) -> None:
    window.state.play_line((3, 3))
    words = [Bundle((window.state.document,) * count).words for count in (1, 2, 3)]
    assert words == [
        "Connect Four, 2 moves: that game is kept.",
        "Connect Four, 2 moves, and the game of another tree: they are kept.",
        "Connect Four, 2 moves, and the games of 2 more trees: they are kept.",
    ]
