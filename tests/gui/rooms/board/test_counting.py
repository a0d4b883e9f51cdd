"""Tests of counting an ended game of Go in the window: proposal, clicks on stones, strip, title, record and file."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from core.files.sgf import read_sgf, write_sgf
from core.games import load_game
from core.search import SearchSettings
from gui.jobs.game_analysis import Basis, evaluate
from gui.rooms.board.board_figures import BoardFigures
from gui.rooms.board.count_link import CountLink
from gui.rooms.opponents.play_view import result_words
from gui.window import MainWindow
from tests.core.engine.test_ownership import WhiteOwnsAll
from tests.gui.fakes import FakeAnalysis

JAPANESE = load_game("go(size=5, rules=japanese, komi=0.5)")
# Black has the left, with a white stone at a3; white has the right.
ENDED = "c1 d1 c2 d2 c3 d3 c4 d4 c5 d5 b1 a3 b2 e2 b4 e4 b5 pass a2 pass a4 pass pass"
WORDS = "Black 5: territory 4, prisoners 1\nWhite 3.5: territory 3, komi 0.5"
ALIVE = "Black 2: territory 2\nWhite 3.5: territory 3, komi 0.5"
AREA = "Black 13: territory 2, stones 11\nWhite 11.5: territory 3, stones 8, komi 0.5"


def counting(window: MainWindow) -> CountLink:
    return window.room.findChild(CountLink)


def opened(window: MainWindow, qtbot: QtBot, game: str, moves: str = ENDED) -> None:
    window.state.open_position(load_game(game).position(moves), None)
    qtbot.waitUntil(lambda: not window.room.count.isHidden())


def click(window: MainWindow, name: str) -> None:
    window.room.board.refused.emit(window.state.game.parse_action(name))


def test_dead_stones_are_proposed_and_toggled(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, JAPANESE.text)
    strip, player = window.room.count, window.room.player
    assert strip.label.text() == WORDS
    assert (player.title, player.note) == ("Black wins by 1.5", "after 23 moves · click dead stones")
    assert window.room.value_bar.value == 1
    click(window, "a3")
    assert strip.label.text() == ALIVE
    assert player.title == "White wins by 1.5"
    assert window.room.value_bar.value == -1
    assert counting(window).count.dead == set()
    click(window, "b3")  # no stone
    assert strip.label.text() == ALIVE
    click(window, "c1")  # the whole chain of black's wall
    assert len(counting(window).count.dead) == 11
    assert player.title.startswith("White wins by ")
    assert window.banner.text == ""


@pytest.mark.slow
def test_marks_are_kept_while_other_positions_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, JAPANESE.text)
    click(window, "a3")
    window.state.go(3)
    assert window.room.count.isHidden()
    assert window.room.findChild(BoardFigures).margin is None
    click(window, "c1")
    assert window.banner.text == "The place is taken."
    window.state.go(23)
    assert window.room.count.label.text() == ALIVE


def test_the_result_is_recorded_and_read_back(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, JAPANESE.text)
    strip, record = window.room.count, window.state.record
    assert strip.button.isEnabled()
    strip.button.click()
    assert not strip.button.isEnabled()
    assert record.outcome() == "B+1.5"
    written = write_sgf([record]).decode()
    assert "RE[B+1.5]" in written
    assert "TB[aa][ac][bc][ae]" in written
    assert "TW[ea][ec][ee]" in written
    click(window, "a3")
    assert strip.button.isEnabled()
    window.state.undo()
    assert record.info.get("result") is None
    assert not dict(record.node(record.main_line()[-1]).extra)
    (again,) = read_sgf(written.encode()).records
    window.state.open_game(again, again.main_line()[-1])
    assert strip.label.text() == WORDS  # by the file, at once
    assert not strip.button.isEnabled()


@pytest.mark.slow
def test_every_stone_counts_under_rules_that_take_none_off(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot, "go(size=5, komi=0.5)")
    assert window.room.count.label.text() == AREA
    assert window.room.player.note == "after 23 moves"
    click(window, "a3")
    assert window.banner.text == "The game is over."
    assert window.room.player.title == "Black wins by 1.5"


@pytest.mark.parametrize("game", ["go(size=5, rules=japanese)", "go(size=5, rules=chinese)"])
def test_words_leave_the_winner_open(game: str) -> None:
    position = load_game(game).position("a1 pass pass")
    assert result_words(position) == "Both have passed after 3 moves: click the dead stones on the board."
    assert result_words(load_game("go(size=5)").position("a1 pass pass")) == "Black wins after 3 moves."


def test_the_net_of_the_search_proposes(
    window: MainWindow, qtbot: QtBot, analysis: FakeAnalysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = WhiteOwnsAll(JAPANESE.num_actions)
    search = SimpleNamespace(position=JAPANESE.initial(), evaluator=evaluator)
    monkeypatch.setattr(analysis, "visit", lambda visitor: visitor(search))
    opened(window, qtbot, JAPANESE.text)
    assert len(counting(window).count.dead) == 11
    assert window.room.player.title.startswith("White wins by ")


@pytest.mark.slow
def test_other_games_are_not_counted(window: MainWindow) -> None:
    window.state.open_position(load_game("othello(size=4)").initial(), None)
    assert counting(window).position is None
    assert window.room.count.isHidden()


def test_the_analysis_of_a_game_takes_dead_stones_off() -> None:
    """With the white stone at a3 alive, white would have won."""
    position = JAPANESE.position(ENDED)
    assert position.returns == (-1, 1)
    figures = evaluate(position, None, Basis(None, SearchSettings(selection="ucb1")), lambda: False)
    assert (figures.value, figures.exact) == (-1.0 if position.to_move else 1.0, False)
