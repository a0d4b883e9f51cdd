"""Brings a theme to a window part by part; hidden parts that may wait get it when they are shown.

Qt reads the sheet again for each part, 0.6 ms, and checks every widget in it, 0.1 ms each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt
from PySide6.QtWidgets import QSplitterHandle, QWidget

from gui.widgets.text_size import fit_late, may_wait
from gui.widgets.theme import recolour


class Dressing(QObject):
    """The style sheet of the parts in ``frames``: the direct children of a frame that are not frames themselves.

    The gaps of a splitter paint themselves without one.
    """

    def __init__(self, frames: Sequence[QWidget], parent: QObject) -> None:
        super().__init__(parent)
        self._frames = tuple(frames)
        self._sheet = ""
        for frame in self._frames:
            frame.installEventFilter(self)

    def set_sheet(self, sheet: str) -> None:
        """Set another style sheet, at once for all parts except those that may wait."""
        self._sheet = sheet
        for part in self._parts():
            part.installEventFilter(self)
            if not _waits(part):
                self.dress(part)

    def dress(self, part: QWidget) -> None:
        """Apply the style sheet and the matching colours and sizes to a part, unless it has them."""
        if part.styleSheet() != self._sheet:
            part.setStyleSheet(self._sheet)
            recolour(part)
            fit_late(part)

    def _parts(self) -> Iterator[QWidget]:
        for frame in self._frames:
            for child in frame.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
                if child not in self._frames and not isinstance(child, QSplitterHandle):
                    yield child

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ChildPolished and watched in self._frames:
            child = event.child() if isinstance(event, QChildEvent) else None
            if isinstance(child, QSplitterHandle):
                return False
            if isinstance(child, QWidget) and child not in self._frames and child.parent() is watched:
                child.installEventFilter(self)
                if not _waits(child):
                    self.dress(child)
        elif kind == QEvent.Type.Show and isinstance(watched, QWidget) and watched not in self._frames:
            if watched.parent() in self._frames:
                self.dress(watched)
            elif watched.styleSheet():  # it was moved into a part
                watched.setStyleSheet("")
        return False


def _waits(part: QWidget) -> bool:
    """Whether a part gets the sheet when it is shown."""
    return part.isHidden() or may_wait(part)
