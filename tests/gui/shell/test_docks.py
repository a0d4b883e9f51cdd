"""Tests of the docks: shown, hidden, moved, saved, reset; a row's widget is created when first shown."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import SearchSettings
from gui.shell.dock import BOTTOM, RIGHT, Row
from gui.shell.dock_area import GAP, NARROW_BOARD, DockArea
from gui.shell.docks import ROWS
from gui.widgets.parts import Made
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis, attach

FIRST = tuple(row.name for row in ROWS if row.shown)


def sizes(area: DockArea) -> dict[str, tuple[int, int]]:
    return {name: (area[name].width(), area[name].height()) for name in area.shown}


def test_the_first_layout_has_board_moves_and_icicle(window: MainWindow) -> None:
    assert window.docks.shown == FIRST == ("moves", "icicle")
    moves, icicle = window.docks["moves"], window.docks["icicle"]
    assert moves.widget_made is window.views.moves
    assert moves.isVisible()
    assert icicle.isVisible()
    assert moves.x() == icicle.x() > window.room.board.width()
    assert icicle.y() == moves.y() + moves.height() + GAP
    assert window.docks.save().isEmpty()


@pytest.mark.slow
def test_a_dock_that_is_not_in_the_layout_keeps_its_size_without_a_warning(window: MainWindow, qtlog: object) -> None:
    docks = window.docks
    docks.removeDockWidget(docks["moves"])
    docks.set_height("moves", 200)
    docks.resizeDocks([docks["moves"], docks["icicle"]], [100, 400], Qt.Orientation.Vertical)
    assert not [one for one in qtlog.records if "resizeDocks" in one.message]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_dock_without_any_room_gets_its_least_height_without_a_warning(window: MainWindow, qtlog: object) -> None:
    window.docks.set_height("moves", -5)
    assert window.docks["moves"].height() > 0
    assert not [one for one in qtlog.records if "resizeDocks" in one.message]  # type: ignore[attr-defined]


def test_the_icicle_waits_for_the_engine_and_keeps_its_place(qtbot: QtBot, analysis: FakeAnalysis) -> None:
    window = MainWindow(theme="dark")
    qtbot.addWidget(window)
    window.resize(1400, 840)
    window.show()
    dock = window.docks["icicle"]
    qtbot.waitUntil(lambda: dock.isVisible() and dock.height() > window.docks["moves"].height() > 200)
    assert not dock.widget_made
    before = sizes(window.docks)
    window.state.document.settings = SearchSettings()
    attach(window.session, analysis)
    window.state.open_position(load_game("connect4").initial(), None)
    qtbot.waitUntil(lambda: dock.widget_made is not None)
    assert sizes(window.docks) == before
    assert dock.widget_made.isVisible()
    window.close()


def test_a_layout_of_the_user_stays(window: MainWindow) -> None:
    area = window.docks
    area["icicle"].hide()
    area.show_dock("tree")
    kept = area.save()
    window.context.actions["reset_layout"].trigger()
    assert area.shown == FIRST
    assert area.restore(kept)
    assert area.shown == ("moves", "tree")


@pytest.mark.slow
def test_the_first_layout_scales_with_the_window(qtbot: QtBot, window: MainWindow) -> None:
    before = window.docks["moves"].width()
    window.resize(1880, 1000)
    qtbot.waitUntil(lambda: window.docks["moves"].width() > before + 200)


@pytest.mark.slow
def test_docks_are_as_wide_as_before_when_a_small_window_grows_again(qtbot: QtBot, window: MainWindow) -> None:
    area = window.docks
    window.resize(1880, 900)
    qtbot.waitUntil(lambda: area.width() > 1800)
    area.show_dock("inspector")
    before = sizes(area)["moves"][0]
    window.resize(900, 600)
    qtbot.waitUntil(lambda: area.width() < 920)
    qtbot.waitUntil(lambda: area["moves"].width() < before)
    window.resize(1880, 900)
    qtbot.waitUntil(lambda: area.width() > 1800)
    qtbot.waitUntil(lambda: area["moves"].width() == before)


def test_every_dock_has_a_ticked_action_in_the_view_menu(qtbot: QtBot, window: MainWindow) -> None:
    view: Any = next(action.menu() for action in window.menuBar().actions() if action.text() == "&View")
    for name in (row.name for row in ROWS):
        action, dock = window.context.actions[name], window.docks[name]
        assert action in view.actions(), name
        was = action.isChecked()
        assert was == (name in FIRST), name
        for shown in (not was, was):
            action.trigger()
            assert dock.isHidden() != shown, name
            assert action.isChecked() == shown, name
        if not was:
            action.trigger()
        dock._close.click()
        assert not action.isChecked(), name
        assert name not in window.docks.shown


def test_the_settings_dock_takes_space_from_the_board_and_returns_it(qtbot: QtBot, window: MainWindow) -> None:
    board, moves = window.docks.centralWidget(), window.docks["moves"]
    before = board.width(), moves.width()
    window.context.actions["settings"].trigger()
    assert window.views.toolbar.settings.isChecked()
    qtbot.waitUntil(lambda: board.width() == NARROW_BOARD)
    window.context.actions["settings"].trigger()
    assert not window.views.toolbar.settings.isChecked()
    qtbot.waitUntil(lambda: (board.width(), moves.width()) == before)


@pytest.mark.slow
def test_in_a_narrow_window_the_settings_dock_opens_in_front_of_the_moves(qtbot: QtBot, window: MainWindow) -> None:
    area = window.docks
    window.resize(960, 620)
    qtbot.waitUntil(lambda: area.width() < 970 and area["moves"].width() < 600)
    before = sizes(area)
    window.context.actions["settings"].trigger()
    assert area["settings"] in area.tabifiedDockWidgets(area["moves"])
    qtbot.waitUntil(lambda: area["settings"].height() > area["icicle"].height())
    window.context.actions["settings"].trigger()
    assert sizes(area)["moves"][0] == before["moves"][0]
    window.resize(1400, 840)
    qtbot.waitUntil(lambda: area.width() > 1300)
    window.context.actions["settings"].trigger()
    assert area["settings"] not in area.tabifiedDockWidgets(area["moves"])


def test_a_layout_is_remembered_and_reset(qtbot: QtBot, window: MainWindow) -> None:
    area = window.docks
    first = sizes(area)
    area.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, area["icicle"])
    area["moves"].hide()
    kept = area.save()
    assert not kept.isEmpty()
    window.context.actions["reset_layout"].trigger()
    qtbot.waitUntil(lambda: sizes(area) == first)
    assert area.save().isEmpty()
    assert area.restore(kept)
    assert area.shown == ("icicle",)
    qtbot.waitUntil(lambda: area["icicle"].x() < area.centralWidget().x())
    assert not window.context.actions["moves"].isChecked()


@pytest.mark.slow
def test_a_layout_of_an_older_version_is_restored(qtbot: QtBot, window: MainWindow) -> None:
    area, new = window.docks, window.docks["opponents"]
    area.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, area["icicle"])
    area["moves"].hide()
    name = new.objectName()
    new.setObjectName("a dock that there is no more")
    kept = area.saveState(1234567)  # which did not know the new one
    new.setObjectName(name)
    window.context.actions["reset_layout"].trigger()
    assert area.shown != ("icicle",)
    assert area.restore(kept)
    assert area.shown == ("icicle",)
    assert area.dockWidgetArea(area["icicle"]) == Qt.DockWidgetArea.LeftDockWidgetArea
    area.show_dock("opponents")
    qtbot.waitUntil(new.isVisible)
    assert set(area.shown) == {"icicle", "opponents"}


@pytest.mark.slow
def test_a_dragged_gap_is_kept_when_the_window_grows(qtbot: QtBot, window: MainWindow) -> None:
    area, moves = window.docks, window.docks["moves"]
    gap = moves.geometry().topLeft()
    gap.setX(gap.x() - GAP // 2)
    gap.setY(gap.y() + 60)
    before = moves.width()
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=gap)
    target = type(gap)(gap.x() + 60, gap.y())
    qtbot.mouseMove(area, target)
    qtbot.waitUntil(lambda: moves.width() != before)
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=target)
    dragged = moves.width()
    window.resize(window.width() + 200, window.height())
    qtbot.waitUntil(lambda: area.width() > 1500)
    assert moves.width() == dragged


def test_a_damaged_layout_changes_nothing(window: MainWindow) -> None:
    before = sizes(window.docks)
    for kept in (b"", b"no layout at all", bytes(range(256))):
        assert not window.docks.restore(QByteArray(kept))
        assert sizes(window.docks) == before, kept


@pytest.fixture
def rooms(qtbot: QtBot) -> tuple[DockArea, list[str]]:
    """An area with its own rows, and the list of what was made and connected."""
    done: list[str] = []

    def make(name: str) -> Made:
        done.append(f"made {name}")
        return QLabel(name), lambda _: done.append(f"connected {name}")

    holder = QMainWindow()
    qtbot.addWidget(holder)
    area = DockArea(QLabel("board"), holder)
    holder.setCentralWidget(area)
    area.place(
        (
            Row("a", "A", RIGHT, True),
            Row("b", "B", RIGHT, True, place=("behind", "a")),
            Row("c", "C", BOTTOM, False),
        ),
        make,
    )
    holder.resize(900, 600)
    holder.show()
    qtbot.waitExposed(holder)
    kept: Any = area
    kept.holder = holder  # keeps it alive
    return area, done


def test_a_room_is_created_once_when_first_shown(rooms: tuple[DockArea, list[str]]) -> None:
    area, done = rooms
    assert "made c" not in done
    for _ in range(3):
        area.toggle("c")
    assert done.count("made c") == done.count("connected c") == 1


def test_a_tabbed_dock_is_raised_before_it_is_hidden(qtbot: QtBot, rooms: tuple[DockArea, list[str]]) -> None:
    area, _ = rooms
    assert not area["a"].visibleRegion().isEmpty()
    assert area["b"].visibleRegion().isEmpty()
    area.toggle("b")
    qtbot.waitUntil(lambda: not area["b"].visibleRegion().isEmpty())
    assert not area["b"].isHidden()
    area.toggle("b")
    assert area["b"].isHidden()


@pytest.mark.slow
def test_a_dock_knows_at_once_how_wide_its_room_must_be(window: MainWindow) -> None:
    window.docks.show_dock("settings")
    dock = window.docks["settings"]
    assert dock.sizeHint().width() >= dock.fill().minimumWidth()


@pytest.mark.slow
def test_a_dock_below_the_board_opens_beside_it_in_a_low_window(qtbot: QtBot, window: MainWindow) -> None:
    docks = window.docks
    for name, low in product(("timeline", "log", "report"), (True, False)):
        dock = docks[name]
        window.resize(960, 508) if low else window.resize(1400, 900)
        qtbot.waitUntil(lambda: window.room.board.height() >= 230)
        docks.show_dock(name)
        qtbot.waitUntil(lambda dock=dock: not dock.visibleRegion().isEmpty())
        assert docks.dockWidgetArea(dock) == (RIGHT if low else BOTTOM), name
        assert (docks["moves"] in docks.tabifiedDockWidgets(dock)) == low, name
        assert window.room.board.height() >= 230, name
        docks.toggle(name)


@pytest.mark.slow
def test_a_dock_in_front_of_another_needs_no_more_room(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1400, 860)
    docks = window.docks
    for name in ("report", "blind_spots"):
        docks.show_dock(name)
        qtbot.waitUntil(lambda name=name: not docks[name].visibleRegion().isEmpty())
    assert docks.dockWidgetArea(docks["blind_spots"]) == BOTTOM
    assert docks["report"] in docks.tabifiedDockWidgets(docks["blind_spots"])
    assert window.room.board.height() >= 230
