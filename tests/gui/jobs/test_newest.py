"""Of several questions only the newest is answered, and one thread at a time is at work."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import gui.jobs.task
from gui.jobs.newest import Newest, Report, Stale


def received_by(newest: Newest) -> list[tuple[str, object]]:
    received: list[tuple[str, object]] = []
    newest.answered.connect(lambda answer: received.append(("answered", answer)))
    newest.failed.connect(lambda sentence: received.append(("failed", sentence)))
    newest.progressed.connect(lambda value: received.append(("progressed", value)))
    return received


def test_a_newer_question_replaces_the_waiting_one_and_stops_the_running_one(qtbot: QtBot) -> None:
    owner = QObject()
    newest, go, stopped, begun = Newest(owner), threading.Event(), [], []
    received = received_by(newest)

    def first(stale: Stale, report: Report) -> str:
        report("before")
        go.wait(60)
        stopped.append(stale())
        report("after")
        return "first"

    newest.put(first)
    qtbot.waitUntil(lambda: received == [("progressed", "before")])
    newest.put(lambda stale, report: begun.append("second"))
    newest.put(lambda stale, report: f"third, stale {stale()}")
    assert newest.working
    go.set()
    qtbot.waitUntil(lambda: not newest.working)
    assert (stopped, begun) == ([True], [])
    assert received == [("progressed", "before"), ("answered", "third, stale False")]


def test_reported_errors_do_not_end_the_work_but_raised_errors_do(qtbot: QtBot) -> None:
    owner = QObject()
    newest = Newest(owner)
    received = received_by(newest)

    def work(stale: Stale, report: Report) -> None:
        report(ValueError("one is bad"))
        report("another")
        raise ValueError("all is bad")

    newest.put(work)
    qtbot.waitUntil(lambda: not newest.working)
    assert received == [("failed", "one is bad"), ("progressed", "another"), ("failed", "all is bad")]


def test_a_cancelled_question_is_not_answered(qtbot: QtBot) -> None:
    owner = QObject()
    newest = Newest(owner)
    received = received_by(newest)
    newest.put(lambda stale, report: "forgotten")
    newest.forget()
    qtbot.waitUntil(lambda: not newest.working)
    assert received == []


def test_work_ends_with_its_owner(qtbot: QtBot) -> None:
    owner = QObject()
    newest, go, stopped = Newest(owner), threading.Event(), []
    received = received_by(newest)

    def work(stale: Stale, report: Report) -> None:
        go.wait(60)
        stopped.append(stale())

    newest.put(work)
    delete(owner)
    go.set()
    qtbot.waitUntil(lambda: bool(stopped) and not gui.jobs.task._alive)
    assert (stopped, received) == ([True], [])
