"""What every part of the room has in common: it asks about the position selected while it is seen, and shows that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLayout, QStackedWidget, QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, stopped
from gui.model.state import INSIDE_OVERLAY
from gui.widgets.folding_row import FoldingRow
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.games import Position
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from gui.model.shown import CellsShown
    from gui.model.sources import NetSource


LEAST_WORDS: Final = 200  # px, beyond their least width, of words that have controls beside them


class InsidePart(SeenWidget):
    """A part of the room Inside, whose widgets go into ``body``; it works only while it is in sight.

    A subclass overrides ``look``, which works in the thread, ``show_answer`` and, where it shows what the work reports,
    ``show_report``.  ``reader.position`` is the position that the answer is about.  What it shows cell by cell it
    returns from ``cells``, calls ``offer_cells`` when that changes, and has the box of ``board_box`` in its body.
    What was refused is not asked again when the part comes in sight again, unless ``asks_again`` says that files may
    have changed meanwhile.
    """

    board_wanted = Signal()  # the person wants to see on the board what the part shows
    asks_again = False

    def __init__(self, reader: InsideReader) -> None:
        super().__init__()
        self.reader = reader
        self.answered: tuple[Position | None, NetSource | None] = (None, None)  # of the answer shown
        self._refused: tuple[Position | None, NetSource | None] = (None, None)  # whose refusal is shown
        self._words: Words = ""
        self._box: QCheckBox | None = None
        self.body = QWidget(self)
        self.message = make_label(self, "dim", wrap=True)  # why there is nothing, or what is being done
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setMargin(24)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.message)
        self._pages.addWidget(self.body)
        self._column = lay_column((self._pages, 1), of=self, margins=0)
        reader.changed.connect(self._subject_changed)
        self.in_sight.connect(self._turned)
        on_language(self, self._write)
        on_language(self, self.offer_cells)
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

    def cells(self) -> CellsShown | None:
        """What the part shows of the position cell by cell; None for nothing."""
        return None

    def offer_cells(self) -> None:
        """Offer the board what the part shows now; nothing, while it is not in sight."""
        cells = self.cells() if self._in_sight and self.answered != (None, None) else None
        self.reader.state.offer_cells(type(self).__name__, cells)

    def board_box(self, parent: QWidget) -> QCheckBox:
        """Make the box that has the board show what the part shows."""
        state = self.reader.state
        box: QCheckBox = set_texts(
            QCheckBox(parent),
            text="On the board",
            toolTip="The board shows what this part shows, cell by cell; unchecked, what it showed before.",
        )
        box.clicked.connect(self._put_on_board)
        self._box = box
        state.overlay_changed.connect(self._renew_box)
        state.cells_changed.connect(self._renew_box)
        self._renew_box()
        return box

    def lay_head(self, words: QWidget, *controls: QWidget) -> QLayout:
        """Lay out words with controls beside them, or below them where that would leave the words little room."""
        row = FoldingRow(self.body, spare=lambda: px(LEAST_WORDS))
        row.left.addWidget(words, 1)
        inner = row.fold_right()  # the first control, and the others
        for part in (inner.left, inner.right):
            part.setSpacing(8)
            part.addStretch(1)
        for number, control in enumerate(controls):
            (inner.right if number else inner.left).addWidget(control)
        row.set_stretch(1, 0)
        return lay_row(row, margins=(12, 4, 10, 4))

    def ask(self) -> None:
        """Ask about the position now selected, if the part is in sight."""
        if not self._in_sight:
            return
        if self.reader.refusal:
            self._refuse(self.reader.refusal)
        else:
            if self.answered == (None, None):
                self.say("Reading the net…")
            self.reader.ask(self, self.look, self._take, self._refuse_asked, self.show_report)

    def put_above(self, widget: QWidget) -> None:
        """Show a widget above ``body``, and above the message that there is nothing."""
        self._column.insertWidget(0, widget)

    def ask_anew(self) -> None:
        """Drop what is shown, which does not count any more, and ask again."""
        self.answered = self._refused = None, None
        self._pages.setCurrentWidget(self.message)
        self.offer_cells()
        self.ask()

    def say(self, words: Words) -> None:
        """Have the message say why there is nothing yet, or what is being done."""
        self._words = words
        self._write()

    def show_body(self) -> None:
        """Show ``body`` instead of the message."""
        self._pages.setCurrentWidget(self.body)

    # implementation

    def _put_on_board(self, shown: bool) -> None:
        if shown:
            self.board_wanted.emit()  # which may hide the part for a moment, and then nothing is offered
        self.reader.state.show_cells(shown)

    def _renew_box(self) -> None:
        """Show on the box whether the board shows what is offered."""
        if self._box is not None:
            state = self.reader.state
            self._box.setEnabled(state.cells is not None)
            self._box.setChecked(state.overlay == INSIDE_OVERLAY)

    def _subject_changed(self) -> None:
        if self.reader.refusal:
            self._refuse(self.reader.refusal)
        self.ask()

    def _turned(self, in_sight: bool) -> None:
        subject, refused = (self.reader.position, self.reader.source), None if self.asks_again else self._refused
        if in_sight and (self.reader.refusal or subject not in (self.answered, refused)):
            self.ask()
        elif not in_sight:
            self.reader.stop(self)
        self.offer_cells()

    def _take(self, answer: Any) -> None:
        if answer is None:  # the work was dropped
            return
        self.answered, self._refused = (self.reader.position, self.reader.source), (None, None)
        self.show_answer(answer)
        self.show_body()
        self.offer_cells()

    def _refuse_asked(self, sentence: Words) -> None:
        """Show why the work on the position cannot be done."""
        self._refuse(sentence)
        self._refused = self.reader.position, self.reader.source

    def _refuse(self, sentence: Words) -> None:
        self.answered = self._refused = None, None
        self.forget_answer()
        self.offer_cells()
        self.say(sentence)
        self._pages.setCurrentWidget(self.message)

    def _write(self) -> None:
        words = core_text(self._words)
        words = words if words.endswith("…") else stopped(words)
        self.message.setText(begun(words))
