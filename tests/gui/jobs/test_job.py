"""A job reports while it runs, and ends, fails or is stopped as its kind says."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.jobs.job import Job
from gui.jobs.newest import Report, Stale


class Patient(Job):
    waits = True


def counted(go: threading.Event, stopped: Stale, report: Report) -> str:
    """Report one value, then another once it may go on."""
    report(1)
    go.wait()
    report(2)
    return "stopped" if stopped() else "ended"


def test_a_job_gives_reports_and_its_result(qtbot: QtBot) -> None:
    job, go, received = Job(), threading.Event(), list[Any]()
    job.progressed.connect(received.append)
    job.run(lambda stopped, report: counted(go, stopped, report), received.append)
    assert job.running
    go.set()
    qtbot.waitUntil(lambda: not job.running)
    assert received == [1, 2, "ended"]


@pytest.mark.parametrize(("kind", "expected"), [(Job, [1]), (Patient, [1, 2, "stopped"])])
def test_what_a_stopped_job_reports_counts_if_it_waits(kind: type[Job], expected: list[Any], qtbot: QtBot) -> None:
    job, go, received = kind(), threading.Event(), list[Any]()
    job.progressed.connect(received.append)
    job.run(lambda stopped, report: counted(go, stopped, report), received.append)
    qtbot.waitUntil(lambda: received == [1])
    job.stop()
    assert job.running == job.stopping == kind.waits
    go.set()
    qtbot.waitUntil(lambda: not job.running and not job._newest.working)
    assert received == expected


def test_a_job_that_fails_says_why_and_can_be_run_again(qtbot: QtBot) -> None:
    job = Job()

    def fail(stopped: Stale, report: Report) -> None:
        raise ValueError("no such file")

    with qtbot.waitSignal(job.failed) as sentence:
        job.run(fail)
    assert sentence.args == ["no such file"]
    assert not job.running
    with qtbot.waitSignal(job.changed):
        job.run(lambda stopped, report: None)
    qtbot.waitUntil(lambda: not job.running)
