"""Tests of what only some nets give: ownership, score leads and points lost, on the board, in legends and tips."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from core.engine import Analysis, Search
from core.engine.ownership import Ownership, OwnershipReader, most_visited
from core.games import load_game
from core.search import Limit
from gui.jobs.net_answers import IN_PAST
from gui.rooms.board.overlay_link import OverlayLink
from gui.widgets.board.board_tip import board_tip, outcomes_tip, ownership_tip
from gui.widgets.board.overlays.overlay import LEADS, OWNERSHIP, BoardContent, SearchOverlay
from gui.widgets.board.overlays.table import BY_NAME, TABLE
from gui.widgets.figures import MINUS, percent, plain, rough_percent, signed
from gui.widgets.theme import DARK, LIGHT, current_theme, ramp
from gui.window import MainWindow
from tests.core.engine.test_outcomes import OutcomeEvaluator
from tests.core.engine.test_ownership import OwnerEvaluator, of_stones
from tests.core.search.fakes import HashEvaluator, LeadEvaluator, run_search
from tests.gui.conftest import cancel_close, open_window
from tests.gui.fakes import FakeAnalysis, node_view, overlay_marks

GO = load_game("go(size=5, komi=0.5)")
NEEDY = tuple(row.name for row in TABLE if row.needs in (LEADS, OWNERSHIP))
KEYS = {"lead": Qt.Key.Key_S, "ownership": Qt.Key.Key_O}


@dataclass
class Source:
    """A source of one evaluator."""

    evaluator: HashEvaluator
    label: str
    title: str = "owners"

    def load(self, game: object) -> HashEvaluator:
        return self.evaluator


@pytest.fixture
def owners(qtbot: QtBot) -> MainWindow:
    """A window with Go, the real analysis and a net that gives ownership."""
    window = open_window(qtbot, Analysis(), GO.text)
    window.state.open_position(GO.position("c3 c4"), Source(OwnerEvaluator(GO.num_actions), "owners"))
    window.activateWindow()
    wait_for_end(qtbot, window)
    return window


def wait_for_end(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    qtbot.waitUntil(lambda: session.present is not None and bool(session.present.reason))


def search_of(qtbot: QtBot, window: MainWindow) -> Search:
    """The search of a window that does not run."""
    found: list[Search] = []
    window.session.analysis.visit(found.append)
    qtbot.waitUntil(lambda: bool(found))
    return found[0]


def owned(window: MainWindow) -> dict[int, float]:
    """The squares on the board: cell -> side, negative in White's colour."""
    white = DARK.second["stones"]
    return {mark.cell: -mark.side if mark.fill.name() == white else mark.side for mark in window.room.board.marks()}


def wanted(position) -> dict[int, Any]:
    points = of_stones(position).ravel().tolist()
    return {cell: pytest.approx(0.56 * abs(o) ** 0.5 * np.sign(o), abs=0.02) for cell, o in enumerate(points) if o}


# ownership


def test_squares_are_in_the_owners_colour_and_not_filled_on_his_own_stones() -> None:
    position = GO.position("c3 c4")
    points = np.zeros(GO.shape, np.float32)
    points[0, 0], points[0, 1], points[0, 2], points[1, 2], points[2, 2] = 1.0, -0.25, 0.04, 0.5, 0.5
    marks = {
        mark.cell: mark
        for mark in BY_NAME["ownership"].marks(BoardContent(position, ownership=Ownership(position, points)), LIGHT)
    }
    assert set(marks) == {0, 1, 7, 12}  # too little is not drawn
    assert marks[0].fill.name() == marks[7].fill.name() == marks[12].fill.name() == LIGHT.first["stones"]
    assert marks[1].fill.name() == LIGHT.second["stones"]
    assert marks[1].side == pytest.approx(marks[0].side / 2, abs=0.02)  # a quarter of the area
    assert [marks[cell].opacity for cell in (0, 7, 12)] == [1.0, 1.0, 0.0]


def test_the_nets_ownership_of_the_position_shown_is_drawn(qtbot: QtBot, owners: MainWindow) -> None:
    source: Any = owners.state.source
    board, evaluator, legend = owners.room.board, source.evaluator, owners.room.legend
    assert evaluator.batches == []  # nobody has asked
    qtbot.keyClick(owners, KEYS["ownership"])
    assert owners.state.overlay == "ownership"
    qtbot.waitUntil(lambda: owned(owners) == wanted(GO.position("c3 c4")))
    assert legend.text == "Ownership · Black or White, as the net expects it, without search"
    point = board.geometry_of_board().center(12).toPoint()
    QGuiApplication.sendEvent(board, QHelpEvent(QEvent.Type.ToolTip, point, board.mapToGlobal(point)))
    assert QToolTip.text() == "c3: ownership 0.67 for Black"
    QToolTip.hideText()
    action = GO.parse_action("b2")
    owners.state.select((action,))
    qtbot.waitUntil(lambda: owned(owners) == wanted(GO.position("c3 c4 b2")))
    owners.state.select(())
    qtbot.waitUntil(lambda: owned(owners) == wanted(GO.position("c3 c4")))
    owners.state.play(GO.parse_action("d4"))
    qtbot.waitUntil(lambda: owned(owners) == wanted(GO.position("c3 c4 d4")))


