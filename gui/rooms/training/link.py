"""Joins the Training tab to the window: what it opens is shown on the analysis board.  Knows both, no view in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.widgets.page_switch import ANALYSIS

if TYPE_CHECKING:
    from core.games import Position
    from gui.rooms.training.tab import TrainingTab
    from gui.window import MainWindow


def connect_training(window: MainWindow, tab: TrainingTab) -> None:
    """Once, when the tab has been made."""

    def open_position(position: Position, ply: int) -> None:
        """A game of self-play, at that ply."""
        window.state.open_position(position)
        window.state.go(ply - position.start.ply)
        window.show_page(ANALYSIS)

    def analyse_with(net: Path) -> None:
        window.opening.open_net(net)
        window.show_page(ANALYSIS)

    tab.set_theme(window.theme)
    tab.theme_button.clicked.connect(window.actions_by_name["theme"].trigger)
    tab.complained.connect(window.banner.say)
    tab.noted.connect(window.banner.note)
    tab.position_opened.connect(open_position)
    tab.net_opened.connect(analyse_with)
