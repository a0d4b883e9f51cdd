"""Games of OpenSpiel on the board: drawn as their look says, or as text; and chosen in the dialog."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board import BoardView
from gui.widgets.dialogs import GameDialog

pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("openspiel(connect_four)", "columns"),
        ("openspiel(hex(board_size=4))", "hexagons"),
        ("openspiel(othello)", "felt"),
        ("openspiel(tic_tac_toe)", "marks"),
    ],
)
def test_a_board_of_openspiel_has_its_look(text: str, look: str) -> None:
    assert paint.kind_of(load_game(text).name) == paint.LOOKS[look]


def test_a_click_drops_a_disc(qtbot: QtBot) -> None:
    view = BoardView()
    qtbot.addWidget(view)
    view.resize(500, 500)
    view.set_position(load_game("openspiel(connect_four)").position("d"))
    played: list[int] = []
    view.chosen.connect(played.append)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.geometry_of_board().center(2).toPoint())
    assert played == [2]


def test_a_position_without_cells_is_shown_as_text(qtbot: QtBot) -> None:
    view = BoardView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    game = load_game("openspiel(chess)")
    pictures = []
    for position in (game.initial(), game.initial().play(game.initial().legal_actions()[0])):
        view.set_position(position)
        assert view.accessibleDescription() == position.diagram()
        pictures.append(view.grab().toImage())
    assert pictures[0] != pictures[1]
    board, fen, names = game.initial().diagram().split("\n\n")
    assert board.splitlines()[0] == "r n b q k b n r"
    assert fen.startswith("rnbqkbnr/pppppppp/8/8")
    assert "2426\xa0e4" in names
    played: list[int] = []
    view.chosen.connect(played.append)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton)
    assert played == []


def test_the_dialog_opens_a_game_by_its_name_there(qtbot: QtBot) -> None:
    dialog = GameDialog(load_game("openspiel(breakthrough(columns=4,rows=5))"))
    qtbot.addWidget(dialog)
    assert dialog.text() == "openspiel(game=breakthrough(columns=4,rows=5))"
    assert dialog.game == load_game("openspiel(breakthrough(columns=4,rows=5))")
