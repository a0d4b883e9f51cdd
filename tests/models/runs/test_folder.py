"""A run's folder: who trains there, its commands and clock, and names of nets."""

import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from models.runs import folder as run_folder
from models.runs.folder import (
    RunControl,
    RunError,
    check_writable,
    is_copy,
    kept_nets,
    net_path,
    publish,
    remove_temporary_files,
    running,
    send,
)
from models.runs.processes import is_alive


@pytest.fixture
def dead_pid() -> int:
    """Of a process that has ended and been collected."""
    with subprocess.Popen([sys.executable, "-c", "pass"]) as process:
        process.wait()
    return process.pid


def write_running(folder: Path, pid: int, started: float) -> None:
    (folder / "running.json").write_text(
        json.dumps({"pid": pid, "started": started, "phase": "playing", "beat": started})
    )


def test_nets_by_step(tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    for step in (12, 3, 123456789):
        (tmp_path / net_path(step)).write_bytes(b"")
    (tmp_path / "nets" / "step-x.onnx").write_bytes(b"")
    assert net_path(12) == "nets/step-00000012.onnx"
    assert kept_nets(tmp_path) == [(step, tmp_path / net_path(step)) for step in (3, 12, 123456789)]


@pytest.mark.parametrize("links", [True, False])
def test_publish_replaces_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    (tmp_path / "a").write_bytes(b"new")
    (tmp_path / "b").write_bytes(b"old")
    if not links:

        def no_links(*_: object) -> None:
            raise OSError("this file system has none")

        monkeypatch.setattr(os, "link", no_links)
    publish(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_sweep_takes_unfinished_files_only(tmp_path: Path) -> None:
    for name in (".net.onnx.1.tmp", "replay/.000001.npz.1.tmp", "nets/.x.tmp", "net.onnx", "replay/000001.npz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    remove_temporary_files(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["000001.npz", "net.onnx"]


def test_an_unwritable_folder_is_refused(tmp_path: Path) -> None:
    check_writable(tmp_path / "deep" / "run")
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"nothing can be written into .*file"):
        check_writable(tmp_path / "file" / "run")


def test_running_processes_are_alive(dead_pid: int) -> None:
    assert is_alive(os.getpid())
    assert not is_alive(dead_pid)
    assert not is_alive(0)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process tells when it began")
def test_a_reused_process_id_is_another_process() -> None:
    assert is_alive(os.getpid(), time.time())
    assert not is_alive(os.getpid(), 1e9)
    with subprocess.Popen([sys.executable, "-c", "pass"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read()  # it ends; nobody has collected it yet
        while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            pass
        assert not is_alive(process.pid)


def test_a_run_folder_belongs_to_one_process(tmp_path: Path, dead_pid: int) -> None:
    parent = os.getppid()
    write_running(tmp_path, parent, time.time())
    assert running(tmp_path) is not None
    with (
        pytest.raises(RunError, match=f"is being trained by process {parent} .playing.; stop that first"),
        RunControl(tmp_path),
    ):
        pytest.fail("two processes would train there")
    assert running(tmp_path) is not None  # still the other's

    write_running(tmp_path, dead_pid, time.time())
    assert running(tmp_path) is None
    with RunControl(tmp_path):
        found = running(tmp_path)
        assert found is not None
        assert found.pid == os.getpid()
    assert not (tmp_path / "running.json").exists()


def test_moving_the_folder_releases_it(tmp_path: Path) -> None:
    run, there = tmp_path / "run", tmp_path / "there"
    run.mkdir()
    with RunControl(run) as control:
        control.check()
        run.rename(there)
        while not control.should_stop():
            pass
        with pytest.raises(RunError, match=r"run' was moved or removed; the run stopped"):
            control.check()
    assert not run.exists()


def test_training_in_a_copied_folder_is_refused(tmp_path: Path) -> None:
    run, copy = tmp_path / "run", tmp_path / "copy"
    run.mkdir()
    (tmp_path / "link").symlink_to(run)
    with RunControl(run) as control:
        shutil.copytree(run, copy)
        assert running(copy) is None
        assert is_copy(copy)
        for same in (run, tmp_path / "link", run / ".." / "run"):
            assert running(same) is not None
            assert not is_copy(same)
        with RunControl(copy):  # it can be trained on its own
            assert running(copy) is not None
        assert running(run) is not None
        control.check()
    assert running(run) is None


def test_a_run_is_identified_by_any_of_its_places(tmp_path: Path) -> None:
    """File systems without lasting numbers of files, folders moved under a process that knows them by a relative
    path, and files of earlier versions."""
    with RunControl(tmp_path):
        content = json.loads((tmp_path / "running.json").read_text())
    path, number = content["places"]
    for places, lives in (([path, "0:0"], True), (["/moved", number], True), ([], True), (["/x", "0:0"], False)):
        (tmp_path / "running.json").write_text(json.dumps({**content, "places": places}))
        assert (running(tmp_path) is not None) is lives


def test_a_folder_taken_by_another_run_is_left_to_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    with RunControl(run) as control:
        run.rename(tmp_path / "there")
        run.mkdir()
        write_running(run, os.getppid(), time.time())
        while not control.should_stop():
            pass
        with pytest.raises(RunError, match=r"run' is another run's now"):
            control.check()
    assert (run / "running.json").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process tells when it began")
def test_setting_the_clock_makes_no_run_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system reports a process's start by the present clock, which may have been an hour off when it began."""
    with RunControl(tmp_path):
        content = json.loads((tmp_path / "running.json").read_text())
        for hours in (-3, 3):
            shifted = {**content, "started": content["started"] + 3600.0 * hours}
            (tmp_path / "running.json").write_text(json.dumps(shifted))
            assert running(tmp_path) is not None
        (tmp_path / "running.json").write_text(json.dumps({**content, "mark": content["mark"] + "1"}))
        assert running(tmp_path) is None


def test_a_damaged_running_file_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "running.json").write_text('{"pid": 1, "sta')
    assert running(tmp_path) is None
    with RunControl(tmp_path):
        assert running(tmp_path) is not None


def _claim(folder: Path, start: threading.Barrier, done: "multiprocessing.Queue[bool]") -> None:
    start.wait()
    try:
        with RunControl(folder):
            done.put(True)
            start.wait()  # held until both have tried
    except RunError:
        done.put(False)
        start.wait()


def test_of_two_runs_started_at_once_one_trains(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    start, done = context.Barrier(2), context.Queue()
    both = [context.Process(target=_claim, args=(tmp_path, start, done)) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(60)
    assert sorted(done.get(timeout=60) for _ in both) == [False, True]


def test_commands_are_obeyed_and_removed(tmp_path: Path) -> None:
    phases: list[str] = []
    received = {"paused": threading.Event(), "resumed": threading.Event()}

    def event(name: str) -> None:
        phases.append(name)
        received[name].set()

    with RunControl(tmp_path, event, elapsed_s=100.0) as control:
        assert not control.should_stop()
        send(tmp_path, "resume")  # goes on anyway
        send(tmp_path, "pause")
        assert received["paused"].wait(60)
        at_pause = control.elapsed_s()
        assert control.paused
        held: list[bool] = []
        waiting = threading.Thread(target=lambda: held.append(control.should_stop()))
        waiting.start()
        assert control.elapsed_s() == at_pause >= 100.0
        assert held == []
        send(tmp_path, "resume")
        assert received["resumed"].wait(60)
        waiting.join(60)
        assert held == [False]
        send(tmp_path, "stop")
        while not control.should_stop():
            pass
        assert not (tmp_path / "command.json").exists()
    assert phases == ["paused", "resumed"]


def test_stop_ends_a_pause(tmp_path: Path) -> None:
    received = threading.Event()
    with RunControl(tmp_path, lambda _: received.set()) as control:
        send(tmp_path, "pause")
        assert received.wait(60)
        send(tmp_path, "stop")
        assert control.should_stop()


def test_a_run_that_is_to_finish_says_so_and_goes_on(tmp_path: Path) -> None:
    with RunControl(tmp_path) as control:
        control.phase = "iteration 3"
        send(tmp_path, "finish")
        while not control.finishing:
            pass
        while (process := running(tmp_path)) is None or process.phase != "iteration 3, then it ends":
            pass
        assert not control.should_stop()


def test_a_paused_run_that_is_to_finish_ends(tmp_path: Path) -> None:
    received = threading.Event()
    with RunControl(tmp_path, lambda _: received.set()) as control:
        send(tmp_path, "pause")
        assert received.wait(60)
        send(tmp_path, "finish")
        assert control.should_stop()


def test_unknown_commands(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="command is 'dance'; it must be one of pause, resume, finish, stop"):
        send(tmp_path, "dance")
    with RunControl(tmp_path) as control:
        (tmp_path / "command.json").write_text("no json")
        while (tmp_path / "command.json").exists():
            pass
        assert not control.should_stop()


def test_a_running_file_that_cannot_be_written_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with RunControl(tmp_path) as control:
        control.check()
        monkeypatch.setattr(run_folder, "write_atomically", fail)
        while not control.should_stop():
            pass
        with pytest.raises(OSError, match="No space left"):
            control.check()
