"""Parts of a window that may wait for another look until they are shown.  Knows no look."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QDockWidget, QWidget

LATE: Final = "late"  # the property of such a part


def waits(part: QWidget) -> bool:
    """Whether a part need not be given a new look now: it is open and nothing of it is in sight."""
    if not part.property(LATE) or (isinstance(part, QDockWidget) and part.isHidden()):
        return False  # a closed dock is measured before it is shown
    return not part.isVisible() or part.visibleRegion().isEmpty()
