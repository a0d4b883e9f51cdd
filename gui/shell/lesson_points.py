"""What the steps of a lesson point at, and the ring that they point with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QWidget

from core.files.lesson import Command
from gui.model.timers import make_timer
from gui.widgets.board.board_paint import kind_of
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from gui.shell.commands import Commands


def _timeline(commands: Commands) -> Any:
    return commands.views.docks["timeline"].fill()


def _why(commands: Commands) -> Any:
    return commands.views.docks["why"].fill()


def _inside(commands: Commands, part: str) -> Any:
    return inside_parts(commands)[part]


RING: Final = 3  # px
TARGETS: Final[dict[str, Callable[[Commands], QWidget]]] = {
    "board": lambda c: c.views.room.board,
    "value": lambda c: c.views.room.player,
    "game": lambda c: c.views.toolbar.game,
    "net": lambda c: c.views.toolbar.net,
    "run": lambda c: c.views.toolbar.run,
    "limit": lambda c: c.views.toolbar.limit,
    "overlays": lambda c: c.views.room.overlays,
    "workspaces": lambda c: c.views.toolbar.workspaces,
    "charts": lambda c: _timeline(c).page,
    "stages": lambda c: _timeline(c).stages,
    "cause": lambda c: _why(c).cause,
    "film": lambda c: _inside(c, "inside_blocks").film,
    "blocks": lambda c: _inside(c, "inside_blocks").slider,
    "stones": lambda c: _inside(c, "inside_stones").boards,
    "concepts": lambda c: _inside(c, "inside_concepts").area,
    "run_pages": lambda c: c.open_dock("training").view.switch,
    "run_page": lambda c: c.open_dock("training").view.pages,
    "settings": lambda c: c.views.toolbar.settings,
    "record": lambda c: c.views.room.record,
    "playout": lambda c: c.views.room.navigation["play_on_board"],
    "predict": lambda c: c.views.room.navigation["predict"],
}


_PARTS_OF_TARGETS: Final = {  # of the room Inside the net
    "film": "inside_blocks",
    "blocks": "inside_blocks",
    "stones": "inside_stones",
    "concepts": "inside_concepts",
}


def show_room(commands: Commands, name: str) -> None:
    """Open a room in front, perhaps at a part of it."""
    docks = commands.views.docks
    room = docks.room_of(name)
    if room != name:
        parts: Any = docks[room].fill()
        parts.show_part(name)
    docks.show_dock(room)


def inside_parts(commands: Commands) -> dict[str, Any]:
    """The parts of the room Inside the net that have been made, by their names."""
    room: Any = commands.views.docks["inside"].widget_made
    return {} if room is None else room.made


class Ring(QWidget):
    """A rounded frame over the window, which follows what it is round when the parts of the window move."""

    def __init__(self, window: QWidget, frames: Iterable[QWidget], place: Callable[[], QRect]) -> None:
        """``frames``: the widgets of the window that hold its rooms; ``place``: what it is round, empty for nothing."""
        super().__init__(window)
        self._place = place
        self._soon = make_timer(self, 0, self.renew, once=True)  # when the layout has ended
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        for frame in frames:
            frame.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._soon.start()
        return False

    def renew(self) -> None:
        """Show it where it belongs now."""
        box = self._place()
        if box.isEmpty():
            self.hide()
            return
        outer = box.adjusted(-RING, -RING, RING, RING)
        if outer != self.geometry():
            self.setGeometry(outer)
            inner = self.rect().adjusted(2 * RING, 2 * RING, -2 * RING, -2 * RING)
            self.setMask(QRegion(self.rect()) - QRegion(inner))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(current_theme().color("warn"), RING))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 7, 7)


def place_of(commands: Commands, point: Command) -> QRect:
    """The rectangle that a lesson points at, in the window; empty while it cannot be seen."""
    kind, name = point.words
    if kind == "part":
        widget = TARGETS[name](commands)
        return _in_window(widget, widget.rect())
    if kind == "dock":
        dock = commands.views.docks[commands.views.docks.room_of(name)]
        return _in_window(dock, dock.rect())
    position = commands.context.state.shown.preview
    if position is None or name not in position.game.action_names:
        return QRect()
    action = position.game.action_names.index(name)
    if kind == "row":
        table = commands.views.tree
        box = table.visualRect(table.nodes.index_of((action,)))
        if box.isEmpty():
            return QRect()
        view = table.viewport()
        return _in_window(view, QRect(0, box.top(), view.width(), box.height()) & view.rect())
    board, cells = commands.views.room.board, QRectF()
    geometry = board.geometry_of_board()
    for cell in kind_of(position.game.name).places.cells_of(position, action):
        cells = cells.united(geometry.rect(cell))
    return _in_window(board, cells.toAlignedRect())


def _in_window(widget: QWidget, box: QRect) -> QRect:
    if not widget.isVisible() or widget.visibleRegion().isEmpty():
        return QRect()
    seen = box & widget.visibleRegion().boundingRect()  # a part may be scrolled out of sight
    return seen.translated(widget.mapTo(widget.window(), QPoint(0, 0)))


def bring_in_front(commands: Commands, point: Command) -> None:
    """Open the room that a lesson points at."""
    kind, name = point.words
    if (kind, name) == ("part", "charts"):
        commands.views.docks.show_dock("timeline")
        _timeline(commands).show_charts()
    elif (kind, name) == ("part", "stages"):
        commands.views.docks.show_dock("timeline")
        _timeline(commands).show_stages()
    elif (kind, name) == ("part", "cause"):
        commands.views.docks.show_dock("why")
        _why(commands).show_cause()
    elif kind == "part" and name in _PARTS_OF_TARGETS:
        show_room(commands, _PARTS_OF_TARGETS[name])
    elif kind in ("dock", "row"):
        show_room(commands, name if kind == "dock" else "tree")
