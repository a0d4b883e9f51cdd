"""Tests of the background compiler: starts when the search is idle, compiles each part once, ends with the window."""

from __future__ import annotations

import os
import sys
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


def test_modules_are_loaded_in_a_thread_once_the_search_stops(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "drawn_later.py").write_text("import threading\nTHREAD = threading.current_thread()\n")
    monkeypatch.syspath_prepend(tmp_path)
    asked: list[bool] = []
    frozen: list[bool] = []
    monkeypatch.setattr("gui.jobs.ahead.freeze_loaded", lambda again: frozen.append("drawn_later" in sys.modules))

    def is_idle() -> bool:
        asked.append(len(asked) >= 2)
        assert "drawn_later" not in sys.modules
        return asked[-1]

    parent = QObject()
    load_when_idle(parent, is_idle, ["drawn_later"], look_ms=1)
    qtbot.waitUntil(lambda: hasattr(sys.modules.get("drawn_later"), "THREAD"))
    assert asked == [False, False, True]
    assert sys.modules["drawn_later"].THREAD.name == "task"
    qtbot.waitUntil(lambda: not parent.children())
    assert frozen == [True]
    monkeypatch.delitem(sys.modules, "drawn_later")