@pytest.mark.parametrize("overlay", ["ownership", "exact"])
def test_the_answers_stay_after_a_close_that_was_cancelled(qtbot: QtBot, owners: MainWindow, overlay: str) -> None:
    link = owners.room.findChild(OverlayLink)
    if overlay == "exact":
        owners.state.open_position(load_game("tictactoe").position("b2"), None)
    owners.state.set_overlay(overlay)
    qtbot.waitUntil(lambda: link.answers.answer is not None or link.truth.solution is not None)
    qtbot.waitUntil(lambda: not link.truth.solving)  # a part of the results may be known before
    wait_for_end(qtbot, owners)  # the best move's ring follows the search
    drawn = owners.room.board.marks()
    assert drawn
    cancel_close(owners)
    assert owners.room.board.marks() == drawn


@pytest.mark.slow
def test_the_mean_is_renewed_as_the_tree_grows(qtbot: QtBot, owners: MainWindow) -> None:
    qtbot.keyClick(owners, KEYS["ownership"], Qt.KeyboardModifier.ShiftModifier)
    legend, session = owners.room.legend, owners.session
    qtbot.waitUntil(lambda: "positions of the tree" in legend.text)
    before = owned(owners)
    assert len(before) > 2
    link = owners.room.findChild(OverlayLink)
    first = link.answers.answer
    session.search_to(Limit(simulations=3000))
    wait_for_end(qtbot, owners)
    qtbot.waitUntil(lambda: link.answers.answer not in (None, first))
    reader, below = OwnershipReader(OwnerEvaluator(GO.num_actions)), most_visited(search_of(qtbot, owners))
    after = reader.mean(GO.position("c3 c4"), below)
    qtbot.waitUntil(lambda: np.allclose(link.answers.answer.points, after.points))
    assert not np.allclose(first.points, after.points)
    source: Any = owners.state.source
    assert max(source.evaluator.batches) <= 8
    session.look_back(10)
    qtbot.waitUntil(lambda: session.past() is not None)
    session.show_earlier(session.past().snapshot)
    qtbot.waitUntil(lambda: IN_PAST in legend.text)
    assert owned(owners) == {}
    session.look_back(None)
    qtbot.waitUntil(lambda: len(owned(owners)) > 2)


@pytest.mark.slow
def test_another_net_answers_anew(qtbot: QtBot, owners: MainWindow) -> None:
    qtbot.keyClick(owners, KEYS["ownership"])
    qtbot.waitUntil(lambda: len(owned(owners)) == 2)
    other = OwnerEvaluator(GO.num_actions)
    other.ownership = lambda planes, features=None: np.full((len(planes), 5, 5), 0.5, np.float32)
    owners.state.set_source(Source(other, "others"))
    qtbot.waitUntil(lambda: len(owned(owners)) == 25)
    broken = OwnerEvaluator(GO.num_actions)
    broken.ownership = lambda planes, features=None: np.full((len(planes), 5, 5), np.nan, np.float32)
    owners.state.set_source(Source(broken, "broken"))
    qtbot.waitUntil(lambda: "does not fit the board" in owners.room.legend.text)
    assert owners.room.board.marks() == []


def test_they_are_offered_only_where_the_net_gives_them(qtbot: QtBot, owners: MainWindow) -> None:
    actions, choice = owners.context.actions, owners.views.toolbar.overlays

    def offered() -> set[str]:
        return {name for name in NEEDY if actions[f"overlay_{name}"].isVisible()}

    assert offered() == {"ownership", "mean_ownership"}
    choice.families["points"].click()
    assert owners.state.overlay == "ownership"
    assert {name for name in NEEDY if choice.actions_of[name].isVisible()} == offered()
    owners.state.set_source(Source(HashEvaluator(GO.num_actions), "plain"))
    qtbot.waitUntil(lambda: offered() == set())
    qtbot.waitUntil(lambda: owners.room.legend.text == "Ownership · the net gives no ownership")
    assert owners.room.board.marks() == []
    owners.state.set_overlay("visits")
    assert choice.families["points"].isHidden()
    qtbot.keyClick(owners, KEYS["ownership"])
    assert owners.state.overlay == "visits"


def test_win_draw_and_loss_of_the_net_are_shown_for_the_side_that_moves(qtbot: QtBot, owners: MainWindow) -> None:
    game = load_game("tictactoe")
    owners.state.open_position(game.position("a1 b1 a2 b2"), Source(OutcomeEvaluator(game.num_actions), "outcomes"))
    qtbot.waitUntil(owners.context.actions["overlay_outcomes"].isVisible)
    owners.state.set_overlay("outcomes")
    board = owners.room.board
    qtbot.waitUntil(lambda: len(board.marks()) == 5)
    marks = {game.action_name(mark.action): mark for mark in board.marks()}
    assert (marks["a3"].text, marks["a3"].fill) == (rough_percent(1.0), ramp(current_theme().value_ramp, 1.0))
    assert (marks["c3"].text, marks["c3"].sub) == (rough_percent(0.1), rough_percent(0.3))
    assert marks["c3"].shares == pytest.approx((0.1, 0.3, 0.6), abs=0.01)
    tip = outcomes_tip(board._content.outcomes, game.parse_action("c3"))
    assert tip == f"c3: win {percent(0.1)}, draw {percent(0.3)}, loss {percent(0.6)}, as the net expects it"


