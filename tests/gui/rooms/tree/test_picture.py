"""The picture in the window: it shows the real tree, shares the selection, and responds to mouse and keys."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from gui.rooms.tree.picture_canvas import PictureCanvas
from gui.rooms.tree.picture_part import LEAST, MOST, PicturePart, nodes_at, step_of
from gui.widgets.theme import current_theme
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def searched(qtbot: QtBot) -> MainWindow:
    """Open a small Connect Four with a real search that has ended."""
    return open_window(qtbot, Analysis(), "connect4(rows=4, cols=5, k=3)")


def shown(qtbot: QtBot, window: MainWindow, nodes: int = 120) -> PicturePart:
    """Return the dock's view, ready and not moving."""
    window.state.set_limit(1500)
    view = window.commands.open_dock("picture")
    assert isinstance(view, PicturePart)
    view.set_nodes(nodes)
    qtbot.waitUntil(lambda: view.ready)
    qtbot.waitUntil(lambda: not window.session.searching and getattr(drawn(view), "most", 0) == nodes)
    at_rest(qtbot, view)
    return view


def drawn(view: PicturePart) -> object:
    return view.canvas.scene.picture if view.canvas.scene is not None else None


def at_rest(qtbot: QtBot, view: PicturePart) -> None:
    qtbot.waitUntil(lambda: not view.canvas.moving)


def spot(canvas: PictureCanvas, path: tuple[int, ...]) -> QPoint:
    at = canvas.spot_of(path)
    return QPoint(round(at.x()), round(at.y()))


def test_the_picture_draws_the_most_visited_nodes(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched)
    snapshot, scene = searched.session.snapshot, view.canvas.scene
    assert scene.picture is snapshot.picture
    assert len(scene) == 120
    for row in snapshot.moves:
        v = scene.index_of((row.action,))
        assert v < 0 or scene.picture.visits[scene.places[v]] == row.visits
    colours = np.unique(view.canvas.grab().toImage().convertToFormat(view.canvas._image.format()).bits())
    assert colours.size > 20
    assert "visits N" in view.canvas.accessibleDescription()


def test_the_slider_requests_nodes_and_a_hidden_dock_none(qtbot: QtBot, window: MainWindow) -> None:
    analysis = cast(FakeAnalysis, window.session.analysis)
    view = window.commands.open_dock("picture")
    assert isinstance(view, PicturePart)
    qtbot.waitUntil(lambda: analysis.agenda.drawn.nodes == 200)
    view.slider.setValue(view.slider.maximum())
    qtbot.waitUntil(lambda: analysis.agenda.drawn.nodes == MOST)
    view.slider.setValue(0)
    qtbot.waitUntil(lambda: analysis.agenda.drawn.nodes == LEAST)
    window.commands.toggle_dock("picture")
    qtbot.waitUntil(lambda: analysis.agenda.drawn.nodes == 0)
    window.commands.toggle_dock("picture")
    qtbot.waitUntil(lambda: analysis.agenda.drawn.nodes == LEAST)
    window.docks.show_dock("settings")
    window.docks["tree"].hide()
    qtbot.waitUntil(lambda: analysis.agenda.drawn.nodes == 0)
    qtbot.waitUntil(lambda: view.ready)


def test_the_slider_runs_over_all_sizes_in_round_numbers() -> None:
    assert (nodes_at(0), nodes_at(200)) == (LEAST, MOST)
    sizes = [nodes_at(step) for step in range(201)]
    assert sizes == sorted(sizes)
    assert nodes_at(step_of(200)) in range(190, 211)


