"""Installs Plyscope in the desktop's application menu (freedesktop.org, Linux).  Knows no window."""

import os
import sys
from importlib.resources import files
from pathlib import Path

from core.files.atomic import write_atomically

_ENTRY = """[Desktop Entry]
Type=Application
Name=Plyscope
GenericName=Board game search explorer
Comment=Watch a Monte Carlo tree search think
Exec={program}
Icon=plyscope
Terminal=false
Categories=Game;BoardGame;Science;
StartupWMClass=plyscope
"""


def data_home() -> Path:
    """The user's data folder, by the XDG base directory specification."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def install_desktop() -> tuple[Path, Path]:
    """Write the menu entry and its icon, replacing earlier ones; their paths.

    Raises ValueError on other systems, or when Plyscope is not installed as a program.
    """
    if sys.platform != "linux":
        raise ValueError(f"the menu entry is for Linux desktops; this system is {sys.platform!r}")
    program = Path(sys.executable).with_name("plyscope")
    if not program.exists():
        raise ValueError(f"{str(program)!r} does not exist; install Plyscope with pip first")
    entry = data_home() / "applications" / "plyscope.desktop"
    icon = data_home() / "icons" / "hicolor" / "scalable" / "apps" / "plyscope.svg"
    write_atomically(icon, (files("resources") / "icons" / "plyscope.svg").read_bytes())
    write_atomically(entry, _ENTRY.format(program=_quoted(program)).encode())
    return entry, icon


def _quoted(program: Path) -> str:
    """The program as an argument of ``Exec``, quoted by the desktop entry specification; % is written twice."""
    text = str(program)
    for character in ("\\", '"', "`", "$"):
        text = text.replace(character, "\\" + character)
    # The value itself is a string, in which backslashes are escaped once more.
    return '"' + text.replace("\\", "\\\\").replace("%", "%%") + '"'
