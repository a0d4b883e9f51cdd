"""The button When learnt of the page Checkpoints opens the part of the room Inside with the net under the slider."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.model.sources import NetSource
from gui.rooms.inside.history_part import HistoryPart
from gui.rooms.training.tab import TrainingTab
from gui.window import MainWindow
from tests.gui.rooms.training.conftest import ShowRun


def test_it_opens_the_part_about_the_run_of_the_net_under_the_slider(
    tab: TrainingTab, show_run: ShowRun, training_window: MainWindow, home: Path, qtbot: QtBot
) -> None:
    show_run("checkpoints", iterations=6, kept=3)
    page = tab.view.checkpoints
    assert page.learnt.isEnabled()
    assert not training_window.docks["inside"].isVisible()
    page.choose(400)
    qtbot.mouseClick(page.learnt, Qt.MouseButton.LeftButton)
    room: Any = training_window.docks["inside"].widget_made
    part = room.show_part("inside_history")
    assert isinstance(part, HistoryPart)
    qtbot.waitUntil(part.isVisible)
    qtbot.waitUntil(lambda: part.run is not None, timeout=60_000)
    source = training_window.session.source
    assert isinstance(source, NetSource)
    assert source.path == home / "a" / "nets" / "step-00000400.onnx"
    assert (part.run.folder, len(part.run.nets)) == (home / "a", 3)
    assert (part.button.text(), part.button.isHidden()) == ("Examine the nets", False)


def test_a_run_with_one_kept_net_has_nothing_to_compare(tab: TrainingTab, show_run: ShowRun) -> None:
    show_run("checkpoints", iterations=2, kept=1)
    assert len(tab.view.checkpoints._nets) == 1
    assert not tab.view.checkpoints.learnt.isEnabled()
