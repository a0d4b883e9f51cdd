"""Parts of a window whose style may be updated later, when they are shown."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QDockWidget, QWidget

LATE: Final = "late"  # property that marks such a part


def may_wait(part: QWidget) -> bool:
    """Whether a part's style can be updated later: it is open and entirely hidden."""
    if not part.property(LATE):
        return False
    if isinstance(part, QDockWidget) and part.isHidden():
        return part.widget() is None  # a closed dock with something in it is measured before it is shown
    return not part.isVisible() or part.visibleRegion().isEmpty()
