"""Room for a widget that may need more than there is: then it is scrolled.  Knows sizes alone."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from gui.widgets.text_size import px

LEAST = 200, 60  # px that a widget keeps at least, where it wants as much


class Room(QScrollArea):
    """Holds one widget, so that it cannot make the window larger than the screen."""

    def __init__(self, widget: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = widget.sizePolicy()
        if policy.verticalPolicy() == QSizePolicy.Policy.Fixed:  # it may be lower, never higher
            policy.setVerticalPolicy(QSizePolicy.Policy.Maximum)
        self.setSizePolicy(policy)
        self.setWidget(widget)
        self.viewport().setAutoFillBackground(False)
        widget.setAutoFillBackground(False)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._give_size()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_size()

    def _give_size(self) -> None:
        """All the room there is, or the least the widget needs.  What Qt does of itself goes by the height that wrapped
        texts would like and scrolls a widget that could be lower."""
        widget = self.widget()
        if widget is None:
            return
        least, room = self.unscrolled(), self.maximumViewportSize()
        across, down = least.width() > room.width(), least.height() > room.height()
        if across:
            room.setHeight(room.height() - self.horizontalScrollBar().sizeHint().height())
        if down or (across and least.height() > room.height()):
            room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
        if widget.size() != room.expandedTo(least):
            widget.resize(room.expandedTo(least))

    def sizeHint(self) -> QSize:
        widget = self.widget()
        return self.unscrolled() if widget is None else widget.sizeHint().expandedTo(self.unscrolled())

    def unscrolled(self) -> QSize:
        """The least size in which the widget is wholly in sight."""
        widget = self.widget()
        return QSize(0, 0) if widget is None else widget.minimumSizeHint().expandedTo(widget.minimumSize())

    def minimumSizeHint(self) -> QSize:
        """The least of the widget, as far as a small screen has room for it."""
        return self.unscrolled().boundedTo(QSize(px(LEAST[0]), px(LEAST[1])))
