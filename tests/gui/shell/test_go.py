"""Tests of what Go needs of the window: a pass by a command, the score lead beside the value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.games.net_inputs import inputs_of
from gui.rooms.board.board_figures import BoardFigures
from gui.widgets.board.plane_boards import PlaneBoards
from gui.widgets.figures import COLUMN_INDEX
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis

GO = load_game("go(size=5, komi=0.5)")


@pytest.fixture
def go_window(window: MainWindow) -> MainWindow:
    window.state.open_position(GO.position("c3 c4"), None)
    return window


def test_a_pass_is_played_by_a_command(go_window: MainWindow) -> None:
    go_window.context.actions["pass"].trigger()
    assert [GO.action_name(action) for action in go_window.state.moves] == ["c3", "c4", "pass"]
    go_window.context.actions["pass"].trigger()
    assert go_window.state.position.is_over
    go_window.context.actions["pass"].trigger()
    assert go_window.banner.text == "There is no pass in this position."


def test_there_is_no_pass_in_a_game_without_one(window: MainWindow) -> None:
    window.state.open_position(load_game("tictactoe").initial(), None)
    assert not window.context.actions["pass"].isEnabled()
    window.state.open_position(load_game("go(rows=9,cols=9)").initial(), None)
    assert window.context.actions["pass"].isEnabled()


def test_ten_moves_are_gone_where_there_are_moves(window: MainWindow) -> None:
    forward, back = (window.context.actions[name] for name in ("forward_ten", "back_ten"))
    window.state.open_position(load_game("connect4").position("d d"), None)
    window.state.play_line((3,))
    assert (forward.isEnabled(), back.isEnabled()) == (False, True)
    back.trigger()
    assert (forward.isEnabled(), back.isEnabled()) == (True, False)


def test_the_score_lead_is_shown_beside_the_value(go_window: MainWindow, analysis: FakeAnalysis) -> None:
    figures = go_window.room.findChild(BoardFigures)
    figures.show_value(analysis.publish(300, lead=2.5, lead_spread=4.0))
    assert go_window.room.player.value.endswith("for Black, +2.5 points")
    figures.show_value(analysis.publish(301))
    assert "points" not in go_window.room.player.value


def test_the_column_of_leads_is_shown_only_where_the_net_tells_them(
    go_window: MainWindow, analysis: FakeAnalysis
) -> None:
    table, lead = go_window.views.tree, COLUMN_INDEX["lead"]
    go_window.commands.table.set_filter("every")
    plain = analysis.publish(300)
    table.show_snapshot(plain)
    assert table.isColumnHidden(lead)
    leads = np.linspace(-3.0, 3.0, len(plain.root.actions)).astype(np.float32)
    with_leads = analysis.publish(301, leads=leads, lead_spreads=leads)
    table.show_snapshot(with_leads)
    assert not table.isColumnHidden(lead)
    texts = {table.model().index(row, lead).data() for row in range(table.model().rowCount())}
    assert {"+3.0", "−3.0"} <= texts


@pytest.mark.parametrize("number", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_the_inspector_shows_the_planes_and_features_of_the_nets_encoding(
    go_window: MainWindow, analysis: FakeAnalysis, number: int
) -> None:
    go_window.docks.show_dock("why")
    room: Any = go_window.docks["why"].widget_made
    shown: Any = room.input
    position = go_window.state.game.position("d4 c3 pass d5")
    own = analysis.publish(300)
    room.show_node(position, (), own, None, None)
    assert shown.planes.planes == position.planes().tolist()
    assert not shown.features
    encoding = position.game.encodings[number]
    inputs = inputs_of(position, encoding)
    room.show_node(position, (), replace(own, encoding=encoding.name), None, None)
    assert shown.planes.planes == inputs.planes[0].tolist()
    assert shown.planes.names == encoding.planes
    for place, name in enumerate(encoding.features):
        assert float(shown.features.text(name).replace("−", "-")) == pytest.approx(inputs.features[0, place], abs=5e-4)
    assert (shown.features is None) == (not encoding.features)
    room.show_node(position.play(0), (), replace(own, encoding=encoding.name), None, None)
    assert shown.planes.planes == inputs_of(position.play(0), encoding).planes[0].tolist()
    room.show_node(position, (), own, None, None)
    assert shown.planes.planes == position.planes().tolist()
    assert not shown.features
    assert shown.note.isHidden()


def test_a_planes_name_that_is_cut_off_is_its_tooltip(go_window: MainWindow) -> None:
    position = go_window.state.position
    encoding = position.game.encodings[1]
    boards = PlaneBoards()
    boards.resize(320, 2000)
    boards.show_position(position, inputs_of(position, encoding).planes[0].tolist(), encoding.planes)
    assert boards.name_at(QPoint(10, 10)) == encoding.planes[0]
    assert boards.name_at(QPoint(300, 10)) == encoding.planes[1]
    assert boards.name_at(QPoint(10, boards.heightForWidth(320) - 5)) == encoding.planes[-2]
    assert boards.name_at(QPoint(10, 1999)) == ""


def test_a_game_in_sgf_is_pasted(qtbot: QtBot, go_window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(
        "\n( ;GM[1]SZ[9:5]KM[6.5]RU[Chinese]CA[GB2312];B[bb];W[]C[中文](;B[cc])(;B[dd]))\n"
    )
    with qtbot.waitSignal(go_window.state.position_changed):
        go_window.context.opener.paste_moves()
    state = go_window.state
    assert state.game.shape == (5, 9)
    assert (state.game.params["rules"], state.game.params["komi"]) == ("chinese", 6.5)
    assert [state.game.action_name(action) for action in state.moves] == ["b4", "pass", "c3"]
    assert state.record.node(state.record.main_line()[2]).comment == "中文"
    go_window.context.opener.new_game()
    assert go_window.context.actions["game_before"].isEnabled()


def test_a_pasted_sgf_that_cannot_be_read_is_refused(qtbot: QtBot, go_window: MainWindow) -> None:
    before = go_window.state.position
    QGuiApplication.clipboard().setText("(;GM[1]SZ[77];B[bb])")
    go_window.context.opener.paste_moves()
    qtbot.waitUntil(lambda: go_window.banner.text.startswith("The game in the clipboard cannot be opened: "))
    assert go_window.state.position == before
