"""An area of docks about the board: cards that move, float, stand behind one another and are remembered.

Knows rows of a table (gui/shell/docks.py) and no view: what a row makes is made when its dock is first shown.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QByteArray, QChildEvent, QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLayout,
    QMainWindow,
    QSizePolicy,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.language.language import tr
from gui.widgets.labels import ShortLabel
from gui.widgets.late import LATE
from gui.widgets.room import Room
from gui.widgets.screen import room_on_screen
from gui.widgets.text_size import SIZES, fit, px
from gui.widgets.theme import DARK, Theme, icon

RIGHT, BOTTOM, LEFT = (
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
    Qt.DockWidgetArea.LeftDockWidgetArea,
)
DOCKS_SHARE = 0.55  # of the width, at first
UPPER_SHARE = 0.44  # of the height, to the first of two docks above one another
GAP = 8  # px between cards
MOST_TAKEN = 0.5  # of the height, for a dock that opens
NARROW_BOARD = 440  # px the board keeps where a column of docks opens
# Of those between the docks; another style sheet here would have Qt look at all that is in the docks.
SEPARATORS = "\n".join(
    (
        "QMainWindow::separator { background: transparent; }",
        "QMainWindow::separator:hover { background: palette(mid); }",
        *(
            f'QMainWindow[gap="{gap}"]::separator {{ width: {gap}px; height: {gap}px; }}'
            for gap in (round(GAP * size / 100) for size in SIZES)
        ),
    )
)


@dataclass(frozen=True)
class Row:
    """One dock.

    ``area``: one of RIGHT, BOTTOM, LEFT.  ``place``: ("below" | "beside" | "behind", the name of a dock in an earlier
    row), where it stands at first; ("", "") starts the area.  ``shown``: at first.  ``keys``: those that show and hide
    it.
    """

    name: str
    title: str
    area: Qt.DockWidgetArea
    shown: bool
    place: tuple[str, str] = ("", "")
    keys: tuple[str, ...] = ()


class Rooms(Protocol):
    """Makes what the docks hold, by the name of a row."""

    def make(self, name: str) -> QWidget:
        """The widget; one with ``set_theme(theme)`` is given every theme."""

    def connect(self, name: str, widget: QWidget) -> None:
        """Join a new widget to the model and show its present state."""


class Dock(QDockWidget):
    """A card with a heading to be dragged by, and the row's widget once it has been shown."""

    def __init__(self, row: Row, rooms: Rooms, parent: QWidget) -> None:
        super().__init__(tr(row.title), parent)
        self.setObjectName(row.name)
        self.setProperty(LATE, True)
        self.row = row
        self.widget_made: QWidget | None = None
        self._rooms = rooms
        self._theme = DARK
        self.heading = ShortLabel(self)
        self.heading.setObjectName("heading")
        self.heading.setText(tr(row.title))
        self._float = self._button(tr("Take it out or put it back"), lambda: self.setFloating(not self.isFloating()))
        self._close = self._button(tr("Hide {title}").format(title=tr(row.title)), self.hide)
        self.setTitleBarWidget(self._title_bar())
        body = QFrame(self)
        body.setObjectName("dock_body")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(2, 0, 2, 2)
        self._column.setSpacing(0)
        self.setWidget(body)

    def _title_bar(self) -> QFrame:
        bar = QFrame(self)
        bar.setObjectName("dock_title")
        line = QHBoxLayout(bar)
        line.setContentsMargins(12, 5, 5, 2)
        line.setSpacing(0)
        line.addWidget(self.heading, 1)
        line.addWidget(self._float)
        line.addWidget(self._close)
        return bar

    def _button(self, tip: str, run: Callable[[], object]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("small")
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda _=False: run())
        return button

    def fill(self) -> QWidget:
        """Its widget, made now if it was not."""
        if self.widget_made is None:
            widget = self.widget_made = self._rooms.make(self.row.name)
            held = widget if isinstance(widget, QAbstractScrollArea) else Room(widget, self)
            self._column.addWidget(held, 1)
            if widget.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Fixed:  # more height would stand empty
                self._column.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
            held.show()
            widget.show()
            self.set_theme(self._theme)
            self._rooms.connect(self.row.name, widget)
            fit(widget)
        return self.widget_made

    def settle(self) -> None:
        """Have its sizes be those of its widget now, not when the event loop comes to it."""
        layout = self.layout()
        assert layout is not None
        self._column.activate()
        layout.activate()

    @property
    def unscrolled(self) -> int:
        """The least height at which nothing of it is out of sight."""
        held = self.widget_made.parentWidget() if self.widget_made is not None else None
        room = held.parentWidget() if held is not None else None
        return room.unscrolled().height() + self.height() - room.height() if isinstance(room, Room) else 0

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._float.setIcon(icon("float", theme, "faint"))
        self._close.setIcon(icon("close", theme, "faint"))
        dress = getattr(self.widget_made, "set_theme", None)
        if dress is not None:
            dress(theme)

    def showEvent(self, event: QShowEvent) -> None:
        self.fill()
        super().showEvent(event)


