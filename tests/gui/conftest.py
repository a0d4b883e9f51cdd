"""Windows for the tests: one with a scripted analysis, one with the real one; none may leave anything at work."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import getAllValidWrappers

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from gui.guard import guard_overrides
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis

guard_overrides()  # of views that a test makes without a window, too


@pytest.fixture(autouse=True)
def nothing_left(qtbot: QtBot) -> Iterator[None]:
    """Every thread that a test started ends (one that is compiling can be told only when it is done), its windows are
    closed and its timers still."""
    before = set(threading.enumerate())
    ticking = active_timers()
    yield
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before, timeout=120000)

    def still() -> None:
        # Closed windows are deleted when a loop ends: without one they would stay and be dressed with every new one.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()] == []
        assert active_timers() - ticking == set()

    qtbot.waitUntil(still, timeout=10000)  # a timer that fires once may be about to


def active_timers() -> set[QTimer]:
    return {one for one in getAllValidWrappers() if isinstance(one, QTimer) and one.isActive()}


@pytest.fixture
def analysis() -> FakeAnalysis:
    return FakeAnalysis()


def open_window(qtbot: QtBot, analysis: object, game: str) -> MainWindow:
    """A shown window of that size, at the first position of a game, with no net."""
    window = MainWindow(theme="dark")
    qtbot.addWidget(window)
    window.resize(1400, 840)
    window.show()
    window.state.settings = SearchSettings()
    window.session.attach(analysis)
    window.state.open_position(load_game(game).initial(), None)
    return window


@pytest.fixture
def window(qtbot: QtBot, analysis: FakeAnalysis) -> Iterator[MainWindow]:
    """Connect Four with the scripted analysis."""
    window = open_window(qtbot, analysis, "connect4")
    yield window
    window.close()


@pytest.fixture
def real_window(qtbot: QtBot) -> Iterator[MainWindow]:
    """Tic-tac-toe with the real analysis and random rollouts."""
    window = open_window(qtbot, Analysis(), "tictactoe")
    yield window
    window.close()
