"""The main window: creates its parts, updates the views from state and snapshots, and handles the user's actions.

Only ``gui.app`` imports it; rooms get a ``gui.context.Context``, the shell a ``gui.shell.frame.Frame``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.text import text_of
from gui.context import Context
from gui.guard import guard_overrides
from gui.jobs.opener import Opener
from gui.language.core_words import game_title
from gui.language.language import mark, tr
from gui.model import sources
from gui.model.keymap import KeyMap
from gui.model.session import Session
from gui.model.state import AppState
from gui.model.timers import make_timer
from gui.rooms.compare.scope import Scope
from gui.rooms.past.time_machine import TimeMachine
from gui.rooms.record.record_actions import connect_record_actions
from gui.rooms.training.link import connect_training
from gui.shell.actions import NAVIGATION
from gui.shell.appearance import COLUMN_ACTIONS, Preferences, connect_frame
from gui.shell.board_link import BoardLink
from gui.shell.collection_link import dropped_paths, open_paths
from gui.shell.commanding import show_keys_in_tips
from gui.shell.count_link import CountLink
from gui.shell.dock_pictures import connect_pictures
from gui.shell.docks import ROWS, make_room
from gui.shell.filing import Filing
from gui.shell.frame import Frame
from gui.shell.layout import CentralView
from gui.shell.log_view import Log
from gui.shell.machine import Machine
from gui.shell.menus import enable_analysis, make_actions
from gui.shell.open_trees import OpenTrees
from gui.shell.pages import Pages, own_training
from gui.shell.presenter import Presenter
from gui.shell.previous_games import PreviousGames
from gui.shell.runtime import connect_runtime
from gui.shell.saved_trees import SavedTrees
from gui.shell.strips import Banner
from gui.shell.tree_files import TreeFiles
from gui.shell.tree_link import connect_tabs
from gui.shell.two_nets import compare_nets
from gui.widgets.dressing import Dressing
from gui.widgets.page_switch import ANALYSIS, TRAINING
from gui.widgets.player_choice import PLAYERS
from gui.widgets.texts import on_language
from gui.widgets.words import state_text

if TYPE_CHECKING:
    from core.glass import Snapshot
    from gui.rooms.training.tab import TrainingTab

LATE_MS = 150  # from the first position to the rooms that wait for the engine: the first figures come before
STEP_MS = 16  # the steps of held arrow keys are summed and applied once per frame


class MainWindow(Frame):
    """The main window.  ``theme`` is "dark", "light" or "system"."""

    def __init__(
        self,
        state: AppState | None = None,
        session: Session | None = None,
        theme: str = "system",
        training: Callable[[AppState], TrainingTab] | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """``training`` creates the Training tab when it is first shown; None: for the user's own runs."""
        super().__init__()
        guard_overrides()
        self.state = state or AppState(self)
        self.session = session or Session(self.state, self)
        self.opener = Opener(self.state, self.session, self)
        self.preferences: Preferences = preferences or Preferences()
        self.preferences.setParent(self)  # what is connected to it would keep a closed window for ever
        self._theme_choice = theme
        self._opened = False  # whether a game has been opened since the start
        self._steps = 0
        self._stepping = make_timer(self, STEP_MS, self._apply_steps, once=True)
        self.setWindowTitle("Plyscope")
        self.setAcceptDrops(True)
        make_training = training or own_training
        self._take_views(CentralView(self))
        self.pages = Pages(self.views, lambda: make_training(self.state), self)
        ground = QWidget(self)
        self.banner = Banner(self.status, ground)
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        column.addWidget(self.banner)
        self.setCentralWidget(ground)
        self.dressing = Dressing((self, ground, self.pages, self.views, self.docks), self)
        self.presenter = Presenter(self.views, self.state, self)
        self.log = Log()
        self.log.open()
        self.actions_by_name = make_actions(self)
        self.keymap = KeyMap(self.actions_by_name, self)
        self.context = self._make_context()
        self.filing = Filing(self.context, lambda: self.play)
        self.trees = TreeFiles(self.context)
        self._connect()
        self.time = TimeMachine(self.context)
        self.time.count_changed.connect(lambda: self.presenter.show_past(self.time, self.session))
        self.previous_games = PreviousGames(self.context, self.filing)
        self.open_trees = OpenTrees(self.context, self.previous_games, self.pause_play)
        SavedTrees(self.open_trees, self.context, self.filing)
        connect_tabs(self.views.tabs, self)
        self.opener.pasted.connect(self.previous_games.mark_as_unsaved)
        self.opener.sgf_pasted.connect(self.filing.open_text)
        self.opener.asked.connect(lambda words, ways: self.banner.show_offer(words, *ways[0], *ways[1:2]))
        self.filing.pasted.connect(self.previous_games.mark_as_unsaved)
        self.set_theme(theme)
        for dock in self.docks.docks.values():
            dock.furnished.connect(partial(self.dressing.dress, dock))
            if dock.widget() is not None:  # its size is needed before it is shown
                self.dressing.dress(dock)
        connect_frame(self)
        connect_runtime(self)
        self.machine = Machine(self.context, self.status.set_machine)
        connect_pictures(self)
        on_language(self, self._show_again)
        self._show_state()
        self.board.setFocus()

    def _take_views(self, views: CentralView) -> None:
        self.views = views
        self.toolbar, self.status = views.toolbar, views.status
        self.board, self.value_bar, self.player, self.record = views.board, views.value_bar, views.player, views.record
        self.moves, self.tree = views.moves, views.tree
        self.docks = views.docks
        self.docks.place(ROWS, partial(make_room, self))
        self.moves_title = self.docks["moves"].heading
        self.docks["icicle"].set_title(mark("Icicle · the whole tree, each move as wide as its visits"))
        self.docks["tree"].set_title(mark("Tree · values for the player of the disc"))
        self._navigation = views.navigation

    def _make_context(self) -> Context:
        return Context(
            window=self,
            state=self.state,
            session=self.session,
            opener=self.opener,
            preferences=self.preferences,
            board=self.board,
            moves=self.moves,
            tree=self.tree,
            docks=self.docks,
            messages=self.banner,
            actions=self.actions_by_name,
            keymap=self.keymap,
            escaped=self.escaped,
            closing=self.closing,
            page_changed=self.pages.page_changed,
            play_line=self.play_line,
        )

    def sizeHint(self) -> QSize:
        return QSize(1480, 860)

    # connections

    def _connect(self) -> None:
        state, session, actions = self.state, self.session, self.actions_by_name
        for name, action in NAVIGATION:
            self._navigation[name].clicked.connect(actions[action].trigger)
        self.keymap.changed.connect(lambda: show_keys_in_tips(self))
        show_keys_in_tips(self)
        connect_record_actions(self.context)
        actions["undo"].changed.connect(lambda: self._navigation["undo"].setEnabled(state.can_undo))
        state.record_changed.connect(self.presenter.show_forks)
        state.position_changed.connect(self.presenter.show_forks)
        state.game_changed.connect(self.tree.forget)
        self.opener.failed.connect(self.banner.show_error)
        self.opener.notified.connect(self.banner.show_notice)
        self.filing.failed.connect(self.banner.show_error)
        self.filing.notified.connect(self.banner.show_notice)
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(self._search_changed)
        state.coordinates_changed.connect(self._coordinates_changed)
        state.selection_changed.connect(lambda _: self._selection_changed())
        session.snapshot_for_frame.connect(self.presenter.picture)
        self.preferences.values_for_changed.connect(lambda whose: self.presenter.show_player(PLAYERS[whose]))
        self.presenter.show_player(PLAYERS[self.preferences.values_for])
        session.snapshot_for_text.connect(self._figures)
        session.state_changed.connect(self._show_state)
        session.failed.connect(self.banner.show_error)
        session.lost.connect(self.banner.show_notice)
        self.board.chosen.connect(self._play_on_board)
        self.board.refused.connect(self._refuse)
        self.board.scrolled.connect(self.step)
        self.board.laid_out.connect(self.value_bar.set_span)
        self.moves.selected.connect(lambda action: state.select((action,), self.moves.moves.position))
        self.moves.played.connect(lambda action: self.play_line((action,), self.moves.moves.position))
        self.moves.pointed.connect(self._show_line_of)
        self.tree.selected.connect(lambda path: state.select(path, self.tree.tree.position))
        self.tree.played.connect(lambda path: self.play_line(path, self.tree.tree.position))
        self.tree.opened.connect(session.request_nodes)
        self.record.chosen.connect(state.go)
        self.docks.dock_toggled.connect(self.mark_dock)
        bar = self.toolbar
        bar.limit_chosen.connect(session.limit.choose)
        bar.no_limit_chosen.connect(session.continue_search)
        bar.run.clicked.connect(session.toggle)
        self.pages.made.connect(
            partial(connect_training, self.context, self.show_page, partial(compare_nets, self.context))
        )
        self.pages.page_changed.connect(self._page_changed)
        bar.settings.clicked.connect(actions["settings"].trigger)
        bar.theme.clicked.connect(actions["theme"].trigger)
        bar.game.menu().aboutToShow.connect(lambda: self.opener.fill_game_menu(bar.game.menu(), actions["choose_game"]))
        bar.net.menu().aboutToShow.connect(lambda: self.opener.fill_net_menu(bar.net.menu(), actions["open_net"]))
        bar.set_limit(state.limit)
        BoardLink(self.context, self.views, self.presenter)
        for header in (self.moves.horizontalHeader(), self.tree.header()):
            header.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            shown = [action for name, action in actions.items() if name.startswith("rows_") or name in COLUMN_ACTIONS]
            header.addActions(shown)
        self.counting = CountLink(self.context, self.views, self.presenter)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_theme_changed)
        self.scope = Scope(self.context)

    # pages

    def _page_changed(self, name: str) -> None:
        """Disable the keys of the analysis while its page is hidden."""
        self.banner.cured()
        enable_analysis(self, name == ANALYSIS)
        self._show_title()
        (self.board if self.training is None or name == ANALYSIS else self.training.list).setFocus()

    def _show_title(self) -> None:
        game = self.state.game
        titles = [game_title(game)] if game is not None and self.page == ANALYSIS else []
        self.setWindowTitle(" — ".join([*titles, *([tr("Training")] if self.page == TRAINING else []), "Plyscope"]))

    def _show_again(self) -> None:
        """Update all texts made from state and snapshot after a change of language; the search continues."""
        state = self.state
        if state.game is not None:
            self.toolbar.game.setText(game_title(state.game))
        self.toolbar.net.setText(sources.source_title(state.source))
        self.toolbar.set_limit(state.limit)
        self._show_title()
        self.presenter.show_past(self.time, self.session)
        self.keymap.changed.emit()
        state.selection_changed.emit(state.selected)
        self.session.state_changed.emit()
        self.session.snapshot_for_text.emit(self.session.snapshot)

    def _system_theme_changed(self) -> None:
        if self._theme_choice == "system":
            self.set_theme("system")

    def _coordinates_changed(self, shown: bool) -> None:
        self.board.set_coordinates(shown)
        self.actions_by_name["coordinates"].setChecked(shown)

    # state -> views

    def _position_changed(self) -> None:
        self.banner.moved_on()
        state = self.state
        position = state.position
        assert position is not None
        if self._opened and self.page != ANALYSIS:
            self.show_page(ANALYSIS)  # a game was opened; the first one opens at the start
        if not self._opened:
            QTimer.singleShot(LATE_MS, self.docks, self.docks.let_in)
        self._opened = True
        game = position.game
        self.toolbar.game.setText(game_title(game))
        self._show_title()
        self.presenter.show_position()
        self._show_choices()
        self.session.request_nodes(self.tree.wanted())
        self._show_state()

    def _search_changed(self) -> None:
        self.banner.cured()
        self._show_choices()
        self._show_state()

    def _show_choices(self) -> None:
        state = self.state
        self.toolbar.net.setText(sources.source_title(state.source))
        self.toolbar.set_limit(state.limit)
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
        """Update all texts, four times a second."""
        self.presenter.figures(snapshot)
        self._show_state()

    def _show_state(self) -> None:
        """Show whether the search runs, and if not why."""
        session = self.session
        self.toolbar.set_running(session.searching, session.at_limit)
        self.toolbar.set_unlimited(session.limit.unlimited)
        text = state_text(session.phase, session.searching, session.present, session.limit.mode)
        self.status.set_state(text, session.searching)
        earlier = session.snapshot is not session.present  # its table is empty before the first simulation alone
        self.moves.set_note(tr("before the first simulation: the tree is empty") if earlier else text)

    # user actions in the views

    def _play_on_board(self, action: int) -> None:
        self.play_line((*self.state.selected, action))

    def _refuse(self, action: int) -> None:
        position = self.presenter.shown
        if position is None or self.counting.toggle(action):
            return
        try:
            position.play(action)
        except ValueError as error:
            self.banner.show_notice(text_of(error))

    def _show_line_of(self, action: int) -> None:
        """Show the line of the row under the pointer; it does not change while it is shown."""
        snapshot = self.session.snapshot
        if self.state.selected or snapshot is None or action < 0:
            self.board.show_line(())
            return
        self.board.show_line(next((row.pv for row in snapshot.moves if row.action == action and row.visits), ()))

    # drag and drop, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := dropped_paths(event):
            event.acceptProposedAction()
            open_paths(self, paths)

    def _logging_out(self) -> bool:
        app = QGuiApplication.instance()
        return isinstance(app, QGuiApplication) and app.isSavingSession()

    def closeEvent(self, event: QCloseEvent) -> None:
        if event.spontaneous() and not self._logging_out() and not self._may_leave():
            event.ignore()
            return
        self.closing.emit()
        self._stepping.stop()
        self.presenter.stop()
        self.time.stop()
        if self.training is not None:
            self.training.close_threads()
        self.session.close()
        self.log.close()
        super().closeEvent(event)
