"""Makes the window's menus and actions of the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from gui.language.language import chosen, tr
from gui.shell.actions import ANALYSIS_MENUS, ENTRIES
from gui.shell.docks import ROWS
from gui.widgets.tables.folding import FILTERS
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from gui.shell.frame import Frame


def make_actions(window: Frame) -> dict[str, QAction]:
    """Fill the window's menus; returns the actions by name."""
    menus: dict[str, QMenu] = {}
    groups: dict[str, QActionGroup] = {}
    actions = {}
    for entry in ENTRIES:
        menu = _menu(window, menus, entry.menu.lstrip("-"))
        if entry.menu.startswith("-"):
            menu.addSeparator()
        action = QAction(window)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setCheckable(entry.checkable)
        if entry.group:
            groups.setdefault(entry.group, QActionGroup(window)).addAction(action)
        action.triggered.connect(lambda _=False, run=entry.run: run(window))
        menu.addAction(action)
        actions[entry.name] = action
    for row in ROWS:
        actions[row.name].setChecked(row.shown)
    actions["automatic"].setChecked(True)
    actions[f"language_{chosen()}"].setChecked(True)
    actions["coordinates"].setChecked(True)
    actions[f"rows_{FILTERS[0].name}"].setChecked(True)

    def write() -> None:
        for entry in ENTRIES:
            actions[entry.name].setText(tr(entry.text))
        for path, menu in menus.items():
            above, _, title = path.rpartition("/")
            menu.setTitle(tr(title if above else f"&{title}"))

    write()
    on_language(window, write)
    return actions


def _menu(window: Frame, menus: dict[str, QMenu], path: str) -> QMenu:
    """Return the menu at a path such as "View/Theme", created when first asked for."""
    if path not in menus:
        above = path.rpartition("/")[0]
        menus[path] = (_menu(window, menus, above) if above else window.menuBar()).addMenu("")
        menus[path].setObjectName(path)
    return menus[path]


def enable_analysis(window: Frame, enabled: bool) -> None:
    """Enable or disable the menus for the analysis board; while disabled their keys do nothing."""
    for menu in window.menuBar().findChildren(QMenu):
        if menu.objectName() in ANALYSIS_MENUS:
            menu.menuAction().setEnabled(enabled)
