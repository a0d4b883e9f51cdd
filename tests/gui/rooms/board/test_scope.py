"""Searching chosen moves or a locked position: shown above the board; no figure appears at another position."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import load_game
from gui.rooms.board.scope import Scope, scope_after, scope_choices
from gui.rooms.tree.tree_room import TreeRoom
from gui.window import MainWindow
from tests.gui.conftest import open_window
from tests.gui.fakes import FakeAnalysis
from tests.gui.test_window import key


def scope_of(window: MainWindow) -> Scope:
    scope = window.room.findChild(Scope)
    assert scope is not None
    return scope


def choose(window: MainWindow, title: str) -> None:
    """Choose an entry of the open menu, and close it."""
    menu = scope_of(window).menu
    entry = next(action for action in menu.actions() if action.text() == title)
    entry.trigger()
    menu.close()


def titles(window: MainWindow) -> list[str]:
    menu = scope_of(window).menu
    assert isinstance(menu, QMenu)
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def ask_board(window: MainWindow, cell: int) -> None:
    point = window.room.board.geometry_of_board().center(cell).toPoint()
    window.room.board.customContextMenuRequested.emit(point)


def chips(window: MainWindow) -> list[str]:
    return [chip.text() for chip in scope_of(window).strip.chips]


@pytest.fixture
def small(qtbot: QtBot) -> MainWindow:
    """Open a small Connect Four with the real analysis and random rollouts."""
    return open_window(qtbot, Analysis(), "connect4(rows=4, cols=5, k=3)")


def finished(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the position shown has been searched to its limit."""

    def done() -> bool:
        snapshot = window.session.snapshot
        return snapshot is not None and bool(snapshot.reason) and not window.session.searching

    qtbot.waitUntil(done)


def test_scope_changes_and_choices() -> None:
    legal = (0, 1, 2, 3)
    assert scope_after("only", 2, (), legal) == (2,)
    assert scope_after("also", 0, (2,), legal) == (0, 2)
    assert scope_after("without", 1, (), legal) == (0, 2, 3)
    assert scope_after("without", 1, (), legal, twins=(3,)) == (0, 2)
    assert scope_after("without", 2, (2,), legal) == (2,)
    assert scope_choices(1, (), legal) == ("only", "without")
    assert scope_choices(1, (2,), legal) == ("only", "also", "all")
    assert scope_choices(2, (2,), legal) == ("all",)
    assert scope_choices(2, (1, 2), legal) == ("only", "without", "all")
    assert scope_choices(0, (), (0,)) == ()


def test_moves_chosen_on_the_board_alone_are_searched(qtbot: QtBot, small: MainWindow) -> None:
    finished(qtbot, small)
    assert scope_of(small).strip.isHidden()
    ask_board(small, 2)
    assert titles(small) == ["Why not c?", "Where c occurs in the tree", "Search only c", "Leave c out"]
    choose(small, "Search only c")
    assert small.session.snapshot is None or not small.session.snapshot.root.left_out
    finished(qtbot, small)
    ask_board(small, 4)
    choose(small, "Search e, too")
    finished(qtbot, small)
    snapshot = small.session.snapshot
    assert set(snapshot.root.actions.tolist()) == {2, 4}
    assert sorted(snapshot.root.left_out) == [0, 1, 3]
    assert scope_of(small).strip.isVisible()
    assert chips(small) == ["c", "e"]
    qtbot.waitUntil(lambda: "only c, e ·" in small.docks["tree"].heading.text())
    model = small.views.tree.nodes
    left_out = [model.rows[i].name for i in range(model.rowCount()) if model.rows[i].left_out]
    assert left_out == ["a", "b", "d"]
    assert [model.rows[i].left_out for i in range(5)] == [False, False, True, True, True]
    assert model.data(model.index(4, model.columnCount() - 1)) == "left out of the search"
    scope_of(small).strip.all.click()
    finished(qtbot, small)
    assert not small.session.snapshot.root.left_out
    assert scope_of(small).strip.isHidden()


