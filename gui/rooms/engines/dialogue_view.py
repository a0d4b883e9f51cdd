"""The dialogue with an outside engine, line by line with the time of each.  Knows lines of a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.model.timers import make_timer
from gui.widgets.text_size import fixed_font
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from models.engines.process import Line

KEPT: Final = 2000  # lines
LOOK_MS: Final = 300


class DialogueView(QPlainTextEdit):
    """Follows the dialogue while it is visible."""

    def __init__(self, read: Callable[[], Sequence[Line]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read = read
        self._last: Line | None = None
        self.setObjectName("log")
        self.setReadOnly(True)
        self.setMaximumBlockCount(KEPT)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fixed_font())
        set_texts(self, accessibleName="Dialogue with the engine", placeholderText="Nothing was said yet.")
        self._looking = make_timer(self, LOOK_MS, self.look)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._looking.start()
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._looking.stop()

    def look(self) -> None:
        """Append the lines said since the last call; those of another dialogue replace them."""
        lines = self._read()
        last = lines[-1] if lines else None
        if last is self._last:
            return
        known = next((place for place in range(len(lines) - 1, -1, -1) if lines[place] is self._last), -1)
        if known < 0:
            self.clear()
        self._last = last
        if lines:
            from models.engines.process import line_text

            self.appendPlainText("\n".join(map(line_text, lines[known + 1 :])))
