"""The training process: started as a separate process, controlled by a command file, found again by ``running.json``.

It outlives the window.  Uses a run's folder and the command line of ``plyscope train``, neither Qt nor torch.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.files.atomic import write_atomically
from core.files.reading import in_short
from core.text import Text
from gui.language.core_words import core_text, error_text
from gui.language.language import tr
from gui.rooms.training.run_model import LOG, RunModel, last_lines
from models.commands.to_window import FOR_WINDOW, error_in
from models.runs.config import TrainConfig, to_toml
from models.runs.folder import (
    COMMAND,
    REPORTS,
    RUN_TOML,
    RUNNING_FILE,
    is_copy,
    read_command,
    read_running,
    running,
    send,
)

SILENT_S: Final = 60.0  # an older heartbeat is reported
COMMAND_SIGN: Final = "$ "  # before a command line in the log
NICENESS: Final = 5  # training yields to the window

EMPTY, STARTING, WORKING, PAUSED, ENDING, STOPPED, ENDED, DIED = (
    "empty",
    "starting",
    "running",
    "paused",
    "ending",
    "stopped",
    "ended",
    "died",
)
ALIVE: Final = (STARTING, WORKING, PAUSED, ENDING)
INTERRUPTED: Final = 130  # exit code of a run that was stopped
ENDS: Final[dict[str, str]] = {  # reason -> the setting that caused the end
    Text("minutes reached"): "minutes",
    Text("iterations done"): "iterations",
    Text("evaluations done"): "evaluations",
}


@dataclass(frozen=True)
class RunState:
    """The state of a run: ``kind`` for the program, ``words`` for the user, ``command`` sent, not yet carried out."""

    kind: str
    words: str
    command: str = ""

    @property
    def alive(self) -> bool:
        return self.kind in ALIVE


class Child(NamedTuple):
    """A started process and the stamp of the reports file at that time, which changes once training begins."""

    process: subprocess.Popen[bytes]
    reports: tuple[int, int] | None


class Launcher:
    """Starts training processes, and reports whether these and others are running."""

    def __init__(self, program: tuple[str, ...] = ()) -> None:
        self.program = program or own_program()
        self._children: dict[Path, Child] = {}

    def start(self, run: Path, config: TrainConfig) -> None:
        """Start a run in the folder ``run``, with the settings written as its TOML file; ``OSError`` if it fails."""
        write_atomically(run / RUN_TOML, to_toml(config).encode())
        self._spawn(run, config.game)

    def resume(self, run: RunModel, end: tuple[str, int] | None = None) -> None:
        """Resume a run, with a new end if given: (one of ENDS' settings, total number).

        ``OSError`` if the program cannot be started, ``ValueError`` if the folder does not exist.
        """
        if not run.path.is_dir():
            raise ValueError(run.problem)
        options = () if end is None else ("--set", f"run.{end[0]}={end[1]}")
        self._spawn(run.path, run.game, "--resume", *options)

    def _spawn(self, run: Path, game: str, *options: str) -> None:
        arguments = ["train", game, "--out", str(run), *options]
        if (run / RUN_TOML).is_file():
            arguments += ["--config", str(run / RUN_TOML)]
        (run / COMMAND).unlink(missing_ok=True)
        reports = _stamp(run / REPORTS)
        with (run / LOG).open("ab") as log:
            log.write(f"{COMMAND_SIGN}plyscope {' '.join(arguments)}\n".encode())
            log.flush()
            child = subprocess.Popen(
                [*self.program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**child_environment(), "PYTHONUNBUFFERED": "1"},
                **_apart(),
            )
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # it may have ended already; the log has the reason
                os.setpriority(os.PRIO_PROCESS, child.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        self._children[run] = Child(child, reports)

    def command(self, run: Path, command: str) -> None:
        """Send the process that trains ``run`` one of the folder's ``COMMANDS``; ``OSError`` if it cannot be written.

        A process that is starting takes no commands yet: one that is to stop is ended.
        """
        child = self._children.get(run)
        if command in ("finish", "stop") and child is not None and child.process.poll() is None and not running(run):
            child.process.terminate()
            child.process.wait()
            del self._children[run]
        else:
            send(run, command)

    def state(self, run: RunModel) -> RunState:
        """Return the state of a run, from its process, ``running.json`` and its newest events."""
        child = self._children.get(run.path)
        exit_code = child.process.poll() if child is not None else None  # reaps a child that has ended
        process = running(run.path)
        if process is not None:
            command = read_command(run.path)
            silent_s = time.time() - process.beat
            words = core_text(process.phase) or tr("running")
            if silent_s > SILENT_S:
                words = tr("{words} · no response for {silent_s:.0f} min").format(words=words, silent_s=silent_s / 60)
            return RunState(PAUSED if process.phase.startswith("paused") else WORKING, words, command)
        if child is not None and exit_code is None:
            trained = _stamp(run.path / REPORTS) != child.reports
            return RunState(ENDING, tr("ending")) if trained else RunState(STARTING, tr("starting"))
        if not run.path.is_dir():
            return RunState(DIED, tr("its folder is not there any more"))
        left_behind = (run.path / RUNNING_FILE).exists() and not is_copy(run.path)
        return _ended_state(run, left_behind, exit_code)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return size and time of a file, which change when it is written; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _ended_state(run: RunModel, left_behind: bool, exit_code: int | None) -> RunState:
    """Return why no process is training: from the newest event, else from the last line of the log."""
    if run.event == "error":
        reason = core_text(run.reason) or "".join(last_lines(run.path / LOG)[-1:]) or tr("it gave no reason")
        return RunState(DIED, tr("died: {reason}").format(reason=reason))
    if run.event == "stopped" and not left_behind and exit_code in (None, 0, INTERRUPTED):
        if run.reason in ENDS:
            return RunState(ENDED, tr("ended: {reason}").format(reason=core_text(run.reason)))
        return RunState(
            STOPPED,
            tr("stopped")
            if run.reason in ("", "stopped")
            else tr("stopped: {reason}").format(reason=core_text(run.reason)),
        )
    log = last_lines(run.path / LOG)
    if left_behind and exit_code is None:
        try:
            read_running(run.path)
        except (OSError, ValueError) as error:
            words = tr("not known: {file} cannot be read ({error})")
            return RunState(DIED, words.format(file=RUNNING_FILE, error=error_text(error)))
    if left_behind or exit_code:
        return RunState(DIED, tr("died: {reason}").format(reason=_reason(log, exit_code)))
    if run.event or run.series:
        return RunState(STOPPED, tr("not running"))
    if log and not log[-1].startswith(COMMAND_SIGN):
        return RunState(DIED, tr("died: {reason}").format(reason=in_short(core_text(error_in(log)) or log[-1])))
    return RunState(EMPTY, tr("not started"))


def _reason(log: list[str], exit_code: int | None) -> str:
    """Return the last line of the log if it is the program's message, else how the process ended and that line."""
    if error := error_in(log):
        return in_short(core_text(error))
    if exit_code is None:
        how = tr("its process has ended")
    elif exit_code < 0:
        how = tr("its process was killed by signal {exit_code}").format(exit_code=-exit_code)
    else:
        how = tr("its process ended with code {exit_code}").format(exit_code=exit_code)
    if not log or log[-1].startswith(COMMAND_SIGN):
        return how
    return tr("{how}; its last line is “{log}”").format(how=how, log=log[-1])


def own_program() -> tuple[str, ...]:
    """Return the command line that starts this program again."""
    if getattr(sys, "frozen", False):
        return (sys.executable,)
    return (sys.executable, "-m", "gui.app")


def child_environment() -> dict[str, str]:
    """Return the environment in which a child finds this program, whatever is in its working folder, and says what it
    says with templates."""
    paths = [str(Path(__file__).parents[3]), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    # Otherwise `python -m` searches the working folder first, which may contain other `models` or `core`.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONSAFEPATH": "1", FOR_WINDOW: "1"}


def _apart() -> dict[str, Any]:
    """Return options that keep the process alive when the window or its terminal closes."""
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        return {"creationflags": flags | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}
