"""An area of the desk: rooms behind one another, with their tabs above."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QTabBar, QToolButton, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.shell.dock import Dock
from gui.widgets.dressing import hold_parts
from gui.widgets.labels import icon_button, repolish
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts

OUTSIDE = 14  # px by which a tab is dragged out of its bar before it leaves the area


class RoomTabs(QTabBar):
    """Tabs that can be put in another order, or dragged out of the bar."""

    dragged = Signal(QPoint)  # the point of the screen; a null point once the tab is back in its bar
    dropped = Signal(QPoint)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("room_tabs")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        set_texts(self, accessibleName="Rooms")
        self._held = self._outside = False

    def minimumSizeHint(self) -> QSize:
        """Return room for one short title; the others are reached by the buttons at its end."""
        return QSize(px(90), super().minimumSizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._held = event.button() == Qt.MouseButton.LeftButton and self.tabAt(event.position().toPoint()) >= 0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._held:
            super().mouseMoveEvent(event)
            return
        at = event.position().toPoint()
        was_outside = self._outside
        self._outside = not self.rect().adjusted(-OUTSIDE, -OUTSIDE, OUTSIDE, OUTSIDE).contains(at)
        if self._outside:
            self.dragged.emit(event.globalPosition().toPoint())
            return
        if was_outside:
            self.dragged.emit(QPoint())
        shown, place = self.currentIndex(), self.tabAt(at)
        if place >= 0 and place != shown:
            middle = self.tabRect(place).center().x()
            if (at.x() > middle) if place > shown else (at.x() < middle):
                self.moveTab(shown, place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        outside, self._held, self._outside = self._outside, False, False
        if outside:
            self.dragged.emit(QPoint())
            self.dropped.emit(event.globalPosition().toPoint())


class Area(QWidget):
    """Rooms of which one is in front; hidden while there is none."""

    changed = Signal()  # another room is in front, or it wants another size
    float_requested = Signal(str)  # the name of a room
    hide_requested = Signal(str)
    menu_requested = Signal(str, QPoint)
    dragged = Signal(QPoint)
    dropped = Signal(str, QPoint)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.docks: list[Dock] = []
        self.front: Dock | None = None
        self._natural_size = QSize()
        self.head = QFrame(self)
        self.head.setProperty("look", "dock_title")
        self.head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tabs = RoomTabs(self.head)
        self._line = lay_row(self.tabs, of=self.head, margins=(6, 4, 5, 1), spacing=2)
        self.float_button = self._button("float", "In a window of its own", self.float_requested.emit)
        self.close_button = self._button("close", "Hide the room", self.hide_requested.emit)
        self._column = lay_column(self.head, of=self, margins=0, spacing=0)
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.tabMoved.connect(lambda old, new: self.docks.insert(new, self.docks.pop(old)))
        self.tabs.tabBarDoubleClicked.connect(lambda place: self.float_requested.emit(self._name(place)))
        self.tabs.customContextMenuRequested.connect(self._ask_menu_of_tab)
        self.tabs.dragged.connect(self.dragged)
        self.tabs.dropped.connect(lambda at: self.dropped.emit(self._name(), at))
        self.head.customContextMenuRequested.connect(
            lambda at: self.menu_requested.emit(self._name(), self.head.mapToGlobal(at))
        )
        on_language(self, self._name_tabs)
        self.hide()

    def _button(self, drawing: str, tip: Words, run: Callable[[str], object]) -> QToolButton:
        def clicked() -> None:  # perhaps while the last room is being taken out
            if self.front is not None:
                run(self.front.row.name)

        button = icon_button(self.head, drawing, tip, "small", 14, "faint")
        button.clicked.connect(clicked)
        self._line.addWidget(button)
        return button

    def _name(self, place: int = -1) -> str:
        """Return the name of the room at a place of the tabs, or in front."""
        dock = self.docks[place] if place >= 0 else self.front
        return "" if dock is None else dock.row.name

    def _name_tabs(self) -> None:
        for place, dock in enumerate(self.docks):
            self.tabs.setTabText(place, core_text(dock.row.title))

    def _ask_menu_of_tab(self, at: QPoint) -> None:
        self.menu_requested.emit(self._name(self.tabs.tabAt(at)), self.tabs.mapToGlobal(at))

    # rooms

    def add(self, dock: Dock) -> None:
        """Take a room, behind the others."""
        dock.hide()
        self._column.addWidget(dock, 1)
        self._line.insertWidget(1, dock.heading, 1)
        self.docks.append(dock)
        self.tabs.blockSignals(True)
        self.tabs.addTab(core_text(dock.row.title))
        self.tabs.blockSignals(False)
        self._renew()

    def remove(self, dock: Dock) -> None:
        """Give a room away; the one that takes its place comes in front."""
        place = self.docks.index(dock)
        self.docks.remove(dock)
        self.tabs.blockSignals(True)
        self.tabs.removeTab(place)
        self.tabs.blockSignals(False)
        dock.hide()
        dock.heading.hide()
        self._column.removeWidget(dock)
        self._line.removeWidget(dock.heading)
        if dock is self.front:
            self.front = None
        self._renew()

    def put_in_order(self, docks: Sequence[Dock]) -> None:
        """Put the tabs in the order of these rooms."""
        self.tabs.blockSignals(True)
        for place, dock in enumerate(docks):
            self.tabs.moveTab(self.docks.index(dock), place)
            self.docks.remove(dock)
            self.docks.insert(place, dock)
        self.tabs.blockSignals(False)

    def bring_forward(self, dock: Dock) -> None:
        """Show this room of the area."""
        if dock is not self.front:
            before, self.front = self.front, dock
            self.tabs.blockSignals(True)
            self.tabs.setCurrentIndex(self.docks.index(dock))
            self.tabs.blockSignals(False)
            if before is not None:
                before.hide()
                before.heading.hide()
            dock.heading.show()
            if self.isVisible():  # it is as large as it wants to be when it is first seen
                dock.fill()
                self.changed.emit()
            dock.show()
        self.show()
        self.changed.emit()

    def _turn(self, place: int) -> None:
        if 0 <= place < len(self.docks):
            self.bring_forward(self.docks[place])

    def _renew(self) -> None:
        """Show what follows from the number of rooms."""
        self.tabs.setProperty("single", len(self.docks) == 1)
        repolish(self.tabs)
        if not self.docks:
            self.hide()

    # sizes

    @property
    def natural_size(self) -> QSize:
        """The smallest size at which nothing of the room in front has to scroll, nor sideways in any other.

        As wide for each of its rooms: turning to another one moves nothing beside the area.
        """
        height = 0 if self.front is None else self.front.natural_size.height()
        width = max((dock.natural_size.width() for dock in self.docks), default=0)
        return QSize(width, height + self.head.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if (
            event.type() == QEvent.Type.LayoutRequest
            and self.front is not None
            and self.natural_size != self._natural_size
        ):
            self._natural_size = self.natural_size
            self.changed.emit()
        return handled


class RoomWindow(Area):
    """A window of its own for one room; closing it gives the room back."""

    closed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        hold_parts(self)
        self.setWindowFlags(Qt.WindowType.Tool)  # so that the keys of the main window work in it
        self.float_button.hide()
        self.close_button.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if self.front is not None:
            self.closed.emit(self.front.row.name)
