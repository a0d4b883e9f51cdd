"""Tests that rooms are loaded in a thread while the search is idle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.shell.loading import load_when_idle


def test_modules_are_loaded_in_a_thread_once_the_search_stops(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "drawn_later.py").write_text("import threading\nTHREAD = threading.current_thread()\n")
    monkeypatch.syspath_prepend(tmp_path)
    asked: list[bool] = []
    frozen: list[bool] = []
    monkeypatch.setattr("gui.shell.loading.freeze_loaded", lambda again: frozen.append("drawn_later" in sys.modules))

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
