"""The menu of files opened or saved before.  Knows the preferences and what opens a file, no view."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from gui.jobs.task import run_task
from gui.language.language import tr

if TYPE_CHECKING:
    from gui.shell.frame import Frame


def connect_recent(window: Frame) -> None:
    """Fill the menu that "Clear the list" stands in, and remember what is opened and saved."""
    recent = RecentFiles(window)
    window.filing.used.connect(recent.add)
    window.opening.used.connect(recent.add)


class RecentFiles(QObject):
    """Files that are gone stay in the list, greyed, with the reason: a drive may come back."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window, self._preferences = window, window.preferences
        self._clear = window.actions_by_name["clear_recent"]
        self.menu = next(owner for owner in self._clear.associatedObjects() if isinstance(owner, QMenu))
        self.menu.setToolTipsVisible(True)
        self.shown: dict[Path, QAction] = {}
        self.menu.aboutToShow.connect(self.look)
        self._preferences.recent_changed.connect(self._fill)
        self._fill()

    def add(self, path: Path) -> None:
        """Put it first; the nets that come with the program are found without this list."""
        if not path.is_relative_to(str(files("resources"))):
            self._preferences.add_recent(path)

    def _fill(self) -> None:
        for action in self.shown.values():
            self.menu.removeAction(action)
            action.deleteLater()
        self.shown = {}
        before = self.menu.actions()[0]
        for number, path in enumerate(self._preferences.recent, 1):
            action = QAction(f"&{number % 10}  {_title(path)}", self.menu)
            action.setToolTip(str(path))
            action.triggered.connect(partial(self._open, path))
            self.menu.insertAction(before, action)
            self.shown[path] = action
        self._clear.setEnabled(bool(self.shown))
        self.menu.menuAction().setEnabled(bool(self.shown))

    def look(self) -> None:
        """Which are still there; a slow drive holds nothing up."""
        paths = tuple(self.shown)
        run_task(self, lambda: {path: path.is_file() for path in paths}, self._grey, self._window.banner.say)

    def _grey(self, found: dict[Path, bool]) -> None:
        for number, (path, action) in enumerate(self.shown.items(), 1):
            there = found.get(path, True)
            action.setEnabled(there)
            missing = tr("&{number}  {path} — no longer there").format(number=number % 10, path=_title(path))
            action.setText(f"&{number % 10}  {_title(path)}" if there else missing)

    def _open(self, path: Path, checked: bool = False) -> None:
        self._window.filing.open_file(path)


def _title(path: Path) -> str:
    """Name and folder; the home folder as ~."""
    folder = path.parent
    try:
        shown = str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        shown = str(folder)
    return f"{path.name}  ({shown})".replace("&", "&&")
