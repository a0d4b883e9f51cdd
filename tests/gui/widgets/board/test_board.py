"""Tests of the board with mouse and keys: overlays and legends, threats, fouls, numbers, lines shown and played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from core.engine.ownership import Ownership
from core.games import load_game
from core.glass.curves import Curves
from core.solve.threats import threats
from gui.model.settled import FEW, HIGHER, MEANING, MOVING, NEAR, SETTLED, UNDECIDED, UNKNOWN, UNTRIED, Steadiness
from gui.rooms.board.value_bar import PlayerLabel, ValueBar
from gui.widgets.board.board import BoardView
from gui.widgets.board.board_paint import anchor, kind_of
from gui.widgets.board.overlays.overlay import EXACT, LINES, BoardContent
from gui.widgets.board.overlays.table import BY_NAME, NAMES, TABLE
from gui.widgets.board.places import stone_numbers
from gui.widgets.theme import DARK, LIGHT, Theme, current_theme, set_current_theme
from gui.widgets.words import disc_count
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis, legend_of, node_view, overlay_marks
from tests.gui.widgets.board.test_places import GAMES, some_positions

D = 3  # the middle column
FIRST_ROW = 5 * 7  # the lowest row of Connect Four's cells


def test_each_overlay_has_its_key_button_menu_and_legend(qtbot: QtBot, real_window: MainWindow) -> None:
    window, session, legend = real_window, real_window.session, real_window.room.legend
    qtbot.waitUntil(lambda: session.snapshot is not None and bool(session.snapshot.reason))
    window.activateWindow()
    shown = {"": legend.grab().toImage()}
    window.state.set_overlay("threats")
    for row in TABLE:
        if row.needs not in ("", LINES, EXACT):  # neither random games with this rule nor this game give it
            assert not window.context.actions[f"overlay_{row.name}"].isVisible()
            continue
        *modifiers, letter = row.key.split("+")
        shift = Qt.KeyboardModifier.ShiftModifier if modifiers else Qt.KeyboardModifier.NoModifier
        qtbot.keyClick(window, getattr(Qt.Key, f"Key_{letter}"), shift)
        assert window.state.overlay == row.name
        assert window.context.actions[f"overlay_{row.name}"].isChecked()
        assert window.context.actions[f"overlay_{row.name}"].text() == f"Overlay: {row.title}"
        choice = window.views.toolbar.overlays
        button = next(button for button in choice.families.values() if button.isChecked())
        assert (button.text(), choice.actions_of[row.name].isChecked()) == (row.title, True)
        assert choice.actions_of[row.name].text().startswith(f"{row.title}\t")
        if row.name == "exact":
            qtbot.waitUntil(lambda: len(window.room.board.marks()) == 9 and "X" in legend.text)
        node = window.room.board.node
        assert node is not None
        if row.searched:
            drawn = overlay_marks(node.position, node, node, row.name, node.best_action, current_theme())
            assert window.room.board.marks() == drawn
            assert drawn
        words = {"threats": "X or O", "none": ""}
        assert words.get(row.name, "for X") in legend.text
        assert legend.legend.title == ("" if row.name == "none" else row.title)  # one name everywhere
        picture = legend.grab().toImage()
        assert all(picture != other for name, other in shown.items() if name or row.name != "visits")
        shown[row.name] = picture


def test_a_familys_button_names_the_overlay_chosen_and_opens_the_menu_of_the_others(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    choice = window.views.toolbar.overlays
    analysis.publish(100)  # of random games
    qtbot.waitUntil(lambda: not window.context.actions["overlay_net"].isVisible())
    button, menu = choice.families["value"], choice.families["value"].menu()
    assert [action.isVisible() for action in menu.actions()] == [True, True, False, False]
    button.click()
    assert (window.state.overlay, button.text()) == ("value", "Value")
    width = button.sizeHint().width()
    choice.actions_of["q"].trigger()
    assert (window.state.overlay, button.text(), button.sizeHint().width()) == ("q", "Q", width)
    choice.families["visits"].click()
    button.click()
    assert window.state.overlay == "q"  # the one that was chosen last
    opened: list[bool] = []
    menu.aboutToShow.connect(lambda: (opened.append(True), QTimer.singleShot(0, menu.close)))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (opened, window.state.overlay) == ([True], "q")
    assert choice.families["exact"].menu() is None  # nothing to choose
    window.commands.keymap.give("overlay_q", "Ctrl+Shift+F9")
    assert "Ctrl+Shift+F9" in choice.actions_of["q"].text()
    assert "Ctrl+Shift+F9" in button.toolTip()


def test_the_board_keeps_its_place_in_every_workspace(window: MainWindow) -> None:
    window.state.open_position(load_game("gomoku").initial(), None)
    places = set()
    for size in (QSize(1480, 920), QSize(1480, 700)):  # the second is limited by its height
        window.resize(size)
        for name in ("play", "search", "compare"):
            window.workspaces.turn_to(name)
            QApplication.processEvents()
            board = window.room.board
            geometry = board.geometry_of_board()
            places.add((size.height(), board.mapTo(window, QPoint(0, 0)).toTuple(), geometry.left, geometry.step))
    assert len(places) == 2


@pytest.mark.parametrize("name", NAMES)
def test_every_legend_names_the_side_of_its_figures(name: str) -> None:
    position = load_game("gomoku(size=9)").position("e5")
    points = np.full(position.game.shape, 0.5, np.float32)
    node = node_view(position, leads=np.zeros(80, np.float32))
    ownership = Ownership(position, points)
    legend = legend_of(name, position, node, threats=threats(position), ownership=ownership, human={0: 0.5})
    assert (legend.title == "") == (name == "none")
    assert "White" in legend.text or name == "none"
    assert legend_of(name, position, None).text.count("White") <= 1


# threats and fouls


def test_threats_of_both_sides_are_marked_at_their_points(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("gomoku(size=9)").position("c5 a1 d5 b1 e5 c1"))
    window.state.set_overlay("threats")
    name = window.state.game.action_name
    marks = {name(mark.action): mark.chips for mark in window.room.board.marks() if mark.chips}
    assert [(chip.player, chip.text, chip.solid) for chip in marks["b5"]] == [(0, "4", True)]
    assert [(chip.player, chip.text, chip.solid) for chip in marks["g5"]] == [(0, "4", False)]
    assert [(chip.player, chip.text, chip.solid) for chip in marks["d1"]] == [(1, "4", False)]
    found = threats(window.state.position)
    assert window.room.board.marks() == BY_NAME["threats"].marks(
        BoardContent(found.position, threats=found), current_theme()
    )
    window.state.play_line(tuple(window.state.game.parse_action(m) for m in ("f5", "h9")))
    five = {name(mark.action): mark.chips for mark in window.room.board.marks() if mark.chips}
    assert five["b5"][0].wins
    assert five["g5"][0].text == "5"
    assert "Black or White" in window.room.legend.text


def test_existing_threats_are_stroked_from_end_to_end(window: MainWindow) -> None:
    game, board = load_game("gomoku(size=9)"), window.room.board
    window.state.open_position(game.position("c5 a1 d5 b1 e5 c1"))
    geometry = board.geometry_of_board()
    a, b = (geometry.center(game.parse_action(name)) for name in ("c5", "d5"))
    between = ((a + b) / 2).toPoint()

    def colour() -> QColor:
        return board.grab().toImage().pixelColor(between * board.devicePixelRatioF())

    def strokes() -> set[tuple[int, str, str, bool]]:
        return {(s.player, game.action_name(s.start), game.action_name(s.end), s.solid) for s in board.strokes}

    window.state.set_overlay("none")
    bare = colour()
    window.state.set_overlay("threats")
    assert strokes() == {(0, "a5", "g5", True), (1, "a1", "e1", False)}
    assert colour().lightness() < bare.lightness() - 30, "black's stroke on the wood"
    window.state.play_line(tuple(game.parse_action(m) for m in ("f5", "d1")))
    assert strokes() == {(0, "b5", "g5", True), (1, "a1", "e1", False)}
    window.state.set_overlay("none")
    assert not board.strokes


def test_the_tip_of_a_forbidden_point_names_the_foul(qtbot: QtBot) -> None:
    position = load_game("gomoku(size=9, rule=renju)").position("d5 a1 f5 a2 e6 a3 e4 a4")
    board = BoardView()
    qtbot.addWidget(board)
    board.resize(500, 460)
    board.set_position(position)
    point = board.geometry_of_board().center(position.game.parse_action("e5")).toPoint()
    QGuiApplication.sendEvent(board, QHelpEvent(QEvent.Type.ToolTip, point, board.mapToGlobal(point)))
    assert QToolTip.text() == "e5: forbidden to Black, a double three"
    QToolTip.hideText()


# numbers


@pytest.mark.parametrize("text", GAMES)
def test_stone_numbers_are_move_numbers(text: str) -> None:
    positions = some_positions(text)
    places = kind_of(positions[0].game.name).places
    numbers = {}
    for position in positions[1:]:
        for cell in places.last_cells(position):
            numbers[cell] = position.ply
    assert stone_numbers(positions[-1], places) == ({} if text.startswith("nim") else numbers)


def test_the_m_key_shows_stone_numbers(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((D, D))
    window.state.set_overlay("none")
    before = window.room.board.grab().toImage()
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_M)
    assert window.state.numbers
    assert window.context.actions["numbers"].isChecked()
    assert window.room.board.grab().toImage() != before
    qtbot.keyClick(window, Qt.Key.Key_M)
    assert window.room.board.grab().toImage() == before


# a line under the pointer


def rest_on(qtbot: QtBot, window: MainWindow, action: int) -> QPoint:
    """Move the pointer to a move and wait for its line."""
    position = window.state.shown.preview
    assert position is not None
    point = window.room.board.geometry_of_board().center(anchor(position, action)).toPoint()
    for at in (QPoint(3, 3), point):  # a pointer already there causes no event
        qtbot.mouseMove(window.room.board, at)
    qtbot.waitUntil(lambda: window.room.board.line[:1] == (action,))
    return point


def turn_wheel(window: MainWindow, at: QPoint, notches: int) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(window.room.board.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QGuiApplication.sendEvent(window.room.board, event)


def test_a_move_under_the_pointer_leaves_the_figures_of_its_cell(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    window.state.open_position(load_game("tictactoe").initial())
    analysis.publish(1000)
    board = window.room.board
    qtbot.waitUntil(lambda: len(board.marks()) == 9 and board.marks()[0].text != "")
    cell = board.geometry_of_board().rect(0).toRect()
    middle = cell.adjusted(cell.width() // 4, cell.height() // 4, -cell.width() // 4, -cell.height() // 4)
    before = board.grab(cell).toImage(), board.grab(middle).toImage()
    for at in (QPoint(3, 3), cell.center()):
        qtbot.mouseMove(board, at)
    assert board.line == ()  # it comes later
    assert board.grab(cell).toImage() != before[0]
    assert board.grab(middle).toImage() == before[1]


@pytest.fixture
def long_lines(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> MainWindow:
    """A window where every move of the position has a line of four plies."""
    publish_lines(analysis, 2)
    qtbot.waitUntil(lambda: len(window.room.board.marks()) == 7 and len(window.room.board.node.pvs[0]) == 4)
    return window


def publish_lines(analysis: FakeAnalysis, answer: int, simulations: int = 1000) -> None:
    analysis.publish(simulations, pvs=tuple((first, answer, 4, 5) for first in range(7)))


def test_a_line_appears_ply_by_ply(qtbot: QtBot, long_lines: MainWindow) -> None:
    board = long_lines.room.board
    seen: list[int] = []
    board.line_changed.connect(lambda _: seen.append(board._line.plies))
    board._line._clock.setInterval(1)
    rest_on(qtbot, long_lines, D)
    qtbot.waitUntil(lambda: board._line.plies == 4)
    assert seen == [1, 2, 3, 4]
    assert long_lines.room.legend.text == "Line of d: 4 of 4 plies · wheel steps, Shift+click plays it"
    assert not board._line._clock.isActive()


def test_a_line_of_one_ply_is_not_called_plies(qtbot: QtBot, long_lines: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1001, pvs=tuple((first,) for first in range(7)))
    qtbot.waitUntil(lambda: long_lines.room.board.node is not None and len(long_lines.room.board.node.pvs[0]) == 1)
    rest_on(qtbot, long_lines, D)
    qtbot.waitUntil(lambda: long_lines.room.legend.text.startswith("Line of d: 1 of 1 ply ·"))


@pytest.mark.slow
def test_a_shown_line_is_frozen_and_marked_when_the_pv_changes(
    qtbot: QtBot, long_lines: MainWindow, analysis: FakeAnalysis
) -> None:
    board = long_lines.room.board
    rest_on(qtbot, long_lines, D)
    turn_wheel(long_lines, board.geometry_of_board().center(FIRST_ROW + D).toPoint(), -9)
    fresh = board.grab().toImage()
    publish_lines(analysis, 6, 1100)
    qtbot.waitUntil(lambda: board._line.stale)
    assert board.line == (D, 2, 4, 5)
    assert board.grab().toImage() != fresh
    assert "no longer the principal variation" in long_lines.room.legend.text
    publish_lines(analysis, 2, 1200)
    qtbot.waitUntil(lambda: not board._line.stale)


def test_the_wheel_steps_the_pointed_line_or_the_game(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.state.play_line((D, D))
    publish_lines(analysis, 2)
    qtbot.waitUntil(lambda: window.room.board.node is not None and len(window.room.board.node.pvs[0]) == 4)
    at = rest_on(qtbot, window, 0)
    for notches, plies in ((-2, 3), (-5, 4), (1, 3), (9, 1)):
        turn_wheel(window, at, notches)
        assert window.room.board._line.plies == plies
    assert window.state.cursor == 2
    outside = QPoint(2, 2)
    qtbot.mouseMove(window.room.board, outside)
    assert window.room.board.line == ()
    assert window.room.legend.hint == ""
    turn_wheel(window, outside, 1)
    qtbot.waitUntil(lambda: window.state.cursor == 1)


@pytest.mark.parametrize(
    ("button", "modifier"),
    [
        (Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier),
        (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier),
    ],
)
def test_a_click_plays_the_whole_line_or_as_far_as_it_was_stepped(
    qtbot: QtBot, long_lines: MainWindow, analysis: FakeAnalysis, button: Qt.MouseButton, modifier: object
) -> None:
    at = rest_on(qtbot, long_lines, D)
    qtbot.mouseClick(long_lines.room.board, button, modifier, at)
    assert long_lines.state.moves == (D, 2, 4, 5)
    assert long_lines.state.cursor == 4
    long_lines.state.go(0)
    publish_lines(analysis, 6)
    qtbot.waitUntil(lambda: long_lines.room.board.node is not None and len(long_lines.room.board.node.pvs[0]) == 4)
    qtbot.mouseMove(long_lines.room.board, QPoint(2, 2))
    at = rest_on(qtbot, long_lines, 1)
    turn_wheel(long_lines, at, -1)
    qtbot.mouseClick(long_lines.room.board, button, modifier, at)
    assert long_lines.state.line == (1, 6)


@pytest.mark.slow
def test_a_line_played_in_a_preview_continues_from_it(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.state.select((D,))
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.room.board.node is not None and window.room.board.node.path == (D,))
    at = rest_on(qtbot, window, 0)
    line = window.room.board.line
    qtbot.mouseClick(window.room.board, Qt.MouseButton.MiddleButton, pos=at)
    assert window.state.moves == (D, *line)


# whether the search has settled


def ahead(simulations: int, best: int, share: float = 0.8, lead: float = 0.3) -> dict[str, Any]:
    """Return a Connect Four root whose best move has ``share`` of the visits and leads the runner-up by ``lead``."""
    visits, qs = np.zeros(7, np.int32), np.full(7, 0.2 - lead, np.float32)
    visits[best], qs[best] = round(share * simulations), 0.2
    visits[(best + 1) % 7] = simulations - visits[best]
    return {"best_index": best, "visits_of": visits, "qs": qs}


def see(steadiness: Steadiness, analysis: FakeAnalysis, *seen: tuple[int, int]) -> str:
    for simulations, best in seen:
        steadiness.see(analysis.publish(simulations, **ahead(simulations, best)))
    return steadiness.verdict


def test_settled_means_the_best_move_was_the_same_over_the_last_half() -> None:
    analysis = FakeAnalysis()
    analysis.start(load_game("connect4").initial())
    steadiness = Steadiness()
    assert see(steadiness, analysis) == UNKNOWN
    assert see(steadiness, analysis, (600, 1)) == UNKNOWN  # the time before is unknown
    assert see(steadiness, analysis, (1000, 1)) == UNKNOWN
    assert see(steadiness, analysis, (1200, 1)) == SETTLED
    assert see(steadiness, analysis, (1300, 2)) == MOVING
    assert see(steadiness, analysis, (2599, 2)) == MOVING
    assert see(steadiness, analysis, (2600, 2)) == SETTLED
    steadiness.see(analysis.publish(2700, best_index=2, proof=1))
    assert steadiness.verdict == UNKNOWN  # a proof replaces the verdict
    analysis.start(load_game("connect4").position("d"))
    assert see(steadiness, analysis, (900, 2)) == UNKNOWN  # another position


def curves_of(simulations: int, since: int, before: int, best: int) -> Curves:
    """Curves of a search in which ``best`` took the lead from ``before`` after ``since`` simulations."""
    moments = np.arange(100, simulations + 1, 100)
    visits = np.array([[n / 2 + 1, n / 2 - 1] if n < since else [n / 2 - 1, n / 2 + 1] for n in moments], np.int32)
    qs, nothing = np.full(visits.shape, 0.1, np.float32), np.zeros(1, np.int64)
    actions = np.array([before, best], np.int16)
    return Curves(actions, moments, moments, visits, qs, qs[:, 0], nothing, nothing, behind=0, exact=True)


@pytest.mark.parametrize(("since", "verdict"), [(100, SETTLED), (500, SETTLED), (600, MOVING)])
def test_a_late_first_snapshot_gives_the_verdict_of_the_whole_search(since: int, verdict: str) -> None:
    analysis = FakeAnalysis()
    analysis.start(load_game("connect4").initial())
    late, early = Steadiness(), Steadiness()
    for simulations in (300, 800):
        early.see(analysis.publish(simulations, **ahead(simulations, 1 if simulations < since else 2)))
    last = analysis.publish(1000, **ahead(1000, 2))
    late.see(last)
    assert late.verdict == UNKNOWN
    last = replace(last, curves=curves_of(1000, since, 1, 2))
    for steadiness in (late, early):
        steadiness.see(last)
        assert steadiness.verdict == verdict


@pytest.mark.parametrize(
    ("share", "lead", "meaning"),
    [
        (0.8, 0.3, MEANING[SETTLED]),
        (1.0, 0.3, MEANING[SETTLED]),
        (0.58, 0.3, NEAR),  # 160 of 1000 visits would change it
        (0.74, 0.3, NEAR),
        (0.8, 0.0, HIGHER),  # the runner-up is equally good
        (0.8, -0.2, HIGHER),
        (0.98, 0.1, FEW),  # 20 visits leave its value uncertain
    ],
)
def test_a_close_second_move_is_not_settled(share: float, lead: float, meaning: str) -> None:
    analysis = FakeAnalysis()
    analysis.start(load_game("connect4").initial())
    steadiness = Steadiness()
    for simulations in (400, 1000):
        steadiness.see(analysis.publish(simulations, **ahead(simulations, 2, share, lead)))
    assert steadiness.verdict == {MEANING[SETTLED]: SETTLED, FEW: UNTRIED}.get(meaning, UNDECIDED)
    assert steadiness.meaning == meaning.format(move="d")
    lost = np.array([3, 3, 0, 3, 3, 3, 3], np.int8)
    steadiness.see(analysis.publish(1000, **ahead(1000, 2, share, lead), proofs=lost))
    assert steadiness.verdict == SETTLED, "a move proved lost takes no one's place"


def test_the_badge_stands_beside_the_value(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    for simulations, best in ((100, 0), (1000, 0)):
        analysis.publish(simulations, **ahead(simulations, best))
        qtbot.waitUntil(lambda n=simulations: window.session.snapshot.simulations == n)
    qtbot.waitUntil(lambda: window.room.player.badge == SETTLED)
    analysis.publish(1100, **ahead(1100, 4))
    qtbot.waitUntil(lambda: window.room.player.badge == MOVING)
    assert "last half of the simulations" in window.room.player.toolTip()
    window.state.select((D,))  # the badge is only for the root
    assert window.room.player.badge == ""


@pytest.mark.slow
def test_unseen_simulations_do_not_count_as_settled(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    for simulations in (100, 1000):
        analysis.publish(simulations, **ahead(simulations, 0))
        qtbot.waitUntil(lambda n=simulations: window.session.snapshot.simulations == n)
    qtbot.waitUntil(lambda: window.room.player.badge == SETTLED)
    window.session.toggle_lock()
    window.state.play(D)
    analysis.publish(90_000, **ahead(90_000, 0))  # another best move
    window.session._poll()  # ignored while another position is shown
    window.state.go(0)
    qtbot.waitUntil(lambda: window.session.snapshot is not None and window.session.snapshot.simulations == 90_000)
    qtbot.waitUntil(lambda: window.room.player.value != "")
    assert window.room.player.badge == ""
    earlier = analysis.publish(400, **ahead(400, 0))
    analysis.publish(190_000, **ahead(190_000, 0))
    qtbot.waitUntil(lambda: window.room.player.badge == SETTLED)
    window.session.show_earlier(earlier)
    assert window.room.player.badge == ""  # the verdict is for the present
    analysis.publish(500_000, best_index=0)
    qtbot.waitUntil(lambda: window.session.present.simulations == 500_000)
    window.session.show_earlier(None)
    assert window.room.player.badge == ""


@pytest.mark.slow
def test_the_line_waits_until_the_pointer_moves_once_a_move_is_played(
    qtbot: QtBot, long_lines: MainWindow, analysis: FakeAnalysis
) -> None:
    board = long_lines.room.board
    at = rest_on(qtbot, long_lines, 3)
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=at)
    assert long_lines.state.moves == (3,)
    publish_lines(analysis, 2)
    qtbot.waitUntil(lambda: len(board.marks()) == 7)
    assert not board._dwell.isActive()  # no line is shown without the pointer
    assert board.line == ()
    qtbot.mouseMove(board, at + QPoint(2, 0))
    qtbot.waitUntil(lambda: board.line[:1] == (3,))


def test_the_tip_of_a_move_does_not_cover_its_line(qtbot: QtBot, long_lines: MainWindow) -> None:
    board = long_lines.room.board
    at = rest_on(qtbot, long_lines, 3)
    QGuiApplication.sendEvent(board, QHelpEvent(QEvent.Type.ToolTip, at, board.mapToGlobal(at)))
    assert QToolTip.text()
    tip = next(w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.isVisible())
    top = board.mapFromGlobal(tip.pos()).y()
    assert top >= board.geometry_of_board().frame.bottom()
    QToolTip.hideText()


def test_othello_counts_discs_and_shows_legal_moves_without_an_overlay(qtbot: QtBot) -> None:
    game = load_game("othello")
    position = game.initial()
    assert disc_count(position.play(position.legal_actions()[0])) == "Black 4 : 1 White"
    assert disc_count(load_game("gomoku").initial()) == ""
    board = BoardView(under="panel")
    qtbot.addWidget(board)
    board.resize(500, 500)
    board.set_overlay("none")
    board.set_position(position)
    picture, g = board.grab().toImage(), board.geometry_of_board()

    def middle(cell: int) -> str:
        return picture.pixelColor(g.center(cell).toPoint()).name()

    legal = {middle(cell) for cell in position.legal_actions()}
    assert len(legal) == 1
    assert legal.isdisjoint({middle(0), middle(7)})


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("name", ["connect4", "othello", "go(size=9)", "gomoku", "tictactoe"])
def test_the_ring_of_the_best_move_is_set_off_from_every_board(qtbot: QtBot, name: str, theme: Theme) -> None:
    set_current_theme(theme)
    board, position = BoardView(under="panel"), load_game(name).initial()
    qtbot.addWidget(board)
    board.resize(600, 600)
    board.set_position(position)
    node = node_view(position, simulations=1000)
    board.set_figures(node, node.best_action, with_text=True)
    picture, g = board.grab().toImage(), board.geometry_of_board()
    at = g.center(anchor(position, node.best_action)).toPoint()
    leftwards = [picture.pixelColor(at - QPoint(x, 0)) for x in range(round(g.step / 2))]
    ring = max(i for i, colour in enumerate(leftwards) if colour.name() == theme.accent)
    beside = leftwards[ring + 1 : ring + 4]
    assert max(abs(colour.lightness() - leftwards[ring].lightness()) for colour in beside) > 70


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_the_parts_of_black_and_white_in_the_value_bar_are_no_background(qtbot: QtBot, theme: Theme) -> None:
    set_current_theme(theme)
    bar = ValueBar()
    qtbot.addWidget(bar)
    bar.resize(26, 400)
    bar.set_value("gomoku", 0.0, 0, "even")
    picture = bar.grab().toImage()
    white, black = (picture.pixelColor(13, y).lightness() for y in (100, 300))
    panel = theme.color("panel").lightness()
    assert white > black + 80
    assert min(abs(white - panel), abs(black - panel)) > 30


def test_the_pointed_cell_is_cleared_with_another_board(qtbot: QtBot, window: MainWindow) -> None:
    at = window.room.board.geometry_of_board().center(5 * 7 + 6).toPoint()
    for point in (QPoint(3, 3), at):
        qtbot.mouseMove(window.room.board, point)
    assert window.room.board._pointed_cell() == 5 * 7 + 6
    window.state.open_position(load_game("nim(heaps=3-4-5)").initial(), None)
    assert window.room.board._pointed_cell() == -1
    window.room.board.grab()
    window.room.board.leaveEvent(QEvent(QEvent.Type.Leave))


def test_title_and_value_never_overlap(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    label = PlayerLabel()
    qtbot.addWidget(label)
    label.set_position("connect4", 1, "Yellow to move", "move 4")
    label.set_value("+0.21 for Yellow", "+0.21")
    drawn: list[tuple[QRectF, str]] = []
    monkeypatch.setattr(
        "gui.rooms.board.value_bar.QPainter.drawText", lambda painter, box, flags, text: drawn.append((box, text))
    )
    for width in range(160, 700, 30):
        drawn.clear()
        label.resize(width, 40)
        label.grab()
        (title_box, _), (value_box, value) = drawn[:2]
        assert value_box.left() >= title_box.right()
        assert "0.21" in value
    assert drawn[1][1] == "+0.21 for Yellow"
