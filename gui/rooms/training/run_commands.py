"""What is done with runs: commands, dialogs and exports; note, name, archive, folder, deletion."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QFile, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from core.text import Text, Words, text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.keymap import plain_title
from gui.rooms.training.known_runs import KnownRuns, name_problem
from gui.rooms.training.launcher import ENDED, ENDS, PAUSED, WORKING, child_environment
from gui.rooms.training.run_model import RunModel, minutes_text
from gui.widgets.dialogs import OK_CANCEL, Dialog, Question, TextDialog, ask_number
from gui.widgets.figures import count, size
from gui.widgets.form import ErrorLine
from gui.widgets.labels import make_label
from gui.widgets.saving import ask_save_name
from gui.widgets.text_size import fixed_font
from gui.widgets.texts import set_texts
from models.commands.to_window import error_in, with_template
from models.runs.config import TrainConfig
from models.runs.folder import LONGEST_NOTE, write_about
from models.runs.removal import Contents, check_idle, contents, remove, rename

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
        reason = error_in(lines) or "".join(lines[-1:])
        raise ValueError(reason or Text("the export ended with {returncode}", returncode=done.returncode))
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
        self.field.setAccessibleName(plain_title(tr("Note…")))
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


def ask_before_leaving(page: QWidget, states: Sequence[str], answer: Callable[[str], object]) -> Question:
    """Show that runs go on training without the window; ``answer`` is called with FINISH, STOP or GO_ON.

    ``states``: a line for each run."""
    n = len(states)
    words = tr("{n} runs go on training when this window is closed.", n).format(n=n)
    details = tr(
        "Training is a process of its own. The window finds it again when you open it. A run that is stopped keeps "
        "what it has learned and can be resumed."
    )
    choices = (
        (tr("Go on training"), lambda: answer(GO_ON)),
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
        millions = tr("million evaluations") if setting == "evaluations" else tr(setting)
        words = tr("“{name}” ended after {done} {unit}. New limit:").format(name=run.name, done=done, unit=millions)

        def resume(end: int) -> None:
            self._attempt(lambda: self._known_runs.launcher.resume(run, (setting, end * unit)))

        ask_number(self._page, tr("Resume"), words, done + 1, _MILLION, max(done + 1, 2 * done), resume)

    # export

    def ask_export(self, run: RunModel | None, net: Path, precision: str) -> None:
        """Ask where to write a kept net, and export it."""
        stem = f"{run.name}-{net.stem}" if run is not None else net.stem
        suffix = "" if precision == "fp32" else f"-{precision}"
        path = ask_save_name(self._page, tr("Export the net"), "nets", f"{stem}{suffix}.onnx", tr("Nets (*.onnx)"))
        if path is not None:
            self.export_to(net, path, precision)

    def export_to(self, net: Path, target: Path, precision: str) -> None:
        """Export a kept net in a background thread."""
        self.notified.emit(Text("{name} is being measured…", name=net.name))
        write = partial(write_net, net, target, precision, self._known_runs.launcher.program)
        run_task(self, write, self._exported, self.failed.emit, writes=True)

    def _exported(self, report: str) -> None:
        if "\n" in report:
            ExportReport(core_text(report), self._page).open()
        else:
            self.notified.emit(report)


MOST_NAMED = 4  # of the files in a folder that are no run's
ARCHIVE: Words = "Archive"
FETCH: Words = "Bring back from the archive"
ARCHIVE_TIP: Words = "Leave the run out of the list; nothing of it is moved or deleted"


class RunManaging(QObject):
    """The actions on the chosen run; dialogs belong to ``page``, keys to ``list_``."""

    changed = Signal()  # names, notes or the runs themselves
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, known_runs: KnownRuns, page: QWidget, list_: QWidget) -> None:
        super().__init__(page)
        self._known_runs = known_runs
        self._page = page
        self.actions: dict[str, QAction] = {}
        for name, text, keys, run in (
            ("finish", Text("Stop after this iteration"), "", self._finish),
            ("note", Text("Note…"), "", self._ask_note),
            ("rename", Text("Rename…"), "F2", self._ask_name),
            ("archive", ARCHIVE, "", self._archive),
            ("folder", Text("Show the folder"), "", self._show_folder),
            ("delete", Text("Delete…"), "Delete", self._ask_delete),
        ):
            action = self.actions[name] = set_texts(QAction(page), text=text)
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._run, run))
            list_.addAction(action)
        list_.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        set_texts(self.actions["archive"], toolTip=ARCHIVE_TIP)
        self.show_run(None)

    def show_run(self, run: RunModel | None) -> None:
        """Enable the actions where a run is chosen."""
        for action in self.actions.values():
            action.setEnabled(run is not None)
        self.actions["finish"].setVisible(run is not None and self._known_runs.state(run).kind == WORKING)
        archived = run is not None and run.about.archived
        set_texts(self.actions["archive"], text=FETCH if archived else ARCHIVE)

    def _run(self, command: Callable[[RunModel], object], _: bool = False) -> None:
        run = self._known_runs.model
        if run is None:
            return
        try:
            command(run)
        except (ValueError, OSError) as error:
            self.failed.emit(text_of(error))

    def _check_idle(self, run: RunModel) -> None:
        """``ValueError`` while a process trains the run, or is being started."""
        check_idle(run.path)
        if self._known_runs.state(run).alive:
            raise ValueError(Text("“{name}” is training; stop it first", name=run.name))

    def _finish(self, run: RunModel) -> None:
        self._known_runs.launcher.command(run.path, "finish")
        self.changed.emit()

    # note, archive, folder

    def _ask_note(self, run: RunModel) -> None:
        def take(note: str) -> None:
            self._attempt(lambda: write_about(run.path, replace(run.about, note=note)))

        NoteDialog(run.name, run.about.note, take, self._page).open()

    def _archive(self, run: RunModel) -> None:
        archived = not run.about.archived
        if archived:
            self._check_idle(run)
        write_about(run.path, replace(run.about, archived=archived))
        if archived:
            words: Words = "“{name}” is archived; the button below the list shows archived runs."
            self.notified.emit(Text(words, name=run.name))
        self.changed.emit()

    def _show_folder(self, run: RunModel) -> None:
        if not run.path.is_dir():
            raise ValueError(run.problem)
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(run.path))):
            self.notified.emit(Text("No program opens folders here; it is {path}", path=str(run.path)))

    def _attempt(self, act: Callable[[], object]) -> None:
        try:
            act()
        except (ValueError, OSError) as error:
            self.failed.emit(text_of(error))
        self.changed.emit()

    # name

    def _ask_name(self, run: RunModel) -> None:
        self._check_idle(run)
        words, problem = tr("The folder of the run gets this name."), partial(name_problem, run.path.parent)
        taken = partial(self._rename, run)
        TextDialog(self._page, tr("Rename the run"), words, run.name, taken, problem, tr("Rename")).open()

    def _rename(self, run: RunModel, name: str) -> None:
        def act() -> None:
            self._check_idle(run)
            self._known_runs.forget(run.path, rename(run.path, name))

        self._attempt(act)

    # deletion

    def _ask_delete(self, run: RunModel) -> None:
        self._check_idle(run)
        run_task(self, partial(contents, run.path), partial(self._ask_trash, run), self.failed.emit)

    def _ask_trash(self, run: RunModel, contents: Contents) -> None:
        move = partial(self._delete, run, to_trash, self._trashed)
        words = tr("Move the run “{name}” to the trash?").format(name=run.name)
        self._ask(run, words, contents_words(run, contents), tr("Move to the trash"), move)

    def _trashed(self, run: RunModel, done: bool) -> None:
        if done:
            self._gone(run, Text("“{name}” is in the trash now.", name=run.name))
            return
        move = partial(self._delete, run, remove, self._removed)
        words = tr("“{name}” cannot be moved to a trash. Delete it for good?").format(name=run.name)
        self._ask(run, words, tr("This cannot be undone. It is {path}").format(path=run.path), tr("Delete"), move)

    def _removed(self, run: RunModel, _: object) -> None:
        self._gone(run, Text("“{name}” was deleted.", name=run.name))

    def _ask(self, run: RunModel, words: str, details: str, choice: str, act: Callable[[], object]) -> None:
        Question(self._page, tr("Delete “{name}”").format(name=run.name), words, details, [(choice, act)]).open()

    def _delete(self, run: RunModel, how: Callable[[Path], object], done: Callable[[RunModel, Any], None]) -> None:
        try:
            self._check_idle(run)  # it may have been started since the question
        except ValueError as error:
            self._failed(text_of(error))
        else:
            run_task(self, partial(how, run.path), partial(done, run), self._failed, writes=True)

    def _failed(self, sentence: str) -> None:
        self.failed.emit(sentence)
        self.changed.emit()

    def _gone(self, run: RunModel, words: str) -> None:
        self._known_runs.forget(run.path)
        self.notified.emit(words)
        self.changed.emit()


def to_trash(folder: Path) -> bool:
    """Move a run's folder to the desktop's trash; False where there is none."""
    check_idle(folder)
    return QFile(str(folder)).moveToTrash()


def contents_words(run: RunModel, contents: Contents) -> str:
    """Return what goes with a run: its training, nets and files, and files that are not its own."""
    nets = len([net for net in run.nets() if net.path.parent != run.path])
    time = tr("{time} of training").format(time=minutes_text(run.minutes))
    iterations = tr("iterations: {count}").format(count=count(run.iterations))
    kept = tr("kept nets: {count}").format(count=count(nets))
    files = tr("files: {count}").format(count=count(contents.files))
    lines = [f"{time} · {iterations}", f"{kept} · {files} · {size(contents.bytes)}", str(run.path)]
    if contents.others:
        names = ", ".join(contents.others[:MOST_NAMED]) + (", …" if len(contents.others) > MOST_NAMED else "")
        lines.append(tr("The folder also holds what is no part of a run and goes with it: {names}").format(names=names))
    return "\n".join(lines)
