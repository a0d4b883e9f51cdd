"""Tests of the desk: rooms shown, hidden, moved, in windows of their own; sizes; arrangements kept and given back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QCoreApplication, QPoint, QSettings, Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.app import keep_layout, restore
from gui.shell.actions import ENTRIES
from gui.shell.arrangement import Arrangement
from gui.shell.commanding import palette_commands
from gui.shell.desk import GAP, Desk
from gui.shell.dock import AREAS, BOTTOM, DRAWER, LEFT, MIDDLE, RIGHT, Row
from gui.widgets.parts import Made
from gui.window import MainWindow
from models.netfiles.shipped import default_net
from tests.gui.fakes import FakeAnalysis

ROWS = (
    Row("a", "A", RIGHT),
    Row("b", "B", RIGHT),
    Row("c", "C", BOTTOM),
    Row("d", "D", LEFT),
    Row("e", "E", DRAWER),
)
FIRST = Arrangement(rooms={RIGHT: ("a", "b")}, front={RIGHT: "a"}, shares={RIGHT: 0.5})


class Sheet(QWidget):
    """A room that needs this many pixels."""

    def __init__(self, name: str, width: int, height: int) -> None:
        super().__init__()
        self.setMinimumSize(width, height)
        self.name = QLabel(name, self)


class Shown:
    """A desk in a window of its own."""

    def __init__(self, qtbot: QtBot) -> None:
        self.done: list[str] = []
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.middle = Sheet("board", 200, 150)
        self.desk = Desk(self.middle, self.window)
        self.window.setCentralWidget(self.desk)
        self.desk.place(ROWS, self._make)
        self.desk.arrange(FIRST)
        self.window.resize(1000, 700)
        self.window.show()
        qtbot.waitExposed(self.window)

    def _make(self, name: str) -> Made:
        self.done.append(f"made {name}")
        size = {"b": (260, 200), "c": (240, 90)}.get(name, (220, 200))
        return Sheet(name, *size), lambda _: self.done.append(f"connected {name}")


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    one = Shown(qtbot)
    yield one
    one.desk.hide_windows()


def sizes(desk: Desk) -> dict[str, tuple[int, int]]:
    return {name: (area.width(), area.height()) for name, area in desk.areas.items() if area.isVisible()}


def drag(qtbot: QtBot, desk: Desk, name: str, to: QPoint) -> None:
    """Drag a room's tab to a point of the desk."""
    area = desk.area_of(desk[name])
    start = area.tabs.tabRect(area.docks.index(desk[name])).center()
    end = area.tabs.mapFromGlobal(desk.mapToGlobal(to))
    qtbot.mousePress(area.tabs, Qt.MouseButton.LeftButton, pos=start)
    for part in (0.3, 0.6, 1.0):
        qtbot.mouseMove(area.tabs, start + (end - start) * part)
    qtbot.mouseRelease(area.tabs, Qt.MouseButton.LeftButton, pos=end)


def test_a_room_is_made_once_when_it_is_first_in_front(shown: Shown) -> None:
    assert shown.done == ["made a", "connected a"]
    for _ in range(3):
        shown.desk.toggle("b")
    assert shown.done.count("made b") == shown.done.count("connected b") == 1
    assert "made c" not in shown.done


def test_a_room_behind_another_comes_forward_before_it_is_hidden(shown: Shown) -> None:
    desk, told = shown.desk, []
    desk.dock_toggled.connect(lambda name, is_open: told.append((name, is_open)))
    assert desk.shown == ("a", "b")
    desk.toggle("b")
    assert desk["b"].isVisible()
    assert not desk["a"].isVisible()
    assert told == []
    desk.toggle("b")
    assert desk.shown == ("a",)
    assert desk["a"].isVisible()
    desk.toggle("a")
    assert sizes(desk) == {}
    assert told == [("b", False), ("a", False)]


def test_the_button_of_an_area_without_a_room_does_nothing(qtbot: QtBot, shown: Shown) -> None:
    desk, button = shown.desk, shown.desk.areas[RIGHT].close_button
    for _ in range(4):  # two rooms; the release of the last click may come after the last room has gone
        button.click()
    assert desk.shown == ()


def test_turning_to_another_room_moves_nothing_beside_its_area(shown: Shown) -> None:
    desk = shown.desk
    desk.arrange(Arrangement(rooms={RIGHT: ("a", "b"), LEFT: ("d",), DRAWER: ("e",)}, front={RIGHT: "b"}))
    box = shown.middle.geometry()
    desk.show_dock("a")
    assert desk["a"].isVisible()
    assert desk["a"].natural_size.width() < desk["b"].natural_size.width()
    assert shown.middle.geometry() == box


