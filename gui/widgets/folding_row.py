"""A row of controls in two parts: side by side, or stacked when there is no room.  Knows no control."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QWidget


class FoldingRow(QWidget):
    """Add controls to ``left`` and ``right``; the minimum width is that of the wider part."""

    def __init__(self, parent: QWidget | None = None, apart: int = 8) -> None:
        super().__init__(parent)
        self._lines = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(apart)
        self.left, self.right = QHBoxLayout(), QHBoxLayout()
        for part in (self.left, self.right):
            part.setContentsMargins(0, 0, 0, 0)
            self._lines.addLayout(part)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_stretch(self, left: int, right: int) -> None:
        """Set how the parts share the remaining room while side by side."""
        self._lines.setStretchFactor(self.left, left)
        self._lines.setStretchFactor(self.right, right)

    @property
    def folded(self) -> bool:
        return self._lines.direction() == QBoxLayout.Direction.TopToBottom

    def _widths(self) -> tuple[int, int]:
        return self.left.minimumSize().width(), self.right.minimumSize().width()

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def event(self, event: QEvent) -> bool:
        result = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return result

    def _fold(self) -> None:
        folded = sum(self._widths()) + self._lines.spacing() > self.width()
        if folded != self.folded:
            direction = QBoxLayout.Direction.TopToBottom if folded else QBoxLayout.Direction.LeftToRight
            self._lines.setDirection(direction)
            self.updateGeometry()
