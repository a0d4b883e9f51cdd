"""Connects the Training tab to the window: its positions and nets open in analysis.  Knows both, no view in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.text import text_of
from gui.widgets.page_switch import ANALYSIS

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.rooms.training.tab import TrainingTab


def connect_training(
    context: Context,
    show_page: Callable[[str], object],
    compare: Callable[[Position, tuple[Path, Path]], object],
    tab: TrainingTab,
) -> None:
    """Connect a new Training tab.  ``compare`` searches a position with two nets side by side."""

    def open_position(position: Position, ply: int) -> None:
        """Open a self-play game at that ply."""
        context.state.open_position(position)
        context.state.go(ply - position.start.ply)
        show_page(ANALYSIS)

    def analyse_with(net: Path) -> None:
        context.opener.open_net(net)
        show_page(ANALYSIS)

    def what_if(position: Position, nets: tuple[Path, Path]) -> None:
        show_page(ANALYSIS)
        try:
            compare(position, nets)
        except ValueError as error:
            context.messages.show_error(text_of(error))

    tab.view.recall(context.preferences)
    tab.theme_button.clicked.connect(context.actions["theme"].trigger)
    tab.failed.connect(context.messages.show_error)
    tab.notified.connect(context.messages.show_notice)
    tab.position_opened.connect(open_position)
    tab.net_opened.connect(analyse_with)
    tab.nets_compared.connect(what_if)
