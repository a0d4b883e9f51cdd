"""A Training tab over a folder of the test's own, in a window with the scripted analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import SearchSettings
from gui.rooms.training.launcher import Launcher
from gui.rooms.training.tab import TrainingTab
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis
from tests.gui.rooms.training.runs import write_run

ShowRun = Callable[..., Path]


def delete_now(widget: QWidget) -> None:
    """Delete a widget at once: one left to the event loop would be restyled with every later window."""
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the folder of the runs."""
    return tmp_path / "runs"


@pytest.fixture
def launcher() -> Launcher:
    return Launcher()


@pytest.fixture
def training_window(qtbot: QtBot, home: Path, launcher: Launcher) -> Iterator[MainWindow]:
    """Open tic-tac-toe on the analysis board; the Training tab is not made yet."""
    window = MainWindow(theme="dark", training=lambda state: TrainingTab(state, home, launcher))
    window.resize(1480, 860)
    window.show()
    window.state.document.settings = SearchSettings()
    window.session.attach(FakeAnalysis())
    window.state.open_position(load_game("tictactoe").position("a1 b2"), None)
    yield window
    window.close()
    delete_now(window)


@pytest.fixture
def tab(training_window: MainWindow) -> TrainingTab:
    """Show the tab; write runs into ``home`` before requesting it, or call ``tick``."""
    training_window.workspaces.turn_to("nets")
    assert training_window.commands.training is not None
    return training_window.commands.training


@pytest.fixture
def show_run(tab: TrainingTab, home: Path) -> ShowRun:
    """A function that writes the run "a", as ``write_run`` does, chooses it, turns to a page and returns its folder."""

    def show(page: str = "", iterations: int = 1, kept: int = 0, **changes: Any) -> Path:
        folder = write_run(home / "a", iterations=iterations, kept=kept, **changes)
        tab._list_runs()
        tab.choose(folder)
        if page:
            tab.view.show_page(page)
        return folder

    return show
