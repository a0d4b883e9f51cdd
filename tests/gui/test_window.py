"""Tests of the window with a scripted analysis: clicks, display, opening, messages."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication, QHelpEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.search import SearchSettings
from gui.rooms.board.record_strip import RecordStrip
from gui.widgets.figures import COLUMN_INDEX, count, percent, plain, signed, total
from gui.widgets.tables.row_delegate import IS_BEST, IS_NEXT, MarkRole
from gui.widgets.tables.tree_model import TreeModel
from gui.widgets.theme import current_theme
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis, node_view, snapshot_of

D = 3  # the middle column


def click_cell(qtbot: QtBot, window: MainWindow, cell: int) -> None:
    point = window.room.board.geometry_of_board().center(cell).toPoint()
    qtbot.mouseClick(window.room.board, Qt.MouseButton.LeftButton, pos=point)


def key(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    window.activateWindow()
    qtbot.keyClick(window, key)


def test_a_new_position_is_analysed_at_once_to_the_limit(window: MainWindow, analysis: FakeAnalysis) -> None:
    assert len(analysis.started) == 1
    assert analysis.started[0].limit.simulations == 1000
    assert analysis.started[0].settings.selection == "ucb1"  # rollouts
    assert window.views.toolbar.run.text() == "Stop"


def test_a_click_plays_a_move_and_starts_a_search(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    click_cell(qtbot, window, 5 * 7 + D)
    assert window.state.moves == (D,)
    assert analysis.started[-1].position.moves == (D,)
    assert window.room.player.title == "Yellow to move"


def test_a_click_anywhere_in_a_column_drops_a_disc(qtbot: QtBot, window: MainWindow) -> None:
    click_cell(qtbot, window, 0 * 7 + 6)
    assert window.state.moves == (6,)
    assert window.state.position.cells()[5, 6] == 1


def test_an_illegal_click_is_refused_in_words(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((D,) * 6)
    click_cell(qtbot, window, D)
    assert len(window.state.moves) == 6
    assert window.banner.text == "The column is full."


def test_take_back_and_play_again(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.state.play_line((D, D, 2))
    window.context.actions["take_back"].trigger()
    assert window.state.moves == (D, D)
    assert analysis.started[-1].position.moves == (D, D)
    window.context.actions["redo"].trigger()
    assert window.state.moves == (D, D, 2)


def test_arrows_walk_the_record_and_another_move_is_a_variation(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((D, D, 2))
    for _ in range(2):  # the first is applied at once, the second in the next frame
        key(qtbot, window, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: window.state.cursor == 1)
    assert window.state.moves == (D, D, 2)
    key(qtbot, window, Qt.Key.Key_End)
    assert window.state.cursor == 3
    key(qtbot, window, Qt.Key.Key_Home)
    assert window.state.cursor == 0
    click_cell(qtbot, window, 5 * 7)
    assert window.state.moves == (0,)


def test_the_table_shows_the_figures_of_the_snapshot(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    snapshot = analysis.publish(1234)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rowCount() == 7 and window.views.tree.nodes.rows[0].visits > 1)
    model = window.views.tree.nodes
    for number, row in enumerate(snapshot.moves):
        shown = {name: model.data(model.index(number, column)) for name, column in COLUMN_INDEX.items()}
        assert shown == {
            "move": row.name,
            "n": count(row.visits),
            "share": percent(row.share),
            "p": percent(row.prior),
            "human": "–",
            "w": total(row.w),
            "q": signed(row.q),
            "u": plain(row.u),
            "score": plain(row.score),
            "v": signed(row.value),
            "lead": "–",
            "proof": "",
            "curve": "",
            "pv": " ".join(row.pv_names),
        }
    assert window.views.toolbar.simulations.text().startswith(count(1234))


def test_sorting_follows_the_figure_and_keeps_the_selected_move(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    analysis.publish(500)
    model = window.views.tree.nodes
    qtbot.waitUntil(lambda: model.rowCount() == 7 and model.rows[0].visits > 1)
    assert [row.action for row in model.rows] == list(range(7))
    moves = window.views.tree
    moves.setCurrentIndex(model.index_of((1,)))
    assert window.state.selected == (1,)
    window.views.tree.sortByColumn(COLUMN_INDEX["p"], Qt.SortOrder.DescendingOrder)
    assert [model.rows[i].action for i in range(7)] == [6, 5, 4, 3, 2, 1, 0]
    assert model.rows[window.views.tree.currentIndex().row()].action == 1
    analysis.publish(900)
    qtbot.waitUntil(lambda: model.rows[6].visits > 300)
    assert [model.rows[i].action for i in range(7)] == [6, 5, 4, 3, 2, 1, 0]
    assert model.rows[window.views.tree.currentIndex().row()].action == 1
    assert "▾" in model.headerData(COLUMN_INDEX["p"], Qt.Orientation.Horizontal)


@pytest.mark.slow
def test_an_opened_node_is_looked_for_at_once(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.session._pictures.stop()
    window.session._texts.stop()
    window.views.tree.open_path((D,))
    assert analysis.agenda.opened == ((D,),)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rowCount(window.views.tree.nodes.index_of((D,))) > 0)


@pytest.fixture
def tree(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> TreeModel:
    """The model of the window's tree, which shows the seven moves."""
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rowCount() == 7)
    return window.views.tree.nodes


