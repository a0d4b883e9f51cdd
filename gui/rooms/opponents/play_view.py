"""The room for playing: who plays, with what and how long; start, take back and hint; the state of play in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from core.text import Words, text_of
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.sources import NetSource, RankSource
from gui.rooms.opponents.clock import early_words
from gui.rooms.opponents.clock_view import ClockForm, ClockView, connect_clock
from gui.rooms.opponents.play_seats import AS_WINDOW
from gui.rooms.opponents.player_fields import SeatEditor, Sources, offered_sources
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import count, simulations_words
from gui.widgets.form import ComboBox
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import main_button, make_frame
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.text_size import px
from gui.widgets.texts import on_language, set_choices, set_texts
from gui.widgets.words import outcome_text, profile_words

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.model.session import Session
    from gui.model.state import AppState
    from gui.rooms.opponents.play import Play


def turn_words(play: Play, state: AppState, session: Session) -> str:
    """Return whose turn it is and what happens next."""
    position, seat = state.position, play.to_move
    if position is None:
        return tr("No game is open.")
    if seat is None:
        return result_words(position)
    name = kind_of(position.game.name).players[position.to_move]
    if not play.running and (words := early_words(state)):
        return words
    if not play.running and not seat.engine:
        return tr("{name} is a person. After Start it is their move.").format(name=name)
    if not play.running:
        return tr("{name} to move. Start lets the engine play.").format(name=name)
    if not play.at_the_end:
        return tr("Looking back: play goes on at the last move, or from a move made here.")
    if not seat.engine:
        return tr("Your move, {name}.").format(name=name)
    if play.making_move:
        return tr("{name} is making its move.").format(name=name)
    if isinstance(seat.outside, RankSource):
        players = core_text(profile_words(seat.outside.net.profile))
        return tr("{name} is {players}, as the human net imitates them, without search.").format(
            name=name, players=players
        )
    if seat.outside is not None:
        return tr("{name} is {engine}, which thinks: {seconds:g} s a move.").format(
            name=name, engine=seat.outside.name, seconds=seat.seconds
        )
    snapshot = session.newest
    simulations = snapshot.simulations if snapshot is not None else 0
    if seat.seconds is not None:
        return tr("{name} thinks for {seconds:g} s: {done}.").format(
            name=name, seconds=seat.seconds, done=simulations_words(simulations)
        )
    return tr("{name} thinks: {done} of {simulations}.").format(
        name=name, done=count(simulations), simulations=simulations_words(seat.simulations)
    )


def result_words(position: Position) -> str:
    """Return the result: "Red wins after 23 moves."; "The game is a draw after 42 moves."."""
    if position.is_agreed:
        return tr("Both have passed after {plies} moves: click the dead stones on the board.").format(
            plies=position.ply
        )
    title, winner = outcome_text(position, kind_of(position.game.name).players)
    if winner < 0:
        return tr("The game is a draw after {plies} moves.").format(plies=position.ply)
    words = tr("{title} after {plies} moves.", position.ply)
    return words.format(title=title, plies=position.ply)


WIDE: Final = 620  # px from which the two sides are next to each other, if these have room
BETWEEN: Final = 90  # px between them, beside them and of a scroll bar, at 100 %
BY_TURN: Final[tuple[Words, Words]] = ("First", "Second")  # players without names of their own
FIRST_SIDES: Final[tuple[Words, Words]] = ("first player", "second player")
DELAYS: Final[Sequence[tuple[float, Words]]] = ((0.0, "none"), (0.5, "0.5 s"), (1.0, "1 s"), (2.0, "2 s"), (5.0, "5 s"))


class PlayView(SeenWidget):
    """The room's widgets: emits signals for commands and shows the values it is given."""

    seat_changed = Signal(int)  # player 0 or 1
    delay_chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seats = (SeatEditor(self), SeatEditor(self))
        self.delay = ComboBox(self)
        set_choices(self.delay, DELAYS)
        set_texts(self.delay, accessibleName="Delay between the moves of two engines")
        self.delay.activated.connect(lambda _: self.delay_chosen.emit(self.delay.currentData()))
        self.run = main_button("Start", self)
        self.analyse = main_button("Analyse this game", self)  # the main one when the game is over
        self.take_back = set_texts(QPushButton(self), text="Take back")
        self.hint = set_texts(QPushButton(self), text="Hint")
        self.resign = set_texts(QPushButton(self), text="Resign")
        self.new_game = set_texts(QPushButton(self), text="New game")
        self.clock, self.clock_form = ClockView(self), ClockForm(self)
        self.delay_title = self.clock_form.form.add("Delay of a move", self.delay)
        self.status = QLabel(self)
        self.status.setWordWrap(True)
        self.status.setMinimumHeight(2 * self.fontMetrics().height())
        self.status.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._lay_out()

    def _lay_out(self) -> None:
        body = QWidget()
        body.setAutoFillBackground(False)
        column = lay_column(of=body, margins=(14, 4, 14, 12), spacing=10)
        others = (self.take_back, self.hint, self.resign, self.new_game)
        for button in others:
            button.setObjectName("tight")
        column.addWidget(self.status)
        column.addWidget(self.clock)
        column.addWidget(self.run)
        column.addWidget(self.analyse)
        self._commands = lay_row(*((button, 1) for button in others))
        column.addLayout(self._commands)
        column.addWidget(self.clock_form.shown)
        column.addWidget(make_frame(self, "flat_rule"))
        self._sides = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._sides.setSpacing(14)
        for editor in self.seats:
            self._sides.addWidget(editor, 1, Qt.AlignmentFlag.AlignTop)
        column.addLayout(self._sides)
        column.addWidget(make_frame(self, "flat_rule"))
        column.addWidget(self.clock_form)
        column.addStretch(1)
        for player, editor in enumerate(self.seats):
            editor.changed.connect(lambda p=player: self.seat_changed.emit(p))
        self._scroll = scroll_down(body, self, "Play")
        lay_column(self._scroll, of=self, margins=0)

    def minimumSizeHint(self) -> QSize:
        """Return the size at which nothing is cut while the sides are below each other."""
        fields = (*self.seats, self.clock_form, self.clock)
        widths = [field.minimumSizeHint().width() for field in fields if not field.isHidden()]
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        width = max(self._commands.minimumSize().width(), *widths) + 2 * px(14) + bar
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        needed = sum(editor.minimumSizeHint().width() for editor in self.seats) + px(BETWEEN)
        wide = self.width() >= max(WIDE, needed)
        self._sides.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._sides.setSpacing(28 if wide else 14)

    def show_play(
        self, running: bool, words: str, players: tuple[str, str], over: bool, moves: int, engines: int
    ) -> None:
        """Show the state of play in words, whether it is running, the players' English names, whether the game is over.

        ``moves``: of the game; ``engines``: how many of the players are engines.
        """
        self.run.setText(tr("Pause") if running else tr("Start"))
        self.run.setVisible(running or not over)
        self.hint.setEnabled(not over)
        self.resign.setEnabled(not over)
        self.analyse.setDefault(over)
        self.analyse.setVisible(moves > 0 and not running)
        self.status.setText(words)
        for editor, name, side in zip(self.seats, players, FIRST_SIDES, strict=True):
            editor.title.setText(tr(name) if players == BY_TURN else f"{tr(name)} · {tr(side)}")
        self.delay.setEnabled(engines == 2)
        self.delay_title.setEnabled(engines == 2)


