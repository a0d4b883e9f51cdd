"""The window in another language at once: what stands on its widgets is turned, what is shown live is told again.

The search, the docks, the page and every view stay as they are.  Knows kinds of widgets, no view of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTableWidget,
    QTreeWidget,
    QWidget,
)

from gui.language.language import Turner, chosen, language_of, set_language
from gui.widgets.text_size import measure_anew

if TYPE_CHECKING:
    from gui.shell.frame import Frame

PROPERTIES: tuple[tuple[type[QObject], tuple[str, ...]], ...] = (
    (QWidget, ("windowTitle", "toolTip", "accessibleName", "accessibleDescription")),
    (QLabel, ("text",)),
    (QAbstractButton, ("text",)),
    (QMenu, ("title",)),
    (QGroupBox, ("title",)),
    (QLineEdit, ("placeholderText",)),
    (QPlainTextEdit, ("placeholderText",)),
    (QAction, ("text",)),
)
TIP = Qt.ItemDataRole.ToolTipRole


def switch_language(window: Frame, choice: str) -> None:
    """Show the window in a language of ``gui.language.language.LANGUAGES``."""
    before = language_of(chosen())
    set_language(choice)
    now = language_of(choice)
    if now != before:
        turn_widgets(window, Turner(before, now))
        tell_again(window)


def tell_again(window: Frame) -> None:
    """What views made of state and snapshot themselves, as if it were new; the search notices nothing."""
    window.keymap.changed.emit()
    window.state.selection_changed.emit(window.state.selected)
    window.session.state_changed.emit()
    window.session.figured.emit(window.session.snapshot)


def turn_widgets(window: Frame, turner: Turner) -> None:
    """Every text that stands on the window, its menus and its hidden rooms."""
    for thing in (window, *window.findChildren(QObject)):
        if isinstance(thing, QWidget | QAction):
            _turn(thing, turner)
    for widget in QApplication.allWidgets():
        measure_anew(widget)
        widget.update()


def _turn(thing: QWidget | QAction, turner: Turner) -> None:
    for kind, names in PROPERTIES:
        if isinstance(thing, kind):
            for name in names:
                text = getattr(thing, name)()
                other = turner.turn(text)
                if other != text:
                    getattr(thing, f"set{name[0].upper()}{name[1:]}")(other)
    if isinstance(thing, QComboBox):
        _turn_choices(thing, turner)
    elif isinstance(thing, QTableWidget):
        for place in range(thing.columnCount()):
            item = thing.horizontalHeaderItem(place)
            if item is not None:
                item.setText(turner.turn(item.text()))
                item.setToolTip(turner.turn(item.toolTip()))
    elif isinstance(thing, QTreeWidget):
        head = thing.headerItem()
        for place in range(thing.columnCount()):
            head.setText(place, turner.turn(head.text(place)))


def _turn_choices(box: QComboBox, turner: Turner) -> None:
    """The titles of choices; where a choice has no value beside its title, the title is the value and stays."""
    for place in range(box.count()):
        if box.itemData(place) is not None:
            box.setItemText(place, turner.turn(box.itemText(place)))
        tip = box.itemData(place, TIP)
        if isinstance(tip, str):
            box.setItemData(place, turner.turn(tip), TIP)
