"""The strip of small boards: how many stand in a line, and that all are in sight where there is room."""

import pytest
from PySide6.QtCore import QRect

from core.games import load_game
from gui.rooms.inside.film_strip import APART, LARGEST, NARROWEST, WIDEST, best_lines
from gui.widgets.text_size import px

AROUND = 75  # px of texts above and below a board


def taken(count, across, side, flat=1.0):
    """Width and height of so many boards, as they would stand."""
    lines = -(-count // across)
    return across * (side + 8 + APART) - APART, lines * (round(side * flat) + AROUND + APART) - APART


@pytest.mark.parametrize("count", [1, 3, 5, 7, 21])
@pytest.mark.parametrize("size", [(1450, 620), (760, 540), (560, 700), (1000, 380), (380, 900)])
def test_no_other_lines_would_make_the_boards_larger(qapp, count, size):
    across, side = best_lines(count, size[0], size[1], 8, AROUND, 0.86)
    if side > px(WIDEST) or taken(count, across, side, 0.86)[1] <= size[1]:  # all are in sight
        assert all(took <= room for took, room in zip(taken(count, across, side, 0.86), size, strict=True))
        for other in range(1, count + 1):
            larger = taken(count, other, side + 3, 0.86)
            assert side + 3 > px(LARGEST) or larger[0] > size[0] or larger[1] > size[1]
    else:
        assert taken(count, across, side, 0.86)[0] <= size[0]
        assert side >= px(NARROWEST) or across == 1


def test_boards_that_would_be_too_small_scroll_instead(qapp):
    across, side = best_lines(9, 500, 300, 8, AROUND, 1.0)
    assert across == 3
    assert side >= px(NARROWEST)
    assert taken(9, across, side)[1] > 300


@pytest.mark.parametrize("size", [(1480, 920), (1280, 800)])
def test_all_frames_are_in_sight_and_as_wide_as_their_boards(qtbot, window, open_part, size):
    window.resize(*size)
    part = open_part("inside_blocks")
    area = part.film.parentWidget()
    views = [view for view in part.film.views if view.isVisible()]
    assert len(views) == 3

    def fits():
        for view in views:
            seen = QRect(view.mapTo(area, view.rect().topLeft()), view.size())
            assert area.rect().contains(seen)
            assert view.board.width() > px(NARROWEST)
            assert view.width() - view.board.width() <= 10

    qtbot.waitUntil(lambda: fits() is None)
    window.docks.float_dock("inside", (50, 50, 1000, 700))
    qtbot.waitUntil(lambda: area.width() > 800 and views[0].board.width() > px(WIDEST) and fits() is None)
    window.docks.windows["inside"].resize(500, 420)
    qtbot.waitUntil(lambda: views[0].board.width() < px(WIDEST) and fits() is None)
    assert part.strip.position.game == load_game("tictactoe")
