"""Tests of the tour: five cards at the real widgets, mouse and keys, shown once, following the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from pytestqt.qtbot import QtBot

from gui.shell.tour import CARDS, Tour, welcome
from gui.widgets.preferences import Preferences
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis


@pytest.fixture
def tour(qtbot: QtBot, window: MainWindow) -> Tour:
    window.context.actions["tour"].trigger()
    found = window.findChild(Tour)
    assert isinstance(found, Tour)
    return found


def inside(tour: Tour) -> bool:
    return tour.rect().contains(tour.card.geometry())


def test_the_tour_shows_the_workspaces_and_the_playout(qtbot: QtBot, window: MainWindow, tour: Tour) -> None:
    window.docks.hide_dock("tree")
    tour.turn_to(0)
    wanted = [
        ("search", window.docks["tree"]),
        ("search", window.room.navigation["play_on_board"]),
        ("play", window.docks["opponents"]),
        ("compare", window.docks["what_if"]),
        ("nets", window.docks["training"]),
    ]
    titles = []
    for step, (workspace, widget) in enumerate(wanted):
        assert (window.workspaces.shown.name, tour.target) == (workspace, widget)
        assert widget.isVisible()
        qtbot.waitUntil(
            lambda w=widget: tour.hole.contains(QRect(tour.mapFromGlobal(w.mapToGlobal(QPoint())), w.size()))
        )
        assert inside(tour)
        assert tour.count.text() == f"{step + 1} of 5"
        titles.append(tour.title.text())
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    assert len(set(titles)) == 5
    assert tour.isHidden()
    assert window.workspaces.shown.name == "search"
    assert "tree" not in window.docks.shown  # all is as before


def test_arrow_keys_step_the_tour_only(qtbot: QtBot, window: MainWindow, tour: Tour) -> None:
    window.state.play_line((3, 3))
    cursor = window.state.cursor
    qtbot.waitUntil(tour.next.hasFocus)
    qtbot.keyClick(tour.next, Qt.Key.Key_Right)
    assert tour.step == 1
    qtbot.keyClick(tour.next, Qt.Key.Key_Return)
    assert tour.step == 2
    qtbot.keyClick(tour.next, Qt.Key.Key_Left)
    assert tour.step == 1
    qtbot.keyClick(tour.next, Qt.Key.Key_Tab)
    assert tour.skip.hasFocus()
    qtbot.keyClick(tour.skip, Qt.Key.Key_Backtab)
    assert tour.next.hasFocus()
    qtbot.keyClick(tour.next, Qt.Key.Key_Space)
    assert tour.step == 2
    qtbot.keyClick(tour.back, Qt.Key.Key_PageUp)
    qtbot.keyClick(tour.next, Qt.Key.Key_Escape)
    assert tour.isHidden()
    assert window.state.cursor == cursor
    assert window.session.searching


def test_skip_and_back(qtbot: QtBot, window: MainWindow, tour: Tour) -> None:
    assert not tour.back.isEnabled()
    tour.turn_to(3)
    assert window.workspaces.shown.name == "compare"
    qtbot.mouseClick(tour.back, Qt.MouseButton.LeftButton)
    assert (tour.step, window.workspaces.shown.name) == (2, "play")
    tour.turn_to(len(CARDS) - 1)
    assert tour.next.text() == "Done"
    qtbot.mouseClick(tour.skip, Qt.MouseButton.LeftButton)
    assert tour.isHidden()
    window.context.actions["tour"].trigger()
    assert any(not t.isHidden() and t.step == 0 for t in window.findChildren(Tour))


def test_the_tour_follows_the_window(qtbot: QtBot, window: MainWindow, tour: Tour) -> None:
    window.commands.open_dock("icicle")
    tour.turn_to(1)
    for width, height in ((1100, 700), (1600, 950)):
        window.resize(width, height)
        qtbot.waitUntil(lambda: tour.size() == window.views.size())
        corner = tour.mapFromGlobal(tour.target.mapToGlobal(QPoint(0, 0)))
        qtbot.waitUntil(lambda c=corner: tour.hole.topLeft() == c - QPoint(3, 3))
        assert inside(tour)
        assert not tour.card.geometry().intersects(tour.hole)
    window.commands.appearance.set_text_size(150)
    tour.turn_to(2)
    assert inside(tour)
    tour.end()
    window.commands.appearance.set_text_size(100)


def test_the_tour_starts_automatically_once(qtbot: QtBot, tmp_path: Path) -> None:
    def kept() -> Preferences:
        return Preferences(QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat))

    for first in (True, False):
        window = open_window(qtbot, FakeAnalysis(), "tictactoe", kept())
        welcome(window.commands)
        assert (window.findChild(Tour) is not None) == first
        window.close()
    assert kept().tour_seen
