"""Brings a theme to a window part by part; hidden parts get it when they are shown.

Qt reads the sheet again for each part, 0.6 ms, and checks every widget in it, 0.1 ms each.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt
from PySide6.QtWidgets import QSplitterHandle, QWidget

from gui.widgets.text_size import LATE, fit_late
from gui.widgets.theme import recolour

_FRAME: Final = "frame"  # property of what holds parts
_TURN: Final = "dressed"  # property of a frame: the number of the style sheet that it has


def hold_parts(*frames: QWidget) -> None:
    """Let the widgets directly in each of these wait for the theme and the text size while they are hidden.

    A frame has no style sheet itself: it paints what it shows without one.  All that it stands in has to be frames.
    """
    for frame in frames:
        frame.setProperty(_FRAME, True)


class Dressing(QObject):
    """The style sheet of the parts of a window: the widgets directly in a frame that are not frames themselves.

    The gaps of a splitter paint themselves without one.
    """

    def __init__(self, window: QWidget, parent: QObject) -> None:
        """``window``: a frame, with frames in it."""
        super().__init__(parent)
        self._window = window
        self._sheet = ""
        self._turn = 0

    def set_sheet(self, sheet: str) -> None:
        """Set another style sheet, at once for all parts except those that are hidden."""
        self._sheet = sheet
        self._turn += 1
        self.dress(self._window)

    def dress(self, part: QWidget) -> None:
        """Apply the style sheet and the matching colours and sizes to a part, unless it has them; to a frame's parts
        as they are shown."""
        if _is_frame(part):
            self._dress_frame(part)
        elif part.styleSheet() != self._sheet:
            part.setStyleSheet(self._sheet)
            recolour(part)
        fit_late(part)

    def _dress_frame(self, frame: QWidget) -> None:
        frame.installEventFilter(self)
        if frame.property(_TURN) != self._turn:
            frame.setProperty(_TURN, self._turn)
            recolour(frame, within=False)
        for child in frame.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._take(child)

    def _take(self, child: QWidget) -> None:
        """Dress a widget in a frame, now or when it is shown."""
        if isinstance(child, QSplitterHandle):
            return
        child.installEventFilter(self)
        child.setProperty(LATE, True)
        if not child.isHidden():
            self.dress(child)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ChildPolished and _is_frame(watched):
            child = event.child() if isinstance(event, QChildEvent) else None
            if isinstance(child, QWidget) and child.parent() is watched:
                self._take(child)
        elif kind == QEvent.Type.Show and isinstance(watched, QWidget) and watched is not self._window:
            if _is_frame(watched.parent()):
                self.dress(watched)
            else:  # it was moved into a part
                if watched.styleSheet():
                    watched.setStyleSheet("")
                fit_late(watched)
        return False


def _is_frame(widget: QObject | None) -> bool:
    return widget is not None and bool(widget.property(_FRAME))
