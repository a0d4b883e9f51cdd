"""The dock "Game": its tree, its commands and keys, the comment, and files that keep all of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from core.files.record import ROOT, GameRecord
from core.files.session import open_session
from core.files.sgf import read_sgf
from core.games import load_game
from gui.model.keymap import title_of
from gui.rooms.game.record_panel import RecordPanel, node_menu
from gui.rooms.game.record_tree import RecordLayout
from gui.widgets.record_paint import node_name, sign_of
from gui.window import MainWindow
from tests.core.files.records import records
from tests.gui.fakes import FakeAnalysis

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow) -> RecordPanel:
    """Open the dock by its key, for a game with two variations: d d c, and d (c b | a)."""
    state = window.state
    state.play_line((3, 3, 2))
    state.go(1)
    state.play_line((2, 1))
    state.go(1)
    state.play(0)
    press(qtbot, window, Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: window.docks["game"].widget_made is not None)
    panel = window.docks["game"].widget_made
    assert isinstance(panel, RecordPanel)
    qtbot.waitUntil(panel.isVisible)
    return panel


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.room.board.setFocus()
    qtbot.keyClick(window.room.board, key, modifier)


def click_node(qtbot: QtBot, panel: RecordPanel, node: int) -> None:
    at = panel.tree.rect_of(node).center().toPoint()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)


def children(window: MainWindow, node: int) -> list[int]:
    """Return the moves after a node, in order."""
    record = window.state.record
    return [record.node(child).action for child in record.node(node).children]


# the layout


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(records(("tictactoe", "gomoku(size=7)")))
def test_every_move_has_a_place_of_its_own(record: GameRecord) -> None:
    layout = RecordLayout(record)
    nodes = list(record.preorder())
    assert len({layout.place(node) for node in nodes}) == len(nodes)
    assert [layout.place(node) for node in record.main_line()] == [(i, 0) for i in range(len(record.main_line()))]
    for node in nodes:
        col, row = layout.place(node)
        assert col == len(record.line(node)) - 1
        assert layout.node_at(col, row) == node
        for child in record.node(node).children:
            across = layout.place(child)
            assert across[1] >= row
            # the line down to a variation crosses no other move
            assert all(layout.node_at(col, r) is None for r in range(row + 1, across[1] + 1))
    assert layout.cols == 1 + max(len(record.line(node)) - 1 for node in nodes)
    assert layout.node_at(0, len(layout.rows)) is layout.node_at(layout.cols, 0) is None


def test_variations_are_laid_out_below_their_branching_move() -> None:
    record = GameRecord(load_game("tictactoe").initial())
    end = record.play_line(ROOT, (0, 1, 2, 3))
    early = record.play_line(record.line(end)[1], (5, 6, 7))
    late = record.play_line(record.line(end)[3], (6,))
    layout = RecordLayout(record)
    assert (layout.place(late), layout.place(early)) == ((4, 1), (4, 2))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(records(("tictactoe", "gomoku(size=7)")), st.randoms())
def test_appending_a_move_equals_a_new_layout(record: GameRecord, random: random.Random) -> None:
    layout = RecordLayout(record)
    for _ in range(8):
        open_nodes = [node for node in record.preorder() if not record.position(node).is_over]
        if not open_nodes:
            return
        node = random.choice(open_nodes)
        ends, size = not record.node(node).children, len(record)
        child = record.play(node, random.choice(record.position(node).legal_actions()))
        if len(record) == size:
            continue
        fresh = RecordLayout(record)
        if layout.extend(node, child):
            assert ends
            assert (layout.rows, layout.forks, layout.cols) == (fresh.rows, fresh.forks, fresh.cols)
            assert [layout.place(n) for n in record.preorder()] == [fresh.place(n) for n in record.preorder()]
        else:
            assert layout.place(child) is None
        layout = fresh


@pytest.mark.slow
def test_appending_a_move_makes_no_new_layout(
    window: MainWindow, panel: RecordPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.state.go_to(window.state.record.main_line()[-1])
    made = []
    monkeypatch.setattr(
        "gui.rooms.game.record_tree.RecordLayout", lambda record: made.append(1) or RecordLayout(record)
    )
    window.state.play(6)
    assert panel.tree.rect_of(window.state.node).isValid()
    assert made == []
    window.state.undo()
    window.state.play(5)
    assert panel.tree.rect_of(window.state.node).isValid()
    assert len(made) == 1  # one layout after the undo; the move was added to it


# selecting moves


def test_a_click_on_a_move_shows_its_position(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    main = state.record.main_line()
    click_node(qtbot, panel, main[3])
    assert state.line == (3, 3, 2)
    click_node(qtbot, panel, ROOT)
    assert (state.cursor, state.moves) == (0, (3, 3, 2))
    panel.tree.grab()


@pytest.mark.slow
def test_up_and_down_go_to_the_variations(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    assert state.line == (3, 0)
    press(qtbot, window, Qt.Key.Key_Up)
    assert state.line == (3, 2)
    press(qtbot, window, Qt.Key.Key_Up)
    assert state.line == (3, 3)
    assert not window.context.actions["variation_above"].isEnabled()
    press(qtbot, window, Qt.Key.Key_Up)
    assert state.line == (3, 3)
    press(qtbot, window, Qt.Key.Key_Down)
    assert state.line == (3, 2)
    qtbot.mouseClick(panel.buttons["variation_below"], Qt.MouseButton.LeftButton)
    assert state.line == (3, 0)
    assert panel.count.text() == "variation 3 of 3 · 6 moves"


@pytest.mark.slow
def test_up_and_down_stay_with_a_table_that_has_the_focus(
    qtbot: QtBot, window: MainWindow, panel: RecordPanel, analysis: FakeAnalysis
) -> None:
    analysis.publish(1000)
    qtbot.waitUntil(lambda: window.views.tree.nodes.rowCount() == 7)
    window.views.tree.setFocus()
    window.views.tree.select_path((window.views.tree.nodes.rows[3].action,))
    qtbot.keyClick(window.views.tree, Qt.Key.Key_Up)
    assert window.views.tree.currentIndex().row() == 2
    assert window.state.line == (3, 0)
    window.room.board.setFocus()
    press(qtbot, window, Qt.Key.Key_Up)
    assert window.state.line == (3, 2)


@pytest.mark.slow
def test_the_tree_scrolls_to_the_cursor_and_pans(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    window.state.open_position(load_game("gomoku").position("a1"), None)
    record = window.state.record
    assert record is not None
    moves = tuple(range(1, 225, 3))
    window.state.play_line(moves)
    tree = panel.tree
    assert tree.viewport().rect().contains(tree.rect_of(window.state.node).toRect())
    window.state.go(0)
    assert tree.viewport().rect().contains(tree.rect_of(ROOT).toRect())
    bar = tree.horizontalScrollBar()
    assert bar.value() == 0
    middle = QPointF(tree.viewport().rect().center())
    wheel = QWheelEvent(
        middle,
        tree.viewport().mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    tree.wheelEvent(wheel)
    assert bar.value() > 0
    before, here = bar.value(), middle.toPoint()
    qtbot.mousePress(tree.viewport(), Qt.MouseButton.LeftButton, pos=here)
    qtbot.mouseMove(tree.viewport(), here - QPoint(40, 0))
    qtbot.mouseRelease(tree.viewport(), Qt.MouseButton.LeftButton, pos=here - QPoint(40, 0))
    assert bar.value() == before + 40
    assert window.state.cursor == 0  # dragging selects nothing


@pytest.mark.slow
def test_a_reopened_dock_is_up_to_date(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    window.context.actions["game"].trigger()
    assert panel.isHidden() or not panel.isVisible()
    window.state.play_line((5, 5))
    window.context.actions["game"].trigger()
    qtbot.waitUntil(panel.isVisible)
    assert panel.tree.viewport().rect().contains(panel.tree.rect_of(window.state.node).toRect())
    assert panel.title.text() == "Comment on 4. f"


@pytest.mark.slow
def test_tips_and_accessible_names_describe_moves(window: MainWindow, panel: RecordPanel) -> None:
    record = window.state.record
    assert record is not None
    window.state.set_comment("said\n" + "long " * 60)
    assert panel.tree.tip(window.state.node).startswith("2. a\nsaid\nlong ")
    assert panel.tree.tip(window.state.node).endswith("…")
    assert node_name(record, ROOT) == "the start"
    assert "2. a, variation 3 of 3" in panel.tree.accessibleDescription()


def test_judged_moves_are_marked(window: MainWindow, panel: RecordPanel) -> None:
    record, node = window.state.record, window.state.node
    plain = panel.tree.grab().toImage()
    record.keep_of_file(node, [("BM", ("1",))], ())
    assert sign_of(record, node) == "?"
    bad = panel.tree.grab().toImage()
    window.state.set_signs({2: "!"})
    assert window.state.signs == {node: "!"}
    good = panel.tree.grab().toImage()
    assert plain != bad != good != plain
    window.context.opener.new_game()
    assert window.state.signs == {}


# changing


def test_promote_and_main_line(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    (first,) = state.record.node(ROOT).children
    assert children(window, first) == [3, 2, 0]
    press(qtbot, window, Qt.Key.Key_Up, CTRL | SHIFT)
    assert children(window, first) == [3, 0, 2]
    qtbot.mouseClick(panel.buttons["make_main"], Qt.MouseButton.LeftButton)
    assert children(window, first) == [0, 3, 2]
    assert state.line == (3, 0)
    assert not panel.buttons["promote"].isEnabled()
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert children(window, first) == [3, 2, 0]
    press(qtbot, window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert children(window, first) == [3, 0, 2]


def test_a_deleted_variation_is_restored_by_undo(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    record = state.record
    state.go_to(record.child(record.line(state.node)[1], 2) or ROOT)
    press(qtbot, window, Qt.Key.Key_Delete)
    assert (len(record), state.line) == (5, (3,))
    assert window.banner.text == "2 moves were deleted. Undo (Ctrl+Z) brings them back."
    qtbot.mouseClick(panel.buttons["undo"], Qt.MouseButton.LeftButton)
    assert (len(record), state.line) == (7, (3, 2))
    qtbot.mouseClick(panel.buttons["redo"], Qt.MouseButton.LeftButton)
    assert len(record) == 5
    state.go(0)
    assert not window.context.actions["delete"].isEnabled()


def test_undo_takes_the_move_just_played_back(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    state.play(6)
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert state.moves == (3, 0)
    press(qtbot, window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert state.moves == (3, 0, 6)
    press(qtbot, window, Qt.Key.Key_Backspace)
    assert state.moves == (3, 0)
    while window.context.actions["undo"].isEnabled():
        window.context.actions["undo"].trigger()
    assert state.moves == ()
    assert panel.count.text() == "no move yet"
    assert not window.room.navigation["undo"].isEnabled()


@pytest.mark.slow
def test_the_menu_of_a_move_acts_on_that_move(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    record = state.record
    (first,) = record.node(ROOT).children
    other = record.node(first).children[1]

    def run(text: str, node: int = other) -> None:
        menu = node_menu(window.context, node, panel)
        next(action for action in menu.actions() if title_of(action) == text).trigger()

    run("Move the variation up")
    assert children(window, first) == [2, 3, 0]
    assert state.line == (3, 0)
    run("Make it the main line", record.node(first).children[2])
    assert children(window, first) == [0, 2, 3]
    run("Show this position")
    assert state.node == other
    state.go(0)
    run("Delete from here on")
    assert children(window, first) == [0, 3]
    enabled = {title_of(action): action.isEnabled() for action in node_menu(window.context, ROOT, panel).actions()}
    assert not any(enabled[text] for text in ("Show this position", "Make it the main line", "Delete from here on"))


@pytest.mark.slow
def test_the_menu_opens_on_a_move(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    at = panel.tree.rect_of(window.state.node).center().toPoint()
    where = panel.tree.viewport().mapToGlobal(at)
    panel.tree.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, where))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    assert popup.actions()[0].text() == "2. a"
    popup.close()
    panel.tree.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, where))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    QApplication.activePopupWidget().close()


# comments


def test_a_comment_is_written_from_the_keyboard(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    press(qtbot, window, Qt.Key.Key_C)
    assert panel.comment.hasFocus()
    qtbot.keyClicks(panel.comment, "a good move, K")
    qtbot.keyClick(panel.comment, Qt.Key.Key_Return)
    qtbot.keyClicks(panel.comment, "or not")
    qtbot.keyClick(panel.comment, Qt.Key.Key_Left)
    qtbot.keyClick(panel.comment, Qt.Key.Key_Backspace)
    assert state.comment == "a good move, K\nor nt"
    assert state.line == (3, 0)  # no shortcut of the window was run
    assert state.coordinates
    qtbot.keyClick(panel.comment, Qt.Key.Key_Escape)
    assert window.room.board.hasFocus()
    press(qtbot, window, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: state.cursor == 1)
    assert panel.comment.text == ""
    press(qtbot, window, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: state.cursor == 2)
    assert panel.comment.text == "a good move, K\nor nt"
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert (state.comment, panel.comment.text) == ("", "")


@pytest.mark.slow
def test_showing_a_comment_does_not_change_it(window: MainWindow, panel: RecordPanel) -> None:
    state = window.state
    message = "no\u00a0break\u2028 \ttab\u200b 五子棋 \U0001f642"
    state.record.set_comment(state.node, message)
    revision = state.record.revision
    for ply in (1, 2, 0, 2):
        state.go(ply)
    assert state.record.revision == revision
    assert state.comment == message
    cursor = panel.comment.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    cursor.insertText("!")
    assert state.comment == message.replace("\u2028", "\n") + "!"


@pytest.mark.slow
def test_a_low_wide_dock_has_the_comment_beside_the_tree(qtbot: QtBot, window: MainWindow, panel: RecordPanel) -> None:
    panel.setParent(None)
    qtbot.addWidget(panel)
    panel.show()
    for size, along in (((960, 240), Qt.Orientation.Horizontal), ((500, 500), Qt.Orientation.Vertical)):
        panel.resize(*size)
        qtbot.waitUntil(lambda along=along: panel.split.orientation() == along)


# files


@pytest.mark.parametrize("suffix", [".sgf", ".plyscope"])
def test_variations_and_comments_round_trip_through_files(
    qtbot: QtBot, window: MainWindow, panel: RecordPanel, tmp_path: Path, suffix: str
) -> None:
    state = window.state
    press(qtbot, window, Qt.Key.Key_C)
    qtbot.keyClicks(panel.comment, "said [so]\\: still being written")
    record, line = state.record, state.line
    path = tmp_path / f"game{suffix}"
    with qtbot.waitSignal(window.commands.filing.used):
        (window.commands.filing.save_sgf if suffix == ".sgf" else window.commands.filing.save_session)(path)
    saved = read_sgf(path.read_bytes()).records[0] if suffix == ".sgf" else open_session(path).session.games[0].record
    assert saved == record
    window.context.opener.new_game()
    with qtbot.waitSignal(state.position_changed):
        window.commands.filing.open_file(path)
    assert state.record == record
    assert state.record is not record
    if suffix == ".plyscope":  # a session is restored in the variation it was left in, with no line reordered
        assert (state.line, panel.comment.text) == (line, "said [so]\\: still being written")
    else:
        assert state.cursor == 0


# the engine


@pytest.mark.slow
def test_a_variation_and_back_finds_the_earlier_tree(qtbot: QtBot, real_window: MainWindow) -> None:
    state, session = real_window.state, real_window.session
    state.open_position(load_game("gomoku(size=7)").initial(), None)
    state.set_limit(400)

    def searched() -> dict[int, int]:
        """Return the visits of each move of the position shown, once its search has reached the limit."""
        qtbot.waitUntil(lambda: session.snapshot is not None and bool(session.snapshot.reason))
        assert session.snapshot is not None
        assert session.snapshot.position == state.position
        return {row.action: row.visits for row in session.snapshot.moves}

    searched()
    state.play(24)
    first, one = state.node, searched()
    state.go(0)
    state.play(16)
    second, other = state.node, searched()
    state.set_limit(1)  # larger numbers come from the earlier searches
    for node, visits in ((first, one), (second, other), (first, one), (ROOT, {24: 1, 16: 1})):
        state.go_to(node)
        again = searched()
        assert all(again[action] >= count for action, count in visits.items())
    assert sum(one.values()) >= 390
