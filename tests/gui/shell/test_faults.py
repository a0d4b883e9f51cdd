"""Tests of uncaught exceptions: in the log with traceback, once in the banner, never repeated without end."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.shell import faults
from gui.shell.faults import Faults

NONE: list[int] = []


class Sender(QObject):
    sent = Signal()


class Unfinished:
    def __del__(self) -> None:
        int("left")


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def listening(qtbot: QtBot, messages: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    """With a program's hooks below instead of the tests'."""
    for module, name in ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, lambda *found: None)
    owner = QObject()
    found = Faults(owner, messages.append)
    yield found
    found.close()


def test_an_exception_of_a_slot_is_logged_and_shown_once(
    qtbot: QtBot, listening: Faults, messages: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    sender = Sender()
    sender.sent.connect(lambda: NONE[1])
    for _ in range(12):
        sender.sent.emit()
    qtbot.waitUntil(lambda: len(messages) == 1)
    assert "IndexError in test_faults.py:" in messages[0]
    assert [record.exc_info is not None for record in caplog.records] == [True, False]
    assert "has come 10 times" in caplog.text
    assert caplog.records[0].levelno == logging.ERROR


def test_different_exceptions_are_each_shown(qtbot: QtBot, listening: Faults, messages: list[str]) -> None:
    QTimer.singleShot(0, lambda: NONE[1])
    QTimer.singleShot(0, lambda: int("x"))
    qtbot.waitUntil(lambda: len(messages) == 2)


def test_exceptions_of_overrides_threads_and_destructors_are_shown(
    qtbot: QtBot, listening: Faults, messages: list[str]
) -> None:
    class Failing(QWidget):
        def changeEvent(self, event: object) -> None:
            dict[str, str]()["override"]

    widget = Failing()
    qtbot.addWidget(widget)
    widget.setWindowTitle("changed")
    thread = threading.Thread(target=lambda: NONE[2])
    thread.start()
    thread.join()
    del thread
    Unfinished()
    qtbot.waitUntil(lambda: len(messages) == 3)
    assert [sentence.split(" in ")[1].split()[-1] for sentence in messages] == ["KeyError", "IndexError", "ValueError"]


def test_ctrl_c_is_not_reported_as_a_fault(listening: Faults, caplog: pytest.LogCaptureFixture) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert caplog.records == []


def test_a_fault_after_the_window_has_gone_is_still_logged(
    qtbot: QtBot, listening: Faults, caplog: pytest.LogCaptureFixture
) -> None:
    from shiboken6 import delete

    delete(listening)
    sys.excepthook(ValueError, ValueError("late"), None)
    assert "late" in caplog.text
    assert faults.log.name == caplog.records[0].name
