"""Labels that shorten themselves, a button in bold, and looks by name.  Know only their texts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QStyleOption, QWidget

from gui.widgets.text_size import give_room
from gui.widgets.texts import set_texts


def make_label(parent: QWidget, look: str, text: str = "", wrap: bool = False) -> QLabel:
    """A label by its look in the style sheet (dim, heading, title, ...) and its English text."""
    made = set_texts(QLabel(parent), text=text) if text else QLabel(parent)
    made.setObjectName(look)
    if wrap:  # False would change the size policy
        made.setWordWrap(True)
    return made


def main_button(text: str, parent: QWidget) -> QPushButton:
    """The button one is most likely to press, by its English text, wide enough for it in bold."""
    button = set_texts(QPushButton(parent), text=text)
    button.setDefault(True)
    give_room(button)
    return button


def repolish(widget: QWidget) -> None:
    """Let the style sheet see its properties and name anew."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def rename(widget: QWidget, name: str) -> None:
    """Change a widget's object name, which the style sheet uses."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        repolish(widget)


class ShortLabel(QLabel):
    """A label with an ellipsis and the whole text as tooltip when it does not fit."""

    def __init__(self, parent: QWidget | None = None, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(parent)
        self._elide = elide
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        box = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._elide, box.width())
        self.setToolTip(self.text() if shown != self.text() else "")
        painter.setPen(option.palette.color(self.foregroundRole()))
        painter.drawText(box, self.alignment(), shown)
