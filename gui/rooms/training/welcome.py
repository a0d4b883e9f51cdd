"""The page shown while there is no run: what training does, and a button to start."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.widgets.labels import main_button, make_label
from gui.widgets.texts import set_texts


class Welcome(QFrame):
    """The page's widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        title = make_label(self, "title", "Train a net by letting it play against itself")
        text = set_texts(
            QLabel(self),
            text="A run plays hundreds of games at once, each move chosen by a search that the net guides. From the "
            "finished games the net learns what the search found and how the games ended; the better net plays the "
            "next games.\n\nWhile it runs you see its losses and its strength on a ladder, watch the games, look "
            "at the training positions, and open any kept net in analysis. A run continues when this window is "
            "closed, and can be paused, stopped and resumed at any time.\n\nTic-tac-toe takes two minutes to "
            "perfect play; Connect Four an hour or two to be strong.",
        )
        text.setWordWrap(True)
        self.new = main_button("New run…", self)
        row = QHBoxLayout()
        row.addWidget(self.new)
        row.addStretch(1)
        block = QWidget(self)
        block.setMaximumWidth(560)
        block.setMinimumWidth(300)
        inner = QVBoxLayout(block)
        inner.setSpacing(16)
        inner.addWidget(title)
        inner.addWidget(text)
        inner.addLayout(row)
        outer = QHBoxLayout()
        outer.addStretch(1)
        outer.addWidget(block, 100)
        outer.addStretch(1)
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addLayout(outer)
        column.addStretch(3)
