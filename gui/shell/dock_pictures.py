"""Saves a picture of a dock's contents, asked for in the menu of its heading."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gui.jobs.task import save_file
from gui.language.language import tr
from gui.widgets.saving import ask_save_name, png

if TYPE_CHECKING:
    from gui.context import Context
    from gui.shell.desk import Desk
    from gui.shell.dock import Dock


def connect_pictures(context: Context, docks: Desk) -> None:
    """Let the headings of a window's docks save pictures."""
    for dock in docks.docks.values():
        dock.picture_wanted.connect(partial(_choose, context, dock))


def _choose(context: Context, dock: Dock) -> None:
    path = ask_save_name(context.window, tr("Save a picture"), f"{dock.row.name}.png")
    if path is not None:
        save_picture(context, dock, path)


def save_picture(context: Context, dock: Dock, path: Path) -> None:
    """Write a picture of the dock's contents, in the background."""
    data, messages = png(dock.picture()), context.messages
    save_file(context.window, path, lambda: data, messages.show_notice, messages.show_error)
