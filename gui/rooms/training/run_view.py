"""The view of one run: its state, machines and controls on top, one of its pages below."""

from __future__ import annotations

import math
from html import escape
from typing import TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from core.text import Text, Words
from gui.language.core_words import core_text, game_title
from gui.language.language import tr
from gui.rooms.training.chart_page import RunCharts
from gui.rooms.training.checkpoints import CheckpointPage
from gui.rooms.training.diagnosis_page import DiagnosisPage
from gui.rooms.training.known_runs import ShownRun
from gui.rooms.training.launcher import DIED, EMPTY, ENDED, ENDING, PAUSED, STARTING, WORKING, RunState
from gui.rooms.training.run_list import state_colour
from gui.rooms.training.run_model import AXES, RunModel, minutes_text
from gui.rooms.training.run_page import RunPage
from gui.rooms.training.samples import SamplePage
from gui.rooms.training.self_play import SelfPlayPage
from gui.rooms.training.settings_form import SettingsPage
from gui.widgets.figures import count
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import choice_box, show_value
from gui.widgets.labels import NameLabel, ShortLabel, make_frame, make_label, rename
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.preferences import Preferences
from gui.widgets.room import Room
from gui.widgets.segments import TITLES, Segments
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme, set_icon
from gui.widgets.tips import set_tip
from models.runs.reports import OF_MACHINE, ActorFigures, ClusterFigures

MOST_ROWS = 40
UP, DOWN = 14.0, 7.0  # heights of the longest bars, px
BAR, GAP, MACHINE_GAP = 5.0, 2.0, 6.0  # px


class ClusterLine(QWidget):
    """Shown for a run on a cluster alone: a bar for each actor and a line of text; the tip lists the actors."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars, self.words = ActorBars(self), ShortLabel(self)
        self.words.setObjectName("dim")
        self.words.setFont(figure_font(self.font()))
        lay_row(self.bars, (self.words, 1), of=self, margins=0, spacing=9)
        self.show_cluster(None)

    def show_cluster(self, cluster: ClusterFigures | None) -> None:
        self.setVisible(cluster is not None)
        self.bars.show_actors(() if cluster is None else cluster.actors[:MOST_ROWS])
        self.words.setText("" if cluster is None else cluster_words(cluster))
        set_tip(self, "" if cluster is None else cluster_table(cluster))


class ActorBars(QWidget):
    """A bar for each actor, those of one machine together: up its positions a second, down the age of its nets."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actors: tuple[ActorFigures, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        on_theme(self, self.update)

    def show_actors(self, actors: tuple[ActorFigures, ...]) -> None:
        self._actors = actors
        self.updateGeometry()
        self.update()

    def lefts(self) -> list[float]:
        """The left edge of each bar."""
        edges, x, machine = [], 0.0, None
        for actor in self._actors:
            number = actor.number // OF_MACHINE
            x += MACHINE_GAP if machine not in (None, number) else 0.0
            edges.append(x)
            x, machine = x + BAR + GAP, number
        return edges

    def heights(self) -> list[tuple[float, float]]:
        """How far each bar goes up and down; a pixel at least where there is a figure."""
        most = max((actor.samples_per_s for actor in self._actors), default=0.0)
        oldest = max((actor.behind or 0 for actor in self._actors), default=0)
        return [
            (
                max(1.0, UP * actor.samples_per_s / most) if actor.samples_per_s else 0.0,
                max(1.0, DOWN * actor.behind / oldest) if actor.behind else 0.0,
            )
            for actor in self._actors
        ]

    def sizeHint(self) -> QSize:
        return QSize(int(self.lefts()[-1] + BAR) + 1 if self._actors else 0, int(UP + DOWN) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        for left, (up, down) in zip(self.lefts(), self.heights(), strict=True):
            painter.fillRect(QRectF(left, UP - up, BAR, up), QColor(theme.accent))
            painter.fillRect(QRectF(left, UP, BAR, 1.0), QColor(theme.faint))
            painter.fillRect(QRectF(left, UP + 1.0, BAR, down), QColor(theme.warn))


def cluster_words(cluster: ClusterFigures) -> str:
    """One line of text."""
    rate = sum(actor.samples_per_s for actor in cluster.actors)
    parts = [
        tr("Cluster {address}").format(address=cluster.address),
        tr("machines: {count}").format(count=count(cluster.nodes)),
        tr("actors: {count}").format(count=count(len(cluster.actors))),
        tr("{rate} positions/s").format(rate=f"{rate:.1f}"),
    ]
    if cluster.behind is not None:
        parts.append(tr("nets {steps} steps old").format(steps=f"{cluster.behind:.1f}"))
    if cluster.restarts:
        parts.append(tr("restarts: {count}").format(count=count(cluster.restarts)))
    if cluster.dropped:
        parts.append(tr("dropped as too old: {count}").format(count=count(cluster.dropped)))
    return " · ".join(parts)


def cluster_table(cluster: ClusterFigures) -> str:
    """A row for each actor, as HTML."""
    head = (tr("Actor"), tr("Machine"), tr("Threads"), tr("Positions/s"), tr("Net, steps old"))
    rows = [
        (
            str(actor.number),
            actor.host,
            str(actor.threads),
            f"{actor.samples_per_s:.1f}",
            "–" if actor.behind is None else count(actor.behind),
        )
        for actor in cluster.actors[:MOST_ROWS]
    ]
    cells = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in [head, *rows])
    more = len(cluster.actors) - len(rows)
    legend = tr("Up: positions a second. Down: how many steps old the nets of the games are. A bar for each actor.")
    return f"<p>{legend}</p><table>{cells}</table>" + (
        tr("… and {count} more actors").format(count=count(more)) if more else ""
    )


