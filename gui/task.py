"""One function run in a thread beside the window, its answer told in the window's own.  Knows no state, no view."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

THREADS = ("task", "analysis")  # by name: those of this module and of core.engine
LONGEST_S = 120.0  # a thread is waited for when the program ends; compiling from nothing takes about as long
log = logging.getLogger(__name__)


class Task(QObject):
    """One function run beside the window; its result or its sentence comes back in the window's thread.

    It belongs to nobody and stays until its thread has ended: a thread that tells something through an object which the
    window takes with it at that moment would crash the program.
    """

    _told = Signal(object)
    _ended = Signal(object, object)  # the result, and None or what went wrong

    def __init__(
        self,
        parent: QObject,
        function: Callable[..., Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None],
        told: Callable[[Any], None] | None,
    ) -> None:
        super().__init__()
        self._parent, self._done, self._failed, self._hear = parent, done, failed, told
        self._function = function if told is None else partial(function, self._told.emit)
        self._thread = threading.Thread(target=self._run, name=THREADS[0], daemon=True)
        self._told.connect(self._pass_on)
        self._ended.connect(self._end)

    def start(self) -> None:
        _alive.add(self)
        self._thread.start()

    def _run(self) -> None:
        result, sentence = None, None
        try:
            result = self._function()
        except (ValueError, OSError) as error:
            sentence = str(error)
        except Exception as error:  # the thread's top
            log.exception("a task failed")
            sentence = f"{type(error).__name__}: {error}"
        self._ended.emit(result, sentence)

    # in the window's thread

    def _pass_on(self, value: Any) -> None:
        if self._hear is not None and isValid(self._parent):
            self._hear(value)

    def _end(self, result: Any, sentence: str | None) -> None:
        self._thread.join()
        QTimer.singleShot(0, partial(_alive.discard, self))  # not amid a call of its own
        if not isValid(self._parent):
            log.debug("a result came after its window had closed")
        elif sentence is None:
            self._done(result)
        else:
            self._failed(sentence)


_alive: set[Task] = set()


def run_task(
    parent: QObject,
    function: Callable[..., Any],
    done: Callable[[Any], None],
    failed: Callable[[str], None],
    told: Callable[[Any], None] | None = None,
) -> Task:
    """Run ``function`` in a thread; then ``done(result)`` or ``failed(sentence)`` here, unless ``parent`` has gone.

    With ``told`` the function is called with what passes a value on to ``told(value)`` here, while it works."""
    task = Task(parent, function, done, failed, told)
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
