"""A window that searches tic-tac-toe with the shipped net, and the room Inside in it."""

from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from gui.model.sources import default_source
from gui.window import MainWindow
from tests.gui.conftest import open_window

GAME = load_game("tictactoe")


@pytest.fixture
def moves() -> str:
    """Those that lead to the position shown at first; a module may have others."""
    return ""


@pytest.fixture
def window(qtbot: QtBot, moves: str) -> MainWindow:
    """The window, with eight simulations a position."""
    window = open_window(qtbot, Analysis(), "tictactoe")
    window.state.open_position(GAME.position(moves))
    window.state.set_limit(8)
    window.state.set_settings(SearchSettings(max_batch=1, memory_mb=32))
    window.state.set_source(default_source(GAME))
    return window


@pytest.fixture
def open_part(qtbot: QtBot, window: MainWindow) -> Callable[[str], Any]:
    """A function that opens a part of the room by its name, and returns it once it has answered."""

    def opened(name: str) -> Any:
        window.docks.show_dock("inside")
        room: Any = window.docks["inside"].widget_made
        part = room.show_part(name)
        qtbot.waitUntil(lambda: part.answered[0] == window.state.position, timeout=60_000)
        return part

    return opened
