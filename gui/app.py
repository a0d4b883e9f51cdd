"""The program's entry point: a subcommand runs a command-line tool, anything else opens the window.

The window is shown before the engine, numba and onnxruntime are loaded; a thread loads them in the background.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import hashlib
import importlib
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from core.checks import short
from core.files.reading import in_short
from core.machine import share_kernels

if TYPE_CHECKING:
    from PySide6.QtCore import QByteArray, QSettings
    from PySide6.QtWidgets import QWidget

    from gui.model.state import AppState
    from gui.rooms.training.tab import TrainingTab
    from gui.window import MainWindow

THEMES: Final = ("system", "dark", "light")
BOARD: Final = "board"  # the part of the window that is no room
BAD_INPUT: Final = 2  # exit code
_SUM = "_sha256"  # suffix of a layout's name for its checksum
NO_DISPLAY = 1  # exit code
M_ARENA_MAX: Final = -8  # of mallopt, malloc.h
M_MMAP_THRESHOLD: Final = -3
LARGE: Final = 1 << 22  # bytes
HEAPS: Final = 2
WELCOME_MS = 700  # between two looks whether a game is open, so that the tour has something to show
RESTED_TICKS = 3  # ticks of 0.6 s, time for rooms that prepare in the background


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    Without ``argv`` it reads the command line, and a command ends the process.
    """
    share_kernels()
    from_shell = argv is None
    argv = list(sys.argv[1:] if argv is None else argv)
    shown = argv and (argv[0].startswith("-") or looks_like_a_file(argv[0]))
    if argv and (argv[0] in ("-h", "--help", "--version", "--install-desktop") or not shown):
        from models.commands.program import main as run_command

        code = run_command(argv)
        return end_process(code) if from_shell else code
    parser = make_parser()
    options = parser.parse_args(argv)
    for path in options.files:
        if not path.exists():
            parser.error(f"{short(str(path))} is no file")
    missing = missing_display()
    if missing:
        print(f"plyscope: {missing}", file=sys.stderr)
        return NO_DISPLAY
    return leave(open_window(options))


class _Parser(argparse.ArgumentParser):
    """Reports errors of the command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"plyscope: {in_short(message)} (plyscope --help explains)\n")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{short(text)} is no whole number from 1")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{short(text)} is no size; write it as 1480x860")
    return int(width), int(height)


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{short(text)} is no file")
    return Path(text)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the window's options."""
    from gui.language.language import LANGUAGES  # imports Qt, which the commands do not need
    from gui.model.state import QUICK_GAMES
    from gui.shell.docks import BEGIN, WORKSPACES
    from gui.widgets.board.overlays.table import NAMES as OVERLAYS

    parser = _Parser(prog="plyscope", description="Open the window.", allow_abbrev=False)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=Path,
        help="a game, session, tree or net; folders, archives and several games are listed",
    )
    parser.add_argument("--game", default=QUICK_GAMES[0], help='the game, such as "gomoku(size=9)" (default: connect4)')
    parser.add_argument("--moves", default="", help='moves to begin with, such as "d d c"')
    parser.add_argument("--net", type=_file, help="a net file (default: the one that ships for the game)")
    parser.add_argument(
        "--profile", default="", help="the players that a human net of KataGo imitates, such as rank_5k"
    )
    parser.add_argument("--limit", type=_count, help="simulations a new position gets by itself (default: 1000)")
    parser.add_argument("--theme", choices=THEMES, help="the look (default: as last time)")
    parser.add_argument("--language", choices=LANGUAGES, help="the language (default: as last time)")
    parser.add_argument("--overlay", choices=OVERLAYS, help="the overlay to begin with")
    parser.add_argument("--size", type=_size, help="the window's size, such as 1480x860")
    names = [row[0] for row in WORKSPACES]
    parser.add_argument("--workspace", choices=names, help=f"the workspace to begin with (default: {BEGIN})")
    parser.add_argument("--runs", type=Path, help="where training runs are kept (default: the user's data folder)")
    parser.add_argument("--dock", action="append", default=[], help="a room to open, such as charts; may be repeated")
    parser.add_argument("--look-back", type=_count, help="show the search as it was after so many simulations")
    parser.add_argument("--screenshot", type=Path, help="save a picture when the analysis has ended, then leave")
    parser.add_argument(
        "--lessons",
        type=Path,
        metavar="FOLDER",
        help="write the lessons, or those in the FILEs, as pages for a browser into FOLDER, then leave",
    )
    parser.add_argument("--part", metavar="ROOM", help=f"the picture shows this room alone; {BOARD} for the board")
    return parser


