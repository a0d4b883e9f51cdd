"""The folder that runs without Python: what it brings along, and its launcher."""

from __future__ import annotations

import subprocess
from pathlib import Path

from measure.package import LAUNCHER, copy_libraries, requirements


def test_it_brings_everything_but_torch_and_takes_the_runtime_for_processors() -> None:
    names = {one.partition(">")[0].partition("[")[0] for one in requirements()}
    assert {"numpy", "numba", "PySide6-Essentials", "onnxruntime"} <= names
    assert not names & {"torch", "onnxruntime-gpu", "onnxscript"}


def test_the_launcher_starts_the_python_beside_it_from_any_folder(tmp_path: Path) -> None:
    launcher, python = tmp_path / "made" / "plyscope", tmp_path / "made" / "python" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$LD_LIBRARY_PATH" "$@"\n')
    desktop = tmp_path / "made" / "libraries" / "desktop"
    desktop.mkdir(parents=True)
    (desktop / "libnowhere.so.1").touch()
    launcher.write_text(LAUNCHER)
    for file in (launcher, python):
        file.chmod(0o755)
    (tmp_path / "link").symlink_to(launcher)
    done = subprocess.run([tmp_path / "link", "a b"], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.endswith("-m gui.app a b\n")
    assert str(desktop) in done.stdout, "a library that this machine lacks is taken from the folder"


def test_libraries_of_the_system_are_left_to_it(tmp_path: Path) -> None:
    python = tmp_path / "python" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_bytes(Path("/bin/ls").read_bytes())
    copy_libraries(tmp_path)
    copied = {file.name for file in (tmp_path / "libraries").rglob("*") if file.is_file()}
    assert not {name for name in copied if name.startswith(("libc.so", "ld-linux"))}
