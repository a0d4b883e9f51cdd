"""Reads the memory in use on the GPU every few seconds, in a thread, while a net runs there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.jobs.task import run_task
from gui.model.timers import make_timer

if TYPE_CHECKING:
    from models.netfiles.gpu_memory import GpuMemory, MemoryReader

READ_MS: Final = 2000


class GpuMeter(QObject):
    """The memory of the GPU; ``measured`` emits a GpuMemory, or None where it is not read."""

    measured = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader: MemoryReader | None = None  # made by the first task
        self._working = self._watching = False
        self._reads = make_timer(self, READ_MS, self._read)

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

    def _take(self, found: GpuMemory | None) -> None:
        self._working = False
        if self._watching:
            if found is None:
                self._reads.stop()  # no driver, or one that does not tell
            self.measured.emit(found)
