"""Imports the rooms of the other workspaces in the background while the search is idle.

They then open at once.  An import creates no widgets, so it may run in a thread while the window stays responsive.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from gui.jobs.task import run_task
from gui.model.garbage import freeze_loaded

ROOMS = (
    "gui.rooms.training.tab",
    "gui.rooms.what_if.what_if",
    "gui.rooms.opponents.play_view",
    "gui.rooms.opponents.second_opinion",
    "gui.rooms.why.why",
)
LOOK_MS = 2500  # interval between two checks whether the search is idle; the first is long after the first results
log = logging.getLogger(__name__)


def load_when_idle(
    parent: QObject, is_idle: Callable[[], bool], modules: Sequence[str] = ROOMS, look_ms: int = LOOK_MS
) -> None:
    """Import ``modules`` once ``is_idle`` returns True; a room that is shown earlier imports them itself."""
    timer = QTimer(parent)

    def look() -> None:
        if is_idle():
            timer.stop()
            timer.deleteLater()
            run_task(parent, lambda: [*map(importlib.import_module, modules)], loaded, log.warning)

    def loaded(_: object) -> None:
        freeze_loaded(again=False)
        log.debug("%s are loaded", ", ".join(modules))

    timer.timeout.connect(look)
    timer.start(look_ms)
