"""Loads the Training tab and the charts' library beside the window while nothing is searched: the first comes at once.

Knows no chart.  An import makes no widgets: it may run in a thread, and the window goes on between its steps.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from gui.jobs.task import run_task

LIBRARY = "gui.rooms.training.tab"  # and with it pyqtgraph, which takes longest
LOOK_MS = 2500  # between two looks whether the search rests; the first comes long after the first figures
log = logging.getLogger(__name__)


def load_at_rest(parent: QObject, rests: Callable[[], bool], library: str = LIBRARY, look_ms: int = LOOK_MS) -> None:
    """Import ``library`` once ``rests`` says so; a room that needs it before imports it itself."""
    timer = QTimer(parent)

    def look() -> None:
        if rests():
            timer.stop()
            timer.deleteLater()
            run_task(parent, lambda: importlib.import_module(library), loaded, log.warning)

    def loaded(_: object) -> None:
        log.debug("%s is loaded", library)

    timer.timeout.connect(look)
    timer.start(look_ms)