def test_a_click_selects_a_node_and_a_double_click_plays_it(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched)
    canvas, state = view.canvas, searched.state
    path = canvas.scene.path_of(int(canvas.scene.order[-4]))
    qtbot.mouseClick(canvas, LEFT, pos=spot(canvas, path))
    assert state.selected == path
    state.select(path[:1])
    assert canvas.text_of(path[:1]) == canvas.accessibleDescription()
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(3, canvas.height() - 3))
    assert state.selected == path[:1]
    qtbot.mouseClick(canvas, LEFT, Qt.KeyboardModifier.ShiftModifier, pos=spot(canvas, path))
    assert QGuiApplication.clipboard().text() == canvas.text_of(path)
    before = spot(canvas, path)
    qtbot.mouseDClick(canvas, LEFT, pos=before)
    assert state.line == path
    qtbot.waitUntil(lambda: canvas.scene.line == path)
    assert canvas.scene.picture.visits[0] > 0
    qtbot.waitUntil(lambda: not searched.session.searching)


def test_keys_move_fold_zoom_and_play(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched)
    canvas, state = view.canvas, searched.state
    canvas.setFocus()
    line = searched.session.snapshot.pv
    cursor = state.cursor
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert state.selected == line[:2]
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert state.selected == line[:1]
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert len(state.selected) == 1
    state.select(line[:1])
    count = len(canvas.scene)
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    assert len(canvas.scene) < count
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert len(canvas.scene) == count
    qtbot.mouseClick(canvas, Qt.MouseButton.MiddleButton, pos=spot(canvas, line[:1]))
    assert len(canvas.scene) < count
    canvas.fold(line[:1])
    scale = canvas.camera.lens.scale
    qtbot.keyClick(canvas, Qt.Key.Key_I)
    assert canvas.camera.lens.scale > scale
    qtbot.keyClick(canvas, Qt.Key.Key_O)
    assert canvas.camera.lens.scale == pytest.approx(scale)
    assert not canvas.camera.automatic
    qtbot.keyClick(canvas, Qt.Key.Key_P)
    assert canvas.camera.automatic
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert (state.selected, state.cursor) == ((), cursor)
    state.select(line[:1])
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert state.line == line[:1]
    qtbot.waitUntil(lambda: not searched.session.searching)


@pytest.mark.slow
def test_the_wheel_zooms_about_the_cursor_and_dragging_pans(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched)
    canvas = view.canvas
    path = canvas.scene.path_of(int(canvas.scene.order[-6]))
    at = canvas.spot_of(path)
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    for turn in (240, -360):
        scale = canvas.camera.lens.scale
        wheel = QWheelEvent(
            at, canvas.mapToGlobal(at), QPoint(), QPoint(0, turn), none, Qt.KeyboardModifier.NoModifier, phase, False
        )
        QApplication.sendEvent(canvas, wheel)
        assert (canvas.camera.lens.scale > scale) == (turn > 0)
        now = canvas.spot_of(path)
        assert (now.x(), now.y()) == pytest.approx((at.x(), at.y()), abs=0.01)
    start = QPoint(6, canvas.height() - 6)
    qtbot.mousePress(canvas, LEFT, pos=start)
    qtbot.mouseMove(canvas, start + QPoint(40, -25))
    qtbot.mouseRelease(canvas, LEFT, pos=start + QPoint(40, -25))
    moved = canvas.spot_of(path) - at
    assert (moved.x(), moved.y()) == pytest.approx((40, -25), abs=0.01)
    qtbot.mouseClick(view.whole, LEFT)
    at_rest(qtbot, view)
    assert canvas.camera.lens == canvas.camera.fitted(canvas.scene)


@pytest.mark.slow
def test_the_card_describes_the_node_under_the_pointer(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched)
    canvas = view.canvas
    path = next(canvas.scene.path_of(int(v)) for v in canvas.scene.order[::-1] if canvas.scene.y[v] == 2)
    QTest.mouseMove(canvas, spot(canvas, path))
    qtbot.waitUntil(canvas.card.isVisible)
    position = searched.state.position.play(path[0]).play(path[1])
    assert canvas.card.board.position == position
    labels = [label.text() for label, _ in canvas.card._rows]
    assert labels[:3] == ["visits N", "searched Q", "net V"]
    assert "prior P" not in labels  # UCB1 has none
    assert canvas.card.side.text() == "values for Red"
    assert not canvas.card.geometry().contains(spot(canvas, path))
    QTest.mouseMove(canvas, QPoint(2, canvas.height() - 2))
    qtbot.waitUntil(lambda: not canvas.card.isVisible())


