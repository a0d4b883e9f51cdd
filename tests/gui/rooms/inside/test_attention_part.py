"""Attention in the window: the cell pointed at, the head chosen, the switch, and what the board shows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from gui.model.sources import net_source
from gui.rooms.inside.attention_part import AT, AttentionPart
from gui.widgets.board.overlays.inside import LEAST_SQUARE
from gui.window import MainWindow
from models.inside.attention import AttentionReader, Looks
from models.netfiles.tapped import TappedNet
from tests.gui.conftest import open_window
from tests.models.netfiles.katago_nets import RandomNet

GAME = load_game("go(size=5)")
BLOCKS = ("t", "f", "l")
HEADS = (2, 4)


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(RandomNet(17, BLOCKS, seed=3).file())
    return path


@pytest.fixture
def window(qtbot: QtBot, net: Path) -> MainWindow:
    window = open_window(qtbot, Analysis(), "go(size=5)")
    window.state.open_position(GAME.position("c3 b2"))
    window.state.set_limit(4)
    window.state.set_settings(SearchSettings(max_batch=1, memory_mb=32))
    window.state.set_source(net_source(net))
    return window


@pytest.fixture
def part(open_part: Any) -> AttentionPart:
    found: AttentionPart = open_part("inside_attention")
    return found


def wanted(net: Path, moves: str) -> Looks:
    return AttentionReader(TappedNet(net, GAME)).looks(GAME.position(moves))


def point_of(part: AttentionPart, cell: int) -> Any:
    corner = part.board.box(0).topLeft() + QPointF(0, part.board._line())
    return (corner + part.board._geometry(part.board.boards[0]).center(cell)).toPoint()


def grid_point(part: AttentionPart, row: int, place: int) -> Any:
    return part.grid._box(row, place).center().toPoint()


def test_every_head_has_a_board_and_the_mean_of_the_last_block_is_large(part: AttentionPart, net: Path) -> None:
    looks = wanted(net, "c3 b2")
    assert [row.name for row in part.grid.rows] == ["Block 1", "Block 3"]
    assert [len(row.boards) for row in part.grid.rows] == [heads + 1 for heads in HEADS]
    assert part.grid.marked == (1, HEADS[1])
    assert part.cell == looks.move_cell == part.board.boards[0].ringed
    np.testing.assert_array_equal(part.board.boards[0].heat.ravel(), looks.seen(1, None, looks.move_cell))
    for layer, row in enumerate(part.grid.rows):
        for head, board in enumerate(row.boards[:-1]):
            np.testing.assert_array_equal(board.heat.ravel(), looks.layers[layer].weights[head, looks.move_cell])


def test_the_boards_follow_the_pointer_and_a_click_keeps_the_cell(qtbot: QtBot, part: AttentionPart, net: Path) -> None:
    looks = wanted(net, "c3 b2")
    qtbot.mouseClick(part.grid, Qt.MouseButton.LeftButton, pos=grid_point(part, 0, 1))
    assert (part.layer, part.head) == part.grid.marked == (0, 1)
    QTest.mouseMove(part.board, point_of(part, 7))
    assert part.cell == part.board.boards[0].ringed == 7
    np.testing.assert_array_equal(part.board.boards[0].heat.ravel(), looks.layers[0].weights[1, 7])
    part.board.leaveEvent(QEvent(QEvent.Type.Leave))
    assert part.cell == looks.move_cell
    qtbot.mouseClick(part.board, Qt.MouseButton.LeftButton, pos=point_of(part, 18))
    part.board.leaveEvent(QEvent(QEvent.Type.Leave))
    assert part.cell == 18
    np.testing.assert_array_equal(part.grid.rows[1].boards[2].heat.ravel(), looks.layers[1].weights[2, 18])
    part.way.buttons[AT].click()
    np.testing.assert_array_equal(part.board.boards[0].heat.ravel(), looks.layers[0].weights[1][:, 18])
    assert f"{looks.layers[0].weights[1][:, 18].sum():.2f}" in part.explained.text()


def test_keys_choose_the_head(qtbot: QtBot, part: AttentionPart) -> None:
    for key, marked in (
        (Qt.Key.Key_Right, (1, 4)),
        (Qt.Key.Key_Left, (1, 3)),
        (Qt.Key.Key_Up, (0, 2)),
        (Qt.Key.Key_Up, (0, 2)),
        (Qt.Key.Key_Down, (1, 2)),
    ):
        qtbot.keyClick(part.grid, key)
        assert part.grid.marked == (part.layer, part.head) == marked
    assert "Block 3, head 3" in part.sentence.text()
    assert part.sentence.text() == part.grid.rows[1].boards[2].tip


def test_the_board_shows_the_head_chosen(window: MainWindow, part: AttentionPart, net: Path) -> None:
    part.on_board.click()
    part._choose_head(1, 0)
    heat = wanted(net, "c3 b2").layers[1].weights[0, part.cell]
    sides = {mark.cell: mark.side for mark in window.room.board.marks() if mark.side}
    assert sides.keys() == {cell for cell in range(25) if heat[cell] / heat.max() >= LEAST_SQUARE}
    assert window.room.board.legend("").title == "Attention, block 3, head 1"


def test_the_position_selected_is_looked_at(qtbot: QtBot, window: MainWindow, part: AttentionPart, net: Path) -> None:
    part._keep(3)
    action = GAME.action_names.index("d4")
    window.state.select((action,))
    qtbot.waitUntil(lambda: part.answered[0] == window.state.position.play(action))
    looks = wanted(net, "c3 b2 d4")
    assert part.cell == 3
    np.testing.assert_array_equal(part.board.boards[0].heat.ravel(), looks.seen(1, None, 3))


def test_a_net_of_convolutions_is_refused_in_a_sentence(
    qtbot: QtBot, window: MainWindow, part: AttentionPart, tmp_path: Path
) -> None:
    path = tmp_path / "plain.bin.gz"
    path.write_bytes(RandomNet(17, ("o",), seed=3).file())
    window.state.set_source(net_source(path))
    qtbot.waitUntil(lambda: part.looks is None)
    qtbot.waitUntil(lambda: "plain.bin.gz has no attention between the cells" in part.message.text())
    assert part.cells() is None


def test_a_narrow_room_has_the_grid_below(qtbot: QtBot, window: MainWindow, part: AttentionPart) -> None:
    part.setFixedWidth(600)
    qtbot.waitUntil(lambda: part.grid.y() > part.board.y())
    assert part.grid.x() < part.board.width()
    part.setFixedWidth(1100)
    qtbot.waitUntil(lambda: part.grid.x() > part.board.width())
