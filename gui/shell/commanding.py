"""The command palette and the dialogs of keys, made of the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from gui.language.language import tr
from gui.model.keymap import plain_title, shown_keys, title_of
from gui.shell.entry import ANALYSIS_MENUS, Entry
from gui.shell.keys_editor import KeysEditor
from gui.shell.palette import Command, Palette
from gui.shell.preferences_dialog import PreferencesDialog
from gui.widgets.dialogs import KeysDialog
from gui.widgets.page_switch import ANALYSIS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gui.shell.commands import Commands


def show_palette(commands: Commands, entries: Sequence[Entry]) -> Palette:
    """Show the palette, which finds commands by their letters."""
    palette = Palette(palette_commands(commands, entries), commands.window)
    palette.show()
    return palette


def show_keys(commands: Commands) -> QDialog:
    """Show all keys currently assigned."""
    return _open(KeysDialog(list(commands.context.actions.values()), commands.window))


def change_keys(commands: Commands, entries: Sequence[Entry]) -> QDialog:
    """Show the dialog that changes keys."""
    places = {entry.name: place_of(entry) for entry in entries}
    return _open(KeysEditor(commands.keymap, places, commands.window))


def show_preferences(commands: Commands, entries: Sequence[Entry]) -> QDialog:
    """Show the dialog of preferences."""
    return _open(PreferencesDialog(entries, commands.context.actions, commands.window))


def _open(dialog: QDialog) -> QDialog:
    dialog.open()
    return dialog


def place_of(entry: Entry) -> str:
    """Return the menu of an action as a path: "Preferences › Theme"."""
    above, _, title = entry.menu.lstrip("-").partition("/")
    parts = (tr(f"&{above}"), tr(title)) if title else (tr(f"&{above}"),)
    return " › ".join(plain_title(part) for part in parts)


def palette_commands(commands: Commands, entries: Sequence[Entry]) -> list[Command]:
    """Return the palette's commands: all actions enabled now and all common games."""
    found = []
    for entry in entries:
        action = commands.context.actions[entry.name]
        resting = commands.pages.page != ANALYSIS and entry.menu.lstrip("-") in ANALYSIS_MENUS
        if action.isEnabled() and not resting and entry.name != "palette":
            keys = shown_keys(commands.keymap.keys(entry.name))
            found.append(Command(title_of(action), place_of(entry), keys, action.trigger, action.isChecked()))
    for title, run in commands.context.opener.usual_games():
        found.append(Command(title, tr("Game › New"), "", run))
    return found
