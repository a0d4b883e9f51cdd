"""The timeline: the slider of the time machine, and below it, as high as the room is, stages and charts on its axis."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from core.text import Words
from gui.jobs.explainer import TurnFinder
from gui.jobs.task import save_file
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.timeline.playout_words import stage_tips, stage_words
from gui.rooms.timeline.search_charts import CHARTS, Colours, SearchedTree, shown_moves, whole_of
from gui.rooms.timeline.stage_strip import StageStrip
from gui.rooms.timeline.time_machine import SPEEDS, speed_title
from gui.rooms.timeline.turn_marks import TurnMarks, TurnSign
from gui.rooms.timeline.watching import BACK, PAUSE, WATCHES
from gui.widgets.charts.grid import ChartGrid
from gui.widgets.charts.page import ChartPage
from gui.widgets.figures import count, simulations_words
from gui.widgets.form import JumpSlider, SpinBox
from gui.widgets.in_sight import SeenWidget
from gui.widgets.keys import ENTER, keeps_key
from gui.widgets.labels import FigureLabel, ShortLabel, icon_button
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.player_choice import PLAYERS
from gui.widgets.sentences import plain_sentence
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font, set_icon
from gui.widgets.words import waiting_text

if TYPE_CHECKING:
    from core.glass import Snapshot
    from core.glass.turns import Turn
    from gui.context import Context
    from gui.rooms.timeline.time_machine import TimeMachine
    from gui.widgets.charts.lines import View

# name of the button, icon, tooltip with the key of the same command
BUTTONS: tuple[tuple[str, str, Words], ...] = (
    ("rewind", "first", "Before the first simulation (^)"),
    ("back_10", "faster_back", "Ten simulations back (<)"),
    ("back", "previous", "One simulation back (,)"),
    ("play", "play", "Play or pause the simulations (Ctrl+Space)"),
    ("on", "next", "One simulation forward (.)"),
    ("on_10", "faster_on", "Ten simulations forward (>)"),
    ("now", "last", "Back to the present (Esc)"),
)
NARROW: Final = 740  # px, below which the row keeps what it needs
TRACK: Final = 64  # px, least height of a chart
USUAL: Final = "value visits"  # the charts shown at first
NONE: Final = "-"  # a choice of no chart, as it is kept


class NumberBox(SpinBox):
    """A number field in which Return accepts the number; keys that type no digit stay shortcuts of the window."""

    def event(self, event: QEvent) -> bool:
        if keeps_key(event, (*ENTER, Qt.Key.Key_Up, Qt.Key.Key_Down), Qt.KeyboardModifier.NoModifier):
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not event.modifiers():
            text = event.text()
            if text and text.isprintable() and not text.isdigit():
                event.ignore()
                return False
        return super().event(event)

    @property
    def typing(self) -> bool:
        """Whether a number has been typed but not accepted yet."""
        return self.hasFocus() and self.text() != self.textFromValue(self.value())


class Timeline(SeenWidget):
    """The simulations of a search from left to right: slider, stages of the one looked at, charts."""

    height_changed = Signal(int)  # px, for the charts to be seen
    charts_in_sight = Signal(bool)
    charts_chosen = Signal(str)  # the ids of the charts shown, with spaces between
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, machine: TimeMachine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._machine = machine
        self.chosen = USUAL.split()
        self._snapshot: Snapshot | None = None
        self._earlier: Snapshot | None = None
        self._colours = Colours()
        self._of: object = None  # the position that the colours are for
        self._waiting: Words = "no figures yet"
        self._pointed: Turn | None = None
        self._player = -1
        self._note = ""
        self.buttons = {name: icon_button(self, drawing, tip) for name, drawing, tip in BUTTONS}
        self.slider = JumpSlider(Qt.Orientation.Horizontal, self)
        self.slider.setPageStep(100)
        self.slider.setMinimumWidth(60)
        set_texts(
            self.slider,
            toolTip="Every simulation of the search: drag to look back",
            accessibleName="Simulation looked at",
        )
        self.marks = TurnMarks(self.slider, self)
        self.number = NumberBox(self)
        self.number.setFont(figure_font(self.font()))
        self.number.setGroupSeparatorShown(False)
        self.number.setKeyboardTracking(False)
        by_font(self.number, self._hold_number)
        set_texts(
            self.number,
            toolTip="The simulation looked at; type a number and press Return",
            accessibleName="Number of the simulation looked at",
        )
        self.of = FigureLabel(self)
        self.of.setFont(figure_font(self.font()))
        self.of.setMinimumWidth(self.of.fontMetrics().horizontalAdvance("of 8 888 888 "))
        self.more = icon_button(self, "more", "Speed, charts, pictures and figures")
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.watches: dict[str, list[QAction]] = {}  # by the title of their menu
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self.menu)
        self.sign = TurnSign(self)
        self.turn = ShortLabel(self, "dim")
        self.turn.setTextFormat(Qt.TextFormat.PlainText)
        self.stages = StageStrip(self)
        tables = {spec.table: spec.id for spec in reversed(CHARTS)}  # charts of the same figures share a file
        self.page = ChartPage(ChartGrid(CHARTS, None, height=TRACK, tracks=True), self, tuple(tables.values())[::-1])
        self.page.row.hide()
        self.page.grid.choose(self.chosen)
        self._lay_out()
        self._connect()
        set_texts(self, accessibleName="Timeline")

    def _lay_out(self) -> None:
        self.row = QWidget(self)
        row = lay_row(of=self.row, margins=0, spacing=2)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addSpacing(8)
        slider = lay_column(self.slider, self.marks, spacing=0)
        row.addLayout(slider, 1)
        row.addSpacing(8)
        for field in (self.number, self.of, self.more):
            row.addWidget(field)
        column = lay_column(of=self, margins=(10, 2, 10, 2), spacing=4)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # what has no room is hidden
        column.addWidget(self.row)
        column.addLayout(lay_row(self.sign, (self.turn, 1), spacing=6))
        column.addWidget(self.stages)
        column.addWidget(self.page, 1)
        column.addStretch()
        self.row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        by_font(self, self._fit)

    def _connect(self) -> None:
        machine = self._machine
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
        for chosen in (self.slider.valueChanged, self.number.valueChanged, self.marks.chosen):
            chosen.connect(machine.go)
        self.stages.chosen.connect(machine.choose_stage)
        self.marks.pointed.connect(self._point)
        machine.moment_changed.connect(self._show_stages)
        machine.stage_changed.connect(self._show_stages)
        for signal in (machine.controls_changed, machine.count_changed):
            signal.connect(self.show_state)
        for signal in (machine.controls_changed, machine.moment_changed, machine.count_changed):
            signal.connect(self._show_turn)
        page, grid = self.page, self.page.grid
        grid.pressed.connect(self._press)
        grid.viewed.connect(self._show_view)
        grid.resized.connect(self._align)
        page.chosen.connect(
            lambda path, data: save_file(self, path, lambda: data, self.notified.emit, self.failed.emit)
        )
        page.failed.connect(self.failed)
        page.notified.connect(self.notified)
        for show in (self.show_state, self._show_stages, self._show_turn, self._draw):
            on_language(self, show)
        self.show_state()
        self._show_stages()

    def _hold_number(self) -> None:
        """Give the number a fixed size: else Qt lays out the window at each new range, four times a second."""
        wide = self.number.fontMetrics().horizontalAdvance("88888888") + 34
        self.number.setFixedSize(wide, self.number.sizeHint().height())

    # as high as the room is

    def sizeHint(self) -> QSize:
        return QSize(900, self._least + self._lower)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(300), self._least)

    @property
    def _least(self) -> int:
        """The height of the row with the slider."""
        return self.row.sizeHint().height() + 4

    @property
    def _lower(self) -> int:
        """The height of the lines below it, without charts."""
        return self.stages.sizeHint().height() + self.turn.sizeHint().height() + 8

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show what there is room for: first the stages, then the charts."""
        for name in ("back_10", "on_10"):
            self.buttons[name].setVisible(self.width() >= px(NARROW))
        self.of.setVisible(self.width() >= px(NARROW))
        room = self.height() - self._least
        lower = room >= self._lower
        self.stages.setVisible(lower)
        self.turn.setVisible(lower)
        self._show_turn()
        self._show_charts(lower and room - self._lower >= px(TRACK) and bool(self.chosen))
        self._align()

    def _show_charts(self, shown: bool) -> None:
        if shown == self.page.isHidden():
            self.page.setVisible(shown)
            self._tell_charts()

    def _align(self) -> None:
        """Let the plots lie exactly below the slider."""
        if self.page.isHidden():
            return
        layout = self.layout()
        assert layout is not None
        layout.activate()
        body, (first, last) = self.page.grid.body, self.slider.track
        left = self.slider.mapTo(self, QPoint(0, 0)).x() + first - body.mapTo(self, QPoint(0, 0)).x()
        right = body.width() - left - (last - first)
        chart = next(iter(self.page.grid.charts.values()), None)
        inside = chart.plot.sides if chart is not None and chart.plot.isVisible() else (45.0, 1.0)
        self.page.grid.set_sides(max(0, round(left - inside[0])), max(0, round(right - inside[1])))

    # the charts

    def turn_charts(self) -> None:
        """Show the charts, or if they are in sight hide them."""
        if self.page.isHidden():
            self.show_charts()
        else:
            self.height_changed.emit(self._least + self._lower)

    def show_stages(self) -> None:
        """Be high enough for the stages of the simulation."""
        if self.stages.isHidden():
            self.height_changed.emit(self._least + self._lower)

    def show_charts(self) -> None:
        """Be high enough for the charts chosen."""
        if not self.chosen:
            self.choose_charts(USUAL.split())
        self.height_changed.emit(self._least + self._lower + len(self.chosen) * px(TRACK + 30))

    def choose_charts(self, ids: list[str]) -> None:
        """Show these charts, where the room is high enough."""
        self.chosen = ids
        self.page.grid.choose(ids)
        self._fit()
        self.charts_chosen.emit(" ".join(ids))

    def _press(self, chart: str, x: float) -> None:
        grid = self.page.grid
        if grid.specs[chart].presses and not grid.charts[chart].plot.is_empty:
            self._machine.go(round(max(0.0, min(grid.whole[1], x))))

    def _show_view(self, view: View) -> None:
        """Let the slider have the range of the charts."""
        self.show_state()
        self.marks.update()

    @property
    def ready(self) -> bool:
        """Whether the charts in sight are made and drawn."""
        return self.page.grid.ready

    def show_snapshot(self, snapshot: Snapshot | None, earlier: Snapshot | None = None) -> None:
        """Draw the charts of a snapshot; kept for later while they are hidden.

        ``earlier``: the earlier moment shown: it is marked on the curves, their legends have its figures, and its
        priors and visits are shown.
        """
        if self._snapshot is not snapshot or self._earlier is not earlier:
            self._snapshot, self._earlier = snapshot, earlier
            if self._in_sight and not self.page.isHidden():
                self._draw()

    def set_waiting(self, text: str) -> None:
        """Set the text shown while there are no figures, in English."""
        self._waiting = text
        self._show_note()

    def _draw(self) -> None:
        self._show_note()
        snapshot, grid = self._snapshot, self.page.grid
        if snapshot is None:
            grid.show_model(None, (0.0, 1.0))
            grid.set_marker(math.nan)
            return
        if snapshot.position != self._of:
            self._of, self._colours = snapshot.position, Colours()
        colours = self._colours.give([row.action for row in shown_moves(snapshot)])
        searched = SearchedTree(snapshot, self._earlier, colours)
        grid.show_model(searched, whole_of(searched))
        grid.set_marker(math.nan if self._earlier is None else float(self._machine.place))

    def _show_note(self) -> None:
        snapshot = self._snapshot
        over = snapshot is not None and snapshot.position.is_over
        text = tr("The game is over here: there is nothing to search.") if over else core_text(self._waiting)
        self.page.grid.set_nothing(text)
        curves = snapshot.curves if snapshot is not None else None
        self._note = ""
        if curves is not None and curves.behind:
            self._note = tr("reading the search: {behind} to go").format(behind=simulations_words(curves.behind))
        elif curves is not None and not curves.exact:
            self._note = tr("Some of these simulations began further down the tree: the curves count them here.")
        self._show_turn()

    def set_in_sight(self, in_sight: bool) -> None:
        super().set_in_sight(in_sight)
        self._tell_charts()

    def _tell_charts(self) -> None:
        visible = self._in_sight and not self.page.isHidden()
        if visible:
            self._draw()
        self.charts_in_sight.emit(visible)

    # the menu

    def _fill_menu(self) -> None:
        menu, machine = self.menu, self._machine
        menu.clear()
        for submenu in menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
            submenu.deleteLater()
        follow = set_texts(menu.addAction(""), text="Follow playouts")
        set_texts(follow, toolTip="Highlight the path of each simulation on the board and open the tree along it")
        follow.setCheckable(True)
        follow.setChecked(machine.following)
        follow.toggled.connect(machine.set_following)
        for title, actions in self.watches.items():
            set_texts(menu.addMenu(""), title=title).addActions(actions)
        speeds = set_texts(menu.addMenu(""), title="Speed")
        for speed in SPEEDS:
            action = speeds.addAction(speed_title(speed), partial(machine.set_speed, speed))
            action.setCheckable(True)
            action.setChecked(speed == machine.speed)
        menu.addSeparator()
        for spec in self.page.grid.specs.values():
            chart = set_texts(menu.addAction(""), text=spec.title)
            chart.setCheckable(True)
            chart.setChecked(spec.id in self.chosen and not self.page.isHidden())
            chart.toggled.connect(partial(self._turn_chart, spec.id))
        menu.addSeparator()
        whole = set_texts(menu.addAction("", partial(self.page.grid.set_zoom, None)), text="Whole range")
        whole.setEnabled(self.page.grid.view.zoom is not None)
        self.page.add_exports(menu)

    def _turn_chart(self, chart: str, shown: bool) -> None:
        others = [] if self.page.isHidden() else self.chosen
        self.choose_charts([id for id in self.page.grid.specs if (shown if id == chart else id in others)])
        if shown and self.page.isHidden():
            self.show_charts()

    # what is looked at

    def show_turns(self, turns: tuple[Turn, ...]) -> None:
        """Mark the hesitations of the search, and the faults of one of another program."""
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
        self.sign.show_turn(None if self._note or self.turn.isHidden() else turn)
        if self._note:
            self.turn.setText(self._note)
            return
        if turn is None:
            self.turn.setText(tr("No hesitation of the search so far.") if self._machine.now else "")
            return
        if turn.kind == "fault":
            self.turn.setText(plain_sentence(turn.sentence))
            return
        turns = tuple(turn for turn in turns if turn.kind != "fault")
        words = tr("Hesitation {number} of {count}: {sentence}")
        if turn.simulation > place:
            words = tr("Hesitation {number} of {count}, still to come: {sentence}")
        sentence = plain_sentence(turn.sentence)
        self.turn.setText(words.format(number=turns.index(turn) + 1, count=len(turns), sentence=sentence))

    def show_state(self) -> None:
        """Show the machine's state in the controls without sending their signals."""
        machine = self._machine
        now, place = machine.now, machine.place
        zoom = self.page.grid.view.zoom
        low, high = (0, now) if zoom is None else (math.floor(zoom[0]), math.ceil(zoom[1]))
        for field, span in ((self.slider, (low, high)), (self.number, (0, now))):
            blocked = field.blockSignals(True)
            field.setRange(*span)
            if field is self.slider or not self.number.typing:
                field.setValue(place)
            field.blockSignals(blocked)
        self.of.setText(tr("of {now}").format(now=count(now)))
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


