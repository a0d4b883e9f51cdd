"""Tests that game, position and selection change as one value: every listener sees a consistent state."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import IllegalMove, load_game
from core.search import SearchSettings
from gui.model.session import Session
from gui.model.shown import position_at, positions_along
from gui.model.state import AppState
from gui.rooms.board.board_figures import BoardFigures
from gui.rooms.tree.picture_part import PicturePart
from gui.widgets.board import board_paint as paint
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis

GAMES = ("tictactoe", "connect4", "nim(heaps=3-4-5)", "othello(size=4)", "gomoku(size=7)")


def board_figures(window: MainWindow) -> BoardFigures:
    return window.room.findChild(BoardFigures)


class Onlooker:
    """Checks state, session and views at every signal and redraws the views at once."""

    def __init__(self, state: AppState, session: Session) -> None:
        self.state, self.session, self.looks = state, session, 0
        self.window: MainWindow | None = None

    def connect(self) -> None:
        state, session = self.state, self.session
        for signal in (
            state.game_changed,
            state.record_changed,
            state.comment_changed,
            state.position_changed,
            state.selection_changed,
            state.search_changed,
            session.snapshot_for_frame,
            session.snapshot_for_text,
            session.state_changed,
        ):
            signal.connect(self.look)

    def look(self, *_: object) -> None:
        state, position = self.state, self.state.position
        if position is None:
            return
        self.looks += 1
        assert state.record is not None
        assert state.game == position.game == state.record.game
        assert state.record.position(state.node) == position
        assert state.moves[: state.cursor] == state.line == position.moves
        assert state.positions[state.cursor] == position
        preview = position_at(position, state.selected)
        assert set(state.only) <= set(position.legal_actions())
        for snapshot in (self.session.snapshot, self.session.present):
            assert snapshot is None or snapshot.position == position
        if self.window is not None and self.window.room.board.position is not None:
            board_figures(self.window).show_colours(self.session.snapshot)
            assert self.window.room.board.position == preview
            node = self.window.room.board.node
            assert node is None or node.position == preview


def wander(rng: random.Random, window: MainWindow, analysis: FakeAnalysis) -> None:
    """Do one random action of the user or the search."""
    state, position = window.state, window.state.position
    legal = position.legal_actions()
    deed = rng.randrange(12)
    if deed == 0:
        state.open_position(load_game(rng.choice(GAMES)).initial(), None)
    elif deed in (1, 2, 3) and legal:
        state.play(rng.choice(legal))
    elif deed in (4, 5, 6):
        path: list[int] = []
        while len(path) < rng.randrange(4) and (legal := position_at(position, path).legal_actions()):
            path.append(rng.choice(legal))
        state.select(tuple(path))
    elif deed == 7:
        state.go(rng.randrange(len(state.moves) + 1))
    elif deed == 8:
        rng.choice((state.undo, state.redo, state.take_back))()
    elif deed == 9 and len(legal) > 1:
        state.restrict(tuple(rng.sample(legal, 1)))
    elif deed == 10:
        window.session._poll()
        window.session._show_blank()
    elif analysis.started:
        analysis.publish(rng.randrange(1, 500), rng.choice(("", "limit reached")))
        window.session._poll()
        window.session._poll_text()
        window.commands.table.show_now()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_all_listeners_see_the_same_position_and_selection(qtbot: QtBot, analysis: FakeAnalysis, seed: int) -> None:
    state = AppState()
    session = Session(state)
    lookers = [Onlooker(state, session) for _ in range(3)]
    lookers[0].connect()
    window = MainWindow(state, session, theme="dark")
    qtbot.addWidget(window)
    window.resize(1200, 760)
    window.show()
    lookers[1].connect()
    window.docks.show_dock("why")
    window.docks.show_dock("game")
    lookers[2].connect()
    for looker in lookers:
        looker.window = window
    state.document.settings = SearchSettings()
    session.attach(analysis)
    state.open_position(load_game("connect4").initial(), None)
    rng = random.Random(seed)
    for _ in range(60):
        wander(rng, window, analysis)
    assert all(looker.looks > 60 for looker in lookers)
    window.close()
    session.close()


def test_a_path_that_cannot_be_played_is_refused_and_nothing_is_selected(window: MainWindow) -> None:
    with pytest.raises(IllegalMove):
        window.state.select((3, 3, 3, 3, 3, 3, 3))
    assert window.state.selected == ()
    assert window.state.shown.preview == window.state.position


def test_a_row_of_the_previous_position_selects_and_plays_nothing(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    analysis.publish(400)
    window.session._poll()
    window.commands.table.show_now()
    assert window.views.tree.nodes.rowCount() == 7
    window.session.automatic = False  # no results of the next position
    window.state.open_position(load_game("tictactoe").position("5"), None)
    assert window.views.tree.nodes.rowCount() == 7  # not cleared yet
    window.views.tree.selected.emit((6,))
    window.views.tree.played.emit((6,))
    assert window.state.selected == ()
    assert window.state.cursor == 1
    qtbot.waitUntil(lambda: window.views.tree.nodes.rowCount() == 0)


def test_delayed_tables_are_not_of_the_previous_position(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(400)
    window.session._poll()
    window.state.open_position(load_game("tictactoe").initial(), None)
    late = analysis.publish(400)
    window.session._poll()  # another position: its rows wait for a moment
    window.session._poll_text()
    window.state.play(4)
    window.commands.table.show_now()
    assert window.views.tree.nodes.position != late.position


def test_rows_opened_before_new_results_belong_to_the_old_position(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(400)
    window.session._poll()
    window.session._poll_text()
    window.commands.table.show_now()
    before, tree = window.state.line, window.views.tree
    index = tree.nodes.index_of((3,))
    assert index.isValid()
    analysis.publish(0)
    window.session.automatic = False
    window.state.play(2)
    assert tree.nodes.position != window.state.position
    tree.expand(index)
    assert tree.open_paths() == ()
    window.state.go(len(before))
    assert tree.open_paths() == ((3,),)


@pytest.fixture
def searched(qtbot: QtBot) -> MainWindow:
    """A small Connect Four with a real search."""
    return open_window(qtbot, Analysis(), "connect4(rows=4, cols=5, k=3)")


def test_a_selection_while_the_picture_of_another_game_is_still_on_screen(qtbot: QtBot, searched: MainWindow) -> None:
    searched.state.set_limit(300)
    view = searched.commands.open_dock("picture")
    assert isinstance(view, PicturePart)
    canvas = view.canvas
    qtbot.waitUntil(lambda: canvas.scene is not None and len(canvas.scene) > 2)
    searched.session.automatic = False
    searched.state.open_position(load_game("gomoku(size=7)").initial(), None)
    searched.session._blank.stop()  # until the test calls it
    assert canvas.scene.picture is not None  # of the small game
    searched.state.select((48, 47))
    assert "48" not in canvas.accessibleDescription()
    canvas.grab()
    searched.state.select(())
    spot = canvas.spot_of(canvas.scene.path_of(2))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(spot.x()), round(spot.y())))
    assert searched.state.selected == ()  # the node belongs to the previous game
    searched.session._show_blank()
    assert canvas.scene.picture is None
    assert "g1" not in canvas.accessibleDescription()


def test_the_positions_along_a_path() -> None:
    start = load_game("tictactoe").initial()
    along = positions_along(start, (4, 0))
    assert [position.moves for position in along] == [(), (4,), (4, 0)]
    assert position_at(start, ()) is start
    with pytest.raises(IllegalMove):
        position_at(start, (4, 4))


def test_a_menu_that_closes_over_a_table_selects_no_row(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(400)
    window.session._poll()
    window.commands.table.show_now()
    view = window.views.tree
    view.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.PopupFocusReason))
    assert window.state.selected == ()
    cell = paint.anchor(window.state.position, 3)
    at = window.room.board.geometry_of_board().center(cell).toPoint()
    QTest.mouseClick(window.room.board, Qt.MouseButton.LeftButton, pos=at)
    assert window.state.moves == (3,)  # the first row's move is not played as well


def test_a_row_is_selected_by_a_click_and_by_the_arrows(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(400)
    window.session._poll()
    window.commands.table.show_now()
    view = window.views.tree
    rows = [window.views.tree.nodes.rows[i].action for i in range(7)]
    index = view.model().index(1, 0)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    assert window.state.selected == (rows[1],)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert window.state.selected == (rows[2],)
    window.state.select(())
    assert view.selectedIndexes() == []
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    assert window.state.selected == (rows[1],)


def test_the_status_line_is_cleared_without_a_search(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(1000)
    window.session._poll()
    window.session._poll_text()
    assert window.views.status.evaluator.text()
    assert window.views.status.text("sims")
    analysis.start = lambda *_, **__: 7  # it compiles for a while
    window.state.open_position(load_game("othello").initial(), None)
    qtbot.waitUntil(lambda: not window.views.status.text("sims"))
    assert window.views.status.evaluator.text() == ""
    assert window.views.status.text("memory") == ""


def test_a_row_that_becomes_expandable_is_repainted(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.docks.show_dock("tree")
    tree, none = window.views.tree, np.zeros(7, np.bool_)
    window.session._pictures.stop()
    tree.show_snapshot(analysis.publish(400, expanded=none))
    regions: list[QRegion] = []

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                regions.append(event.region())
            return False

    watch = Painted()
    tree.viewport().installEventFilter(watch)

    def calm() -> bool:
        regions.clear()
        QApplication.processEvents()
        return not regions

    qtbot.waitUntil(calm)  # the first state is painted
    some = none.copy()
    some[3] = True
    tree.show_snapshot(analysis.publish(400, "limit reached", expanded=some))
    row = tree.visualRect(tree.nodes.index_of((3,)))
    sign = QPoint(tree.indentation() // 2, row.center().y())
    assert row.left() > sign.x()
    qtbot.waitUntil(lambda: any(region.contains(sign) for region in regions))
