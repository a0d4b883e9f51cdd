"""Tests that only the cells, rows and pixels that changed are repainted while a search runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.games import Position, load_game
from core.glass import NodeView
from core.solve.threats import threats
from gui.rooms.board.value_bar import ValueBar
from gui.widgets.board.board import BoardView
from gui.widgets.figures import COLUMN_INDEX
from gui.widgets.tables.tree_view import TreeView
from gui.widgets.theme import LIGHT, set_current_theme
from tests.gui.fakes import node_view, snapshot_of


class Painted(QObject):
    """Collects the regions a widget has painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._region = QRegion()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self._region += event.region()
        return False

    def take(self) -> QRegion:
        region, self._region = self._region, QRegion()
        return region


def shown(qtbot: QtBot, widget: QWidget) -> Painted:
    qtbot.addWidget(widget)
    widget.resize(420, 400)
    painted = Painted(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    qtbot.waitUntil(lambda: not painted.take().isEmpty())
    return painted


def next_painted(qtbot: QtBot, painted: Painted) -> QRegion:
    """What is painted next."""
    region = QRegion()

    def come() -> bool:
        nonlocal region
        region += painted.take()
        return not region.isEmpty()

    qtbot.waitUntil(come)
    return region


def searched(position: Position, visits: list[int]) -> NodeView:
    return node_view(position, simulations=sum(visits) + 1, visits_of=np.array(visits, np.int32))


def test_only_changed_cells_are_painted(qtbot: QtBot) -> None:
    board, position = BoardView(under="panel"), load_game("connect4").initial()
    painted = shown(qtbot, board)
    board.set_position(position)
    visits = [10, 10, 10, 10, 10, 10, 4000]
    board.set_figures(searched(position, visits), 6, with_text=True)
    qtbot.waitUntil(lambda: not painted.take().isEmpty())
    board.set_figures(searched(position, visits), 6, with_text=True)
    board.set_figures(searched(position, [*visits[:6], 4001]), 6, with_text=False)  # no visible change
    board.set_figures(searched(position, [10, 10, 900, 10, 10, 10, 4001]), 6, with_text=False)
    region = next_painted(qtbot, painted)
    column = board.geometry_of_board().rect(5 * 7 + 2).toAlignedRect()
    assert region.intersects(column)
    assert not region.intersects(QRect(0, 0, board.width(), column.top() - 2))


@pytest.mark.parametrize("overlay", ["visits", "q", "prior", "u"])
def test_incremental_painting_equals_full_painting(qtbot: QtBot, overlay: str) -> None:
    position = load_game("gomoku(size=7)").initial()
    rng = np.random.default_rng(7)
    boards = [BoardView(under="panel"), BoardView(under="panel")]
    nodes = []
    for _ in range(4):
        figures: dict[str, Any] = {name: rng.uniform(-1, 1, 49).astype(np.float32) for name in ("qs", "us", "priors")}
        visits = rng.integers(0, 900, 49).astype(np.int32)
        nodes.append(node_view(position, visits_of=visits, best_index=int(visits.argmax()), **figures))
    set_current_theme(LIGHT)
    for board in boards:
        shown(qtbot, board)
        board.set_overlay(overlay)
        board.set_position(position)
    for node in nodes:
        boards[0].set_figures(node, node.best_action, with_text=True)
        boards[0].grab()
    boards[1].set_figures(nodes[-1], nodes[-1].best_action, with_text=True)
    assert boards[0].grab().toImage() == boards[1].grab().toImage()


def test_threat_strokes_are_painted_and_persist(qtbot: QtBot) -> None:
    position = load_game("gomoku(size=9)").position("c5 a1 d5 b1 e5 c1")
    found = threats(position)
    board = BoardView(under="panel")
    shown(qtbot, board)
    board.set_overlay("threats")
    board.set_position(position)
    board.set_threats(replace(found, patterns=()))
    without = board.grab().toImage()
    board.set_threats(found)
    strokes = board.grab().toImage()
    assert strokes != without
    board.set_overlay("none")
    board.set_overlay("threats")
    assert board.grab().toImage() == strokes


def test_the_value_bar_is_painted_where_its_edge_moves(qtbot: QtBot) -> None:
    bar = ValueBar()
    painted = shown(qtbot, bar)
    bar.set_value("connect4", 0.0, 0, "even")
    qtbot.waitUntil(lambda: not painted.take().isEmpty())
    bar.set_value("connect4", 1e-6, 0, "even")
    bar.set_value("connect4", 0.5, 0, "better")
    region = next_painted(qtbot, painted)
    assert region.boundingRect().bottom() <= bar.height() // 2 + 4  # it rose from the centre
    assert bar.toolTip() == "better"
    picture = bar.grab().toImage()
    fresh = ValueBar()
    qtbot.addWidget(fresh)
    fresh.resize(bar.size())
    fresh.set_value("connect4", 0.5, 0, "better")
    assert fresh.grab().toImage() == picture


def test_the_table_signals_only_changed_rows(qtbot: QtBot) -> None:
    table, position = TreeView(), load_game("connect4").initial()
    shown(qtbot, table)
    table.resize(900, 400)
    node = node_view(position)
    table.show_snapshot(snapshot_of(node))
    received: list[int] = []
    table.nodes.dataChanged.connect(lambda first, last: received.append(first.row()))
    table.show_snapshot(snapshot_of(node_view(position)))
    assert received == []
    us = node.us.copy()
    us[3] += 0.5
    table.show_snapshot(snapshot_of(node_view(position, us=us)))
    assert received == [3]
    assert table.nodes.data(table.nodes.index(3, COLUMN_INDEX["u"])) == "1.110"