@pytest.mark.slow
def test_the_selected_node_stays_in_place_while_the_tree_grows(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched, 60)
    canvas = view.canvas
    path = canvas.scene.path_of(int(canvas.scene.order[-8]))
    searched.state.select(path)
    canvas.zoom(1.3)
    before = canvas.spot_of(path)
    view.set_nodes(600)
    qtbot.waitUntil(lambda: len(canvas.scene) == 600)
    at_rest(qtbot, view)
    after = canvas.spot_of(path)
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()), abs=0.5)


@pytest.mark.slow
def test_a_selected_node_that_is_not_drawn_is_mentioned(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched, 25)
    whole = view.canvas.scene
    path = whole.path_of(int(whole.order[0]))
    position = searched.state.position
    for action in path:
        position = position.play(action)
    below = (*path, position.legal_actions()[0])
    searched.state.select(below)
    assert "not among the 25 most visited" in view.canvas.accessibleDescription()


@pytest.mark.slow
def test_an_empty_picture_has_a_message(qtbot: QtBot, real_window: MainWindow) -> None:
    view = shown(qtbot, real_window, 50)
    real_window.state.play_line((0, 3, 1, 4, 2))
    qtbot.waitUntil(lambda: drawn(view) is None and "over" in view.canvas._message)
    real_window.commands.appearance.set_theme("light")
    assert not view.canvas.grab().isNull()


@pytest.mark.slow
def test_edges_change_with_their_switch_and_the_theme_with_the_window(qtbot: QtBot, searched: MainWindow) -> None:
    view = shown(qtbot, searched)
    pictures = [view.canvas.grab().toImage()]
    qtbot.mouseClick(view.edges.buttons["prior"], LEFT)
    pictures.append(view.canvas.grab().toImage())
    searched.commands.appearance.set_theme("light")
    pictures.append(view.canvas.grab().toImage())
    assert pictures[0] != pictures[1]
    assert pictures[1].pixelColor(1, 1) != pictures[2].pixelColor(1, 1)
    assert pictures[2].pixelColor(1, 1) == current_theme().color("panel")


def in_sight(canvas: PictureCanvas) -> bool:
    assert canvas.scene is not None
    spots = [canvas.spot_of(canvas.scene.path_of(v)) for v in range(len(canvas.scene))]
    return any(canvas.rect().contains(QPoint(round(at.x()), round(at.y()))) for at in spots if at is not None)


@pytest.mark.slow
@pytest.mark.parametrize("blank", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_view_that_was_zoomed_shows_the_tree_of_the_next_position(
    qtbot: QtBot, searched: MainWindow, blank: bool
) -> None:
    view = shown(qtbot, searched)
    canvas = view.canvas
    row = [v for v in range(len(canvas.scene)) if len(canvas.scene.path_of(v)) == 1]
    left, right = (canvas.scene.path_of(end(row, key=lambda v: canvas.scene.x[v])) for end in (min, max))
    canvas.zoom(4.0, canvas.spot_of(left))
    canvas.camera.move(canvas.width() / 2 - canvas.spot_of(left).x(), canvas.height() - canvas.spot_of(left).y())
    if blank:
        searched.session.automatic = False
    searched.state.play_line(right)
    if blank:
        qtbot.waitUntil(lambda: canvas.scene.picture is None)
        searched.session.continue_search()
    qtbot.waitUntil(lambda: canvas.scene.line == right and canvas.scene.picture is not None)
    searched.session.stop()
    at_rest(qtbot, view)
    assert in_sight(canvas)
