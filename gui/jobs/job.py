"""Work that a person starts and may stop, in a thread beside the window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from gui.jobs.newest import Newest, Question


class Job(QObject):
    """One piece of work at a time: started, stopped, ended or failed.

    A stopped job has ended at once, and what its thread still reports is dropped; with ``waits`` it goes on until its
    thread has come to an end, and what is reported meanwhile counts.  A subclass takes reports and the end by
    overriding ``take``, ``finish`` and ``give_up``.
    """

    changed = Signal()  # it began, is being stopped, has ended, or knows more
    progressed = Signal(object)  # what it reports
    failed = Signal(object)  # a sentence
    waits = False

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running = self.stopping = False
        self._stop = threading.Event()
        self._done: Callable[[Any], object] | None = None
        self._newest = Newest(self)
        self._newest.progressed.connect(self._report)
        self._newest.answered.connect(self._finish)
        self._newest.failed.connect(self._fail)

    def run(self, work: Question, done: Callable[[Any], object] | None = None) -> None:
        """Start ``work(stopped, report)`` in the thread, then call ``done`` with its result here."""
        stop = self._stop = threading.Event()
        self._done, self.running, self.stopping = done, True, False
        self._newest.put(lambda stale, report: work(lambda: stop.is_set() or stale(), report))
        self.changed.emit()

    def stop(self) -> None:
        """Stop it; what it has found so far stays."""
        if not self.running:
            return
        self._stop.set()
        if self.waits:
            self.stopping = True
        else:
            self._newest.forget()
            self.running = False
        self.changed.emit()

    # for subclasses

    def take(self, value: Any) -> None:
        """Take what the work reports."""

    def finish(self, result: Any) -> None:
        """Take the result of work that has ended."""

    def give_up(self, sentence: str) -> None:
        """Take note of why the work failed."""

    # in the GUI thread

    def _report(self, value: Any) -> None:
        self.take(value)
        self.progressed.emit(value)

    def _finish(self, result: Any) -> None:
        self.running = self.stopping = False
        self.finish(result)
        if self._done is not None:
            self._done(result)
        self.changed.emit()

    def _fail(self, sentence: str) -> None:
        self.running = self.stopping = False
        self.give_up(sentence)
        self.changed.emit()
        self.failed.emit(sentence)
