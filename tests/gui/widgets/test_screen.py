"""A window is brought into its screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from gui.widgets import screen
from gui.window import MainWindow


def test_a_window_larger_than_its_screen_is_fitted_into_it(qtbot: QtBot) -> None:
    window = MainWindow(theme="dark")
    qtbot.addWidget(window)
    room = window.screen().availableGeometry()
    window.resize(room.width() + 400, room.height() + 300)
    window.move(QPoint(room.right() - 100, room.bottom() - 100))
    screen.fit_screen(window)
    assert room.contains(window.frameGeometry())
    window.close()