def connect_play(context: Context, play: Play, widget: QWidget) -> None:
    """Connect the room to the play."""
    assert isinstance(widget, PlayView)
    view, state, actions = widget, context.state, context.actions
    nets: dict[str, NetSource] = {}  # nets used in this game, by label

    def sources() -> Sources:
        seated = [seat.outside for seat in play.seats if seat.outside is not None]  # perhaps not in the list any more
        humans = [net for net in (state.human, state.source) if isinstance(net, NetSource) and net.profile]
        imitated = [RankSource(net) for net in humans]
        return [(tr("as in the window"), AS_WINDOW), *offered_sources(context, (*nets.values(), *imitated, *seated))]

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
        players = BY_TURN if position is None else kind_of(position.game.name).names
        view.show_play(
            play.running,
            turn_words(play, state, context.session),
            players,
            over,
            len(state.moves),
            sum(seat.engine for seat in play.seats),
        )

    def take(player: int) -> None:
        editor = view.seats[player]
        try:
            play.seat(player, editor.seat())
        except ValueError as error:
            editor.error.say(text_of(error))
        else:
            editor.error.say("")
        renew()

    def show_again() -> None:
        for player, editor in enumerate(view.seats):
            editor.name_sources(sources())
            if editor.error.text():
                take(player)
        renew()

    def offer() -> None:
        for editor in view.seats:
            editor.offer(sources())

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
    view.in_sight.connect(lambda visible: fill() if visible else None)
    view.returned.connect(offer)
    on_language(view, show_again)
    play.changed.connect(renew)
    play.seats_changed.connect(fill)
    state.position_changed.connect(renew)
    state.record_changed.connect(renew)
    state.game_changed.connect(forget_nets)
    state.game_changed.connect(fill)
    state.search_changed.connect(remember_nets)
    state.human_changed.connect(offer)
    connect_clock(context, play, view.clock, view.clock_form)
    fill()
    renew()