def looks_like_a_file(word: str) -> bool:
    """Whether a first argument is a file or folder to open rather than the name of a command."""
    return bool(Path(word).suffix) or os.sep in word or word in (os.curdir, os.pardir)


def end_process(code: int) -> NoReturn:
    """End the process at once.

    Unloading torch and the compiler was seen to take ten seconds, during which a stopped run seemed to be still
    running.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # None without a console on Windows
            with contextlib.suppress(OSError):  # its reader may have closed it
                stream.flush()
    os._exit(code)


def leave(code: int) -> int:
    """Return the exit code when no thread is running; otherwise end the process here.

    Python cannot end a thread in the compiler, and LLVM aborts when the process is shut down around it.
    """
    return end_process(code) if threading.active_count() > 1 else code


def missing_display() -> str:
    """Return why no window can be opened, in one sentence; "" when one can.  Qt itself would abort the process."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return ""
    return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); the commands that --help lists need none"


def share_interpreter() -> None:
    """Shorten Python's thread switch interval, so that the engine's thread gets the interpreter lock soon.

    Waiting for the window's drawing at each batch was measured to cost a tenth of the simulations at 0.5 ms.
    """
    sys.setswitchinterval(0.00005)


def limit_heaps() -> None:
    """Let all threads allocate from two heaps of the C library (glibc), and nothing large from them.

    It would make up to eight heaps for each core, of which most tasks leave parts scattered in the one of their thread.
    And once a large block is freed, it takes others of that size from the heap: there the tables of a solver, of which
    few pages are used as a rule, are cleared and so take all of their memory.
    """
    with contextlib.suppress(OSError, AttributeError):  # another C library
        mallopt = ctypes.CDLL("libc.so.6").mallopt
        mallopt(M_ARENA_MAX, HEAPS)
        mallopt(M_MMAP_THRESHOLD, LARGE)


def read_no_sources() -> None:
    """Keep PySide from reading the source of every imported module, 600 until the first figures, for the name PySide6.

    A module in which it finds that may ask for PySide's features, such as snake_case; none of this program does.
    """
    import PySide6.QtCore  # noqa: F401

    with contextlib.suppress(ImportError):
        vars(importlib.import_module("shibokensupport.feature"))["_mod_uses_pyside"] = lambda module: False


def open_window(
    options: argparse.Namespace, begin: Callable[[MainWindow, argparse.Namespace], object] | None = None
) -> int:
    """Show the window and run it until it closes.  ``begin`` is called after it is shown; None: ``boot``."""
    share_interpreter()
    limit_heaps()
    read_no_sources()
    from PySide6.QtCore import QSettings, Qt, QTimer
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication

    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    app.setApplicationName("Plyscope")
    app.setOrganizationName("Plyscope")
    app.setDesktopFileName("plyscope")
    from gui.jobs.ahead import CompileAhead
    from gui.jobs.task import finish_writing
    from gui.language.language import ENGLISH, LANGUAGES, set_language
    from gui.shell.faults import Faults
    from gui.shell.recovery import Recovery, recovery_home
    from gui.widgets.preferences import Preferences
    from gui.widgets.saving import keep_folders
    from gui.widgets.text_size import resize_text, with_chinese
    from gui.widgets.theme import app_icon
    from gui.window import MainWindow

    app.setWindowIcon(app_icon())
    store = None if options.screenshot or options.lessons else QSettings()

    def training(state: AppState) -> TrainingTab:
        from gui.rooms.training.known_runs import runs_home
        from gui.rooms.training.tab import TrainingTab

        tab = TrainingTab(state, options.runs or runs_home())
        if store is not None:
            tab.known_runs.recall(store)
            tab.comparison.recall(store)
        return tab

    set_language(options.language or (kept_choice(store, "language", LANGUAGES) if store else ENGLISH))
    theme = options.theme or (kept_choice(store, "theme", THEMES) if store else THEMES[0])
    preferences = Preferences(store)
    if store is not None:
        keep_folders(store)
    app.setFont(with_chinese(app.font()))
    resize_text(app, preferences.text_size, lambda: None)  # before the widgets measure their fonts
    window = MainWindow(theme=theme, training=training, preferences=preferences)
    Faults(window, window.banner.show_error)
    close_on_signals(window)
    _restore(window, store, options)
    rooms = options.dock if options.part in (None, BOARD) else [*options.dock, options.part]
    if wrong := unknown_dock(window, rooms):
        print(f"plyscope: {wrong}", file=sys.stderr)
        return BAD_INPUT
    if options.workspace:
        window.workspaces.turn_to(options.workspace)
    window.show()
    QTimer.singleShot(0, window, lambda: open_docks(window, rooms))  # after the first layout has set the sizes
    (begin or boot)(window, options)
    session = window.session
    ahead = None if begin else CompileAhead(window, lambda: session.present is not None and not session.searching)
    if store is not None:
        Recovery(window.commands, recovery_home()).look()
        QTimer.singleShot(WELCOME_MS, window, lambda: welcome(window))
    code = app.exec()
    if ahead is not None:
        ahead.end()
    if store is not None:
        _save(window, store)
        store.sync()
    finish_writing()
    return code


