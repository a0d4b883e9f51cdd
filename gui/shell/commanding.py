"""Shows the command palette, the key dialogs, and keys in tooltips, from the table of actions.  Knows the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QToolButton

from gui.language.language import tr
from gui.model.keymap import plain_title, shown_key, shown_keys, title_of
from gui.shell.actions import ANALYSIS_MENUS, ENTRIES, NAVIGATION
from gui.shell.entry import Entry
from gui.shell.keys_editor import KeysEditor
from gui.shell.palette import Command, Palette
from gui.widgets.dialogs import KeysDialog
from gui.widgets.page_switch import ANALYSIS

if TYPE_CHECKING:
    from gui.shell.frame import Frame


def show_palette(window: Frame) -> Palette:
    """Show the palette, which finds commands by their letters."""
    palette = Palette(commands(window), window)
    palette.show()
    return palette


def show_keys(window: Frame) -> QDialog:
    """Show all keys currently assigned."""
    return _open(KeysDialog(list(window.actions_by_name.values()), window))


def change_keys(window: Frame) -> QDialog:
    """Show the dialog that changes keys."""
    places = {entry.name: place_of(entry) for entry in ENTRIES}
    return _open(KeysEditor(window.keymap, places, window))


def _open(dialog: QDialog) -> QDialog:
    dialog.open()
    return dialog


def place_of(entry: Entry) -> str:
    """Return the menu of an action as a path: "View › Theme"."""
    above, _, title = entry.menu.lstrip("-").partition("/")
    parts = (tr(f"&{above}"), tr(title)) if title else (tr(f"&{above}"),)
    return " › ".join(plain_title(part) for part in parts)


def commands(window: Frame) -> list[Command]:
    """Return the palette's commands: all actions enabled now and all common games."""
    found = []
    for entry in ENTRIES:
        action = window.actions_by_name[entry.name]
        resting = window.page != ANALYSIS and entry.menu.lstrip("-") in ANALYSIS_MENUS
        if action.isEnabled() and not resting and entry.name != "palette":
            keys = shown_keys(window.keymap.keys(entry.name))
            found.append(Command(title_of(action), place_of(entry), keys, action.trigger, action.isChecked()))
    for title, run in window.opener.usual_games():
        found.append(Command(title, tr("Game › New"), "", run))
    return found


def show_keys_in_tips(window: Frame) -> None:
    """Write the current keys into the tooltips of buttons."""

    def key(name: str) -> str:
        return next((shown_key(text) for text in window.keymap.keys(name)), "")

    def tip(button: QToolButton, text: str, name: str) -> None:
        text += f" ({key(name)})" if key(name) else ""
        button.setToolTip(text)
        button.setAccessibleName(text)

    bar = window.views.toolbar
    for name, action in NAVIGATION:
        tip(window.views.navigation[name], title_of(window.actions_by_name[action]), action)
    bar.overlay_buttons.set_keys(lambda name: key(f"overlay_{name}"))
    bar.game.setToolTip(tr("The game ({key} for another size)").format(key=key("choose_game") or tr("no key")))
    bar.net.setToolTip(tr("What evaluates the positions") + (f" ({key('open_net')})" if key("open_net") else ""))
    tip(bar.settings, tr("Search settings"), "settings")
    tip(bar.theme, tr("Light or dark"), "theme")
    bar.set_run_key(key("toggle"))
