"""Connects the board's room to the model and the session of a window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from gui.language.core_words import core_text
from gui.language.language import begun, stopped
from gui.model.keymap import with_key
from gui.rooms.board.board_figures import BoardFigures
from gui.rooms.board.count_link import CountLink
from gui.rooms.board.overlay_link import OverlayLink
from gui.rooms.board.scope import Scope
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QToolButton

    from gui.context import Context
    from gui.rooms.board.board_room import BoardRoom


def connect_board(context: Context, view: BoardRoom) -> None:
    """Show the position and the search on the board, and play what is chosen there."""
    state, board = context.state, view.board
    figures = BoardFigures(context, view)
    OverlayLink(context, view, figures)
    counting = CountLink(context, view, figures)
    scope = Scope(context, view.scope)

    def refuse(action: int) -> None:
        from core.games import IllegalMove  # loaded with the first game

        position = figures.shown
        if position is None or counting.toggle(action):
            return
        try:
            position.play(action)
        except IllegalMove as error:
            reason = error.reason  # which move of which game, the person sees
            context.messages.show_notice(lambda: begun(stopped(core_text(reason))))

    def show_coordinates(shown: bool) -> None:
        board.set_coordinates(shown)
        context.actions["coordinates"].setChecked(shown)

    board.chosen.connect(lambda action: context.play_line((*state.selected, action)))
    board.refused.connect(refuse)
    board.laid_out.connect(view.value_bar.set_span)
    board.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    board.customContextMenuRequested.connect(partial(scope.open_board_menu, board))
    view.player.exact_clicked.connect(context.actions["against_exact"].trigger)
    view.menu_requested.connect(scope.open_menu)
    state.coordinates_changed.connect(show_coordinates)
    view.record.chosen.connect(state.go)
    for name, button in view.navigation.items():
        _connect_button(button, context.actions[name])


def _connect_button(button: QToolButton, action: QAction) -> None:
    """Let a button run an action, rest with it, and tell its title and key."""

    def show() -> None:
        words = with_key(action)
        button.setEnabled(action.isEnabled())
        button.setCheckable(action.isCheckable())
        button.setChecked(action.isChecked())
        set_tip(button, words)
        button.setAccessibleName(words)

    button.clicked.connect(action.trigger)
    button.clicked.connect(show)
    action.changed.connect(show)
    show()
