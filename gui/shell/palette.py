"""The command palette: a search line and the matching commands, best first; Return runs one.  Knows titles only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from gui.shell.command_table import CommandRow, CommandTable
from gui.widgets.labels import make_label
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts

WIDTH, ROWS = 560, 12
START_OF_WORD, AFTER_LAST, GAP = 8, 5, 1  # points for a matching letter
WALKING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class Command:
    """One entry of the palette.  ``place``: its usual menu; ``keys`` as displayed."""

    title: str
    place: str
    keys: str
    run: Callable[[], object]
    ticked: bool = False


def fit(query: str, text: str) -> int | None:
    """Return how well all words of ``query`` match letters of ``text`` in order; None when they do not."""
    total = 0
    text = text.casefold()
    for word in query.casefold().split():
        best = max(
            (points for start in _starts(word[0], text) if (points := _along(word, text, start)) is not None),
            default=None,
        )
        if best is None:
            return None
        total += best
    return total


def _starts(letter: str, text: str) -> list[int]:
    return [place for place, found in enumerate(text) if found == letter]


def _along(word: str, text: str, start: int) -> int | None:
    """Return the points for a word's letters found in order from ``start`` on; None when one is missing."""
    points, last = 0, start - 1
    for letter in word:
        place = text.find(letter, last + 1)
        if place < 0:
            return None
        if place == 0 or not text[place - 1].isalnum():
            points += START_OF_WORD
        if place == last + 1:
            points += AFTER_LAST
        points -= GAP * min(8, place - last - 1)
        last = place
    return points


def ranked(query: str, commands: Sequence[Command]) -> list[Command]:
    """Return the commands that match the query, best first; all of them in their order for an empty query."""
    found = []
    for place, command in enumerate(commands):
        points = fit(query, f"{command.title} {command.place}")
        if points is not None:
            found.append((-points, len(command.title) if query.strip() else 0, place, command))
    return [command for *_, command in sorted(found, key=lambda item: item[:3])]


class Palette(QDialog):
    """The palette's popup at the top of its window; Esc or a click outside closes it."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = parent
        self._commands = tuple(commands)
        self.found: list[Command] = []
        card = QFrame(self)
        card.setObjectName("palette")
        self.line = QLineEdit(card)
        set_texts(self.line, placeholderText="Find a command, a view, a game", accessibleName="Find a command")
        self.line.textChanged.connect(self._search)
        self.line.installEventFilter(self)
        self.list = set_texts(CommandTable(card), accessibleName="Commands found")
        self.list.horizontalHeader().hide()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(lambda _: self.run())
        self.nothing = make_label(card, "dim", "No matches.")
        self.nothing.setContentsMargins(10, 8, 10, 8)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(8, 8, 8, 8)
        inside.setSpacing(6)
        inside.addWidget(self.line)
        inside.addWidget(self.list, 1)
        inside.addWidget(self.nothing)
        inside.addStretch(0)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(card)
        self._search("")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        window = self._window
        row = max(self.list.sizeHintForRow(0), self.fontMetrics().height() + 6)
        width = min(px(WIDTH), window.width() - 40)
        height = min(ROWS * row + self.line.sizeHint().height() + 30, window.height() - 80)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.setGeometry(corner.x() + (window.width() - width) // 2, corner.y() + 56, width, height)
        self.line.setFocus()

    def _search(self, text: str) -> None:
        self.found = ranked(text, self._commands)
        rows = [(command.title + "  ✓" * command.ticked, command.place, command.keys) for command in self.found]
        self.list.show_rows([CommandRow(f"{place}: {title}", title, place, keys) for title, place, keys in rows])
        self.list.setVisible(bool(self.found))
        self.nothing.setVisible(not self.found)
        if self.found:
            self.list.choose(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the focus in the search line; arrow keys move through the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in WALKING:
                self._walk(event.key())
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return super().eventFilter(watched, event)

    def _walk(self, key: int) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -ROWS, Qt.Key.Key_PageDown: ROWS}[Qt.Key(key)]
        self.list.choose(max(0, min(len(self.found) - 1, self.list.currentIndex().row() + step)))

    def run(self) -> None:
        """Close the palette and run the selected command."""
        if not self.found:
            return
        command = self.found[self.list.currentIndex().row()]
        self.close()
        command.run()
