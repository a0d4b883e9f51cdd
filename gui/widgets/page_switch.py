"""The switch between the pages Analysis and Training, at the same place on both."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gui.language.language import mark
from gui.widgets.texts import set_texts

ANALYSIS, TRAINING = "analysis", "training"
PAGES = (ANALYSIS, TRAINING)


TITLES = {
    ANALYSIS: mark("Analysis"),
    TRAINING: mark("Training"),
    "visits": mark("Visits"),
    "prior": mark("Prior"),
    "value": mark("Value"),
    "change": mark("Change"),
    "net": mark("Net"),
    "proof": mark("Proof"),
    "mover": mark("To move"),
    "first": "1",
    "second": "2",
    "charts": mark("Charts"),
    "games": mark("Games"),
    "samples": mark("Samples"),
    "checkpoints": mark("Checkpoints"),
    "settings": mark("Settings"),
    "step": mark("Step"),
    "iteration": mark("Iteration"),
    "minutes": mark("Minutes"),
    "moves": mark("Moves"),
    "trees": mark("Trees"),
    "table": mark("Table"),
    "icicle": mark("Icicle"),
    "picture": mark("Picture"),
    "first_search": mark("First search"),
    "second_search": mark("Second search"),
    "small": mark("Small"),
    "medium": mark("Medium"),
    "large": mark("Large"),
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
    """A choice between a few options, by name."""

    chosen = Signal(str)

    def __init__(self, names: tuple[str, ...], tips: tuple[str, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.buttons = segments(self, names)
        for place, (name, button) in enumerate(self.buttons.items()):
            if tips:
                set_texts(button, toolTip=tips[place])
            button.clicked.connect(lambda _=False, n=name: self.chosen.emit(n))
            row.addWidget(button)
        self.show_choice(names[0])

    @property
    def choice(self) -> str:
        return next(name for name, button in self.buttons.items() if button.isChecked())

    def show_choice(self, name: str) -> None:
        self.buttons[name].setChecked(True)


class PageSwitch(Segments):
    """The switch between the pages."""

    def __init__(self, shown: str, parent: QWidget | None = None) -> None:
        super().__init__(PAGES, (mark("Watch a search (Ctrl+1)"), mark("Train nets (Ctrl+2)")), parent)
        self.show_choice(shown)
