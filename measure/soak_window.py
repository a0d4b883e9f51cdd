"""One process of the soak: the whole program with a random user, and a journal of its acts and faults."""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import logging
import os
import random
import sys
import threading
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QMessageLogContext, QObject, QSettings, QTimer, QtMsgType, qInstallMessageHandler

from measure.soak import JOURNAL

if TYPE_CHECKING:
    from gui.window import MainWindow

HUNG_S: Final = 120.0  # after this long without an act the process writes its stack traces and exits
DEEPEST: Final = 4
TOURS: Final = 4  # one seed in this many begins with the tour
REST_S: Final = 1.0  # before memory is measured
RESTS: Final = 60  # of these at most, until what goes on in threads, such as compiling a kernel, has ended
IDLE: Final = 0.1  # of a processor, at most, while the process is idle
TREE_MB: Final = 64  # limit per search and of all open games' trees that are not shown: they would hide leaks
THREADS_END_S: Final = 240.0  # a thread that compiles ends when it is done
# Messages of the off-screen platform about every window
NO_FAULT: Final = ("This plugin does not support", "QTest")
SAID: Final = "gui.shell.banner"  # the banner's logger: messages for the user


class Journal:
    """A file of JSON lines that survive a crash; usable from any thread."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, **entry: Any) -> None:
        os.write(self._file, (json.dumps(entry) + "\n").encode())

    def qt_says(self, kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        """Write Qt's messages; those of the test platform are ignored."""
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not text.startswith(NO_FAULT):
            self.write(kind="warning", what=f"Qt: {text}")


class Listener(logging.Handler):
    """Writes errors of every logger and Python's warnings to the journal."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(logging.WARNING)
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.name == SAID:
            self._journal.write(said=text)
        elif record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            trace = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)[-6:]))
            kind = "exception" if record.levelno >= logging.ERROR else "warning"
            self._journal.write(kind=kind, what=f"{text}: {type(error).__name__}: {error}\n{trace.rstrip()}")
        elif record.levelno >= logging.ERROR or record.name == "py.warnings":
            kind = "error" if record.levelno >= logging.ERROR else "warning"
            self._journal.write(kind=kind, what=f"{record.name}: {text}")


class ThreadImports:
    """An import hook that collects the window's modules that other threads import.

    One that defines Qt classes must not be: PySide makes these while the window, as it draws, reads others without
    Python's lock.
    """

    def __init__(self) -> None:
        self._modules: set[str] = set()
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name.startswith("gui.") and threading.current_thread() is not threading.main_thread():
            self._modules.add(name)

    def with_qt_classes(self) -> list[str]:
        """Return the collected modules that define Qt classes."""
        return [name for name in sorted(self._modules) if name in sys.modules and _defines_qt_classes(name)]


def _defines_qt_classes(name: str) -> bool:
    values = vars(sys.modules[name]).values()
    return any(isinstance(value, type(QObject)) and value.__module__ == name for value in values)


class Soak(QObject):
    """Does one act after another in the window's event loop, and closes the window when the time is over."""

    def __init__(self, window: MainWindow, seed: int, seconds: float, home: Path, journal: Journal) -> None:
        super().__init__(window)
        from measure.soak_acts import Acts

        self._window, self._journal, self._seconds = window, journal, seconds
        self._random = random.Random(seed)
        self._acts = Acts(window, self._random, home, self._report)
        self.to_offer = 0  # games that the next start has to offer
        self._began = 0.0
        self._rests = 0
        self._depth = 0  # nested acts: each has opened the menu or dialog in which the next runs
        self.done = False
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._act)
        self._next.start(0)

    def _act(self) -> None:
        state = self._window.state
        if self._window.session.analysis is None or state.position is None or state.settings is None:
            self._next.start(50)  # the engine is still loading
            return
        now = time.monotonic()
        if not self._began:
            self._began = now
            state.set_settings(replace(state.settings, memory_mb=TREE_MB))
            self._window.commands.documents.most_memory = TREE_MB << 20
        faulthandler.dump_traceback_later(HUNG_S, exit=True)
        passed = now - self._began
        if passed >= self._seconds and not self._acts.close_one():
            self._rest(self._end)
        elif passed >= self._seconds / 3 and self._rests == 0 and not self._acts.close_one():
            self._rest(lambda: self._next.start(0))
        else:
            # Before the act, because one that opens a menu or a dialog returns only when that is closed.
            self._next.start(self._random.choice((0, 0, 0, 2, 5, 20)) if self._random.random() > 0.005 else 500)
            if passed < self._seconds and (self._depth == 0 or self._acts.is_waiting()):
                name, act = self._acts.choose(closing=self._depth >= DEEPEST)
                self._journal.write(act=name)
                self._depth += 1
                try:
                    act()
                finally:
                    self._depth -= 1

    def _rest(self, then: Any) -> None:
        """Show the first position of a small game, measure memory once the process is idle, and call ``then``."""
        self._rests += 1
        self._acts.go_home(TREE_MB)
        used, waited = time.process_time(), 0

        def read() -> None:
            nonlocal used, waited
            before, used, waited = used, time.process_time(), waited + 1
            if used - before > IDLE * REST_S and waited < RESTS:
                faulthandler.dump_traceback_later(HUNG_S, exit=True)
                QTimer.singleShot(round(1000 * REST_S), self, read)
                return
            gc.collect()
            from measure.window_probes import memory, release_memory

            release_memory()
            self._journal.write(memory=memory())
            then()

        QTimer.singleShot(round(1000 * REST_S), self, read)

    def _report(self, what: str) -> None:
        self._journal.write(kind="error", what=what)

    def _end(self) -> None:
        from measure.soak_acts import games_to_offer

        self.done = True
        self.to_offer = games_to_offer(self._window)
        faulthandler.dump_traceback_later(HUNG_S, exit=True)
        self._window.close()


def main() -> int:
    """Run one seed; arguments: ``seed seconds home``; return the program's exit code."""
    seed, seconds, home = int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])
    journal = Journal(home / JOURNAL)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(home / "config"))
    qInstallMessageHandler(journal.qt_says)
    logging.captureWarnings(True)
    logging.getLogger().addHandler(Listener(journal))
    from gui.app import boot, leave, make_parser, open_window
    from measure.soak_acts import check_kept

    soaks: list[Soak] = []
    thread_imports = ThreadImports()

    def begin(window: MainWindow, options: argparse.Namespace) -> None:
        window.context.preferences.tour_seen = seed % TOURS != 0
        boot(window, options)
        soaks.append(Soak(window, seed, seconds, home, journal))

    options = make_parser().parse_args(["--game", "tictactoe", "--runs", str(home / "runs")])
    code = open_window(options, begin)
    faulthandler.cancel_dump_traceback_later()
    if not soaks[0].done:
        journal.write(kind="error", what="the window closed by itself")
    for what in check_kept(soaks[0].to_offer) if soaks[0].done else ():
        journal.write(kind="error", what=what)
    for name in thread_imports.with_qt_classes():
        journal.write(kind="thread", what=f"{name} defines Qt classes and was imported outside the window's thread")
    until = time.monotonic() + THREADS_END_S
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                journal.write(kind="thread", what=f"{thread.name} is still there after {THREADS_END_S:g} s")
    return leave(code)


if __name__ == "__main__":
    sys.exit(main())
