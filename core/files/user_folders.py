"""Where this user's files are kept, by the platform's convention."""

import os
import sys
from pathlib import Path


def data_home() -> Path:
    """The folder for programs' data: XDG_DATA_HOME on Linux, LOCALAPPDATA on Windows, Application Support on macOS."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
