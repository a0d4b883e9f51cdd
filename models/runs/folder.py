"""The folder of a training run: its files, its lock, and commands to its trainer.

``running.json`` names the process that trains and its phase, and locks the folder by an id: when that is gone the
folder was moved, and nothing more is written.  ``command.json`` is written by others (``send``) and removed by the
trainer when it obeys.  Both are written atomically.
"""

import json
import os
import re
import shutil
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core.checks import choice_problem
from core.files.atomic import write_atomically
from core.files.reading import Fields, read_json
from core.text import Text, texts_back, with_texts
from models.runs.processes import alone_in, is_alive, process_mark

RUN_TOML: Final = "run.toml"
CHECKPOINT: Final = "checkpoint.pt"
REPORTS: Final = "reports.jsonl"
REPLAY: Final = "replay"
PENDING_GAMES: Final = "replay/pending"  # finished games of the current iteration
NETS: Final = "nets"
NEWEST_NET: Final = "net.onnx"
BEST: Final = "best.onnx"
LIVE: Final = "live.json"
RUNNING_FILE: Final = "running.json"
COMMAND: Final = "command.json"
ABOUT: Final = "about.json"  # what a person keeps about the run
LEFT_OUT: Final = "left-out.json"  # samples from which it learns no more
OPENINGS: Final = "openings.txt"  # positions from which some of its games start

LONGEST_NOTE: Final = 4000  # characters

COMMANDS: Final = ("pause", "resume", "finish", "stop")  # finish: stop after the current iteration

_SHARD: Final = re.compile(r"([0-9]+)(?:-([0-9]{1,3}x[0-9]{1,3}))?\.npz", re.ASCII)

_MOST_BYTES: Final = 64 << 10  # of running.json, command.json and about.json
_MOST_PID: Final = (1 << 31) - 1
_LATEST: Final = 1e11  # Unix time
_POLL_S: Final = 0.2
_BEAT_S: Final = 1.0


class RunError(ValueError):
    """The folder of a run cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Running:
    """The process that trains in a folder.  started, beat: Unix times of its start and of its last heartbeat.

    id: of this hold on the folder, unlike any other.  mark: as :func:`process_mark`, which no change of the clock
    touches.  places: of the folder, as :func:`_places`.  All three are empty in files of earlier versions.
    """

    pid: int
    started: float
    phase: str
    beat: float
    id: str = ""
    mark: str = ""
    places: tuple[str, ...] = ()


def net_path(step: int) -> str:
    """The path of the kept net of a step, relative to the run's folder."""
    return f"{NETS}/step-{step:08d}.onnx"


def kept_nets(folder: Path) -> list[tuple[int, Path]]:
    """The kept nets, (step, path), oldest first."""
    nets = []
    for path in (folder / NETS).glob("step-*.onnx"):
        if path.stem[5:].isdigit():
            nets.append((int(path.stem[5:]), path))
    return sorted(nets)


def shard_path(folder: Path, iteration: int, label: str = "") -> Path:
    """The path of an iteration's shard; ``label`` is the size of a board that is not the run's own, as in 7x7."""
    return folder / (f"{iteration:06d}-{label}.npz" if label else f"{iteration:06d}.npz")


def shard_name(path: Path) -> tuple[int, str] | None:
    """Iteration and label of a shard by its path; None for another file."""
    match = _SHARD.fullmatch(path.name)
    return None if match is None else (int(match[1]), match[2] or "")


def publish(source: Path, target: Path) -> None:
    """Replace ``target`` atomically by a hard link to ``source``, or by a copy where links are not supported."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        try:
            os.link(source, temporary)
        except OSError:
            shutil.copyfile(source, temporary)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def remove_temporary_files(folder: Path) -> None:
    """Remove temporary files of killed processes."""
    for place in (folder, folder / REPLAY, folder / PENDING_GAMES, folder / NETS):
        for path in place.glob(".*.tmp"):
            path.unlink(missing_ok=True)


def check_writable(folder: Path) -> None:
    """Make the folder; :class:`RunError` when nothing can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RunError(
            Text(
                "nothing can be written into {folder!r}: {error}",
                folder=str(folder),
                error=error.strerror or str(error),
            )
        ) from None


# The process that trains.


def running(folder: Path) -> Running | None:
    """The process that trains in ``folder``; None when there is none, or it died and left its file behind, or trains in
    another folder, which this is a copy of."""
    try:
        process = read_running(folder)
        copied = _is_elsewhere(process, folder)
    except (OSError, ValueError):
        return None
    return process if not copied and is_alive(process.pid, process.started, process.mark) else None


