"""The atlas of channels in the window: the grid, the examples of a channel, one number taken apart."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from core.games import load_game
from core.games.net_inputs import inputs_of
from gui.rooms.inside.channels_part import TERMS, sum_chart
from gui.rooms.inside.heat_boards import GAP, HeatBoard, HeatBoards
from gui.widgets.board.overlays.inside import LEAST_SQUARE
from models.inside.sums import SumReader
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet

GAME = load_game("tictactoe")
NET = nets_dir() / "tictactoe-2x32.onnx"


@pytest.fixture
def part(open_part):
    return open_part("inside_channels")


def click(qtbot, boards, place, cell=0):
    """Click a cell of one of the boards."""
    box = boards.box(place)
    corner = box.topLeft() + QPointF(0, boards._line())
    point = corner + boards._geometry(boards.boards[place]).center(cell)
    qtbot.mouseClick(boards, Qt.MouseButton.LeftButton, pos=point.toPoint())


def test_from_the_grid_to_the_sum_of_one_number(qtbot, window, part):
    atlas = part.looked.atlas
    assert [part.blocks.itemText(i) for i in range(part.blocks.count())] == ["Stem", "Block 1", "Block 2"]
    assert part.block == 2
    assert [board.title for board in part.grid.boards] == [str(number) for number in range(32)]
    number = next(channel.number for channel in atlas.channels[2] if not channel.dead)
    click(qtbot, part.grid, number)
    channel = atlas.channels[2][number]
    assert part.grid.marked == number
    assert part.bars.isHidden()
    assert len(part.spots.boards) == 1 + len(channel.spots)
    assert part.spots.boards[1].position == channel.spots[0].position
    click(qtbot, part.spots, 1, channel.spots[0].cell)
    qtbot.waitUntil(lambda: part.looked.summed is not None)
    wanted = SumReader(TappedNet(NET, GAME), 2).summed(channel.spots[0].position, number, channel.spots[0].cell)
    assert part.looked.summed.value == wanted.value == pytest.approx(channel.most, rel=1e-5)
    assert part.bars.isVisible()
    assert part.spots.boards[1].ringed == channel.spots[0].cell
    part._choose_block(0)
    assert part.bars.isHidden()
    assert part.spots.boards[1].ringed == -1


def test_the_position_selected_is_shown_beside_the_examples(qtbot, window, part):
    window.state.select((4,))
    selected = window.state.position.play(4)
    qtbot.waitUntil(lambda: part.answered[0] == selected)
    net = TappedNet(NET, GAME)
    outputs = net.run(inputs_of(selected, net.encoding)).blocks[2][0]
    assert part.spots.boards[0].position == selected
    np.testing.assert_array_equal(part.spots.boards[0].heat, outputs[part.channel])


def test_a_click_takes_the_position_of_the_very_board_clicked(qtbot, window, part):
    spot = part.spots.boards[2].position
    part.spots.show_boards(part.spots.boards[1:])  # as where the block has other cells than the board
    click(qtbot, part.spots, 1, 4)
    assert part.place == (spot, 4)
    qtbot.waitUntil(lambda: part.looked.summed is not None)


def test_a_click_on_a_board_of_the_game_before_takes_nothing_apart(qtbot, window, part):
    window.state.open_position(load_game("connect4").initial(), None)
    qtbot.waitUntil(lambda: part.reader.position is None or part.reader.position.game != GAME)
    part.spots.chosen.emit(len(part.spots.boards) - 1, 3)
    assert part.place is None


def test_the_board_has_the_channel_chosen(window, part):
    part.on_board.click()
    heat = part.looked.outputs[part.block][part.channel].ravel()
    marks = {mark.cell: mark.side for mark in window.room.board.marks()}
    most = max(part.looked.atlas.channels[part.block][part.channel].most, float(heat.max()))
    assert marks.keys() == {cell for cell in range(9) if heat[cell] / most >= LEAST_SQUARE}
    part._choose_block(0)
    assert part.on_board.isChecked()
    assert "stem" in window.room.board.legend("").title


def test_the_bars_add_up_to_the_sum():
    net, position = TappedNet(NET, GAME), GAME.position("b2 a1")
    for block in range(3):
        summed = SumReader(net, block).summed(position, 1, 5)
        rows = sum_chart(summed).rows
        ends = [row.spans[0].end for row in rows]
        assert len(rows) == 3 + len(summed.others) + min(TERMS, summed.products.size)
        assert sum(ends[:-1]) == pytest.approx(ends[-1], abs=1e-9)
        assert ends[-1] == pytest.approx(summed.before, abs=1e-5)


def test_as_many_boards_stand_in_a_row_as_there_is_room_for(qtbot):
    boards = HeatBoards(None, "Boards", 50)
    qtbot.addWidget(boards)
    heat = np.zeros((3, 3), np.float32)
    boards.show_boards([HeatBoard(str(i), (3, 3), heat, 1.0, tips=tuple("abcdefghi")) for i in range(5)])
    width = round(boards.box(0).width())
    boards.resize(2 * width + GAP, boards.heightForWidth(2 * width + GAP))
    assert [boards.board_at(boards.box(i).center())[0] for i in range(5)] == list(range(5))
    assert boards.box(2).top() > boards.box(1).top() == boards.box(0).top()
    assert boards.board_at(QPointF(width + GAP / 2, 5.0)) == (-1, -1)
    corner = boards.box(3).topLeft() + QPointF(0, boards._line())
    point = corner + boards._geometry(boards.boards[3]).center(7)
    assert boards.board_at(point) == (3, 7)
    assert boards.tip_at(point.toPoint()) == "h"
    with qtbot.waitSignal(boards.chosen) as chosen:
        qtbot.mouseClick(boards, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert chosen.args == [3, 7]
