"""Tests of the start: imports, the message without a display, the window with the real engine."""

from __future__ import annotations

import os
import platform
import re
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QSettings, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.app import THEMES, boot, close_on_signals, kept_choice, main, make_parser, open_docks, unknown_dock
from gui.model.session import Session
from gui.model.sources import source_title
from gui.model.state import AppState
from gui.rooms.what_if.what_if import WhatIf
from gui.window import MainWindow
from tests.gui.conftest import new_window

ROOT = Path(__file__).parents[2]


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_window_is_made_without_torch_numba_or_onnxruntime() -> None:
    code = (
        "import sys, gui.app\n"
        "from PySide6.QtWidgets import QApplication\n"
        "app = QApplication([])\n"
        "from gui.window import MainWindow\n"
        "window = MainWindow()\n"
        "window.show()\n"
        "print([m for m in ('torch', 'numba', 'onnxruntime', 'core.games') if m in sys.modules])\n"
        "window.close()\n"
    )
    done = run_python(code, QT_QPA_PLATFORM="offscreen")
    assert done.stdout.strip() == "[]", done.stderr


def test_no_source_is_read_for_the_name_of_pyside(tmp_path: Path) -> None:
    (tmp_path / "later.py").write_text("NAME = 'PySide6'\n")
    code = (
        "import inspect, sys\n"
        "from gui.app import read_no_sources\n"
        "read_no_sources()\n"
        "read = []\n"
        "inspect.getsource = lambda module: read.append(module.__name__) or ''\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import later\n"
        "from PySide6.QtWidgets import QApplication\n"
        "print(later.NAME, read)\n"
    )
    done = run_python(code, QT_QPA_PLATFORM="offscreen")
    assert done.stdout.strip() == "PySide6 []", done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there Qt needs one of these variables")
def test_a_missing_display_is_one_sentence() -> None:
    done = run_python("import sys; from gui.app import main; sys.exit(main([]))")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "no display" in done.stderr


def test_main_runs_command_line_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert "connect4" in capsys.readouterr().out


def test_boot_opens_the_game_of_the_options(qtbot: QtBot) -> None:
    window = new_window(qtbot, theme="light")
    assert window.views.status.state.text() == "loading the engine…"
    boot(window, make_parser().parse_args(["--game", "tictactoe", "--moves", "b2 a1", "--limit", "300"]))
    qtbot.waitUntil(lambda: window.state.position is not None)
    assert window.state.position.ply == 2
    assert window.state.limit == 300
    qtbot.waitUntil(lambda: window.session.snapshot is not None and bool(window.session.snapshot.reason))


