"""A room in its card; its contents are made, from a row of the table of rooms, when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from core.text import Words
from gui.jobs.task import save_file
from gui.language.language import tr
from gui.widgets.dressing import hold_parts
from gui.widgets.labels import BETWEEN, ShortLabel
from gui.widgets.layouts import lay_column
from gui.widgets.parts import Made, Parts
from gui.widgets.room import Room
from gui.widgets.saving import ask_save_name, png
from gui.widgets.text_size import fit, px
from gui.widgets.texts import TextSource, set_texts, source_text
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from gui.context import Context

# The drawer is at the right of all; rooms in the middle cover the board.
LEFT, RIGHT, BOTTOM, DRAWER, MIDDLE = AREAS = ("left", "right", "bottom", "drawer", "middle")
WIDEST: Final = 0.25  # share of the window that the width of a row may take
LIST: Final = (200, 130)  # px, smallest size at which a list or table is of use


@dataclass(frozen=True)
class Part:
    """One part of a room of several (gui.widgets.parts); ``keys`` show the room at it, or hide it again.

    ``also``: other words by which the palette finds it.
    """

    name: str
    title: Words
    keys: tuple[str, ...] = ()
    also: str = ""


@dataclass(frozen=True)
class Row:
    """One row of the table of rooms.

    ``area``: one of ``AREAS``, where it opens.  ``keys``: shortcuts that show and hide it.  ``parts``: those of a room
    that has several.  ``stays``: it is open beside every workspace, and of none.  ``width``: px that it wants at least,
    in a wide window.  ``also``: other words by which the palette finds it.
    """

    name: str
    title: Words
    area: str
    keys: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    stays: bool = False
    width: int = 0
    also: str = ""


MakeRoom = Callable[[str], Made]  # makes the contents of a room by the name of its row


class Dock(QFrame):
    """The card of one room; an Area (gui.shell.area) shows its title, its heading and its buttons above it."""

    filled = Signal()  # its contents have been made, and are about to be shown what they show
    picture_requested = Signal()  # the user wants to save a picture of it

    def __init__(self, row: Row, make_room: MakeRoom, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(row.name)
        self.setContentsMargins(1, 0, 1, 1)  # the line around it
        hold_parts(self)
        self.hide()
        self.row = row
        self.open = False  # in an area, perhaps behind another room, or in a window of its own
        self.widget_made: QWidget | None = None
        self._make_room = make_room
        self.heading = ShortLabel(self, "faint", whole_parts=True)  # moves to the head of the area
        self.heading.hide()
        self._part = ""  # the one to be shown first
        self._moment = ""
        self._detail: TextSource = ""
        self._held: QWidget | None = None  # the contents, perhaps with scroll bars
        self._column = lay_column(of=self, margins=(2, 0, 2, 2), spacing=0)

    @property
    def part(self) -> str:
        """The part shown of a room that shows one of several; "" for its first, or for another room."""
        return self.widget_made.part if isinstance(self.widget_made, Parts) else self._part

    def show_part(self, name: str) -> None:
        """Show a part of a room that shows one of several, now or when it is made."""
        self._part = name
        if isinstance(self.widget_made, Parts):
            self.widget_made.show_part(name)

    def set_detail(self, detail: TextSource) -> None:
        """Set what stands beside the title."""
        self._detail = detail
        set_texts(self.heading, text=self._heading)

    def set_moment(self, words: str) -> None:
        """Set the earlier moment that is named beside the title; "" for the present."""
        if words != self._moment:
            self._moment = words
            set_texts(self.heading, text=self._heading)

    def _heading(self) -> str:
        return BETWEEN.join(words for words in (self._moment, source_text(self._detail)) if words)

    def add_picture_actions(self, menu: QMenu) -> None:
        """Let a menu copy or save a picture of the contents."""
        menu.addAction(tr("Copy a picture")).triggered.connect(
            lambda: QGuiApplication.clipboard().setPixmap(self.picture())
        )
        menu.addAction(tr("Save a picture…")).triggered.connect(self.picture_requested)

    def picture(self) -> QPixmap:
        """The contents as a picture."""
        return self.fill().grab()

    def fill(self) -> QWidget:
        """Return the contents, made at the first call."""
        if self.widget_made is None:
            widget, connect = self._make_room(self.row.name)
            self.widget_made = widget
            held: QWidget = widget
            if not isinstance(widget, QAbstractScrollArea):
                held = Room(self)
                hold_parts(held, held.viewport(), held.cornerWidget())
                held.hold(widget)
            self._held = held
            if isinstance(widget, Parts) and self._part:
                widget.switch.show_choice(self._part)
            self._column.addWidget(held, 1)
            held.show()
            widget.show()
            self.filled.emit()
            if isinstance(widget, Parts) and self._part:
                widget.show_part(self._part)
            if connect is not None:
                connect(widget)
            fit(self)
            held.updateGeometry()  # a least width set by fit does not reach the layouts by itself
        return self.widget_made

    @property
    def around(self) -> QSize:
        """What the card has around its contents."""
        margins = self._column.contentsMargins() + self.contentsMargins()
        return QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    @property
    def natural_size(self) -> QSize:
        """The smallest size at which nothing has to scroll."""
        if isinstance(self._held, Room):
            width = min(px(self.row.width), round(WIDEST * self.window().width()))
            return self._held.unscrolled().expandedTo(QSize(width, 0)) + self.around
        return QSize(px(LIST[0]), px(LIST[1])) + self.around

    def showEvent(self, event: QShowEvent) -> None:
        self.fill()
        super().showEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("line"))
        painter.setBrush(theme.color("panel"))
        painter.setClipRect(self.rect())
        radius = px(8)  # of the lower corners; the head of the area lies above
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, -2 * radius, -0.5, -0.5), radius, radius)


def connect_pictures(context: Context, docks: Iterable[Dock]) -> None:
    """Let the headings of a window's docks save pictures."""
    for dock in docks:
        dock.picture_requested.connect(partial(_choose_picture, context, dock))


def _choose_picture(context: Context, dock: Dock) -> None:
    path = ask_save_name(context.window, tr("Save a picture…"), "pictures", f"{dock.row.name}.png")
    if path is not None:
        save_picture(context, dock, path)


def save_picture(context: Context, dock: Dock, path: Path) -> None:
    """Write a picture of the dock's contents, in the background."""
    data, messages = png(dock.picture()), context.messages
    save_file(context.window, path, lambda: data, messages.show_notice, messages.show_error)
