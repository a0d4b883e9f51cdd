"""The marks of a file on the board, shown only at their own node."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.files.record import MARK_KINDS, Mark
from gui.rooms.game.record_actions import Link, MarkSheet
from gui.window import MainWindow

SGF = "(;GM[4]PLYGAME[connect4]SZ[7:6];B[df]LB[df:A][cf:b]AR[df:cf][zz:cf]LN[aa:gf];W[de])"


@pytest.fixture
def sheet(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MarkSheet:
    (tmp_path / "marked.sgf").write_text(SGF)
    with qtbot.waitSignal(window.commands.filing.used):
        window.commands.filing.open_file(tmp_path / "marked.sgf")
    found = window.room.board.findChild(MarkSheet)
    assert isinstance(found, MarkSheet)
    return found


def test_marks_are_shown_at_their_node_only(qtbot: QtBot, window: MainWindow, sheet: MarkSheet) -> None:
    state = window.state
    assert sheet.isHidden()
    state.go(1)
    assert sheet.isVisible()
    assert sheet.marks == (Mark(37, "label", "b"), Mark(38, "label", "A"))
    assert sheet.links == [Link(38, 37, True), Link(0, 41, False)], "what is no point is left out"
    state.select((2,))
    assert sheet.isHidden(), "another position is on the board"
    state.select(())
    assert sheet.isVisible()
    state.go(2)
    assert sheet.isHidden()


def test_the_marks_cover_the_board_and_pass_clicks_through(qtbot: QtBot, window: MainWindow, sheet: MarkSheet) -> None:
    window.state.go(1)
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: sheet.geometry() == window.room.board.rect())
    point = window.room.board.geometry_of_board().center(2).toPoint()
    qtbot.mouseClick(window.room.board, Qt.MouseButton.LeftButton, pos=point)
    assert window.state.moves[1] == 2


def test_every_kind_is_drawn_in_its_own_way(qtbot: QtBot, window: MainWindow, sheet: MarkSheet) -> None:
    board, record = window.room.board, window.state.record
    assert record is not None
    window.state.set_overlay("none")
    window.state.go(2)
    cell = board.geometry_of_board().rect(20).toRect()
    drawn = [board.grab(cell).toImage()]
    assert board.grab(cell).toImage() == drawn[0]
    for kind in MARK_KINDS:
        record.set_marks(window.state.node, [Mark(20, kind, "A" if kind == "label" else "")])
        window.state.record_changed.emit()
        image = board.grab(cell).toImage()
        assert image not in drawn, kind
        drawn.append(image)
