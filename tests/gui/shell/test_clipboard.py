"""What is copied and pasted: games as SGF, moves, boards, and readings that the person chooses."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.files.sgf import read_sgf
from core.games import load_game
from gui.window import MainWindow


def paste(window: MainWindow, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    window.context.opener.paste_moves()


def names(window: MainWindow) -> str:
    return " ".join(window.state.game.action_name(action) for action in window.state.moves)


def test_the_game_is_copied_with_its_variations_and_pasted_again(qtbot: QtBot, window: MainWindow) -> None:
    state = window.state
    state.open_position(load_game("connect4").position("d d c"))
    state.go(1)
    state.play(6)
    record = window.state.record
    QGuiApplication.clipboard().clear()
    window.context.actions["copy"].trigger()
    qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().text()))
    (copied,) = read_sgf(QGuiApplication.clipboard().text()).records
    assert copied == record
    window.context.opener.new_game()
    with qtbot.waitSignal(window.state.position_changed):
        window.context.opener.paste_moves()
    assert window.state.record == record
    window.context.actions["copy_moves"].trigger()
    assert QGuiApplication.clipboard().text() == names(window)


def test_a_game_without_sgf_is_copied_as_moves(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("nim").position("3 2"))
    window.context.actions["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "3 2"


def test_another_reading_is_offered(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("gomoku").initial(), None)
    paste(window, "h8 j9")
    assert names(window) == "h8 j9"
    assert window.banner.text.startswith("The columns were read with the letter i")
    assert window.banner.offer_button.text() == "Read without I"
    window.banner.offer_button.click()
    assert names(window) == "h8 i9"
    assert window.banner.other_button.isHidden()


def test_a_complaint_ends_with_the_next_paste(qtbot: QtBot, window: MainWindow) -> None:
    paste(window, "hello world")
    assert "unknown move 'h'" in window.banner.text
    QGuiApplication.clipboard().setText("d d c")
    window.context.actions["paste"].trigger()
    assert names(window) == "d d c"
    assert window.banner.text == ""


def test_points_are_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("gomoku").position("h8"), None)
    paste(window, "(10,10) (11,12)")
    assert names(window) == "h8"
    assert (window.banner.offer_button.text(), window.banner.other_button.text()) == ("Count from 0", "Count from 1")
    window.banner.other_button.click()
    assert names(window) == "j6 k4"


def test_a_reading_that_the_text_decides_is_told(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("gomoku").initial(), None)
    paste(window, "h8 p9")
    assert names(window) == "h8 o9"
    assert window.banner.text.startswith("The columns were read without the letter i")
    assert window.banner.offer_button.isHidden()