def open_path(qtbot: QtBot, window: MainWindow, path: tuple[int, ...]) -> None:
    window.views.tree.open_path(path)
    nodes = window.views.tree.nodes
    qtbot.waitUntil(lambda: nodes.rowCount(nodes.index_of(path)) == 7)


def test_the_tree_opens_to_any_depth(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, tree: TreeModel) -> None:
    analysis.publish(4096)
    path: tuple[int, ...] = ()
    for action in (3, 3, 2, 6):
        path = (*path, action)
        index = tree.index_of(path)
        assert index.isValid()
        assert tree.hasChildren(index)
        window.views.tree.expand(index)
        assert path in analysis.agenda.opened
        qtbot.waitUntil(lambda at=path: tree.rowCount(tree.index_of(at)) == 7)
    deepest = tree.item(tree.index_of((*path, 0)))
    node = analysis.publish(8192).opened[path]
    qtbot.waitUntil(lambda: deepest.row is not None and deepest.row.visits == int(node.visits_of[0]))
    assert window.views.tree.isExpanded(tree.index_of(path))
    assert deepest.row == next(row for row in node.rows if row.action == 0)


def test_opened_rows_stay_open_after_a_move_and_back(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, tree: TreeModel
) -> None:
    open_path(qtbot, window, (3, 2))
    window.state.play(3)
    assert analysis.agenda.opened == ((2,),)
    qtbot.waitUntil(lambda: window.views.tree.isExpanded(tree.index_of((2,))))
    window.state.take_back()
    assert analysis.agenda.opened == ((3,), (3, 2))
    qtbot.waitUntil(lambda: window.views.tree.isExpanded(tree.index_of((3, 2))))


@pytest.mark.slow
def test_collapsed_rows_are_no_longer_requested(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, tree: TreeModel
) -> None:
    open_path(qtbot, window, (3, 2))
    window.views.tree.collapse(tree.index_of((3,)))
    assert analysis.agenda.opened == ()
    window.views.tree.expand(tree.index_of((3,)))
    assert analysis.agenda.opened == ((3,), (3, 2))


def test_a_selected_node_is_previewed_and_escape_returns(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, tree: TreeModel
) -> None:
    open_path(qtbot, window, (3,))
    window.views.tree.setCurrentIndex(tree.index_of((3, 2)))
    assert window.state.selected == (3, 2)
    assert window.room.player.note == "preview · Esc returns"
    assert window.room.player.title == "Red to move"
    assert window.room.board.accessibleDescription() == load_game("connect4").position("d c").diagram()
    assert (3, 2) in analysis.agenda.opened
    assert window.state.moves == ()
    key(qtbot, window, Qt.Key.Key_Escape)
    assert window.state.selected == ()
    assert window.room.player.note == "move 1"
    assert analysis.searching  # the first Escape only left the preview
    key(qtbot, window, Qt.Key.Key_Escape)
    assert not analysis.searching


