"""Fixtures: windows with a scripted or the real analysis; no test may leave a thread, timer or window behind."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import getAllValidWrappers

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from gui.guard import guard_overrides
from gui.language.language import ENGLISH, chosen, set_language
from gui.model import garbage
from gui.widgets.texts import switch_language
from gui.widgets.theme import DARK, set_current_theme
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis

guard_overrides()  # also for views that a test creates without a window
garbage.MANY = sys.maxsize  # each window would look through all that pytest holds
for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed):
    _wait.__kwdefaults__["timeout"] = 180_000  # ms; a loaded machine takes more than 5 000, and no test sets its own


@pytest.fixture(autouse=True, scope="session")
def english(qapp: QApplication) -> None:
    """English plurals have a catalogue, as a program's start installs it."""
    set_language(ENGLISH)


@pytest.fixture(autouse=True)
def nothing_left(qtbot: QtBot) -> Iterator[None]:
    """After each test: its threads have ended, its windows are closed, its timers stopped; the language is as it was.

    A window that several tests share was there before.  A thread that is compiling can end only when it is done.
    """
    before = set(threading.enumerate())
    set_current_theme(DARK)
    ticking, shown, language = active_timers(), visible_windows(), chosen()
    yield
    if chosen() != language:
        switch_language(language)
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before)

    def still() -> None:
        # Closed windows are deleted when an event loop ends; without one they would be restyled with every new window.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert visible_windows() - shown == set()
        assert active_timers() - ticking == set()

    qtbot.waitUntil(still)  # a single-shot timer may be about to fire


def visible_windows() -> set[QWidget]:
    return {widget for widget in QApplication.topLevelWidgets() if widget.isVisible()}


def active_timers() -> set[QTimer]:
    return {one for one in getAllValidWrappers() if isinstance(one, QTimer) and one.isActive()}


@pytest.fixture
def analysis() -> FakeAnalysis:
    return FakeAnalysis()


def new_window(qtbot: QtBot, size: tuple[int, int] | None = None, **given: Any) -> MainWindow:
    """Return a shown window before a game is open; it is closed after the test."""
    window = MainWindow(**{"theme": "dark", **given})
    qtbot.addWidget(window, before_close_func=lambda _: window.update())  # holds the window until then
    if size is not None:
        window.resize(*size)
    window.show()
    return window


def open_window(
    qtbot: QtBot, analysis: Any, game: str, moves: str = "", size: tuple[int, int] = (1400, 840), **given: Any
) -> MainWindow:
    """Return a shown window at the first position of a game, or after ``moves``, without a net."""
    window = new_window(qtbot, size, **given)
    window.state.document.settings = SearchSettings()
    window.session.attach(analysis)
    window.state.open_position(load_game(game).position(moves), None)
    return window


def close_by_title_bar(window: MainWindow) -> None:
    """Send what the platform sends: unlike ``window.close()`` an event that the window may refuse."""
    QCoreApplication.sendEvent(window.windowHandle(), QCloseEvent())


def cancel_close(window: MainWindow) -> None:
    """Close a window as its title bar does; the person is asked what becomes of a run, and cancels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window.commands, "may_leave", lambda: False)
        close_by_title_bar(window)
    assert window.isVisible()


@pytest.fixture
def window(qtbot: QtBot, analysis: FakeAnalysis) -> MainWindow:
    """A window with Connect Four and the scripted analysis."""
    return open_window(qtbot, analysis, "connect4")


@pytest.fixture
def real_window(qtbot: QtBot) -> MainWindow:
    """A window with tic-tac-toe, the real analysis and random rollouts."""
    return open_window(qtbot, Analysis(), "tictactoe")
