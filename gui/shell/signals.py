"""Ends the program cleanly on Ctrl-C, at the end of the desktop session and when the terminal closes."""

from __future__ import annotations

import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSocketNotifier

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def close_on_signals(window: QWidget) -> None:
    """Close ``window`` at the first signal; a second one ends the process as usual.  Main thread only.

    Python handles signals only between its own instructions, and an idle window executes none: so the signal's number
    is sent through a socket that Qt watches.
    """
    if sys.platform == "win32":
        return
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    usual: dict[int, Any] = {}

    def close() -> None:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(before)
        for number, handler in usual.items():
            signal.signal(number, handler)
        ours.close()
        theirs.close()
        window.close()

    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, window)
    notifier.activated.connect(close)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        usual[number] = signal.signal(number, lambda *_: None)
