"""Two searches compared: paired moves, diverging PVs, values and settings, each from the searches' own figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from core.engine import Search
from core.games import load_game
from core.glass import Snapshot
from core.search import Limit, SearchSettings
from gui.rooms.what_if.comparison import (
    GIVE_WAY,
    HEADS,
    ComparisonModel,
    ComparisonTable,
    change_words,
    common_moves,
    divergence_words,
    paired,
    setting_changes,
    value_words,
)
from gui.widgets.figures import signed
from gui.widgets.theme import figure_font
from tests.core.search.fakes import HashEvaluator

BOARD = load_game("connect4(rows=4, cols=5, k=3)")


def searched(simulations: int = 300, only: tuple[int, ...] = (), **changes: object) -> Snapshot:
    settings = SearchSettings(memory_mb=16, **changes)  # type: ignore[arg-type]
    search = Search(BOARD.position("c"), HashEvaluator(BOARD.num_actions), settings, only=only)
    search.run(Limit(simulations=simulations))
    line = search.snapshot().pv
    return search.snapshot([line[:length] for length in range(1, len(line))])


def with_line(snapshot: Snapshot, *line: int) -> Snapshot:
    """Return the same figures with another principal variation."""
    root = snapshot.root
    best = root.actions.tolist().index(line[0])
    pvs = tuple(tuple(line) if i == best else pv for i, pv in enumerate(root.pvs))
    return replace(snapshot, root=replace(root, pvs=pvs, best_index=best), opened={})


def test_a_heading_with_little_room_keeps_where_the_searches_differ(qtbot: QtBot) -> None:
    table = ComparisonTable()
    qtbot.addWidget(table)
    groups = table.groups
    title = "First search · c_puct 1.5"
    assert groups.fitting(title, 1000) == title
    bold = QFontMetrics(figure_font(groups.font(), bold=True))
    assert groups.fitting(title, bold.horizontalAdvance(title) - 1) == "c_puct 1.5"
    assert len(groups.fitting(title, bold.horizontalAdvance("c_puct 1.5") - 1)) < len("c_puct 1.5")


def test_every_move_is_paired_with_its_rank_in_each() -> None:
    first, second = searched(), searched(c_puct=6.0)
    pairs = paired(first, second)
    assert sorted(pair.action for pair in pairs) == sorted(first.root.actions.tolist())
    assert [pair.ranks[0] for pair in pairs] == sorted(pair.ranks[0] for pair in pairs)
    for pair in pairs:
        for side, snapshot in enumerate((first, second)):
            row = next(row for row in snapshot.moves if row.action == pair.action)
            assert pair.rows[side] == row
            assert pair.ranks[side] == 1 + snapshot.moves.index(row)
        assert pair.change("share") == pair.figure(1, "share") - pair.figure(0, "share")
        assert pair.stands_out("share") == (abs(pair.change("share")) >= 0.05 - 1e-9)
        moved = pair.ranks[0] != pair.ranks[1]
        assert pair.stands_out("rank") == (moved and max(row.share for row in pair.rows if row) >= 0.01)
        visits = [row.visits for row in pair.rows if row]
        assert pair.stands_out("q") == (min(visits) >= 10 and abs(pair.change("q")) >= 0.05)


def test_moves_left_out_and_merged_are_paired_too() -> None:
    first, second = searched(only=(0, 1)), searched()
    pairs = {pair.action: pair for pair in paired(first, second)}
    assert len(pairs) == 5
    left_out = pairs[3].rows[0]
    assert left_out is not None
    assert left_out.left_out
    assert pairs[3].ranks[0] == 0
    assert pairs[3].ranks[1] > 0
    assert np.isnan(pairs[3].figure(0, "q"))
    merged = Search(BOARD.initial(), HashEvaluator(5), SearchSettings(merge_symmetric=True, memory_mb=16))
    merged.run(Limit(simulations=50))
    plain = Search(BOARD.initial(), HashEvaluator(5), SearchSettings(memory_mb=16))
    plain.run(Limit(simulations=50))
    twins = {other: kept for kept, others in merged.snapshot().root.same.items() for other in others}
    assert len(twins) == 2
    for pair in paired(plain.snapshot(), merged.snapshot()):
        kept = twins.get(pair.action)
        assert (pair.rows[1] is None) == (kept is not None)
        assert pair.notes[1] == (f"= {BOARD.action_name(kept)}" if kept is not None else "")


def test_the_divergence_is_where_the_pvs_differ() -> None:
    first = searched(prove=False)
    path = first.pv[:2]
    node = first.opened[path]
    other = next(row for row in node.rows if row.action != first.pv[2] and row.visits)
    second = with_line(first, *path, other.action)
    second = replace(second, opened=first.opened)
    row = next(row for row in node.rows if row.action == first.pv[2])
    assert common_moves(first, second) == path
    names = [BOARD.action_name(a) for a in path]
    mover = ("Red", "Yellow")[node.position.to_move]
    assert divergence_words(first, second) == (
        f"Both expect {' '.join(names)}; then the first plays {row.name} (N {row.visits}, Q {signed(row.q, 2)}) "
        f"and the second {other.name} (N {other.visits}, Q {signed(other.q, 2)}), for {mover}."
    )


def test_pvs_that_differ_in_length_or_side() -> None:
    first = searched()
    assert divergence_words(first, first) == f"Both expect {' '.join(first.moves[0].pv_names[:10])}" + (
        " …" if len(first.pv) > 10 else "."
    )
    one, two = with_line(first, 2, 1), with_line(first, 2, 1, 4)
    assert divergence_words(one, two) == "Both expect c b; the second looks further: e."
    assert divergence_words(two, one) == "Both expect c b; the first looks further: e."
    elsewhere = divergence_words(one, with_line(first, 3, 0))
    assert elsewhere.startswith("The first plays c (N ")
    assert " and the second d (N " in elsewhere
    assert elsewhere.endswith(", for Yellow.")
    proofs = np.where(np.arange(5) == one.root.best_index, 1, 0).astype(np.int8)
    proved = replace(one, root=replace(one.root, proofs=proofs, distances=np.full(5, 3, np.int16)))
    assert f"plays c (N {proved.root.visits_of[proved.root.best_index]}, win in 3)" in divergence_words(
        proved, with_line(first, 3, 0)
    )
    unknown = divergence_words(one, with_line(first, 2, 4))
    assert unknown == "Both expect c; then the first plays b and the second e, for Red."


def test_values_are_given_for_the_side_to_move() -> None:
    first, second = searched(), searched(20, c_puct=6.0)
    words = value_words(first, second)
    assert words.startswith(f"Value for Yellow: first {signed(first.value)}, second ")
    assert ("higher by" in words) == (second.value > first.value)
    assert value_words(first, first).endswith(": the same.")
    low, high = (replace(first, root=replace(first.root, q=q)) for q in (-0.00349, -0.00151))
    assert value_words(low, high).replace("−", "-").endswith("first -0.003, second -0.002: higher by 0.001.")
    lost = replace(second, root=replace(second.root, proof=3, distance=4))
    assert "second loss in at most 4: lower by" in value_words(first, lost)


def test_settings_that_differ_are_named() -> None:
    first = SearchSettings()
    second = replace(first, c_puct=3.0, fpu="loss", prove=False)
    changes = {title: (ours, theirs) for title, ours, theirs in setting_changes(first, second)}
    assert changes["Unvisited moves"] == ("loss", "parent value − reduction")
    assert changes["Prove"] == ("off", "on")
    assert len(changes) == 3
    assert setting_changes(first, first) == []
    assert change_words(first, first, ("a", "a"), (1, 1)) == "Second: same settings as the first"
    words = change_words(first, second, ("net.onnx", "uniform prior"), (1000, 50))
    assert words.startswith("Second: uniform prior instead of net.onnx · ")
    assert words.endswith(" · 50 simulations instead of 1\u202f000")


@pytest.mark.parametrize("column", range(len(HEADS)))
def test_the_table_sorts_by_any_column_with_the_unknown_last(column: int) -> None:
    first, second = searched(only=(0, 1, 2)), searched(c_puct=6.0)
    model = ComparisonModel()
    model.show(paired(first, second))
    for descending in (False, True):
        model.sort(column, model_order(descending))
        texts = [HEADS[column].text(pair) for pair in model.rows]
        known = [text for text in texts if text != "–"]
        assert texts[: len(known)] == known
        if HEADS[column].id == "share":
            shares = [pair.figure(HEADS[column].side, "share") for pair in model.rows[: len(known)]]
            assert shares == sorted(shares, reverse=descending)
    marked = [pair.action for pair in model.rows if HEADS[1].text(pair).startswith("●")]
    assert marked == [first.best]


def model_order(descending: bool) -> Qt.SortOrder:
    return Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder


def test_a_narrow_table_leaves_out_columns_and_cuts_no_figure(qtbot: QtBot) -> None:
    table = ComparisonTable()
    qtbot.addWidget(table)
    table.show()
    view = table.view
    least, header = view.least_widths(), view.horizontalHeader()
    seen = []
    for width in range(1600, 100, -20):
        table.resize(width, 200)
        shown = [column for column in range(len(HEADS)) if not header.isSectionHidden(column)]
        names = [HEADS[column].id for column in shown]
        assert all(header.sectionSize(column) >= least[column] for column in shown)
        left_out = set(GIVE_WAY) - set(names)
        assert left_out == set(GIVE_WAY[: len(left_out)])
        assert header.length() <= view.viewport().width() or len(left_out) == len(GIVE_WAY)
        seen.append(len(left_out))
    assert sorted(set(seen)) == list(range(len(GIVE_WAY) + 1))


def test_one_setting_says_whose_values_are_compared() -> None:
    first, second = searched(), searched(20, c_puct=6.0)
    mover = BOARD.position("c").to_move
    assert paired(first, second, mover) == paired(first, second)
    assert value_words(first, second, mover) == value_words(first, second)
    table = ComparisonTable()
    table.show_both(first, second, -1)
    q = next(i for i, head in enumerate(HEADS) if head.id == "q")
    own = {row.name: table.model.look(row, q) for row in table.model.rows}
    assert {table.model.look(row, 0).disc for row in table.model.rows} == {(BOARD.name, mover)}
    table.show_both(first, second, 1 - mover)
    for row in table.model.rows:
        look = table.model.look(row, q)
        assert table.model.look(row, 0).disc == (BOARD.name, 1 - mover)
        assert look.text == signed(row.figure(0, "q"))
        assert own[row.name].text == signed(-row.figure(0, "q"))
    other = value_words(first, second, 1 - mover)
    assert other.startswith(f"Value for Red: first {signed(-first.value)}, second {signed(-second.value)}")
    higher = second.value > first.value
    assert ("higher" in value_words(first, second)) == higher == ("lower" in other)
    one, two = with_line(first, 2, 1, 3), with_line(first, 2, 1, 4)
    words, turned = divergence_words(one, two), divergence_words(one, two, mover)
    assert words.endswith(f"for {'Yellow' if mover else 'Red'}.")
    assert divergence_words(with_line(first, 2), with_line(first, 3), 1 - mover).endswith("for Red.")
    assert turned == words
