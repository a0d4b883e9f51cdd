"""The texts of the package that runs without Python: what starts it, and what it says of itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Final

from models.commands.desktop import write_desktop

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
        for found in sorted(_WHERE_FONTS_ARE.rglob(name))[:1]:
            shutil.copy(found, fonts)
    entry, icon = write_desktop(folder / "share", "plyscope")
    for link, target in (("AppRun", folder / "plyscope"), ("plyscope.desktop", entry), ("plyscope.svg", icon)):
        (folder / link).symlink_to(os.path.relpath(target, folder))
