"""Crash recovery: keeps the open game and unsaved games in files, and restores them at the next start.

Each game has its own file with a lock that ends with its process, so that two windows never mix their games; unlocked
files were left by a closed window or a crash.  Knows the state's signals and what writes and reads a session.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QStandardPaths

from core.text import Text, text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import stopped, tr
from gui.model.timers import make_timer
from gui.shell.filing import SESSION
from gui.shell.kept_game import Kept
from gui.shell.previous_games import ReplacedGame
from gui.shell.session_games import read_session
from gui.widgets.texts import TextSource

if TYPE_CHECKING:
    from gui.shell.commands import Commands

KEEP_MS: Final = 2500  # delay after the first change
_DAMAGED: Final = ".damaged"
log = logging.getLogger(__name__)


def recovery_home() -> Path:
    """Return the folder for kept games, in the user's data folder of the platform."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    return Path(place) / "plyscope" / "recovery"


def left_behind(folder: Path) -> list[Kept]:
    """Lock and return the kept games that no running window holds, newest last."""
    try:
        paths = sorted(folder.glob(f"*{SESSION}"), key=lambda path: path.stat().st_mtime)
    except OSError:
        return []
    return [kept for kept in map(Kept, paths) if kept.take()]


class Recovery(QObject):
    """Keeps one window's games and restores those of earlier runs."""

    def __init__(self, commands: Commands, folder: Path, keep_ms: int = KEEP_MS) -> None:
        super().__init__(commands.window)
        self._commands, self._state, self._folder = commands, commands.context.state, folder
        self._games = commands.previous_games
        self._own: Kept | None = None  # the open game's file
        self._reported = False  # whether the user was told that games cannot be kept
        self._writing = False
        self._returned_files: list[Kept] = []  # of games that are open again
        self._later = make_timer(self, keep_ms, self._keep, once=True)
        for change in (
            self._state.position_changed,
            self._state.record_changed,
            self._state.comment_changed,
            self._state.search_changed,
        ):
            change.connect(self._changed)
        self._games.left.connect(self._left)
        self._games.returned.connect(self._returned)
        self._games.dropped.connect(self._dropped)
        commands.open_trees.changed.connect(self._changed)
        commands.context.events.closing.connect(self.end)

    # keeping

    def _changed(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def _keep(self) -> None:
        """Save the open game in the background, whether or not another file has it."""
        if self._writing:
            self._later.start()
        elif self._commands.open_trees.are_empty:
            self._drop_own()
        elif write := self._version():
            self._writing = True
            returned, self._returned_files = self._returned_files, []
            run_task(self, write, partial(self._written, returned), self._not_written, writes=True)

    def _version(self) -> Callable[[], None] | None:
        """Return a function that writes the current state of the open games; None when there is no place for it."""
        if self._own is None:
            self._own = self._new()
        return None if self._own is None else self._own.version(self._commands.filing.session_bytes())

    def _new(self) -> Kept | None:
        kept = Kept(self._folder / f"{uuid.uuid4().hex}{SESSION}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._report(text_of(error))
            return None
        return kept if kept.take() else None

    def _written(self, returned: list[Kept], _: object) -> None:
        self._writing = False
        for kept in returned:
            kept.remove()

    def _not_written(self, sentence: str) -> None:
        self._writing = False
        self._report(sentence)

    def _report(self, sentence: str) -> None:
        log.warning("the open game is not kept: %s", sentence)
        if not self._reported:
            self._reported = True
            self._commands.context.messages.show_error(
                Text("The open game is not kept for the next start: {sentence}", sentence=sentence)
            )

    def _drop_own(self) -> None:
        if self._own is not None:
            own, self._own = self._own, None
            own.remove()

    # earlier games

    def _left(self, left: ReplacedGame | None) -> None:
        """Keep a game that is open no longer in a file of its own; None: nothing is lost."""
        alone = len(self._commands.open_trees.trees) == 1
        if left is None:
            if alone:
                self._drop_own()
            return
        kept = self._own if alone and self._own is not None else self._new()
        if alone:
            self._own = None
        if kept is not None:
            left.kept = kept
            run_task(
                self, kept.version(self._commands.filing.game_bytes(left.found)), log.debug, self._report, writes=True
            )

    def _returned(self, left: ReplacedGame) -> None:
        """Delete the file of a game that is open again, once it is among the open ones."""
        if left.kept is not None:
            self._returned_files.append(left.kept)
            left.kept = None
        self._changed()

    def _dropped(self, left: ReplacedGame) -> None:
        if left.kept is not None:
            left.kept.remove()
            left.kept = None

    def end(self) -> None:
        """Handle the window's close: unsaved games stay in their files for the next start."""
        self._commands.context.events.closing.disconnect(self.end)
        self._later.timeout.disconnect(self._keep)
        self._games.left.disconnect(self._left)
        self._games.returned.disconnect(self._returned)
        self._games.dropped.disconnect(self._dropped)
        if not (self._games.unsaved or self._commands.open_trees.unsaved):
            self._drop_own()
        elif write := self._version():
            try:
                write()
            except OSError as error:
                log.warning("the open game is not kept: %s", error)
            else:
                for kept in self._returned_files:
                    kept.remove()
        for held in (self._own, *(left.kept for left in self._games.games)):
            if held is not None:
                held.leave()
        self._own = None

    # recovery at the start

    def look(self) -> None:
        """Restore games of earlier runs, once the window has an open game."""
        if self._state.position is None:
            self._state.position_changed.connect(self._look_once)
        else:
            run_task(self, partial(_read_all, self._folder), self._take, self._commands.context.messages.show_error)

    def _look_once(self) -> None:
        self._state.position_changed.disconnect(self._look_once)
        self.look()

    def _take(self, read: tuple[list[ReplacedGame], list[TextSource]]) -> None:
        games, complaints = read
        for sentence in complaints:
            self._commands.context.messages.show_error(sentence)
        self._games.add(games)


def sweep(folder: Path) -> None:
    """Remove unfinished files of killed processes and locks without a game."""
    for path in [*folder.glob(f".*{SESSION}.*.tmp"), *folder.glob("*.lock")]:
        whole = path.name[1 : path.name.rindex(SESSION)] if path.suffix == ".tmp" else path.stem
        kept = Kept(folder / f"{whole}{SESSION}")
        if path.suffix == ".lock" and kept.path.exists():
            continue
        if kept.take():  # no running window holds it
            try:
                if path.suffix == ".tmp":
                    path.unlink(missing_ok=True)
            except OSError as error:
                log.warning("%s", error)
            kept.leave()


def _read_all(folder: Path) -> tuple[list[ReplacedGame], list[TextSource]]:
    """Read the games of earlier runs; returns them and an error sentence for each unreadable one."""
    games: list[ReplacedGame] = []
    complaints: list[TextSource] = []
    sweep(folder)
    for kept in left_behind(folder):
        try:
            found = read_session(kept.path)
            for other in found.others:
                other.unsaved = True
            games.append(ReplacedGame(found, kept))
        except (ValueError, OSError) as error:
            complaints.append(partial(_unreadable, text_of(error), _set_aside(kept)))
    return games, complaints


def _unreadable(sentence: str, aside: Path) -> str:
    """Return what is said of an unreadable file."""
    words = tr("A recovered game cannot be read: {sentence} The file is kept as {aside}.")
    return words.format(sentence=stopped(core_text(sentence)), aside=aside)


def _set_aside(kept: Kept) -> Path:
    """Rename an unreadable file, so that the user can still inspect it."""
    aside = kept.path.with_suffix(_DAMAGED)
    try:
        kept.path.replace(aside)
    except OSError as error:
        log.warning("%s", error)
        aside = kept.path
    kept.leave()
    return aside
