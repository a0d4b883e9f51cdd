"""Two kept nets: a match between them, and a search with each side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.games import load_game
from gui.rooms.training.checkpoints import CheckpointPage, score_words
from gui.rooms.training.run_model import Checkpoint, Moment
from gui.rooms.training.tab import TrainingTab
from gui.rooms.what_if.what_if import shown_searches
from gui.window import MainWindow
from tests.gui.rooms.training.conftest import ShowRun


@pytest.fixture
def page(tab: TrainingTab, show_run: ShowRun) -> CheckpointPage:
    """The checkpoints 200, 400 and 600; the slider is on 600."""
    show_run("checkpoints", iterations=6, kept=3)
    return tab.view.checkpoints


def choose_other(page: CheckpointPage, step: int) -> None:
    page.compare.setCurrentIndex(page.compare.findText(f"step {step}", Qt.MatchFlag.MatchStartsWith))
    page.compare.activated.emit(page.compare.currentIndex())


@pytest.mark.slow
def test_two_nets_have_to_be_chosen(page: CheckpointPage) -> None:
    assert not page.play.isEnabled()
    assert page.what_if.toolTip() == "Choose another net under “Compare with” first"
    choose_other(page, 600)  # the same
    assert not page.play.isEnabled()
    choose_other(page, 200)
    assert page.play.isEnabled()
    assert page.what_if.isEnabled()


def test_every_control_has_room_in_a_window_of_1024_px(
    page: CheckpointPage, training_window: MainWindow, qtbot: QtBot
) -> None:
    choose_other(page, 200)
    assert page.minimumSizeHint().width() <= 780  # beside the list of runs
    training_window.resize(1024, 700)
    controls = (page.best, page.compare, page.play, page.what_if, page.use, page.learnt, page.export)

    def cut() -> list[str]:
        seen = page.rect()
        return [
            control.accessibleName() or control.text()
            for control in controls
            if not seen.contains(control.mapTo(page, control.rect().bottomRight()))
            or control.width() < control.minimumSizeHint().width()
        ]

    qtbot.waitUntil(lambda: page.width() <= 830 and not cut())


@pytest.mark.slow
def test_a_match_in_two_clicks(page: CheckpointPage, qtbot: QtBot) -> None:
    choose_other(page, 200)
    page.match.games.setText("10")
    page.match.simulations.setText("8")
    qtbot.mouseClick(page.play, Qt.MouseButton.LeftButton)
    assert page.match.isVisible()
    assert page.match.title.text().replace("\u202f", "") == "Step 600 against step 200"
    with qtbot.waitSignal(page.match.job.changed):
        qtbot.mouseClick(page.match.start, Qt.MouseButton.LeftButton)
    page.slider.setValue(1)  # another net; the match goes on
    assert page.match.title.text() == "Step 600 against step 200"
    qtbot.waitUntil(lambda: not page.match.job.running)
    assert sum(page.match.job.score) == 10
    assert "Step 600 against 200: " in page.match.result.text()
    assert "of 10 · score" in page.match.result.text()
    assert page.match.title.text() == "Step 400 against step 200"


@pytest.mark.slow
def test_bad_numbers_are_refused_in_one_sentence(page: CheckpointPage) -> None:
    choose_other(page, 200)
    page.play.click()
    page.match.games.setText("many")
    page.match.start.click()
    assert page.match.error.text() == "Games is 'many'; it must be a whole number from 2 to 10000"
    assert not page.match.job.running


@pytest.mark.slow
def test_a_net_that_cannot_be_read_ends_the_match(
    page: CheckpointPage, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    choose_other(page, 200)
    (home / "a" / "nets" / "step-00000200.onnx").write_bytes(b"no net")
    page.play.click()
    page.match.start.click()
    qtbot.waitUntil(lambda: not page.match.job.running)
    assert "step-00000200.onnx" in training_window.banner.text
    assert page.match.result.text() == "No game was finished."


@pytest.mark.slow
def test_leaving_ends_a_match(page: CheckpointPage, tab: TrainingTab) -> None:
    choose_other(page, 200)
    page.play.click()
    page.match.games.setText("10000")
    page.match.start.click()
    assert page.match.job.running
    tab.close_threads()
    assert not page.match.job.running


def test_the_score_has_its_interval() -> None:
    nets = tuple(Checkpoint(step, Moment(step), Path(str(step))) for step in (600, 200))
    found = score_words((nets[0], nets[1]), (12, 3, 5), 40).replace("\u202f", "")
    assert found == (
        "Step 600 against 200: 12 won, 3 drawn, 5 lost of 40 · "
        "score 67.5% (95 %: 45.7% to 83.7%) · Elo +127 (−30 to +284)"
    )
    assert "Elo +∞ (" in score_words((nets[0], nets[1]), (8, 0, 0), 8)


@pytest.mark.slow
def test_a_search_with_each_net_in_one_click(
    page: CheckpointPage, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    choose_other(page, 200)
    position = training_window.state.position
    page.what_if.click()
    assert training_window.docks.has_board
    state: Any = training_window.state
    assert state.position == position
    assert state.source.path == home / "a" / "nets" / "step-00000600.onnx"
    searches: Any = shown_searches(training_window.context)
    assert searches.second.state.source.path == home / "a" / "nets" / "step-00000200.onnx"
    assert searches.second.state.settings == state.settings
    assert searches.second.state.position == position
    assert searches.second.running
    assert searches.view.page == "moves"
    searches.second.session.close()


@pytest.mark.slow
def test_another_game_on_the_board_is_replaced(
    page: CheckpointPage, training_window: MainWindow, tab: TrainingTab
) -> None:
    training_window.state.open_position(load_game("connect4").initial())
    training_window.workspaces.turn_to("nets")
    choose_other(page, 200)
    page.what_if.click()
    assert training_window.state.position == load_game("tictactoe").initial()
    shown_searches(training_window.context).second.session.close()


@pytest.mark.slow
def test_a_net_that_is_gone_is_reported(page: CheckpointPage, training_window: MainWindow, home: Path) -> None:
    choose_other(page, 200)
    (home / "a" / "nets" / "step-00000200.onnx").unlink()
    page.what_if.click()
    assert "cannot be read" in training_window.banner.text
