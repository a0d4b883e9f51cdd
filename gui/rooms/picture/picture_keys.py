"""The keys of a tree's picture, as tables.  Knows no picture."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

WALKS: Final = {
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Home: "home",
}
FOLDS: Final = {Qt.Key.Key_Plus: False, Qt.Key.Key_Equal: False, Qt.Key.Key_Minus: True}
OTHERS: Final = (Qt.Key.Key_I, Qt.Key.Key_O, Qt.Key.Key_P, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PLAIN: Final = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def is_own(event: QEvent) -> bool:
    """Whether the event would make a shortcut of a key that belongs to the picture while it has the focus."""
    return (
        event.type() == QEvent.Type.ShortcutOverride
        and isinstance(event, QKeyEvent)
        and not event.modifiers() & ~_PLAIN
        and (event.key() in WALKS or event.key() in FOLDS or event.key() in OTHERS)
    )
