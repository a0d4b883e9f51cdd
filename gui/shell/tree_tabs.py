"""The row of tabs above the board, one for each open document; hidden while there is only one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from gui.widgets.labels import icon_button
from gui.widgets.layouts import lay_row
from gui.widgets.texts import set_texts


class _Bar(QTabBar):
    """Tabs that are closed with the middle button, too."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton and self.tabAt(event.position().toPoint()) >= 0:
            self.tabCloseRequested.emit(self.tabAt(event.position().toPoint()))
        else:
            super().mouseReleaseEvent(event)


class TreeTabs(QWidget):
    """The tabs, and a button that keeps the tree shown and goes on in a copy."""

    closed = Signal(int)  # place of the tab that is to be closed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = set_texts(_Bar(self), accessibleName="Open trees")
        self.bar.setObjectName("trees")
        self.bar.setMovable(True)
        self.bar.setExpanding(False)
        self.bar.setDrawBase(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.bar.setUsesScrollButtons(True)
        self.bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.add = icon_button(self, "add", "Keep this tree and go on in a copy", "small", 14, "faint")
        self.bar.tabCloseRequested.connect(self.closed)
        lay_row(self.bar, self.add, 1, of=self, margins=(10, 4, 10, 0), spacing=2)
        self.hide()

    def set_count(self, count: int) -> None:
        """Add or remove tabs at the end."""
        while self.bar.count() > count:
            self.bar.removeTab(self.bar.count() - 1)
        while self.bar.count() < count:
            self.bar.addTab("")
            self.bar.setTabButton(self.bar.count() - 1, QTabBar.ButtonPosition.RightSide, self._close_button())

    def _close_button(self) -> QToolButton:
        button = icon_button(self.bar, "close", "Close this tree", "small", 10, "faint")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda _=False: self._close_at(button.geometry().center()))
        return button

    def _close_at(self, point: QPoint) -> None:
        """Close the tab at a point of the bar."""
        if self.bar.tabAt(point) >= 0:
            self.closed.emit(self.bar.tabAt(point))
