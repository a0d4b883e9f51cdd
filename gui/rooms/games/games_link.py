"""Connects the list of games to the window: reads folders and archives and searches them in threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.rooms.games.games_view import GamesView

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
        self._stop: threading.Event | None = None
        self._position: Position | None = None  # that was searched for
        view.places_asked.connect(self.list_places)
        view.folder_asked.connect(self._ask_folder)
        view.archive_asked.connect(self._ask_archive)
        view.search_asked.connect(self.search)
        view.all_asked.connect(self.show_all)
        view.cancelled.connect(self.cancel)
        view.chosen.connect(lambda listed: self._open(listed, self._position))
        view.destroyed.connect(self.cancel)

    def _ask_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self._context.window, tr("List the games of a folder"))
        if name:
            self.list_places((Path(name),))

    def _ask_archive(self) -> None:
        kinds = tr("Archives and files of games ({patterns});;All files (*)").format(
            patterns="*.zip *.sgf *.ggf *.wtb *.psq *.lib"
        )
        name, _ = QFileDialog.getOpenFileName(
            self._context.window, tr("List the games of an archive or file"), "", kinds
        )
        if name:
            self.list_places((Path(name),))

    def list_places(self, places: Sequence[Path]) -> None:
        """List the games of folders, archives and files."""
        hint = self._context.state.game

        def work(progress: Callable[[float], object], stop: Callable[[], bool]) -> Any:
            from core.files.collection import list_games

            return list_games(places, hint, lambda done, of: progress(done / max(1, of)), stop)

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

        def work(progress: Callable[[float], object], stop: Callable[[], bool]) -> Any:
            from core.files.position_search import find_position

            report = lambda done, of: progress(done / max(1, of))  # noqa: E731
            return find_position(collection.games, position, symmetric, report, stop)

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

    def cancel(self) -> None:
        """Stop the present job; what it has found so far is shown."""
        if self._stop is not None:
            self._stop.set()

    def _run(self, work: Callable[..., Any], done: Callable[[Any], None]) -> None:
        if self._stop is not None:
            return
        stop = self._stop = threading.Event()
        last = [0.0]

        def job(send: Callable[[float], object]) -> Any:
            def progress(share: float) -> None:
                if time.monotonic() - last[0] >= EVERY_S:
                    last[0] = time.monotonic()
                    send(share)

            return work(progress, stop.is_set)

        def ended(result: Any) -> None:
            self._stop = None
            done(result)
            self._view.show_work(None)

        def failed(sentence: str) -> None:
            self._stop = None
            self._view.show_work(None)
            self._context.messages.show_error(sentence)

        self._view.show_work(0.0)
        run_task(self, job, ended, failed, self._view.show_work)