def test_areas_take_what_they_need_and_the_middle_keeps_its_least_width(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    shown.window.resize(1006, 700)  # else the drawer's room goes to the right
    qtbot.waitUntil(lambda: abs(desk.areas[RIGHT].width() - 503) <= GAP)
    for name in ("c", "d", "e"):
        desk.show_dock(name)
    qtbot.waitUntil(lambda: desk.areas[BOTTOM].height() == desk.areas[BOTTOM].natural_size.height())
    assert desk.areas[LEFT].height() == desk.areas[DRAWER].height() == desk.height()
    assert desk.areas[DRAWER].width() >= 180  # it and the others gave way
    assert shown.middle.width() >= 300
    for name in ("d", "e"):
        desk.hide_dock(name)
    qtbot.waitUntil(lambda: abs(desk.areas[RIGHT].width() - 500) <= GAP)


def test_a_size_the_user_chose_is_a_share_of_the_desk(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    gap = desk._upper.handle(1)
    qtbot.mousePress(gap, Qt.MouseButton.LeftButton, pos=QPoint(2, 50))
    qtbot.mouseMove(gap, QPoint(102, 50))
    qtbot.mouseRelease(gap, Qt.MouseButton.LeftButton, pos=QPoint(102, 50))
    assert desk.areas[RIGHT].width() == pytest.approx(396, abs=5)
    shown.window.resize(1500, 700)
    qtbot.waitUntil(lambda: abs(desk.areas[RIGHT].width() - 594) < 9)
    shown.window.resize(600, 400)
    qtbot.waitUntil(lambda: desk.areas[RIGHT].width() < 390)
    shown.window.resize(1000, 700)
    qtbot.waitUntil(lambda: abs(desk.areas[RIGHT].width() - 396) < 6)


def test_a_tab_is_dragged_to_another_area_and_out_of_the_window(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    drag(qtbot, desk, "b", QPoint(20, 200))
    assert desk.area_of(desk["b"]) is desk.areas[LEFT]
    drag(qtbot, desk, "b", QPoint(400, desk.height() - 20))
    assert desk.area_of(desk["b"]) is desk.areas[BOTTOM]
    assert not desk.areas[LEFT].isVisible()
    desk.hide_dock("b")
    desk.show_dock("b")
    assert desk.area_of(desk["b"]) is desk.areas[BOTTOM]  # it opens where it was
    drag(qtbot, desk, "b", QPoint(40, 5000))
    assert set(desk.windows) == {"b"}
    drag(qtbot, desk, "a", QPoint(350, 100))  # over the middle: nothing
    assert desk.area_of(desk["a"]) is desk.areas[RIGHT]


def test_tabs_are_put_in_another_order(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    tabs = desk.areas[RIGHT].tabs
    qtbot.mousePress(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    qtbot.mouseMove(tabs, tabs.tabRect(1).center() + QPoint(5, 0))
    qtbot.mouseRelease(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert desk.arrangement().rooms[RIGHT] == ("b", "a")
    assert desk["a"].isVisible()


def test_a_window_of_a_room_gives_it_back_when_it_is_closed(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    desk.areas[RIGHT].float_button.click()
    window = desk.windows["a"]
    assert window.isVisible()
    assert window.windowTitle() == "A"
    assert desk["b"].isVisible()
    assert desk.shown == ("a", "b")
    window.close()
    assert desk.windows == {}
    assert desk.area_of(desk["a"]) is desk.areas[RIGHT]
    assert desk["a"].isVisible()
    assert shown.done.count("made a") == 1


def test_an_arrangement_is_kept_as_text_and_given_back(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    desk.move_dock("a", LEFT)
    desk.show_dock("c")
    desk.float_dock("e", (50, 60, 300, 320))
    text = json.dumps(desk.arrangement().to_json())
    desk.arrange(FIRST)
    assert desk.shown == ("a", "b")
    assert not desk.windows
    kept = Arrangement.from_json(json.loads(text), desk.docks)
    desk.arrange(kept)
    assert desk.area_of(desk["a"]) is desk.areas[LEFT]
    assert set(desk.shown) == {"a", "b", "c", "e"}
    assert desk.windows["e"].geometry().getRect() == (50, 60, 300, 320)
    assert desk.arrangement() == kept


def test_rooms_that_stay_where_they_are_are_not_touched(qtbot: QtBot, shown: Shown) -> None:
    desk = shown.desk
    desk.show_dock("c")
    before = desk.arrangement()
    seen: list[str] = []
    for area in desk.areas.values():
        area.tabs.currentChanged.connect(lambda _: seen.append("turned"))
    desk.arrange(before)
    assert seen == []
    assert "made b" not in shown.done
    assert desk.arrangement() == before


@pytest.mark.parametrize(
    "kept", [None, [1, 2], {}, {"rooms": 3}, {"rooms": {"right": ["a", 7, "x", "a"], "cellar": ["b"]}}]
)
def test_a_damaged_arrangement_does_no_harm(shown: Shown, kept: Any) -> None:
    arrangement = Arrangement.from_json(kept, shown.desk.docks)
    assert arrangement.open in ((), ("a",))
    shown.desk.arrange(arrangement)
    values: dict[str, Any] = {"rooms": {}, "shares": {"left": "wide", "right": 5}, "windows": {"a": [1, 2]}}
    odd = Arrangement.from_json({**values, "front": {"left": "a"}, "places": {"a": "roof"}}, ["a"])
    assert odd == Arrangement()


def test_every_room_has_a_ticked_action(window: MainWindow) -> None:
    docks = window.docks
    for name, dock in docks.docks.items():
        if dock.row.stays:
            continue
        action = window.context.actions[name]
        assert action.isChecked() == dock.open, name
        docks.hide_dock(name)
        for is_open in (True, False):
            action.trigger()
            assert dock.open == action.isChecked() == is_open, name
    assert set(docks.areas) == set(AREAS)


# workspaces


def test_four_workspaces_share_the_board_and_keep_their_rooms(qtbot: QtBot, window: MainWindow) -> None:
    workspaces, docks = window.workspaces, window.docks
    assert workspaces.shown.name == "search"
    switch = window.views.toolbar.workspaces
    assert switch.segments is not None
    seen: dict[str, bool] = {}
    for place, name in enumerate(("play", "search", "compare", "nets"), 1):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + place), Qt.KeyboardModifier.ControlModifier)
        assert (workspaces.shown.name, switch.segments.choice) == (name, name)
        seen[name] = window.room.isVisible()
    assert seen == {"play": True, "search": True, "compare": True, "nets": False}
    for name, part in (("play", "players"), ("compare", "second_opinion")):
        workspaces.turn_to(name)
        docks.show_dock("opponents")
        assert docks["opponents"].part == part
    switch.segments.buttons["search"].click()
    docks.hide_dock("timeline")
    docks.move_dock("game", LEFT)
    for name in ("play", "nets", "search"):
        workspaces.turn_to(name)
    assert "timeline" not in docks.shown
    assert docks.area_of(docks["game"]) is docks.areas[LEFT]
    workspaces.reset()
    assert "timeline" in docks.shown
    assert "game" not in docks.shown


@pytest.mark.parametrize("size", [(1280, 800), (1480, 920)])
def test_the_board_stays_where_it_is_in_every_workspace(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    places = set()
    for name in ("play", "search", "compare"):
        window.workspaces.turn_to(name)
        QCoreApplication.processEvents()
        board = window.room.board
        frame = board.geometry_of_board().frame.toRect()
        places.add((board.mapToGlobal(frame.topLeft()).toTuple(), frame.size().toTuple()))
    assert len(places) == 1


def test_a_low_window_leaves_nothing_free_below_the_board(window: MainWindow) -> None:
    window.workspaces.turn_to("play")
    free = []
    for height in (500, 900):
        window.resize(900, height)
        QCoreApplication.processEvents()
        board = window.room.board
        free.append(board.height() - board.geometry_of_board().frame.bottom())
    assert free[0] < 40 < free[1]


def test_a_room_is_shown_where_it_can_be(window: MainWindow) -> None:
    commands, docks = window.commands, window.docks
    commands.toggle_dock("training")
    assert window.workspaces.shown.name == "nets"
    assert commands.training is not None
    commands.toggle_dock("blind_spots")
    assert docks.area_of(docks["blind_spots"]) is docks.areas[MIDDLE]
    commands.open_dock("second_opinion")
    assert window.workspaces.shown.name == "search"
    assert docks["opponents"].isVisible()
    window.workspaces.turn_to("nets")
    assert "opponents" not in docks.shown
    window.state.open_position(load_game("tictactoe").initial(), None)
    assert window.room.isVisible()  # a game that is opened is seen


def test_another_game_or_net_is_chosen_without_leaving_the_workspace(qtbot: QtBot, window: MainWindow) -> None:
    window.workspaces.turn_to("nets")
    with qtbot.waitSignal(window.state.game_changed):
        window.context.opener.open_game("tictactoe")
    assert window.workspaces.shown.name == "nets"
    with qtbot.waitSignal(window.state.game_changed):
        window.context.opener.open_net(default_net(load_game("connect4")))
    assert window.workspaces.shown.name == "nets"
    window.context.opener.new_game()
    assert window.room.isVisible()


def test_a_workspace_is_added_renamed_removed_and_kept(qtbot: QtBot, window: MainWindow) -> None:
    workspaces, actions = window.workspaces, window.context.actions
    assert not actions["remove_workspace"].isEnabled()
    window.docks.show_dock("library")
    workspaces.add("Mine")
    workspaces.turn_to("play")
    workspaces.rename("Games")
    text = workspaces.to_text()
    next(one for one in palette_commands(window.commands, ENTRIES) if one.title == "Mine").run()
    assert "library" in window.docks.shown
    actions["remove_workspace"].trigger()
    assert [*workspaces.all] == ["play", "search", "compare", "nets"]
    workspaces.rename("")
    assert workspaces.restore(text)
    assert workspaces.shown.shown_title == "Games"
    segments = window.views.toolbar.workspaces.segments
    assert [button.text() for button in segments.buttons.values()] == ["Games", "Search", "Compare", "Nets", "Mine"]
    workspaces.turn_to("own1")
    assert "library" in window.docks.shown


@pytest.mark.parametrize("text", ["", "no JSON", "[1]", "{}", '{"workspaces": 3}', '{"workspaces": [3]}'])
def test_damaged_workspaces_are_put_aside(window: MainWindow, text: str) -> None:
    before = window.docks.shown
    assert not window.workspaces.restore(text)
    assert window.docks.shown == before
    assert window.workspaces.restore('{"shown": [], "workspaces": [{"name": {}, "now": 7, "title": "x"}]}')


def test_a_layout_of_an_older_version_is_put_aside_with_a_sentence(window: MainWindow, tmp_path: Path) -> None:
    kept = QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)
    kept.setValue("docks", QByteArray(b"of Qt"))
    before = window.docks.shown
    restore(window, kept)
    assert "as at first" in window.banner.text
    assert window.docks.shown == before
    window.banner.hide()
    window.workspaces.turn_to("play")
    keep_layout(window, kept)
    window.workspaces.turn_to("search")
    restore(window, kept)
    assert window.workspaces.shown.name == "play"
    assert window.banner.text == ""


@pytest.mark.parametrize("workspace", ["search", "compare"])
def test_in_a_narrow_window_the_settings_open_where_nothing_has_to_scroll_sideways(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, workspace: str
) -> None:
    analysis.publish(1000)
    desk, commands = window.docks, window.commands
    window.resize(1480, 920)
    window.workspaces.turn_to(workspace)
    commands.open_dock("settings")
    assert desk.area_of(desk["settings"]) is desk.areas[DRAWER]
    desk.hide_dock("settings")
    window.resize(1024, 700)
    commands.open_dock("settings")
    assert desk.area_of(desk["settings"]) is desk.areas[DRAWER], "there is room"
    commands.open_dock("lessons")
    assert desk.area_of(desk["settings"]) is desk.areas[RIGHT]

    def fits() -> bool:
        return all(desk.areas[name].width() >= desk.areas[name].natural_size.width() for name in (LEFT, RIGHT))

    qtbot.waitUntil(fits)
    desk.hide_dock("settings")
    desk.hide_dock("lessons")
    commands.open_dock("settings")
    assert desk.area_of(desk["settings"]) is desk.areas[DRAWER]


def test_the_first_screen_has_eight_rows_of_the_icicle(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    window.resize(1280, 800)
    analysis.publish(1000)
    canvas: Any = window.commands.open_dock("icicle").canvas
    qtbot.waitUntil(lambda: window.docks.areas[BOTTOM].height() < 90)  # the timeline is one line
    qtbot.waitUntil(lambda: canvas.height() >= 8 * canvas.row)
    assert window.views.tree.isVisible()


def test_the_board_gives_way_again_once_it_needs_less_in_a_narrower_window(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    analysis.publish(1000)
    window.commands.open_dock("lessons")
    window.resize(1480, 920)
    desk = window.docks
    right, middle = desk.areas[RIGHT], desk.middle
    qtbot.waitUntil(lambda: right.width() >= right.natural_size.width())
    window.resize(1024, 700)
    qtbot.waitUntil(
        lambda: right.width() >= right.natural_size.width() or middle.width() <= middle.minimumSizeHint().width() + 1
    )
