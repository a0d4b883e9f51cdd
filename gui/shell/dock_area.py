"""An area of docks about the board: cards that move, float, stand behind one another and are remembered.

Knows rows of a table (gui/shell/docks.py) and no view: what a row makes is made when its dock is first shown.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QChildEvent, QCoreApplication, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QTabBar,
    QTabWidget,
    QWidget,
)

from gui.language.language import tr
from gui.shell.dock import BOTTOM, LEFT, RIGHT, Dock, Rooms, Row
from gui.widgets.screen import room_on_screen
from gui.widgets.text_size import SIZES, px
from gui.widgets.theme import Theme

DOCKS_SHARE = 0.55  # of the width, at first
UPPER_SHARE = 0.44  # of the height, to the first of two docks above one another
SETTLE_MS = 100  # after which a dock has laid itself out for a new width
TAB_BAR = 28  # px
GAP = 8  # px between cards, as in the style sheet
MOST_TAKEN = 0.6  # of the height, for a dock that opens
BOARD_EXTRA = 160  # px of height the board keeps, above its least, where a dock opens under it
LEAST_IN_SIGHT = 0.8  # of the height of a dock under the board
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
        self._aside: set[str] = set()  # docks that belong under the board and were put beside it: there was no room
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
            self._put(row)
            self.docks[row.name].setVisible(row.shown)
        for row in self._rows:
            if row.place[0] == "behind" and row.shown:
                self.docks[row.place[1]].raise_()
        self._lent.clear()
        self._aside.clear()
        self._as_made = True
        self._arrange()

    def _put(self, row: Row) -> None:
        """Give a dock its first place."""
        dock, (how, other) = self.docks[row.name], row.place
        if not how or self.dockWidgetArea(self.docks[other]) != row.area:
            self.addDockWidget(row.area, dock, Qt.Orientation.Vertical)
        elif how == "behind":
            self.tabifyDockWidget(self.docks[other], dock)
        else:
            along = Qt.Orientation.Vertical if how == "below" else Qt.Orientation.Horizontal
            self.splitDockWidget(self.docks[other], dock, along)

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
        if hidden and name in self._aside:
            self._aside.discard(name)
            self._put(dock.row)
        if hidden and not dock.isFloating() and self.dockWidgetArea(dock) == BOTTOM:
            dock.fill()
            self._spare_board(dock)
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
        if column or (hidden and self.dockWidgetArea(dock) == BOTTOM) or name in self._aside:
            QTimer.singleShot(SETTLE_MS, dock, lambda: self._settle(dock))

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

    def _settle(self, dock: Dock) -> None:
        """Once a dock is laid out, it may want to be wider or, folded in a narrow place, higher.  Qt also forgets to
        show a tab bar that it makes for a hidden dock."""
        if dock.isHidden() or dock.isFloating():
            return
        if dock.row.name in self._aside:
            self._give_height(dock)
            for bar in self.findChildren(QTabBar):
                if bar.count() > 1 and bar.geometry().left() >= 0:
                    bar.show()
            return
        if self.dockWidgetArea(dock) == BOTTOM:
            self._give_height(dock)
            return
        other, wanted = dock.row.place[1], dock.sizeHint().width()
        if wanted > dock.width():
            left = max(1, self.docks[other].width() - (wanted - dock.width()))
            self._set_widths({dock.row.name: wanted, other: left})

    def _give_height(self, dock: Dock) -> None:
        """As much as its widget needs to be wholly in sight, as far as the board keeps its share."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        if self.dockWidgetArea(dock) != BOTTOM:
            if dock.height() < self._wanted(dock):
                wanted = self._wanted(dock) + (px(TAB_BAR) if self.tabifiedDockWidgets(dock) else 0)
                column = [
                    one
                    for one in self.docks.values()
                    if one is not dock
                    and not one.visibleRegion().isEmpty()
                    and one.geometry().left() == dock.geometry().left()
                ]
                left = max(1, (self.height() - wanted) // max(1, len(column)) - GAP)
                self.resizeDocks([dock, *column], [wanted, *(left for _ in column)], Qt.Orientation.Vertical)
            return
        room = self._room_under_board()
        under = sorted(self._under_board(dock), key=lambda one: one.maximumHeight())  # those of fixed height first
        heights = []
        for one in under:
            least = one.minimumSizeHint().height()
            heights.append(max(least, min(room, max(one.height(), self._wanted(one)))))
            room -= heights[-1] + GAP
        self.resizeDocks(under, heights, Qt.Orientation.Vertical)

    def _wanted(self, dock: Dock) -> int:
        return min(dock.unscrolled, round(self.height() * MOST_TAKEN))

    def _under_board(self, dock: Dock) -> list[Dock]:
        """The docks one under the other below the board, if ``dock`` is in front of those it shares its place with."""
        found = [dock]
        for one in self.docks.values():
            here = not one.isHidden() and not one.isFloating() and self.dockWidgetArea(one) == BOTTOM
            if here and one not in found and not set(found) & set(self.tabifiedDockWidgets(one)):
                found.append(one)
        return found

    def _room_under_board(self) -> int:
        """The height for docks there while the board keeps its own."""
        return self.height() - self._board.minimumSizeHint().height() - px(BOARD_EXTRA) - GAP

    def _spare_board(self, dock: Dock) -> None:
        """Put a hidden dock that would leave the board too low behind the first of those beside the board."""
        beside = [
            one
            for one in self.docks.values()
            if not one.isHidden() and not one.isFloating() and self.dockWidgetArea(one) == RIGHT
        ]
        others = sum(one.unscrolled + GAP for one in self._under_board(dock) if one is not dock)
        room = self._room_under_board() - others
        if beside and room < LEAST_IN_SIGHT * self._wanted(dock):
            self._aside.add(dock.row.name)
            self.tabifyDockWidget(beside[0], dock)

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
            child.setAccessibleName(tr("Tabbed docks"))
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
