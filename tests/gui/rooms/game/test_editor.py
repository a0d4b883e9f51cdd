"""The position editor: clicks, turn, texts, the report, and the new game it opens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from core.files.edit import judge
from core.games import load_game
from gui.rooms.game.editor import PositionEditor, Setup
from gui.rooms.game.record_tree import RecordLayout
from gui.widgets.record_paint import node_name
from gui.window import MainWindow

GAMES = (
    "tictactoe",
    "gomoku(size=7)",
    "connect4(rows=4, cols=5, k=3)",
    "othello(size=6)",
    "go(size=4)",
    "nim(heaps=2-3-4)",
)


def cell_center(editor: PositionEditor, cell: int):
    return editor.board.geometry_of_board().center(cell).toPoint()


def click(qtbot: QtBot, editor: PositionEditor, cell: int, player: int = 0) -> None:
    button = Qt.MouseButton.RightButton if player else Qt.MouseButton.LeftButton
    qtbot.mouseClick(editor.board, button, pos=cell_center(editor, cell))


@pytest.fixture
def edit(qtbot: QtBot):
    """Return a function that opens an editor on the position of a text."""

    def open_editor(game: str, text: str = "") -> PositionEditor:
        editor = PositionEditor(load_game(game).position(text))
        qtbot.addWidget(editor)
        editor.show()
        qtbot.waitExposed(editor)
        return editor

    return open_editor


# the setup


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(GAMES), st.data())
def test_boards_made_by_any_clicks_round_trip(name: str, data: st.DataObject) -> None:
    game = load_game(name)
    setup = Setup(game.initial())
    rows, cols = game.shape
    steps = st.tuples(st.integers(0, rows * cols - 1), st.integers(0, 1))
    for cell, player in data.draw(st.lists(steps, max_size=20)):
        before = setup.cells.copy()
        setup.click(cell, player)
        assert (setup.cells != before).any()
        if name.startswith("connect4"):
            assert ((setup.cells[:-1] == 0) | (setup.cells[1:] != 0)).all()  # no disc floats
    setup.to_move = data.draw(st.sampled_from((None, 0, 1) if setup.turn_from_stones else (0, 1)))
    verdict = setup.verdict()
    assert verdict == judge(game, setup.cells, setup.to_move)
    again = Setup(game.initial())
    again.to_move = setup.to_move
    again.read(setup.diagram())
    assert np.array_equal(again.cells, setup.cells)
    assert again.verdict().position == verdict.position


@pytest.mark.parametrize("name", [name for name in GAMES if not name.startswith("nim")])
def test_the_same_click_twice_removes_the_stone(name: str) -> None:
    setup = Setup(load_game(name).initial())
    empty = setup.cells.copy()
    bottom = setup.cells.size - 1
    setup.click(bottom, 1)
    assert setup.cells.flat[bottom] == 2
    setup.click(bottom, 0)
    assert setup.cells.flat[bottom] == 1
    setup.click(bottom, 0)
    assert np.array_equal(setup.cells, empty)


def test_discs_fall() -> None:
    setup = Setup(load_game("connect4(rows=4, cols=5, k=3)").initial())
    for cell, player in ((0, 0), (0, 1), (0, 0)):
        setup.click(cell, player)
    assert setup.cells[:, 0].tolist() == [0, 1, 2, 1]
    setup.click(3 * 5, 0)
    assert setup.cells[:, 0].tolist() == [0, 0, 1, 2]


def test_clicking_a_chip_sets_the_size_of_its_heap() -> None:
    setup = Setup(load_game("nim(heaps=2-3-4)").initial())
    setup.click(2 * 4 + 1, 0)
    assert setup.heap(2) == 2
    setup.click(2 * 4 + 1, 0)
    assert setup.heap(2) == 1
    setup.click(2 * 4, 1)
    assert setup.heap(2) == 0


# the dialog


def test_stones_are_set_and_the_report_follows(qtbot: QtBot, edit) -> None:
    editor = edit("tictactoe")
    assert editor.main.isEnabled()
    click(qtbot, editor, 4, 1)
    assert editor.verdict.text() == "1 problem"
    assert "as many X as O or one more" in editor.report.text()
    assert not editor.main.isEnabled()
    click(qtbot, editor, 0)
    assert editor.verdict.text() == "No problem was found."
    assert editor.report.text() == "• X to move; legal moves: 7."
    assert editor.position == load_game("tictactoe").parse_diagram("X . .\n. O .\n. . .")
    click(qtbot, editor, 0)
    for cell in (0, 1, 2):
        click(qtbot, editor, cell, 0)
    for cell in (3, 5):
        click(qtbot, editor, cell, 1)
    assert "Both X and O have 3 in a row." in editor.report.text()
    editor.board.grab()


def test_the_report_names_the_players_as_the_board_does(edit) -> None:
    editor = edit("connect4(rows=4, cols=5, k=3)")
    editor.text.setPlainText("a")
    assert editor.report.text() == "• Yellow to move; legal moves: 5."
    editor.text.setPlainText("a b a b a")
    assert editor.report.text() == "• The game is over: Red has won."


def test_every_problem_is_named(qtbot: QtBot, edit) -> None:
    editor = edit("connect4(rows=4, cols=5, k=3)")
    editor.text.setPlainText("X . . . .\n. . . . .\nX . . . .\nX O . . .")
    assert editor.verdict.text() == "2 problems"
    assert editor.report.text() == (
        "• Its disc at a4 has nothing under it.\n"
        "• It has 3 X and 1 O, and as X begins there must be as many X as O or one more."
    )
    assert editor.position is None
    editor.board.grab()


def test_the_board_is_set_up_with_keys(qtbot: QtBot, edit) -> None:
    editor = edit("tictactoe")
    editor.board.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_X, Qt.Key.Key_Down, Qt.Key.Key_O, Qt.Key.Key_Left, Qt.Key.Key_1):
        qtbot.keyClick(editor.board, key)
    assert editor.setup.cells.ravel().tolist() == [0, 0, 0, 0, 1, 0, 1, 2, 0]
    assert editor.text.toPlainText().endswith("O to move")
    editor.board.grab()


def test_the_turn_can_be_set_or_follows_from_the_stones(qtbot: QtBot, edit) -> None:
    editor = edit("othello(size=4)")
    assert [editor.turn.itemText(i) for i in range(editor.turn.count())] == ["Black", "White"]
    editor.turn.setCurrentIndex(1)
    editor.turn.activated.emit(1)
    assert editor.position.to_move == 1
    stones = edit("tictactoe")
    assert stones.turn.currentText() == "From the stones"
    stones.turn.setCurrentIndex(2)
    stones.turn.activated.emit(2)
    assert stones.position is None
    assert "it is X's turn" in stones.report.text()


def test_heaps_are_set_by_their_fields(qtbot: QtBot, edit) -> None:
    editor = edit("nim(heaps=2-3-4)")
    editor.heaps[1].setValue(0)
    assert editor.position.cells()[1].tolist() == [0, 0, 0, 0]
    editor.heaps[0].setValue(3)
    assert editor.report.text() == "• Heap 1 has 3 chips and the game begins with 2."
    editor.again.click()
    assert [spin.value() for spin in editor.heaps] == [2, 3, 4]
    click(qtbot, editor, 2 * 4 + 1)
    assert editor.heaps[2].value() == 2
    editor.clear.click()
    assert [spin.value() for spin in editor.heaps] == [0, 0, 0]
    assert "game is over" in editor.report.text()


def test_positions_are_copied_and_pasted(qtbot: QtBot, edit) -> None:
    editor = edit("gomoku(size=7)", "d4 e5")
    assert editor.setup.last >= 0
    QGuiApplication.clipboard().setText("a1 b2 c3")
    editor.paste.click()
    assert editor.position == load_game("gomoku(size=7)").position("a1 b2 c3")
    assert editor.text.toPlainText() == "a1 b2 c3"  # the text is left as entered
    click(qtbot, editor, 0, 1)
    editor.copy.click()
    assert QGuiApplication.clipboard().text() == editor.position.diagram()
    editor.text.setPlainText("a1 q9")
    assert editor.position is None
    assert "'q9'" in editor.report.text()
    assert not editor.main.isEnabled()
    editor.again.click()
    assert editor.position == load_game("gomoku(size=7)").position("d4 e5")
    editor.clear.click()
    assert editor.position == load_game("gomoku(size=7)").initial()


def test_a_pasted_text_may_set_the_turn(qtbot: QtBot, edit) -> None:
    editor = edit("tictactoe")
    editor.text.setPlainText("X . .\n. . .\n. . .\nO to move")
    assert editor.turn.currentText() == "From the stones"
    click(qtbot, editor, 4, 1)
    assert editor.position is not None
    editor.text.setPlainText("X . .\n. . .\n. . .\nX to move")
    assert "it is O's turn" in editor.report.text()


# in the window


def test_the_position_is_opened_as_a_new_game(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((3, 3))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    editor = next(dialog for dialog in window.findChildren(QDialog) if isinstance(dialog, PositionEditor))
    qtbot.waitExposed(editor)
    click(qtbot, editor, 0, 0)
    assert not window.state.start.moves
    assert window.state.moves == (3, 3)
    with qtbot.waitSignal(window.state.position_changed):
        editor.main.click()
    state = window.state
    assert state.moves == ()
    assert state.position.cells()[:, 0].tolist() == [0, 0, 0, 0, 0, 1]
    assert state.position.to_move == 1
    assert window.room.player.title == "Yellow to move"
    assert window.state.document.unsaved
    state.play(2)
    assert state.record.start == state.start


def test_the_position_is_added_to_the_game(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play_line((3, 3))
    window.context.actions["edit_position"].trigger()
    editor = next(dialog for dialog in window.findChildren(QDialog) if isinstance(dialog, PositionEditor))
    assert not editor.insert.isEnabled(), "it is the position on the board"
    click(qtbot, editor, 0, 0)
    with qtbot.waitSignal(editor.finished):
        editor.insert.click()
    state = window.state
    assert (state.cursor, len(state.moves)) == (3, 3)
    assert state.moves[2] < 0
    assert state.position.cells()[5].tolist() == [1, 0, 0, 1, 0, 0, 0]
    assert window.room.player.title == "Yellow to move"
    state.play(0)
    assert window.room.record.accessibleDescription() == "d d set up a"
    assert state.record is not None
    assert [node_name(state.record, node) for node in state.line_nodes[2:]] == ["2. d", "3. set up", "4. a"]
    state.go(3)
    state.play(1)
    (_, fork) = [chain for row in RecordLayout(state.record).rows for chain in row]
    assert fork.player == 1, "Yellow plays b after the stones that were set up"
    state.undo()
    state.undo()
    state.undo()
    assert state.moves == (3, 3)


def test_leaving_the_editor_changes_nothing(qtbot: QtBot, window: MainWindow) -> None:
    window.state.play(3)
    window.context.actions["edit_position"].trigger()
    editor = next(dialog for dialog in window.findChildren(QDialog) if isinstance(dialog, PositionEditor))
    editor.clear.click()
    with qtbot.waitSignal(editor.finished):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert window.state.moves == (3,)
