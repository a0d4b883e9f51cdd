"""The Training tab: runs at the left, the chosen one or a new one at the right, all updated by one timer.

Training itself is another process; the tab only reads its folder and writes commands there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from core.text import Text, text_of
from gui.jobs.nets import net_game
from gui.jobs.task import run_task
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.rooms.training.known_runs import MOST, Comparison, KnownRuns, ShownRun, colours_of
from gui.rooms.training.launcher import Launcher
from gui.rooms.training.new_run import NewRunPage
from gui.rooms.training.run_commands import RunCommands, RunManaging, ask_before_leaving
from gui.rooms.training.run_list import RunColumn, RunRow
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.run_page import RunPage
from gui.rooms.training.run_view import CHECKPOINTS, GAMES, RunView, run_game
from gui.rooms.training.self_play import WatchedGame, watch_games
from gui.widgets.labels import main_button, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.saving import ask_folder
from gui.widgets.texts import on_language, set_texts
from models.runs.folder import NEWEST_NET

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from gui.context import Context
    from gui.model.state import AppState


class Welcome(QFrame):
    """The page's widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = make_label(self, "title", "Train a net by letting it play against itself")
        text = set_texts(
            QLabel(self),
            text="Tic-tac-toe takes two minutes to perfect play; Connect Four an hour or two to be strong.",
        )
        text.setWordWrap(True)
        self.start = main_button("Start training", self)
        block = QWidget(self)
        block.setMaximumWidth(560)
        block.setMinimumWidth(300)
        lay_column(title, text, lay_row(self.start, 1), of=block, spacing=16)
        outer = lay_row(1, (block, 100), 1)
        lay_column(2, outer, 3, of=self)

    def show_game(self, game: GameSpec | None) -> None:
        """Name the game that the first button learns."""
        self.start.setVisible(game is not None)
        if game is not None:
            set_texts(self.start, text=lambda: tr("Train {game} now").format(game=game_title(game)))


TICK_MS = 500
OTHERS_EVERY = 4  # ticks between looks at the runs that are not shown


