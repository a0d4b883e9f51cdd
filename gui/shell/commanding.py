"""The command palette and the dialogs of keys, made of the table of actions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from core.text import Text
from gui.language.core_words import core_text
from gui.language.language import in_every_language, tr
from gui.model.keymap import plain_title, shown_keys, title_of
from gui.shell.entry import ANALYSIS_MENUS, SETTINGS, WORKSPACES_MENU, Entry, MenuPath
from gui.shell.keys_editor import KeysEditor
from gui.shell.palette import Command, Palette
from gui.shell.preferences_dialog import PreferencesDialog
from gui.widgets.dialogs import KeysDialog
from gui.widgets.settings.setting_fields import GROUPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gui.shell.commands import Commands
    from gui.widgets.settings.settings_form import Field


def show_palette(commands: Commands, entries: Sequence[Entry]) -> Palette:
    """Show the palette, which finds commands and settings by what they are called."""
    palette = Palette(palette_commands(commands, entries), commands.window)
    palette.show()
    return palette


def show_keys(commands: Commands) -> QDialog:
    """Show all keys currently assigned."""
    return _open(KeysDialog(list(commands.context.actions.values()), commands.window))


def change_keys(commands: Commands, entries: Sequence[Entry]) -> QDialog:
    """Show the dialog that changes keys."""
    places = {entry.name: place_of(entry.menu) for entry in entries}
    return _open(KeysEditor(commands.keymap, places, commands.window))


def show_preferences(commands: Commands, entries: Sequence[Entry]) -> QDialog:
    """Show the dialog of preferences."""
    return _open(PreferencesDialog(entries, commands.context.actions, commands.window))


def _open(dialog: QDialog) -> QDialog:
    dialog.open()
    return dialog


def place_of(menu: MenuPath) -> str:
    """Return a menu as it is shown: "Preferences › Theme"."""
    return " › ".join(plain_title(tr(title)) for title in _titles(menu))


def _titles(menu: MenuPath) -> list[str]:
    above, _, title = menu.lstrip("-").partition("/")
    return [f"&{above}", title] if title else [f"&{above}"]


def _to_search(also: str, *texts: str) -> str:
    """What a command is found by beside its title: other words, and texts in every language."""
    named = [name for text in texts if isinstance(text, Text) for name in text.values.values()]
    return " ".join((also, *(plain_title(in_every_language(text)) for text in (*texts, *named))))


def palette_commands(commands: Commands, entries: Sequence[Entry]) -> list[Command]:
    """Return the palette's commands: all actions enabled now, the search settings and all common games."""
    listed = []
    for entry in entries:
        action = commands.context.actions[entry.name]
        resting = not commands.views.docks.has_board and entry.menu.lstrip("-") in ANALYSIS_MENUS
        if action.isEnabled() and not resting and entry.name != "palette":
            keys = shown_keys(commands.keymap.keys(entry.name))
            others = _to_search(entry.also, entry.text, *_titles(entry.menu))
            place = place_of(entry.menu)
            listed.append(Command(title_of(action), place, keys, action.trigger, action.isChecked(), others))
    listed += [_setting(commands, field) for group in GROUPS for field in group.fields]
    workspaces = commands.workspaces
    for name, workspace in workspaces.all.items():
        if workspaces.is_own(name):
            shown = workspace is workspaces.shown
            turn = partial(workspaces.turn_to, name)
            listed.append(Command(core_text(workspace.shown_title), place_of(WORKSPACES_MENU), "", turn, shown))
    for title, run in commands.context.opener.usual_games():
        listed.append(Command(title, tr("Game › New"), "", run, others=_to_search("", "Game › New")))
    return listed


def _setting(commands: Commands, field: Field) -> Command:
    """Return the command that shows a search setting."""

    def show() -> None:
        commands.open_dock("settings").form.show_setting(field.name)

    parts = [part for part in (field.title, field.check) if part]
    title = ": ".join(core_text(part) for part in parts)
    return Command(title, place_of(SETTINGS), "", show, others=_to_search(field.also, *parts, *_titles(SETTINGS)))