def _cell(text: str) -> str:
    return f"<td>{escape(text)}&nbsp;&nbsp;</td>"


CHARTS, GAMES, SAMPLES, CHECKPOINTS, DIAGNOSIS, SETTINGS = PAGES = (
    "charts",
    "games",
    "samples",
    "checkpoints",
    "diagnosis",
    "settings",
)
PageT = TypeVar("PageT", bound=QWidget)
PAUSE_TIP: Words = "Pause the run after its current work; its process keeps running"
STOP_TIP: Words = "Save a checkpoint and end the process; Resume continues from there"


class RunView(RunPage):
    """The view; ``command_requested`` is emitted with a command for the run: "pause", "resume", "stop"."""

    command_requested = Signal(str)
    copied = Signal()  # create a new run with these settings
    page_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: RunModel | None = None
        self._version = -1  # of the run, as shown
        self.state = RunState(EMPTY, "")
        self._dressed: RunState | None = None  # the state shown
        self.title, self.game, self.words = NameLabel(self, "title"), QLabel(self), NameLabel(self, narrowest=170)
        self.dot = QLabel("●", self)
        self.numbers, self.cluster = ShortLabel(self, whole_parts=True), ClusterLine(self)
        self.note, self.problem = QLabel(self), QLabel(self)
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.game.setObjectName("dim")
        self.numbers.setObjectName("dim")
        self.numbers.setFont(figure_font(self.font()))
        self.problem.setObjectName("error")
        self.problem.setWordWrap(True)
        self.go, self.pause, self.stop = (self._button() for _ in range(3))
        self.go.setObjectName("run")
        set_icon(self.go, "play", "on_accent")
        set_icon(self.pause, "pause")
        set_icon(self.stop, "stop")
        for button, text, command, tip in (
            (self.go, Text("Resume"), "resume", Text("Continue training")),
            (self.pause, Text("Pause"), "pause", PAUSE_TIP),
            (self.stop, Text("Stop"), "stop", STOP_TIP),
        ):
            set_texts(button, text=text, toolTip=tip, accessibleName=text)
            button.clicked.connect(lambda _=False, w=command: self.command_requested.emit(w))
        self.more = self._button()
        self.more.setObjectName("choice")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().setToolTipsVisible(True)
        set_texts(
            self.more, text="More", toolTip="Note, name, archive, folder, deletion (also a right click in the list)"
        )
        self.pages = QStackedWidget(self)
        self._made: dict[str, QWidget] = {}
        self._rooms: dict[str, Room] = {}
        self.charts, self.self_play = self._make(CHARTS, RunCharts), self._make(GAMES, SelfPlayPage)
        self.pass_on(self.self_play)
        self.switch = Segments(PAGES, parent=self)
        self.switch.chosen.connect(self.show_page)
        self.axis = choice_box(self, [(name, TITLES[name]) for name in AXES], self._set_axis)
        set_texts(self.axis, accessibleName="over")
        self.charts.checkpoint_chosen.connect(self._open_checkpoint)
        self.charts.failed.connect(self.failed)
        self.charts.notified.connect(self.notified)
        self._lay_out()
        on_language(self, self._show_again)
        on_theme(self, self._colour_dot)

    def _button(self) -> QToolButton:
        button = QToolButton(self)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(15, 15))
        button.setObjectName("plain")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        first = lay_row(
            self.title, self.game, self.dot, self.words, 1, self.go, self.pause, self.stop, self.more, spacing=9
        )
        head = make_frame(self, "card")
        lay_column(
            first, self.numbers, self.cluster, self.note, self.problem, of=head, margins=(16, 10, 12, 10), spacing=3
        )
        row = FoldingRow(self)
        row.left.addWidget(self.switch)
        row.left.addStretch(1)
        right = row.fold_right()
        self._over = make_label(self, "dim", "over")
        right.left.addStretch(1)
        right.left.addWidget(self._over)
        right.left.addWidget(self.axis)
        right.right.addWidget(self.charts.row)
        right.set_stretch(1, 0)
        row.set_stretch(0, 1)
        lay_column(head, row, (self.pages, 1), of=self, margins=0, spacing=8)

    def _show_again(self) -> None:
        self._dressed = None
        if self._run is not None:
            self.show_state(self.state)
            self.show_run(self._run)

    # pages

    @property
    def page(self) -> str:
        return next(name for name, room in self._rooms.items() if room is self.pages.currentWidget())

    # Made on first use, because their charts and fields take a moment

    @property
    def samples(self) -> SamplePage:
        return self._page(SAMPLES, SamplePage)

    @property
    def checkpoints(self) -> CheckpointPage:
        return self._page(CHECKPOINTS, CheckpointPage)

    @property
    def diagnosis(self) -> DiagnosisPage:
        return self._page(DIAGNOSIS, DiagnosisPage)

    @property
    def settings(self) -> SettingsPage:
        return self._page(SETTINGS, SettingsPage)

    def _page(self, name: str, kind: type[PageT]) -> PageT:
        page = self._made.get(name)
        if page is None:
            page = self._make(name, kind)
            if isinstance(page, RunPage):
                self.pass_on(page)
            if isinstance(page, CheckpointPage):
                page.chosen.connect(lambda _: self._mark())
            elif isinstance(page, SettingsPage):
                page.copied.connect(self.copied)
        assert isinstance(page, kind)
        return page

    def _make(self, name: str, kind: type[PageT]) -> PageT:
        room = self._rooms[name] = Room(self.pages)
        page = self._made[name] = kind(room.viewport())
        room.hold(page)
        self.pages.addWidget(room)
        return page

    def close_threads(self) -> None:
        """Stop the pages' background requests."""
        for page in self._made.values():
            if isinstance(page, SamplePage | CheckpointPage):
                page.reader.forget()
            if isinstance(page, CheckpointPage):
                page.match.job.stop()
                page.where.job.forget()
            if isinstance(page, DiagnosisPage):
                page.job.forget()

    def show_page(self, name: str) -> None:
        """Show one of ``PAGES``."""
        kinds: dict[str, type[QWidget]] = {
            SAMPLES: SamplePage,
            CHECKPOINTS: CheckpointPage,
            DIAGNOSIS: DiagnosisPage,
            SETTINGS: SettingsPage,
        }
        if name in kinds:
            self._page(name, kinds[name])
        self.pages.setCurrentWidget(self._rooms[name])
        self.switch.show_choice(name)
        self._show_charts_or_why()
        self._show_run()
        self.page_changed.emit(name)

    def _set_axis(self) -> None:
        self.charts.set_axis(self.axis.currentData())
        self._show_run()
        self._mark()

    def recall(self, preferences: Preferences) -> None:
        """Show the charts as in the preferences, and keep there how they are shown."""
        self.charts.recall(preferences)
        show_value(self.axis, self.charts.axis)

    def _open_checkpoint(self, step: int) -> None:
        self.checkpoints.choose(step)
        self.show_page(CHECKPOINTS)

    def _mark(self) -> None:
        page = self._made.get(CHECKPOINTS)
        net = page.net if isinstance(page, CheckpointPage) and not page.follows else None
        at = math.nan if net is None else net.at(self.charts.axis)
        self.charts.grid.set_marker(at)

    # the run

    def show_run(self, run: RunModel) -> None:
        """Show a run, or what is new of it."""
        self._run, self._version = run, run.version
        self.title.setText(run.name)
        self.game.setText(run_game(run))
        set_tip(self.game, run.game)
        parts = []
        if run.iterations:
            limit = run.config.get("run.iterations")
            words = tr("iteration {steps} of {all}") if limit else tr("iteration {steps}")
            parts.append(words.format(steps=count(run.iterations), all=count(limit or 0)))
        if run.series:
            parts += [
                tr("step {steps}").format(steps=count(run.step)),
                tr("{games_total} games", run.games_total).format(games_total=count(run.games_total)),
            ]
        if run.minutes:
            end = run.config.get("run.minutes")
            spent = minutes_text(run.minutes)
            if isinstance(end, int | float) and end > 0:
                spent = tr("{time} of {all}").format(time=spent, all=minutes_text(end))
            parts.append(spent)
        if run.bouts:
            words = tr("{bouts} bouts on the ladder", run.bouts)
            parts.append(words.format(bouts=count(run.bouts)))
        parts += [core_text(text) for text in (run.evaluator, *run.notes) if text]
        self.numbers.setText(" · ".join(parts))
        self.numbers.setVisible(bool(parts))
        self._show_charts_or_why()
        self.cluster.show_cluster(run.cluster)
        self.note.setText(run.about.note)
        self.note.setVisible(bool(run.about.note))
        self.problem.setText(run.problem)
        self.problem.setVisible(bool(run.problem))
        self._show_run()

    def is_up_to_date(self, run: RunModel) -> bool:
        """Whether this view shows all that is known of a run, whoever read its reports."""
        return run is self._run and run.version == self._version

    def show_charts(self, shown: list[ShownRun]) -> None:
        """Show these runs in the charts, the one of this view first."""
        self.charts.show_runs(shown)
        self._show_charts_or_why()
        self._mark()

    def _show_run(self) -> None:
        """Update the visible page; the others are updated when shown."""
        if self._run is None:
            return
        if self.page == CHECKPOINTS:
            self.checkpoints.show_run(self._run, self.charts.axis)
        elif self.page == SAMPLES:
            self.samples.show_run(self._run)
        elif self.page == DIAGNOSIS:
            self.diagnosis.show_run(self._run)
        elif self.page == SETTINGS:
            self.settings.show_run(self._run)

    def _show_charts_or_why(self) -> None:
        """Show the charts of a run with figures, and of one without them only why there are none."""
        run, words = self._run, self.state.words
        why = ""
        if run is not None and not run.has_figures and len(self.charts.shown) <= 1:
            why = tr("There are figures after the first iteration ({words}).").format(words=words)
            if self.state.kind == EMPTY:
                why = tr("The run has not started. There are figures after its first iteration.")
            elif not self.state.alive:
                why = tr("The run has no figures: its first iteration did not end ({words}).").format(words=words)
        self.charts.show_why(why)
        ended = run is not None and not self.state.alive and len(self.charts.shown) <= 1
        self.charts.grid.set_nothing(tr("not measured in this run") if ended else "")
        over_time = self.page == CHECKPOINTS or (self.page == CHARTS and not why)
        self.axis.setVisible(over_time)
        self._over.setVisible(over_time)
        self.charts.row.setVisible(self.page == CHARTS and not why)

    def _colour_dot(self) -> None:
        self.dot.setStyleSheet(f"color: {state_colour(current_theme(), self.state.kind).name()}")

    def show_state(self, state: RunState) -> None:
        """Show the run's state, and the buttons available in it."""
        if state == self._dressed:
            return
        self.state = self._dressed = state
        ending = {
            "pause": tr("pausing…"),
            "resume": tr("resuming…"),
            "finish": tr("ending after this iteration…"),
            "stop": tr("stopping…"),
        }.get(state.command, "")
        self.words.setText(f"{state.words} · {ending}" if ending else state.words)
        rename(self.words, "error" if state.kind == DIED else "")
        self._colour_dot()
        self.go.setText({ENDED: tr("Resume…"), EMPTY: tr("Start")}.get(state.kind, tr("Resume")))
        self.go.setVisible(state.kind not in (WORKING, STARTING, ENDING))
        self.pause.setVisible(state.kind == WORKING)
        self.stop.setVisible(state.kind in (WORKING, PAUSED))
        for button in (self.go, self.pause, self.stop):
            button.setEnabled(not state.command)
        self._show_charts_or_why()


def run_game(run: RunModel) -> str:
    """Return the title of a run's game; as it is written in the run when there is no such game."""
    return game_title(run.spec) if run.spec is not None else run.game
