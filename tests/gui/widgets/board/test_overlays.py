"""Tests of the overlays: they show the search's values and exact results, keys and legends agree."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from core.games import Position, load_game
from core.search import Limit, SearchSettings
from core.search.params import FINAL_LCB
from core.search.rules.table import RULES
from core.search.selection import _rank
from core.solve import solve
from gui.jobs.truth import OVER, TruthReader
from gui.rooms.board.overlay_link import OverlayLink
from gui.rooms.timeline.timeline import Timeline
from gui.widgets.board.board_layers import fitting
from gui.widgets.board.board_paint import anchor
from gui.widgets.board.board_tip import board_tip
from gui.widgets.board.overlays.overlay import LEADS, LEAST_SHARE, RESULTS, BoardContent, opacities
from gui.widgets.board.overlays.table import BY_NAME, TABLE
from gui.widgets.board.overlays.value import interval
from gui.widgets.figures import MINUS, plain, rough_percent, signed
from gui.widgets.theme import DARK, LIGHT, ramp
from gui.window import MainWindow
from tests.core.search.fakes import HashEvaluator, run_search
from tests.gui.fakes import FakeAnalysis, node_view, overlay_marks

SEARCHED = tuple(row.name for row in TABLE if row.searched and row.needs != LEADS)  # the others: test_owners.py


def searched(text: str, moves: str = "", simulations: int = 300, net: bool = True, **given: Any):
    position = load_game(text).position(moves)
    settings = SearchSettings(memory_mb=32, **given)
    search = run_search(position, HashEvaluator(position.game.num_actions) if net else None, simulations, settings)
    return search.snapshot().root


def link_of(window: MainWindow) -> OverlayLink:
    return window.room.findChild(OverlayLink)


def exact(position: Position) -> int:
    """Return the value for the side to move, by trying all moves."""
    if position.is_over:
        return int(position.returns[position.to_move])
    return max(-exact(position.play(action)) for action in position.legal_actions())


# values


@pytest.mark.parametrize("rule", RULES)
def test_every_overlay_shows_the_figures_of_the_search(rule: str) -> None:
    node = searched("tictactoe", "b2", net=rule != "flat", selection=rule, prove=False)
    assert node.choice is not None
    total = int(node.visits_of.sum())
    for overlay in SEARCHED:
        marks = {
            mark.action: mark for mark in overlay_marks(node.position, node, node, overlay, node.best_action, DARK)
        }
        for i, action in enumerate(node.actions.tolist()):
            share = int(node.visits_of[i]) / total
            target, few = float(node.choice.target[i]), share < LEAST_SHARE
            wanted = {
                "visits": "" if few else rough_percent(share),
                "prior": rough_percent(float(node.priors[i])),
                "raw": rough_percent(float(node.net_priors[i])),
                "policy": "" if target < LEAST_SHARE else rough_percent(target),
                "u": plain(float(node.us[i]), 0 if rule == "flat" else 3),
                "q": "" if few else signed(float(node.qs[i]), 2),
                "value": "" if few else signed(float(node.qs[i]), 2),
                "net": signed(float(node.values[i]), 2),
            }[overlay]
            if action in marks:
                assert marks[action].text == wanted
            else:
                unknown = overlay == "net" and np.isnan(node.values[i])
                unknown = unknown or (overlay == "prior" and not node.has_priors)
                assert unknown or int(node.visits_of[i]) == 0 or (overlay == "policy" and target < 1e-3)


def test_proved_moves_show_result_and_distance() -> None:
    node = searched("tictactoe", "a1 b1 a2 b2", net=False, selection="ucb1")
    marks = {mark.action: mark for mark in overlay_marks(node.position, node, node, "value", node.best_action, DARK)}
    win = node.position.game.parse_action("a3")
    assert (marks[win].text, marks[win].sub, marks[win].opacity) == ("win", "in 1", 1.0)
    assert any("≤" in mark.sub for mark in marks.values()) == bool(node.distances_at_most.any())
    assert marks[win].fill == ramp(DARK.value_ramp, 1.0)


def test_values_are_centred_at_zero_and_the_top_policy_is_ringed() -> None:
    position = load_game("connect4").initial()
    node = node_view(position, values=np.array([0, 1, -1, 0.5, -0.5, np.nan, 0], np.float32))
    fills = {mark.action: mark.fill for mark in overlay_marks(position, node, node, "net", -1, LIGHT)}
    middle, low, high = (ramp(LIGHT.value_ramp, t) for t in (0.5, 0.0, 1.0))
    assert (fills[0], fills[1], fills[2]) == (middle, high, low)
    assert 5 not in fills  # the search has no data for it
    rings = [mark.ring for mark in overlay_marks(position, node, node, "raw", -1, DARK)]
    assert rings == [""] * 6 + ["top"]


def test_the_legend_has_the_signs_that_are_on_the_board_and_no_others(
    qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis
) -> None:
    legend, board = window.room.legend, window.room.board
    worse_first = np.array([0.1, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0], np.float32)
    analysis.publish(100, qs=worse_first)
    qtbot.waitUntil(lambda: legend.legend.signs == ("better", "best"))
    assert {mark.ring for mark in board.marks()} == {"better", "best", ""}
    assert "Orange, dotted ring" in legend.toolTip()
    wide = legend.grab().toImage()
    analysis.publish(200)  # the most visited move has the highest Q
    qtbot.waitUntil(lambda: legend.legend.signs == ("best",))
    assert "Orange" not in legend.toolTip()
    qtbot.waitUntil(lambda: legend.grab().toImage() != wide)
    window.state.set_overlay("raw")
    qtbot.waitUntil(lambda: legend.legend.signs == ("top",))


def test_three_visits_are_not_drawn_solid() -> None:
    none, three, thirty, many, most = opacities(np.array([0, 3, 30, 300, 1000]))
    assert none < three < thirty < many < most == 1.0
    assert three < 0.45
    assert opacities(np.array([3]))[0] < 0.6
    assert opacities(np.array([50])) == [1.0]


def test_the_interval_is_the_searchs_own_and_is_left_out_where_squares_are_not_kept() -> None:
    node = searched("connect4(rows=4, cols=5, k=3)", net=False, selection="ucb1_tuned", prove=False)
    params = node.choice.params._replace(final=FINAL_LCB, lcb_z=1.96)
    for i, visits in enumerate(node.visits_of.tolist()):
        ends = interval(node, i)
        lower, _ = _rank(node.choice.node, 0, i, params, visits)
        assert ends[0] == pytest.approx(max(-1.0, lower), abs=1e-5)
        assert ends[0] <= node.qs[i] <= ends[1]
    assert "95 %" in board_tip(node.position, node, None, {}, int(node.actions[0]))
    assert any(mark.whisker for mark in overlay_marks(node.position, node, node, "q", -1, DARK))
    other = searched("connect4(rows=4, cols=5, k=3)", net=False, selection="ucb1", prove=False)
    assert interval(other, 0) is None
    assert "95 %" not in board_tip(other.position, other, None, {}, int(other.actions[0]))


def test_the_interval_counts_simulations_begun_at_the_move() -> None:
    game = load_game("connect4(rows=4, cols=5, k=3)")
    search = run_search(game.initial(), None, 300, memory_mb=32, selection="ucb1_tuned", prove=False)
    least = search.snapshot().moves[-1].action
    search.advance(least)
    search.run(Limit(simulations=2000))
    search.go_to(game.initial())
    node = search.snapshot().root
    assert node.choice is not None
    edge = node.actions.tolist().index(least)
    count, visits = int(node.backups_of[edge]), int(node.visits_of[edge])
    assert count > 5 * visits > 5
    params = node.choice.params._replace(final=FINAL_LCB, lcb_z=1.96)
    lower, _ = _rank(node.choice.node, 0, edge, params, visits)
    ends = interval(node, edge)
    assert ends is not None
    q = float(node.qs[edge])
    assert ends == pytest.approx((max(-1.0, lower), min(1.0, 2.0 * q - lower)), abs=1e-5)


# exact results


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("tictactoe", marks=pytest.mark.slow),
        "connectn(rows=3, cols=4, k=3)",
        "nim(heaps=3-2-2)",
        "connect4(rows=3, cols=4, k=3)",
    ],
)
def test_exact_results_are_those_of_trying_everything(text: str) -> None:
    chance = random.Random(7)
    for _ in range(4):
        position = load_game(text).initial()
        while np.count_nonzero(position.cells() == 0) > 7 and position.game.name != "nim" and not position.is_over:
            position = position.play(chance.choice(position.legal_actions()))
        if position.is_over:
            continue
        solution = solve(position)
        assert solution is not None
        marks = {mark.action: mark for mark in BY_NAME["exact"].marks(BoardContent(position, solution=solution), DARK)}
        worth = {action: -exact(position.play(action)) for action in position.legal_actions()}
        assert {action: mark.text for action, mark in marks.items()} == {a: RESULTS[v] for a, v in worth.items()}
        assert all(worth[a] == max(worth.values()) for a, mark in marks.items() if mark.ring)
        assert any(mark.ring for mark in marks.values())


def test_exact_results_are_solved_in_a_thread_cached_and_shown_in_tips(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("tictactoe").position("a1 b1 a2 b2"))
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_T)
    qtbot.waitUntil(lambda: len(window.room.board.marks()) == 5)
    marks = {window.state.game.action_name(mark.action): (mark.text, mark.sub) for mark in window.room.board.marks()}
    assert marks["a3"] == ("win", "in 1")
    assert marks["c1"][0] == "loss"
    qtbot.waitUntil(lambda: window.room.legend.text.startswith("Exact · for X"))
    cell = anchor(window.state.position, window.state.game.parse_action("a3"))
    point = window.room.board.geometry_of_board().center(cell).toPoint()
    QGuiApplication.sendEvent(
        window.room.board, QHelpEvent(QEvent.Type.ToolTip, point, window.room.board.mapToGlobal(point))
    )
    assert "exact: win in 1 ply for X" in QToolTip.text()
    QToolTip.hideText()
    window.state.select((window.state.game.parse_action("c1"),))  # a preview has its own results
    qtbot.waitUntil(lambda: len(window.room.board.marks()) == 4)
    window.state.select(())
    assert len(window.room.board.marks()) == 5  # at once: the result is cached


def test_the_legend_says_why_a_position_is_not_solved(qtbot: QtBot, window: MainWindow) -> None:
    window.state.open_position(load_game("othello").initial())
    window.state.set_overlay("exact")
    sentence = "this position of Othello has 60 empty cells, exact solving is offered up to 26"
    qtbot.waitUntil(lambda: window.room.legend.text == f"Exact · Not solved: {sentence}.")
    assert window.room.board.marks() == []


def test_solving_is_seen_below_the_board_and_escape_leads_back(qtbot: QtBot, window: MainWindow) -> None:
    link, legend = link_of(window), window.room.legend
    window.state.set_overlay("q")
    window.state.set_overlay("exact")  # Connect Four from the start takes long enough to be stopped
    assert "“Q”" in legend.stop.toolTip()
    qtbot.waitUntil(lambda: "positions" in legend.text)
    for part in ("Exact · solving for ", "can take minutes", "0 of 7 moves solved", " a second"):
        assert part in legend.text
    assert legend.stop.isVisible()
    window.session.continue_search()
    window.context.actions["escape"].trigger()
    assert (window.state.overlay, legend.stop.isVisible(), window.session.searching) == ("q", False, True)
    qtbot.waitUntil(lambda: not link.truth.working)
    window.context.actions["overlay_exact"].trigger()
    qtbot.waitUntil(lambda: link.truth.working)
    qtbot.mouseClick(legend.stop, Qt.MouseButton.LeftButton)
    assert window.state.overlay == "q"
    qtbot.waitUntil(lambda: not link.truth.working)


def test_escape_leaves_a_position_looked_at_before_the_overlay(qtbot: QtBot, window: MainWindow) -> None:
    window.state.set_overlay("q")
    window.state.set_overlay("exact")
    window.state.select((3,))
    assert window.room.player.note == "preview · Esc returns"
    window.context.actions["escape"].trigger()
    assert (window.state.selected, window.state.overlay) == ((), "exact")
    window.context.actions["escape"].trigger()
    assert window.state.overlay == "q"
    qtbot.waitUntil(lambda: not link_of(window).truth.working)


def test_escape_in_a_field_stops_no_solving(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.state.set_overlay("exact")
    qtbot.waitUntil(lambda: link_of(window).truth.working)
    window.docks.show_dock("timeline")
    timeline = window.docks["timeline"].fill()
    assert isinstance(timeline, Timeline)
    number = timeline.number
    number.setFocus()
    qtbot.waitUntil(number.hasFocus)
    qtbot.keyClick(number, Qt.Key.Key_Escape)
    assert (window.state.overlay, window.room.board.hasFocus()) == ("exact", True)
    qtbot.keyClick(window.room.board, Qt.Key.Key_Escape)
    assert window.state.overlay != "exact"
    qtbot.waitUntil(lambda: not link_of(window).truth.working)


def test_exact_results_that_stay_the_same_are_not_announced_again(qtbot: QtBot) -> None:
    """Each announcement makes the room Why write its figures again."""
    over, position = load_game("tictactoe").position("a1 b1 a2 b2 a3"), load_game("tictactoe").position("a1 b1 a2 b2")
    reader, runs = TruthReader(), []
    reader.changed.connect(lambda: runs.append((reader.note, reader.solution)))
    reader.ask(over)
    reader.ask(load_game("tictactoe").position("a1 b1 a2 b2 c3 b3"))
    assert runs == [(OVER, None)]
    reader.ask(None)
    assert runs[1:] == [("", None)]
    reader.ask(position)
    qtbot.waitUntil(lambda: reader.solution is not None and not reader.working)
    solved = ("", reader.solution)
    assert runs[-1] == solved
    reader.ask(None)
    assert runs[-1] == ("", None)
    reader.ask(position)
    assert runs[-1] == solved
    count = len(runs)
    reader.ask(position)
    reader.ask(position, quick=True)
    assert (len(runs), reader.solution) == (count, solved[1])


def test_a_finished_game_has_no_results_to_ask_for(qtbot: QtBot) -> None:
    reader = TruthReader()
    reader.ask(load_game("tictactoe").position("a1 b1 a2 b2 a3"))
    assert (reader.note, reader.solution, reader.working) == (OVER, None, False)


@pytest.mark.parametrize(
    ("text", "shorter"),
    [("+0.02", "+.02"), (f"{MINUS}0.31", f"{MINUS}.31"), ("0.00", ".00"), ("10.2", ""), ("19\u202f%", "19")],
)
def test_a_figure_too_wide_for_its_cell_is_shortened_before_it_is_left_out(
    qapp: QApplication, text: str, shorter: str
) -> None:
    metrics = QFontMetrics(qapp.font())
    width = metrics.horizontalAdvance(text)
    assert fitting(text, metrics, width) == text
    assert fitting(text, metrics, width - 1) == shorter
    assert fitting(text, metrics, 1) == ""
