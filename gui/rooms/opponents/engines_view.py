"""A second opinion: what an outside engine says of the position shown, beside our search and never mixed with it.

Knows an opinion and a list of engines; ``connect_engines`` gives it those of the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.text import text_of
from gui.jobs.outside import OutsideAnalysis
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.rooms.opponents.engines_dialog import EnginesDialog
from gui.rooms.opponents.opinions import DialogueView, OpinionTable, RingSign, SecondRing
from gui.widgets.board.board_paint import kind_of
from gui.widgets.form import ComboBox
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.sections import Section
from gui.widgets.text_size import give_room
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from gui.context import Context
    from gui.widgets.board.board import BoardView
    from models.engines.known import EngineEntry


class EnginesView(SeenWidget):
    """Chooses an engine, shows its rows and its dialogue.  ``toggled``: ask or stop; ``edited``: change the list."""

    toggled = Signal()
    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.job = OutsideAnalysis(self)
        self.engines: tuple[EngineEntry, ...] = ()
        self.choice = set_texts(ComboBox(self), accessibleName="Engine that is asked")
        self.ask, self.edit = QPushButton(self), set_texts(QPushButton(self), text="Engines…")
        for button in (self.ask, self.edit):
            give_room(button)
        self.state, self.note = make_label(self, "dim", wrap=True), make_label(self, "error", wrap=True)
        self.legend = QWidget(self)
        self.sign, self.ringed = RingSign(self.legend), make_label(self.legend, "dim")
        self.table = OpinionTable(self)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # it gets what is left
        self.said = Section(mark("Dialogue"), self, opened=False)
        self.dialogue = DialogueView(lambda: self.job.dialogue, self.said.body)
        self.dialogue.setMinimumHeight(90)
        self.said.add(self.dialogue)
        self.ask.clicked.connect(self.toggled)
        self.edit.clicked.connect(self.edited)
        top = QHBoxLayout()
        top.setContentsMargins(12, 4, 10, 0)
        top.setSpacing(8)
        top.addWidget(self.choice, 1)
        top.addWidget(self.ask)
        top.addWidget(self.edit)
        legend = QHBoxLayout(self.legend)  # hidden as a whole: an empty layout would limit the width of the words
        legend.setContentsMargins(0, 0, 0, 0)
        legend.setSpacing(6)
        legend.addWidget(self.sign)
        legend.addWidget(self.ringed, 1)
        words = QVBoxLayout()
        words.setContentsMargins(12, 2, 10, 2)
        words.addWidget(self.state)
        words.addWidget(self.legend)
        words.addWidget(self.note)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(words)
        column.addWidget(self.table, 1)
        column.addWidget(self.said)
        self.job.changed.connect(self.renew)
        self.job.found.connect(self.renew)
        on_language(self, self.renew)
        set_texts(self, accessibleName="Second opinion")
        self.renew()

    def sizeHint(self) -> QSize:
        return QSize(420, 260)

    def show_engines(self, engines: tuple[EngineEntry, ...]) -> None:
        """Offer these engines; the one chosen stays, as far as it is still there."""
        if engines == self.engines and self.choice.count() == len(engines):
            return
        name = self.choice.currentText()
        self.engines = engines
        self.choice.clear()
        self.choice.addItems([engine.name for engine in engines])
        self.choice.setCurrentIndex(max(0, self.choice.findText(name)) if engines else -1)
        self.renew()

    @property
    def chosen(self) -> EngineEntry | None:
        place = self.choice.currentIndex()
        return self.engines[place] if 0 <= place < len(self.engines) else None

    def renew(self) -> None:
        """Show what the engine is doing and what it said last."""
        job, opinion = self.job, self.job.opinion
        self.ask.setText(tr("Ask") if job.entry is None else tr("Stop"))
        self.ask.setEnabled(job.entry is not None or bool(self.engines))
        self.choice.setEnabled(bool(self.engines))
        self.note.setText(core_text(job.note))
        self.note.setVisible(bool(job.note))
        if opinion is not None:
            position = opinion.position
            mover = kind_of(position.game.name).players[position.to_move]
            words = tr("{name}: its own figures, for {mover}, who is to move.").format(name=job.name, mover=mover)
        elif job.entry is not None:
            words = tr("{name} is asked.").format(name=job.name)
        else:
            words = (
                tr("Ask an engine what it thinks of the position shown.")
                if self.engines
                else tr("No engine is listed yet. “Engines…” adds one, such as KataGo, GNU Go, Rapfi or NTest.")
            )
        self.state.setText(words)
        ringed = opinion is not None and job.entry is not None
        if opinion is not None:
            move = opinion.position.game.action_name(opinion.rows[0].action)
            self.ringed.setText(tr("Ringed so on the board: {move}, its best move").format(move=move))
        self.legend.setVisible(ringed)
        self.table.show_opinion(opinion)


def connect_engines(context: Context, board: BoardView, widget: QWidget) -> None:
    """Ask the engine chosen about the position shown, while the view is visible."""
    assert isinstance(widget, EnginesView)
    view, state, job = widget, context.state, widget.job
    ring = SecondRing(board)

    def read() -> None:
        from models.engines.known import read_engines

        try:
            view.show_engines(read_engines())
        except (ValueError, OSError) as error:
            context.messages.show_error(text_of(error))

    def toggle() -> None:
        if job.entry is not None:
            job.stop()
        elif view.chosen is not None:
            job.start(view.chosen, state.position)

    def change() -> None:
        if job.entry is not None and view.chosen is not None and view.chosen != job.entry:
            job.start(view.chosen, state.position)

    def look() -> None:
        if view.isVisible():
            job.look_at(None if context.session.concealment.on else state.position)

    def select(action: int) -> None:
        if job.opinion is not None:
            state.select((action,), job.opinion.position)

    def play(action: int) -> None:
        if job.opinion is not None:
            context.play_line((action,), job.opinion.position)

    def edit() -> None:
        dialog = EnginesDialog(context.window)
        dialog.finished.connect(read)
        dialog.open()

    def seen(visible: bool) -> None:
        if visible:
            read()
        job.look_at(state.position if visible and not context.session.concealment.on else None)

    view.toggled.connect(toggle)
    view.edited.connect(edit)
    view.choice.activated.connect(change)
    view.table.chosen.connect(select)
    view.table.played.connect(play)
    view.in_sight.connect(seen)
    state.position_changed.connect(look)
    for changed in (job.found, job.changed):
        changed.connect(lambda: ring.show_opinion(job.opinion if job.entry is not None else None))
    context.session.concealment.changed.connect(look)
    context.events.escaped.connect(job.stop)
    context.events.closing.connect(job.stop)
    read()
