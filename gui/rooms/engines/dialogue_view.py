"""The dialogue with an outside engine, line by line with the time of each.  Knows lines of a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from gui.widgets.log_text import LogText
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from models.engines.process import Line

KEPT: Final = 2000  # lines


class DialogueView(LogText):
    """Follows the dialogue while it is visible."""

    def __init__(self, read: Callable[[], Sequence[Line]], parent: QWidget | None = None) -> None:
        super().__init__(KEPT, parent)
        self._read = read
        self._last: Line | None = None
        self.wanted.connect(self.look)
        set_texts(self, accessibleName="Dialogue with the engine", placeholderText="Nothing was said yet.")

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
