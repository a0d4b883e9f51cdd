"""Make a folder that runs without Python: an interpreter, the libraries and the program, and an archive of it.

``python -m measure.package`` on Linux, in the environment that the program is installed in.  Nets are evaluated by the
CPU build of onnxruntime; torch, which training needs, is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, Final

from core._kernel_files import SUFFIX
from models.commands.desktop import write_desktop

ROOT: Final = Path(__file__).parents[1]
PYTHON: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"
# What the program uses of the standard library has no part of these.
NOT_COPIED: Final = (
    *("test", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "distutils", "site-packages", "config-*"),
    *("_tkinter*", "_test*", "__phello__", "*.opt-?.pyc", "*.a", "pydoc_data"),
    *("sqlite3", "_sqlite3*", "dbm", "_dbm*", "_gdbm*", "curses", "_curses*", "readline*", "nis*", "ossaudiodev*"),
)
QT_MODULES: Final = {"QtCore", "QtGui", "QtWidgets", "QtSvg"}
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
NOT_PLUGINS: Final = ("*qmng*", "*virtualkeyboard*", "*qpdf*", "*qvnc*", "*qeglfs*", "*qlinuxfb*")
# Of every Linux machine, of one version with its kernel and drivers.
OF_THE_SYSTEM: Final = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|nsl|anl)|libnss_.*)\.so(\..*)?")
FOUND: Final = re.compile(r"^\s*(\S+) => (/\S+)", re.MULTILINE)
MISSING: Final = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
MB: Final = 10**6
MOST_MB: Final = 500
# Nothing looks for these: sources in other languages, and parts of libraries that the program does not call.
NOT_READ: Final = (*("*.a", "*.c", "*.cc", "*.cpp", "*.h", "*.hpp", "*.proto", "*.pxd", "*.pyi", "*.pyx"), "py.typed")
NOT_CALLED: Final = (*("bin", "numpy/distutils", "numpy/f2py", "onnx/backend/test", "onnxruntime/transformers"),)


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
    prune(packages)
    prune_qt(packages / "PySide6")
    pack_kernels(packages / "core" / "compiled")
    missing = copy_libraries(folder)
    write_start(folder, packages)
    words = {"version": version, "python": PYTHON.removeprefix("python"), "glibc": platform.libc_ver()[1]}
    (folder / "README.txt").write_text(readme(missing, **words))
    shutil.copy(ROOT / "LICENSE", folder)
    subprocess.run([folder / "python" / "bin" / "python3", "-c", IMPORT_ALL], check=True)
    sizes = sizes_of(folder, packages)
    archive = options.out / f"{folder.name}-linux-{os.uname().machine}.tar.gz"
    subprocess.run(["tar", "--create", "--gzip", "--file", archive, "-C", options.out, folder.name], check=True)
    total = sum(sizes.values())
    largest = ", ".join(f"{part} {size / MB:.0f}" for part, size in sizes.most_common(8))
    print(f"{folder}: {total / MB:.0f} MB ({largest}); {archive}: {archive.stat().st_size / MB:.0f} MB")
    return int(total > MOST_MB * MB)


# Fails where something was left out that the window or a command needs.
IMPORT_ALL: Final = """
import importlib, pkgutil
for top in map(importlib.import_module, ("gui", "models.commands")):
    for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
        importlib.import_module(module.name)
from core.engine import Search
from core.files.page import search_page
from core.files.tree_file import saved
from core.games import load_game
from core.search import Limit
search = Search(load_game("tictactoe").initial(), None)
search.run(Limit(simulations=9))
search_page(saved(search))
"""


def sizes_of(folder: Path, packages: Path) -> Counter[str]:
    """The bytes of each installed package, of the kernels, and of each other folder."""
    sizes: Counter[str] = Counter()
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            above = packages if file.is_relative_to(packages) else folder
            part = "kernels" if file.suffix == SUFFIX else file.relative_to(above).parts[0]
            sizes[part] += file.stat().st_size
    return sizes


def copy_python(target: Path) -> None:
    """Copy the interpreter that runs this, without installed packages."""
    (target / "bin").mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), target / "bin" / "python")
    shutil.copytree(sysconfig.get_path("stdlib"), target / "lib" / PYTHON, ignore=shutil.ignore_patterns(*NOT_COPIED))
    shared = sysconfig.get_config_var("INSTSONAME")
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        shutil.copy(Path(sysconfig.get_config_var("LIBDIR")) / shared, target / "lib")
    strip([*(target / "lib").glob("libpython*.so*"), *target.rglob("lib-dynload/*.so")])


def requirements() -> list[str]:
    """The dependencies, onnxruntime in its CPU build."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    others = [line for line in declared if not line.startswith("onnxruntime")]
    runtime = next(line for line in declared if line.startswith("onnxruntime-gpu"))
    return [*others, runtime.partition(";")[0].replace("-gpu", "")]


