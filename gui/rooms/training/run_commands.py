"""What is done with runs: commands, dialogs and exports."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QMessageBox, QPlainTextEdit, QPushButton, QWidget

from core.text import Text, Words, text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.training.known_runs import KnownRuns
from gui.rooms.training.launcher import ENDED, ENDS, PAUSED, child_environment
from gui.rooms.training.run_model import RunModel
from gui.widgets.dialogs import OK_CANCEL, Dialog, ask_number
from gui.widgets.form import ErrorLine
from gui.widgets.labels import make_label
from gui.widgets.saving import ask_save_name
from gui.widgets.text_size import fixed_font
from models.commands.said import error_said, with_template
from models.runs.about import LONGEST_NOTE
from models.runs.config import TrainConfig

PRECISIONS: Final[dict[str, Words]] = {
    "fp32": "As it is, fp32…",
    "int8": "For processors, int8…",
    "fp16": "For GPUs, fp16…",
}


def write_net(net: Path, target: Path, precision: str, program: tuple[str, ...]) -> str:
    """Write ``net`` to ``target``; return what was written and measured, as text.

    ``ValueError`` if it cannot be read, converted or written; then no file is left.
    """
    done = subprocess.run(
        [*program, "export", str(net), "--out", str(target), "--precision", precision],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**child_environment(), "PYTHONIOENCODING": "utf-8"},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if os.name == "nt" else 0,
        check=False,
    )
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if done.returncode:
        said = error_said(lines) or "".join(lines[-1:])
        raise ValueError(said or Text("the export ended with {returncode}", returncode=done.returncode))
    return with_template(done.stdout.strip(), lines)


class ExportReport(Dialog):
    """A dialog with the output of an export, to read and copy."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(tr("The net was written"), parent)
        self.text = QLabel(text, self)
        self.text.setFont(fixed_font())
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setWordWrap(True)
        self.text.setMinimumWidth(560)
        self.lay_out(self.text)


FINISH, STOP, GO_ON = "finish", "stop", ""  # what becomes of the runs when the window closes


class NoteDialog(Dialog):
    """A note on a run, in plain text."""

    def __init__(self, name: str, note: str, taken: Callable[[str], object], page: QWidget) -> None:
        super().__init__(tr("Note on “{name}”").format(name=name), page, OK_CANCEL)
        self._taken = taken
        self.field = QPlainTextEdit(note, self)
        self.field.setAccessibleName(tr("Note"))
        self.field.setTabChangesFocus(True)
        self.error = ErrorLine(self)
        words = make_label(self, "dim", "Kept in the run's folder and shown with it; empty is none.", wrap=True)
        self.lay_out(self.field, words, self.error)
        self.resize_in_screen(480, 260)
        self.field.textChanged.connect(self._check)
        self.accepted.connect(lambda: self._taken(self.text))

    @property
    def text(self) -> str:
        return self.field.toPlainText().strip()

    def _check(self) -> None:
        count = len(self.text)
        words = tr("the note has {count} characters; it may have {most}").format(count=count, most=LONGEST_NOTE)
        self.error.say(words if count > LONGEST_NOTE else "")
        self.main.setEnabled(count <= LONGEST_NOTE)


class Question(QMessageBox):
    """A question with one button for each choice and one to cancel, which does not block; deleted when answered."""

    def __init__(
        self,
        page: QWidget,
        title: str,
        words: str,
        details: str,
        choices: Sequence[tuple[str, Callable[[], object]]],
        default: int | None = None,
    ) -> None:
        """The texts as they are shown.  ``default``: the choice for Return; None: to cancel."""
        super().__init__(QMessageBox.Icon.Question, title, words, QMessageBox.StandardButton.Cancel, page)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setInformativeText(details)
        self.choices: list[QPushButton] = []
        for place, (text, run) in enumerate(choices):
            role = QMessageBox.ButtonRole.AcceptRole if place == default else QMessageBox.ButtonRole.ActionRole
            button = self.addButton(text, role)
            button.clicked.connect(lambda _=False, chosen=run: chosen())
            self.choices.append(button)
        if default is None:
            self.setDefaultButton(QMessageBox.StandardButton.Cancel)
        else:
            self.setDefaultButton(self.choices[default])
        self.setEscapeButton(QMessageBox.StandardButton.Cancel)
        box = self.findChild(QDialogButtonBox)
        if box is not None:
            box.setCenterButtons(False)


def ask_before_leaving(page: QWidget, states: Sequence[str], answer: Callable[[str], object]) -> Question:
    """Show that runs go on training without the window; ``answer`` is called with FINISH, STOP or GO_ON.

    ``states``: a line for each run."""
    one = len(states) == 1
    words = tr("A run goes on training when this window is closed.")
    if not one:
        words = tr("{count} runs go on training when this window is closed.").format(count=len(states))
    details = tr(
        "Training is a process of its own. The window finds it again when you open it. A run that is stopped keeps "
        "what it has learned and can be resumed."
    )
    choices = (
        (tr("Let it go on") if one else tr("Let them go on"), lambda: answer(GO_ON)),
        (tr("Stop after this iteration"), lambda: answer(FINISH)),
        (tr("Stop now"), lambda: answer(STOP)),
    )
    box = Question(page, tr("Training goes on"), words, "\n".join((*states, "", details)), choices, default=0)
    box.open()
    return box


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
