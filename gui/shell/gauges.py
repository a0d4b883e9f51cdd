"""Small gauges of the status line: the net's device, memory use, frame time; and the meter of the GPU's memory."""

from __future__ import annotations

import re
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from core.text import Words
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import begun, tr
from gui.model.timers import make_timer
from gui.widgets.labels import FigureLabel
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from models.netfiles.gpu_memory import GpuMemory, MemoryReader

GPU, CPU, FALLEN, NOTHING = "gpu", "cpu", "fallen", ""
NO_DRIVER: Final = "no NVIDIA driver"  # start of the text of missing_gpu (models.netfiles.cuda) when there is no GPU
FULL_SHARE: Final = 0.9  # share of a budget above which the gauge warns
GPU_MS: Final = 2000  # between two readings of the GPU's memory
FRAMES_S: Final = 1.0  # period over which the longest frame is shown

_MEANINGS: Final[dict[str, Words]] = {
    GPU: "The net runs on the GPU.",
    CPU: "The net runs on the processor.",
    FALLEN: "The GPU was asked for, but the net runs on the processor.",
    NOTHING: "No net is used.",
}


def provider_kind(evaluator: str, note: str) -> str:
    """Return the device kind from an evaluator's description; ``note``: why it does not use a faster one."""
    devices = re.findall(r" on (CUDA|GPU|CPU)\b", evaluator)
    if not devices:
        return NOTHING
    if devices[-1] != "CPU":
        return GPU
    return FALLEN if note and not note.startswith(NO_DRIVER) else CPU


class ProviderLight(QWidget):
    """A disc for the GPU, a ring for the processor, an amber triangle with text for a fallback to the processor."""

    WORDS: Words = "not on the GPU"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind, self.meaning = NOTHING, _MEANINGS[NOTHING]
        self._memory = ""  # of the GPU, in words
        set_texts(self, accessibleName="Provider")

    def set_evaluator(self, evaluator: str, note: str) -> None:
        """Set the evaluator's description and note."""
        kind, why = provider_kind(evaluator, note), f" {begun(core_text(note))}." if note else ""
        runtime = re.search(r", ([^,]+) on (CPU|GPU)$", evaluator)
        by = " " + tr("{runtime} evaluates it.").format(runtime=runtime[1]) if runtime else ""
        meaning = f"{tr(_MEANINGS[kind])}{by}{why}"
        if (kind, meaning) == (self.kind, self.meaning):
            return
        self.kind, self.meaning = kind, meaning
        self._describe()
        self.setVisible(self.kind != NOTHING)
        self.updateGeometry()
        self.update()

    def set_memory(self, memory: str) -> None:
        """Set what is said of the GPU's memory; "" for nothing."""
        if memory != self._memory:
            self._memory = memory
            self._describe()

    def _describe(self) -> None:
        words = f"{self.meaning}\n{self._memory}".strip()
        set_tip(self, words)
        self.setAccessibleDescription(words)

    def sizeHint(self) -> QSize:
        side = self.fontMetrics().height()
        words = self.fontMetrics().horizontalAdvance(tr(self.WORDS)) + px(6) if self.kind == FALLEN else 0
        return QSize(side + words, side)

    minimumSizeHint = sizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self.fontMetrics().height()
        center, radius = QPointF(side / 2, self.height() / 2), 0.28 * side
        if self.kind == GPU:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme().color("good"))
            painter.drawEllipse(center, radius, radius)
        elif self.kind == CPU:
            painter.setPen(current_theme().color("dim"))
            painter.drawEllipse(center, radius, radius)
        elif self.kind == FALLEN:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme().color("warn"))
            x, y, r = center.x(), center.y(), 1.3 * radius
            painter.drawPolygon(
                QPolygonF([QPointF(x, y - r), QPointF(x + r, y + 0.8 * r), QPointF(x - r, y + 0.8 * r)])
            )
            painter.setPen(current_theme().color("warn"))
            words = QRectF(side + px(4), 0, self.width(), self.height())
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, tr(self.WORDS))


class GaugeLabel(FigureLabel):
    """A number with a thin bar below it that shows its share of a budget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share = 0.0

    def set_share(self, share: float) -> None:
        if share != self.share:
            self.share = max(0.0, min(1.0, share))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.text():
            return
        painter = QPainter(self)
        thickness = max(2, px(2))
        bar = QRectF(0, self.height() - thickness, self.width(), thickness)
        painter.fillRect(bar, current_theme().color("line"))
        bar.setWidth(max(1.0, self.share * bar.width()))
        painter.fillRect(bar, current_theme().color("warn" if self.share > FULL_SHARE else "accent"))


class FrameMeter(QObject):
    """Measures the time of each drawing of a window and keeps the longest of the last second."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._frames: deque[tuple[float, float]] = deque()  # (end, duration in s)
        self._began = 0.0
        window.installEventFilter(self)

    def add(self, ended_s: float, took_s: float) -> None:
        self._frames.append((ended_s, took_s))
        while self._frames and self._frames[0][0] < ended_s - FRAMES_S:
            self._frames.popleft()

    @property
    def longest_ms(self) -> float | None:
        """The longest recent frame in ms; None before anything was drawn."""
        return max((1000.0 * took for _, took in self._frames), default=None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            # Qt draws without Python's lock, which the search's thread may take; this event is handled right after the
            # drawing.
            self._began = perf_counter()
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), Qt.EventPriority.HighEventPriority.value)
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.User:
            return super().event(event)
        ended = perf_counter()
        self.add(ended, ended - self._began)
        return True


class GpuMeter(QObject):
    """Reads the memory in use on the GPU in a thread; ``measured`` emits a GpuMemory, or None where it is not read."""

    measured = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader: MemoryReader | None = None  # made by the first task
        self._working = self._watching = False
        self._reads = make_timer(self, GPU_MS, self._read)

    def watch(self, on: bool) -> None:
        """Read while ``on``."""
        if on == self._watching:
            return
        self._watching = on
        if on:
            self._reads.start()
            self._read()
        else:
            self._reads.stop()
            self.measured.emit(None)

    def _read(self) -> None:
        if not self._working:
            self._working = True
            run_task(self, self._work, self._take, lambda _: self._take(None))

    def _work(self) -> GpuMemory | None:
        from models.netfiles.gpu_memory import MemoryReader

        self._reader = self._reader or MemoryReader()
        return self._reader.read()

    def _take(self, memory: GpuMemory | None) -> None:
        self._working = False
        if self._watching:
            if memory is None:
                self._reads.stop()  # no driver, or one that does not tell
            self.measured.emit(memory)
