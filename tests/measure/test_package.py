"""The folder that runs without Python: what it brings along, what it leaves out, and what starts it."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from core._kernel_files import SUFFIX
from measure.package import (
    AT_START,
    FONTS,
    INTERPRETER,
    ROOT,
    copy_libraries,
    pack_kernels,
    prune,
    prune_qt,
    readme,
    requirements,
    sizes_of,
    write_start,
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folder is made on Linux alone")


def made(*files: Path) -> None:
    """Make empty files and their folders."""
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def test_it_brings_everything_but_torch_and_takes_the_runtime_for_processors() -> None:
    names = {one.partition(">")[0].partition("[")[0] for one in requirements()}
    assert {"numpy", "numba", "PySide6-Essentials", "onnxruntime"} <= names
    assert not names & {"torch", "onnxruntime-gpu"}


def test_the_wheel_has_every_file_of_the_resources() -> None:
    """By the patterns of ``pyproject.toml``: pages, lessons and the guide are read from there."""
    resources = ROOT / "resources"
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]["*"]
    taken = {file for pattern in patterns for file in resources.glob(pattern)}
    listed = subprocess.run(["git", "ls-files", "-z", "resources"], cwd=ROOT, capture_output=True, check=False).stdout
    files = {ROOT / name for name in listed.decode().split("\0") if name} or set((resources / "page").iterdir())
    assert {file.relative_to(ROOT) for file in files - taken if file.suffix != ".py"} == set()
    assert set((resources / "page").iterdir()) <= taken


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all that starts the program, and in place of Python a script that prints what it is given."""
    folder = tmp_path / "made $here" / "plyscope-1"
    made(folder / "packages" / "none", folder / "python" / "lib" / "none")
    python = folder / "python" / "bin" / "python"
    made(python, folder / "libraries" / "libnowhere.so.1" / "libnowhere.so.1", folder / "libraries" / "libm.so.6" / "x")
    python.write_text(
        '#!/bin/sh\necho "$LD_LIBRARY_PATH|$PLYSCOPE_USERS_LD_LIBRARY_PATH|$PLYSCOPE_USERS_PYTHONPATH|$PYTHONPATH|$@"\n'
    )
    python.chmod(0o755)
    write_start(folder, folder / "packages")
    return folder


def test_the_launcher_starts_the_python_beside_it_from_any_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder / "plyscope")
    users = {**os.environ, "LD_LIBRARY_PATH": "/users", "PYTHONPATH": "/scripts"}
    for program in (tmp_path / "link", folder / "AppRun", folder / "python" / "bin" / "plyscope"):
        done = subprocess.run([program, "a b"], capture_output=True, text=True, check=True, cwd=tmp_path, env=users)
        libraries, *rest = done.stdout.rstrip("\n").split("|")
        assert rest == ["/users", "/scripts", "", "-s -P -B -m gui.app a b"]
        # One that every machine has is not taken from the folder.
        missing = folder / "libraries" / "libnowhere.so.1"
        assert libraries.split(":") == [str(folder / "python" / "lib"), str(missing), "/users"]


def test_programs_that_it_starts_get_the_users_environment(tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text(AT_START + "print(sys.executable)\nos.system('echo $LD_LIBRARY_PATH-$PYTHONPATH-$PYTHONHOME')\n")
    env = {**os.environ, "LD_LIBRARY_PATH": "/folder", "PLYSCOPE_USERS_PYTHONPATH": "/scripts"}
    done = subprocess.run([sys.executable, "-S", script], capture_output=True, text=True, check=True, env=env)
    executable, given = sorted(done.stdout.splitlines(), key=lambda line: "scripts" in line)
    assert executable == str(Path(sys.executable).with_name("python3"))
    assert given == "-/scripts-"


def test_the_folder_has_a_desktop_entry_an_icon_and_types_of_files(folder: Path) -> None:
    lines = (folder / "plyscope.desktop").read_text().splitlines()
    assert "Exec=plyscope %F" in lines
    assert any(line.startswith("MimeType=application/x-go-sgf;") for line in lines)
    assert (folder / "plyscope.svg").read_text().startswith("<svg")
    assert "*.sgf" in (folder / "share" / "mime" / "packages" / "plyscope.xml").read_text()
    assert (folder / "fonts" / "fonts.conf").read_text() == FONTS
    # --install-desktop looks for the program beside the interpreter.
    assert (folder / "python" / "bin" / "plyscope").resolve() == folder / "plyscope"
    subprocess.run(["sh", "-n"], input=INTERPRETER, text=True, check=True)


def test_it_says_what_could_not_be_brought_along() -> None:
    words = {"version": "1.2", "glibc": "2.36", "python": "3.11"}
    assert "plyscope-1.2-py3-none-any.whl[train]" in readme((), **words)
    assert "lacked" not in readme((), **words)
    assert readme(["libxcb-cursor.so.0", "liba.so.1"], **words).endswith("liba.so.1 libxcb-cursor.so.0\n")


def test_packed_kernels_are_read_as_before(tmp_path: Path) -> None:
    content = ("types", {"code": b"abc" * 10_000})
    payload = pickle.dumps(content)
    file = tmp_path / f"one{SUFFIX}"
    file.write_bytes(hashlib.sha256(payload).digest() + payload)
    pack_kernels(tmp_path)
    packed = file.read_bytes()
    assert len(packed) < len(payload) / 10
    assert packed[:32] == hashlib.sha256(packed[32:]).digest()
    assert pickle.loads(packed[32:]) == content
    assert sizes_of(tmp_path, tmp_path / "packages") == {"kernels": len(packed)}


def test_what_the_program_does_not_use_is_left_out(tmp_path: Path) -> None:
    pyside = tmp_path / "PySide6"
    qt = pyside / "Qt"
    gone = [
        *(tmp_path / "onnx" / "a.proto", tmp_path / "numpy" / "tests" / "test_a.py", tmp_path / "bin" / "plyscope"),
        *(qt / "qml" / "a.qml", qt / "plugins" / "platforminputcontexts" / "libqtvirtualkeyboardplugin.so"),
        *(
            qt / "lib" / "libQt6Quick.so.6",
            qt / "translations" / "qtbase_de.qm",
            pyside / "QtQml.abi3.so",
        ),
    ]
    kept = [
        *(tmp_path / "numba" / "core.py", qt / "plugins" / "platforms" / "libqxcb.so"),
        *(qt / "translations" / "qtbase_zh_CN.qm", pyside / "QtSvg.abi3.so"),
    ]
    made(*gone, *kept)
    prune(tmp_path)
    prune_qt(pyside)
    assert not [file for file in gone if file.exists()]
    assert all(file.exists() for file in kept)


def test_libraries_of_the_system_are_left_to_it(tmp_path: Path) -> None:
    python = tmp_path / "python" / "bin" / "python"
    made(python)
    python.write_bytes(Path("/bin/ls").read_bytes())
    copy_libraries(tmp_path)
    copied = {file.name for file in (tmp_path / "libraries").rglob("*") if file.is_file()}
    assert not {name for name in copied if name.startswith(("libc.so", "ld-linux"))}
