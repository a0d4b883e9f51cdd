"""Fits windows to their screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyle, QWidget

LEAST_FRAME = 2  # px on either side of a window whose frame is not known yet


def room_on_screen(window: QWidget) -> QSize:
    """Return the largest size of a window on its screen without its frame, which is estimated until it is shown."""
    frame = window.frameGeometry().size() - window.size()
    if frame.isNull():
        frame = QSize(2 * LEAST_FRAME, window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
    return window.screen().availableGeometry().size() - frame


def fit_screen(window: QWidget) -> None:
    """Shrink a window to its screen if necessary, and move it completely into view."""
    if window.isMaximized() or window.isFullScreen():
        return
    size = window.size().boundedTo(room_on_screen(window))
    if size != window.size():
        window.resize(size)
    screen, frame = window.screen().availableGeometry(), window.frameGeometry()
    left = max(screen.left(), min(frame.left(), screen.right() - frame.width()))
    top = max(screen.top(), min(frame.top(), screen.bottom() - frame.height()))
    if (left, top) != (frame.left(), frame.top()):
        window.move(left, top)
