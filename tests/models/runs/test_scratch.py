"""Temporary folders that survive no process."""

import os
import signal
import subprocess
import sys
import tempfile

import pytest

from models.runs.scratch import ScratchFolder

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
