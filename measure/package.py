"""Make a folder that runs without Python: an interpreter, the libraries and the program, and an archive of it.

``python -m measure.package`` on Linux, in the environment that the program is installed in.  Nets are evaluated by the
CPU build of onnxruntime; torch, which training needs, is left out.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PYTHON: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"
LEFT_OUT: Final = ("torch", "onnxscript", "onnxruntime")  # of the dependencies; onnxruntime is added as its CPU build
# What the program uses of the standard library has no part of these.
NOT_COPIED: Final = (
    *("test", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "distutils", "site-packages", "config-*"),
    *("_tkinter*", "_test*", "__phello__", "*.opt-?.pyc"),
)
QT_MODULES: Final = {"QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest"}
QT_PLUGINS: Final = {
    "platforms",
    "platforminputcontexts",
    "platformthemes",
    "imageformats",
    "iconengines",
    "xcbglintegrations",
    "wayland-decoration-client",
    "wayland-graphics-integration-client",
    "wayland-shell-integration",
}
NOT_PLUGINS: Final = ("*qmng*", "*qvirtualkeyboard*", "*qpdf*", "*qvnc*", "*qeglfs*", "*qlinuxfb*")
# Of every Linux machine, of one version with its kernel and drivers.
OF_THE_SYSTEM: Final = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|nsl|anl)|libnss_.*)\.so(\..*)?")
FOUND: Final = re.compile(r"^\s*(\S+) => (/\S+)", re.MULTILINE)
MISSING: Final = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
MOST_MIB: Final = 500
LAUNCHER: Final = """#!/bin/sh
# Starts Plyscope with the Python of this folder.  Libraries of the system come before those that are brought along.
here=$(dirname "$(readlink -f "$0")")
libraries="$here/python/lib:$here/libraries/python"
known=$( (ldconfig -p || /sbin/ldconfig -p) 2>/dev/null)
for file in "$here"/libraries/desktop/*; do
    case "$known" in
        *"${file##*/} "*) ;;
        *) libraries="$libraries:$here/libraries/desktop"; break ;;
    esac
done
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PYTHONNOUSERSITE=1 PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1
unset PYTHONHOME PYTHONPATH
exec "$here/python/bin/python3" -m gui.app "$@"
"""
README: Final = """Plyscope {version}

Start it with ./plyscope; ./plyscope --help lists its commands.  It needs 64-bit Linux with a desktop and no Python.
Nets are evaluated on the processor.  Training, and nets on a graphics card, need PyTorch or CUDA, which are not part
of this folder: install Plyscope's wheel into a Python {python} environment for them.
"""


def main() -> int:
    """Make the folder and the archive; return 1 if the folder is larger than it should be."""
    parser = argparse.ArgumentParser(prog="measure.package", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "package", help="where the folder is made")
    parser.add_argument("--wheel", type=Path, required=True, help="the program, from make wheel")
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        parser.error("the folder is made on Linux alone")
    version = options.wheel.name.split("-")[1]
    folder = options.out / f"plyscope-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    packages = folder / "python" / "lib" / PYTHON / "site-packages"
    copy_python(folder / "python")
    install(options.wheel, packages)
    prune_qt(packages / "PySide6")
    copy_libraries(folder)
    launcher = folder / "plyscope"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    (folder / "README.txt").write_text(README.format(version=version, python=PYTHON.removeprefix("python")))
    shutil.copy(ROOT / "LICENSE", folder)
    size = sum(file.stat().st_size for file in folder.rglob("*") if not file.is_symlink()) >> 20
    archive = options.out / f"{folder.name}-linux-{os.uname().machine}.tar.gz"
    subprocess.run(["tar", "--create", "--gzip", "--file", archive, "-C", options.out, folder.name], check=True)
    print(f"{folder}: {size} MiB; {archive}: {archive.stat().st_size >> 20} MiB")
    return int(size > MOST_MIB)


def copy_python(target: Path) -> None:
    """Copy the interpreter that runs this, without installed packages."""
    (target / "bin").mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), target / "bin" / "python3")
    shutil.copytree(sysconfig.get_path("stdlib"), target / "lib" / PYTHON, ignore=shutil.ignore_patterns(*NOT_COPIED))
    shared = sysconfig.get_config_var("INSTSONAME")
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        shutil.copy(Path(sysconfig.get_config_var("LIBDIR")) / shared, target / "lib")
    for made in target.rglob("*.a"):
        made.unlink()
    strip((target / "lib").glob("libpython*.so*"))


def requirements() -> list[str]:
    """The dependencies without those left out, onnxruntime in its CPU build."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    kept = [one for one in declared if not one.startswith(LEFT_OUT)]
    runtime = next(one for one in declared if one.startswith("onnxruntime-gpu"))
    return [*kept, runtime.partition(";")[0].replace("-gpu", "")]


