"""The desk: the board among areas of rooms, and windows of single rooms.

The table of rooms is in gui/shell/docks.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QSplitter, QSplitterHandle, QWidget

from core.text import Words
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.shell.area import Area, RoomWindow
from gui.shell.arrangement import Arrangement, Box
from gui.shell.dock import AREAS, BOTTOM, DRAWER, LEFT, MIDDLE, RIGHT, Dock, MakeRoom, Row
from gui.widgets.dressing import hold_parts
from gui.widgets.layouts import lay_column
from gui.widgets.text_size import px
from gui.widgets.theme import current_theme

GAP: Final = 8  # px between cards
BOARD_WIDTH: Final = (0.34, 440)  # share of the width that the middle keeps, and px above which it keeps no more
BOARD_GIVES: Final = 0.12  # share of that which it gives to rooms that would have to scroll
LOWEST: Final = 69  # px of the lowest room below the middle, the timeline
BOARD_HEIGHT: Final = 390  # px of height that the middle keeps, as far as the desk has them
EDGE: Final = 0.3  # share of the desk at each side where a tab that is dropped opens an area
AREA_TITLES: Final[dict[str, Words]] = {
    LEFT: "Move to the left",
    RIGHT: "Move to the right",
    BOTTOM: "Move to the bottom",
    DRAWER: "Move to the far right",
    MIDDLE: "Move to the middle",
}


class Desk(QWidget):
    """The board in the middle, or rooms that cover it, with the areas around."""

    dock_toggled = Signal(str, bool)  # the name of a room; whether it is now open
    board_shown = Signal(bool)  # False: rooms cover it
    spare_changed = Signal(int)  # px at the middle's foot that a room below would take: without, the board stays as is

    def __init__(self, board: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.docks: dict[str, Dock] = {}
        self.board = board
        self.windows: dict[str, RoomWindow] = {}
        self._rows: dict[str, Row] = {}
        self._places: dict[str, str] = {}  # the area where each room opens
        self._shares: dict[str, float] = dict.fromkeys(AREAS, 0.0)  # as of an Arrangement
        self._fitting = False
        self._again = make_timer(self, 0, self.fit, once=True)  # the board may need less once it has become narrower
        self._spare = 0
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._outer = Gaps(across, self)
        self._column = Gaps(down, self._outer)
        self._upper = Gaps(across, self._column)
        self.middle = QWidget(self._upper)
        self.areas = {
            LEFT: Area(self._outer),
            RIGHT: Area(self._upper),
            BOTTOM: Area(self._column),
            DRAWER: Area(self._outer),
            MIDDLE: Area(self.middle),
        }
        lay_column(board, self.areas[MIDDLE], of=self.middle, margins=0)
        for splitter, parts in (
            (self._upper, (self.middle, self.areas[RIGHT])),
            (self._column, (self._upper, self.areas[BOTTOM])),
            (self._outer, (self.areas[LEFT], self._column, self.areas[DRAWER])),
        ):
            for part in parts:
                splitter.addWidget(part)
            splitter.splitterMoved.connect(lambda *_, s=splitter: self._note(s))
        for area in self.areas.values():
            self._listen(area)
            area.changed.connect(self.fit)
        lay_column(self._outer, of=self, margins=0)
        hold_parts(*self.frames)
        self._mark = DropMark(self)

    def _listen(self, area: Area) -> None:
        area.float_requested.connect(self.float_dock)
        area.hide_requested.connect(self.hide_dock)
        area.menu_requested.connect(self._show_menu)
        area.dragged.connect(lambda at: self._mark.put(QRect() if at.isNull() else self._target(at)[1]))
        area.dropped.connect(self._drop)

    @property
    def frames(self) -> tuple[QWidget, ...]:
        """The parts of the window that only hold others."""
        return (self, self._outer, self._column, self._upper, self.middle, *self.areas.values())

    def __getitem__(self, name: str) -> Dock:
        return self.docks[name]

    def room_of(self, part: str) -> str:
        """Return the name of the room that has a part of this name; else the name itself."""
        rows = self._rows.values()
        return next((row.name for row in rows if any(choice.name == part for choice in row.parts)), part)

    def place(self, rows: Sequence[Row], make_room: MakeRoom) -> None:
        """Make a card for every row; none is open until they are arranged."""
        self._rows = {row.name: row for row in rows}
        for row in rows:
            self.docks[row.name] = Dock(row, make_room, self.areas[row.area])
            self._places[row.name] = row.area

    # showing, hiding, moving

    @property
    def shown(self) -> tuple[str, ...]:
        """The open rooms, also those behind another, in the order of the table."""
        return tuple(name for name, dock in self.docks.items() if dock.open)

    @property
    def has_board(self) -> bool:
        """Whether the board is in the middle, not covered by rooms."""
        return not self.areas[MIDDLE].docks

    def place_of(self, name: str) -> str:
        """Return the area where a room is open or opens."""
        area_name = next((area for area, card in self.areas.items() if self.docks[name] in card.docks), "")
        return area_name or self._places[name]

    def toggle(self, name: str) -> None:
        """Show the room in front, or hide it if it is there."""
        dock = self.docks[name]
        if dock.open and (dock.isVisible() or not self.isVisible()):
            self.hide_dock(name)
        else:
            self.show_dock(name)

    def show_dock(self, name: str) -> None:
        """Open a room in front of those of its area, or raise its window."""
        dock = self.docks[name]
        if not dock.open:
            self._put(dock, self.areas[self._places[name]])
            self._join_drawer()
        area = self.area_of(dock)
        assert area is not None
        area.bring_forward(dock)
        if area.isWindow():
            area.raise_()

    def _join_drawer(self) -> None:
        """Put the rooms at the far right among those at the right, where all cannot stand side by side unscrolled."""
        drawer, right = self.areas[DRAWER], self.areas[RIGHT]
        if not (self.isVisible() and drawer.docks and right.docks):
            return
        for dock in drawer.docks:
            dock.fill()
        sides = [area.natural_size.width() + px(GAP) for area in self._sides().values()]
        if sum(sides) + round((1 - BOARD_GIVES) * self._kept) > self.width():
            for dock in tuple(drawer.docks):
                self._take(dock)
                self._put(dock, right)
            self.fit()

    def hide_dock(self, name: str) -> None:
        """Close a room; the one behind it comes in front."""
        dock = self.docks[name]
        if dock.open:
            self._take(dock)
            dock.open = False
            self.dock_toggled.emit(name, False)

    def move_dock(self, name: str, area: str) -> None:
        """Show a room in this area, where it also opens from now on."""
        dock = self.docks[name]
        if self.area_of(dock) is not self.areas[area]:
            self._take(dock)
            self._places[name] = area
            self._put(dock, self.areas[area])
        self.show_dock(name)

    def float_dock(self, name: str, box: Box | None = None) -> None:
        """Show a room in a window of its own; ``box``: the window's, None: over the room's place."""
        dock = self.docks[name]
        if name in self.windows:
            return
        if box is None:
            corner = (dock if dock.isVisible() else self.middle).mapToGlobal(QPoint(0, 0))
            size = dock.size().expandedTo(dock.natural_size) if dock.isVisible() else dock.sizeHint()
            box = (corner.x() + 3 * GAP, corner.y() + 3 * GAP, size.width(), size.height())
        self._take(dock)
        window = self.windows[name] = RoomWindow(self.window())
        window.setWindowTitle(tr(str(dock.row.title)))
        self._listen(window)
        window.closed.connect(self.give_back)
        self._put(dock, window)
        window.setGeometry(_on_screen(QRect(*box)))
        window.bring_forward(dock)

    def give_back(self, name: str) -> None:
        """Bring a room that has a window of its own to its area."""
        dock = self.docks[name]
        self._take(dock)
        self._put(dock, self.areas[self._places[name]])
        self.show_dock(name)

    def hide_windows(self) -> None:
        """Hide the windows of single rooms, which stay in the arrangement."""
        for window in self.windows.values():
            window.hide()

    def area_of(self, dock: Dock) -> Area | None:
        """Return the area or window where a room is open, or None."""
        every = (*self.areas.values(), *self.windows.values())
        return next((area for area in every if dock in area.docks), None)

    def _put(self, dock: Dock, area: Area) -> None:
        was_open, dock.open = dock.open, True
        area.add(dock)
        if not was_open:
            self.dock_toggled.emit(dock.row.name, True)

    def _take(self, dock: Dock) -> None:
        """Take a room out of where it is open."""
        area, name = self.area_of(dock), dock.row.name
        if area is None:
            return
        area.remove(dock)
        if isinstance(area, RoomWindow):
            del self.windows[name]
            dock.setParent(self.areas[self._places[name]])
            dock.heading.setParent(dock)
            area.hide()
            area.deleteLater()
        elif area.front is None and area.docks and not self._fitting:
            area.bring_forward(area.docks[max(0, area.tabs.currentIndex())])
        self.fit()

    # the menu and the mouse

    def _show_menu(self, name: str, at: QPoint) -> None:
        """Show the menu of a room at a point of the screen."""
        dock = self.docks[name]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for area, words in AREA_TITLES.items():
            if area == MIDDLE and self.has_board:
                continue
            action = menu.addAction(tr(words))
            action.setEnabled(self.area_of(dock) is not self.areas[area])
            action.triggered.connect(lambda _=False, a=area: self.move_dock(name, a))
        if name not in self.windows:
            menu.addAction(tr("In a window of its own")).triggered.connect(lambda: self.float_dock(name))
        menu.addAction(tr("Hide the room")).triggered.connect(lambda: self.hide_dock(name))
        menu.addSeparator()
        dock.add_picture_actions(menu)
        menu.popup(at)

    def _target(self, at: QPoint) -> tuple[str, QRect]:
        """Return the area where a tab dropped at a point of the screen goes, and its place; "": none."""
        point = self.mapFromGlobal(at)
        for name, area in self.areas.items():
            box = QRect(area.mapTo(self, QPoint(0, 0)), area.size())
            if area.isVisible() and box.contains(point):
                return name, box
        if not self.rect().contains(point):
            return "", QRect()
        width, height = round(self.width() * EDGE), round(self.height() * EDGE)
        edges = {
            LEFT: QRect(0, 0, width, self.height()),
            RIGHT: QRect(self.width() - width, 0, width, self.height()),
            BOTTOM: QRect(0, self.height() - height, self.width(), height),
        }
        return next(((name, box) for name, box in edges.items() if box.contains(point)), ("", QRect()))

    def _drop(self, name: str, at: QPoint) -> None:
        """Move a room whose tab was dropped at a point of the screen; outside the window it gets one of its own."""
        area = self._target(at)[0]
        if area:
            self.move_dock(name, area)
        elif not self.window().geometry().contains(at):
            size = self.docks[name].size()
            if name in self.windows:
                self.windows[name].move(at)
            else:
                self.float_dock(name, (at.x(), at.y(), size.width(), size.height()))

    # sizes

    def fit(self) -> None:
        """Give each area its share, and the middle the rest; where that is too little, the areas get less."""
        if self.board.isHidden() == self.has_board and not self._fitting:
            self.board.setVisible(self.has_board)
            self.board_shown.emit(self.has_board)
        if self._fitting or self.width() < GAP:
            return
        self._fitting = True
        try:
            open_areas = {name: area for name, area in self.areas.items() if area.docks}
            gap = px(GAP)
            sides = self._sides()
            needed = self.middle.minimumSizeHint().width()
            kept = max(needed, self._kept)
            room = self.width() - gap * len(sides) - kept
            natural = {name: area.natural_size.width() for name, area in sides.items()}
            room += max(0, min(sum(natural.values()) - room, round(BOARD_GIVES * kept)))
            widths = _shrunk({name: max(natural[name], self._length(name)) for name in sides}, natural, room)
            widths = _shrunk(widths, {name: area.minimumSizeHint().width() for name, area in sides.items()}, room)
            left, right, drawer = (widths.get(name, 0) for name in (LEFT, RIGHT, DRAWER))
            rest = self.width() - left - drawer - gap * sum(name in sides for name in (LEFT, DRAWER))
            before = self.middle.width()
            self._outer.setSizes([left, rest, drawer])
            self._upper.setSizes([rest - right - gap * (RIGHT in sides), right])
            if self.middle.width() != before or self.middle.minimumSizeHint().width() < needed:
                self._again.start()
            if BOTTOM in open_areas:
                area = open_areas[BOTTOM]
                kept = max(self.middle.minimumSizeHint().height(), min(px(BOARD_HEIGHT), round(0.6 * self.height())))
                height = max(area.natural_size.height(), self._length(BOTTOM))
                height = max(min(height, self.height() - gap - kept), area.minimumSizeHint().height())
                self._column.setSizes([self.height() - gap - height, height])
            spare = px(LOWEST) + gap
            if BOTTOM in open_areas or self.height() - spare < px(BOARD_HEIGHT):
                spare = 0
        finally:
            self._fitting = False
        if spare != self._spare:
            self._spare = spare
            self.spare_changed.emit(spare)

    @property
    def _kept(self) -> int:
        """The width that the middle keeps, in px, if it does not need more."""
        share, most = BOARD_WIDTH
        return min(px(most), round(share * self.width()))

    def _sides(self) -> dict[str, Area]:
        """The open areas beside the middle."""
        return {name: area for name, area in self.areas.items() if area.docks and name not in (BOTTOM, MIDDLE)}

    def _length(self, area: str) -> int:
        """Return the width of an area, of the bottom the height, that its share gives it."""
        return round(self._shares[area] * (self.height() if area == BOTTOM else self.width()))

    def _note(self, splitter: QSplitter) -> None:
        """Keep the sizes that the user gave the areas of a splitter; one as small as its room needs goes by that."""
        for name, area in self.areas.items():
            if area.parentWidget() is splitter and area.docks:
                whole, length, natural = (
                    (self.height(), area.height(), area.natural_size.height())
                    if name == BOTTOM
                    else (self.width(), area.width(), area.natural_size.width())
                )
                self._shares[name] = length / whole if length > natural else 0.0

    def set_height(self, name: str, height: int) -> None:
        """Set the height in px of the contents of a room that is below the middle."""
        area = self.area_of(self.docks[name])
        if area is self.areas[BOTTOM] and self.height() > 0:
            height += area.head.sizeHint().height() + self.docks[name].around.height()
            self._shares[BOTTOM] = height / self.height()
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
        self._again.start()

    # arrangements

    def arrangement(self) -> Arrangement:
        """Return how the rooms are arranged, without those that stay beside every arrangement."""
        rooms = {n: tuple(d.row.name for d in area.docks if not d.row.stays) for n, area in self.areas.items()}
        fronts = {name: area.front.row.name for name, area in self.areas.items() if area.front is not None}
        return Arrangement(
            rooms=rooms,
            front={area: name for area, name in fronts.items() if name in rooms[area]},
            shares={name: round(share, 4) for name, share in self._shares.items() if share},
            windows={n: _box(window.geometry()) for n, window in self.windows.items() if not self._rows[n].stays},
            places={name: area for name, area in self._places.items() if area != self._rows[name].area},
            parts={name: self.docks[name].part for name in self.shown if self.docks[name].part},
        )

    def arrange(self, arrangement: Arrangement) -> None:
        """Open, close and move rooms as an arrangement says; those that are where it wants them stay."""
        self.setUpdatesEnabled(False)
        try:
            self._arrange(arrangement)
        finally:
            self.setUpdatesEnabled(True)

    def _arrange(self, arrangement: Arrangement) -> None:
        self._fitting = True  # at the end, once
        self._places = {name: arrangement.places.get(name, row.area) for name, row in self._rows.items()}
        self._shares = {name: arrangement.shares.get(name, 0.0) for name in AREAS}
        for name, part in arrangement.parts.items():
            if any(choice.name == part for choice in self._rows[name].parts):
                self.docks[name].show_part(part)
        stays = {name for name in self.shown if self._rows[name].stays}
        for name in self.shown:
            if name not in arrangement.open and name not in stays:
                self.hide_dock(name)
        for name in list(self.windows):
            if name not in arrangement.windows and name not in stays:
                self._take(self.docks[name])
        for area_name, names in arrangement.rooms.items():
            area = self.areas[area_name]
            for name in names:
                dock = self.docks[name]
                if dock not in area.docks:
                    self._take(dock)
                    self._put(dock, area)
            area.put_in_order([self.docks[name] for name in names])
        for area_name, area in self.areas.items():
            if area.docks:
                front = arrangement.front.get(area_name, area.docks[0].row.name)
                area.bring_forward(next((dock for dock in area.docks if dock.row.name in stays), self.docks[front]))
        for name, box in arrangement.windows.items():
            if name in self.windows:
                self.windows[name].setGeometry(QRect(*box))
            else:
                self.float_dock(name, box)
        self._fitting = False
        self.fit()


def _shrunk(sizes: Mapping[str, int], least: Mapping[str, int], room: int) -> dict[str, int]:
    """Return the sizes less what is needed to fit into ``room``, each as far as its least size allows."""
    spare = {name: max(0, size - least[name]) for name, size in sizes.items()}
    lacking, most = sum(sizes.values()) - room, sum(spare.values())
    part = min(1.0, max(0, lacking) / most) if most else 0.0
    return {name: round(size - part * spare[name]) for name, size in sizes.items()}


def _box(place: QRect) -> Box:
    return place.x(), place.y(), place.width(), place.height()


def _on_screen(box: QRect) -> QRect:
    """Return a window's place, moved to the first screen if it is on none."""
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if screens and not any(screen.intersects(box) for screen in screens):
        box.moveCenter(screens[0].center())
    return box


class Gaps(QSplitter):
    """A splitter whose handles are the gaps between cards."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return Gap(self.orientation(), self)


class Gap(QSplitterHandle):
    """The gap between two cards, with a line while the pointer is over it."""

    _pointed = False

    def sizeHint(self) -> QSize:
        """Return the thickness, which the splitter asks for whenever it places its parts."""
        return QSize(px(GAP), px(GAP))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._pointed = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointed = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._pointed:
            upright = self.orientation() == Qt.Orientation.Horizontal
            third = (self.width() if upright else self.height()) // 3
            line = self.rect().adjusted(*((third, 8, -third, -8) if upright else (8, third, -8, -third)))
            QPainter(self).fillRect(line, current_theme().color("disabled"))


class DropMark(QWidget):
    """Shows where a dragged room would go."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def put(self, box: QRect) -> None:
        """Cover a part of the desk; an empty one hides it."""
        self.setGeometry(box)
        self.setVisible(not box.isEmpty())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("accent"))
        painter.setBrush(theme.color("accent", 0.18))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -2, -2), 8, 8)
