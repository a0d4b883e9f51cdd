"""The dock of the time machine: slider and number, buttons, speed, and the simulation's four stages in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.jobs.turns import TurnFinder
from gui.language.language import mark, tr
from gui.rooms.past.playout_words import stage_tips, stage_words
from gui.rooms.past.strips import BatchStrip, StageStrip
from gui.rooms.past.time_machine import SPEEDS
from gui.rooms.past.turn_marks import TurnMarks
from gui.widgets.figures import count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ComboBox, SpinBox
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import ShortLabel, make_label
from gui.widgets.player_choice import PLAYERS
from gui.widgets.sentences import plain_sentence
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font, set_icon

if TYPE_CHECKING:
    from core.glass.turns import Turn
    from gui.context import Context
    from gui.rooms.past.time_machine import TimeMachine

# name of the button, icon, tooltip with the key of the same command
BUTTONS = (
    ("rewind", "first", mark("Before the first simulation (^)")),
    ("back_10", "faster_back", mark("Ten simulations back (<)")),
    ("back", "previous", mark("One simulation back (,)")),
    ("play", "play", mark("Play or pause the simulations (Ctrl+Space)")),
    ("on", "next", mark("One simulation forward (.)")),
    ("on_10", "faster_on", mark("Ten simulations forward (>)")),
    ("now", "last", mark("Back to the present (Esc)")),
)


class NumberBox(SpinBox):
    """A number field in which Return accepts the number; keys that type no digit stay shortcuts of the window."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not event.modifiers():
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Up, Qt.Key.Key_Down):
                event.accept()
                return True
            if event.text().isprintable() and event.text() and not event.text().isdigit():
                event.ignore()
                return False
        return super().event(event)

    @property
    def typing(self) -> bool:
        """Whether a number has been typed but not accepted yet."""
        return self.hasFocus() and self.text() != self.textFromValue(self.value())