def test_chips_and_the_table_leave_moves_out(qtbot: QtBot, small: MainWindow) -> None:
    finished(qtbot, small)
    point = small.views.tree.visualRect(small.views.tree.nodes.index_of((3,))).center()
    small.views.tree.customContextMenuRequested.emit(point)
    choose(small, "Leave d out")
    assert (scope_of(small).strip.title.text(), chips(small)) == ("Without", ["d"])
    small.state.restrict((0, 2))
    assert (scope_of(small).strip.title.text(), chips(small)) == ("Only", ["a", "c"])
    small.state.restrict((0, 1, 2, 4))
    scope_of(small).strip.chips[0].click()
    assert small.state.only == ()
    small.state.restrict((2, 4))
    scope_of(small).strip.chips[1].click()
    assert small.state.only == (2,)
    small.state.restrict((1, 2, 4))
    qtbot.waitUntil(lambda: "without a, d ·" in small.docks["tree"].heading.text())
    finished(qtbot, small)
    assert set(small.session.snapshot.root.actions.tolist()) == {1, 2, 4}


@pytest.mark.slow
def test_another_position_is_searched_whole(qtbot: QtBot, small: MainWindow) -> None:
    small.state.restrict((2,))
    finished(qtbot, small)
    visits = small.session.snapshot.moves[0].visits if small.session.snapshot is not None else 0
    small.state.play(2)
    assert small.state.only == ()
    assert scope_of(small).strip.isHidden()
    finished(qtbot, small)
    snapshot = small.session.snapshot
    assert not snapshot.root.left_out
    assert snapshot.simulations >= min(visits, small.state.limit), "the move's own tree is kept"


def test_a_proof_among_some_moves_is_marked_as_such(qtbot: QtBot) -> None:
    window = open_window(qtbot, Analysis(), "tictactoe")
    position = load_game("tictactoe").position("a1 b2 b1")  # only c1 does not lose
    window.state.set_limit(100000)
    window.state.open_position(position)
    action = {name: a for a, name in enumerate(position.game.action_names)}
    window.state.restrict(tuple(a for a in position.legal_actions() if a != action["c1"]))
    finished(qtbot, window)
    assert window.session.snapshot.reason == "proved"
    qtbot.waitUntil(lambda: window.views.status.state.text().startswith("proved for the moves searched: X wins"))
    assert "by the moves searched" in window.room.player.value


@pytest.mark.slow
def test_commands_act_on_the_selected_move(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.context.actions["only_move"].trigger()
    assert "No move is selected" in window.banner.text
    window.state.select((3,))
    window.context.actions["only_move"].trigger()
    assert window.state.only == (3,)
    assert analysis.started[-1].only == (3,)
    window.context.actions["without_move"].trigger()
    assert "changes nothing" in window.banner.text
    window.state.select((4,))
    window.context.actions["also_move"].trigger()
    assert analysis.started[-1].only == (3, 4)
    window.context.actions["all_moves"].trigger()
    assert analysis.started[-1].only == ()


@pytest.mark.slow
def test_the_menu_of_a_move_asks_where_it_occurs_in_the_tree(qtbot: QtBot, small: MainWindow) -> None:
    finished(qtbot, small)
    ask_board(small, 2)
    choose(small, "Where c occurs in the tree")
    room = small.docks["tree"].fill()
    assert isinstance(room, TreeRoom)
    assert room.box.text() == "move == c"
    assert small.docks["tree"].isVisible()


def test_a_preview_has_no_menu_of_the_position(window: MainWindow) -> None:
    window.state.select((3, 2))
    ask_board(window, 3)
    assert scope_of(window).menu is None


@pytest.mark.slow
def test_many_chips_are_counted(qtbot: QtBot) -> None:
    window = open_window(qtbot, FakeAnalysis(), "gomoku(size=9)")
    window.state.restrict(tuple(range(30)))
    strip = scope_of(window).strip
    shown = [chip for chip in strip.chips if not chip.isHidden()]
    assert 0 < len(shown) <= 12
    assert strip.more.text() == f"and {30 - len(shown)} more"
    assert strip.minimumSizeHint().width() <= window.room.board.parentWidget().width()


# the lock


def test_a_locked_search_continues_while_another_position_is_shown(qtbot: QtBot, small: MainWindow) -> None:
    state, session = small.state, small.session
    state.play_line((2, 1, 3))
    key(qtbot, small, Qt.Key.Key_L)
    assert small.context.actions["lock"].isChecked()
    small.context.actions["lock"].trigger()
    small.context.actions["lock"].trigger()
    assert session.locked == state.position
    session.continue_search()
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.simulations > 100)
    received: list[object] = []
    state.go(1)
    session.snapshot_for_frame.connect(received.append)
    session.snapshot_for_text.connect(received.append)
    assert session.snapshot is None
    qtbot.waitUntil(lambda: small.views.tree.nodes.rowCount() == 0)
    assert small.views.status.state.text() in ("analysing move 4 · locked", "move 4 is analysed · locked")
    strip = scope_of(small).strip
    assert strip.lock.text() in ("Analysing move 4 · locked", "Move 4 is analysed · locked")
    assert strip.minimumSizeHint().width() <= strip.sizeHint().width() - strip.lock.sizeHint().width() + 40
    assert not strip.visit.isHidden()
    session._poll()
    assert not any(received), "the locked position's figures are not told here"
    assert small.room.board.marks() == []
    small.commands.engine_move()
    assert state.cursor == 1
    strip.visit.click()
    assert state.cursor == 3
    snapshot = session.snapshot
    assert snapshot is not None, "at once"
    assert snapshot.position == state.position
    assert snapshot.simulations > 100
    assert strip.visit.isHidden()
    strip.unlock.click()
    assert strip.isHidden()
    assert session.snapshot is snapshot, "nothing was searched anew"


