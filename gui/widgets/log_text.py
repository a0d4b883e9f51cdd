"""Lines of a log to read and copy."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.model.timers import make_timer
from gui.widgets.text_size import fixed_font

LOOK_MS: Final = 300


class LogText(QPlainTextEdit):
    """The last ``most`` lines; asks for new ones only while it is visible."""

    lines_due = Signal()

    def __init__(self, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("log")
        self.setReadOnly(True)
        self.setMaximumBlockCount(most)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fixed_font())
        self._looking = make_timer(self, LOOK_MS, self.lines_due)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._looking.start()
        self.lines_due.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._looking.stop()