class DockArea(QMainWindow):
    """The board in the middle and the docks around it."""

    turned = Signal(str, bool)  # a dock's name; whether it is shown

    def __init__(self, central: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)  # a main window inside the main window
        self.docks: dict[str, Dock] = {}
        self._rows: tuple[Row, ...] = ()
        self._as_made = True  # nobody moved anything: the sizes follow those of the window
        self._lent: dict[str, int] = {}  # px of the board that a column of docks took when it opened
        self._board = central
        self.setStyleSheet(SEPARATORS)
        self.setCentralWidget(central)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

    def __getitem__(self, name: str) -> Dock:
        return self.docks[name]

    def dock_of(self, view: QWidget) -> Dock | None:
        """The dock that holds a view."""
        return next((dock for dock in self.docks.values() if dock.isAncestorOf(view)), None)

    def set_height(self, name: str, height: int) -> None:
        """Give a dock a height in px, as far as the others leave it."""
        self.resizeDocks([self.docks[name]], [height], Qt.Orientation.Vertical)

    def place(self, rows: Sequence[Row], rooms: Rooms) -> None:
        """Make a dock of every row, each where it stands at first."""
        self._rows = tuple(rows)
        for row in rows:
            dock = self.docks[row.name] = Dock(row, rooms, self)
            dock.visibilityChanged.connect(lambda _, d=dock: self.turned.emit(d.row.name, not d.isHidden()))
        self.reset()
        for dock in self.docks.values():
            dock.dockLocationChanged.connect(self._moved)
            dock.topLevelChanged.connect(self._moved)

    def reset(self) -> None:
        """The first layout again."""
        for row in self._rows:
            dock = self.docks[row.name]
            dock.setFloating(False)
            self.removeDockWidget(dock)
        for row in self._rows:
            dock = self.docks[row.name]
            how, other = row.place
            if not how:
                self.addDockWidget(row.area, dock)
            elif how == "behind":
                self.tabifyDockWidget(self.docks[other], dock)
            else:
                along = Qt.Orientation.Vertical if how == "below" else Qt.Orientation.Horizontal
                self.splitDockWidget(self.docks[other], dock, along)
            dock.setVisible(row.shown)
        for row in self._rows:
            if row.place[0] == "behind" and row.shown:
                self.docks[row.place[1]].raise_()
        self._lent.clear()
        self._as_made = True
        self._arrange()

    # showing and hiding

    @property
    def shown(self) -> tuple[str, ...]:
        """The docks that are open, those behind another among them."""
        return tuple(name for name, dock in self.docks.items() if not dock.isHidden())

    def toggle(self, name: str) -> None:
        """Show it; hide it when it is in sight."""
        dock = self.docks[name]
        if not dock.isHidden() and dock.visibleRegion().isEmpty() and self.isVisible():
            dock.raise_()
            return
        self.show_dock(name) if dock.isHidden() else self._hide(name)

    def show_dock(self, name: str) -> None:
        """Open it and bring it before those it shares its place with.  A column of its own takes the board's room."""
        dock = self.docks[name]
        hidden = dock.isHidden()
        how, other = dock.row.place
        column = hidden and how == "beside" and not dock.isFloating()
        board = self._board.width()
        neighbour = self.docks[other].width() if other else 0
        size = self.window().size()
        dock.show()
        dock.raise_()
        dock.settle()
        self.fit_screen(dock)
        if hidden and not dock.isFloating():
            self._give_height(dock)
        if column:
            wanted = dock.sizeHint().width()
            taken = wanted + GAP
            self._lent[name] = lent = min(taken, max(0, board - NARROW_BOARD))
            self._set_widths({name: wanted, other: max(1, neighbour - (taken - lent))})
        self._keep_window(size)

    def _keep_window(self, size: QSize) -> None:
        """The window may have grown before docks were put behind one another: give it its size again."""
        window = self.window()
        if window.size() == size:
            return
        owner: QWidget | None = self
        while owner is not None:
            layout = owner.layout()
            if layout is not None:
                layout.activate()
            owner = None if owner.isWindow() else owner.parentWidget()
        window.resize(size)

    def _give_height(self, dock: Dock) -> None:
        """As much as its widget needs to be wholly in sight, as far as the board keeps its share."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        wanted = min(dock.unscrolled, round(self.height() * MOST_TAKEN))
        if dock.height() < wanted:
            self.resizeDocks([dock], [wanted], Qt.Orientation.Vertical)

    def fit_screen(self, last: Dock | None = None) -> None:
        """Put docks behind one another as long as they need more room than the screen has; ``last`` stays in front."""
        for area in (BOTTOM, LEFT, RIGHT):
            here = [
                dock
                for dock in self.docks.values()
                if not dock.isHidden() and not dock.isFloating() and self.dockWidgetArea(dock) == area
            ]
            for dock in here[1:]:
                if self._fits():
                    return
                if dock not in self.tabifiedDockWidgets(here[0]):
                    self.tabifyDockWidget(here[0], dock)
            if last in here:
                last.raise_()

    def _fits(self) -> bool:
        """Whether the window, with all that is open in it, can be as small as its screen."""
        window, layout = self.window(), self.layout()
        assert layout is not None
        layout.invalidate()
        beside = window.size() - self.size() if self.isVisible() else window.minimumSizeHint() - self.minimumSizeHint()
        room = room_on_screen(window) - layout.minimumSize() - beside
        return room.width() >= 0 and room.height() >= 0

    def _hide(self, name: str) -> None:
        dock = self.docks[name]
        other = dock.row.place[1]
        back = dock.width() + GAP - self._lent.pop(name, 0)
        neighbour = self.docks[other].width() if other else 0
        dock.hide()
        if dock.row.place[0] == "beside" and not dock.isFloating():
            self._set_widths({other: neighbour + back})

    def _set_widths(self, widths: dict[str, int]) -> None:
        layout = self.layout()
        assert layout is not None
        layout.activate()
        docks = [self.docks[name] for name in widths]
        self.resizeDocks(docks, list(widths.values()), Qt.Orientation.Horizontal)

    # sizes and what is remembered

    def _moved(self) -> None:
        self._as_made = False

    def _arrange(self) -> None:
        """The sizes of the first layout, for the present size of the window."""
        if not self._as_made or set(self.shown) != {row.name for row in self._rows if row.shown}:
            return
        right = [
            self.docks[row.name] for row in self._rows if row.shown and row.area == RIGHT and row.place[0] != "behind"
        ]
        if not right:
            return
        width = round(self.width() * DOCKS_SHARE)
        self.resizeDocks(right[:1], [width], Qt.Orientation.Horizontal)
        if len(right) == 2:
            upper = round(self.height() * UPPER_SHARE)
            self.resizeDocks(right, [upper, self.height() - upper], Qt.Orientation.Vertical)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        child = event.child() if isinstance(event, QChildEvent) else None
        if isinstance(child, QTabBar):
            child.setAccessibleName(tr("Docks behind one another"))
        if event.type() == QEvent.Type.MouseButtonRelease:  # the docks keep theirs: a gap was dragged
            self._as_made = False
        return super().event(event)

    @property
    def _version(self) -> int:
        """Layouts that knew other docks are not taken up."""
        return zlib.crc32(" ".join(sorted(self.docks)).encode()) & 0x7FFFFFFF

    def save(self) -> QByteArray:
        """The layout; empty while it is the first one, which goes with the size of the window."""
        first = self._as_made and set(self.shown) == {row.name for row in self._rows if row.shown}
        return QByteArray() if first else self.saveState(self._version)

    def restore(self, kept: QByteArray) -> bool:
        """Take up a layout; one from elsewhere changes nothing."""
        size = self.window().size()
        if kept.isEmpty() or not self.restoreState(kept, self._version):
            return False
        self._as_made = False
        self.fit_screen()
        self._keep_window(size)
        return True

    def set_theme(self, theme: Theme) -> None:
        self.setProperty("gap", px(GAP))
        self.style().unpolish(self)
        self.style().polish(self)
        QCoreApplication.sendEvent(self, QEvent(QEvent.Type.StyleChange))
        for dock in self.docks.values():
            dock.set_theme(theme)
