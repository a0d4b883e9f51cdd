"""Installs Plyscope in the desktop's application menu (freedesktop.org, Linux)."""

import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Final

from core.files import GAME_FORMATS, GameFormat
from core.files.atomic import write_atomically
from core.files.session import SUFFIX
from core.machine import data_home

_LONGEST_S: Final = 20.0  # for the desktop's tools
_ENTRY: Final = """[Desktop Entry]
Type=Application
Name=Plyscope
GenericName=Board game search explorer
Comment=Watch a Monte Carlo tree search think
Exec={program} %F
Icon=plyscope
Terminal=false
Categories=Game;BoardGame;Science;
MimeType={types};
StartupWMClass=plyscope
"""


_TYPES: Final = (*GAME_FORMATS, GameFormat(SUFFIX, "Plyscope session", "application/x-plyscope-session"))


def install_desktop() -> tuple[Path, Path]:
    """Write the menu entry, its icon and the types of files that it opens, replacing earlier ones; entry and icon.

    Raises ValueError on other systems, or when Plyscope is not installed as a program.
    """
    if sys.platform != "linux":
        raise ValueError(f"the menu entry is for Linux desktops; this system is {sys.platform!r}")
    program = Path(sys.executable).with_name("plyscope")
    if not program.exists():
        raise ValueError(f"{str(program)!r} does not exist; install Plyscope with pip first")
    entry, icon = write_desktop(data_home(), _quoted(program))
    for tool, folder in (("update-mime-database", data_home() / "mime"), ("update-desktop-database", entry.parent)):
        if updater := shutil.which(tool):  # where it is missing the desktop reads the files at its next start
            subprocess.run([updater, str(folder)], check=False, capture_output=True, timeout=_LONGEST_S)
    return entry, icon


def write_desktop(share: Path, program: str) -> tuple[Path, Path]:
    """Write the menu entry, icon and types of files below ``share``; entry and icon.  ``program``: as in ``Exec``."""
    entry = share / "applications" / "plyscope.desktop"
    icon = share / "icons" / "hicolor" / "scalable" / "apps" / "plyscope.svg"
    write_atomically(icon, (files("resources") / "icons" / "plyscope.svg").read_bytes())
    write_atomically(entry, _ENTRY.format(program=program, types=";".join(each.mime for each in _TYPES)).encode())
    write_atomically(share / "mime" / "packages" / "plyscope.xml", _mime_types().encode())
    return entry, icon


def _mime_types() -> str:
    """The types of files as shared-mime-info reads them."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for each in _TYPES:
        lines += [f'  <mime-type type="{each.mime}">', f"    <comment>{each.title}</comment>"]
        if each.by_name:
            lines.append(f'    <glob pattern="*{each.suffix}"/>')
        if each.beginning:
            lines.append(f'    <magic><match type="string" offset="0" value="{each.beginning}"/></magic>')
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


def _quoted(program: Path) -> str:
    """The program as an argument of ``Exec``, quoted by the desktop entry specification; % is written twice."""
    text = str(program)
    for character in ("\\", '"', "`", "$"):
        text = text.replace(character, "\\" + character)
    # The value itself is a string, in which backslashes are escaped once more.
    return '"' + text.replace("\\", "\\\\").replace("%", "%%") + '"'