def connect_timeline(context: Context, machine: TimeMachine, view: Timeline) -> None:
    """Show the search and its hesitations while the timeline is in sight, and follow the choice of a player."""
    session, preferences = context.session, context.preferences
    finder = TurnFinder(view)

    def show_turns() -> None:
        turns = sorted((*context.state.document.marked_faults, *finder.turns), key=lambda turn: turn.simulation)
        if tuple(turns) != view.marks.turns:
            view.show_turns(tuple(turns))

    finder.changed.connect(show_turns)

    def renew(*_: object) -> None:
        present, shown = session.present, session.snapshot
        view.show_snapshot(present, shown if present is not shown else None)
        if view.isVisible():
            finder.ask(present)
        show_turns()
        read()

    def read(*_: object) -> None:
        """Ask for the curves, of which the hesitations are made: where one can be read, or once the search rests."""
        visible = view.isVisible() and (view.stages.isVisible() or not session.searching)
        session.extras.request_curves(visible, "time")

    def wait() -> None:
        read()
        view.show_state()
        view.set_waiting(waiting_text(session.phase))

    if kept := preferences.search_charts:
        view.choose_charts([chart for chart in kept.split() if chart != NONE])
    for title, what in ((BACK, "back"), (PAUSE, "pause")):
        view.watches[title] = [context.actions[f"{what}_{kind}"] for kind in WATCHES]
    view.charts_chosen.connect(lambda ids: setattr(preferences, "search_charts", ids or NONE))
    view.height_changed.connect(lambda height: context.docks.set_height("timeline", height))
    view.failed.connect(context.messages.show_error)
    view.notified.connect(context.messages.show_notice)
    preferences.values_for_changed.connect(lambda whose: view.show_player(PLAYERS[whose]))
    view.show_player(PLAYERS[preferences.values_for])
    view.in_sight.connect(read)
    view.charts_in_sight.connect(session.extras.request_curves)
    for signal in (session.snapshot_for_text, machine.count_changed):
        signal.connect(renew)
    session.state_changed.connect(wait)
    wait()
    view.set_in_sight(view.isVisible())
    renew()
