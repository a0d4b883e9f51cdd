"""Parts of a window that may wait for another look until they are shown.  Knows no look."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

LATE: Final = "late"  # the property of such a part


def waits(part: QWidget) -> bool:
    """Whether a part need not be given a new look now: it may wait and nothing of it is in sight."""
    return bool(part.property(LATE)) and not (part.isVisible() and not part.visibleRegion().isEmpty())
