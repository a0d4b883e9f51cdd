"""Tests that the first signal closes the window, and only the first."""

import os
import signal
import sys

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.shell.signals import close_on_signals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_closes_the_window(qtbot: QtBot, name: str) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    number = getattr(signal, name)
    before = signal.getsignal(number)
    close_on_signals(window)
    assert signal.getsignal(number) is not before
    os.kill(os.getpid(), number)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert signal.getsignal(number) is before
    assert signal.set_wakeup_fd(-1) == -1
