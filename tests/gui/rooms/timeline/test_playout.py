"""A playout on the board: its parts one after the other, with the figures of before and after, on a real search."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.engine import Analysis
from core.search import SearchSettings
from gui.rooms.timeline.playout_strip import PlayoutStrip
from gui.rooms.timeline.time_machine import TimeMachine
from gui.rooms.why.why import WhyRoom
from gui.widgets.board.playout_paint import BACKUP, EVALUATION, EXPANSION, SELECTION
from gui.widgets.tables.row_delegate import IS_NEXT, MarkRole
from gui.window import MainWindow
from tests.gui.conftest import open_window

SIMULATIONS = 60


@pytest.fixture
def searched(qtbot: QtBot) -> Iterator[MainWindow]:
    """Tic-tac-toe searched to 60 simulations by random games; the window is the first screen."""
    window = open_window(qtbot, Analysis(), "tictactoe")
    window.state.set_limit(SIMULATIONS)
    window.state.set_settings(SearchSettings(selection="ucb1", prove=False, memory_mb=32))
    qtbot.waitUntil(lambda: window.commands.time.now == SIMULATIONS and not window.session.searching)
    window.commands.time.set_speed(2)
    yield window
    window.close()


def strip_of(window: MainWindow) -> PlayoutStrip:
    strip = window.room.findChild(PlayoutStrip)
    assert strip is not None
    return strip


def played(qtbot: QtBot, window: MainWindow) -> list[tuple[int, int]]:
    """Return the stages and parts shown until the playout ends, with what the board drew of each checked."""
    time, seen = window.commands.time, []

    def look() -> None:
        playout, drawn = time.playout, window.room.board.highlight
        if playout is None or drawn is None:
            return
        assert len(drawn.path) == (time.part if time.stage == SELECTION else len(playout.path))
        assert len(drawn.game) == {SELECTION: 0, EXPANSION: 0, EVALUATION: time.part}.get(time.stage, len(playout.game))
        assert bool(drawn.value) == time.valued
        before = [step.visits_before for step in playout.backed[1:]]
        after = [step.visits for step in playout.backed[1:]]
        if time.stage == BACKUP:  # from the leaf up
            shown, done = [int(n) for n, _ in drawn.figures], min(time.part, len(before))
            assert shown == before[: len(before) - done] + after[len(before) - done :]
        seen.append((time.stage, time.part))

    time.stage_changed.connect(look)
    time.moment_changed.connect(look)
    window.room.navigation["play_on_board"].click()
    qtbot.waitUntil(lambda: time.whole and not time.playing)
    time.stage_changed.disconnect(look)
    time.moment_changed.disconnect(look)
    return list(dict.fromkeys(seen))


def all_parts(time: TimeMachine) -> list[tuple[int, int]]:
    assert time.playout is not None
    path, game = len(time.playout.path), len(time.playout.game)
    parts = {SELECTION: path, EXPANSION: 0, EVALUATION: game, BACKUP: path + 1}
    return [(stage, part) for stage, most in parts.items() for part in range(most + 1)]


def test_one_click_on_the_first_screen_plays_the_last_simulation(qtbot: QtBot, searched: MainWindow) -> None:
    time, strip = searched.commands.time, strip_of(searched)
    assert searched.room.legend.isVisible()
    assert not strip.isVisible()
    board = searched.room.board.geometry()
    assert played(qtbot, searched) == all_parts(time)
    assert time.at == SIMULATIONS
    assert strip.isVisible()
    assert not searched.room.legend.isVisible()
    assert searched.room.board.geometry() == board
    QTest.keyClick(searched.room.board, Qt.Key.Key_Escape)
    assert not time.looking_back
    assert searched.room.legend.isVisible()
    assert not strip.isVisible()
    assert searched.room.board.highlight is None


def test_a_playout_is_played_on_the_board_whichever_move_is_selected(qtbot: QtBot, searched: MainWindow) -> None:
    time, state = searched.commands.time, searched.state
    assert searched.session.snapshot is not None
    for action in searched.session.snapshot.root.actions[:2]:
        state.select((int(action),))
        assert played(qtbot, searched) == all_parts(time)
        assert state.selected == ()
        time.to_now()


def test_while_the_analysis_is_hidden_no_playout_is_played_and_the_reason_is_said(searched: MainWindow) -> None:
    time, session = searched.commands.time, searched.session
    session.conceal(True)
    searched.room.navigation["play_on_board"].click()
    assert searched.banner.text == "The analysis is hidden while you play."
    assert not time.looking_back
    assert not session.searching
    session.conceal(False)


def test_after_the_last_simulation_another_is_made_and_played(qtbot: QtBot, searched: MainWindow) -> None:
    time = searched.commands.time
    time.go(SIMULATIONS)
    qtbot.waitUntil(lambda: time.past is not None)
    searched.context.actions["play_on_board"].trigger()
    qtbot.waitUntil(lambda: time.past is not None and time.past.simulation == SIMULATIONS + 1)
    assert time.now == SIMULATIONS + 1
    assert (time.stage, time.playing) == (SELECTION, True)
    searched.context.actions["play_on_board"].trigger()
    here = (time.stage, time.part)
    assert not time.playing
    assert (time.stage, time.part) == here  # it pauses where it is
    strip_of(searched).stop.click()
    assert not time.looking_back


def test_a_step_shows_one_part_and_its_sum(qtbot: QtBot, searched: MainWindow) -> None:
    time, strip = searched.commands.time, strip_of(searched)
    time.go(40)
    qtbot.waitUntil(lambda: time.past is not None)
    time.show_stage(SELECTION, 0)
    sums, seen = 0, [(time.stage, time.part)]
    while not time.whole:
        strip.step.click()
        seen.append((time.stage, time.part))
        words = strip.words.text().replace("\N{MINUS SIGN}", "-")
        chosen = re.search(r"Q (.*) \+ U (.*) = (.*), the highest", words)
        mean = re.search(r"Q = \((.*) · (.*?) ([+-]) (.*)\) / (.*) = (.*)", words)
        if chosen:
            q, u, total = map(float, chosen.groups())
            assert q + u == pytest.approx(total, abs=0.002)
        if mean:
            n, before, sign, value, after, result = mean.groups()
            assert (int(n) * float(before) + float(sign + value)) / int(after) == pytest.approx(
                float(result), abs=0.002
            )
        sums += bool(chosen) + bool(mean)
    assert seen == all_parts(time)
    assert sums >= 2
    strip.step.click()
    qtbot.waitUntil(lambda: time.past is not None and time.past.simulation == 41)
    assert (time.stage, time.part) == (SELECTION, 0)


def guess(window: MainWindow, action: int) -> None:
    """Click a move on the board."""
    spot = window.room.board.geometry_of_board().center(action)  # a cell is a move of tic-tac-toe
    QTest.mouseClick(window.room.board, Qt.MouseButton.LeftButton, pos=spot.toPoint())


def test_the_move_of_the_next_simulation_is_guessed_before_it_is_shown(qtbot: QtBot, searched: MainWindow) -> None:
    time, strip, moves = searched.commands.time, strip_of(searched), searched.views.tree.nodes

    def marked() -> list[int]:
        """Return the moves with the mark of the next one."""
        return [row.action for row in moves.rows if moves.index_of((row.action,)).data(MarkRole) & IS_NEXT]

    searched.docks.show_dock("why")
    why = searched.docks["why"].widget_made
    assert isinstance(why, WhyRoom)
    assert marked()
    searched.room.navigation["predict"].click()
    for number, right in ((SIMULATIONS + 1, False), (SIMULATIONS + 2, True)):
        qtbot.waitUntil(lambda: time.asking)
        assert time.past is not None
        assert time.past.simulation == number - 1
        assert searched.room.board.highlight is None
        assert not marked()
        assert "hidden" in why.note.text()
        root = time.past.snapshot.root
        best = max(row.score for row in root.rows)
        guess(searched, next(row.action for row in root.rows if (row.score == pytest.approx(best, abs=1e-6)) == right))
        qtbot.waitUntil(lambda: time.answering and time.part == 1)
        words = strip.words.text().replace("\N{MINUS SIGN}", "-")
        sums = [tuple(map(float, found)) for found in re.findall(r"(\S+) \+ (\S+) = ([0-9.-]+)", words)]
        assert all(q + u == pytest.approx(total, abs=0.002) for q, u, total in sums)
        assert sums[0][2] == pytest.approx(best, abs=0.002)
        assert len(sums) == (1 if right else 2)
        assert right or sums[1][2] < sums[0][2]
        whole, width = strip.words.text(), strip.width()
        strip.resize(strip.title.x() + 60, strip.height())
        assert strip.words.text() == re.sub(r" = [0-9.]*[0-9]", "", whole)
        assert whole in strip.toolTip()
        strip.resize(width, strip.height())
        assert strip.words.text() == whole
        highlight = searched.room.board.highlight
        assert highlight is not None
        assert (highlight.guess is None) == right
        assert time.playout is not None
        assert time.playout.path[0] == root.next_action
        assert marked() == [root.next_action]
        assert why.note.isHidden()
        guess(searched, 0)  # goes on to the next question
    assert searched.state.moves == ()
    assert (time.prediction.right, time.prediction.made) == (1, 2)
    QTest.keyClick(searched.room.board, Qt.Key.Key_Escape)
    assert not time.prediction.on
    assert not searched.context.actions["predict"].isChecked()
    guess(searched, 0)
    assert len(searched.state.moves) == 1
