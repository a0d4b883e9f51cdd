"""A choice between a few options as a row of joined buttons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from core.text import Words
from gui.widgets.labels import repolish
from gui.widgets.texts import set_texts

BETWEEN: Final = 1  # px between two buttons, also of two lines
TITLES: dict[str, Words] = {
    "visits": "Visits",
    "prior": "Prior",
    "value": "Value",
    "change": "Change",
    "net": "Net",
    "proof": "Proof",
    "mover": "To move",
    "first": "1",
    "second": "2",
    "charts": "Charts",
    "games": "Games",
    "samples": "Samples",
    "checkpoints": "Checkpoints",
    "diagnosis": "Diagnosis",
    "settings": "Settings",
    "step": "Step",
    "iteration": "Iteration",
    "minutes": "Minutes",
    "moves": "Moves",
    "trees": "Trees",
    "table": "Table",
    "icicle": "Icicle",
    "picture": "Picture",
    "first_search": "First search",
    "second_search": "Second search",
    "small": "Small",
    "medium": "Medium",
    "large": "Large",
    "luck": "Luck",
}


def segments(parent: QWidget, names: tuple[str, ...]) -> dict[str, QToolButton]:
    """Return a row of joined buttons, one of them checked; put them into a layout without spacing."""
    group = QButtonGroup(parent)
    buttons = {}
    for name in names:
        button = QToolButton(parent)
        button.setObjectName("segment")
        set_texts(button, text=TITLES.get(name, name.capitalize()))
        button.setCheckable(True)
        button.setProperty("place", "first" if name == names[0] else "last" if name == names[-1] else "")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        group.addButton(button)
        buttons[name] = button
    return buttons


class Segments(QWidget):
    """A choice between a few options, by name; where it gets less room than it wants, in several lines."""

    chosen = Signal(str)

    def __init__(
        self,
        names: tuple[str, ...],
        tips: tuple[Words, ...] = (),
        parent: QWidget | None = None,
        wraps: bool = False,
    ) -> None:
        """``wraps``: it can be so narrow that it needs two lines; else its least width is that of one."""
        super().__init__(parent)
        self._fewest = 2 if wraps else 1  # lines at the least width
        self._lines = 1
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.buttons = segments(self, names)
        for place, (name, button) in enumerate(self.buttons.items()):
            if tips:
                set_texts(button, toolTip=tips[place])
            button.clicked.connect(lambda _=False, n=name: self.chosen.emit(n))
        self.show_choice(names[0])

    @property
    def choice(self) -> str:
        return next(name for name, button in self.buttons.items() if button.isChecked())

    def show_choice(self, name: str) -> None:
        self.buttons[name].setChecked(True)

    # sizes

    def _sizes(self) -> list[QSize]:
        return [button.sizeHint() for button in self.buttons.values()]

    def sizeHint(self) -> QSize:
        """Return the size of one line, as high as the lines that there are now."""
        sizes = self._sizes()
        widths = [size.width() for size in sizes]
        height = max(size.height() for size in sizes)
        return QSize(_length(widths), self._lines * (height + BETWEEN) - BETWEEN)

    def minimumSizeHint(self) -> QSize:
        widths = tuple(size.width() for size in self._sizes())
        return QSize(_narrowest(widths, self._fewest), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def event(self, event: QEvent) -> bool:
        result = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # a button has another size
            self._lay_out()
            self.updateGeometry()
        return result

    def _lay_out(self) -> None:
        """Put the buttons into as few lines as there is room for, which are about equally long."""
        sizes, buttons = self._sizes(), [*self.buttons.values()]
        widths, height = tuple(size.width() for size in sizes), max(size.height() for size in sizes)
        lines = _broken(widths, _narrowest(widths, len(_broken(widths, self.width()))))
        place = 0
        for number, length in enumerate(lines):
            x = 0
            for button, width in zip(buttons[place : place + length], widths[place : place + length], strict=True):
                button.setGeometry(x, number * (height + BETWEEN), width, height)
                x += width + BETWEEN
            place += length
        self._mark(lines)
        if len(lines) != self._lines:
            self._lines = len(lines)
            self.updateGeometry()

    def _mark(self, lines: Sequence[int]) -> None:
        """Note on each button where it stands in its line, for the style sheet."""
        places = [
            "alone" if length == 1 else "first" if at == 0 else "last" if at == length - 1 else ""
            for length in lines
            for at in range(length)
        ]
        for button, place in zip(self.buttons.values(), places, strict=True):
            if button.property("place") != place:
                button.setProperty("place", place)
                repolish(button)


def _length(widths: Sequence[int]) -> int:
    """Return the px of a line of buttons."""
    return sum(widths) + BETWEEN * (len(widths) - 1)


def _broken(widths: tuple[int, ...], room: int) -> list[int]:
    """Return how many buttons each line has, as many as fit into so many px; one that does not is alone in its line."""
    lines, begin = [], 0
    for end in range(1, len(widths) + 1):
        if end == len(widths) or _length(widths[begin : end + 1]) > room:
            lines.append(end - begin)
            begin = end
    return lines


@lru_cache(maxsize=256)  # asked for at each layout of the window
def _narrowest(widths: tuple[int, ...], lines: int) -> int:
    """Return the least px at which buttons need so many lines."""
    ends = range(1, len(widths) + 1)
    rooms = {_length(widths[begin:end]) for end in ends for begin in range(end)}
    return min(room for room in rooms if room >= max(widths) and len(_broken(widths, room)) <= lines)
