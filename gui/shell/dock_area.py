"""Docks around the board: they can be moved, floated and tabbed, and their layout is saved.

The table of rows is in gui/shell/docks.py; a row's widget is created when its dock is first shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QChildEvent, QCoreApplication, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QTabBar,
    QTabWidget,
    QWidget,
)

from gui.language.language import tr
from gui.shell.dock import BOTTOM, LEFT, RIGHT, Dock, MakeRoom, Row, first_of
from gui.widgets.labels import repolish
from gui.widgets.screen import room_on_screen
from gui.widgets.text_size import SIZES, px
from gui.widgets.texts import on_language

DOCKS_SHARE = 0.55  # initial share of the width
UPPER_SHARE = 0.38  # initial share of the height for the upper of two docks
SETTLE_MS = 100  # time for a dock to lay itself out at a new width
TAB_BAR = 28  # px
GAP = 8  # px between cards, as in the style sheet
MOST_TAKEN = 0.6  # largest share of the height for a dock that opens
BOARD_EXTRA = 160  # px of height the board keeps, above its minimum, when a dock opens below it
NARROW_DOCK = 340  # px, at 100 %, that a dock beside the board keeps when another opens beside it
LEAST_IN_SIGHT = 0.8  # share of its height that a dock below the board must have visible
NARROW_BOARD = 440  # px of width the board keeps when a column of docks opens
GAPS = tuple(round(GAP * size / 100) for size in SIZES)  # at each size of the text
# Style of the gaps between docks only: a longer style sheet here would make Qt check every widget in the docks.
SEPARATORS = "\n".join(
    (
        "QMainWindow::separator { background: transparent; }",
        "QMainWindow::separator:hover { background: palette(mid); }",
        *(f'QMainWindow[gap="{gap}"]::separator {{ width: {gap}px; height: {gap}px; }}' for gap in GAPS),
    )
)


class DockArea(QMainWindow):
    """The board in the centre and the docks around it."""

    dock_toggled = Signal(str, bool)  # a dock's name; whether it is now shown

    def __init__(self, central: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)  # a main window inside the main window
        self.docks: dict[str, Dock] = {}
        self._rows: tuple[Row, ...] = ()
        self._as_made = True  # the user moved nothing: sizes follow the window's
        self._widths: dict[str, int] = {}  # px of the docks beside the board, as they were before the window shrank
        self._noted_width = 0  # the width of this area that they belong to
        self._lent: dict[str, int] = {}  # px of width that each open column of docks took from the board
        self._aside: set[str] = set()  # docks that were tabbed behind others beside the board for lack of room
        self._board = central
        self.setStyleSheet(SEPARATORS)
        self.setCentralWidget(central)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        on_language(self, self._name_tabs)

    def _name_tabs(self) -> None:
        for bar in self.findChildren(QTabBar):
            if bar.accessibleName():
                bar.setAccessibleName(tr("Tabbed docks"))

    def __getitem__(self, name: str) -> Dock:
        return self.docks[name]

    def room_of(self, part: str) -> str:
        """Return the name of the dock that has a part of this name; else the name itself."""
        return next((row.name for row in self._rows if any(one.name == part for one in row.parts)), part)

    def dock_of(self, view: QWidget) -> Dock | None:
        """Return the dock that holds a view, or None."""
        return next((dock for dock in self.docks.values() if dock.isAncestorOf(view)), None)

    def resizeDocks(self, docks: Sequence[QDockWidget], sizes: Sequence[int], orientation: Qt.Orientation) -> None:
        """Set sizes in px; docks that are not in the layout, as while one is dragged, are passed over.

        Where there is no room at all, a dock gets the least that Qt takes, and so its minimum.
        """
        inside = [
            (dock, max(1, size))
            for dock, size in zip(docks, sizes, strict=True)
            if self.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
        ]
        if inside:
            super().resizeDocks([dock for dock, _ in inside], [size for _, size in inside], orientation)

    def set_height(self, name: str, height: int) -> None:
        """Set a dock's height in px, as far as the other docks allow."""
        self.resizeDocks([self.docks[name]], [height], Qt.Orientation.Vertical)

    def place(self, rows: Sequence[Row], make_room: MakeRoom) -> None:
        """Create a dock for every row at its initial place."""
        self._rows = tuple(rows)
        for row in rows:
            dock = self.docks[row.name] = Dock(row, make_room, self)
            dock.visibilityChanged.connect(lambda _, d=dock: self.dock_toggled.emit(d.row.name, not d.isHidden()))
            dock.resized.connect(lambda d=dock: self._note_width(d))
            if row.shown:
                dock.furnish()
        self.reset()
        for dock in self.docks.values():
            dock.dockLocationChanged.connect(self._moved)
            dock.topLevelChanged.connect(self._moved)

    def let_in(self) -> None:
        """Create what waits for the engine, which is loaded by now."""
        for dock in self.docks.values():
            dock.let_in()

    def reset(self) -> None:
        """Restore the initial layout."""
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
        """Move a dock to its initial place."""
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
        """The open docks, including those behind another."""
        return tuple(name for name, dock in self.docks.items() if not dock.isHidden())

    def _open_in(self, area: Qt.DockWidgetArea) -> list[Dock]:
        """Return the open docks of an area."""
        return [
            dock
            for dock in self.docks.values()
            if not dock.isHidden() and not dock.isFloating() and self.dockWidgetArea(dock) == area
        ]

    def toggle(self, name: str) -> None:
        """Show the dock, or hide it if it is visible."""
        dock = self.docks[name]
        if not dock.isHidden() and dock.visibleRegion().isEmpty() and self.isVisible():
            dock.raise_()
            return
        self.show_dock(name) if dock.isHidden() else self._hide(name)

    def show_dock(self, name: str) -> None:
        """Open the dock in front of those that share its place; a separate column takes its width from the board."""
        dock = self.docks[name]
        dock.furnish()
        hidden = dock.isHidden()
        how, other = dock.row.place
        board, neighbour = self._board.width(), self.docks[other].width() if other else 0
        size = self.window().size()
        if hidden and name in self._aside and not (how == "beside" and self._lacks_width(dock)):
            self._aside.discard(name)
            self._put(dock.row)
        tabbed = name in self._aside or (how == "beside" and dock in self.tabifiedDockWidgets(self.docks[other]))
        column = hidden and how == "beside" and not dock.isFloating() and not tabbed
        if hidden and not dock.isFloating() and self.dockWidgetArea(dock) == BOTTOM:
            dock.fill()
            self._spare_board(dock)
        dock.show()
        dock.raise_()
        dock.settle()
        if column and self._lacks_width(dock, neighbour, board):
            column = False
            self._aside.add(name)
            self.tabifyDockWidget(self.docks[other], dock)
            dock.raise_()
        self.fit_screen(dock)
        if hidden and not dock.isFloating():
            self._give_height(dock)
        if column:
            wanted = dock.sizeHint().width()
            self._lent[name] = lent = min(wanted + GAP, max(0, board - NARROW_BOARD))
            self._set_widths({name: wanted, other: max(1, neighbour - (wanted + GAP - lent))})
        self._keep_window(size)
        if column or (hidden and self.dockWidgetArea(dock) == BOTTOM) or name in self._aside:
            QTimer.singleShot(SETTLE_MS, dock, lambda: self._settle(dock))

    def _lacks_width(self, dock: Dock, neighbour: int | None = None, board: int | None = None) -> bool:
        """Whether a column for ``dock`` leaves the one beside it too narrow; widths in px, None: those of now."""
        other = self.docks[dock.row.place[1]]
        room = (other.width() if neighbour is None else neighbour) - dock.sizeHint().width() - GAP
        room += max(0, (self._board.width() if board is None else board) - NARROW_BOARD)
        return self.isVisible() and not other.isHidden() and room < px(NARROW_DOCK)

    def _keep_window(self, size: QSize) -> None:
        """Restore the window's size, in case it grew before docks were tabbed."""
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
        """Adjust a dock's size after it has been laid out: it may need more width or, when wrapped, more height.

        Also shows tab bars: Qt does not show one that it creates for a hidden dock.
        """
        if dock.isHidden() or dock.isFloating():
            return
        if dock.row.name in self._aside or self.dockWidgetArea(dock) == BOTTOM:
            self._give_height(dock)
            for bar in self.findChildren(QTabBar):
                if bar.count() > 1 and bar.geometry().left() >= 0:
                    bar.show()
            return
        other, wanted = dock.row.place[1], dock.sizeHint().width()
        if wanted > dock.width():
            left = max(1, self.docks[other].width() - (wanted - dock.width()))
            self._set_widths({dock.row.name: wanted, other: left})

    def _give_height(self, dock: Dock) -> None:
        """Give a dock the height that shows its whole widget, as far as the board keeps its share."""
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
        under = sorted(self._under_board(dock), key=lambda one: one.maximumHeight())  # fixed heights first
        heights = []
        for one in under:
            least = one.minimumSizeHint().height()
            heights.append(max(least, min(room, max(one.height(), self._wanted(one)))))
            room -= heights[-1] + GAP
        self.resizeDocks(under, heights, Qt.Orientation.Vertical)

    def _wanted(self, dock: Dock) -> int:
        wanted = max(dock.unscrolled, dock.sizeHint().height()) if dock.row.name in self._aside else dock.unscrolled
        return min(wanted, round(self.height() * MOST_TAKEN))

    def _under_board(self, dock: Dock) -> list[Dock]:
        """Return the docks stacked below the board, if ``dock`` is in front of its tabs."""
        found = [dock]
        for one in self._open_in(BOTTOM):
            if one not in found and not set(found) & set(self.tabifiedDockWidgets(one)):
                found.append(one)
        return found

    def _room_under_board(self) -> int:
        """Return the height available for docks below the board."""
        return self.height() - self._board.minimumSizeHint().height() - px(BOARD_EXTRA) - GAP

    def _spare_board(self, dock: Dock) -> None:
        """Tab a hidden dock behind one beside the board if opening it below would leave the board too little height."""
        beside = self._open_in(RIGHT)
        under = [one for one in self._under_board(dock) if one is not dock]
        if any(first_of(one.row, self._rows) == first_of(dock.row, self._rows) for one in under):
            return  # it comes in front of one that is shown
        room = self._room_under_board() - sum(one.unscrolled + GAP for one in under)
        if beside and room < LEAST_IN_SIGHT * self._wanted(dock):
            self._aside.add(dock.row.name)
            self.tabifyDockWidget(beside[0], dock)

    def fit_screen(self, last: Dock | None = None) -> None:
        """Tab docks together until the window fits the screen; ``last`` stays in front."""
        for area in (BOTTOM, LEFT, RIGHT):
            here = self._open_in(area)
            for dock in here[1:]:
                if self._fits():
                    return
                if dock not in self.tabifiedDockWidgets(here[0]):
                    self.tabifyDockWidget(here[0], dock)
            if last in here:
                last.raise_()

    def _fits(self) -> bool:
        """Whether the window with all its open docks can be as small as its screen."""
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
        if dock.row.place[0] == "beside" and not dock.isFloating() and name not in self._aside:
            self._set_widths({other: neighbour + back})

    def _set_widths(self, widths: dict[str, int]) -> None:
        layout = self.layout()
        assert layout is not None
        layout.activate()
        docks = [self.docks[name] for name in widths]
        self.resizeDocks(docks, list(widths.values()), Qt.Orientation.Horizontal)

    # sizes and saved layout

    def _moved(self) -> None:
        self._as_made = False

    @property
    def _initial(self) -> bool:
        return self._as_made and set(self.shown) == {row.name for row in self._rows if row.shown}

    def _arrange(self) -> None:
        """Set the sizes of the initial layout for the current size of the window."""
        right = [
            self.docks[row.name] for row in self._rows if row.shown and row.area == RIGHT and row.place[0] != "behind"
        ]
        if not right:
            return
        self.resizeDocks(right[:1], [round(self.width() * DOCKS_SHARE)], Qt.Orientation.Horizontal)
        if len(right) == 2:
            upper = round(self.height() * UPPER_SHARE)
            self.resizeDocks(right, [upper, self.height() - upper], Qt.Orientation.Vertical)

    def _note_width(self, dock: Dock) -> None:
        """Remember the width of a dock beside the board, unless it was forced by a narrow window."""
        forced = self.width() != self._noted_width or self._board.width() <= self._board.minimumSizeHint().width()
        if not forced and self.dockWidgetArea(dock) in (LEFT, RIGHT):
            self._widths[dock.row.name] = dock.width()

    def _widen(self) -> None:
        """Give the docks beside the board the width that a smaller window took from them."""
        narrowed = {
            name: width
            for name, width in self._widths.items()
            if not self.docks[name].visibleRegion().isEmpty() and self.docks[name].width() < width
        }
        if narrowed:
            self._set_widths(narrowed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._initial:
            self._arrange()
        else:
            self._widen()
        self._noted_width = self.width()

    def event(self, event: QEvent) -> bool:
        child = event.child() if isinstance(event, QChildEvent) else None
        if isinstance(child, QTabBar):
            child.setAccessibleName(tr("Tabbed docks"))
        if event.type() == QEvent.Type.MouseButtonRelease:  # a gap was dragged: docks handle their own releases
            self._as_made = False
        return super().event(event)

    def save(self) -> QByteArray:
        """Return the layout; empty while it is the initial one, whose sizes follow the window's."""
        return QByteArray() if self._initial else self.saveState()

    def restore(self, kept: QByteArray) -> bool:
        """Restore a saved layout, also one with docks of another version; an invalid one changes nothing."""
        size = self.window().size()
        version = int.from_bytes(kept.data()[4:8], "big") & 0x7FFFFFFF  # once a number for the set of docks
        if kept.isEmpty() or not self.restoreState(kept, version):
            return False
        self._as_made = False
        self.fit_screen()
        self._keep_window(size)
        return True

    def dress_separators(self) -> None:
        """Renew the gap between docks and its colour; both depend on the style sheet of this frame."""
        self.setProperty("gap", px(GAP))
        repolish(self)
        QCoreApplication.sendEvent(self, QEvent(QEvent.Type.StyleChange))
