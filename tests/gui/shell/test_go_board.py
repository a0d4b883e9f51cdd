"""Tests of Go on the board: passes, captured stones, ko, handicap, overlays of chains and areas, resigning."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.model.sources import NetSource, net_source, source_for
from gui.rooms.board.board_figures import BoardFigures
from gui.widgets.board.board import BoardView
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.board_signs import pass_box
from gui.widgets.board.board_tip import board_tip
from gui.widgets.board.heatmap import Heatmap
from gui.widgets.board.overlays.overlay import Mark
from gui.widgets.board.places import CELLS, stone_numbers
from gui.widgets.board.shapes import AreaShapes, ChainShapes, area_shapes, chain_shapes
from gui.widgets.theme import current_theme
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis, node_view
from tests.models.netfiles.katago_nets import RandomNet

GO = load_game("go(size=5, komi=0.5)")


@pytest.fixture
def go_window(window: MainWindow) -> MainWindow:
    window.state.open_position(GO.position("c3 c4"), None)
    return window


def show_board(window: MainWindow) -> BoardView:
    window.resize(1200, 800)
    window.show()
    window.room.board.grab()
    return window.room.board


def test_the_sign_above_the_board_passes(qtbot: QtBot, go_window: MainWindow) -> None:
    board = show_board(go_window)
    box = pass_box(board.geometry_of_board())
    assert box.bottom() < board.geometry_of_board().top
    assert board.action_at(box.center()) == GO.parse_action("pass")
    qtbot.mouseClick(board, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert [GO.action_name(action) for action in go_window.state.moves] == ["c3", "c4", "pass"]
    passed = board.grab().toImage()
    go_window.state.take_back()
    assert board.grab().toImage() != passed


@pytest.mark.slow
def test_a_game_without_a_free_pass_has_no_sign_for_it(window: MainWindow) -> None:
    for text in ("othello", "connect4"):
        window.state.open_position(load_game(text).initial(), None)
        board = show_board(window)
        assert board.action_at(pass_box(board.geometry_of_board()).center()) == -1


def test_the_figures_of_a_pass_are_on_its_sign(go_window: MainWindow) -> None:
    board = show_board(go_window)
    node = node_view(GO.position("c3 c4"))
    board.set_figures(None, -1, with_text=True)
    plain = board.grab().toImage()
    visits = np.full(len(node.actions), 5, np.int32)
    node = replace(node, visits_of=visits, backups_of=visits)
    board.set_figures(node, GO.parse_action("pass"), with_text=True)
    board.grab()
    assert board._pass_mark.ring
    box = pass_box(board.geometry_of_board()).toAlignedRect()
    assert board.grab(box).toImage() != plain.copy(box)


def test_captured_stones_stand_beside_the_side_to_move(window: MainWindow) -> None:
    window.state.open_position(GO.position("b3 c3 c4 d4 c2 d2 e1 e3 d3"), None)
    assert window.room.player.captured == (0, 1)
    assert "captured stones: Black 0, White 1" in window.room.player.toolTip()
    assert "captured stones: Black 0, White 1" in window.room.player.accessibleDescription()
    window.state.open_position(load_game("connect4").initial(), None)
    assert window.room.player.captured is None
    assert "captured" not in window.room.player.toolTip()


def test_a_ko_is_explained_where_it_forbids_a_move(window: MainWindow) -> None:
    position = GO.position("b3 c3 c4 d4 c2 d2 e1 e3 d3")
    tip = board_tip(position, None, None, {}, GO.parse_action("c3"))
    assert tip == "c3: White may not play here now, it retakes a ko at once"
    assert board_tip(position, None, None, {}, GO.parse_action("a1")) == ""


def test_the_ko_is_marked_on_the_board(window: MainWindow) -> None:
    position = GO.position("b3 c3 c4 d4 c2 d2 e1 e3 d3")
    window.state.open_position(position, None)
    board = show_board(window)
    ko, other = (board.geometry_of_board().rect(GO.parse_action(name)).toAlignedRect() for name in ("c3", "b4"))
    assert board.grab(ko).toImage() != board.grab(other).toImage(), "both are empty points inside the board"


@pytest.mark.slow
def test_a_handicap_is_named(window: MainWindow) -> None:
    game = load_game("go(size=9, rules=japanese)")
    position = game.parse_diagram(
        "\n".join((". . . . . . . . .",) * 2 + (". . X . . . X . .",) + (". . . . . . . . .",) * 6) + "\nO to move"
    )
    window.state.open_position(position, None)
    assert window.room.player.note == "handicap 2 · move 1"
    assert stone_numbers(position.play(40), CELLS) == {40: 1}
    window.state.open_position(game.position("e5"), None)
    assert "handicap" not in window.room.player.note


@pytest.mark.slow
def test_the_value_is_shown_for_the_first_player_too(go_window: MainWindow, analysis: FakeAnalysis) -> None:
    figures = go_window.room.findChild(BoardFigures)
    go_window.state.open_position(GO.position("c3"), None)
    snapshot = analysis.publish(300, lead=2.5, lead_spread=4.0)
    figures.show_value(snapshot)
    share = f"{50 * (1 - snapshot.root.q):.1f}"
    assert go_window.room.player.fixed_value == f"Black: {share}\N{NARROW NO-BREAK SPACE}% to win, −2.5 points"
    figures.show_value(analysis.publish(301))
    assert go_window.room.player.fixed_value == ""


def test_overlays_of_chains_and_areas(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(GO.position("c3 c4 b1 b3 b2 d3 b4"), None)
    board = show_board(window)
    window.state.set_overlay("none")
    plain = board.grab().toImage()
    window.state.set_overlay("chains")
    qtbot.waitUntil(lambda: board.shapes is not None)
    assert isinstance(board.shapes, ChainShapes)
    assert {chain.player for chain in board.shapes.chains} == {0, 1}
    numbered = [board.shapes.numbered(chain, 5) for chain in board.shapes.chains if len(chain.cells) > 1]
    assert numbered
    assert not set(numbered) & set(board.shapes.last)  # a ring is drawn there
    shown = board.grab().toImage()
    assert shown != plain
    window.state.set_overlay("area")
    legend = window.room.legend
    qtbot.waitUntil(lambda: legend.legend.text == "neither side holds a point for certain yet")
    window.context.actions["pass"].trigger()
    window.context.actions["pass"].trigger()
    qtbot.waitUntil(lambda: isinstance(board.shapes, AreaShapes))
    assert isinstance(board.shapes, AreaShapes)
    assert set(board.shapes.owners) >= {1, 2}
    assert board.grab().toImage() not in (plain, shown)
    window.state.set_overlay("visits")
    assert board.shapes is None


def test_chains_and_areas_are_offered_in_go_alone(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    def offered() -> set[bool]:
        return {window.context.actions[f"overlay_{name}"].isVisible() for name in ("chains", "area")}

    assert offered() == {False}
    window.state.open_position(GO.position("c3"), None)
    assert offered() == {True}  # before any search, as in a game that is over
    window.state.set_overlay("chains")
    analysis.publish(300)
    assert window.state.overlay == "chains"
    window.state.open_position(load_game("connect4").initial(), None)
    assert offered() == {False}
    analysis.publish(300)
    qtbot.waitUntil(lambda: window.state.overlay == "visits")


def test_only_what_is_held_is_shown_before_the_end() -> None:
    shapes = area_shapes(GO.position("c3 c4"))
    assert set(shapes.owners) == {0}
    assert chain_shapes(load_game("othello").initial()) is None


@pytest.mark.parametrize("step", [14, 17, 22, 28, 40])
def test_figures_never_leave_their_marks(qtbot: QtBot, step: int) -> None:
    board = BoardView(under="panel")
    qtbot.addWidget(board)
    game = load_game("go(size=9)")
    board.set_coordinates(False)
    board.resize(9 * step + 20, 9 * step + 40)
    board.set_position(game.initial())
    mark = Mark(40, 40, QColor("#2a8f6a"), 1.0, "100\N{NARROW NO-BREAK SPACE}%", "", "")
    heat = Heatmap(board)
    g = board.geometry_of_board()
    kind = kind_of("go")
    heat.show([mark], g, kind, current_theme(), False)
    image = heat.picture.toImage()
    center, radius = g.center(40), kind.mark_radius * g.step
    outside = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() and math.hypot(x + 0.5 - center.x(), y + 0.5 - center.y()) > radius + 3
    ]
    assert outside == []


def test_a_net_for_every_size_stays_when_another_game_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "random.bin.gz"
    path.write_bytes(RandomNet(8).file())
    source = net_source(path)
    assert source_for(load_game("go(size=13, rules=chinese)"), source) is source
    assert source_for(load_game("othello(size=4)"), source) is None
    assert source_for(load_game("go"), None) is None


@pytest.mark.slow
def test_a_net_and_a_game_dropped_together_are_both_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    net, sgf, othello = tmp_path / "random.bin.gz", tmp_path / "game.sgf", tmp_path / "othello.sgf"
    net.write_bytes(RandomNet(8).file())
    sgf.write_text("(;GM[1]SZ[9]RU[Chinese]KM[7];B[ee];W[cc];AB[gg]PL[W];W[gc])")
    othello.write_text("(;GM[2]SZ[8])")
    for files in ((net, sgf), (othello, net)):
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
        copy, left, plain = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        with qtbot.waitSignal(window.state.game_changed):
            window.dropEvent(QDropEvent(QPointF(10, 10), copy, mime, left, plain))
        source = window.state.source
        if sgf in files:
            assert isinstance(source, NetSource)
            assert source.path == net
            assert len(window.state.moves) == 4
    assert not isinstance(source, NetSource) or source.path != net
    qtbot.waitUntil(lambda: window.banner.text == "random.bin.gz is no net for Othello")


def test_resigning_records_the_result(go_window: MainWindow) -> None:
    go_window.context.actions["resign"].trigger()
    assert go_window.state.record.info["result"] == "W+R"
    assert go_window.banner.text == "Black resigns."
    go_window.context.actions["undo"].trigger()
    assert "result" not in go_window.state.record.info
    for _ in range(2):
        go_window.context.actions["pass"].trigger()
    go_window.context.actions["resign"].trigger()
    assert go_window.banner.text == "The game is over."
    assert "result" not in go_window.state.record.info
