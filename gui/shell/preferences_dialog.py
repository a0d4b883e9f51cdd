"""The dialog of preferences: a row for each choice among commands, a box for each that is on or off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from gui.language.language import tr
from gui.model.keymap import plain_title, title_of, with_key
from gui.shell.entry import PREFERENCES, Entry
from gui.widgets.dialogs import Dialog
from gui.widgets.form import ComboBox, Form
from gui.widgets.texts import set_texts
from gui.widgets.tips import set_tip


class PreferencesDialog(Dialog):
    """Runs the commands of its rows at once, and shows what they are set to, whoever sets it."""

    def __init__(self, entries: Sequence[Entry], actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        """``entries``: of all commands; those of PREFERENCES that can be checked are shown."""
        super().__init__("", parent)
        set_texts(self, windowTitle=lambda: plain_title(tr("&Preferences")))
        self.fields: dict[str, QWidget] = {}  # by the name of the group, or of the command
        self._shows: list[Callable[[], None]] = []  # of the fields
        form = Form()
        shown = [other for other in entries if other.menu.lstrip("-").startswith(f"{PREFERENCES}/") and other.checkable]
        titles = set[str]()
        for entry in shown:
            name, submenu = entry.group or entry.name, entry.menu.partition("/")[2]
            if name in self.fields:
                continue
            group = [actions[other.name] for other in shown if entry.group and other.group == entry.group]
            field = self.fields[name] = self._choice(group) if group else self._box(actions[entry.name])
            if submenu in titles:
                form.addRow("", field)
                continue
            titles.add(submenu)
            title = form.add("", field)
            set_texts(title, text=partial(_plain, submenu))
            set_texts(field, accessibleName=partial(_plain, submenu))
        self.lay_out(form)

    def _choice(self, actions: Sequence[QAction]) -> QComboBox:
        box = ComboBox(self)
        for action in actions:
            box.addItem("")
            action.changed.connect(self._show)
        self._shows.append(partial(_show_choice, box, actions))
        self._shows[-1]()
        box.activated.connect(lambda place: actions[place].trigger())
        return box

    def _box(self, action: QAction) -> QCheckBox:
        box = QCheckBox(self)
        action.changed.connect(self._show)
        self._shows.append(partial(_show_box, box, action))
        self._shows[-1]()
        box.clicked.connect(lambda _: action.trigger())
        return box

    def _show(self) -> None:
        """Show what is set, as long as the dialog lives."""
        for show in self._shows:
            show()


def _plain(submenu: str) -> str:
    return plain_title(tr(submenu))


def _show_choice(box: QComboBox, actions: Sequence[QAction]) -> None:
    for place, action in enumerate(actions):
        box.setItemText(place, title_of(action))
        if action.isChecked():
            box.setCurrentIndex(place)


def _show_box(box: QCheckBox, action: QAction) -> None:
    box.setText(title_of(action))
    set_tip(box, with_key(action))
    box.setChecked(action.isChecked())
