"""The pages of the Training tab are made on their first show, where they stay: another parent styles them anew."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from gui.rooms.training.checkpoints import CheckpointPage
from gui.rooms.training.new_run import NewRunPage
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