def test_the_net_of_the_options_is_there_from_the_first_position(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mine.onnx"
    path.write_bytes((Path(str(files("resources"))) / "nets" / "tictactoe-2x32.onnx").read_bytes())
    window = new_window(qtbot, theme="light")
    seen: list[str] = []
    for change in (window.state.position_changed, window.state.search_changed):
        change.connect(lambda: seen.append(source_title(window.state.source)))
    open_docks(window, ["what_if"])
    boot(window, make_parser().parse_args(["--game", "tictactoe", "--net", str(path), "--limit", "5"]))
    qtbot.waitUntil(lambda: bool(seen))
    assert set(seen) == {"mine.onnx"}
    assert window.context.preferences.recent[0] == path
    qtbot.waitUntil(lambda: isinstance(window.docks["what_if"].widget_made, WhatIf))
    second = window.docks["what_if"].widget_made
    assert isinstance(second, WhatIf)
    qtbot.waitUntil(lambda: second.searches is not None)
    assert second.searches.second.state.source == window.state.source


def test_a_file_of_the_command_line_is_opened(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    board = "-" * 27 + "O*------*O" + "-" * 27
    path.write_text(f"(;GM[Othello]PB[a]PW[b]BO[8 {board} *]B[f5]W[d6];)")
    window = new_window(qtbot, theme="light")
    boot(window, make_parser().parse_args([str(path), "--limit", "20"]))
    qtbot.waitUntil(lambda: len(window.state.moves) == 2)
    assert window.state.game.name == "othello"
    assert window.context.preferences.recent[0] == path


@pytest.mark.slow
def test_rooms_are_opened_and_an_earlier_moment_is_shown(qtbot: QtBot, tmp_path: Path) -> None:
    window = new_window(qtbot)
    picture = tmp_path / "window.png"
    options = ["--game", "tictactoe", "--limit", "300", "--dock", "timeline", "--look-back", "120"]
    parsed = make_parser().parse_args([*options, "--screenshot", str(picture)])
    open_docks(window, parsed.dock)
    assert window.docks["timeline"].open
    assert unknown_dock(window, parsed.dock) == ""
    assert unknown_dock(window, ["timeline", "cellar"]).startswith(
        "there is no room 'cellar'; there are tree, settings,"
    )
    boot(window, parsed)
    qtbot.waitUntil(lambda: window.session.snapshot is not None and window.session.snapshot.now == 300)
    assert window.session.snapshot.simulations == 120
    qtbot.waitUntil(picture.exists)
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "chess"], "'chess'"),
        (["--game", "tictactoe", "--moves", "b2 b2"], "b2"),
        (["--game", "tictactoe", "--net", __file__], "is not an ONNX file"),
        (["--game", "tictactoe", "--limit", str(10**30)], "simulations"),
    ],
)
def test_an_invalid_start_option_ends_the_program_with_a_sentence(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(QCoreApplication, "exit", codes.append)
    window = MainWindow()
    qtbot.addWidget(window)
    boot(window, make_parser().parse_args(words))
    qtbot.waitUntil(lambda: bool(codes))
    assert codes == [2]
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("plyscope: ")
    assert message in err
    assert window.state.position is None


@pytest.mark.parametrize("text", ["xx", "", "@ByteArray(zh_CN)", "@Invalid()", "a, b"])
def test_an_invalid_saved_choice_is_the_first(tmp_path: Path, text: str) -> None:
    (tmp_path / "conf.ini").write_text(f"[General]\nlanguage={text}\ntheme=dark\n")
    kept = QSettings(str(tmp_path / "conf.ini"), QSettings.Format.IniFormat)
    assert kept_choice(kept, "language", ("system", "en")) == "system"
    assert kept_choice(kept, "theme", THEMES) == "dark"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--limit -4", "argument --limit: '-4' is no whole number from 1"),
        ("--limit x", "argument --limit: 'x' is no whole number from 1"),
        ("--look-back 0", "argument --look-back: '0' is no whole number from 1"),
        ("--net /none", "argument --net: '/none' is no file"),
        ("--size large", "argument --size: 'large' is no size; write it as 1480x860"),
        ("missing.sgf", "'missing.sgf' is no file"),
        ("--theme dark ./missing", "'missing' is no file"),
        ("--gane nim", "unrecognized arguments: --gane"),
    ],
)
def test_an_invalid_option_is_one_sentence_before_any_window(
    capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"plyscope: {message} (plyscope --help explains)\n")


@pytest.mark.slow
def test_the_process_ends_with_code_2(tmp_path: Path) -> None:
    line = ["--game", "chess"]
    code = f"import sys; from gui.app import main; sys.argv[1:] = {line}; sys.exit(main())"
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    done = run_python(code, QT_QPA_PLATFORM="offscreen", **homes)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith("plyscope: cannot load the game 'chess'")


@pytest.mark.slow
def test_lessons_in_files_are_written_as_pages_and_a_fault_ends_the_process_with_code_2(tmp_path: Path) -> None:
    lesson, pages = tmp_path / "mine.txt", tmp_path / "pages"
    lesson.write_text("# Mine\n\n## First\n@game tictactoe\n@leaves uniform\n@search 30\n@wait simulations 30\n")
    homes = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    code = "import sys; from gui.app import main; sys.argv[1:] = {}; sys.exit(main())"
    done = run_python(code.format(["--lessons", str(pages), str(lesson)]), QT_QPA_PLATFORM="offscreen", **homes)
    assert done.returncode == 0, done.stderr
    names = ["index.html", "index.zh.html", "mine-1.html", "mine.html", "mine.zh.html"]
    assert sorted(path.name for path in pages.iterdir()) == names
    lesson.write_text("# Mine\n\n## First\n@gmae tictactoe\n")
    done = run_python(code.format(["--lessons", str(pages), str(lesson)]), QT_QPA_PLATFORM="offscreen", **homes)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith("plyscope: mine.txt, line 4: there is no command @gmae")


def test_the_real_search_fills_the_window(qtbot: QtBot, real_window: MainWindow) -> None:
    window = real_window
    qtbot.waitUntil(lambda: bool(window.session.snapshot and window.session.snapshot.reason))
    snapshot = window.session.snapshot
    assert snapshot.simulations == 1000
    assert window.views.tree.nodes.rowCount() == 9
    assert {window.views.tree.nodes.rows[i].action for i in range(9)} == set(range(9))
    assert window.views.status.evaluator.text() == snapshot.evaluator


