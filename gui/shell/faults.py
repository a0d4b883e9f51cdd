"""Logs uncaught exceptions and reports each kind once in the banner.

They come from slots, from overrides of Qt methods (``gui.guard``), from threads and from ``__del__``.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from core.text import Text

LOGGED_AGAIN: Final = (10, 100, 1000, 10000)  # counts to log: an error may repeat with every frame
log = logging.getLogger(__name__)


class Faults(QObject):
    """Handles uncaught exceptions until it is closed; ``show_error`` is called in the GUI thread."""

    _new = Signal(str)  # an error sentence for the user

    def __init__(self, parent: QObject, show_error: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._counts: Counter[str] = Counter()
        self._show_error = show_error
        # Queued: the exception may come from painting or from another thread.
        self._new.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._before = sys.excepthook, sys.unraisablehook, threading.excepthook
        sys.excepthook, sys.unraisablehook, threading.excepthook = self._uncaught, self._unraisable, self._in_thread

    def close(self) -> None:
        """Restore the previous exception hooks."""
        sys.excepthook, sys.unraisablehook, threading.excepthook = self._before

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception) or self._is_new(kind, error, trace, "an uncaught exception"):  # Ctrl+C
            self._before[0](kind, error, trace)

    def _unraisable(self, fault: Any) -> None:
        if self._is_new(fault.exc_type, fault.exc_value, fault.exc_traceback, fault.err_msg or "an exception ignored"):
            self._before[1](fault)

    def _in_thread(self, fault: Any) -> None:
        where = f"an uncaught exception in the thread {fault.thread.name if fault.thread else '?'}"
        if self._is_new(fault.exc_type, fault.exc_value, fault.exc_traceback, where):
            self._before[2](fault)

    def _is_new(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None, what: str
    ) -> bool:
        """Log it; returns True for the first of its kind at its place."""
        last = traceback.extract_tb(trace)[-1:]
        place = f"{Path(last[0].filename).name}:{last[0].lineno}" if last else "?"
        fault = f"{kind.__name__} in {place}"
        self._counts[fault] += 1
        count = self._counts[fault]
        if count == 1:
            log.error("%s", what, exc_info=(kind, error or kind(), trace))
            if isValid(self):
                self._new.emit(fault)
        elif count in LOGGED_AGAIN:
            log.error("%s has come %d times", fault, count)
        return count == 1

    def _show(self, fault: str) -> None:
        self._show_error(
            Text("A fault in Plyscope: {fault}. The log has the details; what is shown may be incomplete.", fault=fault)
        )
