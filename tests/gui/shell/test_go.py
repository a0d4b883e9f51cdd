"""Tests of what Go needs of the window: a pass by a command, the score lead beside the value."""

from __future__ import annotations

import pytest

from core.games import load_game
from gui.window import MainWindow
from tests.gui.fakes import FakeAnalysis

GO = load_game("go(size=5, komi=0.5)")


@pytest.fixture
def go_window(window: MainWindow) -> MainWindow:
    window.state.open_position(GO.position("c3 c4"), None)
    return window


def test_a_pass_is_played_by_a_command(go_window: MainWindow) -> None:
    go_window.actions_by_name["pass"].trigger()
    assert [GO.action_name(action) for action in go_window.state.moves] == ["c3", "c4", "pass"]
    go_window.actions_by_name["pass"].trigger()
    assert go_window.state.position is not None
    assert go_window.state.position.is_over
    go_window.actions_by_name["pass"].trigger()
    assert go_window.banner.text == "There is no pass in this position."


def test_there_is_no_pass_in_a_game_without_one(window: MainWindow) -> None:
    window.state.open_position(load_game("tictactoe").initial(), None)
    window.actions_by_name["pass"].trigger()
    assert window.state.moves == ()
    assert window.banner.text == "There is no pass in this position."


def test_the_score_lead_is_shown_beside_the_value(go_window: MainWindow, analysis: FakeAnalysis) -> None:
    presenter = go_window.presenter
    presenter.show_value(analysis.publish(300, lead=2.5, lead_spread=4.0))
    assert go_window.player.value.endswith("for Black (to move), +2.5 points")
    presenter.show_value(analysis.publish(301))
    assert "points" not in go_window.player.value
