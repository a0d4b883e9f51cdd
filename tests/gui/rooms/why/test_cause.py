"""The part of the room Why that finds out why the search misses a line, in a window with a real search."""

import pytest
from PySide6.QtCore import Qt

from core.engine import Analysis
from core.games import load_game
from core.search import Limit, SearchSettings
from gui.model.sources import UniformSource
from gui.rooms.why.cause import OUTSIDE, PLAYED, SOURCES, line_of
from gui.rooms.why.why import WhyRoom
from tests.gui.conftest import open_window


@pytest.fixture
def cause(qtbot):
    """The part in a window that searches tic-tac-toe, in which b1 wins, by equal priors."""
    window = open_window(qtbot, Analysis(), "tictactoe")
    window.state.set_limit(2)
    window.state.set_settings(SearchSettings(selection="puct", max_batch=1, memory_mb=32))
    window.state.set_source(UniformSource())
    for move in ("a1", "b2", "c1"):
        window.state.play(load_game("tictactoe").parse_action(move))
    window.docks.show_dock("why")
    room = window.docks["why"].widget_made
    assert isinstance(room, WhyRoom)
    return window, room.cause


def search_to(qtbot, window, simulations):
    """Wait until the search on the screen has ended at so many simulations, or at a proof."""
    window.state.set_limit(simulations)
    session = window.context.session
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.simulations > 100, timeout=20_000)
    qtbot.waitUntil(lambda: not session.searching and bool(session.snapshot.reason), timeout=20_000)


def test_a_line_is_entered_and_its_cause_is_found(qtbot, cause):
    window, section = cause
    search_to(qtbot, window, 300)
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    section.line.selectAll()
    qtbot.keyClicks(section.line, "b1 a2")
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(section.plies.rows) == 2, timeout=20_000)
    assert section.plies.rows[0].texts[0] == "1. b1"
    assert section.sought.text().startswith("The search itself prefers b1. Sought is what makes ")
    assert " simulations from the same seed" in section.sought.text()
    assert section.whose.text().endswith("values for O")
    assert section.repairs.chart.ends[1].startswith("right for good after ")
    assert section.sentence.text()
    section.plies.chosen.emit(1)
    assert window.state.selected == line_of(window.state.position, "b1 a2")
    window.state.select(())
    window.docks.show_dock("tree")  # another room
    window.docks.show_dock("why")
    assert section.line.text() == "b1 a2"
    window.state.play(window.state.position.legal_actions()[0])
    qtbot.waitUntil(section.sentence.isHidden)


