"""The search field of the tree: moves, or a question to the tree, and a menu of questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from core.text import Words
from gui.language.language import tr
from gui.widgets.keys import ENTER, keeps_key
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import icon, on_theme

if TYPE_CHECKING:
    from gui.widgets.preferences import Preferences

WHAT: Final[Words] = "Find moves, ask the tree"
SHORT: Final[Words] = "Find"  # where there is no room for these words
NARROWEST: Final = 112  # px
BESIDE: Final = 48  # px of the field beside its words, with the button of the menu
EXAMPLES: Final[Sequence[tuple[str, Words]]] = (
    ("N > 100 and abs(Q - V) > .3", "the search contradicts the net"),
    ("rank == 1 and P < 5%", "best moves against the prior"),
    ("depth >= 4 and proof", "proved further down"),
    ("N > 50 and proof == loss", "visits of lost moves"),
    ("share > 95% and N > 100", "hardly a choice"),
)


class SearchBox(QLineEdit):
    """A field for moves or a question; Enter goes to the next node found, Shift+Enter to the one before."""

    walked = Signal(int)  # +1 or -1

    def __init__(self, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.readable = True  # whether the text is a question that can be kept
        self.menu = QMenu(self)
        self._list = QAction(self.menu)
        self._list.triggered.connect(self._open_menu)
        self.addAction(self._list, QLineEdit.ActionPosition.TrailingPosition)
        on_theme(self, self._draw)
        self._draw()
        set_texts(self._list, toolTip="Questions: examples and your own")
        set_texts(
            self,
            accessibleName=WHAT,
            toolTip="Light the nodes that end with these moves (d4 e5), or those of which a question is true "
            "(N > 100 and abs(Q - V) > .3); Enter goes to the next, Shift+Enter to the one before",
        )
        by_font(self, self._give_room)
        on_language(self, self._give_room)

    def _draw(self) -> None:
        self._list.setIcon(icon("arrow_down", "dim"))

    @property
    def _usual(self) -> int:
        """The width in px at which it shows all the words that invite to it."""
        return self.fontMetrics().horizontalAdvance(tr(WHAT)) + px(BESIDE)

    def lacking(self) -> int:
        """Return by how many px its least width is too narrow for these words."""
        return max(0, self._usual - self.minimumWidth())

    def _give_room(self) -> None:
        self.setMinimumWidth(px(NARROWEST))
        self.setMaximumWidth(max(self._usual, px(340)))
        self._invite()

    def _invite(self) -> None:
        set_texts(self, placeholderText=WHAT if self.width() >= self._usual else SHORT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._invite()

    def _open_menu(self) -> None:
        self.fill_menu()
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def fill_menu(self) -> None:
        """List the examples, the user's own questions, and what can be done with the one in the field."""
        kept, text = self._preferences.questions, self.text().strip()
        self.menu.clear()
        for question, meaning in EXAMPLES:
            self.menu.addAction(f"{question}\t{tr(meaning)}", partial(self.setText, question))
        self.menu.addSeparator()
        for question in kept:
            self.menu.addAction(question.replace("&", "&&"), partial(self.setText, question))
        is_kept = text in kept
        title = tr("Forget this question") if is_kept else tr("Keep this question")
        self.menu.addAction(title, self._turn_kept).setEnabled(bool(text) and (is_kept or self.readable))

    def _turn_kept(self) -> None:
        """Keep the question in the field among the user's own, or forget it."""
        kept, text = self._preferences.questions, self.text().strip()
        self._preferences.questions = (
            tuple(question for question in kept if question != text) if text in kept else (text, *kept)
        )

    def event(self, event: QEvent) -> bool:
        """Reserve Enter, and Escape where there is a text, whatever their shortcuts elsewhere."""
        keys = (*ENTER, Qt.Key.Key_Escape) if self.text() else ENTER
        return keeps_key(event, keys) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.walked.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
