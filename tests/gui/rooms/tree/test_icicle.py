"""The icicle in the window: it shows the real tree, shares the selection, zooms, searches and looks back."""

from __future__ import annotations

import re
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.glass.icicle import lay_out
from gui.language.language import CHINESE
from gui.rooms.tree.icicle_part import REQUESTER, IciclePart
from gui.rooms.tree.tree_room import Crumbs, TreeRoom
from gui.widgets.icicle.icicle_canvas import IcicleCanvas
from gui.widgets.layouts import lay_row
from gui.widgets.texts import switch_language
from gui.widgets.tree_canvas import Pointed
from gui.window import MainWindow
from tests.core.search.fakes import run_search
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def searched(qtbot: QtBot) -> MainWindow:
    """Open a small Connect Four with a real search that has ended, and its icicle."""
    window = open_window(qtbot, Analysis(), "connect4(rows=4, cols=5, k=3)")
    window.state.set_limit(1500)
    view = icicle_of(window)
    qtbot.waitUntil(lambda: not window.session.searching and shown_visits(view) > 0)
    qtbot.waitUntil(lambda: shown_visits(view) == window.session.snapshot.simulations)
    at_rest(qtbot, view)
    return window


def icicle_of(window: MainWindow) -> IciclePart:
    view = window.commands.open_dock("icicle")
    assert isinstance(view, IciclePart)
    return view


def room_of(window: MainWindow) -> TreeRoom:
    room = window.docks["tree"].widget_made
    assert isinstance(room, TreeRoom)
    return room


def shown_visits(view: IciclePart) -> int:
    icicle = view.canvas.scene.icicle
    return 0 if icicle is None else int(icicle.visits[0])


def at_rest(qtbot: QtBot, view: IciclePart) -> None:
    qtbot.waitUntil(lambda: not view.canvas.moving)


def spot(canvas: IcicleCanvas, path: tuple[int, ...]) -> QPoint:
    at = canvas.spot_of(path)
    return at.center().toPoint()


def test_the_icicle_is_the_trees(qtbot: QtBot, searched: MainWindow) -> None:
    view, snapshot = icicle_of(searched), searched.session.snapshot
    icicle = view.canvas.scene.icicle
    assert icicle is snapshot.icicles[REQUESTER]
    for row in snapshot.moves:
        place = icicle.place_of((row.action,))
        assert place < 0 or icicle.visits[place] == row.visits
    colours = np.unique(view.canvas.grab().toImage().bits())
    assert colours.size > 20
    assert "visits N" in view.canvas.accessibleDescription()
    assert room_of(searched).crumbs.isHidden()


def test_a_preview_takes_the_trees_place_and_leaves_it_as_a_ghost(searched: MainWindow) -> None:
    canvas, snapshot = icicle_of(searched).canvas, searched.session.snapshot
    before = canvas.scene.icicle
    other = run_search(snapshot.position, None, 200, seed=5, selection="ucb1", c_ucb=0.1)
    preview = lay_out(other.tree, other.root, canvas.view(), number=other.numbering)
    canvas.show_preview(preview, "preview, 200 simulations")
    assert (canvas.scene.icicle, canvas.ghost) == (preview, before)
    canvas.grab()
    canvas.show_icicle(before, snapshot.position, canvas.scene.line)
    assert canvas.scene.icicle is preview
    canvas.show_preview(None)
    assert (canvas.scene.icicle, canvas.ghost) == (before, None)
    canvas.show_preview(preview, "preview, 200 simulations")
    canvas.show_icicle(None, None, ())
    assert canvas.scene.icicle is canvas.ghost is None, "another position ends it"


def test_the_texts_of_proved_nodes_follow_the_language_at_rest(qtbot: QtBot, searched: MainWindow) -> None:
    canvas = icicle_of(searched).canvas

    def written() -> str:
        canvas.grab()
        look = canvas._look(canvas.scene.icicle)
        return " ".join(labels[0] for labels in look.labels.values())

    assert "win" in written().split()
    switch_language(CHINESE)
    assert "win" not in written().split()
    assert "胜" in written().split()


