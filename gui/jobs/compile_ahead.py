"""Compiles what other games' searches run while the window is open, so that choosing another game never waits.

A worker of ``models.kernels`` does it, a process of low priority that ends with the window.  Knows no game.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer

from gui.jobs.task import run_task

LOOK_MS = 2500  # between two looks whether the search rests: what is shown comes first
END_MS = 1000
log = logging.getLogger(__name__)


def missing_parts() -> list[str]:
    """The parts still to be compiled, by name; none where all were compiled or came with the program."""
    from core._kernel_files import are_whole
    from models.kernels import parts

    return [] if are_whole() else list(parts())


class CompileAhead(QObject):
    """The worker, from the first time that ``rests`` says so to its end or ``parent``'s."""

    def __init__(
        self,
        parent: QObject,
        rests: Callable[[], bool],
        missing: Callable[[], list[str]] = missing_parts,
        command: Callable[[], list[str]] | None = None,
        look_ms: int = LOOK_MS,
    ) -> None:
        super().__init__(parent)
        self._rests, self._missing, self._command = rests, missing, command
        self._left = 0
        self._process = QProcess(self)
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._hear)
        self._process.errorOccurred.connect(lambda error: log.info("compiling beside the window ended: %s", error))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        if not getattr(sys, "frozen", False):  # a frozen program has no interpreter to start
            self._timer.start(look_ms)

    @property
    def working(self) -> bool:
        return self._process.state() != QProcess.ProcessState.NotRunning

    def _look(self) -> None:
        if self._rests():
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

    def _hear(self) -> None:
        self._left -= self._process.readAllStandardOutput().count(b"\n")
        if self._left <= 0:
            from core._kernel_files import mark_whole

            mark_whole()
            self._process.closeWriteChannel()  # the worker ends with its input

    def end(self) -> None:
        """End the worker now; what it has in hand is lost, what it has finished stays."""
        self._timer.stop()
        if self.working:
            self._process.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(END_MS)