def is_copy(folder: Path) -> bool:
    """Whether ``running.json`` came here with a copy of the folder that it is about."""
    try:
        return _is_elsewhere(read_running(folder), folder)
    except (OSError, ValueError):
        return False


def _is_elsewhere(process: Running, folder: Path) -> bool:
    return bool(process.places) and not set(process.places) & set(_places(folder))


def _places(folder: Path) -> tuple[str, str]:
    """The folder's path and its number in the file system.  A copy shares neither; after a move one stays."""
    status = folder.stat()
    return str(folder.resolve()), f"{status.st_dev}:{status.st_ino}"


def read_running(folder: Path) -> Running:
    """Read ``running.json``; its process may have died.  ValueError or ``OSError`` when it cannot be read."""
    content = Fields(texts_back(Fields(read_json(folder / RUNNING_FILE, _MOST_BYTES)).values))
    return Running(
        content.whole("pid", 1, _MOST_PID),
        content.number("started", 0.0, _LATEST),
        content.text("phase", ""),
        content.number("beat", 0.0, _LATEST),
        content.text("id", ""),
        content.text("mark", ""),
        tuple(map(str, content.list("places", []))),
    )


def read_command(folder: Path) -> str:
    """The pending command, one of ``COMMANDS``; "" for none."""
    try:
        command = Fields(read_json(folder / COMMAND, _MOST_BYTES)).text("command")
    except (OSError, ValueError):
        return ""
    return command if command in COMMANDS else ""


def make_folders(folder: Path) -> None:
    """Make the subfolders of a run.  Later writers make no folders, as the run may have been moved meanwhile."""
    for name in (PENDING_GAMES, NETS):
        (folder / name).mkdir(parents=True, exist_ok=True)


def send(folder: Path, command: str) -> None:
    """Send one of ``COMMANDS`` to the process that trains in ``folder``."""
    if problem := choice_problem("command", command, COMMANDS):
        raise ValueError(problem)
    write_atomically(folder / COMMAND, json.dumps({"command": command}).encode())


