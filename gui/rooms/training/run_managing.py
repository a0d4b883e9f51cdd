"""Commands that keep the runs in order: note, rename, archive, show the folder, delete.

A command that cannot be carried out is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QFile, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QWidget

from core.text import Text, text_of
from gui.jobs.task import run_task
from gui.language.language import mark, tr
from gui.rooms.training.known_runs import KnownRuns, name_problem
from gui.rooms.training.launcher import WORKING
from gui.rooms.training.run_commands import NoteDialog, Question
from gui.rooms.training.run_model import RunModel, minutes_text
from gui.widgets.dialogs import TextDialog
from gui.widgets.figures import count, size
from gui.widgets.texts import set_texts
from models.runs.about import write_about
from models.runs.removal import Contents, check_idle, contents, remove, rename

MOST_NAMED = 4  # of the files in a folder that are no run's
ARCHIVE, FETCH = mark("Archive"), mark("Bring back from the archive")
ARCHIVE_TIP = mark("Leave the run out of the list; nothing of it is moved or deleted")


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
            ("finish", mark("Stop after this iteration"), "", self._finish),
            ("note", mark("Note…"), "", self._ask_note),
            ("rename", mark("Rename…"), "F2", self._ask_name),
            ("archive", ARCHIVE, "", self._archive),
            ("folder", mark("Show the folder"), "", self._show_folder),
            ("delete", mark("Delete…"), "Delete", self._ask_delete),
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
        words = mark("“{name}” is in the list again.")
        if archived:
            words = mark("“{name}” is archived; the button below the list shows archived runs.")
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

    def _ask_trash(self, run: RunModel, found: Contents) -> None:
        move = partial(self._delete, run, to_trash, self._trashed)
        words = tr("Move the run “{name}” to the trash?").format(name=run.name)
        self._ask(run, words, contents_words(run, found), tr("Move to the trash"), move)

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


def contents_words(run: RunModel, found: Contents) -> str:
    """Return what goes with a run: its training, nets and files, and files that are not its own."""
    nets = len([net for net in run.nets() if net.path.parent != run.path])
    time = tr("{time} of training").format(time=minutes_text(run.minutes))
    iterations = tr("iterations: {count}").format(count=count(run.iterations))
    kept = tr("kept nets: {count}").format(count=count(nets))
    files = tr("files: {count}").format(count=count(found.files))
    lines = [f"{time} · {iterations}", f"{kept} · {files} · {size(found.bytes)}", str(run.path)]
    if found.others:
        names = ", ".join(found.others[:MOST_NAMED]) + (", …" if len(found.others) > MOST_NAMED else "")
        lines.append(tr("The folder also holds what is no part of a run and goes with it: {names}").format(names=names))
    return "\n".join(lines)
