"""The menu of recently used files."""

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
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from gui.context import Context
    from gui.shell.filing import Filing


def connect_recent(context: Context, filing: Filing) -> None:
    """Fill the recent files menu (where "Clear the list" is) and record files opened and saved."""
    recent = RecentFiles(context, filing)
    filing.used.connect(recent.add)
    context.opener.used.connect(recent.add)


class RecentFiles(QObject):
    """The recent files menu; missing files stay in it, greyed out with the reason: a drive may be reconnected."""

    def __init__(self, context: Context, filing: Filing) -> None:
        super().__init__(context.window)
        self._filing, self._preferences, self._messages = filing, context.preferences, context.messages
        self._clear = context.actions["clear_recent"]
        self.menu = next(owner for owner in self._clear.associatedObjects() if isinstance(owner, QMenu))
        self.menu.setToolTipsVisible(True)
        self.shown: dict[Path, QAction] = {}
        self.menu.aboutToShow.connect(self.look)
        self._preferences.recent_changed.connect(self._fill)
        self._fill()

    def add(self, path: Path) -> None:
        """Add a file at the top; nets that come with the program are not listed."""
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
            set_tip(action, str(path))
            action.triggered.connect(partial(self._open, path))
            self.menu.insertAction(before, action)
            self.shown[path] = action
        self._clear.setEnabled(bool(self.shown))
        self.menu.menuAction().setEnabled(bool(self.shown))

    def look(self) -> None:
        """Check in the background which files exist, so that a slow drive blocks nothing."""
        paths = tuple(self.shown)
        run_task(self, lambda: {path: path.is_file() for path in paths}, self._grey, self._messages.show_error)

    def _grey(self, exists: dict[Path, bool]) -> None:
        for number, (path, action) in enumerate(self.shown.items(), 1):
            present = exists.get(path, True)
            action.setEnabled(present)
            missing = tr("&{number}  {path} — no longer there").format(number=number % 10, path=_title(path))
            action.setText(f"&{number % 10}  {_title(path)}" if present else missing)

    def _open(self, path: Path, checked: bool = False) -> None:
        self._filing.open_file(path)


def _title(path: Path) -> str:
    """Return name and folder, with ~ for the home folder."""
    folder = path.parent
    try:
        shown = str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        shown = str(folder)
    return f"{path.name}  ({shown})".replace("&", "&&")
