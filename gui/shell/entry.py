"""A row of the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.text import Words

if TYPE_CHECKING:
    from gui.shell.commands import Commands

MenuPath = str  # the titles of a menu and of its submenu, see Entry

ANALYSIS_MENUS: Final = ("Moves", "Analysis", "Time")  # for the analysis board alone
PREFERENCES: Final = "Preferences"  # the dialog whose rows are the submenus of this name, which no menu has
SETTINGS: Final[MenuPath] = "Search settings"
WORKSPACES_MENU: Final[MenuPath] = "View/&Workspace"
PARTS: Final[MenuPath] = "Rooms"  # what shows a part of a room
NO_MENUS: Final = (PREFERENCES, SETTINGS, PARTS, "Overlay")  # of these the palette and the keys alone know


@dataclass(frozen=True)
class Entry:
    """One action: its ``menu``, text, keys and command.

    A ``menu`` such as "Game/Open recent" is a submenu; a leading "-" puts a separator before the entry.  One of
    ``NO_MENUS`` is no menu of the window, only the place of a command.  ``also``: other words by which the palette
    finds it, in any language.
    """

    name: str
    menu: MenuPath
    text: Words
    keys: tuple[str, ...]
    run: Callable[[Commands], object]
    checkable: bool = False
    group: str = ""
    also: str = ""
