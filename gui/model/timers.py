"""Timers that belong to an object and end with it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer


def make_timer(owner: QObject, interval_ms: int, run: object, once: bool = False) -> QTimer:
    """Make a timer, not yet started, that calls ``run``, a function or a signal, every ``interval_ms``.

    ``once``: only once after each start.
    """
    timer = QTimer(owner)
    timer.setInterval(interval_ms)
    timer.setSingleShot(once)
    timer.timeout.connect(run)
    return timer
