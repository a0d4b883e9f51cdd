"""The row of tabs above the board, one for each open document; hidden while there is only one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from gui.widgets.layouts import lay_row
from gui.widgets.texts import set_texts
from gui.widgets.theme import set_icon


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
        self.add = QToolButton(self)
        self.add.setObjectName("small")
        self.add.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.add.setIconSize(QSize(14, 14))
        set_icon(self.add, "add", "faint")
        set_texts(self.add, toolTip="Keep this tree and go on in a copy", accessibleName="Keep this tree")
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
        button = QToolButton(self.bar)
        button.setObjectName("small")
        button.setIconSize(QSize(10, 10))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_icon(button, "close", "faint")
        set_texts(button, toolTip="Close this tree", accessibleName="Close this tree")
        button.clicked.connect(lambda _=False: self._close_at(button.geometry().center()))
        return button

    def _close_at(self, point: QPoint) -> None:
        """Close the tab at a point of the bar."""
        if self.bar.tabAt(point) >= 0:
            self.closed.emit(self.bar.tabAt(point))
