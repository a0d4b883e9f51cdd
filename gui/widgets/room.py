"""Scroll areas for widgets that may need more room than there is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from core.text import Words
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts

LEAST = 170, 60  # px, minimum size of a widget that wants at least as much


def scroll_down(body: QWidget, parent: QWidget, name: Words) -> QScrollArea:
    """Return a view of ``body``, as wide as the view, that scrolls up and down; ``name``: for screen readers."""
    area = set_texts(QScrollArea(parent), accessibleName=name)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    hold(area, body)
    return area


def hold(area: QScrollArea, body: QWidget) -> None:
    """Let an area show ``body`` in its own width, without a frame, on the ground behind it."""
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(body)
    area.viewport().setAutoFillBackground(False)
    body.setAutoFillBackground(False)  # setWidget turns it on


class Room(QScrollArea):
    """Holds one widget and scrolls it, so that it cannot make the window larger than the screen.

    A widget made as a child of the viewport is held without another parent, which would style its children again.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCornerWidget(QWidget(self))  # else the style paints the corner between the bars

    def hold(self, widget: QWidget) -> None:
        """Take the widget; called once."""
        policy = widget.sizePolicy()
        if policy.verticalPolicy() == QSizePolicy.Policy.Fixed:  # it may become lower, never higher
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
        """Give the widget all the room there is, or its minimum size.

        Qt's own resizing uses the height that wrapped texts prefer and scrolls a widget that could be lower.
        """
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
        """Return the smallest size at which nothing has to scroll."""
        widget = self.widget()
        return QSize(0, 0) if widget is None else widget.minimumSizeHint().expandedTo(widget.minimumSize())

    def minimumSizeHint(self) -> QSize:
        """Return the widget's minimum size, bounded for small screens."""
        return self.unscrolled().boundedTo(QSize(px(LEAST[0]), px(LEAST[1])))
