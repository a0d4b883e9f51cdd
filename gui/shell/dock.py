"""One dock: a card with a heading to drag it by, created from a table row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.text import Text, Words
from gui.language.language import mark, tr
from gui.widgets.labels import ShortLabel
from gui.widgets.parts import Made
from gui.widgets.room import Room
from gui.widgets.text_size import LATE, fit
from gui.widgets.texts import TextSource, set_texts, source_text
from gui.widgets.theme import set_icon

RIGHT, BOTTOM, LEFT = (
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
    Qt.DockWidgetArea.LeftDockWidgetArea,
)


@dataclass(frozen=True)
class Part:
    """One part of a room of several (gui.widgets.parts); ``keys`` show the room at it, or hide it again."""

    name: str
    title: Words
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One row of the table of docks.

    ``area``: RIGHT, BOTTOM or LEFT.  ``place``: ("below" | "beside" | "behind", name of a dock in an earlier row), the
    initial place; ("", "") starts the area.  ``shown``: whether it is open initially.  ``keys``: shortcuts that show
    and hide it.  ``late``: its widget needs the engine, which is loaded after the window is shown.  ``heading``: what
    stands above it where that is more than its title.  ``parts``: those of a room that has several.
    """

    name: str
    title: Words
    area: Qt.DockWidgetArea
    shown: bool
    place: tuple[str, str] = ("", "")
    keys: tuple[str, ...] = ()
    late: bool = False
    heading: Words = ""
    parts: tuple[Part, ...] = ()


MakeRoom = Callable[[str], Made]  # makes the contents of a dock by the name of its row


def first_of(row: Row, rows: Iterable[Row]) -> str:
    """Return the name of the dock behind which this one and others are placed; its own where it stands alone."""
    named = {one.name: one for one in rows}
    while row.place[0] == "behind":
        row = named[row.place[1]]
    return row.name


class Dock(QDockWidget):
    """A card with a heading to drag it by, and the row's widget; all of it is made when it is first shown."""

    furnished = Signal()  # it is about to get its heading and its body
    resized = Signal()
    picture_wanted = Signal()  # the user wants to save a picture of it

    def __init__(self, row: Row, make_room: MakeRoom, parent: QWidget) -> None:
        super().__init__(parent)
        set_texts(self, windowTitle=row.title)
        self.setObjectName(row.name)
        self.setProperty(LATE, True)
        self.row = row
        self.widget_made: QWidget | None = None
        self._waits = row.late
        self._make_room = make_room
        self.heading = ShortLabel(self)
        self.heading.setObjectName("heading")
        self._moment = ""
        self.set_title(row.heading or row.title)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(2, 0, 2, 2)
        self._column.setSpacing(0)

    def furnish(self) -> None:
        """Create the heading's buttons and the body, unless they are there."""
        if self.widget() is not None:
            return
        self.furnished.emit()
        self._float = self._button("float", mark("Float or dock"), lambda: self.setFloating(not self.isFloating()))
        self._close = self._button("close", Text("Hide {title}", title=Text(self.row.title)), self.hide)
        self.setTitleBarWidget(self._title_bar())
        body = QFrame(self)
        body.setObjectName("dock_body")
        body.setLayout(self._column)
        self.setWidget(body)
        for part in (self.titleBarWidget(), body):
            fit(part)

    def set_title(self, title: TextSource) -> None:
        """Set the text of the heading."""
        self._title = title
        set_texts(self.heading, text=self._heading)

    def set_moment(self, words: str) -> None:
        """Set the earlier moment that the heading names before its title; "" for the present."""
        self._moment = words
        set_texts(self.heading, text=self._heading)

    def _heading(self) -> str:
        title = source_text(self._title)
        return f"{self._moment} · {title}" if self._moment else title

    def _title_bar(self) -> QFrame:
        bar = QFrame(self)
        bar.setObjectName("dock_title")
        line = QHBoxLayout(bar)
        line.setContentsMargins(12, 5, 5, 2)
        line.setSpacing(0)
        line.addWidget(self.heading, 1)
        line.addWidget(self._float)
        line.addWidget(self._close)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        bar.customContextMenuRequested.connect(lambda at: self._offer_picture(bar.mapToGlobal(at)))
        return bar

    def _offer_picture(self, at: QPoint) -> None:
        """Show the menu of the heading at a point of the screen."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Copy a picture")).triggered.connect(
            lambda: QGuiApplication.clipboard().setPixmap(self.picture())
        )
        menu.addAction(tr("Save a picture…")).triggered.connect(self.picture_wanted)
        menu.popup(at)

    def picture(self) -> QPixmap:
        """The contents as a picture, without the heading."""
        return self.fill().grab()

    def _button(self, drawing: str, tip: str, run: Callable[[], object]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("small")
        set_icon(button, drawing, "faint")
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_texts(button, toolTip=tip, accessibleName=tip)
        button.clicked.connect(lambda _=False: run())
        return button

    def fill(self) -> QWidget:
        """Return its widget, created at the first call."""
        self.furnish()
        if self.widget_made is None:
            widget, connect = self._make_room(self.row.name)
            self.widget_made = widget
            held: QWidget = widget
            if not isinstance(widget, QAbstractScrollArea):
                held = Room(self.widget())
                held.hold(widget)
            self._column.addWidget(held, 1)
            if widget.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Fixed:  # more height would stay empty
                self._column.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
            held.show()
            widget.show()
            if connect is not None:
                connect(widget)
            fit(widget)
            held.updateGeometry()  # a least width set by fit does not reach the layouts by itself
        return self.widget_made

    def let_in(self) -> None:
        """Create its widget from now on when it is shown, at once if it is."""
        self._waits = False
        if self.isVisible():
            self.fill()

    def settle(self) -> None:
        """Apply the widget's size limits now rather than in the event loop."""
        layout = self.layout()
        assert layout is not None
        self._column.activate()
        layout.activate()

    @property
    def unscrolled(self) -> int:
        """The smallest height at which nothing has to scroll."""
        held = self.widget_made.parentWidget() if self.widget_made is not None else None
        room = held.parentWidget() if held is not None else None
        if not isinstance(room, Room):
            return 0
        bar, margins = self.titleBarWidget(), self._column.contentsMargins()
        return room.unscrolled().height() + bar.sizeHint().height() + margins.top() + margins.bottom() + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def showEvent(self, event: QShowEvent) -> None:
        self.furnish()
        if not self._waits:
            self.fill()
        super().showEvent(event)
