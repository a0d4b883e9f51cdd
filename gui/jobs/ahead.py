"""What is done ahead while the search is idle: kernels of other games are compiled, the rooms' modules are imported.

So another game needs no wait, and a room opens at once.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment

from gui.jobs.task import run_task
from gui.model.garbage import freeze_loaded
from gui.model.timers import make_timer

LOOK_MS = 2500  # interval between two checks whether the search is idle: shown results come first
PAUSE_MS = 100  # between two imports, for the input that came meanwhile
END_MS = 1000
log = logging.getLogger(__name__)


def missing_parts() -> list[str]:
    """Return the names of the parts still to compile; none when all were compiled or came with the program."""
    from core._kernel_files import are_whole
    from models.kernels import parts

    return [] if are_whole() else list(parts())


class CompileAhead(QObject):
    """Compiles in a worker of ``models.kernels``, a process of low priority.

    It works from the first time that ``is_idle`` returns True until it or ``parent`` ends.
    """

    def __init__(
        self,
        parent: QObject,
        is_idle: Callable[[], bool],
        missing: Callable[[], list[str]] = missing_parts,
        command: Callable[[], list[str]] | None = None,
        look_ms: int = LOOK_MS,
    ) -> None:
        super().__init__(parent)
        self._is_idle, self._missing, self._command = is_idle, missing, command
        self._left = 0
        self._process = QProcess(self)
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read_progress)
        self._process.errorOccurred.connect(lambda error: log.info("compiling beside the window ended: %s", error))
        self._timer = make_timer(self, look_ms, self._look)
        if not getattr(sys, "frozen", False):  # a frozen program has no interpreter to start
            self._timer.start()

    @property
    def working(self) -> bool:
        return self._process.state() != QProcess.ProcessState.NotRunning

    def _look(self) -> None:
        if self._is_idle():
            self._timer.stop()
            run_task(self, self._missing, self._start, log.warning)

    def _start(self, missing: list[str]) -> None:
        if not missing:
            return
        from models.kernels import worker_command, worker_environment

        environment = QProcessEnvironment()
        for name, value in worker_environment().items():
            environment.insert(name, value)
        self._process.setProcessEnvironment(environment)
        program, *arguments = self._command() if self._command else [*worker_command(), "--low"]
        self._left = len(missing)
        self._process.start(program, arguments)
        self._process.write("".join(f"{name}\n" for name in missing).encode())

    def _read_progress(self) -> None:
        self._left -= self._process.readAllStandardOutput().count(b"\n")
        if self._left <= 0:
            from core._kernel_files import mark_whole

            mark_whole()
            self._process.closeWriteChannel()  # the worker ends when its input closes

    def end(self) -> None:
        """End the worker now; the part being compiled is lost, finished parts are kept."""
        self._timer.stop()
        if self.working:
            self._process.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(END_MS)


def load_when_idle(
    parent: QObject, is_idle: Callable[[], bool], modules: Sequence[str], look_ms: int = LOOK_MS
) -> None:
    """Import ``modules`` in the window's thread while ``is_idle`` returns True, one after another with pauses.

    Never in another thread: PySide makes the meta objects of new classes while the window, as it draws, reads such
    meta objects without Python's lock, and that crashed.
    """
    left = list(modules)

    def look() -> None:
        if not is_idle():
            return
        timer.setInterval(min(PAUSE_MS, look_ms))
        if left:
            importlib.import_module(left.pop(0))
        else:
            timer.stop()
            timer.deleteLater()
            freeze_loaded(again=False)
            log.debug("%s are loaded", ", ".join(modules))

    timer = make_timer(parent, look_ms, look)
    timer.start()