class TrainingTab(RunPage):
    """The tab; runs in ``home`` are always listed, others when opened by their folder."""

    def __init__(
        self, state: AppState, home: Path, launcher: Launcher | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("central")
        self._state = state
        self.known_runs = KnownRuns(home, launcher or Launcher())
        self.comparison = Comparison()
        self._live: list[WatchedGame] = []
        self._ticks = 0
        self.runs = RunColumn(self)
        self.list, self.archived = self.runs.list, self.runs.archived
        self.new, self.open = self.runs.new, self.runs.open
        self.view = RunView(self)
        self.welcome = Welcome(self)
        self._form: NewRunPage | None = None
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self.view)
        self._clock = make_timer(self, TICK_MS, self.tick)
        self._soon = make_timer(self, 0, self._look, once=True)
        self.run_commands = RunCommands(self.known_runs, self)
        self.managing = RunManaging(self.known_runs, self, self.list)
        self._lay_out()
        self._connect()
        on_language(self, self._show_again)

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(8)
        splitter.addWidget(self.runs)
        splitter.addWidget(self._stack)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 5)
        splitter.setSizes([250, 1200])
        lay_column(splitter, of=self, margins=(4, 2, 4, 4))

    def _connect(self) -> None:
        self.new.clicked.connect(self.show_new)
        self.open.clicked.connect(self._choose_folder)
        self.list.chosen.connect(self.choose)
        self.list.toggled.connect(self._toggle)
        self.welcome.start.clicked.connect(self._start_now)
        view = self.view
        view.command_requested.connect(self._carry_out)
        view.copied.connect(self._copy_settings)
        view.page_changed.connect(lambda _: self._look())
        self.pass_on(view)
        view.net_exported.connect(lambda net, precision: self.run_commands.ask_export(self.model, net, precision))
        self.run_commands.failed.connect(self.failed)
        self.run_commands.notified.connect(self.notified)
        self.run_commands.command_sent.connect(self._look)
        self.managing.failed.connect(self.failed)
        self.managing.notified.connect(self.notified)
        self.managing.changed.connect(self._manage)
        self.view.more.menu().addActions(list(self.managing.actions.values()))
        self.archived.toggled.connect(lambda _: self._show_list())
        self._state.position_changed.connect(self._show_position)
        self._state.position_changed.connect(lambda: self.welcome.show_game(self._state.game))
        self.welcome.show_game(self._state.game)

    # timer

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ticks = 0
        self._clock.start()
        self.tick()

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        self._soon.stop()
        super().hideEvent(event)

    def close_threads(self) -> None:
        """Stop background reading; training continues."""
        self._clock.stop()
        self.view.close_threads()

    def tick(self) -> None:
        """Look at the chosen run, and every few ticks at all runs."""
        if self._ticks % OTHERS_EVERY == 0 or self.known_runs.unfinished:
            self._list_runs()
        else:
            self._show_list()
        self._ticks += 1
        self._look()

    def _list_runs(self) -> None:
        """Find the runs and show them in the list."""
        self.known_runs.refresh()
        self.managing.show_run(self.model)
        if not self.entering:
            self._stack.setCurrentWidget(self.view if self.model is not None else self.welcome)
        self._show_list()

    def _show_list(self) -> None:
        colours = colours_of(self.shown)
        rows = [
            RunRow(
                path,
                model.name,
                run_game(model),
                self.known_runs.state(model),
                round(model.progress, 3),
                model.about.note,
                model.about.archived,
                colours.get(path, -1),
                path in self.comparison.kept,
            )
            for path, model in self.known_runs.models.items()
        ]
        self.runs.show_rows(rows, self.known_runs.chosen)

    def _manage(self) -> None:
        """Show the runs after one was renamed, removed or archived, or got another note."""
        model = self.model
        if model is not None:
            model.look()
            if model.about.archived and not self.archived.isChecked():
                self.known_runs.leave_archived()
        self._list_runs()
        if self.known_runs.chosen is not None:
            self.choose(self.known_runs.chosen)

    def _look(self) -> None:
        """Show what is new of the chosen run."""
        model = self.model
        if model is None or not self.isVisible():
            return
        shown = self.shown
        other_charts = self.comparison.look(shown)
        self.managing.show_run(model)
        self.view.show_state(self.known_runs.state(model))
        if not self.view.is_up_to_date(model):
            self.view.show_run(model)
        if other_charts:
            self.view.show_charts(shown)
        if any(run.behind for run, _ in shown):
            self._soon.start()
        if self.view.page == GAMES:
            self._show_games(model)
        elif self.view.page == CHECKPOINTS:
            self._show_position()

    def _show_again(self) -> None:
        self._show_list()
        if self.model is not None:
            self.view.show_run(self.model)
        self._look()

    # the chosen run

    @property
    def model(self) -> RunModel | None:
        return self.known_runs.model

    @property
    def shown(self) -> list[ShownRun]:
        """The runs in the charts, the chosen one first."""
        return self.comparison.shown(self.known_runs.chosen, self.known_runs.models)

    def _toggle(self, path: Path) -> None:
        """Keep a run in the charts, or not any more."""
        if not self.comparison.toggle(path, self.known_runs.chosen):
            self.notified.emit(Text("At most {runs} runs are compared at once.", runs=MOST))
        self._show_list()
        self._look()

    def choose(self, path: Path) -> None:
        """Show that run."""
        self.known_runs.chosen = path
        self._live = []
        self._stack.setCurrentWidget(self.view)
        model = self.model
        if model is not None:
            model.look()
            self.view.show_run(model)
            if not model.game and (path / NEWEST_NET).is_file():
                run_task(self, partial(net_game, path / NEWEST_NET), partial(self._take_game, model), self.failed.emit)
        self._look()
        self._show_list()

    def _take_game(self, model: RunModel, game: str) -> None:
        """Take the game of a run without settings from its net."""
        model.net_game = game
        model.version += 1
        if model is self.model:
            self.view.show_run(model)

    def _show_games(self, model: RunModel) -> None:
        state, spec = self.view.state, model.spec
        if not state.alive or spec is None:
            self._live = []
        else:
            self._live = watch_games(model.path, spec, self._live)
        why = tr("No games are being played: {words}.").format(words=state.words)
        self.view.self_play.show_games(self._live, why)

    def _show_position(self) -> None:
        """Show on the checkpoint page the analysis board's position if it is of the run's game, else the initial."""
        model = self.model
        if model is None or not self.isVisible():
            return
        spec = model.spec
        position: Position | None = self._state.position
        if spec is None:
            self.view.checkpoints.show_position(None, "")
        elif position is not None and position.game == spec:
            place = tr("after {ply} moves").format(ply=position.ply) if position.ply else tr("at the start")
            self.view.checkpoints.show_position(
                position, tr("The position on the analysis board, {place}").format(place=place)
            )
        else:
            note = tr("The initial position, because the analysis board shows a game other than {title}").format(
                title=game_title(spec)
            )
            self.view.checkpoints.show_position(spec.initial(), note)

    # commands

    @property
    def form(self) -> NewRunPage:
        """The page for a new run, made on first use; it keeps its entries."""
        if self._form is None:
            self._form = NewRunPage(self.known_runs.home, self._stack, self.known_runs.at_home)
            self._form.cancelled.connect(self._leave_form)
            self._form.start_requested.connect(self._start)
            self._stack.addWidget(self._form)
        return self._form

    @property
    def entering(self) -> bool:
        """Whether the page for a new run is shown."""
        return self._form is not None and self._stack.currentWidget() is self._form

    def show_new(self) -> None:
        """Show the page for a new run with its last entries."""
        game = self._state.game
        self.form.open_for(game.text if game is not None else "")
        self._stack.setCurrentWidget(self.form)
        self.form.game.setFocus()

    def _start_now(self) -> None:
        """Start a run of the game shown with its preset; where that cannot start, the form says why."""
        self.show_new()
        self.form.start.click()

    def _copy_settings(self) -> None:
        if self.model is not None:
            self.form.open_with(self.model.config)
            self._stack.setCurrentWidget(self.form)

    def _leave_form(self) -> None:
        self._stack.setCurrentWidget(self.view if self.model is not None else self.welcome)
        self._look()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.entering:
            self._leave_form()
        else:
            super().keyPressEvent(event)

    def _start(self, folder: Path, game: str, settings: dict[str, Any]) -> None:
        if self.run_commands.start(folder, game, settings):
            self.form.started()
            self.known_runs.chosen = folder
            self._stack.setCurrentWidget(self.view)
            self._list_runs()
            self.choose(folder)

    def _carry_out(self, command: str) -> None:
        if self.model is not None:
            self.run_commands.carry_out(self.model, self.view.state.kind, command)

    def ask_before_leaving(self, leave: Callable[[], object]) -> bool:
        """Ask what becomes of the runs that train, then call ``leave``; False when there is none."""
        runs = self.known_runs.training()
        if not runs:
            return False

        def answer(command: str) -> None:
            try:
                for run in runs if command else ():
                    self.known_runs.launcher.command(run.path, command)
            except OSError as error:
                self.failed.emit(text_of(error))
            else:
                leave()

        states = [f"{run.name}: {self.known_runs.state(run).words}" for run in runs]
        ask_before_leaving(self.window(), states, answer)
        return True

    def _choose_folder(self) -> None:
        folder = ask_folder(self, tr("Open a run folder…"), "nets", str(self.known_runs.home.parent))
        if folder is not None:
            self.open_folder(folder)

    def open_folder(self, path: Path) -> None:
        """List and show a run outside the runs folder."""
        try:
            self.known_runs.add(path)
        except ValueError as error:
            self.failed.emit(text_of(error))
            return
        self.choose(path)


def connect_training(
    context: Context,
    show_board: Callable[[], object],
    compare: Callable[[Position, tuple[Path, Path]], object],
    tab: TrainingTab,
) -> None:
    """Connect a new Training tab.  ``compare`` searches a position with two nets side by side."""

    def open_position(position: Position, ply: int) -> None:
        """Open a self-play game at that ply."""
        context.state.open_position(position)
        context.state.go(ply - position.start.ply)
        show_board()

    def analyse_with(net: Path) -> None:
        context.opener.open_net(net)
        show_board()

    def show_learning(net: Path) -> None:
        context.opener.open_net(net)
        context.docks.show_dock("inside")
        context.docks["inside"].show_part("inside_history")

    def what_if(position: Position, nets: tuple[Path, Path]) -> None:
        show_board()
        try:
            compare(position, nets)
        except ValueError as error:
            context.messages.show_error(text_of(error))

    tab.view.recall(context.preferences)
    tab.failed.connect(context.messages.show_error)
    tab.notified.connect(context.messages.show_notice)
    tab.position_opened.connect(open_position)
    tab.net_used.connect(analyse_with)
    tab.learning_asked.connect(show_learning)
    tab.nets_compared.connect(what_if)
