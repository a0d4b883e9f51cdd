"""Tests of the background compiler: starts when the search is idle, compiles each part once, ends with the window."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from core._kernel_files import are_whole
from gui.jobs.ahead import CompileAhead, load_when_idle

ECHO = [sys.executable, "-c", "import sys\nfor line in sys.stdin:\n    print('done', flush=True)\n"]
BUSY = [sys.executable, "-c", "import sys\nfor line in sys.stdin:\n    pass\n"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYSCOPE_KERNELS", str(tmp_path))
    return tmp_path


def test_compiling_waits_for_the_search_and_marks_finished_parts(qtbot: QtBot) -> None:
    parent, is_idle = QObject(), [False]
    asked: list[int] = []

    def rest() -> bool:
        asked.append(1)
        return is_idle[0]

    ahead = CompileAhead(parent, rest, lambda: ["one", "two"], lambda: ECHO, look_ms=5)
    qtbot.waitUntil(lambda: len(asked) > 2)
    assert not ahead.working
    assert not are_whole()
    is_idle[0] = True
    qtbot.waitUntil(are_whole)
    qtbot.waitUntil(lambda: not ahead.working)


def test_nothing_is_compiled_if_nothing_is_missing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = QObject()
    looked: list[int] = []
    found: list[list[str]] = []
    start = CompileAhead._start

    def notified(self: CompileAhead, missing: list[str]) -> None:
        start(self, missing)
        found.append(missing)

    monkeypatch.setattr(CompileAhead, "_start", notified)
    ahead = CompileAhead(parent, lambda: True, lambda: looked.append(1) or [], lambda: BUSY, look_ms=5)
    qtbot.waitUntil(lambda: found == [[]])
    assert not ahead.working
    assert not ahead._timer.isActive()
    assert looked == [1]


def test_compiling_ends_with_the_window(qtbot: QtBot) -> None:
    parent = QObject()
    ahead = CompileAhead(parent, lambda: True, lambda: ["long"], lambda: BUSY, look_ms=5)
    qtbot.waitUntil(lambda: ahead.working and ahead._process.processId() > 0)
    process = ahead._process.processId()
    ahead.end()
    assert not ahead.working
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert not are_whole()


def test_modules_are_loaded_in_the_windows_thread_one_at_a_time_while_the_search_is_idle(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["drawn_later", "drawn_last"]
    for name in names:
        (tmp_path / f"{name}.py").write_text("import threading\nTHREAD = threading.current_thread()\n")
    monkeypatch.syspath_prepend(tmp_path)
    loaded: list[int] = []
    frozen: list[bool] = []
    monkeypatch.setattr("gui.jobs.ahead.freeze_loaded", lambda again: frozen.append("drawn_last" in sys.modules))

    def is_idle() -> bool:
        loaded.append(sum(name in sys.modules for name in names))
        return len(loaded) not in (1, 2, 4)

    parent = QObject()
    load_when_idle(parent, is_idle, names, look_ms=1)
    qtbot.waitUntil(lambda: bool(frozen) and not parent.children())
    assert loaded == [0, 0, 0, 1, 1, 2]
    assert all(sys.modules[name].THREAD is threading.main_thread() for name in names)
    assert frozen == [True]
    for name in names:
        monkeypatch.delitem(sys.modules, name)