def close_on_signals(window: QWidget) -> None:
    """Close ``window`` at the first signal; a second one ends the process as usual.  Main thread only.

    Python handles signals only between its own instructions, and an idle window executes none: so the signal's number
    is sent through a socket that Qt watches.
    """
    if sys.platform == "win32":
        return
    from PySide6.QtCore import QSocketNotifier

    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    usual: dict[int, Any] = {}

    def close() -> None:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(before)
        for number, handler in usual.items():
            signal.signal(number, handler)
        ours.close()
        theirs.close()
        window.close()

    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, window)
    notifier.activated.connect(close)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        usual[number] = signal.signal(number, lambda *_: None)


def kept_choice(store: QSettings, name: str, choices: Iterable[str]) -> str:
    """Return a saved choice; the first of ``choices`` when none or an unknown one is saved."""
    allowed = list(choices)
    value = store.value(name)
    return value if value in allowed else allowed[0]


def boot(window: MainWindow, options: argparse.Namespace) -> None:
    """Load the engine in the background while the window is shown, then open what the options ask for."""
    from gui.jobs.ahead import load_when_idle
    from gui.jobs.task import run_task
    from gui.model.garbage import freeze_all
    from gui.model.sources import default_source, source_at_once
    from gui.shell.docks import AHEAD

    def load() -> Any:
        from core.files.game_files import position_of
        from core.games import load_game
        from core.search import Limit, SearchSettings
        from gui.jobs.kept_trees import KeepingAnalysis

        written = position_of(load_game(options.game), options.moves)
        position = written.position
        limit = Limit(simulations=options.limit or window.state.limit).simulations
        chosen = None if options.net is None else source_at_once(options.net, position.game, options.profile)
        return KeepingAnalysis(), SearchSettings(), position, chosen, default_source(position.game), limit, written.note

    def done(loaded: Any) -> None:
        freeze_all()  # loaded objects are no garbage
        analysis, settings, position, chosen, default, limit, note = loaded
        state, session = window.state, window.session
        state.document.settings, state.document.limit = settings, limit
        session.attach(analysis)
        state.open_position(position, chosen or default)
        if note:
            window.banner.show_notice(note)
        if chosen is not None:
            window.context.opener.used.emit(chosen.path)
        elif options.net is not None:
            window.context.opener.open_net(options.net)
        if options.files and options.lessons is None:
            window.commands.filing.open_paths([path.absolute() for path in options.files])
        load_when_idle(window, lambda: not session.searching, AHEAD)
        if options.look_back is not None or options.screenshot is not None:
            _when_ended(window, options)
        if options.lessons is not None:
            _write_lessons(window, options.lessons, options.files)

    run_task(window, load, done, partial(refuse, window))


def welcome(window: MainWindow) -> None:
    """Show the tour to a user who has not seen it, as soon as a game is open."""
    from PySide6.QtCore import QTimer

    if window.context.preferences.tour_seen:
        return
    if window.state.position is None:
        QTimer.singleShot(WELCOME_MS, window, lambda: welcome(window))
    else:
        window.context.actions["tour"].trigger()


def refuse(window: MainWindow, sentence: str) -> None:
    """Print why the requested input cannot be opened and end the program, rather than opening something else."""
    from PySide6.QtCore import QCoreApplication

    print(f"plyscope: {in_short(sentence)}", file=sys.stderr)
    window.close()
    QCoreApplication.exit(BAD_INPUT)


def _restore(window: MainWindow, store: Any, options: argparse.Namespace) -> None:
    from gui.widgets.screen import fit_screen

    window.resize(window.sizeHint())
    if store is not None:
        restore(window, store)
        window.commands.keymap.changed.connect(lambda: _keep_keys(window, store))
    fit_screen(window)
    if options.size:
        window.resize(*options.size)
    if options.overlay:
        window.state.set_overlay(options.overlay)


