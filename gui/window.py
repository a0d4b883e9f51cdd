"""The main window: lays the views out, carries state and snapshots to them and their wishes back.

Every view is a function of what it is given here; no view knows another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow

from gui.board.board_link import connect_board
from gui.commands.actions import NAVIGATION, enable_analysis, make_actions
from gui.commands.commanding import show_keys_in_tips
from gui.commands.keymap import KeyMap
from gui.compare.scope import connect_scope
from gui.docks import ROWS
from gui.files import sources
from gui.files.filing import Filing, dropped_file
from gui.files.games_before import GamesBefore
from gui.files.opening import Opening
from gui.frame.appearance import Preferences, connect_frame
from gui.frame.dock_area import DockArea
from gui.frame.layout import CentralView
from gui.frame.log_view import Log
from gui.frame.page_switch import ANALYSIS, TRAINING
from gui.frame.pages import Pages, own_training
from gui.frame.strips import Banner
from gui.guard import guard_overrides
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.look.dressing import Dressing
from gui.look.theme import icon, palette, style_sheet
from gui.look.words import state_text
from gui.past.time_machine import TimeMachine
from gui.presenter import Presenter
from gui.record.record_actions import connect_record_actions
from gui.session import Session
from gui.state import AppState, PathOf
from gui.training.link import connect_training

if TYPE_CHECKING:
    from core.games import Position
    from core.search import Snapshot
    from gui.training.tab import TrainingTab

STEP_MS = 16  # held arrow keys are summed and applied once a frame


class MainWindow(QMainWindow):
    """The one window.  ``theme`` is "dark", "light" or "system"."""

    state: AppState
    session: Session
    opening: Opening
    filing: Filing
    games_before: GamesBefore
    views: CentralView
    docks: DockArea
    actions_by_name: dict[str, QAction]
    escaped = Signal()  # whatever works in the background stops

    def __init__(
        self,
        state: AppState | None = None,
        session: Session | None = None,
        theme: str = "system",
        training: Callable[[AppState], TrainingTab] | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """``training`` makes the Training tab when it is first shown; None: over the user's own runs."""
        super().__init__()
        guard_overrides()
        self.state = state or AppState(self)
        self.session = session or Session(self.state, self)
        self.opening = Opening(self.state, self.session, self)
        self.filing = Filing(self)
        self.preferences: Preferences = preferences or Preferences()
        self._theme_choice = theme
        self._opened = False  # a game, since the start
        self._steps = 0
        self._stepping = QTimer(self)
        self._stepping.setSingleShot(True)
        self._stepping.setInterval(STEP_MS)
        self._stepping.timeout.connect(self._apply_steps)
        self.setWindowTitle("Plyscope")
        self.setAcceptDrops(True)
        make_training = training or own_training
        self._take_views(CentralView(self))
        self.pages = Pages(self.views, lambda: make_training(self.state), self)
        self.setCentralWidget(self.pages)
        self.dressing = Dressing((self, self.pages, self.views, self.docks), self)
        self.banner = Banner(self.pages)  # it floats above either page
        self.presenter = Presenter(self.views, self.state, self)
        self.log = Log()
        self.log.open()
        self.actions_by_name = make_actions(self)
        self.keymap = KeyMap(self.actions_by_name, self)
        self._connect()
        self.time: TimeMachine = TimeMachine(self)
        self.games_before = GamesBefore(self)
        self.set_theme(theme)
        for dock in self.docks.docks.values():  # empty yet; their sizes are asked for before they are shown
            self.dressing.dress(dock)
        connect_frame(self)
        self._show_state()
        self.board.setFocus()

    def _take_views(self, views: CentralView) -> None:
        self.views = views
        self.toolbar, self.status, self.settings = views.toolbar, views.status, views.settings
        self.board, self.value_bar, self.player, self.record = views.board, views.value_bar, views.player, views.record
        self.moves, self.tree = views.moves, views.tree
        self.docks = views.docks
        self.docks.place(ROWS, self)
        self.moves_title = self.docks["moves"].heading
        self.docks["tree"].heading.setText(tr("Tree · each row for the side that plays it"))
        self._navigation = views.navigation

    def sizeHint(self) -> QSize:
        return QSize(1480, 860)

    # connections

    def _connect(self) -> None:
        state, session, actions = self.state, self.session, self.actions_by_name
        for name, action in NAVIGATION:
            self._navigation[name].clicked.connect(actions[action].trigger)
        self.keymap.changed.connect(lambda: show_keys_in_tips(self))
        show_keys_in_tips(self)
        connect_record_actions(self)
        state.game_changed.connect(self.tree.forget)
        self.opening.complained.connect(self.banner.say)
        self.opening.noted.connect(self.banner.note)
        self.filing.complained.connect(self.banner.say)
        self.filing.noted.connect(self.banner.note)
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(self._search_changed)
        state.coordinates_changed.connect(self._coordinates_changed)
        state.selection_changed.connect(lambda _: self._selection_changed())
        session.pictured.connect(self.presenter.picture)
        session.figured.connect(self._figures)
        session.state_changed.connect(self._show_state)
        session.failed.connect(self.banner.say)
        self.board.chosen.connect(self._play_on_board)
        self.board.refused.connect(self._refuse)
        self.board.scrolled.connect(self.step)
        self.board.laid_out.connect(self.value_bar.set_span)
        self.moves.selected.connect(lambda action: state.select((action,), self.moves.position))
        self.moves.played.connect(lambda action: self._play_line((action,), self.moves.position))
        self.moves.pointed.connect(self._show_line_of)
        self.tree.selected.connect(lambda path: state.select(path, self.tree.position))
        self.tree.played.connect(lambda path: self._play_line(path, self.tree.position))
        self.tree.opened.connect(session.want)
        self.record.chosen.connect(state.go)
        self.docks.turned.connect(self._dock_turned)
        self.settings.changed.connect(state.set_settings)
        self.settings.limit_changed.connect(state.set_limit)
        bar = self.toolbar
        bar.limit_chosen.connect(state.set_limit)
        bar.run.clicked.connect(session.toggle)
        self.pages.made.connect(partial(connect_training, self))
        self.pages.turned.connect(self._page_turned)
        bar.settings.clicked.connect(actions["settings"].trigger)
        bar.theme.clicked.connect(actions["theme"].trigger)
        bar.game.menu().aboutToShow.connect(
            lambda: self.opening.fill_game_menu(bar.game.menu(), actions["choose_game"])
        )
        bar.net.menu().aboutToShow.connect(lambda: self.opening.fill_net_menu(bar.net.menu(), actions["open_net"]))
        bar.set_limit(state.limit)
        connect_board(self)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_theme_changed)
        connect_scope(self)

    # pages

    @property
    def training(self) -> TrainingTab | None:
        """None until it is first shown."""
        return self.pages.training

    @property
    def page(self) -> str:
        return self.pages.page

    def show_page(self, name: str) -> None:
        """The analysis or the training."""
        self.pages.turn_to(name)

    def _page_turned(self, name: str) -> None:
        """The keys of the analysis rest while it is not in sight."""
        enable_analysis(self, name == ANALYSIS)
        self._show_title()
        (self.board if self.training is None or name == ANALYSIS else self.training.list).setFocus()

    def _show_title(self) -> None:
        game = self.state.game
        titles = [game_title(game)] if game is not None and self.page == ANALYSIS else []
        self.setWindowTitle(" — ".join([*titles, *([tr("Training")] if self.page == TRAINING else []), "Plyscope"]))

    # appearance

    def set_theme(self, choice: str) -> None:
        """Dress the window: "dark", "light" or as the "system" does."""
        self._theme_choice = choice
        self.theme = self.preferences.theme(choice)
        QApplication.setPalette(palette(self.theme))
        self.dressing.set_sheet(style_sheet(self.theme))
        for view in (
            self.toolbar,
            self.banner,
            self.board,
            self.views.legend,
            self.value_bar,
            self.player,
            self.record,
            self.moves,
            self.tree,
            self.status,
            self.docks,
        ):
            view.set_theme(self.theme)
        if self.training is not None:
            self.training.set_theme(self.theme)
        for name, button in self._navigation.items():
            button.setIcon(icon(name, self.theme))
        for name in ("system", "dark", "light"):
            self.actions_by_name[f"theme_{name}"].setChecked(name == choice)

    @property
    def theme_choice(self) -> str:
        return self._theme_choice

    def toggle_theme(self) -> None:
        self.set_theme("light" if self.theme.dark else "dark")

    def _system_theme_changed(self) -> None:
        if self._theme_choice == "system":
            self.set_theme("system")

    def _dock_turned(self, name: str, shown: bool) -> None:
        if shown:
            self.dressing.dress(self.docks[name])
        self.actions_by_name[name].setChecked(shown)
        if name == "settings":
            self.toolbar.settings.setChecked(shown)

    def _coordinates_changed(self, shown: bool) -> None:
        self.board.set_coordinates(shown)
        self.actions_by_name["coordinates"].setChecked(shown)

    # state -> views

    def _position_changed(self) -> None:
        if not self.banner.lasting:
            self.banner.hide()
        state = self.state
        position = state.position
        assert position is not None
        if self._opened and self.page != ANALYSIS:
            self.show_page(ANALYSIS)  # a game was opened; the first one comes by itself
        self._opened = True
        game = position.game
        self.toolbar.game.setText(game_title(game))
        self._show_title()
        self.presenter.show_position()
        self._show_choices()
        self.session.want(self.tree.wanted())
        self._show_state()

    def _search_changed(self) -> None:
        self._show_choices()
        self._show_state()

    def _show_choices(self) -> None:
        state = self.state
        self.toolbar.net.setText(sources.source_title(state.source))
        self.toolbar.set_limit(state.limit)
        if state.settings is not None:
            self.settings.show_settings(state.settings, state.limit)
        actions = self.actions_by_name
        for name, enabled in (
            ("start", state.cursor > 0),
            ("back", state.cursor > 0),
            ("forward", state.cursor < len(state.moves)),
            ("end", state.cursor < len(state.moves)),
        ):
            actions[name].setEnabled(enabled)
        for name, action in NAVIGATION:
            self._navigation[name].setEnabled(actions[action].isEnabled())

    def _selection_changed(self) -> None:
        self.presenter.show_position()
        self.presenter.show_selection()
        shown = self.presenter.shown
        if self.session.snapshot is not None or (shown is not None and shown.is_over):
            self.presenter.picture(self.session.snapshot)
            self.presenter.show_value(self.session.snapshot)

    def _figures(self, snapshot: Snapshot | None) -> None:
        """All that is text, four times a second."""
        self.presenter.figures(snapshot)
        self._show_state()

    def _show_state(self) -> None:
        """Whether and why the search runs or not."""
        session = self.session
        self.toolbar.set_running(session.searching)
        text = state_text(session.phase, session.searching, session.present, session.mode)
        self.status.set_state(text, session.searching)
        self.moves.set_note(text)

    # wishes of the views

    def _play_on_board(self, action: int) -> None:
        self._play_line((*self.state.selected, action))

    def _play_line(self, path: PathOf, of: Position | None = None) -> None:
        """``of``: where the path was read; nothing is played when another position is shown by now."""
        try:
            if of in (None, self.state.position):
                self.state.play_line(path)
        except ValueError as error:
            self.banner.say(str(error))

    def _refuse(self, action: int) -> None:
        position = self.presenter.shown
        if position is None:
            return
        try:
            position.play(action)
        except ValueError as error:
            self.banner.note(str(error))

    def _show_line_of(self, action: int) -> None:
        """The line of the row under the pointer, as it stands now: it does not change while it is looked at."""
        snapshot = self.session.snapshot
        if self.state.selected or snapshot is None or action < 0:
            self.board.show_line(())
            return
        self.board.show_line(next((row.pv for row in snapshot.moves if row.action == action and row.visits), ()))

    def engine_move(self) -> None:
        """Play the move the search would play here."""
        action = self.session.move_to_play()
        if action < 0:
            self.banner.note(tr("There is no move to play: the game is over or the search has not begun here."))
            return
        self._play_line((action,))

    def escape(self) -> None:
        """Leave the preview, else stop searching."""
        if self.state.selected and not self.time.looking:
            self.state.select(())
        elif not self.time.to_now():
            self.session.stop()
            self.banner.hide()
            self.escaped.emit()

    def step(self, plies: int) -> None:
        """Walk the record at once; those of held keys add up and are applied once a frame."""
        self._steps += plies
        if not self._stepping.isActive():
            self._apply_steps()

    def _apply_steps(self) -> None:
        steps, self._steps = self._steps, 0
        if steps:
            self._stepping.start()
            self.state.go(self.state.cursor + steps)

    # commands and keys

    def toggle_dock(self, name: str) -> None:
        """Show or hide a dock; on the other page: go where it is and show it."""
        if self.page != ANALYSIS:
            self.show_page(ANALYSIS)
            self.docks.show_dock(name)
            self._dock_turned(name, True)
        else:
            self.docks.toggle(name)

    # files dropped, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if (path := dropped_file(event)) is not None:
            event.acceptProposedAction()
            self.filing.open_file(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stepping.stop()
        self.presenter.stop()
        self.time.stop()
        if self.training is not None:
            self.training.close_threads()
        self.session.close()
        self.log.close()
        super().closeEvent(event)