@pytest.mark.slow
def test_the_real_tree_opens_while_idle_and_while_searching(qtbot: QtBot, real_window: MainWindow) -> None:
    window = real_window
    tree = window.views.tree.nodes
    qtbot.waitUntil(lambda: bool(window.session.snapshot and window.session.snapshot.reason))
    path: tuple[int, ...] = ()
    for depth in range(3):
        if depth == 2:
            qtbot.keyClick(window, Qt.Key.Key_Space)
            qtbot.waitUntil(lambda: window.session.searching or window.session.snapshot.reason == "proved")
        best = max(tree.item(tree.index_of(path)).children, key=lambda item: item.row.visits)
        path = best.path
        window.views.tree.open_path(path)
        qtbot.waitUntil(lambda at=path: tree.rowCount(tree.index_of(at)) == 9 - len(at))
    node = window.session.snapshot.opened[path]
    assert node.position.moves == path
    shown = [child.row for child in tree.item(tree.index_of(path)).children]
    assert {row.action for row in shown} == {int(a) for a in node.actions}


@pytest.mark.slow
def test_playing_on_uses_the_same_tree(qtbot: QtBot, real_window: MainWindow) -> None:
    window = real_window
    qtbot.waitUntil(lambda: bool(window.session.snapshot and window.session.snapshot.reason))
    window.state.play(4)
    qtbot.waitUntil(lambda: window.session.snapshot is not None)
    assert window.session.snapshot.position == window.state.position
    window.state.play_line((0, 1, 7, 2, 6, 3, 5, 8))  # to the end of the game
    qtbot.waitUntil(lambda: bool(window.session.snapshot and window.session.snapshot.reason == "game over"))
    assert window.room.player.title == "Draw"
    assert window.views.status.state.text() == "game over"


def test_a_source_that_cannot_be_loaded_is_reported(qtbot: QtBot, real_window: MainWindow, tmp_path: Path) -> None:
    from gui.model.sources import NetSource

    real_window.state.set_source(NetSource(tmp_path / "gone.onnx", 0))
    qtbot.waitUntil(lambda: "gone.onnx" in real_window.banner.text)
    assert not real_window.session.searching


def test_closing_during_a_search_ends_the_thread(qtbot: QtBot, real_window: MainWindow) -> None:
    window = real_window
    qtbot.waitUntil(lambda: window.session.snapshot is not None)
    window.session.continue_search()
    analysis = window.session._analysis
    window.close()
    assert not analysis.alive


def test_the_session_starts_nothing_before_the_engine_is_there(qtbot: QtBot) -> None:
    state = AppState()
    session = Session(state)
    session.toggle()
    session.stop()
    assert session.phase == "loading the engine…"
    assert session.snapshot is None
    session.close()


CLOSED_AT_WORK = """
import sys, threading, gui.app
from gui.jobs.task import run_task
from PySide6.QtCore import QTimer
begun = threading.Event()

def boot(window, options):
    run_task(window, compile_a_kernel, print, print)
    run_task(window, write, print, print, writes=True)
    begun.wait()
    QTimer.singleShot(0, window.close)

def compile_a_kernel():
    threading.Event().wait()

def write():
    begun.set()
    threading.Event().wait(0.3)
    open(sys.argv[1], "w").write("whole")

gui.app.boot = boot
gui.app.main([])
sys.exit(7)  # after a thread that is still at work the process does not come back here
"""


@pytest.mark.slow
def test_closing_waits_for_a_file_but_for_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "saved"
    code = CLOSED_AT_WORK.replace("sys.argv[1]", repr(str(target)))
    done = run_python(code, QT_QPA_PLATFORM="offscreen", HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert target.read_text() == "whole"
    assert list(tmp_path.rglob("Plyscope.conf"))  # the settings are written as well


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_closes_the_window(qtbot: QtBot, name: str) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    number = getattr(signal, name)
    before = signal.getsignal(number)
    close_on_signals(window)
    assert signal.getsignal(number) is not before
    os.kill(os.getpid(), number)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert signal.getsignal(number) is before
    assert signal.set_wakeup_fd(-1) == -1


HEAPS_OF_EIGHT_THREADS = """
import ctypes
import threading
from gui.app import limit_heaps

libc = ctypes.CDLL("libc.so.6")
libc.fopen.restype = ctypes.c_void_p
{limit}
together = threading.Barrier(8)


def allocate():
    together.wait()
    libc.malloc(5000)
    together.wait()


threads = [threading.Thread(target=allocate) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.malloc.restype = ctypes.c_void_p
libc.free(ctypes.c_void_p(libc.malloc(1 << 24)))
large = [libc.malloc(1 << 23) for _ in range(20)]
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep their heaps otherwise")
def test_threads_share_two_heaps_and_large_blocks_are_given_back() -> None:
    limited, free = (run_python(HEAPS_OF_EIGHT_THREADS.format(limit=limit)).stdout for limit in ("limit_heaps()", ""))
    assert limited.count("<heap") == 2 < free.count("<heap")
    of_their_own = [int(re.findall('type="mmap" count="([0-9]+)"', text)[-1]) for text in (limited, free)]
    assert of_their_own[0] >= 20 > of_their_own[1]
