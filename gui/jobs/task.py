"""Runs one function in a background thread and delivers its result in the GUI thread."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from shiboken6 import isValid

from core.text import Text, text_of
from gui.widgets.saving import write_file

TASK, WRITING = "task", "writing"  # thread names
LONGEST_S = 60.0  # limit of the wait for unfinished files when the program ends
log = logging.getLogger(__name__)


class Task(QObject):
    """One function run in a background thread; its result or error sentence is delivered in the GUI thread.

    It has no parent and lives until its thread has ended: if the window deleted it while the thread emits a signal
    through it, the program would crash.
    """

    _progressed = Signal(object)
    _ended = Signal(object, object)  # the result, and None or the error sentence

    def __init__(
        self,
        parent: QObject,
        function: Callable[..., Any],
        done: Callable[[Any], object],
        failed: Callable[[str], object],
        progress: Callable[[Any], None] | None,
        writes: bool,
    ) -> None:
        super().__init__()
        self._parent, self._done, self._failed, self._progress = parent, done, failed, progress
        self._function = function if progress is None else partial(function, partial(self._emit, self._progressed))
        self._thread = threading.Thread(target=self._run, name=WRITING if writes else TASK, daemon=True)
        self._progressed.connect(self._pass_on)
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
        except Exception as error:  # top level of the thread
            log.exception("a task failed")
            sentence = f"{type(error).__name__}: {error}"
        self._emit(self._ended, result, sentence)

    def _emit(self, signal: SignalInstance, *values: Any) -> None:
        """Emit a signal, unless the program ends and Qt has deleted its objects."""
        with suppress(RuntimeError):
            signal.emit(*values)

    # in the GUI thread

    def _pass_on(self, value: Any) -> None:
        if self._progress is not None and isValid(self._parent):
            self._progress(value)

    def _end(self, result: Any, sentence: str | None) -> None:
        self._thread.join()
        QTimer.singleShot(0, partial(_alive.discard, self))  # not during one of its own calls
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
    done: Callable[[Any], object],
    failed: Callable[[str], object],
    progress: Callable[[Any], None] | None = None,
    writes: bool = False,
) -> Task:
    """Run ``function`` in a thread, then call ``done(result)`` or ``failed(English)`` here, unless ``parent`` is gone.

    With ``progress``, the function gets a callback that passes values to ``progress(value)`` here while it works.
    At exit the program waits for tasks with ``writes``.
    """
    task = Task(parent, function, done, failed, progress, writes)
    task.start()
    return task


def save_file(
    parent: QObject,
    path: Path,
    data: Callable[[], bytes],
    notified: Callable[[Text], object],
    failed: Callable[[str], object],
) -> None:
    """Write what ``data``, called in a thread, returns to a file; then say here that it is saved, or why it is not."""
    run_task(
        parent,
        lambda: write_file(path, data()),
        lambda _: notified(Text("{name} is saved.", name=path.name)),
        failed,
        writes=True,
    )


def finish_writing(longest_s: float = LONGEST_S) -> None:
    """Wait until unfinished files are written, at most ``longest_s``: a disconnected drive may hang."""
    until = time.monotonic() + longest_s
    for thread in threading.enumerate():
        if thread.name == WRITING:
            thread.join(max(0.0, until - time.monotonic()))
