"""What every part of the room has in common: it asks about the position selected while it is seen, and shows that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, stopped
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from gui.model.sources import NetSource


class InsidePart(SeenWidget):
    """A part of the room Inside, whose widgets go into ``body``; it works only while it is in sight.

    A subclass overrides ``look``, which works in the thread, ``show_answer`` and, where it shows what the work reports,
    ``show_report``.  ``reader.position`` is the position that the answer is about.
    """

    def __init__(self, reader: InsideReader) -> None:
        super().__init__()
        self.reader = reader
        self.answered: tuple[Position | None, NetSource | None] = (None, None)  # of the answer shown
        self._words: Words = ""
        self.body = QWidget(self)
        self.message = make_label(self, "dim", wrap=True)  # why there is nothing, or what is being done
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setMargin(24)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.message)
        self._pages.addWidget(self.body)
        lay_column(self._pages, of=self, margins=0)
        reader.changed.connect(self._subject_changed)
        self.in_sight.connect(self._turned)
        on_language(self, self._write)
        self.say("Reading the net…")

    # for subclasses

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> Any:
        """Return what is shown of a position; in the thread.  ValueError, one sentence, when that cannot be had."""
        raise NotImplementedError

    def show_answer(self, answer: Any) -> None:
        """Show what ``look`` returned; in the GUI thread, as all below."""
        raise NotImplementedError

    def show_report(self, value: Any) -> None:
        """Show what ``look`` reported."""

    def forget_answer(self) -> None:
        """Drop what was shown: the net has changed, or there is none."""

    def ask(self) -> None:
        """Ask about the position now selected, if the part is in sight."""
        if not self._in_sight:
            return
        if self.reader.refusal:
            self._refuse(self.reader.refusal)
        else:
            if self.answered == (None, None):
                self.say("Reading the net…")
            self.reader.ask(self, self.look, self._take, self._refuse, self.show_report)

    def say(self, words: Words) -> None:
        """Have the message say why there is nothing yet, or what is being done."""
        self._words = words
        self._write()

    def show_body(self) -> None:
        """Show ``body`` instead of the message."""
        self._pages.setCurrentWidget(self.body)

    # implementation

    def _subject_changed(self) -> None:
        if self.reader.refusal:
            self._refuse(self.reader.refusal)
        self.ask()

    def _turned(self, in_sight: bool) -> None:
        if in_sight and (self.reader.refusal or self.answered != (self.reader.position, self.reader.source)):
            self.ask()
        elif not in_sight:
            self.reader.stop(self)

    def _take(self, answer: Any) -> None:
        if answer is None:  # the work was dropped
            return
        self.answered = self.reader.position, self.reader.source
        self.show_answer(answer)
        self.show_body()

    def _refuse(self, sentence: Words) -> None:
        self.answered = None, None
        self.forget_answer()
        self.say(sentence)
        self._pages.setCurrentWidget(self.message)

    def _write(self) -> None:
        words = core_text(self._words)
        words = words if words.endswith("…") else stopped(words)
        self.message.setText(begun(words) if self.reader.refusal else words)
