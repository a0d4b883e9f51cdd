"""The switch between the workspaces, at the left of the toolbar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.dialogs import TextDialog
from gui.widgets.labels import MenuButton
from gui.widgets.layouts import lay_row
from gui.widgets.segments import Segments
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from gui.shell.workspaces import Workspaces

LONGEST_WHOLE: Final = 150  # px of a title that the folded switch never cuts


class WorkspaceSwitch(QWidget):
    """A button for each workspace, or one with a menu where there is little room."""

    chosen = Signal(str)
    resized = Signal()  # there are other buttons

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._titles: dict[str, str] = {}
        self._folded = False
        self.segments: Segments | None = None
        self.folded_button = MenuButton(self, "The workspace")
        self.folded_button.narrowest = LONGEST_WHOLE
        self.folded_button.hide()
        self._row = lay_row(self.folded_button, of=self, margins=0)

    def set_menu(self, menu: QMenu) -> None:
        """Set what the folded switch opens, and the right mouse button on it."""
        self.folded_button.setMenu(menu)
        self.customContextMenuRequested.connect(lambda at: menu.popup(self.mapToGlobal(at)))

    def show_workspaces(self, titles: Mapping[str, str], shown: str) -> None:
        """Show the workspaces in this order, and which of them is on the desk."""
        if self.segments is None or self._titles != titles:
            if self.segments is not None:
                self.segments.deleteLater()
            self._titles = dict(titles)
            self.segments = Segments(tuple(titles), parent=self)
            for name, button in self.segments.buttons.items():
                set_texts(button, text=titles[name])
            self.segments.chosen.connect(self.chosen)
            self._row.addWidget(self.segments)
            self.fold(self._folded)
            self.resized.emit()
        self.segments.show_choice(shown)
        set_texts(self.folded_button, text=titles[shown])

    def least_width(self, folded: bool) -> int:
        """Return the width it needs."""
        if folded or self.segments is None:
            return self.folded_button.minimumSizeHint().width()
        return self.segments.sizeHint().width()

    def fold(self, folded: bool) -> None:
        """Show one button with a menu instead of one for each workspace."""
        self._folded = folded
        self.folded_button.setVisible(folded)
        if self.segments is not None:
            self.segments.setVisible(not folded)


def connect_switch(
    actions: Mapping[str, QAction], menu: QMenu, workspaces: Workspaces, switch: WorkspaceSwitch
) -> None:
    """Show the workspaces of the window in the switch and its ``menu``, and turn to the one chosen."""
    group = actions[f"workspace_{workspaces.shown.name}"].actionGroup()
    added: list[QAction] = []  # of those that the person has added

    def renew() -> None:
        shown = workspaces.shown
        switch.show_workspaces({name: workspace.shown_title for name, workspace in workspaces.all.items()}, shown.name)
        for action in added:
            action.deleteLater()
        added.clear()
        for name, workspace in workspaces.all.items():
            existing = actions.get(f"workspace_{name}")
            action = existing or QAction(menu)
            if existing is None:
                action.setCheckable(True)
                action.triggered.connect(partial(workspaces.turn_to, name))
                group.addAction(action)
                menu.insertAction(actions["add_workspace"], action)
                added.append(action)
            action.setText(core_text(workspace.shown_title))
            action.setChecked(workspace is shown)
        actions["remove_workspace"].setEnabled(workspaces.is_own(shown.name))

    switch.set_menu(menu)
    workspaces.changed.connect(renew)
    on_language(switch, renew)
    switch.chosen.connect(workspaces.turn_to)
    renew()


def add_workspace(parent: QWidget, workspaces: Workspaces) -> None:
    """Ask for the title of a new workspace with the rooms that are open."""
    title = f"{core_text(workspaces.shown.shown_title)} 2"
    TextDialog(parent, tr("&Add a workspace…"), tr("Name"), title, workspaces.add).open()


def rename_workspace(parent: QWidget, workspaces: Workspaces) -> None:
    """Ask for another title of the workspace shown."""
    title = core_text(workspaces.shown.shown_title)
    TextDialog(parent, tr("Re&name this workspace…"), tr("Name"), title, workspaces.rename).open()
