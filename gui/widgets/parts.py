"""Rooms of several parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from core.text import Words
from gui.widgets.dressing import hold_parts
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.segments import Segments
from gui.widgets.text_size import fit
from gui.widgets.texts import set_texts

_NO_ROOM = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
# A new widget, and what connects it to the model and shows the current state, called when it has its place.
Made = tuple[QWidget, Callable[[Any], object] | None]


class PartedRoom(QWidget):
    """A room that shows parts of it by their names, at least one at a time."""

    def part_shown(self, name: str) -> bool:
        """Whether a part is shown."""
        raise NotImplementedError

    def show_part(self, name: str) -> QWidget:
        """Show a part and return its widget."""
        raise NotImplementedError

    def hide_part(self, name: str) -> bool:
        """Hide a part; False where only the whole room can be hidden."""
        return False


class Parts(PartedRoom):
    """A switch above one of several widgets; each is made when it is first shown."""

    def __init__(self, titles: Mapping[str, Words], make: Callable[[str], Made], parent: QWidget | None = None) -> None:
        """``titles`` of the parts by name; ``make`` makes one."""
        super().__init__(parent)
        self._make_part = make
        self.made: dict[str, QWidget] = {}
        self._policies: dict[str, QSizePolicy] = {}
        self.switch = Segments(tuple(titles), parent=self, wraps=True)
        for name, title in titles.items():
            set_texts(self.switch.buttons[name], text=title)
        self.switch.chosen.connect(self.show_part)
        self._stack = QStackedWidget(self)
        hold_parts(self, self._stack)
        row = lay_row(self.switch, 1, margins=(12, 2, 8, 2))
        lay_column(row, (self._stack, 1), of=self, margins=0, spacing=2)

    @property
    def part(self) -> str:
        """The name of the part shown."""
        return self.switch.choice

    def part_shown(self, name: str) -> bool:
        return name == self.part

    def show_part(self, name: str) -> QWidget:
        if name not in self.made:
            self._make(name)
        self.switch.show_choice(name)
        for other, widget in self.made.items():  # only the one shown needs room
            widget.setSizePolicy(self._policies[other] if other == name else _NO_ROOM)
        self._stack.setCurrentWidget(self.made[name])
        return self.made[name]

    def _make(self, name: str) -> None:
        widget, connect = self._make_part(name)
        widget.setObjectName(name)  # the guide opens at the page of this part
        self.made[name], self._policies[name] = widget, widget.sizePolicy()
        self._stack.addWidget(widget)
        widget.show()
        widget.ensurePolished()  # it has its theme when it is measured
        if connect is not None:
            connect(widget)
        fit(widget)

    def showEvent(self, event: QShowEvent) -> None:
        if not self.made:
            self.show_part(self.part)
        super().showEvent(event)
