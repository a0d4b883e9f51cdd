"""Of several questions only the newest is answered, and one thread at a time is at work."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

import gui.jobs.task
from gui.jobs.newest import Newest, Stale, Tell


def heard_by(newest: Newest) -> list[tuple[str, object]]:
    heard: list[tuple[str, object]] = []
    newest.answered.connect(lambda answer: heard.append(("answered", answer)))
    newest.failed.connect(lambda sentence: heard.append(("failed", sentence)))
    newest.told.connect(lambda value: heard.append(("told", value)))
    return heard


def test_a_newer_question_replaces_the_waiting_one_and_stops_the_running_one(qtbot: QtBot) -> None:
    owner = QObject()
    newest, go, stopped, begun = Newest(owner), threading.Event(), [], []
    heard = heard_by(newest)

    def first(stale: Stale, tell: Tell) -> str:
        tell("told before")
        go.wait(30)
        stopped.append(stale())
        tell("told after")
        return "first"

    newest.put(first)
    qtbot.waitUntil(lambda: heard == [("told", "told before")])
    newest.put(lambda stale, tell: begun.append("second"))
    newest.put(lambda stale, tell: f"third, stale {stale()}")
    assert newest.working
    go.set()
    qtbot.waitUntil(lambda: not newest.working)
    assert (stopped, begun) == ([True], [])
    assert heard == [("told", "told before"), ("answered", "third, stale False")]


def test_reported_errors_do_not_end_the_work_but_raised_errors_do(qtbot: QtBot) -> None:
    owner = QObject()
    newest = Newest(owner)
    heard = heard_by(newest)

    def work(stale: Stale, tell: Tell) -> None:
        tell(ValueError("one is bad"))
        tell("another")
        raise ValueError("all is bad")

    newest.put(work)
    qtbot.waitUntil(lambda: not newest.working)
    assert heard == [("failed", "one is bad"), ("told", "another"), ("failed", "all is bad")]


def test_a_cancelled_question_is_not_answered(qtbot: QtBot) -> None:
    owner = QObject()
    newest = Newest(owner)
    heard = heard_by(newest)
    newest.put(lambda stale, tell: "forgotten")
    newest.forget()
    qtbot.waitUntil(lambda: not newest.working)
    assert heard == []


def test_work_ends_with_its_owner(qtbot: QtBot) -> None:
    owner = QObject()
    newest, go, stopped = Newest(owner), threading.Event(), []
    heard = heard_by(newest)

    def work(stale: Stale, tell: Tell) -> None:
        go.wait(30)
        stopped.append(stale())

    newest.put(work)
    delete(owner)
    go.set()
    qtbot.waitUntil(lambda: bool(stopped) and not gui.jobs.task._alive)
    assert (stopped, heard) == ([True], [])