def install(wheel: Path, packages: Path) -> None:
    """Install the program and what it needs."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--target", str(packages)]
    subprocess.run([*pip, *requirements()], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)


def prune(packages: Path) -> None:
    """Remove what the program does not use of the installed packages."""
    for unused in (*packages.rglob("tests"), *(packages / name for name in NOT_CALLED)):
        shutil.rmtree(unused, ignore_errors=True)
    for pattern in NOT_READ:
        for file in packages.rglob(pattern):
            file.unlink()
    for library in packages.glob("onnxruntime/capi/libonnxruntime.so.*"):  # for C; Python has its own copy
        library.unlink()
    strip(
        [*packages.glob("llvmlite/binding/*.so"), *packages.glob("numba/**/*.so"), *packages.glob("PySide6/Qt/lib/*")]
    )


def strip(libraries: Iterable[Path]) -> None:
    """Remove the names of functions that only a debugger needs, where there is a program for it."""
    if shutil.which("strip"):
        for library in libraries:
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=False)  # or it stays as it is


def prune_qt(pyside: Path) -> None:
    """Keep the modules and plugins of Qt that the window uses, and the libraries that these need."""
    qt = pyside / "Qt"
    for entry in pyside.iterdir():
        module = entry.name.startswith(("Qt", "libpyside6qml")) and entry.name.partition(".")[0] not in QT_MODULES
        is_program = entry.suffix in (".py", ".so", ".6", ".json") or ".so." in entry.name
        if entry.is_file() and (module or not is_program):
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
    needed = {Path(path).name for path in needs(users)[0].values()}
    for library in (qt / "lib").iterdir():
        if library.name not in needed:
            library.unlink()


def needs(users: Iterable[Path]) -> tuple[dict[str, str], set[str]]:
    """The libraries that these load, by name, and the names of those that are not on this machine."""
    paths: dict[str, str] = {}
    missing: set[str] = set()
    for user in users:
        done = subprocess.run(["ldd", str(user)], capture_output=True, text=True, check=False)
        paths |= FOUND.findall(done.stdout)
        missing |= set(MISSING.findall(done.stdout))
    return paths, missing


def copy_libraries(folder: Path) -> set[str]:
    """Copy the system's libraries, each to a folder of its own name, to be used where there are none.

    Returns the names of those that this machine lacks.
    """
    paths, missing = needs(file for file in sorted((folder / "python").rglob("*")) if is_loaded(file))
    for name, path in paths.items():
        of_python = name.startswith("libpython") or Path(path).is_relative_to(folder)
        if not of_python and not OF_THE_SYSTEM.fullmatch(name):
            (folder / "libraries" / name).mkdir(parents=True)
            shutil.copy(path, folder / "libraries" / name / name)
    if missing:
        print(f"left out, as this machine lacks them: {' '.join(sorted(missing))}", file=sys.stderr)
    return missing


def is_loaded(file: Path) -> bool:
    """Whether a file is a program or library, of which a machine may lack what it needs.

    The plugin for GTK is of use only where GTK is, with all that it needs; nothing uses numba's TBB.
    """
    if not file.is_file() or "gtk" in file.name or "tbbpool" in file.name:
        return False
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


# The kernels, which are kept packed: they are most of what the program itself takes.


class _Packed:
    """Bytes that a pickle holds compressed and gives back as they were."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __reduce__(self) -> tuple[Callable[[bytes], bytes], tuple[bytes]]:
        return zlib.decompress, (zlib.compress(self._content, 9),)


class _Unpickled:
    """What a pickle holds, as part of another pickle."""

    def __init__(self, content: bytes) -> None:
        self._content = _Packed(content)

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[_Packed]]:
        return pickle.loads, (self._content,)


def pack_kernels(compiled: Path) -> None:
    """Compress compiled kernels to a third; ``core._kernel_files`` reads them as any other."""
    check = hashlib.sha256().digest_size
    for file in compiled.rglob(f"*{SUFFIX}"):
        content = pickle.dumps(_Unpickled(file.read_bytes()[check:]))
        file.write_bytes(hashlib.sha256(content).digest() + content)


