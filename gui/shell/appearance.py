"""Text size, colours, recent files and tour, connected to the window's actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QHeaderView, QWidget

from gui.shell.gauges import FrameMeter
from gui.shell.recent import connect_recent
from gui.widgets import text_size
from gui.widgets.preferences import VALUES_FOR
from gui.widgets.preferences import Preferences as Preferences
from gui.widgets.tables.moves_table import CURVE, TOTAL
from gui.widgets.theme import COLOURS

if TYPE_CHECKING:
    from PySide6.QtCore import QChildEvent

    from gui.shell.frame import Frame


def connect_frame(window: Frame) -> None:
    """Connect them; called once, when the window has been made."""
    set_text_size(window, window.preferences.text_size)
    _check_colours(window)
    text_size.fit(window)
    connect_recent(window)
    window.preferences.values_for_changed.connect(lambda _: _check_values_for(window))
    _check_values_for(window)
    window.preferences.play_shown_changed.connect(window.actions_by_name["play_shown"].setChecked)
    window.actions_by_name["play_shown"].setChecked(window.preferences.play_shown)
    frames = FrameMeter(window)
    window.session.snapshot_for_text.connect(lambda _: window.views.status.set_frame(frames.longest_ms))
    window.pages.made.connect(text_size.fit)
    window.installEventFilter(_Fitter(window))


class _Fitter(QObject):
    """Applies the style sheet and text size to a window's dialogs just before they are shown."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ChildPolished:
            child = _child(event)
            if isinstance(child, QWidget) and child.isWindow():
                self._window.dressing.dress(child)
                text_size.fit(child)
        return False


def _child(event: QChildEvent | QEvent) -> QObject | None:
    child = getattr(event, "child", None)
    found = child() if child is not None else None
    return found if isinstance(found, QObject) else None


# text size


def set_text_size(window: Frame, size: int) -> None:
    """Set the text size to ``size`` per cent, with everything that depends on it, and save it."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    text_size.resize_text(app, size, lambda: window.set_theme(window.theme_choice))
    if size != window.preferences.text_size:
        window.preferences.text_size = size
    for step in text_size.SIZES:
        window.actions_by_name[f"text_{step}"].setChecked(step == size)


def larger_text(window: Frame) -> None:
    set_text_size(window, text_size.larger(window.preferences.text_size))


def smaller_text(window: Frame) -> None:
    set_text_size(window, text_size.smaller(window.preferences.text_size))


# colours


def set_colours(window: Frame, colours: str) -> None:
    """Set the standard colours or those for the colour-blind, and save the choice."""
    window.preferences.colours = colours
    window.set_theme(window.theme_choice)
    _check_colours(window)


def _check_colours(window: Frame) -> None:
    for colours in COLOURS:
        window.actions_by_name[f"colours_{colours}"].setChecked(colours == window.preferences.colours)


def _check_values_for(window: Frame) -> None:
    for whose in VALUES_FOR:
        window.actions_by_name[f"values_{whose}"].setChecked(whose == window.preferences.values_for)


# columns of the tables

COLUMN_ACTIONS: Final = {"total": TOTAL, "sparklines": CURVE}


def headers(window: Frame) -> dict[str, QHeaderView]:
    """Return the tables' headers by the names they are saved under; other columns get other names."""
    moves, tree = window.views.moves.horizontalHeader(), window.views.tree.header()
    return {f"moves_{moves.count()}": moves, f"tree_{tree.count()}": tree}


def turn_column(window: Frame, column: int) -> None:
    """Show or hide an optional column of the tables."""
    shown = window.views.moves.isColumnHidden(column)
    for table in (window.views.moves, window.views.tree):
        table.setColumnHidden(column, not shown)
    check_columns(window)


def check_columns(window: Frame) -> None:
    """Check the actions of the optional columns shown, and request what these need."""
    for name, column in COLUMN_ACTIONS.items():
        window.actions_by_name[name].setChecked(not window.views.moves.isColumnHidden(column))
    window.session.extras.request_curves(window.actions_by_name["sparklines"].isChecked(), "moves")


# the tour


def tour(window: Frame) -> None:
    """Show the tour's five cards; can be called any number of times."""
    from gui.shell.tour import start_tour

    start_tour(window)
