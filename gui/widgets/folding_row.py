"""A row of controls in parts: side by side, or stacked as far as there is no room."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from gui.widgets.layouts import lay_row


class FoldingRow(QWidget):
    """Add controls to ``left`` and ``right``; the minimum width is that of the wider part.

    The right part may be a row of its own, which folds when it has no room even below the left one.
    """

    def __init__(self, parent: QWidget | None = None, apart: int = 8, spare: Callable[[], int] = int) -> None:
        """``apart``: px between the parts; ``spare``: px that they need side by side beyond their least widths."""
        super().__init__(parent)
        self._spare = spare
        self._lines = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(apart)
        self.left, self.right = lay_row(margins=0), lay_row(margins=0)
        for part in (self.left, self.right):
            self._lines.addLayout(part)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._inner: FoldingRow | None = None

    def fold_right(self) -> FoldingRow:
        """Make the right part a row that folds by itself; return it.  Called once, before controls are added."""
        self._inner = FoldingRow(self, self._lines.spacing())
        self.right.addWidget(self._inner)
        return self._inner

    def set_stretch(self, left: int, right: int) -> None:
        """Set how the parts share the remaining room while side by side."""
        self._lines.setStretchFactor(self.left, left)
        self._lines.setStretchFactor(self.right, right)

    @property
    def folded(self) -> bool:
        return self._lines.direction() == QBoxLayout.Direction.TopToBottom

    def _widths(self) -> tuple[int, int]:
        """Return the least widths of the parts, neither folded, in px."""
        inner = self._inner
        right = self.right.minimumSize().width() if inner is None else inner._unfolded()
        return self.left.minimumSize().width(), right

    def _unfolded(self) -> int:
        return sum(self._widths()) + self._lines.spacing() + self._spare()

    def minimumSizeHint(self) -> QSize:
        left, right = self._widths()
        least = right if self._inner is None else self._inner.minimumSizeHint().width()
        return QSize(max(left, least), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def event(self, event: QEvent) -> bool:
        result = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold()
        return result

    def _fold(self) -> None:
        folded = self._unfolded() > self.width()
        if folded != self.folded:
            direction = QBoxLayout.Direction.TopToBottom if folded else QBoxLayout.Direction.LeftToRight
            self._lines.setDirection(direction)
            self.updateGeometry()