def test_another_game_does_not_keep_an_overlay_that_it_does_not_offer(qtbot: QtBot, owners: MainWindow) -> None:
    owners.state.set_overlay("mean_ownership")
    owners.state.open_position(load_game("tictactoe").initial(), None)
    qtbot.waitUntil(lambda: owners.state.overlay == "visits")
    assert owners.views.toolbar.overlays.families["points"].isHidden()


@pytest.mark.slow
def test_a_finished_game_is_not_asked_about(qtbot: QtBot, owners: MainWindow) -> None:
    end = GO.action_names.index("pass")
    owners.state.set_overlay("ownership")
    owners.state.play_line((end, end))
    qtbot.waitUntil(lambda: "The game is over." in owners.room.legend.text)
    assert owners.room.board.marks() == []


# leads


def test_leads_and_points_lost_are_those_of_the_search() -> None:
    position = GO.position("c3 c4")
    search = run_search(position, LeadEvaluator(GO.num_actions), 300, memory_mb=16)
    found = search.snapshot()
    node = found.root
    lead, lost = (
        {mark.action: mark.text for mark in overlay_marks(position, node, node, name, found.best, DARK)}
        for name in ("lead", "lost")
    )
    best = next(row for row in found.moves if row.action == found.best)
    read = [row for row in found.moves if lead.get(row.action)]
    assert len(read) > 5
    for row in read:
        assert lead[row.action] == signed(row.lead, 1)
        assert lost[row.action] == plain(best.lead - row.lead, 1)


def test_leads_and_points_lost_of_each_move() -> None:
    position = GO.position("c3")
    leads = np.full(len(position.legal_actions()), np.nan, np.float32)
    leads[:4] = 2.0, 3.5, -4.25, 2.0
    node = node_view(position, simulations=2000, leads=leads, lead_spreads=np.full(len(leads), 6.0, np.float32))
    lead, lost = (
        {mark.action: mark for mark in overlay_marks(position, node, node, name, node.best_action, DARK)}
        for name in ("lead", "lost")
    )
    shown = node.actions[:4].tolist()
    assert [lead[action].text for action in shown] == ["+2.0", "+3.5", f"{MINUS}4.2", "+2.0"]
    assert [lost[action].text for action in shown] == ["0.0", f"{MINUS}1.5", "6.2", "0.0"]
    assert set(lead) == set(lost) == set(shown)  # the tree has no leads of the other moves
    assert [mark.ring for mark in lost.values()] == ["best", "", "", ""]
    by_lead = BY_NAME["lead"]
    assert isinstance(by_lead, SearchOverlay)
    assert by_lead.scale(node) == (-5.0, 5.0)
    assert lead[shown[1]].fill == ramp(DARK.value_ramp, 0.85)
    assert lost[shown[1]].fill == lost[shown[0]].fill == ramp(DARK.value_ramp, 1.0)
    tip = board_tip(position, node, None, {}, shown[2])
    assert f"lead {MINUS}4.2 points (standard deviation of the score 6.0), 6.2 lost" in tip
    assert "points" not in board_tip(position, replace(node, leads=np.zeros(0, np.float32)), None, {}, shown[2])


def test_overlays_of_leads_are_offered_and_named(qtbot: QtBot, window: MainWindow, analysis: FakeAnalysis) -> None:
    window.state.open_position(GO.position("c3"), None)
    window.activateWindow()
    assert not window.context.actions["overlay_lead"].isVisible()
    count = len(window.state.position.legal_actions())
    leads = np.linspace(-30.0, 2.0, count).astype(np.float32)
    analysis.publish(300, leads=leads, lead_spreads=leads * 0 + 1)
    window.session._poll()
    window.session._poll_text()
    qtbot.keyClick(window, KEYS["lead"])
    assert window.state.overlay == "lead"
    legend = window.room.legend.legend
    assert (legend.title, legend.low, legend.high) == ("Lead", f"{MINUS}30", "+30")
    assert legend.text == "points, for White"
    qtbot.keyClick(window, KEYS["lead"], Qt.KeyboardModifier.ShiftModifier)
    legend = window.room.legend.legend
    assert (legend.title, legend.low, legend.high) == ("Points lost", "12", "0")
    assert not window.context.actions["overlay_ownership"].isVisible()


def test_a_tip_without_ownership_is_empty() -> None:
    assert ownership_tip(None, 3) == ""
    assert ownership_tip(Ownership(GO.initial(), np.zeros(GO.shape, np.float32)), -1) == ""
    assert BY_NAME["ownership"].needs == BY_NAME["mean_ownership"].needs == "ownership"
