"""One table model: rows keep their identity, dataChanged covers changed cells alone, NaN sorts last."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPersistentModelIndex, QRect, QSettings, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from core.engine import UniformEvaluator
from core.games import load_game
from gui.app import keep_layout, restore
from gui.language.language import CHINESE
from gui.widgets.figures import COLUMN_INDEX, Column, total
from gui.widgets.tables.move_look import CURVE
from gui.widgets.tables.sparks import sparks
from gui.widgets.tables.table import SharedTable, TableModel
from gui.widgets.tables.tree_view import TreeView
from gui.widgets.texts import switch_language
from gui.window import MainWindow
from tests.core.search.fakes import run_search


class Fruit(NamedTuple):
    name: str
    weight: float


COLUMNS = (
    Column[Fruit]("name", "Name", "", "", lambda f: f.name, number=False),
    Column[Fruit]("weight", "Weight", "In grams.", "", lambda f: f"{f.weight:.0f}", lambda f: f.weight),
)
FRUITS = (Fruit("plum", 40.0), Fruit("melon", 2000.0), Fruit("ghost", math.nan), Fruit("pear", 170.0))


class Fruits(TableModel[Fruit]):
    def identity(self, row: Fruit) -> str:
        return row.name


def names(model: TableModel[Fruit]) -> list[str]:
    return [row.name for row in model.rows]


def test_rows_stand_as_given_until_a_column_sorts_them() -> None:
    model = Fruits(COLUMNS)
    model.show(FRUITS)
    assert names(model) == ["plum", "melon", "ghost", "pear"]
    pear = QPersistentModelIndex(model.index(3, 1))
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert names(model) == ["melon", "pear", "plum", "ghost"]
    assert (pear.row(), pear.data()) == (1, "170")
    assert model.headerData(1, Qt.Orientation.Horizontal) == "▾ Weight"
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert names(model) == ["plum", "pear", "melon", "ghost"]


def test_only_changed_cells_are_signalled() -> None:
    model = Fruits(COLUMNS, column=1, descending=True)
    model.show(FRUITS)
    received: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last, roles: received.append((first.row(), first.column())))
    model.show([Fruit("plum", 40.3), Fruit("melon", 1000.0), *FRUITS[2:]])
    assert (names(model), received) == (["melon", "pear", "plum", "ghost"], [(0, 1)])
    model.show([Fruit("melon", 10.0), *model.rows[1:]])
    assert names(model) == ["pear", "plum", "melon", "ghost"]


def test_columns_share_the_width_and_never_cut_a_text(qtbot: QtBot) -> None:
    table = SharedTable(Fruits(COLUMNS))
    qtbot.addWidget(table)
    model = table.model()
    assert isinstance(model, Fruits)
    model.show([Fruit("a fruit whose name is long", 1.0)])
    table.resize(600, 100)
    table.show()
    widths = [table.columnWidth(column) for column in range(2)]
    assert sum(widths) == table.viewport().width()
    table.resize(60, 100)
    assert [table.columnWidth(column) for column in range(2)] == table.least_widths()
    text = table.fontMetrics().horizontalAdvance("a fruit whose name is long")
    assert table.least_widths()[0] >= text + 14


def test_looks_of_a_move_are_made_once_and_again_in_another_language(qtbot: QtBot) -> None:
    game = load_game("tictactoe")
    search = run_search(game.position("a1 b1 a2 b2"), UniformEvaluator(game.num_actions), 200)
    snapshot = search.snapshot()
    tree = TreeView()
    qtbot.addWidget(tree)
    tree.show_snapshot(snapshot)

    def look():
        return tree.nodes.look_at(tree.nodes.index_of((snapshot.best,), COLUMN_INDEX["proof"]))

    assert look().text.startswith("win")
    assert look() is look()
    switch_language(CHINESE)
    assert not look().text.startswith("win")


def test_total_value_and_curves_are_columns_to_choose(qtbot: QtBot, real_window: MainWindow, tmp_path: Path) -> None:
    window = real_window
    window.state.set_limit(300)
    qtbot.waitUntil(lambda: window.session.present is not None and bool(window.session.present.reason))
    table, w = window.views.tree, COLUMN_INDEX["w"]
    assert table.isColumnHidden(w)
    for name in ("total", "sparklines"):
        window.context.actions[name].trigger()
        assert window.context.actions[name].isChecked()
    assert not any(table.isColumnHidden(column) for column in (w, CURVE))
    nodes = table.nodes
    qtbot.waitUntil(lambda: nodes.look_at(nodes.index(0, CURVE)).spark is not None)
    for place, row in enumerate(nodes.rows):
        assert nodes.look_at(nodes.index(place, w)).text == total(row.q * row.backups) == total(row.w)
    own = nodes.look_at(nodes.index(0, CURVE)).spark
    window.context.actions["values_second"].trigger()
    other = nodes.look_at(nodes.index(0, CURVE)).spark
    assert other.shares == own.shares
    assert other.values == pytest.approx([1 - value for value in own.values], abs=0.011, nan_ok=True)
    window.context.actions["values_mover"].trigger()
    kept = QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)
    keep_layout(window, kept)
    window.context.actions["total"].trigger()
    assert table.isColumnHidden(w)
    restore(window, kept)
    assert not table.isColumnHidden(w)
    assert window.context.actions["total"].isChecked()


def test_a_column_of_curves_that_is_restored_shows_them_at_once(
    qtbot: QtBot, real_window: MainWindow, tmp_path: Path
) -> None:
    window = real_window
    window.state.set_limit(300)
    kept = QSettings(str(tmp_path / "kept.ini"), QSettings.Format.IniFormat)
    window.context.actions["sparklines"].trigger()
    keep_layout(window, kept)
    window.context.actions["sparklines"].trigger()
    window.state.play(0)
    window.session.extras.request_curves(True)

    def searched() -> bool:
        snapshot = window.session.present
        return snapshot is not None and snapshot.position == window.state.position and bool(snapshot.reason)

    nodes = window.views.tree.nodes
    qtbot.waitUntil(lambda: searched() and window.session.present.curves is not None and bool(nodes.rows))
    expected = sparks(window.session.present.curves)[nodes.rows[0].action].shares
    before = nodes.look_at(nodes.index(0, CURVE)).spark
    assert before is None or before.shares != expected, "those of the position before"
    restore(window, kept)
    assert nodes.look_at(nodes.index(0, CURVE)).spark.shares == expected


def test_a_number_that_does_not_fit_is_left_out_whole(qtbot: QtBot, real_window: MainWindow) -> None:
    window, table = real_window, real_window.views.tree
    window.state.set_limit(300)
    qtbot.waitUntil(lambda: window.session.present is not None and bool(window.session.present.reason))
    cell = table.nodes.index(0, COLUMN_INDEX["q"])

    def painted(text: str) -> bytes:
        picture = QImage(60, 30, QImage.Format.Format_RGB32)
        picture.fill(0)
        painter = QPainter(picture)
        look = table.nodes.look_at(cell)._replace(text=text, disc=None)
        table._delegate.paint_cell(painter, QRect(0, 0, 45, 30), look, cell.column(), table.font())
        painter.end()
        return bytes(picture.constBits())

    assert painted("1 234 567.999") == painted("…") != painted("1")