def test_a_move_that_is_refused_on_the_board_is_answered_with_the_reason_alone(window: MainWindow) -> None:
    window.state.open_position(load_game("tictactoe").position("a1"))
    refused = window.room.board.refused
    refused.emit(load_game("tictactoe").parse_action("a1"))
    assert window.banner.text == "The place is taken."
    window.state.open_position(load_game("tictactoe").position("a1 a2 b1 b2 c1"))
    refused.emit(load_game("tictactoe").parse_action("c3"))
    assert window.banner.text == "The game is over."


def test_a_click_in_a_preview_plays_the_line_and_the_move(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    window.state.select((3, 3))
    click_cell(qtbot, window, 0)
    assert window.state.moves == (3, 3, 0)
    assert window.state.selected == ()


def test_a_double_click_plays_the_line_to_a_node(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, tree: TreeModel
) -> None:
    open_path(qtbot, window, (3,))
    window.views.tree.doubleClicked.emit(tree.index_of((3, 5)))
    assert window.state.moves == (3, 5)


def test_space_stops_and_continues_without_limit(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    analysis.finish()
    qtbot.waitUntil(lambda: "Space continues" in window.views.status.state.text())
    assert window.views.status.state.text().startswith(f"limit reached: {count(1000)} simulations")
    key(qtbot, window, Qt.Key.Key_Space)
    assert analysis.resumed[-1].simulations is None
    assert window.views.status.state.text() == "searching without limit"
    assert window.views.toolbar.run.text() == "Stop"
    window.state.play(D)  # the next position is searched without a limit, too
    assert analysis.started[-1].limit.simulations is None
    key(qtbot, window, Qt.Key.Key_Space)
    assert not analysis.searching
    assert window.views.status.state.text() == "stopped — Space continues"


@pytest.mark.slow
def test_the_limit_shown_is_the_one_that_holds(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    bar = window.views.toolbar
    assert bar.limit.text() == f"to {count(1000)}"
    analysis.publish(1000)
    analysis.finish()
    key(qtbot, window, Qt.Key.Key_Space)
    assert bar.limit.text() == "no limit"
    bar.limit.menu().aboutToShow.emit()
    assert [action.text() for action in bar.limit.menu().actions() if action.isChecked()] == ["No limit"]
    bar.limit_chosen.emit(1000)  # the number it had before
    assert analysis.started[-1].limit.simulations == 1000
    assert bar.limit.text() == f"to {count(1000)}"
    bar.no_limit_chosen.emit()
    assert analysis.resumed[-1].simulations is None
    bar.limit_chosen.emit(4000)
    assert analysis.started[-1].limit.simulations == 4000
    assert bar.limit.text() == f"to {count(4000)}"
    bar.no_limit_chosen.emit()
    window.session.stop()
    assert bar.limit.text() == "no limit"  # which Analyse goes on with


def test_an_error_is_shown_once(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    message: list[str] = []
    window.session.failed.connect(message.append)
    analysis.fail("the net gave no numbers")
    qtbot.waitUntil(lambda: window.banner.text == "the net gave no numbers")
    window.banner.hide()
    polls: list[object] = []
    window.session._pictures.timeout.connect(lambda: polls.append(1))
    qtbot.waitUntil(lambda: len(polls) > 5)
    assert message == ["the net gave no numbers"]
    assert window.banner.text == ""


def test_the_value_is_shown_for_the_side_to_move(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000, q=0.31)
    qtbot.waitUntil(lambda: window.room.player.value == "+0.31 for Red")
    assert abs(window.room.value_bar.value - 0.31) < 1e-6
    window.state.play(D)
    analysis.publish(1000, q=0.31)
    qtbot.waitUntil(lambda: window.room.player.value == "+0.31 for Yellow")
    assert abs(window.room.value_bar.value + 0.31) < 1e-6  # the bar shows the first player's value


def test_the_phase_is_shown_while_it_lasts(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.phase = (
        "preparing the search for Connect Four: 7 of about 150 functions compiled in 2\u202fs, once on this machine"
    )
    qtbot.waitUntil(lambda: window.views.status.state.text() == analysis.phase)


@pytest.mark.slow
def test_snapshots_of_an_earlier_request_are_not_shown(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    old = analysis.publish(777)
    window.state.play(D)
    analysis._latest = old
    polls: list[object] = []
    window.session._pictures.timeout.connect(lambda: polls.append(1))
    qtbot.waitUntil(lambda: len(polls) > 3)
    assert window.session.snapshot is None or window.session.snapshot.position == window.state.position


def test_overlays_follow_their_keys(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: len(window.room.board.marks()) == 7 and window.room.board.marks()[0].text != "")
    for pressed, overlay, text in (
        (Qt.Key.Key_F7, "q", "+0.50"),
        (Qt.Key.Key_V, "value", "+0.50"),
        (Qt.Key.Key_F5, "visits", "35\u202f%"),
    ):
        key(qtbot, window, pressed)
        assert window.state.overlay == overlay
        assert window.views.toolbar.overlays.actions_of[overlay].isChecked()
        assert window.room.board.marks()[0].text == text
    key(qtbot, window, Qt.Key.Key_F8)
    assert window.room.board.marks() == []


def test_theme_and_coordinates_are_switched(qtbot: QtBot, window: MainWindow) -> None:
    dark = window.room.board.grab().toImage()
    window.context.actions["theme"].trigger()
    assert current_theme().name == "light"
    light = window.room.board.grab().toImage()
    assert dark.pixelColor(2, 2).lightness() < 128 < light.pixelColor(2, 2).lightness()
    key(qtbot, window, Qt.Key.Key_K)
    assert not window.state.coordinates
    assert window.room.board.geometry_of_board().left < 300


def test_the_engine_plays_its_move(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.session.snapshot is not None and window.session.snapshot.simulations == 1000)
    key(qtbot, window, Qt.Key.Key_Return)
    assert window.state.moves == (0,)


def test_moves_go_through_the_clipboard(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.state.play_line((3, 3, 2))
    window.context.actions["copy_moves"].trigger()
    assert QGuiApplication.clipboard().text() == "d d c"
    QGuiApplication.clipboard().setText("a b")
    window.context.actions["paste"].trigger()
    assert window.state.moves == (0, 1)
    QGuiApplication.clipboard().setText("a z")
    window.context.actions["paste"].trigger()
    assert "'z'" in window.banner.text
    assert window.state.moves == (0, 1)


@pytest.mark.slow
def test_an_empty_clipboard_opens_no_game(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((3, 3, 2))
    QGuiApplication.clipboard().setText(" \n")
    window.context.actions["paste"].trigger()
    assert window.state.moves == (3, 3, 2)
    assert "no text in the clipboard" in window.banner.text


def test_a_game_from_a_set_up_position_is_copied_as_a_diagram(qtbot: QtBot, window: MainWindow) -> None:
    game = load_game("connect4")
    window.state.open_position(game.parse_diagram(game.position("d d c").diagram()))
    window.state.play(6)
    shown = window.state.position
    window.context.actions["copy_moves"].trigger()
    window.context.opener.new_game()
    window.context.actions["paste"].trigger()
    assert window.state.position == shown


def test_a_won_game_shows_winner_and_winning_line(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((0, 1, 0, 1, 0, 1, 0))
    assert window.room.player.title == "Red wins"
    assert window.room.player.value == ""
    assert window.room.value_bar.value == 1.0


def test_hovering_a_move_shows_its_line(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: len(window.room.board.marks()) == 7)
    qtbot.mouseMove(window.room.board, window.room.board.geometry_of_board().center(5 * 7 + 2).toPoint())
    qtbot.waitUntil(lambda: window.room.board.line == (2, 6))
    qtbot.mouseMove(window.room.board, QPoint(2, 2))
    assert window.room.board.line == ()


def test_a_tool_tip_shows_the_figures_of_the_move(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    snapshot = analysis.publish(1000)
    qtbot.waitUntil(lambda: window.session.snapshot is snapshot)
    point = window.room.board.geometry_of_board().center(5 * 7 + 2).toPoint()
    help_event = QHelpEvent(QEvent.Type.ToolTip, point, window.room.board.mapToGlobal(point))
    QGuiApplication.sendEvent(window.room.board, help_event)
    row = next(row for row in snapshot.moves if row.action == 2)
    assert QToolTip.text().startswith(f"c: N {count(row.visits)} ")
    QToolTip.hideText()


def test_hovering_a_row_shows_its_line(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.session.snapshot is not None and window.session.snapshot.simulations == 1000)
    window.views.tree.pointed.emit((4,))
    assert window.room.board.line == (4, 6)
    window.views.tree.pointed.emit(())
    assert window.room.board.line == ()


def test_the_keyboard_plays_on_the_board(qtbot: QtBot, window: MainWindow) -> None:
    window.room.board.setFocus()
    qtbot.waitUntil(window.room.board.hasFocus)
    for pressed in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(window.room.board, pressed, Qt.KeyboardModifier.ShiftModifier)
    assert window.state.moves == (4,)


def test_new_positions_are_not_searched_with_automatic_off(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    window.context.actions["automatic"].trigger()
    window.state.play(D)
    assert len(analysis.started) == 1
    assert window.views.status.state.text() == "not analysed — Space starts"
    key(qtbot, window, Qt.Key.Key_Space)
    assert len(analysis.started) == 2


def test_the_status_strip_shows_the_counters(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.views.status.text("nodes") == f"{count(1001)} nodes")
    assert window.views.status.text("memory") == "3.0 MB of 512 MB"
    assert window.views.status.text("depth") == "depth 9.0 / 31 plies"
    assert window.views.status.text("batch") == "4.0 pos/batch"
    assert window.views.status.text("cache") == "cache 33\u202f%"
    assert window.views.status.text("sims") == "1.0k sims/s"
    assert window.views.status.evaluator.text() == "scripted-2x8.onnx on CPU"


def test_closing_ends_the_analysis(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.close()
    assert analysis.closed


def test_the_wheel_steps_through_the_record(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((D, D, 2))
    center = QPointF(window.room.board.rect().center())
    for delta in (60, 60, 240):  # half notches are summed
        wheel = QWheelEvent(
            center,
            window.room.board.mapToGlobal(center),
            QPoint(),
            QPoint(0, delta),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        window.room.board.wheelEvent(wheel)
    qtbot.waitUntil(lambda: window.state.cursor == 0)


@pytest.mark.slow
def test_a_click_on_a_played_move_shows_its_position(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((D, D, 2))
    window.room.record.grab()
    box, ply = window.room.record._boxes[1]
    qtbot.mouseClick(window.room.record, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert ply == window.state.cursor == 2


@pytest.mark.parametrize("cursor", [0, 1, 9, 20])
def test_no_move_is_cut_at_an_edge_of_the_record(qtbot: QtBot, cursor: int) -> None:
    strip = RecordStrip()
    qtbot.addWidget(strip)
    strip.set_record(tuple(f"a{ply}" for ply in range(1, 21)), cursor)
    for width in range(70, 400, 7):
        strip.resize(width, 28)
        strip.grab()
        plies = [ply for _, ply in strip._boxes]
        assert plies == list(range(plies[0], plies[-1] + 1))
        assert cursor in (0, *plies)
        assert all(box.left() >= 0 and box.right() <= width + 1 for box, ply in strip._boxes if ply != cursor)


@pytest.mark.slow
def test_the_sort_order_is_remembered(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.views.tree.sortByColumn(COLUMN_INDEX["q"], Qt.SortOrder.AscendingOrder)
    kept = window.views.tree.header().saveState()
    window.views.tree.sortByColumn(COLUMN_INDEX["n"], Qt.SortOrder.DescendingOrder)
    window.views.tree.header().restoreState(kept)
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rows[0].visits == 7)
    assert [window.views.tree.nodes.rows[i].action for i in range(7)] == [6, 5, 4, 3, 2, 1, 0]


@pytest.mark.slow
def test_tables_are_sorted_when_the_search_ends_below_the_pointer(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it searches, rows stay where the pointer is about to click."""
    monkeypatch.setattr("gui.widgets.tables.tree_view.pointer_inside", lambda *_: True)
    window.docks.show_dock("tree")

    def visits() -> list[int]:
        return [row.visits for row in window.views.tree.nodes.rows]

    analysis.publish(1000)
    qtbot.waitUntil(lambda: bool(visits()) and all(visits()))
    turned = analysis.latest().root.visits_of[::-1].copy()
    shown = analysis.publish(2000, visits_of=turned)
    qtbot.waitUntil(lambda: window.session.snapshot is shown)
    descending = sorted(turned.tolist(), reverse=True)
    assert sorted(visits(), reverse=True) == descending != visits()
    end = analysis.publish(2000, "limit reached", visits_of=turned)
    qtbot.waitUntil(lambda: window.session.snapshot is end)
    assert visits() == descending


def test_keep_order_leaves_rows_in_place(window: MainWindow, analysis: FakeAnalysis) -> None:
    model = window.views.tree.nodes
    model.show(snapshot_of(node_view(analysis.started[-1].position)))
    visits = np.arange(7, dtype=np.int32)
    other = snapshot_of(node_view(analysis.started[-1].position, visits_of=visits, best_index=6))
    model.show(other, keep_order=True)
    assert [model.rows[i].action for i in range(7)] == list(range(7))
    assert model.rows[6].visits == 6
    model.show(other)
    assert [model.rows[i].action for i in range(7)] == [6, 5, 4, 3, 2, 1, 0]


def test_a_message_stands_in_the_place_of_the_status_line(qtbot: QtBot, window: MainWindow) -> None:
    board = window.room.board.size()
    offer = partial(window.banner.show_offer, title="Undo", run=lambda: None)
    for show in (window.banner.show_notice, window.banner.show_error, offer):
        show("for a moment")
        QApplication.processEvents()
        assert window.banner.isVisible()
        assert not window.views.status.isVisible()
        assert window.banner.geometry().top() > window.views.geometry().bottom()
        assert (window.room.board.size(), window.banner.width()) == (board, window.width())
    window.banner.hide()
    QApplication.processEvents()
    assert window.views.status.isVisible()
    assert window.room.board.size() == board


def test_a_note_leaves_after_a_time_that_suits_its_length(qtbot: QtBot, window: MainWindow) -> None:
    banner = window.banner
    banner.show_notice("short")
    short = banner.reading_ms
    banner.show_notice("a sentence that takes some time to be read by anyone")
    assert banner.reading_ms > short
    banner.show_offer("short", "Undo", lambda: None)
    assert banner.reading_ms > short
    banner.BASE_MS, banner.BYTE_MS, banner.OFFER_MS = 10, 1, 10
    banner.show_offer("short", "Undo", lambda: None)
    pointer = QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5))
    QApplication.sendEvent(banner, pointer)
    assert not banner._leaving.isActive()
    QApplication.sendEvent(banner, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: banner.text == "")


def test_an_error_leaves_once_it_was_read_and_something_else_is_done(qtbot: QtBot, window: MainWindow) -> None:
    banner = window.banner
    banner.show_error("the net gave no numbers")
    window.state.change_settings(SearchSettings(c_puct=2.0))
    assert banner.text == "the net gave no numbers"
    banner.BASE_MS = banner.BYTE_MS = 0
    banner.show_error("the net gave no numbers")
    assert not banner._leaving.isActive()
    window.state.change_settings(SearchSettings(c_puct=3.0))
    qtbot.waitUntil(lambda: banner.text == "")


def test_a_note_is_cleared_by_the_next_move_and_an_error_stays(qtbot: QtBot, window: MainWindow) -> None:
    window.banner.show_notice("for a moment")
    window.state.play(D)
    assert window.banner.text == ""
    window.banner.show_error("gone wrong")
    window.state.play(D)
    assert window.banner.text == "gone wrong"
    qtbot.mouseClick(window.banner._close, Qt.MouseButton.LeftButton)
    assert window.banner.text == ""


@pytest.mark.slow
def test_the_marked_rows_are_the_best_and_the_next(window: MainWindow, analysis: FakeAnalysis) -> None:
    model = window.views.tree.nodes
    model.show(snapshot_of(node_view(analysis.started[-1].position, next_index=4, best_index=2)))
    marks = {model.rows[i].action: model.data(model.index(i, 0), MarkRole) for i in range(7)}
    assert marks == {0: 0, 1: 0, 2: IS_BEST, 3: 0, 4: IS_NEXT, 5: 0, 6: 0}


def test_the_engine_draws_its_move_at_a_temperature(window: MainWindow, analysis: FakeAnalysis) -> None:
    window.state.set_settings(SearchSettings(temperature=1.0))
    analysis.publish(1400)
    window.session._poll()
    assert window.session.newest is not None
    drawn = [window.session.move_to_play() for _ in range(2000)]
    for action, visits in enumerate(window.session.newest.root.visits_of.tolist()):
        assert abs(drawn.count(action) / 2000 - visits / 1400) < 0.06
    analysis.publish(1400, proof=1, best_index=5)
    window.session._poll()
    assert {window.session.move_to_play() for _ in range(50)} == {5}  # a proved win is played
    lost = np.array([3, 0, 0, 0, 0, 0, 0], np.int8)
    analysis.publish(1400, proofs=lost, best_index=1)
    window.session._poll()
    assert 0 not in {window.session.move_to_play() for _ in range(100)}  # a proved loss is never played


def test_figures_stay_until_new_results_arrive(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rows[0].visits == 350)
    received: list[object] = []
    window.session.snapshot_for_text.connect(received.append)
    window.state.play(D)
    qtbot.waitUntil(lambda: len(received) >= 1)
    assert received[0] is not None  # not cleared in between
    window.context.actions["automatic"].trigger()
    window.state.play(D)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rowCount() == 0)  # no results come: cleared


@pytest.mark.slow
def test_a_proved_position_shows_its_proof_instead_of_a_value(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    analysis.publish(1000, "proved", q=0.1, proof=3, distance=6)
    qtbot.waitUntil(lambda: window.room.player.value == "loss in at most 6 for Red")
    assert window.room.value_bar.value == -1.0


@pytest.mark.slow
def test_the_first_step_is_taken_at_once_and_those_of_a_held_key_together(qtbot: QtBot, window: MainWindow) -> None:
    state, seen = window.state, []
    state.play_line((D, D, D, D, D))
    state.position_changed.connect(lambda: seen.append(state.cursor))
    window.commands.step(-1)
    assert seen == [4]
    window.commands.step(-1)
    window.commands.step(-2)
    assert seen == [4]
    qtbot.waitUntil(lambda: seen == [4, 1])


@pytest.mark.slow
def test_garbage_is_frozen_once_loading_is_over(
    window: MainWindow, analysis: FakeAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = []
    monkeypatch.setattr("gui.model.session.freeze_loaded", lambda: frozen.append(analysis.phase))
    for phase in ("loading a net", "1 function compiled", "2 functions compiled", "searching", "", "searching"):
        analysis.phase = phase
        window.session._poll()
    assert frozen == ["searching"]  # not while it compiles, which creates garbage, and not after a search


@pytest.mark.slow
def test_the_strip_counts_every_move_as_header_and_record_do(window: MainWindow) -> None:
    drawn: list[str] = []
    window.state.play_line((D, D, 2))
    original: Any = QPainter.drawText

    def noting(painter: QPainter, *given: object) -> object:
        drawn.extend(part for part in given if isinstance(part, str))
        return original(painter, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gui.rooms.board.record_strip.QPainter.drawText", noting)
        window.room.record.grab()
    assert drawn == ["1. d", "2. d", "3. c"]
