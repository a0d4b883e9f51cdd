"""Input events as the platform sends them, for the soak's random user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QWidget
from shiboken6 import isValid


def target_of(widget: QWidget, point: QPoint) -> tuple[Any, QPoint]:
    """Return the receiver of an event at a point of a widget, as from the platform, and the point in its coordinates.

    For the main window it is the native window.  Menus and dialogs receive events themselves: their windows come and
    go, and PySide may return one that is already deleted.
    """
    top = widget.window()
    window = top.windowHandle() if isinstance(top, QMainWindow) else None
    if window is None:
        return widget, point
    return window, widget.mapTo(top, point) if top is not widget else point


# A press may close its target, and QTest's own clicks do not check that before they send the release.


def mouse(
    target: Any, button: Qt.MouseButton, modifier: Qt.KeyboardModifier, points: Sequence[QPoint], times: int = 1
) -> None:
    """Press at the first point, move along the others and release at the last."""
    kinds = QTest.MouseAction
    events = [
        (kinds.MousePress, points[0]),
        *((kinds.MouseMove, point) for point in points[1:]),
        (kinds.MouseRelease, points[-1]),
    ]
    for kind, point in events * times:
        if isValid(target):
            QTest.mouseEvent(kind, target, button, modifier, point)


def press(target: Any, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    for kind in (QTest.KeyAction.Press, QTest.KeyAction.Release):
        if isValid(target):
            QTest.keyEvent(kind, target, key, modifier)


def nearest(point: QPoint, box: QRect) -> QPoint:
    return QPoint(max(0, min(box.right(), point.x())), max(0, min(box.bottom(), point.y())))


def name_of(widget: QWidget | None) -> str:
    if widget is None:
        return "nothing"
    words = widget.objectName() or widget.accessibleName()
    return f"{type(widget).__name__} {words!r}" if words else type(widget).__name__
