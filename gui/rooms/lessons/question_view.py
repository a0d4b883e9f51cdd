"""A question of a lesson: choices or a field, and what is said about the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from gui.widgets.form import NumberEdit
from gui.widgets.keys import ENTER
from gui.widgets.labels import make_label, rename
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme

PADDING: Final = 10
WRAP: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


class ChoiceButton(QPushButton):
    """A button whose text has as many lines as it needs; a mark says whether the choice was right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = ""
        self.mark = ""  # "", "good" or "warn": a colour of the theme
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_words(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.setAccessibleName(words)
            self.updateGeometry()
            self.update()

    def set_mark(self, mark: str) -> None:
        if mark != self.mark:
            self.mark = mark
            self.update()

    def _box(self, width: int) -> QRect:
        room = QRect(0, 0, max(40, width - 2 * px(PADDING)), 10_000)
        return self.fontMetrics().boundingRect(room, int(WRAP), self.words)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._box(width).height() + px(14)

    def sizeHint(self) -> QSize:
        return QSize(px(200), self.heightForWidth(max(px(200), self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(120), self.fontMetrics().height() + px(14))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)
        theme = current_theme()
        painter.setPen(theme.color(self.mark or "text"))
        painter.drawText(self.rect().adjusted(px(PADDING), 0, -px(PADDING), 0), int(WRAP), self.words)


class QuestionView(QWidget):
    """The question; emits the number of the choice, or the text that was entered."""

    chosen = Signal(int)
    entered = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence = make_label(self, "heading", wrap=True)
        self.choices: list[ChoiceButton] = []
        self.field: QLineEdit = NumberEdit(self)
        set_texts(self.field, accessibleName="Your answer")
        self.check = set_texts(QPushButton(self), text="Check")
        self.verdict = QLabel(self)
        self.verdict.setWordWrap(True)
        self._entry = QWidget(self)
        lay_row((self.field, 1), self.check, of=self._entry, margins=0)
        self._column = lay_column(self.sentence, self._entry, self.verdict, of=self, margins=0, spacing=6)
        self.check.clicked.connect(lambda: self.entered.emit(self.field.text()))
        self.field.returnPressed.connect(lambda: self.entered.emit(self.field.text()))

    def set_choices(self, count: int) -> None:
        """Make room for a question with so many choices; 0: a field."""
        for button in self.choices:
            self._column.removeWidget(button)
            button.deleteLater()
        self.choices = []
        for place in range(count):
            button = ChoiceButton(self)
            button.clicked.connect(lambda _=False, p=place: self.chosen.emit(p))
            self.choices.append(button)
            self._column.insertWidget(1 + place, button)
            button.show()
        self._entry.setVisible(count == 0)
        self.field.clear()
        self.say("")

    def show_words(self, sentence: str, choices: Sequence[str]) -> None:
        self.sentence.setText(sentence)
        for button, words in zip(self.choices, choices, strict=True):
            button.show_words(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return chooses; it does not go on to the next step as well."""
        if event.key() not in ENTER:
            super().keyPressEvent(event)
            return
        chosen = next((button for button in self.choices if button.hasFocus()), None)
        if chosen is not None:
            chosen.click()

    def mark_choice(self, place: int, right: bool) -> None:
        """Colour a choice; the others lose theirs."""
        for number, button in enumerate(self.choices):
            button.set_mark(("good" if right else "warn") if number == place else "")

    def say(self, words: str, right: bool = False) -> None:
        """What is said about the answer; "" nothing."""
        rename(self.verdict, "good" if right else "error")
        self.verdict.setText(words)
        self.verdict.setVisible(bool(words))
