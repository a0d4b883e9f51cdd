"""Opens the window as a user does, prints when it is shown and when it has its first figures, and closes it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from gui import app
from gui.shell.options import make_parser

if TYPE_CHECKING:
    import argparse

    from gui.window import MainWindow

LOOK_MS = 5


def main() -> int:
    """Print two wall-clock times, one per line: window, figures."""
    boot = app.boot

    def booted(window: MainWindow, options: argparse.Namespace) -> None:
        from PySide6.QtCore import QTimer

        timer = QTimer(window)
        shown = False

        def look() -> None:
            nonlocal shown
            if not shown:
                print(time.time(), flush=True)
                shown = True
            snapshot = window.session.snapshot
            if snapshot is not None and snapshot.simulations > 0:
                print(time.time(), flush=True)
                window.close()

        timer.timeout.connect(look)
        timer.start(LOOK_MS)
        boot(window, options)

    app.boot = booted
    options = make_parser().parse_args(["--theme", "dark"])
    options.screenshot = Path("never.png")  # so that no settings are saved; it closes before one is taken
    return app.open_window(options)


if __name__ == "__main__":
    sys.exit(main())