def install(wheel: Path, packages: Path) -> None:
    """Install the program and what it needs."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--target", str(packages)]
    subprocess.run([*pip, *requirements()], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
    shutil.rmtree(packages / "bin", ignore_errors=True)
    for tests in (*packages.rglob("tests"), packages / "onnx/backend/test", packages / "pyqtgraph/examples"):
        shutil.rmtree(tests, ignore_errors=True)
    for library in packages.glob("onnxruntime/capi/libonnxruntime.so.*"):  # for C; Python has its own copy
        library.unlink()
    shutil.rmtree(packages / "onnxruntime" / "transformers", ignore_errors=True)
    strip(packages.glob("llvmlite/binding/*.so"))


def strip(libraries: Iterable[Path]) -> None:
    """Remove the names of functions that only a debugger needs, where there is a program for it."""
    if shutil.which("strip"):
        for library in libraries:
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)


def prune_qt(pyside: Path) -> None:
    """Keep the modules and plugins of Qt that the window uses, and the libraries that these need."""
    qt = pyside / "Qt"
    for entry in pyside.iterdir():
        module = entry.name.startswith(("Qt", "libpyside6qml")) and entry.name.partition(".")[0] not in QT_MODULES
        kept = entry.suffix in (".py", ".so", ".6", ".json") or ".so." in entry.name
        if entry.is_file() and (module or not kept):
            entry.unlink()
        elif entry.is_dir() and entry.name not in ("Qt", "support"):
            shutil.rmtree(entry)
    for entry in qt.iterdir():
        if entry.name not in ("lib", "plugins", "translations"):
            shutil.rmtree(entry)
    for plugins in (qt / "plugins").iterdir():
        if plugins.name not in QT_PLUGINS:
            shutil.rmtree(plugins)
    for pattern in NOT_PLUGINS:
        for plugin in (qt / "plugins").rglob(pattern):
            plugin.unlink()
    for words in (qt / "translations").iterdir():
        if words.is_dir():
            shutil.rmtree(words)
        elif not words.name.startswith(("qtbase_zh_CN", "qt_zh_CN")):
            words.unlink()
    users = [*pyside.glob("*.so*"), *(qt / "plugins").rglob("*.so")]
    needed = {Path(path).name for _, path in needs(users)}
    for library in (qt / "lib").iterdir():
        if library.name not in needed:
            library.unlink()


def needs(users: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield the name and path of each library that these load; say which are not on this machine."""
    missing: dict[str, str] = {}
    for user in users:
        done = subprocess.run(["ldd", str(user)], capture_output=True, text=True, check=False)
        yield from FOUND.findall(done.stdout)
        missing.update((name, user.name) for name in MISSING.findall(done.stdout))
    for name, user_name in sorted(missing.items()):
        print(f"{user_name} needs {name}, which is not on this machine: it is left out", file=sys.stderr)


def copy_libraries(folder: Path) -> None:
    """Copy the system's libraries: those of Python to be used always, those of the desktop where there are none."""
    python, desktop = folder / "libraries" / "python", folder / "libraries" / "desktop"
    packages = folder / "python" / "lib" / PYTHON / "site-packages"
    modules = [folder / "python" / "bin" / "python3", *(folder / "python" / "lib" / PYTHON).rglob("lib-dynload/*.so")]
    others = [file for file in packages.rglob("*.so*") if file.is_file()]
    taken: set[str] = set()
    for place, users in ((python, modules), (desktop, others)):
        place.mkdir(parents=True)
        for name, path in needs(users):
            if (
                name in taken
                or name.startswith("libpython")
                or OF_THE_SYSTEM.fullmatch(name)
                or Path(path).is_relative_to(folder)
            ):
                continue
            taken.add(name)
            shutil.copy(path, place / name)


if __name__ == "__main__":
    sys.exit(main())