class TimeView(SeenWidget):
    """The controls of the time machine."""

    def __init__(self, machine: TimeMachine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._machine = machine
        self.buttons = {name: self._button(drawing, tip) for name, drawing, tip in BUTTONS}
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setPageStep(100)
        self.slider.setMinimumWidth(60)
        set_texts(
            self.slider,
            toolTip="Every simulation of the search: drag to look back",
            accessibleName="Simulation looked at",
        )
        self.number = NumberBox(self)
        self.number.setFont(figure_font(self.font()))
        self.number.setGroupSeparatorShown(False)
        self.number.setKeyboardTracking(False)
        self.number.setMinimumWidth(self.number.fontMetrics().horizontalAdvance("88888888") + 34)
        set_texts(
            self.number,
            toolTip="The simulation looked at; type a number and press Return",
            accessibleName="Number of the simulation looked at",
        )
        self.of = QLabel(self)
        self.of.setFont(figure_font(self.font()))
        self.of.setMinimumWidth(self.of.fontMetrics().horizontalAdvance("of 88 888 888 "))
        self.speed = ComboBox(self)
        for speed in SPEEDS:
            self.speed.addItem(f"{speed}/s", speed)
        set_texts(
            self.speed, toolTip="Simulations a second; up to 2/s each is played stage by stage", accessibleName="Speed"
        )
        self.follow = set_texts(QCheckBox(self), text="Follow playouts")
        set_texts(self.follow, toolTip="Highlight the path of each simulation on the board and open the tree along it")
        self.marks = TurnMarks(self.slider, self)
        self.batches = BatchStrip(self.marks, self)
        self.turn = ShortLabel(self)
        self.turn.setObjectName("dim")
        self.turn.setTextFormat(Qt.TextFormat.PlainText)
        self._pointed: Turn | None = None
        self._player = -1
        self.stages = StageStrip(self)
        self._lay_out()
        self.slider.valueChanged.connect(machine.go)
        self.number.valueChanged.connect(machine.go)
        self.speed.activated.connect(lambda place: machine.set_speed(self.speed.itemData(place)))
        self.follow.toggled.connect(machine.set_following)
        self.stages.chosen.connect(machine.choose_stage)
        self.marks.chosen.connect(machine.go)
        self.batches.chosen.connect(machine.go)
        self.marks.pointed.connect(self._point)
        runs = {
            "rewind": machine.rewind,
            "back_10": lambda: machine.step(-10),
            "back": lambda: machine.step(-1),
            "play": machine.toggle_play,
            "on": lambda: machine.step(1),
            "on_10": lambda: machine.step(10),
            "now": machine.to_now,
        }
        for name, run in runs.items():
            self.buttons[name].clicked.connect(lambda _=False, run=run: run())
        machine.controls_changed.connect(self.show_state)
        machine.moment_changed.connect(self._show_stages)
        machine.stage_changed.connect(self._show_stages)
        machine.count_changed.connect(self.show_state)
        for signal in (machine.controls_changed, machine.moment_changed, machine.count_changed):
            signal.connect(self._show_turn)
        on_language(self, self.show_state)
        on_language(self, self._show_stages)
        on_language(self, self._show_turn)
        self.show_state()
        self._show_stages()

    def _button(self, drawing: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        set_icon(button, drawing)
        button.setIconSize(QSize(18, 18))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_texts(button, toolTip=tip, accessibleName=tip)
        return button

    def _lay_out(self) -> None:
        row = FoldingRow(self, apart=10)
        row.left.setSpacing(2)
        for button in self.buttons.values():
            row.left.addWidget(button)
        row.left.addSpacing(8)
        slider = QVBoxLayout()
        slider.setSpacing(0)
        slider.addWidget(self.slider)
        slider.addWidget(self.marks)
        slider.addWidget(self.batches)
        row.left.addLayout(slider, 1)
        label = make_label(self, "dim", "simulation")
        row.right.setSpacing(6)
        for widget in (label, self.number, self.of, self.speed, self.follow):
            row.right.addWidget(widget)
        row.set_stretch(1, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 2, 10, 7)
        column.setSpacing(5)
        column.addWidget(row)
        column.addWidget(self.turn)
        column.addWidget(self.stages)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_turns(self, turns: tuple[Turn, ...]) -> None:
        """Mark the hesitations of the search."""
        self.marks.show_turns(turns)
        self._point(None)

    def show_player(self, player: int) -> None:
        """Show the backed up values of a player, as in the pictures of the tree; -1: of the side to move."""
        self._player = player
        self._show_stages()

    def _point(self, turn: Turn | None) -> None:
        self._pointed = turn
        self._show_turn()

    def _show_turn(self) -> None:
        """Show the sentence of the hesitation under the pointer, else of the last one so far, else of the first."""
        turns, place = self.marks.turns, self._machine.place
        last = next((turn for turn in reversed(turns) if turn.simulation <= place), None)
        turn = self._pointed or last or next(iter(turns), None)
        if turn is None:
            self.turn.setText(tr("No hesitation of the search so far.") if self._machine.now else "")
            return
        words = tr("Hesitation {number} of {count}: {sentence}")
        if turn.simulation > place:
            words = tr("Hesitation {number} of {count}, still to come: {sentence}")
        sentence = plain_sentence(turn.sentence)
        self.turn.setText(words.format(number=turns.index(turn) + 1, count=len(turns), sentence=sentence))

    def show_state(self) -> None:
        """Show the machine's state in the controls without sending their signals."""
        machine = self._machine
        now, place = machine.now, machine.place
        for field in (self.slider, self.number):
            blocked = field.blockSignals(True)
            field.setRange(0, now)
            if field is self.slider or not self.number.typing:
                field.setValue(place)
            field.blockSignals(blocked)
        self.of.setText(tr("of {now}").format(now=count(now)))
        self.speed.setCurrentIndex(SPEEDS.index(machine.speed))
        blocked = self.follow.blockSignals(True)
        self.follow.setChecked(machine.following)
        self.follow.blockSignals(blocked)
        for name in ("rewind", "back_10", "back", "play"):
            self.buttons[name].setEnabled(now > 0)
        for name in ("on", "on_10", "now"):
            self.buttons[name].setEnabled(machine.looking_back)
        set_icon(self.buttons["play"], "pause" if machine.playing else "play")
        if machine.past is None:
            self._show_stages()

    def _show_stages(self) -> None:
        machine = self._machine
        playout, root = machine.playout, machine.root
        if playout is not None and root is not None:
            player = root.to_move if self._player < 0 else self._player
            words = stage_words(playout, root, player)
            self.stages.show_words(words, stage_tips(playout, root, words, player), machine.stage)
        elif machine.past is not None:
            self.stages.show_message(tr("Before the first simulation: the tree is empty. “.” goes one forward."))
        elif machine.looking_back:
            self.stages.show_message(
                tr("Going to simulation {place}… (compiles once on this machine)").format(place=count(machine.place))
            )
        elif machine.now:
            self.stages.show_message(
                tr("This is the present. Drag the slider or press “,” to look back; the search continues.")
                if machine.searching
                else tr("This is the present. Drag the slider or press “,” to look back.")
            )
        else:
            self.stages.show_message(machine.why_none)


def connect_time(context: Context, machine: TimeMachine, view: QWidget) -> None:
    """Mark the hesitations of the search while the time machine is visible, and follow the choice of a player."""
    assert isinstance(view, TimeView)
    session = context.session
    finder = TurnFinder(view)
    finder.changed.connect(lambda: view.show_turns(finder.turns))

    def renew(*_: object) -> None:
        if view.isVisible():
            present = session.present
            finder.ask(present)
            view.batches.show_search(present)

    context.preferences.values_for_changed.connect(lambda whose: view.show_player(PLAYERS[whose]))
    view.show_player(PLAYERS[context.preferences.values_for])
    view.in_sight.connect(lambda seen: session.extras.request_curves(seen, "time"))
    for signal in (session.snapshot_for_text, machine.count_changed):
        signal.connect(renew)
    session.state_changed.connect(view.show_state)
    session.extras.request_curves(view.isVisible(), "time")
    renew()
