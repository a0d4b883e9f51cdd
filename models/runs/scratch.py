"""A temporary folder of a process, removed after the process even where that was killed."""

import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_NEW_S: Final = 60.0  # a folder changed less than so long ago may be one that its process has not locked yet


class ScratchFolder:
    """A new folder in the system's folder for temporary files.

    It goes with ``close`` or the end of the process.  A killed process leaves it: whoever makes the next one with the
    same ``prefix`` removes it.  A lock on the folder, which the system takes off with the process, says which are in
    use; Windows has no such lock, and left folders stay there.
    """

    def __init__(self, prefix: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=prefix)
        self.path = Path(self._folder.name)
        self._lock = _lock(self.path)
        for other in self.path.parent.glob(f"{prefix}*"):
            if other != self.path and (lock := _lock(other)) is not None:
                if time.time() - os.fstat(lock).st_mtime > _NEW_S:
                    shutil.rmtree(other, ignore_errors=True)
                os.close(lock)

    def close(self) -> None:
        """Remove it; later calls do nothing."""
        self._folder.cleanup()
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the lock of ``folder``; None where it is in use or cannot be locked."""
    if sys.platform == "win32":
        return None
    import fcntl

    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(descriptor).st_uid == os.getuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return descriptor
        except OSError:
            pass
        os.close(descriptor)
    return None
