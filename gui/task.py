"""One function run in a thread beside the window, its answer told in the window's own.  Knows no state, no view."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

THREADS = ("task", "analysis")  # by name: those of this module and of core.engine
LONGEST_S = 120.0  # a thread is waited for when the program ends; compiling from nothing takes about as long
log = logging.getLogger(__name__)


class Task(QObject):
    """One function run beside the window; its result or its sentence comes back in the window's thread."""

    done = Signal(object)
    failed = Signal(str)

    def __init__(self, function: Callable[[], Any], parent: QObject) -> None:
        super().__init__(parent)
        self._function = function
        self._thread = threading.Thread(target=self._run, name=THREADS[0], daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        try:
            result = self._function()
        except (ValueError, OSError) as error:
            self._tell(self.failed, str(error))
        except Exception as error:  # the thread's top
            log.exception("a task failed")
            self._tell(self.failed, f"{type(error).__name__}: {error}")
        else:
            self._tell(self.done, result)

    def leave(self, *_: object) -> None:
        """Go once the thread has come out of its last signal: until then it stands on this object."""
        self._thread.join()
        self.deleteLater()

    def _tell(self, signal: Any, value: Any) -> None:
        try:
            signal.emit(value)
        except RuntimeError:  # the window has gone meanwhile
            log.debug("a result came after its window had closed")


def run_task(
    parent: QObject, function: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[str], None]
) -> Task:
    """Run ``function`` in a thread; then ``done(result)`` or ``failed(sentence)`` here, unless ``parent`` has gone."""
    task = Task(function, parent)
    task.done.connect(done)
    task.failed.connect(failed)
    task.done.connect(task.leave)
    task.failed.connect(task.leave)
    task.start()
    return task


def wait_for_threads(longest_s: float = LONGEST_S) -> None:
    """Let what was told to end do so, once the last window is closed.

    A file in hand is then written, and a kernel in hand compiled for the next start: cut off inside the compiler the
    process would end with an error.  What hangs, as a drive that is gone may, is left to end with the process."""
    until = time.monotonic() + longest_s
    for thread in threading.enumerate():
        if thread.name in THREADS:
            thread.join(max(0.0, until - time.monotonic()))
