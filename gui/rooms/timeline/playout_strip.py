"""The controls of a playout on the board, in the place of the board's legend, and what happens in words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.rooms.timeline.playout_words import part_words
from gui.rooms.timeline.time_machine import SPEEDS, STAGED, TimeMachine, speed_title
from gui.widgets.board.playout_paint import SELECTION, STAGES, stage_color
from gui.widgets.form import ComboBox
from gui.widgets.labels import ShortLabel, icon_button
from gui.widgets.layouts import lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme, set_icon
from gui.widgets.tips import set_tip

NARROW: Final = 480  # px, below which the speed is left to the timeline


class PlayoutStrip(QWidget):
    """Play, step, stop and speed beside the words of the stage; ``active`` emits whether an earlier moment is shown."""

    active = Signal(bool)

    def __init__(self, machine: TimeMachine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._machine = machine
        self.play = icon_button(self, "pause", "Pause, and go on", "small", 16)
        self.step = icon_button(self, "next", "One part further: a move, a stone, a node", "small", 16)
        self.stop = icon_button(self, "stop", "Back to the present (Esc)", "small", 16)
        self.speed = ComboBox(self)
        self.speed.setObjectName("tight")
        self.speed.setMaximumWidth(px(66))
        for speed in SPEEDS:
            if speed <= STAGED:
                self.speed.addItem(speed_title(speed), speed)
        set_texts(self.speed, accessibleName="Speed", toolTip="Speed")
        self.title = ShortLabel(self)
        self.words = ShortLabel(self, elide=Qt.TextElideMode.ElideMiddle)  # a sum keeps its result
        self.title.setFont(figure_font(self.font(), bold=True))
        self.title.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self.words.setFont(figure_font(self.font()))
        for label in (self.title, self.words):
            label.setTextFormat(Qt.TextFormat.PlainText)
        lay_row(
            self.play,
            self.step,
            self.stop,
            self.speed,
            self.title,
            (self.words, 1),
            of=self,
            margins=(4, 0, 4, 0),
            spacing=4,
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Playout")
        self.play.clicked.connect(machine.play_on_board)
        self.step.clicked.connect(machine.step_part)
        self.stop.clicked.connect(machine.to_now)
        self.speed.activated.connect(lambda place: machine.set_speed(self.speed.itemData(place)))
        for signal in (machine.controls_changed, machine.moment_changed, machine.stage_changed):
            signal.connect(self._show)
        on_language(self, self._show)
        on_theme(self, self._show)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        machine = self._machine
        shown = machine.looking_back or machine.prediction.on
        if shown == self.isHidden():
            self.setVisible(shown)
            self.active.emit(shown)
        set_icon(self.play, "pause" if machine.playing else "play")
        self.speed.setCurrentIndex(max(0, self.speed.findData(machine.speed)))
        self.speed.setVisible(self.width() >= px(NARROW) and not machine.answering)  # both sums need its room
        (title, short), (words, brief), stage = self._words()
        whole = f"{title}: {words}" if title else words
        self.setAccessibleDescription(whole)
        room = self.width() - self.title.x() - 12
        title = title if self._fits(title, words, room) else short
        fits = self._fits(title, words, room)
        self.title.setText(title)
        self.words.setText(words if fits else brief)
        set_tip(self, "" if fits else whole)
        style = f"color: {stage_color(stage, current_theme()).name()}"
        if style != self.title.styleSheet():
            self.title.setStyleSheet(style)

    def _fits(self, title: str, words: str, room: int) -> bool:
        texts = (self.title, title), (self.words, words)
        return sum(label.fontMetrics().horizontalAdvance(text) for label, text in texts) < room

    def _words(self) -> tuple[tuple[str, str], tuple[str, str], int]:
        """Return the title, long and short, the words beside it, long and short, and the stage."""
        machine, stage = self._machine, self._machine.stage
        score, number = machine.prediction.score, f"{stage + 1}"
        if machine.answering:
            answer = machine.prediction.answer
            return score, (answer(machine.path), answer(machine.path, brief=True)), SELECTION
        playout, root = machine.playout, machine.root
        if machine.asking:
            title, words, stage = score, tr("Which move does the search choose next? Click it."), SELECTION
            brief = words
        elif playout is None or root is None:
            title, words, brief = ("", ""), "", ""
        else:
            before = machine.past.before if machine.past is not None else None
            title = f"{number} {tr(STAGES[stage])}", number
            words, brief = (part_words(playout, root, before, stage, machine.part, short) for short in (False, True))
        return title, (words, brief), stage