@pytest.mark.slow
def test_unlocking_on_another_position_analyses_it(window: MainWindow, analysis: FakeAnalysis) -> None:
    analysis.publish(300)
    window.context.actions["lock"].trigger()
    started = len(analysis.started)
    window.state.play(3)
    window.state.select((2,))
    assert len(analysis.started) == started
    assert analysis.agenda.opened == ()
    window.context.actions["lock"].trigger()
    assert len(analysis.started) == started + 1
    assert analysis.started[-1].position == window.state.position


@pytest.mark.slow
def test_a_locked_position_keeps_its_moves(window: MainWindow, analysis: FakeAnalysis) -> None:
    window.context.actions["lock"].trigger()
    window.state.restrict((2, 3))
    window.state.play(3)
    assert window.state.only == ()
    window.state.set_limit(77)
    assert analysis.started[-1].only == (2, 3)
    assert analysis.started[-1].position.moves == ()
    window.state.take_back()
    assert window.state.only == (2, 3)
    assert chips(window) == ["c", "d"]
    window.room.board.customContextMenuRequested.emit(QPoint(-5, -5))
    assert scope_of(window).menu is None


@pytest.mark.slow
def test_a_locked_search_offers_no_choice_of_moves_elsewhere(window: MainWindow) -> None:
    window.context.actions["lock"].trigger()
    window.state.play(3)
    ask_board(window, 2)
    assert titles(window) == ["The search is locked on another position", "Unlock"]
    window.state.select((2,))
    window.context.actions["only_move"].trigger()
    assert window.state.only == ()
    assert "locked" in window.banner.text
    choose(window, "Unlock")
    assert window.session.locked is None


@pytest.mark.slow
def test_the_way_back_is_found_from_another_variation(window: MainWindow, analysis: FakeAnalysis) -> None:
    state, strip = window.state, scope_of(window).strip
    state.play_line((3, 2, 3))
    window.context.actions["lock"].trigger()
    assert strip.visit.isHidden()
    locked = state.position
    state.go(1)
    state.play_line((4, 4))
    assert not strip.visit.isHidden()
    strip.visit.click()
    assert state.position == locked


@pytest.mark.parametrize("name", ["connect4", "tictactoe"])
def test_another_game_ends_the_lock(window: MainWindow, name: str) -> None:
    window.context.actions["lock"].trigger()
    window.state.open_position(load_game(name).initial())
    assert window.session.locked is None
    assert not window.context.actions["lock"].isChecked()
