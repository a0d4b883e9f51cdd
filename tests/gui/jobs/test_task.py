"""Tests of background tasks: the result or the error sentence is delivered in the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import gui.jobs.task
from gui.jobs.task import finish_writing, run_task


def answer(qtbot: QtBot, function: Callable[[], object]) -> list[tuple[str, object, bool]]:
    received: list[tuple[str, object, bool]] = []

    def here() -> bool:
        return threading.current_thread() is threading.main_thread()

    parent = QObject()
    run_task(
        parent,
        function,
        lambda r: received.append(("done", r, here())),
        lambda s: received.append(("failed", s, here())),
    )
    qtbot.waitUntil(lambda: bool(received) and not gui.jobs.task._alive)
    return received


def test_the_result_is_delivered_in_the_gui_thread(qtbot: QtBot) -> None:
    thread = answer(qtbot, threading.current_thread)
    assert thread[0][0::2] == ("done", True)
    assert thread[0][1] is not threading.main_thread()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(ValueError("it is 7 and must be 8"), "it is 7 and must be 8"), (KeyError("x"), "KeyError: 'x'")],
)
def test_errors_are_delivered_as_sentences(qtbot: QtBot, error: Exception, sentence: str) -> None:
    def fail() -> None:
        raise error

    assert answer(qtbot, fail) == [("failed", sentence, True)]


def test_progress_is_delivered_before_the_result(qtbot: QtBot) -> None:
    received: list[object] = []
    parent = QObject()
    run_task(parent, lambda report: [report(n) for n in range(3)] and "all", received.append, print, received.append)
    qtbot.waitUntil(lambda: len(received) == 4)
    assert received == [0, 1, 2, "all"]


def test_nothing_is_delivered_to_a_deleted_parent(qtbot: QtBot) -> None:
    """Repeated, so that the result and the deletion coincide."""
    received: list[object] = []
    for _ in range(50):
        parent, go = QObject(), threading.Event()
        run_task(
            parent, lambda report, go=go: go.wait() and report(1), received.append, received.append, received.append
        )
        go.set()
        delete(parent)
    qtbot.waitUntil(lambda: not gui.jobs.task._alive)
    assert received == []


def test_finish_writing_waits_for_files_up_to_a_limit(qtbot: QtBot) -> None:
    parent, begun, go, written = QObject(), threading.Event(), threading.Event(), []

    def write() -> None:
        begun.set()
        go.wait()
        written.append(True)

    run_task(parent, write, print, print, writes=True)
    begun.wait()
    finish_writing(0.01)
    assert not written
    threading.Timer(0.05, go.set).start()
    finish_writing()
    assert written


def test_a_task_that_outlives_qt_ends_without_an_error(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the program ends: Qt has deleted its objects while the thread still works."""
    errors: list[object] = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    begun, deleted = threading.Event(), threading.Event()

    def work(report: Callable[[object], None]) -> str:
        begun.set()
        assert deleted.wait(10.0)
        report(1)
        return "all"

    received: list[object] = []
    task = run_task(QObject(), work, received.append, received.append, received.append)
    assert begun.wait(10.0)
    delete(task)
    deleted.set()
    task._thread.join(10.0)
    gui.jobs.task._alive.discard(task)
    assert not errors
    assert not received
