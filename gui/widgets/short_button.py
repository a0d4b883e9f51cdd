"""A button that shortens its text with an ellipsis when there is no room.  Knows only its text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from gui.widgets.text_size import px


class ShortButton(QToolButton):
    """A button that becomes narrower before the window does; ``text`` returns the whole text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.narrowest = 76  # px, at 100 %
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        return self._whole

    def setText(self, text: str) -> None:
        if text != self._whole:
            self._whole = text
            super().setText(text)
            self._shorten()

    def sizeHint(self) -> QSize:
        """Return the size with the whole text."""
        hint, metrics = super().sizeHint(), self.fontMetrics()
        hidden = metrics.horizontalAdvance(self._whole) - metrics.horizontalAdvance(super().text())
        return QSize(hint.width() + hidden, hint.height())

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        return QSize(min(whole.width(), px(self.narrowest)), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        lacking = max(0, ShortButton.sizeHint(self).width() - self.width())  # a subclass may return a larger hint
        metrics = self.fontMetrics()
        room = max(0, metrics.horizontalAdvance(self._whole) - lacking)
        shown = metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, room) if lacking else self._whole
        if shown != super().text():
            super().setText(shown)
