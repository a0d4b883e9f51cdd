"""One open or unsaved game in its own file, locked by its process."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile

_MAKING_S: Final = 10.0  # a lock without a process id may be in creation for this long
log = logging.getLogger(__name__)


class Kept:
    """One saved game and its lock."""

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
