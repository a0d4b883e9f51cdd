"""Imports the Training tab and the charts' library in the background while the search is idle.

The tab then opens at once.  An import creates no widgets, so it may run in a thread while the window stays responsive.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from gui.jobs.task import run_task
from gui.model.garbage import freeze_loaded

LIBRARY = "gui.rooms.training.tab"  # imports pyqtgraph, which takes longest
LOOK_MS = 2500  # interval between two checks whether the search is idle; the first is long after the first results
log = logging.getLogger(__name__)


def load_when_idle(
    parent: QObject, is_idle: Callable[[], bool], library: str = LIBRARY, look_ms: int = LOOK_MS
) -> None:
    """Import ``library`` once ``is_idle`` returns True; a room that needs it earlier imports it itself."""
    timer = QTimer(parent)

    def look() -> None:
        if is_idle():
            timer.stop()
            timer.deleteLater()
            run_task(parent, lambda: importlib.import_module(library), loaded, log.warning)

    def loaded(_: object) -> None:
        freeze_loaded(again=False)
        log.debug("%s is loaded", library)

    timer.timeout.connect(look)
    timer.start(look_ms)
