"""The pages of the Training tab are made on their first show, where they stay: another parent styles them anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.rooms.training.checkpoints import CheckpointPage
from gui.rooms.training.known_runs import ShownRun
from gui.rooms.training.launcher import EMPTY, STOPPED, WORKING, RunState
from gui.rooms.training.new_run import NewRunPage
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.run_view import RunView
from gui.rooms.training.samples import SamplePage
from gui.rooms.training.settings_form import SettingsPage
from gui.rooms.training.tab import TrainingTab
from tests.gui.rooms.training.conftest import ShowRun

LATER = {"samples": SamplePage, "checkpoints": CheckpointPage, "settings": SettingsPage}


class Moved(QObject):
    """Counts the widgets below each one that gets another parent."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange and isinstance(watched, QWidget):
            self.most = max(self.most, len(watched.findChildren(QWidget)))
        return False


@pytest.mark.slow
def test_a_page_is_made_when_it_is_first_shown(tab: TrainingTab, show_run: ShowRun) -> None:
    show_run()
    for name, kind in LATER.items():
        assert not tab.view.findChildren(kind)
        tab.view.show_page(name)
        tab.view.show_page(name)
        assert len(tab.view.findChildren(kind)) == 1


@pytest.mark.slow
def test_what_a_page_holds_gets_no_other_parent(tab: TrainingTab, qapp: QApplication, show_run: ShowRun) -> None:
    show_run()
    moved = Moved()
    qapp.installEventFilter(moved)
    try:
        for name in LATER:
            tab.view.show_page(name)
        tab.show_new()
    finally:
        qapp.removeEventFilter(moved)
    assert len(tab.findChildren(NewRunPage)) == 1
    assert moved.most < 80  # a form holds 200


def test_a_line_that_is_read_only_has_no_frame(tab: TrainingTab, show_run: ShowRun) -> None:
    show_run("settings")
    form = tab.view.settings.form
    line = form.inputs["self_play.games"]
    fixed = line.grab().toImage()
    form.set_read_only(False)
    assert line.grab().toImage() != fixed
    form.set_read_only(True)
    assert line.grab().toImage() == fixed


@pytest.mark.parametrize(
    ("kind", "words", "why"),
    [
        (EMPTY, "not started", "The run has not started. There are figures after its first iteration."),
        (WORKING, "playing", "There are figures after the first iteration (playing)."),
        (STOPPED, "stopped", "The run has no figures: its first iteration did not end (stopped)."),
    ],
)
def test_a_run_without_figures_says_why_once(qtbot: QtBot, tmp_path: Path, kind: str, words: str, why: str) -> None:
    run, view = RunModel(tmp_path / "new"), RunView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.show_state(RunState(kind, words))
    view.show_run(run)
    view.show_charts([ShownRun(run, 0)])
    assert view.charts.why.text() == why
    assert view.charts.why.isVisible()
    assert not any(part.isVisible() for part in (view.charts.grid, view.charts.row, view.axis, view.numbers))
    run._take({"event": "iteration", "step": 10, "iteration": 1, "policy_loss": 1.0})
    view.show_run(run)
    assert view.charts.grid.isVisible()
    assert view.charts.row.isVisible()
    assert not view.charts.why.isVisible()


def test_a_long_name_leaves_the_state_of_its_run_whole(qtbot: QtBot, tmp_path: Path) -> None:
    run, view = RunModel(tmp_path / ("long-name-of-a-run-" * 6)), RunView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.show_state(RunState(STOPPED, "stopped"))
    view.show_run(run)
    qtbot.waitUntil(lambda: "…" in view.title.shown_text(view.title.width()))
    assert view.title.toolTip() == run.name
    assert view.words.shown_text(view.words.width()) == "stopped"
