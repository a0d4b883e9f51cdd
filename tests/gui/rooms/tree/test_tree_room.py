"""The room of the tree: its parts come and go, and share selection, search field, colours and point of view."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.games import load_game
from core.glass.ask import Matches
from core.glass.question import read_question
from core.search import SearchSettings
from gui.rooms.tree.legend import MODE_TIPS
from gui.rooms.tree.search_box import EXAMPLES
from gui.rooms.tree.tree_room import TreeRoom
from gui.widgets.figures import COLUMN_INDEX
from gui.widgets.folding_row import FoldingRow
from gui.widgets.preferences import Preferences
from gui.widgets.room import Room
from gui.window import MainWindow
from tests.gui.conftest import new_window, open_window
from tests.gui.fakes import FakeAnalysis


@pytest.fixture
def searched(qtbot: QtBot) -> MainWindow:
    """A small Connect Four with a real search that has ended, and all three parts of the room."""
    window = open_window(qtbot, Analysis(), "connect4(rows=4, cols=5, k=3)")
    window.state.set_limit(600)
    for part in ("icicle", "picture"):
        window.commands.open_dock(part)
    room = room_of(window)
    qtbot.waitUntil(lambda: not window.session.searching)
    qtbot.waitUntil(lambda: all(part.canvas.nodes is not None for part in room._shown))
    return window


def room_of(window: MainWindow) -> TreeRoom:
    room = window.docks["tree"].fill()
    assert isinstance(room, TreeRoom)
    return room


def parts_of(window: MainWindow) -> list[str]:
    room = room_of(window)
    return [name for name, button in room.parts.items() if button.isChecked() and room.part_shown(name)]


def test_parts_are_shown_hidden_and_kept_and_one_is_always_there(qtbot: QtBot, analysis: FakeAnalysis) -> None:
    preferences = Preferences()
    window = open_window(qtbot, analysis, "connect4", preferences=preferences)
    assert parts_of(window) == ["table", "icicle"]
    window.context.actions["picture"].trigger()
    assert parts_of(window) == ["table", "icicle", "picture"]
    for action in ("icicle", "table"):
        window.context.actions[action].trigger()
    assert parts_of(window) == ["picture"]
    assert not window.views.tree.isVisible()
    room_of(window).parts["picture"].click()
    assert parts_of(window) == ["picture"], "one is always on"
    window.context.actions["tree"].trigger()
    assert window.docks["tree"].isHidden()
    window.context.actions["table"].trigger()
    assert parts_of(window) == ["table", "picture"]
    assert window.views.tree.isVisible()
    kept = Preferences()
    kept.tree_parts = preferences.tree_parts
    window.close()
    again = open_window(qtbot, FakeAnalysis(), "connect4", preferences=kept)
    assert parts_of(again) == ["table", "picture"]


def test_the_table_is_as_high_as_its_rows_until_the_user_drags(qtbot: QtBot, searched: MainWindow) -> None:
    room, table = room_of(searched), searched.views.tree
    searched.resize(1400, 1100)
    room.parts["picture"].click()
    qtbot.waitUntil(lambda: table.height() == table.full_height)
    closed = table.height()
    table.open_path(searched.session.snapshot.pv[:1])
    qtbot.waitUntil(lambda: table.height() == table.full_height > closed)
    room.stack.moveSplitter(90, 1)
    assert table.height() < closed
    table.close_path(searched.session.snapshot.pv[:1])
    assert table.height() < closed, "the user's share stays"


def test_the_search_field_has_short_words_where_the_room_is_narrow(qtbot: QtBot, window: MainWindow) -> None:
    room = room_of(window)
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: room.box.placeholderText() == "Find moves, ask the tree")
    line = room.box.parentWidget()
    assert isinstance(line, FoldingRow)
    assert not line.folded
    line.resize(line.minimumSizeHint().width(), line.height())
    qtbot.waitUntil(lambda: line.folded)
    qtbot.waitUntil(lambda: room.box.placeholderText() == "Find")
    assert room.box.geometry().right() < line.width()


def lit(room: TreeRoom) -> list[set[tuple[int, ...]]]:
    """The paths of the nodes lit in each drawn tree."""
    canvases = [part.canvas for part in room._shown]
    return [{canvas.nodes.path_of(place) for place in canvas.matches.tolist()} for canvas in canvases]


def answered(qtbot: QtBot, room: TreeRoom, text: str) -> Matches:
    room.box.setText(text)
    qtbot.waitUntil(lambda: room._answer is not None and room._answer.question == text.strip())
    return room._answer


def test_one_field_finds_moves_in_every_part(qtbot: QtBot, searched: MainWindow) -> None:
    room, state, line = room_of(searched), searched.state, searched.session.snapshot.pv[:2]
    names = [state.game.action_name(action) for action in line]
    qtbot.keyClicks(room.box, " ".join(names))
    answer = answered(qtbot, room, " ".join(names))
    for paths in lit(room):
        assert {path[-2:] for path in paths} == {line}
    assert room.answer.sums.text().startswith(str(answer.sums.nodes))
    qtbot.keyClick(room.box, Qt.Key.Key_Return)
    assert state.selected == line
    for name in ("icicle", "picture"):
        room.parts[name].click()
    answer = answered(qtbot, room, names[0])
    assert line[:1] in answer.rows == searched.views.tree.nodes.lit
    assert {path[-1:] for path in answer.rows} == {line[:1]}
    qtbot.keyClick(room.box, Qt.Key.Key_Return)
    assert state.selected == line[:1]
    qtbot.keyClick(room.box, Qt.Key.Key_Escape)
    assert room.box.text() == ""
    assert room.answer.isHidden()


def test_the_answer_about_an_earlier_position_selects_nothing(qtbot: QtBot, searched: MainWindow) -> None:
    room, state = room_of(searched), searched.state
    move = searched.session.snapshot.pv[0]
    answer = answered(qtbot, room, f"move == {state.game.action_name(move)}")
    assert answer.paths[0] == (move,)
    state.play(move)
    assert room._answer is answer, "no snapshot of the new position has come"
    room.box.walked.emit(1)
    assert state.selected == ()


def test_a_question_lights_its_nodes_and_tells_their_sums(qtbot: QtBot, searched: MainWindow) -> None:
    room, state, snapshot = room_of(searched), searched.state, searched.session.snapshot
    answer = answered(qtbot, room, "N > 20 and Q > .1")
    rows = {(row.action,): row for row in snapshot.moves if row.visits > 20 and row.q > 0.1}
    assert {path for path in searched.views.tree.nodes.lit if len(path) == 1} == rows.keys() != set()
    for paths in lit(room):
        assert {path for path in paths if len(path) == 1} == rows.keys()
        assert paths <= set(answer.paths)
    qtbot.keyClick(room.box, Qt.Key.Key_Return)
    assert state.selected == answer.paths[0]
    qtbot.keyClick(room.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert state.selected == answer.paths[-1]
    mine = room.answer.sums.text()
    searched.context.actions["values_second"].trigger()
    qtbot.waitUntil(lambda: room._answer is not None and room._answer.player == 1)
    assert room._answer.rows != answer.rows
    assert room.answer.sums.text() != mine
    room.box.setText("N > 20 nd")
    assert "▸ nd" in room.answer.wrong.text()
    assert room.answer.wrong.wordWrap()
    assert room.answer.wrong.text().endswith("or the end")
    assert room.answer.isVisible()
    assert lit(room) == [set(), set()]
    searched.state.play(snapshot.pv[0])
    room.box.setText("depth == 1")
    qtbot.waitUntil(lambda: room._answer is not None and room._answer.sums.share == 1.0)


def test_a_move_is_asked_for_wherever_it_occurs(qtbot: QtBot, searched: MainWindow) -> None:
    room = room_of(searched)
    searched.state.move_asked.emit("c")
    assert room.box.text() == "move == c"
    qtbot.waitUntil(lambda: room._answer is not None)
    before, after = room.answer.tables
    qtbot.waitUntil(lambda: bool(before.listed.rows))
    assert sum(row[2] for row in before.listed.rows) == sum(one.visits for one in room._answer.before)
    assert [row[2] for row in after.listed.rows] == [one.visits for one in room._answer.after]
    assert len(room.answer.sides.text().splitlines()) == 2, "both players play it"
    row = next(row for row in after.listed.rows if row[0] != "c")
    after.chosen.emit(row)
    assert room.box.text() == f"move == {row[0]}"


def test_questions_are_kept_and_forgotten(qtbot: QtBot, searched: MainWindow) -> None:
    box, preferences = room_of(searched).box, searched.context.preferences
    for question, _ in EXAMPLES:
        read_question(question, searched.state.game)

    def turn() -> None:
        box.fill_menu()
        action = box.menu.actions()[-1]
        assert action.isEnabled()
        action.trigger()

    for text in ("depth == 3", "N > 7"):
        box.setText(text)
        turn()
    assert preferences.questions == ("N > 7", "depth == 3")
    box.clear()
    box.fill_menu()
    assert not box.menu.actions()[-1].isEnabled()
    next(action for action in box.menu.actions() if action.text() == "depth == 3").trigger()
    assert box.text() == "depth == 3"
    turn()
    assert preferences.questions == ("N > 7",)
    box.setText("N >")
    box.fill_menu()
    assert not box.menu.actions()[-1].isEnabled()
    preferences.keep_text("questions", '["N > 1", 3, "' + "x" * 500 + '"]')
    assert preferences.questions == ("N > 1",)


def test_one_choice_of_colours_and_of_a_player(qtbot: QtBot, searched: MainWindow) -> None:
    room = room_of(searched)
    canvases = [part.canvas for part in room._shown]

    def pictures() -> list[QImage]:
        qtbot.waitUntil(lambda: not any(canvas.moving for canvas in canvases))
        return [canvas.grab().toImage() for canvas in canvases]

    room.wants_legend.trigger()
    QApplication.processEvents()  # the legend takes its place
    seen, legends = [], set()
    for mode in MODE_TIPS:
        room.set_mode(mode)
        seen.append(pictures())
        legends.add(room.legend.toolTip())
    assert len(legends) == len(MODE_TIPS)
    assert all(now != before for now, before in zip(seen[1], seen[0], strict=True))
    room.set_mode("value")
    assert pictures() == seen[0]
    row = searched.views.tree.nodes.rows[0]
    room.players.buttons["second"].click()
    assert searched.context.actions["values_second"].isChecked()
    assert all(now != before for now, before in zip(pictures(), seen[0], strict=True))
    assert searched.views.tree.nodes.rows[0].q == -row.q
    searched.context.actions["values_first"].trigger()
    assert room.players.choice == "first"
    assert pictures() == seen[0], "the first player is to move"


def test_columns_that_say_nothing_are_hidden(window: MainWindow, analysis: FakeAnalysis) -> None:
    table = window.views.tree

    def hidden(*columns: str) -> list[bool]:
        return [table.isColumnHidden(COLUMN_INDEX[name]) for name in columns]

    window.state.play(3)
    nothing, same = np.full(7, np.nan, np.float32), np.full(7, 1 / 7, np.float32)
    table.show_snapshot(analysis.publish(400, values=nothing, priors=same, proofs=np.zeros(7, np.int8)))
    assert hidden("p", "v", "proof", "lead") == [True] * 4
    assert not any(hidden("move", "n", "q", "pv"))
    table.show_snapshot(analysis.publish(500, values=nothing, priors=same, proofs=np.ones(7, np.int8)))
    assert hidden("proof", "v") == [False, True]


def test_the_principal_variation_stays_in_sight(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    table, header = window.views.tree, window.views.tree.header()
    table.show_snapshot(analysis.publish(400))
    for width in (1000, 420, 700):
        table.resize(width, 300)
        QApplication.processEvents()
        assert not table.horizontalScrollBar().isVisible()
        assert header.sectionSize(COLUMN_INDEX["pv"]) > 40


def test_the_prior_is_hidden_after_the_sum_that_it_is_part_of(window: MainWindow, analysis: FakeAnalysis) -> None:
    table, prior, score = window.views.tree, COLUMN_INDEX["p"], COLUMN_INDEX["score"]
    table.show_snapshot(analysis.publish(400))
    seen = set()
    for width in range(300, 800, 20):
        table.resize(width, 300)
        table.fit_columns()
        seen.add((table.isColumnHidden(prior), table.isColumnHidden(score)))
    assert seen == {(True, True), (False, True), (False, False)}


def test_rows_that_stayed_in_place_are_sorted_when_the_pointer_leaves(
    window: MainWindow, analysis: FakeAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = window.views.tree
    table.show_snapshot(analysis.publish(400))
    monkeypatch.setattr("gui.widgets.tables.tree_view.pointer_inside", lambda *_: True)
    turned = analysis.latest().root.visits_of[::-1].copy()
    table.show_snapshot(analysis.publish(500, visits_of=turned))
    visits = [row.visits for row in table.nodes.rows]
    assert visits != sorted(visits, reverse=True)
    QApplication.sendEvent(table, QEvent(QEvent.Type.Leave))
    visits = [row.visits for row in table.nodes.rows]
    assert visits == sorted(visits, reverse=True)


def test_the_drawn_trees_wait_for_the_engine_and_move_nothing(qtbot: QtBot, analysis: FakeAnalysis) -> None:
    window = new_window(qtbot, (1400, 840))
    assert not room_of(window)._drawn
    below = window.docks.areas["bottom"]
    qtbot.waitUntil(lambda: window.docks["tree"].width() > 400 and below.height() == below.natural_size.height())
    before = window.docks["tree"].geometry()
    window.state.document.settings = SearchSettings()
    window.session.attach(analysis)
    window.state.open_position(load_game("connect4").initial(), None)
    qtbot.waitUntil(lambda: bool(room_of(window)._drawn))
    assert window.docks["tree"].geometry() == before


def test_the_upper_part_alone_says_what_is_waited_for(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, table = room_of(window), window.views.tree
    qtbot.waitUntil(lambda: "icicle" in room._drawn)
    canvas = room._drawn["icicle"].canvas
    for name in ("snapshot", "present"):  # as while a search is prepared
        monkeypatch.setattr(type(window.session), name, property(lambda _: None))
    room.show_snapshot(None, ())
    analysis.phase = "preparing the search"
    qtbot.waitUntil(lambda: table._note == "preparing the search")
    assert canvas._message == ""
    room.hide_part("table")
    assert canvas._message == "preparing the search"
    room.show_part("table")
    assert canvas._message == ""


def test_a_table_with_too_little_room_shows_whole_rows(window: MainWindow, analysis: FakeAnalysis) -> None:
    table = window.views.tree
    table.show_snapshot(analysis.publish(400))
    row, most = table.sizeHintForRow(0), table.full_height
    heights = {table.height_within(height) for height in range(most - 3 * row, most + row)}
    assert heights == {most - rows * row for rows in range(4)}


def test_the_node_under_the_pointer_keeps_whole_figures(searched: MainWindow) -> None:
    reading = room_of(searched).reading
    reading.setText("after d e f g d e f g d e f g d e f g d e f g d e f g · N 300 · Q +0.219 · V +0.191")
    width, whole = reading.fontMetrics().horizontalAdvance, reading.text()
    assert reading.shown_text(width(whole)) == whole
    shown = reading.shown_text(width(whole) - 40)
    assert shown.startswith("after")
    assert "…" in shown
    assert shown.endswith(" · N 300 · Q +0.219 · V +0.191")
    narrow = reading.shown_text(width("after d e f g d e f g d e f g d e · N 300"))
    assert narrow.endswith(" · N 300")
    assert reading.toolTip() == whole
    assert reading.shown_text(20) == ""


def test_three_parts_in_a_low_window_do_not_scroll_the_room(qtbot: QtBot, searched: MainWindow) -> None:
    searched.resize(956, 508)
    searched.commands.open_dock("picture")
    scrolled = searched.docks["tree"].findChild(Room).verticalScrollBar()
    qtbot.waitUntil(room_of(searched)._drawn["picture"].isVisible)
    assert scrolled.maximum() == 0
