"""The command palette: a search line and the matching commands, best first; Return runs one.  Uses titles only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QWidget,
)

from gui.language.language import tr
from gui.model.keymap import plain_title
from gui.shell.command_table import CommandRow, CommandTable
from gui.widgets.keys import ENTER
from gui.widgets.labels import make_frame, make_label
from gui.widgets.layouts import lay_column
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts

WIDTH, ROWS = 560, 12
OTHERS = 2  # more for a word that is not in the title
IDEOGRAPHS = "\u2e80"  # from here on each character is a word
WALKING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class Command:
    """One entry of the palette.  ``place``: its usual menu; ``keys`` as displayed; ``others``: what it is found by
    beside title and place."""

    title: str
    place: str
    keys: str
    run: Callable[[], object]
    ticked: bool = False
    others: str = ""


def pieces(word: str, text: str) -> int | None:
    """Return of how few beginnings of words of ``text``, in their order, a word is made: in "Set up a position" 1 for
    "pos" and 2 for "setpos"; None when it is not made of them."""
    text = text.casefold()
    starts = [at for at, letter in enumerate(text) if letter.isalnum() and _begins(text, at)]
    return _fewest(word.casefold(), text, starts)


def _begins(text: str, at: int) -> bool:
    """Whether a word begins at a letter."""
    return not at or not text[at - 1].isalnum() or text[at] >= IDEOGRAPHS


def _fewest(word: str, text: str, starts: Sequence[int]) -> int | None:
    if not word:
        return 0
    fewest = None
    for number, start in enumerate(starts):
        for length in range(len(word), 0, -1):
            if text.startswith(word[:length], start):
                rest = _fewest(word[length:], text, starts[number + 1 :])
                if rest is not None and (fewest is None or 1 + rest < fewest):
                    fewest = 1 + rest
    return fewest


def distance(query: str, command: Command) -> int | None:
    """Return how far a command is from what is looked for; None: it is not it.  Of the title alone several words may be
    abbreviated to one."""
    total = 0
    for word in query.split():
        near = [
            count + more
            for text, more, most in ((command.title, 0, len(word)), (command.others, OTHERS, 1))
            if (count := pieces(word, text)) is not None and count <= most
        ]
        if not near:
            return None
        total += min(near)
    return total


def ranked(query: str, commands: Sequence[Command]) -> list[Command]:
    """Return the commands that match the query, best first; among equal ones those first that begin with it."""
    whole = query.strip().casefold()
    matching = []
    for command in commands:
        far, title = distance(query, command), command.title.casefold()
        if far is not None:
            matching.append(((far, not title.startswith(whole), title != whole), command))
    return [command for _, command in sorted(matching, key=lambda item: item[0])]


class Palette(QDialog):
    """The palette's popup at the top of its window; Esc or a click outside closes it."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = parent
        self._commands = tuple(commands)
        self.matches: list[Command] = []
        card = make_frame(self, "palette")
        self.line = QLineEdit(card)
        set_texts(
            self.line,
            placeholderText="Find a command, a setting, a room, a game",
            accessibleName=lambda: plain_title(tr("&Find a command…")),
        )
        self.line.textChanged.connect(self._search)
        self.line.installEventFilter(self)
        self.list = set_texts(CommandTable(card), accessibleName="Commands found")
        self.list.horizontalHeader().hide()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(lambda _: self.run())
        self.nothing = make_label(card, "dim", "No matches.")
        self.nothing.setContentsMargins(10, 8, 10, 8)
        lay_column(self.line, (self.list, 1), self.nothing, 0, of=card, margins=8, spacing=6)
        lay_column(card, of=self, margins=0)
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
        self.matches = ranked(text, self._commands)
        rows = [(command.title + "  ✓" * command.ticked, command.place, command.keys) for command in self.matches]
        self.list.show_rows([CommandRow(f"{place}: {title}", title, place, keys) for title, place, keys in rows])
        self.list.setVisible(bool(self.matches))
        self.nothing.setVisible(not self.matches)
        if self.matches:
            self.list.choose(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the focus in the search line; arrow keys move through the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in WALKING:
                self._walk(event.key())
                return True
            if event.key() in ENTER:
                self.run()
                return True
        return super().eventFilter(watched, event)

    def _walk(self, key: int) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -ROWS, Qt.Key.Key_PageDown: ROWS}[Qt.Key(key)]
        self.list.choose(max(0, min(len(self.matches) - 1, self.list.currentIndex().row() + step)))

    def run(self) -> None:
        """Close the palette and run the selected command."""
        if not self.matches:
            return
        command = self.matches[self.list.currentIndex().row()]
        self.close()
        command.run()
