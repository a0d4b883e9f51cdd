"""A run's folder: who trains there, its commands and clock, what it holds and what is said of it."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from models.runs import folder as run_folder
from models.runs.folder import (
    ABOUT,
    LONGEST_NOTE,
    About,
    RunControl,
    RunError,
    check_writable,
    is_copy,
    kept_nets,
    net_path,
    publish,
    read_about,
    remove_temporary_files,
    running,
    send,
    write_about,
)
from models.runs.processes import is_alive
from models.runs.removal import ASIDE, Contents, contents, remove, rename
from models.runs.scratch import ScratchFolder


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


@pytest.mark.parametrize("command", ["stop", "finish"])
def test_a_command_to_end_ends_a_pause(tmp_path: Path, command: str) -> None:
    received = threading.Event()
    with RunControl(tmp_path, lambda _: received.set()) as control:
        send(tmp_path, "pause")
        assert received.wait(60)
        send(tmp_path, command)
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


def test_a_note_is_kept_with_the_run_and_moves_with_it(tmp_path: Path) -> None:
    run = tmp_path / "a"
    run.mkdir()
    assert read_about(run) == About()
    write_about(run, About("größer, 更大", archived=True))
    run.rename(tmp_path / "b")
    assert read_about(tmp_path / "b") == About("größer, 更大", archived=True)
    write_about(tmp_path / "b", About())
    assert os.listdir(tmp_path / "b") == []


def test_a_note_that_is_too_long_is_refused_and_the_old_one_stays(tmp_path: Path) -> None:
    write_about(tmp_path, About("short"))
    with pytest.raises(ValueError, match="the note has 4001 characters; it may have 4000"):
        write_about(tmp_path, About("x" * (LONGEST_NOTE + 1)))
    assert read_about(tmp_path).note == "short"


@pytest.mark.parametrize("content", ["", "[1]", '{"note": 3}', '{"note": "a', "[" * 100_000, '{"note": "\\ud800"}'])
def test_a_damaged_file_says_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / ABOUT).write_text(content)
    assert read_about(tmp_path) == About()


def test_no_folder_is_made_for_a_note(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_about(tmp_path / "gone", About("x"))
    assert not (tmp_path / "gone").exists()


def make(folder: Path, **files: int) -> Path:
    for name, size in {"reports.jsonl": 5, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    return folder


def test_all_files_are_counted_and_others_named(tmp_path: Path) -> None:
    run = make(tmp_path / "a", **{"nets/step-00000001.onnx": 100, "replay/000001.npz": 1000, "thesis.txt": 1})
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "big").write_bytes(b"x" * 9999)
    (run / "link").symlink_to(tmp_path / "elsewhere")
    found = contents(run)
    assert (found.files, found.bytes) == (4, 1106)
    assert found.others == ("link", "thesis.txt")


def test_a_removed_run_is_gone_and_nothing_else(tmp_path: Path) -> None:
    run, other = make(tmp_path / "a"), make(tmp_path / "b")
    left = make(tmp_path / f"{ASIDE}12345678")  # of a removal that was cut short
    (run / "link").symlink_to(other)
    remove(run)
    assert os.listdir(tmp_path) == ["b"]
    assert contents(other) == Contents(1, 5, ())
    assert not left.exists()


def test_of_a_linked_run_only_the_link_is_removed(tmp_path: Path) -> None:
    run = make(tmp_path / "there" / "a")
    (tmp_path / "a").symlink_to(run)
    remove(tmp_path / "a")
    assert not (tmp_path / "a").is_symlink()
    assert contents(run).files == 1


def test_a_run_that_trains_is_neither_removed_nor_renamed(tmp_path: Path) -> None:
    run = make(tmp_path / "a")
    with RunControl(run):
        for act in (remove, lambda folder: rename(folder, "b")):
            with pytest.raises(RunError, match=r"“a” is training \(process \d+\); stop it first"):
                act(run)
    assert run.is_dir()


def test_a_run_gets_a_free_name_only(tmp_path: Path) -> None:
    run = make(tmp_path / "a")
    make(tmp_path / "b")
    with pytest.raises(RunError, match="there is a run “b” already"):
        rename(run, "b")
    assert rename(run, "c") == tmp_path / "c"
    assert sorted(os.listdir(tmp_path)) == ["b", "c"]


PREFIX = "plyscope-test-"
OTHER = f"""
import sys
from models.runs.scratch import ScratchFolder
made = ScratchFolder({PREFIX!r})
(made.path / "net").write_bytes(b"weights")
print(made.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def own_place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_goes_when_closed(tmp_path):
    made = ScratchFolder(PREFIX)
    (made.path / "net").write_bytes(b"weights")
    made.close()
    made.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="no lock on folders")
def test_what_a_killed_process_left_is_removed_and_what_a_running_one_uses_stays():
    with subprocess.Popen(
        [sys.executable, "-c", OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        path = other.stdout.readline().strip()
        os.utime(path, (0, 0))
        ScratchFolder(PREFIX).close()
        assert os.listdir(path) == ["net"]
        other.send_signal(signal.SIGKILL)
        other.wait()
        os.utime(path, (0, 0))
        ScratchFolder(PREFIX).close()
        assert not os.path.exists(path)


def test_a_folder_that_its_process_may_not_have_locked_yet_stays(tmp_path):
    new = tmp_path / f"{PREFIX}new"
    new.mkdir()
    ScratchFolder(PREFIX).close()
    assert new.exists()