def test_a_long_way_leaves_out_its_middle_and_keeps_both_ends_whole(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    crumbs = Crumbs(holder)
    lay_row((crumbs, 1), (QLabel("x" * 40, holder), 2), of=holder)
    holder.resize(3600, 60)
    holder.show()
    way = tuple(f"c{n}" for n in range(20))
    crumbs.show_way(way)

    def shown() -> list[str]:
        return re.sub("<[^>]*>", "", crumbs.text()).split(" › ")

    qtbot.waitUntil(lambda: shown() == ["Whole tree", *way])
    for width in range(3500, 100, -100):
        holder.resize(max(width, holder.minimumSizeHint().width()), 60)
        names = shown()
        assert (names[0], names[-1]) == ("Whole tree", "c19")
        assert names[1] in ("c0", "…")
        assert tuple(names[2:]) == way[len(way) - len(names[2:]) :] or names[1] == "c0"
        assert crumbs.sizeHint().width() <= crumbs.width()
    assert shown() == ["Whole tree", "…", "c19"]


def test_a_click_selects_and_another_zooms(qtbot: QtBot, searched: MainWindow) -> None:
    view, crumbs, state = icicle_of(searched), room_of(searched).crumbs, searched.state
    canvas, line = view.canvas, searched.session.snapshot.pv
    qtbot.mouseClick(canvas, LEFT, pos=spot(canvas, line[:2]))
    assert state.selected == line[:2]
    assert canvas.text_of(line[:2]) == canvas.accessibleDescription()
    qtbot.mouseClick(canvas, LEFT, Qt.KeyboardModifier.ShiftModifier, pos=spot(canvas, line[:1]))
    assert QGuiApplication.clipboard().text() == canvas.text_of(line[:1])
    assert state.selected == line[:2]
    qtbot.mouseClick(canvas, LEFT, pos=spot(canvas, line[:2]))
    assert canvas.focus in ((), line[:2])
    at_rest(qtbot, view)
    assert canvas.focus[:2] == line[:2]
    box = canvas.spot_of(line[:2])
    assert (box.left(), box.right()) == pytest.approx((0, canvas.width()), abs=1)
    qtbot.waitUntil(lambda: canvas.scene.icicle.view.high - canvas.scene.icicle.view.low < 0.99)
    assert "href" in crumbs.text()
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    at_rest(qtbot, view)
    assert canvas.camera.now.whole
    assert crumbs.isHidden()
    qtbot.mouseClick(canvas, LEFT, pos=spot(canvas, line[:1]))
    qtbot.mouseDClick(canvas, LEFT, pos=spot(canvas, line[:1]))
    at_rest(qtbot, view)
    assert canvas.focus[:1] == line[:1]
    crumbs.linkActivated.emit("0")
    at_rest(qtbot, view)
    assert canvas.camera.now.whole


def test_wheel_drag_and_keys_change_what_is_in_view(qtbot: QtBot, searched: MainWindow) -> None:
    view, state = icicle_of(searched), searched.state
    canvas, line = view.canvas, searched.session.snapshot.pv
    point = QPointF(canvas.width() / 4, 30)
    here = canvas.camera.at(point.x())
    turn = QWheelEvent(
        point, canvas.mapToGlobal(point), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, turn)
    assert canvas.camera.at(point.x()) == pytest.approx(here)
    low = canvas.camera.now.low
    QTest.mousePress(canvas, LEFT, pos=QPoint(100, 60))
    QTest.mouseMove(canvas, QPoint(60, 60))
    QTest.mouseRelease(canvas, LEFT, pos=QPoint(60, 60))
    assert canvas.camera.now.low > low
    assert state.selected == ()
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_P)
    at_rest(qtbot, view)
    assert canvas.camera.now.whole
    for key, path in ((Qt.Key.Key_Down, line[:1]), (Qt.Key.Key_Down, line[:2]), (Qt.Key.Key_Up, line[:1])):
        qtbot.keyClick(canvas, key)
        assert state.selected == path
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert len(state.selected) == 1
    assert state.selected != line[:1]
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    at_rest(qtbot, view)
    assert canvas.focus[:1] == state.selected
    qtbot.keyClick(canvas, Qt.Key.Key_O)
    assert canvas.camera.now.width > canvas.scene.widths[canvas.scene.icicle.place_of(state.selected)]
    at_rest(qtbot, view)


