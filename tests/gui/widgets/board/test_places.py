"""Tests of the move for a click on the board in each game, and of where moves are drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.games import Position, load_game
from gui.widgets.board.board import BoardView
from gui.widgets.board.board_paint import anchor, fit, go_stars, kind_of
from gui.widgets.board.places import CELLS, stone_numbers
from gui.widgets.theme import DARK
from tests.gui.fakes import node_view, overlay_marks

GAMES = (
    "connect4",
    "connect4(rows=4, cols=5, k=3)",
    "tictactoe",
    "gomoku(size=9, rule=renju)",
    "othello",
    "go(size=5, rules=chinese)",
    "nim",
    "nim(heaps=3-4-5)",
)


def some_positions(text: str) -> list[Position]:
    """Return the positions of a whole game that always plays the middle move."""
    position = load_game(text).initial()
    positions = [position]
    while not position.is_over:
        legal = position.legal_actions()
        position = position.play(legal[len(legal) // 2])
        positions.append(position)
    return positions


@pytest.mark.parametrize("text", GAMES)
def test_a_click_where_a_move_is_drawn_finds_that_move(text: str) -> None:
    for position in some_positions(text):
        places = kind_of(position.game.name).places
        for action in position.legal_actions():
            cell = anchor(position, action)
            assert cell == -1 or places.action_at(position, cell) == action


@pytest.mark.parametrize("text", GAMES)
def test_cells_of_a_move_change_and_are_found_as_the_last_move(text: str) -> None:
    for before in some_positions(text)[:-1]:
        places = kind_of(before.game.name).places
        for action in before.legal_actions():
            cells = places.cells_of(before, action)
            after = before.play(action)
            assert places.last_cells(after) == cells
            old, new = before.cells().ravel(), after.cells().ravel()
            assert all(old[cell] != new[cell] for cell in cells)


@pytest.mark.parametrize("text", GAMES)
def test_every_label_is_part_of_the_names_of_its_moves(text: str) -> None:
    position = load_game(text).initial()
    columns, rows = kind_of(position.game.name).places.labels(position.game)
    for action in position.legal_actions():
        if anchor(position, action) == -1:  # a pass
            continue
        row, col = divmod(anchor(position, action), position.game.shape[1])
        name = position.game.action_name(action)
        assert not columns or name.startswith(columns[col])
        assert not rows or rows[row] in name


def test_any_click_passes_when_passing_is_forced() -> None:
    position = next(p for p in some_positions("othello(size=4)") if p.legal_actions() == (16,))
    places = kind_of("othello").places
    assert {places.action_at(position, cell) for cell in range(16)} == {16}
    assert places.cells_of(position, 16) == ()
    assert overlay_marks(position, *(node_view(position),) * 2, "visits", 16, DARK)[0].cell == -1


@pytest.mark.parametrize(
    ("rows", "cols", "names"),
    [
        (19, 19, "d4 d10 d16 k4 k10 k16 q4 q10 q16"),
        (13, 13, "d4 d10 g7 k4 k10"),
        (9, 9, "c3 c7 e5 g3 g7"),
        (8, 8, "c3 c6 f3 f6"),
        (5, 5, "c3"),
        (9, 13, "d3 d7 g5 k3 k7"),
        (19, 6, ""),
        (4, 4, ""),
    ],
)
def test_star_points_of_go(rows: int, cols: int, names: str) -> None:
    game = load_game(f"go(rows={rows}, cols={cols})")
    assert {game.action_name(cell) for cell in go_stars(rows, cols)} == set(names.split())


def test_more_chips_than_may_be_taken_mean_no_move() -> None:
    position = load_game("nim").initial()
    places = kind_of("nim").places
    assert [places.action_at(position, cell) for cell in (11, 12, 13, 14)] == [-1, 2, 1, 0]
    assert places.action_at(position.play(2), 13) == -1


@pytest.mark.parametrize("text", GAMES)
def test_every_game_is_drawn_with_every_overlay(qtbot: QtBot, text: str) -> None:
    board = BoardView()
    qtbot.addWidget(board)
    board.resize(500, 460)
    for position in some_positions(text)[:: max(1, len(some_positions(text)) // 4)]:
        board.set_position(position)
        bare = board.grab().toImage()
        if position.is_over:
            continue
        node = node_view(position, simulations=5000)
        board.set_figures(node, node.best_action, with_text=True)
        pictures = [bare]
        for overlay in ("visits", "prior", "q"):
            board.set_overlay(overlay)
            pictures.append(board.grab().toImage())
        if any(anchor(position, action) >= 0 for action in position.legal_actions()):
            assert all(a != b for a, b in zip(pictures[1:], [bare] * 3, strict=True))
        board.show_line(node.pvs[0])
        assert board.grab().toImage() != pictures[-1] or anchor(position, node.pvs[0][0]) < 0
        board.set_overlay("none")
        board.show_line(())
        assert board.grab().toImage() == bare


def test_forbidden_points_are_crossed(qtbot: QtBot) -> None:
    position = load_game("gomoku(size=9, rule=renju)").position("d5 a1 f5 a2 e6 a3 e4 a4")  # e5: a double three
    board = BoardView()
    qtbot.addWidget(board)
    board.resize(500, 460)
    board.set_position(position)
    forbidden = position.game.parse_action("e5")
    assert set(position.forbidden()) == {forbidden}
    center = board.geometry_of_board().center(forbidden).toPoint()
    colour = board.grab().toImage().pixelColor(center)
    assert colour.red() > 2 * colour.green()
    with qtbot.waitSignal(board.refused):
        qtbot.mouseClick(board, Qt.MouseButton.LeftButton, pos=center)


def test_moves_that_are_no_cells_are_nowhere_on_the_board() -> None:
    position = replace(load_game("tictactoe"), action_names=("left", "right")).initial()
    assert [CELLS.action_at(position, cell) for cell in range(9)] == [-1] * 9
    assert [CELLS.cells_of(position, action) for action in range(2)] == [(), ()]
    assert CELLS.labels(position.game) == ((), ())
    assert stone_numbers(position, CELLS) == {}


@pytest.mark.parametrize(("width", "height"), [(200, 80), (120, 600), (640, 620)])
@pytest.mark.parametrize("rows", [3, 19])
def test_the_whole_board_fits_its_widget(width: int, height: int, rows: int) -> None:
    g = fit(rows, rows, width, height, True, 16.0)
    assert g.left >= 0
    assert g.top >= 16
    assert g.left + rows * g.step <= width
    assert g.top + rows * g.step <= height
