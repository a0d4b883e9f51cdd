"""Probes for measurements of the window: how long its thread was busy, when a widget painted."""

from __future__ import annotations

import ctypes
import math
import statistics
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from gui.widgets.tree_canvas import TreeCanvas

LOOK_MS = 1  # between two checks of a condition


def pump(seconds: float) -> None:
    """Run the event loop for this long."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


def wait_until(condition: Callable[[], bool], seconds: float = 120.0) -> float:
    """Run the event loop until ``condition``; return the seconds it took.  ``TimeoutError`` after ``seconds``."""
    began = time.perf_counter()
    loop, timer = QEventLoop(), QTimer()
    timer.setInterval(LOOK_MS)

    def look() -> None:
        if condition() or time.perf_counter() - began > seconds:
            loop.quit()

    timer.timeout.connect(look)
    if not condition():
        timer.start()
        loop.exec()
        timer.stop()
    if not condition():
        raise TimeoutError(f"nothing came of it within {seconds:g} s")
    return time.perf_counter() - began


class Busy(QObject):
    """Measures how long blocks of work held the GUI thread, by the delay of a fast timer.

    The dispatcher's signals are not usable: GLib's does not emit them between waits.
    """

    BEAT_MS = 2

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[float] = []  # seconds between ticks minus the interval
        self.worked: list[float] = []  # processor time of these
        self._at, self._had = time.perf_counter(), time.thread_time()
        self._clock = QTimer(self)
        self._clock.setTimerType(Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._beat)
        self._clock.start(self.BEAT_MS)

    def _beat(self) -> None:
        at, had = time.perf_counter(), time.thread_time()
        self.spans.append(max(0.0, at - self._at - self.BEAT_MS / 1000))
        self.worked.append(had - self._had)
        self._at, self._had = at, had

    def stop(self) -> None:
        """Stop measuring."""
        self._clock.stop()
        self._beat()


class Paints(QObject):
    """Records when a widget began to paint."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times: list[float] = []
        self.on_paint: Callable[[], None] = lambda: None
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.times.append(time.perf_counter())
            QTimer.singleShot(0, self, self.on_paint)  # after the paint
        return False


class Frames(Paints):
    """Records how long after a frame of a moving picture the next one came."""

    def __init__(self, canvas: TreeCanvas) -> None:
        super().__init__(canvas)
        self.gaps: list[float] = []  # seconds
        self._canvas = canvas
        self._last: float | None = None  # the last frame, if another one was due

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            now = time.perf_counter()
            if self._last is not None:
                self.gaps.append(now - self._last)
            self._last = now if self._canvas.moving else None
        return super().eventFilter(watched, event)


def processor_time(thread: threading.Thread) -> float:
    """Return a thread's processor time in seconds; NaN if the system does not report it."""
    if sys.platform == "win32" or sys.platform == "darwin" or thread.ident is None:
        return float("nan")
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


def memory() -> float:
    """Return the resident memory of the process, MiB."""
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[1]) * 4096 / 2**20
    if sys.platform == "win32":
        return float("nan")
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS; the peak value


def release_memory() -> None:
    """Let malloc return its free blocks to the system, so that they do not count as memory; glibc only."""
    if sys.platform == "linux":
        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def quantile(values: list[float], share: float) -> float:
    """Return the value that ``share`` of the values do not exceed; NaN without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def median_interval(values: list[float]) -> tuple[float, float, float]:
    """Return the median of independent values and its interval of at least 95 %, which asks nothing of how they are
    distributed: between two of the values in order, by how many of them may lie below the median (the sign test).
    With fewer than six values the interval is that of all of them, and is worth less."""
    ordered, count = sorted(values), len(values)
    below, cut = 1 / 2**count, 0
    while cut + 1 < count / 2 and below + math.comb(count, cut + 1) / 2**count <= 0.025:
        cut += 1
        below += math.comb(count, cut) / 2**count
    return statistics.median(ordered), ordered[cut], ordered[count - 1 - cut]
