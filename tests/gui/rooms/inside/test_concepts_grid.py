"""The grid of concepts: whole titles at every width, and rows found again under the pointer."""

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.rooms.inside.concepts_grid import WRAP, ConceptsGrid, Place
from models.inside.concepts import concepts_of

CONCEPTS = concepts_of(load_game("go(size=9)"))


def report(blocks: int) -> Any:
    """A report of which only the names are known."""
    return SimpleNamespace(
        blocks=tuple(f"block {number}" for number in range(blocks)),
        concepts=tuple(SimpleNamespace(title=one.title, yes_no=True, blocks=()) for one in CONCEPTS),
    )


@pytest.mark.parametrize("width", [330, 548, 1000])
@pytest.mark.parametrize("blocks", [3, 6, 40])
def test_each_row_is_as_high_as_its_whole_title_needs(qtbot: QtBot, width: int, blocks: int) -> None:
    grid = ConceptsGrid("Concepts")
    qtbot.addWidget(grid)
    grid.resize(width, 400)
    grid.show_report(report(blocks))
    chosen: list[Place] = []
    grid.chosen.connect(lambda: chosen.append(grid.place))
    metrics, bottom = QFontMetrics(grid.font()), grid.cell(Place(0, 0)).top()
    for row, concept in enumerate(CONCEPTS):
        cell = grid.cell(Place(row, 0))
        assert cell.top() == bottom
        bottom = cell.bottom()
        room = cell.toRect()
        room.setRect(10, 0, int(cell.left()) - 18, 9999)
        assert metrics.boundingRect(room, WRAP, concept.title.capitalize()).height() <= cell.height()
        for place in (Place(row, blocks - 1), Place(row, 0)):
            qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.cell(place).center().toPoint())
            assert grid.place == place
    assert grid.height() >= bottom
    assert len(chosen) > len(CONCEPTS)
    before = grid.place
    qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=QPoint(5, 2))  # a head is no row
    assert grid.place == before


def test_names_get_room_where_the_cells_show_a_colour_alone(qtbot: QtBot) -> None:
    grid = ConceptsGrid("Concepts")
    qtbot.addWidget(grid)
    grid.resize(330, 400)
    grid.show_report(report(6))
    assert grid.cell(Place(0, 0)).left() > 0.5 * 330
