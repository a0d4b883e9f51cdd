"""One function run in a thread beside the window, its answer told in the window's own.  Knows no state, no view."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from core.text import text_of
from gui.language.core_words import core_text

TASK, WRITING = "task", "writing"  # names of threads
LONGEST_S = 60.0  # files in hand are waited for when the program ends
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
        writes: bool,
    ) -> None:
        super().__init__()
        self._parent, self._done, self._failed, self._hear = parent, done, failed, told
        self._function = function if told is None else partial(function, self._told.emit)
        self._thread = threading.Thread(target=self._run, name=WRITING if writes else TASK, daemon=True)
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
            sentence = text_of(error)
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
            self._failed(core_text(sentence))


_alive: set[Task] = set()


def run_task(
    parent: QObject,
    function: Callable[..., Any],
    done: Callable[[Any], None],
    failed: Callable[[str], None],
    told: Callable[[Any], None] | None = None,
    writes: bool = False,
) -> Task:
    """Run ``function`` in a thread; then ``done(result)`` or ``failed(sentence)`` here, unless ``parent`` has gone.

    With ``told`` the function is called with what passes a value on to ``told(value)`` here, while it works.  What
    ``writes`` a file is waited for when the program ends."""
    task = Task(parent, function, done, failed, told, writes)
    task.start()
    return task


def finish_writing(longest_s: float = LONGEST_S) -> None:
    """Wait until the files in hand are written, or for ``longest_s``: a drive that is gone may hang."""
    until = time.monotonic() + longest_s
    for thread in threading.enumerate():
        if thread.name == WRITING:
            thread.join(max(0.0, until - time.monotonic()))


def leave(code: int) -> int:
    """The exit code, where no thread is at work any more; else the process ends here.

    Python cannot end a thread in the compiler, and LLVM aborts when the process is taken down around it."""
    if threading.active_count() > 1:
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # there is none without a console on Windows
                stream.flush()
        os._exit(code)
    return code
