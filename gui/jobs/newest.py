"""Asks one question at a time in a thread; a newer question replaces an older one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal, SignalInstance
from shiboken6 import isValid

from core.text import text_of
from gui.jobs.task import run_task

Stale = Callable[[], bool]
Report = Callable[[object], None]
Question = Callable[[Stale, Report], Any]


class Newest(QObject):
    """Runs questions in a thread; answers arrive in the GUI thread, and only those to the newest question.

    A question is a function called with ``stale``, which says whether its answer is still wanted, and with ``report``,
    which passes a value on to ``progressed`` while it works, or an exception to ``failed``."""

    answered = Signal(object)
    failed = Signal(object)
    progressed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0  # of the newest question
        self._waiting: Question | None = None
        self.working = False  # a thread is at work, perhaps at a question that was dropped

    def put(self, question: Question) -> None:
        """Ask this as soon as the thread is free; drop every earlier question."""
        self.forget()
        self._waiting = question
        self._next()

    def forget(self) -> None:
        """Cancel every question."""
        self._number += 1
        self._waiting = None

    def _next(self) -> None:
        if self.working or self._waiting is None:
            return
        question, self._waiting = self._waiting, None
        stale = partial(self._is_stale, self._number)
        self.working = True
        run_task(
            self,
            lambda report: question(stale, report),
            partial(self._end, stale, self.answered),
            partial(self._end, stale, self.failed),
            partial(self._pass_on, stale),
        )

    def _is_stale(self, number: int) -> bool:
        return number != self._number or not isValid(self)

    def _pass_on(self, stale: Stale, value: object) -> None:
        if stale():
            return
        if isinstance(value, Exception):
            self.failed.emit(text_of(value))
        else:
            self.progressed.emit(value)

    def _end(self, stale: Stale, signal: SignalInstance, answer: object) -> None:
        self.working = False
        if not stale():
            signal.emit(answer)
        self._next()
