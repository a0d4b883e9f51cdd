"""The part of the room Why that finds out why the search misses a line, in a window with a real search."""

import pytest
from PySide6.QtCore import Qt

from core.engine import Analysis
from core.games import load_game
from core.search import SearchSettings
from gui.model.sources import UniformSource
from gui.rooms.why.cause import line_of
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
    yield window, room.cause
    window.close()


def test_a_line_is_entered_and_its_cause_is_found(qtbot, cause):
    window, section = cause
    section.fold.setChecked(True)
    qtbot.waitUntil(section.button.isEnabled)
    section.line.selectAll()
    qtbot.keyClicks(section.line, "b1 a2")
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(section.plies.rows) == 2, timeout=20_000)
    assert section.plies.rows[0].texts[0] == "1. b1"
    assert section.sentence.text()
    section.plies.chosen.emit(1)
    assert window.state.selected == line_of(window.state.position, "b1 a2")
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
