"""Moves folded into one row, in the table and in the tree: counts, filters, clicks; nothing is selected by them."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.games import load_game
from core.search import Limit
from gui.widgets.figures import COLUMN_INDEX, percent
from gui.widgets.tables.folding import FILTER, FOLDED, fold, fold_words
from gui.widgets.tables.row_delegate import IS_NEXT
from gui.widgets.tables.sparks import sparks
from gui.widgets.tables.tree_view import TreeView
from tests.core.search.fakes import HashEvaluator, run_search


@pytest.fixture(scope="module")
def search():
    game = load_game("gomoku(size=7)")
    return run_search(game.initial(), HashEvaluator(49), 25, memory_mb=16)


def test_the_folded_row_is_the_sum_of_the_others(search):
    rows = search.snapshot().moves
    hidden = [row for row in rows if not row.visits]
    assert len(hidden) > 4
    shown = fold(rows, FILTER["visited"], False)
    assert shown[:-1] == [row for row in rows if row.visits]
    line = shown[-1]
    assert (line.action, line.visits, len(line.same)) == (FOLDED, 0, len(hidden))
    assert line.prior == pytest.approx(sum(row.prior for row in hidden))
    assert f"{len(hidden)} moves, N = 0, ΣP = {percent(line.prior)}" == fold_words(line)
    assert fold(rows, FILTER["visited"], True)[:-1] == list(rows)
    assert fold(rows, FILTER["every"], False) == list(rows)


def test_few_unvisited_moves_and_a_position_without_visits_are_not_folded(search):
    rows = search.snapshot().moves
    few = [row for row in rows if row.visits] + [row for row in rows if not row.visits][:3]
    assert fold(few, FILTER["visited"], False) == few
    none = [row._replace(visits=0) for row in rows]
    assert fold(none, FILTER["visited"], False) == none


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        ("visits_10", lambda row: row.visits >= 10),
        ("proved", lambda row: row.proof != ""),
        (
            "differ_5",
            lambda row: abs(row.share - row.net_prior) >= 0.05 or (row.visits and abs(row.q - row.value) >= 0.1),
        ),
    ],
)
def test_filters(search, name, shows):
    rows = search.snapshot().moves
    kept = [row for row in fold(rows, FILTER[name], False) if row.action != FOLDED]
    assert kept == [row for row in rows if shows(row)]


def centre(view, index):
    return view.visualRect(index).center() + QPoint(2, 0)


def test_a_click_opens_and_folds_the_table(qtbot, search):
    table = TreeView()
    qtbot.addWidget(table)
    table.resize(900, 1500)
    snapshot = search.snapshot()
    table.show_snapshot(snapshot)
    table.show()
    chosen, played = [], []
    table.selected.connect(chosen.append)
    table.played.connect(played.append)
    model, all_moves, visited = table.nodes, len(snapshot.moves), sum(row.visits > 0 for row in snapshot.moves)
    assert model.rowCount() == visited + 1
    table.select_path(())
    assert not table.selectedIndexes()
    assert model.look_at(model.index_of((FOLDED,), COLUMN_INDEX["pv"])).text == "not visited: click"
    unvisited_next = replace(snapshot.root, next_index=int(snapshot.root.visits_of.argmin()))
    table.show_snapshot(replace(snapshot, root=unvisited_next))
    assert model.look_at(model.index_of((FOLDED,))).marks & IS_NEXT
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre(table, model.index_of((FOLDED,))))
    assert model.rowCount() == all_moves + 1
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre(table, model.index_of((FOLDED,))))
    assert model.rows[-1].action == FOLDED
    model.set_filter(FILTER["visits_10"])
    assert all(row.visits >= 10 for row in model.rows[:-1])
    assert chosen == played == []
    table.header().setSortIndicator(COLUMN_INDEX["q"], Qt.SortOrder.AscendingOrder)
    assert model.rows[-1].action == FOLDED


def test_the_tree_keeps_what_is_open_while_moves_get_their_first_visits(qtbot, monkeypatch):
    monkeypatch.setattr("gui.widgets.tables.tree_view.pointer_inside", lambda *_: False)  # which keeps the order
    game = load_game("gomoku(size=7)")
    search = run_search(game.initial(), HashEvaluator(49), 25, memory_mb=16)
    tree = TreeView()
    qtbot.addWidget(tree)
    tree.resize(900, 1500)
    tree.show()
    best = search.snapshot().best
    tree.show_snapshot(search.snapshot([(best,)]))
    tree.open_path((best,))
    model = tree.nodes
    chosen = []
    tree.selected.connect(chosen.append)
    before = model.rowCount()
    search.run(Limit(simulations=200))
    snapshot = search.snapshot([(best,)])
    tree.show_snapshot(snapshot)
    visited = sum(row.visits > 0 for row in snapshot.moves)
    assert model.rowCount() == visited + 1 > before
    assert tree.isExpanded(model.index_of((best,)))
    below = snapshot.opened[(best,)]
    children = model.item(model.index_of((best,))).children
    assert {child.path[-1] for child in children} == {row.action for row in below.rows if row.visits} | {FOLDED}
    assert [child.row.visits for child in children if child.path[-1] >= 0] == sorted(
        (row.visits for row in below.rows if row.visits), reverse=True
    )
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=centre(tree, model.index_of((best, FOLDED))))
    assert len(model.item(model.index_of((best,))).children) == len(below.rows) + 1
    assert tree.isExpanded(model.index_of((best,)))
    tree.nodes.set_filter(FILTER["every"])
    assert model.rowCount() == len(snapshot.moves)
    assert chosen == []


def test_sparks_are_the_curves_on_common_scales(search):
    curves = search.curves()
    found = sparks(curves)
    assert set(found) == set(curves.actions.tolist())
    best = search.snapshot().best
    place = curves.actions.tolist().index(best)
    shown = np.searchsorted(curves.simulations, np.linspace(curves.simulations[0], curves.simulations[-1], 24))
    most = float(curves.shares[shown].max())
    assert found[best].shares[-1] == pytest.approx(float(curves.shares[-1, place]) / most, abs=0.011)
    assert all(0 <= value <= 1 for spark in found.values() for value in spark.values if value == value)
    assert sparks(None) == {}


def test_a_finished_game_that_was_reached_in_the_tree_has_no_sparks():
    game = load_game("tictactoe")
    last = game.initial().play(0).play(3).play(1).play(4)
    search = run_search(last, HashEvaluator(9), 40, memory_mb=16, prove=False)
    search.advance(2)
    curves = search.curves()
    assert len(curves.simulations) > 1
    assert sparks(curves) == {}
