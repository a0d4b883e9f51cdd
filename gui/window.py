"""The main window: makes its parts and joins them; each part listens to the model for itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from gui.context import Context, WindowEvents
from gui.guard import guard_overrides
from gui.jobs.human_net import HumanNet
from gui.jobs.opener import Opener
from gui.jobs.preview import SettingsPreview
from gui.jobs.root_truth import RootTruth
from gui.language.core_words import core_text, game_title
from gui.model.session import Session
from gui.model.state import AppState
from gui.rooms.board.board_link import connect_board
from gui.rooms.game.record_actions import connect_record_actions
from gui.rooms.timeline.playout_strip import PlayoutStrip
from gui.shell.actions import enable_analysis, make_actions
from gui.shell.banner import Banner
from gui.shell.commands import CentralView, make_commands
from gui.shell.docks import BEGIN, PAST_DOCKS, ROWS, WORKSPACES, make_room
from gui.shell.entry import WORKSPACES_MENU
from gui.shell.filing import openable
from gui.shell.status_strip import connect_status
from gui.shell.toolbar import connect_toolbar
from gui.shell.workspace_switch import connect_switch
from gui.shell.workspaces import Workspaces
from gui.widgets.dressing import hold_parts
from gui.widgets.layouts import lay_column
from gui.widgets.preferences import Preferences
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from gui.rooms.training.tab import TrainingTab


class MainWindow(QMainWindow):
    """The main window.  ``theme`` is "dark", "light" or "system"."""

    def __init__(
        self,
        state: AppState | None = None,
        session: Session | None = None,
        theme: str = "system",
        training: Callable[[AppState], TrainingTab] | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """``training`` makes the room Training when it is first shown; None: for the user's own runs."""
        super().__init__()
        guard_overrides()
        self.state = state or AppState(self)
        self.session = session or Session(self.state, self)
        self._opened = False  # whether a game has been opened since the start
        self.setWindowTitle("Plyscope")
        self.setAcceptDrops(True)
        self._make_views()
        self.context = self._make_context(preferences or Preferences())
        self.commands = make_commands(self, self.context, self.views, self.workspaces, training or _own_training, theme)
        self._connect_views()
        self._connect()
        self.room.board.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(1480, 860)

    # the parts

    def _make_views(self) -> None:
        self.views = CentralView(self)
        self.room, self.docks = self.views.room, self.views.docks
        self.docks.place(ROWS, lambda name: make_room(self.commands, name))
        self.workspaces = Workspaces(self.docks, WORKSPACES, BEGIN)
        ground = QWidget(self)
        self.banner = Banner(self.views.status, ground)
        hold_parts(self, ground)
        lay_column((self.views, 1), self.banner, of=ground, margins=0, spacing=0)
        self.setCentralWidget(ground)

    def _make_context(self, preferences: Preferences) -> Context:
        preferences.setParent(self)  # what is connected to it would keep a closed window for ever
        return Context(
            window=self,
            state=self.state,
            session=self.session,
            opener=Opener(self.state, self.session, self.banner, self),
            preferences=preferences,
            docks=self.docks,
            messages=self.banner,
            actions=make_actions(self, lambda entry: entry.run(self.commands)),
            events=WindowEvents(self),
            preview=SettingsPreview(self.session, self),
            truth=RootTruth(self.state, self.session, self),
            human=HumanNet(self.state, self),
        )

    # how they are joined

    def _connect_views(self) -> None:
        context, commands, room, time = self.context, self.commands, self.room, self.commands.time
        connect_board(context, room)
        strip = PlayoutStrip(time, room)
        strip.active.connect(lambda _: room.show_legend(room.count.isHidden()))
        room.place_playout(strip)
        connect_toolbar(context, self.views.toolbar, time)
        menu = self.findChild(QMenu, WORKSPACES_MENU)
        assert isinstance(menu, QMenu)
        connect_switch(context.actions, menu, self.workspaces, self.views.toolbar.workspaces)
        connect_status(context, self.views.status, time)
        connect_record_actions(context, room.board)
        self.views.tabs.follow(commands)
        room.board.scrolled.connect(commands.step)
        commands.table.pointed.connect(room.board.show_line)
        commands.table.menu_requested.connect(room.menu_requested)
        time.count_changed.connect(self._show_moment)
        self.docks.dock_toggled.connect(commands.mark_dock)

    def _connect(self) -> None:
        state, session, banner = self.state, self.session, self.banner
        opener, filing = self.context.opener, self.commands.filing
        opener.pasted.connect(lambda: state.document.mark_unsaved())  # noqa: PLW0108 (another one by then)
        opener.sgf_pasted.connect(filing.open_text)
        filing.listed.connect(self._list_games)
        session.failed.connect(banner.show_error)
        self.context.preview.failed.connect(banner.show_error)
        self.context.events.closing.connect(self.context.truth.stop)
        self.context.events.closing.connect(self.context.human.stop)
        session.lost.connect(banner.show_notice)
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(banner.cured)
        self.docks.board_shown.connect(self._board_shown)
        self.docks.board_shown.connect(self.context.events.board_shown)
        self.context.events.board_wanted.connect(self.commands.show_board_beside)
        self.workspaces.changed.connect(self._show_title)
        on_language(self, self._show_again)

    def _show_moment(self) -> None:
        """Show in every view which earlier simulation is displayed, or remove that in the present."""
        time = self.commands.time
        self.room.show_moment(time.words, time.place)
        for name in PAST_DOCKS:
            self.docks[name].set_moment(time.words)

    def _board_shown(self, shown: bool) -> None:
        """Disable the keys of the board while rooms cover it."""
        self.banner.cured()
        enable_analysis(self, shown)
        self.views.toolbar.set_board_shown(shown)
        training = self.commands.training
        (self.room.board if shown or training is None else training.list).setFocus()
        self._show_title()

    def _show_title(self) -> None:
        game = self.state.game
        if not self.docks.has_board:
            title = core_text(self.workspaces.shown.shown_title)
        else:
            title = "" if game is None else game_title(game)
        self.setWindowTitle(" — ".join([title, "Plyscope"] if title else ["Plyscope"]))

    def _show_again(self) -> None:
        """Update all texts made from state and snapshot after a change of language; the search continues."""
        self._show_title()
        self.state.selection_changed.emit(self.state.selected)
        self.session.state_changed.emit()
        self.session.snapshot_for_text.emit(self.session.snapshot)

    def _position_changed(self) -> None:
        self.banner.moved_on()
        if self._opened and not self.context.opener.choosing:  # the first game opens at the start
            self.workspaces.show_board()
        self._opened = True
        self._show_title()

    def _list_games(self, paths: Sequence[Path]) -> None:
        view: Any = self.commands.open_dock("folder_games")
        view.list_places(paths)

    # drag and drop, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := _dropped(event):
            event.acceptProposedAction()
            self.commands.filing.open_paths(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        app = QGuiApplication.instance()
        logging_out = isinstance(app, QGuiApplication) and app.isSavingSession()
        if event.spontaneous() and not logging_out and not self.commands.may_leave():
            event.ignore()
            return
        self.context.events.closing.emit()
        if self.commands.training is not None:
            self.commands.training.close_threads()
        self.docks.hide_windows()
        self.session.close()
        self.commands.log.close()
        super().closeEvent(event)


def _own_training(state: AppState) -> TrainingTab:
    """Return the room for the user's own runs."""
    from gui.rooms.training.known_runs import runs_home
    from gui.rooms.training.tab import TrainingTab

    return TrainingTab(state, runs_home())


def _dropped(event: QDropEvent) -> list[Path]:
    return openable([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])
