"""Connects the list of games to the window: reads folders and archives and searches them in threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from core.files import GAME_SUFFIXES
from gui.jobs.job import Job
from gui.jobs.newest import Question, Report, Stale
from gui.language.language import mark, tr
from gui.rooms.library.games_view import GamesView

if TYPE_CHECKING:
    from core.files.collection import Collection, Listed
    from core.games import Position
    from gui.context import Context

EVERY_S: Final = 0.05  # between two reports of progress

Open = Callable[["Listed", "Position | None"], None]


def connect_games(context: Context, open_game: Open, widget: QWidget) -> None:
    """Connect the list; ``open_game`` opens one of its games, at a position if one was searched for."""
    assert isinstance(widget, GamesView)
    GamesLink(context, open_game, widget)


class GamesLink(QObject):
    """What the list does: one job at a time, which can be cancelled."""

    def __init__(self, context: Context, open_game: Open, view: GamesView) -> None:
        super().__init__(view)
        self._context, self._view, self._open = context, view, open_game
        self._job = _Reading(self)
        self._position: Position | None = None  # that was searched for
        view.places_asked.connect(self.list_places)
        view.folder_asked.connect(self._ask_folder)
        view.archive_asked.connect(self._ask_archive)
        view.search_asked.connect(self.search)
        view.all_asked.connect(self.show_all)
        view.cancelled.connect(self._job.stop)
        view.chosen.connect(lambda listed: self._open(listed, self._position))
        self._job.changed.connect(self._show_work)
        self._job.progressed.connect(view.show_work)
        self._job.failed.connect(context.messages.show_error)

    def _ask_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self._context.window, tr("List the games of a folder"))
        if name:
            self.list_places((Path(name),))

    def _ask_archive(self) -> None:
        kinds = tr("Archives and files of games ({patterns});;All files (*)").format(
            patterns=" ".join(f"*{suffix}" for suffix in (".zip", *GAME_SUFFIXES))
        )
        name, _ = QFileDialog.getOpenFileName(
            self._context.window, tr("List the games of an archive or file"), "", kinds
        )
        if name:
            self.list_places((Path(name),))

    def list_places(self, places: Sequence[Path]) -> None:
        """List the games of folders, archives and files."""
        hint = self._context.state.game

        def work(stopped: Stale, report: Report) -> Any:
            from core.files.collection import list_games

            return list_games(places, hint, _share(report), stopped)

        def done(collection: Collection) -> None:
            self._position = None
            self._view.show_collection(collection)

        self._run(work, done)

    def search(self) -> None:
        """Show only the games in which the position shown occurs."""
        position, collection = self._context.state.position, self._view.collection
        if position is None or collection is None:
            return
        symmetric = self._view.symmetric.isChecked()

        def work(stopped: Stale, report: Report) -> Any:
            from core.files.position_search import find_position

            return find_position(collection.games, position, symmetric, _share(report), stopped)

        def done(found: Any) -> None:
            self._position = position
            self._view.show_found([one.game for one in found])
            if not found:
                self._context.messages.show_notice(mark("No listed game has this position."))

        self._run(work, done)

    def show_all(self) -> None:
        """Show all games again."""
        self._position = None
        self._view.show_found(None)

    def _run(self, work: Question, done: Callable[[Any], None]) -> None:
        if not self._job.running:
            self._job.run(work, done)

    def _show_work(self) -> None:
        if not self._job.running:
            self._view.show_work(None)
        elif not self._job.stopping:
            self._view.show_work(0.0)


class _Reading(Job):
    """A job whose result is shown as far as it got when it was stopped."""

    waits = True


def _share(report: Report) -> Callable[[int, int], None]:
    """Return a function that reports so many of all as a share, not too often."""
    last = 0.0

    def progress(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY_S:
            last = time.monotonic()
            report(done / max(1, of))

    return progress