class RunControl:
    """Context that locks the folder for this process, writes its heartbeat, and obeys commands.

    A separate thread does this, so that it does not wait for a long step.  The work calls ``should_stop`` between its
    steps, which blocks during a pause.  Pauses do not count as time of the run.
    """

    def __init__(self, folder: Path, event: Callable[[str], Any] = lambda _: None, elapsed_s: float = 0.0) -> None:
        """``event`` is called with ``paused`` and ``resumed``.  ``elapsed_s``: time of the run before a resume."""
        self._folder, self._event = folder, event
        self.phase: str = Text("starting")
        self._started = time.time()
        self._ended = threading.Event()
        self._stopped = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self.finishing = False  # the run is to end after the current iteration
        self._error: OSError | None = None
        self.moved: RunError | None = None  # set when the folder is no longer locked by this process
        self._id = uuid.uuid4().hex
        self._clock_lock = threading.Lock()
        self._before_s, self._since = elapsed_s, time.perf_counter()
        self._thread = threading.Thread(target=self._watch, name="run-control", daemon=True)

    def __enter__(self) -> "RunControl":
        """Raises :class:`RunError` when another process trains there."""
        self._claim()
        (self._folder / COMMAND).unlink(missing_ok=True)  # left for an earlier process
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._going.set()
        self._thread.join()
        if self._holds():
            (self._folder / RUNNING_FILE).unlink(missing_ok=True)

    def _holds(self) -> bool:
        """Whether this process still holds the lock on the folder; if not, sets ``moved``."""
        try:
            mine = read_running(self._folder).id == self._id
        except (FileNotFoundError, NotADirectoryError, ValueError):
            mine = False
        except OSError:  # it exists but cannot be read at the moment
            mine = True
        if not mine and self.moved is None:
            self.moved = RunError(
                Text(
                    "the run's folder {folder!r} is another run's now; the run stopped and can be resumed where its "
                    "folder is"
                    if self._folder.is_dir()
                    else "the run's folder {folder!r} was moved or removed; the run stopped and can be resumed where "
                    "its folder is",
                    folder=str(self._folder),
                )
            )
        return mine

    # Time of the run.

    def set_elapsed(self, seconds: float) -> None:
        """Set the time of the run so far."""
        with self._clock_lock:
            self._before_s, self._since = seconds, time.perf_counter()

    def elapsed_s(self) -> float:
        """Time of the run so far, resumes included and pauses excluded."""
        with self._clock_lock:
            return self._before_s + (time.perf_counter() - self._since if self._going.is_set() else 0.0)

    # Called by the work.

    def should_stop(self) -> bool:
        """Whether the run is to end; blocks while it is paused."""
        while not self._stopped.is_set() and not self._ended.is_set() and not self._going.wait(_POLL_S):
            pass
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the run, paused or not."""
        self._stopped.set()

    @property
    def paused(self) -> bool:
        return not self._going.is_set()

    def check(self) -> None:
        """Raise the ``OSError`` of a failed heartbeat, or :class:`RunError` when the folder was moved."""
        if self.moved is not None:
            raise self.moved
        if self._error is not None:
            raise self._error

    # The thread.

    def _watch(self) -> None:
        beat = 0.0
        while not self._ended.wait(_POLL_S):
            try:
                if not self._holds():
                    self._stopped.set()
                    return
                self._obey()
                if time.monotonic() - beat >= _BEAT_S:
                    beat = time.monotonic()
                    write_atomically(self._folder / RUNNING_FILE, self._sign(), make_folder=False)
            except OSError as error:
                self._error = error
                self._stopped.set()
                return

    def _obey(self) -> None:
        command = read_command(self._folder)
        (self._folder / COMMAND).unlink(missing_ok=True)
        if command == "stop" or (command == "finish" and self.paused):
            self._stopped.set()
        elif command == "finish":
            self.finishing = True
        elif command == "pause" and self._going.is_set():
            with self._clock_lock:
                self._before_s += time.perf_counter() - self._since
                self._going.clear()
            self._event("paused")
        elif command == "resume" and not self._going.is_set():
            with self._clock_lock:
                self._since = time.perf_counter()
                self._going.set()
            self._event("resumed")

    def _sign(self) -> bytes:
        phase = Text("paused") if self.paused else self.phase
        if self.finishing and not self.paused:
            phase = Text("{phase}, then it ends", phase=phase)
        pid, now = os.getpid(), time.time()
        mark, places = process_mark(pid), _places(self._folder)
        process = Running(pid, self._started, phase, now, self._id, mark, places)
        return json.dumps(with_texts(asdict(process))).encode()

    def _claim(self) -> None:
        """Lock the folder by creating ``running.json``; :class:`RunError` when another process holds it."""
        with alone_in(self._folder):  # or two that find a dead process's file would both remove what is there
            self._claim_alone()

    def _claim_alone(self) -> None:
        other = running(self._folder)
        if other is not None and other.pid != os.getpid():
            raise RunError(
                Text(
                    "{folder!r} is being trained by process {pid} ({phase}); stop that first",
                    folder=str(self._folder),
                    pid=other.pid,
                    phase=other.phase,
                )
            )
        (self._folder / RUNNING_FILE).unlink(missing_ok=True)
        temporary = self._folder / f".{RUNNING_FILE}.{os.getpid()}.tmp"
        temporary.write_bytes(self._sign())
        try:
            os.link(temporary, self._folder / RUNNING_FILE)  # fails if another process has just created it
        except FileExistsError:
            raise RunError(
                Text("{folder!r} has just been taken by another process", folder=str(self._folder))
            ) from None
        except OSError:  # a file system without links
            os.replace(temporary, self._folder / RUNNING_FILE)
        finally:
            temporary.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class About:
    """A note in plain text, and whether the run is archived: left out of lists until it is asked for."""

    note: str = ""
    archived: bool = False


def read_about(folder: Path) -> About:
    """What is kept about the run in ``folder``; nothing where there is no file or it cannot be read."""
    try:
        content = Fields(read_json(folder / ABOUT, _MOST_BYTES))
        note, archived = content.text("note", ""), content.values.get("archived", False)
    except (OSError, ValueError):
        return About()
    return About(note[:LONGEST_NOTE], archived is True)


def write_about(folder: Path, about: About) -> None:
    """Keep it in the run's folder, which must exist.  ValueError for a note that is too long; ``OSError``."""
    if len(about.note) > LONGEST_NOTE:
        raise ValueError(
            Text("the note has {count} characters; it may have {most}", count=len(about.note), most=LONGEST_NOTE)
        )
    if about == About():
        (folder / ABOUT).unlink(missing_ok=True)
        return
    data = json.dumps(asdict(about), ensure_ascii=False, indent=2) + "\n"
    write_atomically(folder / ABOUT, data.encode(), make_folder=False)
