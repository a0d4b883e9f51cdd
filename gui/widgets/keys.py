"""Keys that a widget uses itself while it has the focus, whatever commands they have elsewhere."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
KEYPAD: Final = Qt.KeyboardModifier.KeypadModifier
ANY: Final = ~Qt.KeyboardModifier.NoModifier


def keeps_key(event: QEvent, keys: Collection[int], modifiers: Qt.KeyboardModifier = ANY) -> bool:
    """Whether an event asks who takes one of these keys; it is accepted, so that no command of the window runs."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.key() not in keys or event.modifiers() & ~modifiers:
        return False
    event.accept()
    return True