def restore(window: MainWindow, store: QSettings) -> None:
    """Restore the saved layout and keys; damaged entries keep their defaults.

    Qt does not check a layout's bytes and may loop over them without end, so they are used only if their checksum
    matches.
    """
    from PySide6.QtCore import QByteArray

    for name, take in (
        ("geometry", window.restoreGeometry),
        (_table_name(window), window.views.tree.header().restoreState),
    ):
        value = store.value(name)
        if isinstance(value, QByteArray) and store.value(name + _SUM) == _checksum(value):
            take(value)
    window.commands.table.check_columns()
    text = str(store.value("workspaces", ""))
    if (text and not window.workspaces.restore(text)) or store.contains("docks"):  # the layout of older versions
        for name in ("docks", f"docks{_SUM}"):
            store.remove(name)
        window.banner.show_notice("The rooms cannot be arranged as they were kept: they are as at first.")
    window.commands.keymap.restore(str(store.value("keys", "")))


def keep_layout(window: MainWindow, store: QSettings) -> None:
    """Save the layout, everything that :func:`restore` reads except the keys."""
    for name, value in (
        ("geometry", window.saveGeometry()),
        (_table_name(window), window.views.tree.header().saveState()),
    ):
        store.setValue(name, value)
        store.setValue(name + _SUM, _checksum(value))
    store.setValue("workspaces", window.workspaces.to_text())


def _table_name(window: MainWindow) -> str:
    """Return the name under which the table's columns are saved; other columns get another one."""
    return f"table_{window.views.tree.header().count()}"


def _checksum(value: QByteArray) -> str:
    return hashlib.sha256(value.data()).hexdigest()


def _keep_keys(window: MainWindow, store: Any) -> None:
    """Save the keys at once: the program may crash, and another window closing later must not restore its old keys."""
    keys = window.commands.keymap.save()
    if keys != store.value("keys"):
        store.setValue("keys", keys)
        store.sync()


def _save(window: MainWindow, store: Any) -> None:
    from gui.language.language import chosen

    store.setValue("theme", window.commands.appearance.choice)
    store.setValue("language", chosen())
    keep_layout(window, store)
    training = window.commands.training
    if training is not None:
        training.known_runs.remember(store)
        training.comparison.remember(store)


def unknown_dock(window: MainWindow, names: Sequence[str]) -> str:
    """Return an error sentence for unknown names of docks and their parts; "" when all are known."""
    rooms = window.docks.docks
    wrong = next((name for name in names if window.docks.room_of(name) not in rooms), None)
    return "" if wrong is None else f"there is no room {short(wrong)}; there are {', '.join(rooms)}"


def open_docks(window: MainWindow, names: Sequence[str]) -> None:
    """Open the named docks; the last one is in front."""
    for name in names:
        window.commands.open_dock(name)


def part_named(window: MainWindow, name: str | None) -> QWidget:
    """Return the board, a room or a part of one by its name; None: the window."""
    if name is None:
        return window
    part: QWidget | None = window.room if name == BOARD else window.docks.docks.get(name)
    return part or window.commands.open_dock(name)


def _when_ended(window: MainWindow, options: argparse.Namespace) -> None:
    """When the analysis has ended, look back, save a picture and quit."""
    from PySide6.QtCore import QTimer

    look_back, picture = options.look_back, options.screenshot
    timer = QTimer(window)
    rested = 0  # ticks since the views got their final update

    def look() -> None:
        nonlocal rested
        snapshot = window.session.present
        if window.session.searching or snapshot is None or not snapshot.reason:
            return
        if look_back is not None and rested == 0:
            window.commands.time.go(look_back)
        rested += 1
        on_the_way = window.commands.time.looking_back and window.commands.time.past is None
        if picture is not None and (rested < RESTED_TICKS or on_the_way):
            return
        timer.stop()
        if picture is not None:
            part_named(window, options.part).grab().save(str(picture))
            window.close()

    timer.timeout.connect(look)
    timer.start(600)


def _write_lessons(window: MainWindow, folder: Path, files: Sequence[Path]) -> None:
    """Write the lessons in ``files``, by default those of the program, as pages and quit."""
    from gui.shell.lesson_pages import LessonPages
    from gui.shell.lessons import own_lessons

    pages = LessonPages(window.commands, [path.absolute() for path in files] or own_lessons(), folder)
    pages.finished.connect(lambda problem: refuse(window, problem) if problem else window.close())
    pages.start()


if __name__ == "__main__":
    sys.exit(main())