# What starts the program there, and what it says of itself

_KEPT: Final = ("LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")  # of the user, for the programs that Plyscope starts
_SIGN: Final = "PLYSCOPE_USERS_"  # before the name of such a variable

LAUNCHER: Final = """#!/bin/sh
# Starts Plyscope with the Python of this folder.
program=$(readlink -f "$0")
exec "${program%/*}/python/bin/python3" -m gui.app "$@"
"""

# One folder for each library, so that those which a machine lacks can be chosen.  Its own are at least as new as these,
# or the interpreter would not run there; those of its graphics drivers go with its own alone.
INTERPRETER: Final = f"""#!/bin/sh
# Runs the Python of this folder.  A library of the system comes before the one that is brought along.
program=$(readlink -f "$0")
here=${{program%/*/*/*}}
known=$( (ldconfig -p || /sbin/ldconfig -p) 2>/dev/null)
libraries="$here/python/lib"
for folder in "$here"/libraries/*; do
    case "$known" in
        *"${{folder##*/}} (libc6,"[!\\ ]*) ;;
        *) libraries="$libraries:$folder" ;;
    esac
done
for name in {" ".join(_KEPT)}; do
    eval "[ -z \\"\\${{$name+set}}\\" ] || export {_SIGN}$name=\\"\\$$name\\""
done
unset PYTHONHOME PYTHONPATH
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="${{FONTCONFIG_FILE:-$here/fonts/fonts.conf}}"
export LD_LIBRARY_PATH="$libraries${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
exec "$here/python/bin/python" -s -P -B "$@"
"""

AT_START: Final = f'''"""Gives the programs that Plyscope starts the user's environment."""

import os
import sys

for name in {_KEPT!r}:
    kept = os.environ.pop("{_SIGN}" + name, None)
    if kept is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = kept
# What Plyscope starts of itself begins with the script.
sys.executable = os.path.join(os.path.dirname(sys.executable), "python3")
'''

# For a machine without any.
FONTS: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">.</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
"""
FONT_FILES: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
_WHERE_FONTS_ARE: Final = Path("/usr/share/fonts")

README: Final = """Plyscope {version}

    ./plyscope                      opens the window
    ./plyscope FILE                 opens a game, session, tree or net
    ./plyscope --help               lists the commands
    ./plyscope --install-desktop    adds it to the desktop's menu, with the files that it opens

It needs 64-bit Linux with glibc {glibc} or newer, a desktop, and no Python.  The folder may be moved; after that run
--install-desktop again.  AppRun, plyscope.desktop and plyscope.svg are what tools that make an AppImage look for.
Chinese texts need a font of the system, such as fonts-noto-cjk.

Nets are evaluated on the processor.  Training, and nets on a graphics card, need PyTorch or CUDA, which are not part
of this folder: install Plyscope's wheel into an environment of Python {python} for them, with

    pip install "plyscope-{version}-py3-none-any.whl[train]"
"""
_MISSING: Final = """
The machine that made this folder lacked these libraries; what needs them works where the system has them:
{names}
"""


def readme(missing: Collection[str], **words: str) -> str:
    """What the folder says of itself; ``missing``: the libraries that could not be brought along."""
    return README.format(**words) + (_MISSING.format(names=" ".join(sorted(missing))) if missing else "")


def write_start(folder: Path, packages: Path) -> None:
    """Write what starts the program of ``folder``, whose Python finds ``packages``, and its desktop entry and icon."""
    programs = folder / "python" / "bin"
    for file, text in ((folder / "plyscope", LAUNCHER), (programs / "python3", INTERPRETER)):
        file.write_text(text)
        file.chmod(0o755)
    (packages / "sitecustomize.py").write_text(AT_START)
    (programs / "plyscope").symlink_to("../../plyscope")  # beside the interpreter, as in an environment
    fonts = folder / "fonts"
    fonts.mkdir()
    (fonts / "fonts.conf").write_text(FONTS)
    for name in FONT_FILES:
        for font in sorted(_WHERE_FONTS_ARE.rglob(name))[:1]:
            shutil.copy(font, fonts)
    entry, icon = write_desktop(folder / "share", "plyscope")
    for link, target in (("AppRun", folder / "plyscope"), ("plyscope.desktop", entry), ("plyscope.svg", icon)):
        (folder / link).symlink_to(os.path.relpath(target, folder))


if __name__ == "__main__":
    sys.exit(main())
