"""The count of an ended game below the board, and the button that records it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from gui.widgets.texts import set_texts


class CountStrip(QWidget):
    """What each player's points are made of; ``recorded`` is emitted when the count shall be the game's result."""

    recorded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_texts(self, accessibleName="Count")
        self.label = QLabel(self)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = QPushButton(self)
        set_texts(
            self.button,
            text="Record result",
            toolTip="Write the result and whose points are whose to the game's record; files get RE, TB and TW",
        )
        self.button.clicked.connect(self.recorded)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 0, 0)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        self.hide()

    def show_count(self, words: str, recordable: bool) -> None:
        """Show a count in words; "" hides the strip.  ``recordable``: the record does not have it yet."""
        self.setVisible(bool(words))
        self.label.setText(words)
        self.label.setToolTip(words)
        self.setAccessibleDescription(words)
        self.button.setEnabled(recordable)
