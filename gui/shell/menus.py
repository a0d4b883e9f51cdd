"""Makes the window's menus and actions of the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gui.language.language import chosen, tr
from gui.shell.actions import ENTRIES
from gui.shell.entry import ANALYSIS_MENUS, NO_MENUS, Entry
from gui.widgets.tables.folding import FILTERS
from gui.widgets.texts import on_language


def make_actions(window: QMainWindow, run: Callable[[Entry], object]) -> dict[str, QAction]:
    """Fill the window's menus with actions that ``run`` their entries; returns the actions by name."""
    menus: dict[str, QMenu] = {}
    groups: dict[str, QActionGroup] = {}
    actions = {}
    for entry in ENTRIES:
        action = QAction(window)
        action.setShortcuts([QKeySequence(key) for key in entry.keys])
        action.setCheckable(entry.checkable)
        if entry.group:
            groups.setdefault(entry.group, QActionGroup(window)).addAction(action)
        action.triggered.connect(partial(_run, run, entry))
        path = entry.menu.lstrip("-")
        if path.partition("/")[0] in NO_MENUS:
            window.addAction(action)
        else:
            menu = _menu(window, menus, path)
            if entry.menu.startswith("-"):
                menu.addSeparator()
            menu.addAction(action)
        actions[entry.name] = action
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


def _run(run: Callable[[Entry], object], entry: Entry, _checked: bool = False) -> None:
    run(entry)


def _menu(window: QMainWindow, menus: dict[str, QMenu], path: str) -> QMenu:
    """Return the menu at a path such as "Game/Open recent", created when first asked for."""
    if path not in menus:
        above = path.rpartition("/")[0]
        menus[path] = (_menu(window, menus, above) if above else window.menuBar()).addMenu("")
        menus[path].setObjectName(path)
    return menus[path]


def enable_analysis(window: QMainWindow, enabled: bool) -> None:
    """Enable or disable the menus for the analysis board; while disabled their keys do nothing."""
    for menu in window.menuBar().findChildren(QMenu):
        if menu.objectName() in ANALYSIS_MENUS:
            menu.menuAction().setEnabled(enabled)
