"""The window's two pages, analysis and training; the Training tab is created when first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.shell.layout import CentralView
from gui.widgets.page_switch import ANALYSIS, TRAINING, PageSwitch

if TYPE_CHECKING:
    from gui.model.state import AppState
    from gui.rooms.training.tab import TrainingTab


def own_training(state: AppState) -> TrainingTab:
    """Return the tab for the user's own runs."""
    from gui.rooms.training.known_runs import runs_home
    from gui.rooms.training.tab import TrainingTab

    return TrainingTab(state, runs_home())


class Pages(QStackedWidget):
    """The stack of pages; the page switches, one on each page, always agree."""

    made = Signal(object)  # the TrainingTab, before it is first shown
    page_changed = Signal(str)  # ANALYSIS or TRAINING

    def __init__(self, analysis: CentralView, make: Callable[[], TrainingTab], parent: QWidget) -> None:
        super().__init__(parent)
        self.make = make
        self.training: TrainingTab | None = None  # None until it is first shown
        self._switches = [(analysis.toolbar.pages, ANALYSIS)]
        self.addWidget(analysis)
        analysis.toolbar.pages.chosen.connect(self.turn_to)

    @property
    def page(self) -> str:
        return ANALYSIS if self.currentIndex() <= 0 else TRAINING

    @property
    def switch(self) -> PageSwitch:
        """The switch on the page shown."""
        return self._switches[max(0, self.currentIndex())][0]

    def may_leave(self) -> bool:
        """Whether no run trains; else ask what becomes of them, and close the window then."""
        return self.training is None or not self.training.ask_before_leaving(self.window().close)

    def turn_to(self, name: str) -> None:
        """Show a page; the Training tab's charts take a moment to load the first time."""
        if name == TRAINING and self.training is None:
            tab = self.training = self.make()
            self.addWidget(tab)
            self._switches.append((tab.pages, TRAINING))
            tab.pages.chosen.connect(self.turn_to)
            self.made.emit(tab)
        self.setCurrentIndex(0 if name == ANALYSIS else 1)
        for switch, own in self._switches:
            switch.show_choice(own)
        self.page_changed.emit(name)
