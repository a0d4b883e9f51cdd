"""The commands for a run: start, pause, resume, stop, a later end, export.  Knows the known runs.

A command that fails reports why in one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.text import Text, text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.training.exporting import ExportReport, write_net
from gui.rooms.training.known_runs import KnownRuns
from gui.rooms.training.launcher import ENDED, ENDS, PAUSED
from gui.rooms.training.run_model import RunModel
from gui.widgets.dialogs import ask_number
from gui.widgets.saving import ask_save_name
from models.runs.config import TrainConfig

_MILLION: Final = 1_000_000


class RunCommands(QObject):
    """Carries out commands; its dialogs belong to ``page``."""

    command_sent = Signal()  # a run received a command: its state may have changed
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, known_runs: KnownRuns, page: QWidget) -> None:
        super().__init__(page)
        self._known_runs = known_runs
        self._page = page

    def start(self, folder: Path, game: str, settings: dict[str, Any]) -> bool:
        """Start a run in a new folder; return whether it succeeded."""
        try:
            self._known_runs.launcher.start(folder, TrainConfig.from_dict({**settings, "game": game}))
        except (ValueError, OSError) as error:
            self.failed.emit(Text("The run cannot be started: {error}", error=text_of(error)))
            return False
        return True

    def carry_out(self, run: RunModel, kind: str, command: str) -> None:
        """Carry out "pause", "resume" or "stop" for a run that is ``kind``; one without a process is started again."""
        if command == "resume" and kind == ENDED:
            self._ask_end(run)
        elif command == "resume" and kind != PAUSED:
            self._attempt(lambda: self._known_runs.launcher.resume(run))
        else:
            self._attempt(lambda: self._known_runs.launcher.command(run.path, command))

    def _attempt(self, act: Callable[[], None]) -> None:
        try:
            act()
        except (ValueError, OSError) as error:
            self.failed.emit(text_of(error))
        self.command_sent.emit()

    def _ask_end(self, run: RunModel) -> None:
        """Ask for a later end of a run that has reached its end, and resume it."""
        setting = ENDS.get(run.reason, "minutes")
        unit = _MILLION if setting == "evaluations" else 1
        done = math.ceil(getattr(run, setting) / unit)
        words = {
            "minutes": tr("“{name}” ended after {done} minutes. New limit in minutes:"),
            "iterations": tr("“{name}” ended after {done} iterations. New limit in iterations:"),
            "evaluations": tr("“{name}” ended after {done} million evaluations. New limit in millions:"),
        }[setting].format(name=run.name, done=done)

        def resume(end: int) -> None:
            self._attempt(lambda: self._known_runs.launcher.resume(run, (setting, end * unit)))

        ask_number(self._page, tr("Resume"), words, done + 1, _MILLION, max(done + 1, 2 * done), resume)

    # export

    def ask_export(self, run: RunModel | None, net: Path, precision: str) -> None:
        """Ask where to write a kept net, and export it."""
        stem = f"{run.name}-{net.stem}" if run is not None else net.stem
        suffix = "" if precision == "fp32" else f"-{precision}"
        path = ask_save_name(self._page, tr("Export the net"), f"{stem}{suffix}.onnx", tr("Nets (*.onnx)"))
        if path is not None:
            self.export_to(net, path, precision)

    def export_to(self, net: Path, target: Path, precision: str) -> None:
        """Export a kept net in a background thread."""
        words = Text("{name} is being converted to {precision} and measured…", name=net.name, precision=precision)
        if precision == "fp32":
            words = Text("{name} is being measured…", name=net.name)
        self.notified.emit(words)
        write = partial(write_net, net, target, precision, self._known_runs.launcher.program)
        run_task(self, write, self._exported, self.failed.emit, writes=True)

    def _exported(self, report: str) -> None:
        if "\n" in report:
            ExportReport(core_text(report), self._page).open()
        else:
            self.notified.emit(report)
