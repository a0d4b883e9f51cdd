"""A row of the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.text import Words

if TYPE_CHECKING:
    from gui.shell.commands import Commands

ANALYSIS_MENUS: Final = ("Moves", "Analysis", "Time")  # for the analysis board alone

MenuPath = str  # the titles of a menu and of its submenu, see Entry


@dataclass(frozen=True)
class Entry:
    """One action: its ``menu``, text, keys and command.

    A ``menu`` such as "View/Theme" is a submenu; a leading "-" puts a separator before the entry.
    """

    name: str
    menu: MenuPath
    text: Words
    keys: tuple[str, ...]
    run: Callable[[Commands], object]
    checkable: bool = False
    group: str = ""
