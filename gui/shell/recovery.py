"""Crash recovery: keeps the open and the closed unsaved documents in files, and restores them at the next start.

The open documents of a window are one file, and so are those that were closed together.  Each has a lock that ends with
its process, so that two windows never mix their games; unlocked files were left by a closed window or a crash.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLockFile, QObject

from core.text import Text, text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import stopped, tr
from gui.model.timers import make_timer
from gui.shell.document_files import SESSION, Bundle, read_session
from gui.widgets.saving import data_folder
from gui.widgets.texts import TextSource

if TYPE_CHECKING:
    from gui.shell.commands import Commands

KEEP_MS: Final = 2500  # delay after the first change
_DAMAGED: Final = ".damaged"
_MAKING_S: Final = 10.0  # a lock without a process id may be in creation for this long
log = logging.getLogger(__name__)


def recovery_home() -> Path:
    """Return the folder for kept games."""
    return data_folder("recovery")


class KeptFile:
    """A file of documents and its lock, which ends with its process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = QLockFile(str(path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)  # never stale by age: it ends with its process
        self._writing = threading.Lock()
        self._newest = 0  # version number of the file's content
        self._versions = 0
        self._removed = False

    def take(self) -> bool:
        """Lock it; False when a running window holds it."""
        if self._lock.tryLock(0):
            return True
        # The lock is removed only if the system finds no process that has the file open as its lock.
        return self._names_nobody() and self._lock.removeStaleLockFile() and self._lock.tryLock(0)

    def _names_nobody(self) -> bool:
        """Whether a lock file names no process and is not new: Qt creates the file first and then writes into it."""
        pid, _, _ = self._lock.getLockInfo()
        if pid > 0:
            return False
        try:
            return abs(time.time() - Path(self._lock.fileName()).stat().st_mtime) > _MAKING_S
        except OSError:
            return False

    def leave(self) -> None:
        """Unlock it, so that the next start finds it."""
        self._lock.unlock()

    def version(self, session: Callable[[], bytes]) -> Callable[[], None]:
        """Return a function that writes a session's bytes, in any thread; an older version never replaces a newer one.

        The function raises OSError.
        """
        self._versions += 1
        return partial(self._write, self._versions, session)

    def _write(self, number: int, session: Callable[[], bytes]) -> None:
        from core.files.atomic import write_atomically

        with self._writing:
            if number > self._newest and not self._removed:
                write_atomically(self.path, session())
                self._newest = number

    def remove(self) -> None:
        """Delete the file for good."""
        with self._writing:
            self._removed = True
            try:
                self.path.unlink(missing_ok=True)
            except OSError as error:
                log.warning("%s", error)
        self._lock.unlock()


class Recovery(QObject):
    """Keeps one window's documents and restores those of earlier runs."""

    def __init__(self, commands: Commands, folder: Path, keep_ms: int = KEEP_MS) -> None:
        super().__init__(commands.window)
        self._documents, self._folder = commands.documents, folder
        self._state, self._messages = commands.context.state, commands.context.messages
        self._closing = commands.context.events.closing
        self._open: KeptFile | None = None  # of the open documents
        self._closed: dict[Bundle, KeptFile] = {}
        self._gone: list[KeptFile] = []  # of what is open again or dropped
        self._reported = False  # whether the user was told that games cannot be kept
        self._writing = self._reading = False
        self._given_up = False  # the files are the next start's
        self._later = make_timer(self, keep_ms, self._keep, once=True)
        self._changes = (
            self._state.position_changed,
            self._state.record_changed,
            self._state.comment_changed,
            self._state.search_changed,
            self._documents.changed,
        )
        for change in self._changes:
            change.connect(self._changed)
        self._closing.connect(self.end)

    @property
    def is_done(self) -> bool:
        """Whether all is kept as it is now, and what earlier runs left is read."""
        return not (self._writing or self._reading or self._later.isActive())

    # keeping

    def _changed(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def _keep(self) -> None:
        """Write the documents in the background, whether or not another file has them."""
        if self._writing:
            self._later.start()
            return
        writes, gone = self._plan(keep_open=not self._documents.is_empty)
        if writes or gone:
            self._writing = True
            run_task(self, partial(_write_all, writes, gone), self._written, self._not_written, writes=True)

    def _written(self, removed: Sequence[KeptFile]) -> None:
        self._writing = False
        self._gone = [file for file in self._gone if file not in removed]

    def _not_written(self, sentence: str) -> None:
        self._writing = False
        self._report(sentence)

    def _plan(self, keep_open: bool) -> tuple[list[Callable[[], None]], list[KeptFile]]:
        """Return what is to be written, in this order, and the files to be removed after it.

        What was closed is written first: the file of the open documents may still be the one that has it.
        """
        closed, writes = [bundle for bundle in self._documents.closed if bundle.unsaved], []
        self._gone += [self._closed.pop(bundle) for bundle in [*self._closed] if bundle not in closed]
        for bundle in closed:
            file = self._closed.get(bundle) or self._new()
            if file is not None and not file.path.exists():
                self._closed[bundle] = file
                writes.append(file.version(self._documents.session_bytes(bundle)))
        if keep_open:
            self._open = self._open or self._new()
            if self._open is not None:
                writes.append(self._open.version(self._documents.session_bytes(self._documents.opened)))
        elif self._open is not None:
            self._gone.append(self._open)
            self._open = None
        return writes, [*self._gone]

    def _new(self) -> KeptFile | None:
        file = KeptFile(self._folder / f"{uuid.uuid4().hex}{SESSION}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._report(text_of(error))
            return None
        return file if file.take() else None

    def _report(self, sentence: str) -> None:
        log.warning("the open game is not kept: %s", sentence)
        if not self._reported:
            self._reported = True
            self._messages.show_error(
                Text("The open game is not kept for the next start: {sentence}", sentence=sentence)
            )

    def end(self) -> None:
        """Handle the window's close: unsaved documents stay in their files for the next start."""
        try:
            _write_all(*self._plan(keep_open=self._documents.unsaved))
        except OSError as error:
            log.warning("the open game is not kept: %s", error)
        self.leave()

    def leave(self) -> None:
        """Keep nothing from now on, and leave the files to the next start."""
        self._closing.disconnect(self.end)
        for change in self._changes:
            change.disconnect(self._changed)
        self._later.stop()
        self._given_up = True
        for file in (*self._closed.values(), *self._gone, *([] if self._open is None else [self._open])):
            file.leave()

    # recovery at the start

    def look(self) -> None:
        """Restore documents of earlier runs, once the window has an open game."""
        if self._state.position is None:
            self._state.position_changed.connect(self._look_once)
        else:
            self._reading = True
            run_task(self, partial(_read_all, self._folder), self._take, self._not_read)

    def _look_once(self) -> None:
        self._state.position_changed.disconnect(self._look_once)
        self.look()

    def _take(self, read: tuple[dict[Bundle, KeptFile], list[TextSource]]) -> None:
        self._reading = False
        bundles, complaints = read
        if self._given_up:  # closed in the meantime
            for file in bundles.values():
                file.leave()
            return
        for sentence in complaints:
            self._messages.show_error(sentence)
        self._closed |= bundles
        self._documents.add_closed([*bundles])

    def _not_read(self, sentence: str) -> None:
        self._reading = False
        self._messages.show_error(sentence)


def _write_all(writes: Sequence[Callable[[], None]], gone: Sequence[KeptFile]) -> Sequence[KeptFile]:
    """Write files, then remove those that are needed no more and return them.  Raises an OSError if a write did."""
    failed: OSError | None = None
    for write in writes:
        try:
            write()
        except OSError as error:
            failed = error
    if failed is not None:
        raise failed
    for file in gone:
        file.remove()
    return gone


def left_behind(folder: Path) -> list[KeptFile]:
    """Lock and return the files that no running window holds, newest last."""
    try:
        paths = sorted(folder.glob(f"*{SESSION}"), key=lambda path: path.stat().st_mtime)
    except OSError:
        return []
    return [file for file in map(KeptFile, paths) if file.take()]


def sweep(folder: Path) -> None:
    """Remove unfinished files of killed processes and locks without a game."""
    for path in [*folder.glob(f".*{SESSION}.*.tmp"), *folder.glob("*.lock")]:
        whole = path.name[1 : path.name.rindex(SESSION)] if path.suffix == ".tmp" else path.stem
        file = KeptFile(folder / f"{whole}{SESSION}")
        if path.suffix == ".lock" and file.path.exists():
            continue
        if file.take():  # no running window holds it
            try:
                if path.suffix == ".tmp":
                    path.unlink(missing_ok=True)
            except OSError as error:
                log.warning("%s", error)
            file.leave()


def _read_all(folder: Path) -> tuple[dict[Bundle, KeptFile], list[TextSource]]:
    """Read the documents of earlier runs; returns them with their files, and an error sentence for unreadable ones."""
    bundles: dict[Bundle, KeptFile] = {}
    complaints: list[TextSource] = []
    sweep(folder)
    for file in left_behind(folder):
        try:
            bundle = read_session(file.path)
            for document in bundle.documents:
                document.mark_unsaved()
            bundles[bundle] = file
        except (ValueError, OSError) as error:
            complaints.append(partial(_unreadable, text_of(error), _set_aside(file)))
    return bundles, complaints


def _unreadable(sentence: str, aside: Path) -> str:
    """Return what is said of an unreadable file."""
    words = tr("A recovered game cannot be read: {sentence} The file is kept as {aside}.")
    return words.format(sentence=stopped(core_text(sentence)), aside=aside)


def _set_aside(file: KeptFile) -> Path:
    """Rename an unreadable file, so that the user can still inspect it."""
    aside = file.path.with_suffix(_DAMAGED)
    try:
        file.path.replace(aside)
    except OSError as error:
        log.warning("%s", error)
        aside = file.path
    file.leave()
    return aside