@pytest.mark.slow
def test_a_selected_node_elsewhere_is_laid_out(qtbot: QtBot, searched: MainWindow) -> None:
    canvas = icicle_of(searched).canvas
    icicle = canvas.scene.icicle
    deepest = icicle.path_of(len(icicle) - 1)
    qtbot.waitUntil(lambda: not canvas.moving)
    search = searched.session.snapshot
    path = deepest
    searched.state.select(path)
    qtbot.waitUntil(lambda: canvas.scene.icicle.view.path == path)
    assert canvas.scene.icicle.place_of(path) > 0
    assert search is not searched.session.snapshot
    assert " ".join(searched.state.game.action_name(a) for a in path) in canvas.accessibleDescription()


@pytest.mark.slow
def test_the_card_tells_of_nodes_and_of_strips(qtbot: QtBot, searched: MainWindow) -> None:
    canvas = icicle_of(searched).canvas
    path = searched.session.snapshot.pv[:1]
    QTest.mouseMove(canvas, spot(canvas, path))
    qtbot.waitUntil(canvas.card.isVisible)
    assert canvas.card.title.text() == searched.state.game.action_name(path[0])
    icicle = canvas.scene.icicle
    if icicle.strips.parents.size:
        widest = int(np.argmax(icicle.strips.widths))
        canvas._pointed = Pointed(icicle.path_of(int(icicle.strips.parents[widest])), strip=True)
        canvas._show_card()
        assert "too narrow to draw" in canvas.card.title.text()
    canvas.leave()
    assert canvas.card.isHidden()


@pytest.mark.slow
def test_with_the_time_machine_it_is_the_tree_of_that_moment(qtbot: QtBot, searched: MainWindow) -> None:
    view = icicle_of(searched)
    searched.commands.time.go(70)
    qtbot.waitUntil(lambda: shown_visits(view) == 70)
    searched.commands.time.go(71)
    qtbot.waitUntil(lambda: shown_visits(view) == 71)
    searched.commands.time.to_now()
    qtbot.waitUntil(lambda: shown_visits(view) == searched.session.snapshot.simulations)
    at_rest(qtbot, view)


def test_another_position_begins_with_the_whole_tree(qtbot: QtBot, searched: MainWindow) -> None:
    view, state = icicle_of(searched), searched.state
    view.canvas.zoom(4.0, QPointF(10.0, 0.0))
    assert not view.canvas.camera.now.whole
    state.play(searched.session.snapshot.best)
    qtbot.waitUntil(lambda: view.canvas.root == state.position and not searched.session.searching)
    assert view.canvas.camera.now.whole
    at_rest(qtbot, view)


@pytest.mark.slow
def test_a_hidden_dock_requests_nothing(qtbot: QtBot, window: MainWindow) -> None:
    analysis = cast(FakeAnalysis, window.session.analysis)
    view = icicle_of(window)
    qtbot.waitUntil(lambda: REQUESTER in dict(analysis.agenda.drawn.icicles))
    assert view.canvas.scene.icicle is None
    view.canvas.grab()
    window.commands.toggle_dock("icicle")
    qtbot.waitUntil(lambda: REQUESTER not in dict(analysis.agenda.drawn.icicles))
    qtbot.waitUntil(lambda: not view.canvas.moving)
