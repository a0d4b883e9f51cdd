"""The room for playing: who plays, with what and how long; start, take back and hint.  Knows seats, no search."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.language.core_words import error_text
from gui.language.language import mark, tr
from gui.model.sources import NetSource, UniformSource, source_title
from gui.rooms.play.clock_view import ClockForm, ClockView, connect_clock
from gui.rooms.play.play_levels import CUSTOM, LEVELS, level_of
from gui.rooms.play.play_seats import AS_WINDOW, OwnSearch, Seat
from gui.rooms.play.play_words import turn_words
from gui.widgets.board.board_paint import kind_of
from gui.widgets.form import ErrorLine, Form, NumberEdit, choice_box, compact
from gui.widgets.labels import main_button, make_label
from gui.widgets.room import scroll_down
from gui.widgets.settings.setting_fields import FIELDS
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_choices, set_texts

if TYPE_CHECKING:
    from gui.context import Context
    from gui.rooms.play.play import Play

Sources = list[tuple[str, Any]]  # titles and sources
WIDE: Final = 620  # px from which the two sides are next to each other
FIRST_SIDES: Final = (mark("first player"), mark("second player"))
UNITS: Final = (("simulations", "simulations a move"), ("seconds", "seconds a move"))
DELAYS: Final = ((0.0, "none"), (0.5, "0.5 s"), (1.0, "1 s"), (2.0, "2 s"), (5.0, "5 s"))


class SeatEditor(QWidget):
    """The fields of one side: a person, or an engine with a net, a limit and search settings."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = make_label(self, "heading")
        self.who = self._box((("person", mark("Person")), ("engine", mark("Engine"))), mark("Who plays"))
        self._settings: Any = None  # the window's search settings
        levels = [(one.name, one.title) for one in LEVELS]
        self.level = choice_box(self, (*levels, (CUSTOM, mark("as set below"))), self._take_level)
        set_texts(
            self.level,
            accessibleName="Level",
            toolTip="Sets the simulations of a move and the temperature: see the guide.",
        )
        self.net = self._box((), mark("What evaluates its positions"))
        self.amount = self._number(mark("Limit of a move"))
        self.unit = self._box(UNITS, mark("Unit of the limit"))
        by_font(self.unit, partial(_make_room_for_all, self.unit))
        self.search = self._box(
            (("window", mark("from Search settings")), ("own", mark("its own"))), mark("Its search settings")
        )
        self.rule = self._box(FIELDS["selection"].choices, mark("Rule of selection"))
        set_texts(self.rule, toolTip=FIELDS["selection"].meaning)
        self.c = self._number(mark("c of the rule"))
        set_texts(self.c, toolTip="Weight of the exploration term of the rule.")
        self.temperature = self._number(mark("Temperature"))
        set_texts(self.temperature, toolTip=FIELDS["temperature"].meaning)
        self.error = ErrorLine(self)
        self.error.setWordWrap(True)
        self._filling = False
        limit = QHBoxLayout()
        limit.setSpacing(6)
        limit.addWidget(self.amount, 2)
        limit.addWidget(self.unit, 3)
        self.form = Form()
        for title, field in (
            (mark("Level"), self.level),
            (mark("Net"), self.net),
            (mark("Limit"), limit),
            (mark("Search"), self.search),
            (mark("Rule"), self.rule),
            ("c", self.c),
            (mark("Temperature τ"), self.temperature),
        ):
            self.form.add(title, field)
        top = QHBoxLayout()
        top.addWidget(self.title, 1)
        top.addWidget(self.who, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(self.form)
        column.addWidget(self.error)

    def _box(self, entries: tuple[tuple[str, str], ...], name: str) -> QComboBox:
        box = set_texts(choice_box(self, entries, self._take), accessibleName=name)
        box.setMinimumContentsLength(8)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _number(self, name: str) -> NumberEdit:
        line = NumberEdit(self)
        set_texts(line, accessibleName=name)
        line.editingFinished.connect(self._take)
        return line

    def _take(self) -> None:
        if not self._filling:
            self._show_rows()
            self.changed.emit()
            with suppress(ValueError):
                self.level.setCurrentIndex(self.level.findData(level_of(self.seat())))

    def show_seat(self, seat: Seat, sources: Sources, settings: Any) -> None:
        """Fill the fields; ``settings`` are the initial values of the engine's own search."""
        self._filling, self._settings = True, settings
        self.who.setCurrentIndex(int(seat.engine))
        self.net.clear()
        for title, source in sources:
            self.net.addItem(title, source)
        place = next((i for i, (_, source) in enumerate(sources) if source == seat.source), 0)
        self.net.setCurrentIndex(place)
        self._show_search(seat)
        self._filling = False
        self._show_rows()
        self.error.say("")

    def _show_search(self, seat: Seat) -> None:
        """Fill the fields of the limit and the search settings."""
        self.level.setCurrentIndex(self.level.findData(level_of(seat)))
        self.unit.setCurrentIndex(int(seat.seconds is not None))
        self._write(self.amount, seat.simulations if seat.seconds is None else seat.seconds)
        self.search.setCurrentIndex(int(seat.own is not None))
        own = seat.own
        if own is None and self._settings is not None:
            own = OwnSearch(self._settings.selection, self._settings.c, self._settings.temperature)
        if own is not None:
            self.rule.setCurrentIndex(self.rule.findData(own.selection))
            self._write(self.c, own.c)
            self._write(self.temperature, own.temperature)

    def _take_level(self) -> None:
        """Fill in what the chosen level means."""
        level = next((one for one in LEVELS if one.name == self.level.currentData()), None)
        if level is not None and self._settings is not None:
            self._show_search(level.of(Seat(True, self.net.currentData()), self._settings))
            self._show_rows()
            self.changed.emit()

    def name_sources(self, sources: Sources) -> None:
        """The nets to choose from, by their titles in another language."""
        for place in range(self.net.count()):
            of = self.net.itemData(place)
            self.net.setItemText(place, next((t for t, source in sources if source == of), self.net.itemText(place)))

    def _write(self, line: NumberEdit, number: float) -> None:
        line.setText(f"{number:g}" if isinstance(number, float) else str(number))

    def _show_rows(self) -> None:
        engine = self.who.currentData() == "engine"
        own = engine and self.search.currentData() == "own"
        for row in range(self.form.rowCount()):
            self.form.setRowVisible(row, own if row >= 4 else engine)

    def seat(self) -> Seat:
        """Return the seat entered; ``ValueError`` if a value is invalid."""
        if self.who.currentData() != "engine":
            return Seat()
        seconds = self.unit.currentData() == "seconds"
        amount = _number(self.amount.text(), tr("the limit"))
        if not seconds and amount != int(amount):
            raise ValueError(tr("simulations is {text!r}; it must be a whole number").format(text=self.amount.text()))
        own = None
        if self.search.currentData() == "own":
            own = OwnSearch(
                self.rule.currentData(),
                _number(self.c.text(), "c"),
                _number(self.temperature.text(), tr("temperature")),
            )
        source = self.net.currentData()
        if seconds:
            return Seat(True, source, seconds=float(amount), own=own)
        return Seat(True, source, simulations=int(amount), own=own)


def _make_room_for_all(box: QComboBox) -> None:
    """Make the box wide enough for its longest title."""
    width_of = box.fontMetrics().horizontalAdvance
    box.setMinimumWidth(max(width_of(box.itemText(i)) for i in range(box.count())) + px(34))


def _number(text: str, name: str) -> float:
    try:
        number = float(compact(text))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(tr("{name} is {text!r}; it must be a number").format(name=name, text=text))
    return number


class PlayView(QWidget):
    """The room's widgets: emits signals for commands and shows the values it is given."""

    seat_changed = Signal(int)  # player 0 or 1
    delay_chosen = Signal(float)
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seats = (SeatEditor(self), SeatEditor(self))
        self.delay = QComboBox(self)
        set_choices(self.delay, DELAYS)
        set_texts(self.delay, accessibleName="Delay between the moves of two engines")
        self.delay.activated.connect(lambda _: self.delay_chosen.emit(self.delay.currentData()))
        self.delay_title = set_texts(QLabel(self), text="Delay of a move")
        self.run = main_button("Start", self)
        self.new_game = set_texts(QPushButton(self), text="New game")
        self.take_back = set_texts(QPushButton(self), text="Take back")
        self.hint = set_texts(QPushButton(self), text="Hint")
        self.resign = set_texts(QPushButton(self), text="Resign")
        self.analyse = set_texts(QPushButton(self), text="Analyse this game")
        self.clock, self.clock_form = ClockView(self), ClockForm(self)
        self.status = QLabel(self)
        self.status.setWordWrap(True)
        self.status.setMinimumHeight(2 * self.fontMetrics().height())
        self.status.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._lay_out()

    def _lay_out(self) -> None:
        body = QWidget()
        body.setAutoFillBackground(False)
        column = QVBoxLayout(body)
        column.setContentsMargins(14, 4, 14, 12)
        column.setSpacing(10)
        buttons = QGridLayout()
        buttons.setSpacing(8)
        for place, button in enumerate((self.run, self.new_game, self.take_back, self.hint, self.resign)):
            buttons.addWidget(button, *divmod(place, 2))
        buttons.addWidget(self.analyse, 2, 1)
        column.addWidget(self.status)
        column.addWidget(self.clock)
        column.addLayout(buttons)
        column.addWidget(self.clock_form.shown)
        column.addWidget(self._rule())
        self._sides = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._sides.setSpacing(14)
        for editor in self.seats:
            self._sides.addWidget(editor, 1, Qt.AlignmentFlag.AlignTop)
        column.addLayout(self._sides)
        column.addWidget(self._rule())
        delay = QHBoxLayout()
        delay.addWidget(self.delay_title, 1)
        delay.addWidget(self.delay, 1)
        column.addLayout(delay)
        column.addWidget(self.clock_form)
        column.addStretch(1)
        for player, editor in enumerate(self.seats):
            editor.changed.connect(lambda p=player: self.seat_changed.emit(p))
        scroll = scroll_down(body, self, "Play")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _rule(self) -> QFrame:
        rule = QFrame(self)
        rule.setObjectName("flat_rule")
        return rule

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        self._sides.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._sides.setSpacing(28 if wide else 14)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def show_play(self, running: bool, words: str, players: tuple[str, str], over: bool, engines: int) -> None:
        """Show the state of play: in words, whether it is running, the sides' names, whether the game is over."""
        self.run.setText(tr("Pause") if running else tr("Start"))
        self.run.setEnabled(running or not over)
        self.hint.setEnabled(not over)
        self.resign.setEnabled(not over)
        self.analyse.setVisible(over)
        self.status.setText(words)
        for editor, name, side in zip(self.seats, players, FIRST_SIDES, strict=True):
            editor.title.setText(name if name == tr("First") or name == tr("Second") else f"{name} · {tr(side)}")
        self.delay.setEnabled(engines == 2)
        self.delay_title.setEnabled(engines == 2)


def connect_play(context: Context, play: Play, widget: QWidget) -> None:
    """Connect the room to the play."""
    assert isinstance(widget, PlayView)
    view, state, actions = widget, context.state, context.actions
    nets: dict[str, NetSource] = {}  # nets used in this game, by label

    def sources() -> Sources:
        from gui.model.sources import net_source

        found: Sources = [(tr("as in the window"), AS_WINDOW)]
        for path in context.opener.nets:
            try:
                found.append((path.name, net_source(path)))
            except ValueError:
                continue
        known = {source for _, source in found}
        found += [(net.title, net) for net in nets.values() if net not in known]
        return [*found, (source_title(None), None), (source_title(UniformSource()), UniformSource())]

    def remember_nets() -> None:
        for source in (state.source, *(seat.source for seat in play.seats)):
            if isinstance(source, NetSource):
                nets[source.label] = source

    def fill() -> None:
        remember_nets()
        choices = sources()
        for seat, editor in zip(play.seats, view.seats, strict=True):
            editor.show_seat(seat, choices, state.settings)
        view.delay.setCurrentIndex(view.delay.findData(play.delay_s))

    def renew() -> None:
        position = state.position
        over = position is not None and position.is_over
        players = (tr("First"), tr("Second")) if position is None else kind_of(position.game.name).players
        view.show_play(
            play.running,
            turn_words(play, state, context.session),
            players,
            over,
            sum(seat.engine for seat in play.seats),
        )

    def take(player: int) -> None:
        editor = view.seats[player]
        try:
            play.seat(player, editor.seat())
        except ValueError as error:
            editor.error.say(error_text(error))
        else:
            editor.error.say("")
        renew()

    def show_again() -> None:
        for player, editor in enumerate(view.seats):
            editor.name_sources(sources())
            if editor.error.text():
                take(player)
        renew()

    def forget_nets() -> None:
        nets.clear()

    view.seat_changed.connect(take)
    view.delay_chosen.connect(play.set_delay)
    view.run.clicked.connect(lambda _=False: play.toggle())
    view.new_game.clicked.connect(actions["new_game"].trigger)
    view.take_back.clicked.connect(actions["take_back"].trigger)
    view.resign.clicked.connect(actions["resign"].trigger)
    view.hint.clicked.connect(actions["hint"].trigger)
    view.analyse.clicked.connect(actions["analyse_game"].trigger)
    view.shown.connect(fill)
    on_language(view, show_again)
    play.changed.connect(renew)
    play.seats_changed.connect(fill)
    state.position_changed.connect(renew)
    state.record_changed.connect(renew)
    state.game_changed.connect(forget_nets)
    state.game_changed.connect(fill)
    state.search_changed.connect(remember_nets)
    connect_clock(context, play, view.clock, view.clock_form)
    fill()
    renew()
