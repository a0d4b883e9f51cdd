"""The clocks of both players and the form that sets them; the switch for the analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from core.text import Words, text_of
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.opponents.clock import (
    BYO_YOMI,
    INCREMENT,
    LONGEST_S,
    MOST_PERIODS,
    NONE,
    ClockSettings,
    PlayerTime,
    time_text,
)
from gui.widgets.board.board_paint import kind_of
from gui.widgets.form import ErrorLine, Form, NumberEdit, choice_box, number_text
from gui.widgets.labels import make_label, rename
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from gui.context import Context
    from gui.rooms.opponents.play import Play

KINDS: Final[tuple[tuple[str, Words], ...]] = (
    (NONE, "none"),
    (INCREMENT, "time and increment"),
    (BYO_YOMI, "time and byo-yomi"),
)


class ClockFace(QWidget):
    """A player's name, time and periods."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.name, self.time, self.periods = make_label(self, "dim"), make_label(self, "title"), make_label(self, "dim")
        self.time.setTextFormat(Qt.TextFormat.PlainText)
        line = lay_row(self.time, spacing=8)
        line.addWidget(self.periods, 1, Qt.AlignmentFlag.AlignBottom)
        lay_column(self.name, line, of=self, margins=0, spacing=0)

    def show_side(self, name: str, side: PlayerTime, running: bool) -> None:
        self.name.setText(f"● {name}" if running else name)
        rename(self.name, "heading" if running else "dim")
        rename(self.time, "error" if side.fallen else "title")
        self.time.setText(time_text(side.seconds))
        words = ""
        if side.counting:
            words = tr("{periods} periods left", side.periods)
        elif side.periods:
            words = tr("+ {periods} periods", side.periods)
        self.periods.setText(words.format(periods=side.periods))
        self.time.setAccessibleName(" ".join(filter(None, (name, self.time.text(), self.periods.text()))))


class ClockView(QWidget):
    """Both clocks, and how many moves were taken back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.faces = (ClockFace(self), ClockFace(self))
        self.taken_back = make_label(self, "dim")
        row = lay_row(*((face, 1) for face in self.faces))
        lay_column(row, self.taken_back, of=self, margins=0, spacing=4)

    def show_taken_back(self, times: int) -> None:
        words = tr("Taken back once") if times == 1 else tr("Taken back {times} times")
        self.taken_back.setText(words.format(times=times))
        self.taken_back.setVisible(times > 0)


class ClockForm(QWidget):
    """What the clock is; the box for the analysis during a game, which the room places, stands elsewhere."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = choice_box(self, KINDS, self._take, "Clock")
        self.main, self.increment = NumberEdit(self, "Main time", self._take), NumberEdit(self, "Increment", self._take)
        self.period, self.periods = (
            NumberEdit(self, "Byo-yomi period", self._take),
            NumberEdit(self, "Periods", self._take),
        )
        self.error = ErrorLine(self)
        self.shown = set_texts(
            QCheckBox(self),
            text="Show the analysis while I play",
            toolTip="Without it, a game against an engine hides everything that the search says until it is paused.",
        )
        self.form = Form()
        self.form.add("Clock", self.kind)
        self.form.add("Main time, minutes", self.main)
        self.form.add("Increment, seconds", self.increment)
        self.form.add("Byo-yomi, seconds", self.period)
        self.form.add("Byo-yomi periods", self.periods)
        lay_column(self.form, self.error, of=self, margins=0)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def _take(self) -> None:
        self._show_rows()
        self.chosen.emit()

    def _show_rows(self) -> None:
        kind = self.kind.currentData()
        for row, shown in enumerate((kind != NONE, kind == INCREMENT, kind == BYO_YOMI, kind == BYO_YOMI), 1):
            self.form.setRowVisible(row, shown)

    def show_settings(self, settings: ClockSettings) -> None:
        self.kind.setCurrentIndex(self.kind.findData(settings.kind))
        self.main.setText(f"{settings.main_s / 60:g}")
        self.increment.setText(f"{settings.increment_s:g}")
        self.period.setText(f"{settings.period_s:g}")
        self.periods.setText(number_text(settings.periods))
        self._show_rows()

    def settings(self) -> ClockSettings:
        """The clock entered; ``ValueError`` if a value is invalid."""
        return ClockSettings(
            self.kind.currentData(),
            60.0 * self.main.number(0, LONGEST_S / 60),
            self.increment.number(0, LONGEST_S),
            self.period.number(1, LONGEST_S),
            self.periods.whole(1, MOST_PERIODS),
        )


def connect_clock(context: Context, play: Play, view: ClockView, form: ClockForm) -> None:
    """Show the game's clock and let the form set it."""
    clock, state, preferences = play.clock, context.state, context.preferences

    def renew() -> None:
        game = state.game
        names = (tr("First"), tr("Second")) if game is None else kind_of(game.name).players
        for player, (face, name) in enumerate(zip(view.faces, names, strict=True)):
            face.setVisible(clock.settings.kind != NONE)
            face.show_side(core_text(name), clock.clock.side(player), clock.clock.running == player)
        view.show_taken_back(clock.taken_back)

    def take() -> None:
        try:
            clock.set_settings(form.settings())
        except ValueError as error:
            form.error.say(text_of(error))
        else:
            form.error.say("")

    form.show_settings(clock.settings)
    form.shown.setChecked(preferences.play_shown)
    form.shown.toggled.connect(lambda on: setattr(preferences, "play_shown", on))
    preferences.play_shown_changed.connect(form.shown.setChecked)
    form.chosen.connect(take)
    clock.changed.connect(renew)
    on_language(view, renew)
    renew()