@pytest.mark.parametrize(("words", "sentence"), [("", "the line has no move"), ("a1", "a1"), ("z9", "z9")])
def test_a_line_that_cannot_be_played_is_refused_in_a_sentence(qtbot, cause, words, sentence):
    _, section = cause
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    qtbot.mouseClick(section.line, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(section.line.hasFocus)
    section.line.selectAll()
    qtbot.keyClick(section.line, Qt.Key.Key_Delete)
    qtbot.keyClicks(section.line, words)
    qtbot.keyClick(section.line, Qt.Key.Key_Return)
    assert sentence in section.sentence.text()


def test_random_games_have_nothing_to_blame(qtbot, cause):
    window, section = cause
    section.fold.setChecked(True)
    window.state.set_source(None)
    qtbot.waitUntil(lambda: not section.button.isEnabled())
    assert "random rollouts" in section.sentence.text()
    section.examine("a1")
    assert "random rollouts" in section.sentence.text(), "asked by a lesson"
    assert section.examined == ()


def test_a_line_is_entered_by_a_click_as_it_was_played(qtbot, cause):
    window, section = cause
    section.fold.setChecked(True)
    for move in ("b1", "a2"):
        window.state.play(load_game("tictactoe").parse_action(move))
    window.state.go(3)
    played, outside = (section._buttons[source] for source in SOURCES)
    qtbot.waitUntil(played.isVisible)
    assert outside.isHidden()
    qtbot.mouseClick(played, Qt.MouseButton.LeftButton)
    assert section.line.text() == "b1 a2"
    window.state.select((window.state.position.legal_actions()[0],))
    assert section.line.text() == "b1 a2"
    window.state.go(4)
    assert section.line.text() != "b1 a2"
    window.state.go(5)
    qtbot.waitUntil(played.isHidden)


def test_the_line_of_a_second_opinion_is_entered_where_it_was_given(qtbot, cause):
    window, section = cause
    section.fold.setChecked(True)
    line = line_of(window.state.position, "b1 a2 c2")
    outside = section._buttons[OUTSIDE]
    window.state.set_outside_line(window.state.position, line)
    qtbot.waitUntil(outside.isVisible)
    qtbot.mouseClick(outside, Qt.MouseButton.LeftButton)
    assert section.line.text() == "b1 a2 c2"
    window.state.play(line[0])
    qtbot.waitUntil(outside.isHidden)
    window.state.go(3)
    qtbot.waitUntil(outside.isVisible)
    window.state.set_outside_line(None)
    assert outside.isHidden()


@pytest.mark.parametrize(
    ("source", "sentence"), [(PLAYED, "no move after this position"), (OUTSIDE, "No other engine names a line here")]
)
def test_the_palette_enters_a_line_or_says_that_there_is_none(qtbot, cause, source, sentence):
    window, section = cause
    window.context.actions[f"cause_{source}"].trigger()
    qtbot.waitUntil(section.line.isVisible)
    assert sentence in section.sentence.text()
    line = line_of(window.state.position, "b1 a2")
    window.state.play_line(line)
    window.state.go(3)
    window.state.set_outside_line(window.state.position, line)
    window.context.actions[f"cause_{source}"].trigger()
    assert section.line.text() == "b1 a2"
    assert section.sentence.isHidden()


def test_a_cause_is_forgotten_where_the_search_is_set_otherwise(qtbot, cause):
    window, section = cause
    search_to(qtbot, window, 300)  # the figures shown change no more
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    section.examine("b1")
    qtbot.waitUntil(lambda: section.report is not None)
    assert section.examined == line_of(window.state.position, "b1")
    window.state.set_settings(SearchSettings(selection="puct", max_batch=1, memory_mb=32, c_puct=3.0))
    qtbot.waitUntil(lambda: section.report is None)
    assert section.examined == ()


def test_a_cause_found_by_fewer_simulations_is_shown_but_not_that_of_the_present_search(qtbot, cause):
    window, section = cause
    window.state.set_settings(SearchSettings(selection="puct", max_batch=1, memory_mb=32, prove=False))
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    section.examine("b1")
    qtbot.waitUntil(lambda: section.report is not None)
    window.context.session.search_to(Limit(simulations=300))
    qtbot.waitUntil(lambda: section.examined == ())
    assert section.report is not None


def test_a_right_move_is_examined_for_what_makes_the_search_leave_it(qtbot, cause):
    window, section = cause
    search_to(qtbot, window, 300)
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    section.examine("b1")
    qtbot.waitUntil(lambda: section.report is not None)
    assert section.report.keeps
    assert section.sentence.text().startswith("The search finds it")
    assert {row.texts[5] for row in section.plies.rows} == {"drawn"}
    notes = [row.note for row in section.repairs.chart.rows]
    assert len(notes) == len(section.report.repairs)
    assert notes == ["left" if repair.right_from < 0 else str(repair.right_from) for repair in section.report.repairs]


def test_a_search_made_again_that_decides_otherwise_says_so_first(qtbot, cause):
    """After 2 simulations it prefers another move; after 200 it has found the line."""
    window, section = cause
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    qtbot.waitUntil(lambda: window.context.session.snapshot is not None and not window.context.session.searching)
    assert window.context.session.snapshot.best != line_of(window.state.position, "b1")[0]
    section.examine("b1 a2")
    qtbot.waitUntil(lambda: section.report is not None, timeout=20_000)
    assert section.report.shown == window.context.session.snapshot.best
    assert section.sentence.text().startswith("Searched again from the same seed to 200 simulations, b1 is chosen ")
    assert section.report.repairs == ()
    assert section.repairs.isHidden()
    assert section.fold.isChecked()


def test_a_proposed_line_stays_when_its_cause_was_sought(qtbot, cause):
    window, section = cause
    search_to(qtbot, window, 300)
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    window.state.select(line_of(window.state.position, "b1 a2"))
    qtbot.waitUntil(lambda: section.line.text() == "b1 a2")
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: section.report is not None, timeout=20_000)
    window.state.select(line_of(window.state.position, "b1"))
    assert section.line.text() == "b1 a2"
    values = [ply.value for ply in section.report.plies]
    repaired = {repair.ply: repair.before for repair in section.report.repairs if repair.kind == "value"}
    assert repaired == {ply: values[ply] for ply in repaired}  # one point of view in the table and in the bars
