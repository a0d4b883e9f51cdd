"""The main window: makes its parts and joins them; each part listens to the model for itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from gui.context import Context, WindowEvents
from gui.guard import guard_overrides
from gui.jobs.opener import Opener
from gui.jobs.preview import SettingsPreview
from gui.jobs.root_truth import RootTruth
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.model.session import Session
from gui.model.state import AppState
from gui.rooms.board.board_link import connect_board
from gui.rooms.game.record_actions import connect_record_actions
from gui.rooms.timeline.playout_strip import PlayoutStrip
from gui.shell.banner import Banner
from gui.shell.commands import make_commands
from gui.shell.docks import FIRST, PAST_DOCKS, ROWS, make_room
from gui.shell.filing import openable
from gui.shell.layout import CentralView
from gui.shell.menus import enable_analysis, make_actions
from gui.shell.pages import Pages, own_training
from gui.shell.status_strip import connect_status
from gui.shell.toolbar import connect_toolbar
from gui.shell.tree_commands import connect_tabs
from gui.shell.two_nets import compare_nets
from gui.widgets import text_size
from gui.widgets.page_switch import ANALYSIS, TRAINING
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
        """``training`` creates the Training tab when it is first shown; None: for the user's own runs."""
        super().__init__()
        guard_overrides()
        self.state = state or AppState(self)
        self.session = session or Session(self.state, self)
        self._opened = False  # whether a game has been opened since the start
        self.setWindowTitle("Plyscope")
        self.setAcceptDrops(True)
        self._make_views(training or own_training)
        self.context = self._make_context(preferences or Preferences())
        self.commands = make_commands(self, self.context, self.views, self.pages, theme)
        self._connect_views()
        self._connect()
        self.room.board.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(1480, 860)

    # the parts

    def _make_views(self, make_training: Callable[[AppState], TrainingTab]) -> None:
        self.views = CentralView(self)
        self.room, self.docks = self.views.room, self.views.docks
        self.docks.place(ROWS, lambda name: make_room(self.commands, name), FIRST)
        self.pages = Pages(self.views, lambda: make_training(self.state), self)
        ground = QWidget(self)
        self.banner = Banner(self.views.status, ground)
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.pages, 1)
        column.addWidget(self.banner)
        self.setCentralWidget(ground)

    def _make_context(self, preferences: Preferences) -> Context:
        preferences.setParent(self)  # what is connected to it would keep a closed window for ever
        return Context(
            window=self,
            state=self.state,
            session=self.session,
            opener=Opener(self.state, self.session, self),
            preferences=preferences,
            docks=self.docks,
            messages=self.banner,
            actions=make_actions(self, lambda entry: entry.run(self.commands)),
            events=WindowEvents(self),
            preview=SettingsPreview(self.session, self),
            truth=RootTruth(self.state, self.session, self),
        )

    # how they are joined

    def _connect_views(self) -> None:
        context, commands, room, time = self.context, self.commands, self.room, self.commands.time
        connect_board(context, room)
        strip = PlayoutStrip(time, room)
        strip.active.connect(lambda _: room.show_legend(room.count.isHidden()))
        room.place_playout(strip)
        connect_toolbar(context, self.views.toolbar, time)
        connect_status(context, self.views.status, time)
        connect_record_actions(context, room.board)
        connect_tabs(self.views.tabs, commands)
        room.board.scrolled.connect(commands.step)
        commands.table.pointed.connect(room.board.show_line)
        commands.table.menu_wanted.connect(room.menu_wanted)
        time.count_changed.connect(self._show_moment)
        self.docks.dock_toggled.connect(commands.mark_dock)

    def _connect(self) -> None:
        state, session, banner = self.state, self.session, self.banner
        opener, filing = self.context.opener, self.commands.filing
        for job in (opener, filing):
            job.failed.connect(banner.show_error)
            job.notified.connect(banner.show_notice)
        opener.pasted.connect(lambda: state.document.mark_unsaved())  # noqa: PLW0108 (another one by then)
        opener.sgf_pasted.connect(filing.open_text)
        filing.listed.connect(self._list_games)
        opener.asked.connect(lambda words, ways: banner.show_offer(words, *ways[0], *ways[1:2]))
        session.failed.connect(banner.show_error)
        self.context.preview.failed.connect(banner.show_error)
        self.context.events.closing.connect(self.context.truth.stop)
        session.lost.connect(banner.show_notice)
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(banner.cured)
        self.pages.made.connect(self._connect_training)
        self.pages.page_changed.connect(self._page_changed)
        self.pages.page_changed.connect(self.context.events.page_changed)
        on_language(self, self._show_again)

    def _connect_training(self, tab: TrainingTab) -> None:
        from gui.rooms.training.tab import connect_training

        connect_training(self.context, self.pages.turn_to, partial(compare_nets, self.context), tab)
        text_size.fit(tab)

    def _show_moment(self) -> None:
        """Show in every view which earlier simulation is displayed, or remove that in the present."""
        time = self.commands.time
        self.room.show_moment(time.words, time.place)
        for name in PAST_DOCKS:
            self.docks[name].set_moment(time.words)

    def _page_changed(self, name: str) -> None:
        """Disable the keys of the analysis while its page is hidden."""
        self.banner.cured()
        enable_analysis(self, name == ANALYSIS)
        self._show_title()
        training = self.pages.training
        (self.room.board if training is None or name == ANALYSIS else training.list).setFocus()

    def _show_title(self) -> None:
        game = self.state.game
        titles = [game_title(game)] if game is not None and self.pages.page == ANALYSIS else []
        training = [tr("Training")] if self.pages.page == TRAINING else []
        self.setWindowTitle(" — ".join([*titles, *training, "Plyscope"]))

    def _show_again(self) -> None:
        """Update all texts made from state and snapshot after a change of language; the search continues."""
        self._show_title()
        self.state.selection_changed.emit(self.state.selected)
        self.session.state_changed.emit()
        self.session.snapshot_for_text.emit(self.session.snapshot)

    def _position_changed(self) -> None:
        self.banner.moved_on()
        if self._opened and self.pages.page != ANALYSIS:
            self.pages.turn_to(ANALYSIS)  # a game was opened; the first one opens at the start
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
        if event.spontaneous() and not logging_out and not self.pages.may_leave():
            event.ignore()
            return
        self.context.events.closing.emit()
        if self.pages.training is not None:
            self.pages.training.close_threads()
        self.docks.hide_windows()
        self.session.close()
        self.commands.log.close()
        super().closeEvent(event)


def _dropped(event: QDropEvent) -> list[Path]:
    return openable([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])
