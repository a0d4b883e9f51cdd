"""A choice between a few options as a row of joined buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from core.text import Words
from gui.widgets.layouts import lay_row
from gui.widgets.texts import set_texts

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
    """A choice between a few options, by name."""

    chosen = Signal(str)

    def __init__(self, names: tuple[str, ...], tips: tuple[Words, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = lay_row(of=self, margins=0, spacing=1)
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
