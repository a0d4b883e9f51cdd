"""The board of hexagons, as an installed game asks for it: places, marks, colours and the sign of a swap."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.games.spec import LOOKS
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board import BoardView
from gui.widgets.board.board_signs import pass_box
from gui.widgets.board.geometry import corner
from gui.widgets.theme import current_theme
from tests.installed import hex_installed


@pytest.fixture(autouse=True, scope="module")
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with hex_installed(tmp_path_factory.mktemp("packages")):
        yield


def test_an_installed_game_chooses_its_look_and_the_names_of_its_players() -> None:
    kind = paint.kind_of("hex")
    assert kind.look == "hexagons"
    assert kind.names == ("Red", "Blue")
    assert kind == paint.kind_of("hex")
    assert paint.kind_of("unheard") == paint.LOOKS["marks"]
    assert tuple(paint.LOOKS) == LOOKS


@pytest.mark.parametrize("size", [3, 11])
def test_each_point_of_a_hexagon_is_its_cell(size: int) -> None:
    g = paint.fit(size, size, 700, 500, True, slant=0.5)
    assert g.frame.right() <= 700
    assert g.frame.bottom() <= 500
    for cell in range(size * size):
        center = g.center(cell)
        assert g.cell_at(center) == cell
        for number in range(6):
            edge = corner(g, cell, number)
            assert g.cell_at(center + (edge - center) * 0.97) == cell
            assert g.frame.adjusted(-0.01, -0.01, 0.01, 0.01).contains(edge)
    assert g.cell_at(QPointF(g.left + 1, g.frame.bottom() - 1)) == -1


def test_stones_are_in_the_players_colours_and_clicks_play(qtbot: QtBot) -> None:
    view = BoardView()
    qtbot.addWidget(view)
    view.resize(700, 500)
    position = load_game("hex(size=5, swap=yes)").position("c3")
    view.set_position(position)
    picture = view.grab().toImage()
    center = view.geometry_of_board().center(12) + QPointF(0.5 * 0.4 * view.geometry_of_board().step, 0)
    assert picture.pixelColor(center.toPoint()) == paint.stone_color(paint.kind_of("hex"), 0, current_theme())
    played: list[int] = []
    view.chosen.connect(played.append)
    for point in (view.geometry_of_board().center(3), pass_box(view.geometry_of_board()).center()):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert [position.game.action_name(action) for action in played] == ["d1", "swap"]
