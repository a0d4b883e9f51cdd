"""A second search of the same position, with its own settings, net, limit and thread, next to the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.jobs.opener import Opener
from gui.language.core_words import game_title
from gui.language.language import tr
from gui.model.session import Session
from gui.model.shown import Shown
from gui.model.sources import NetSource
from gui.model.state import AppState

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.files.tree_file import SavedSearch
    from core.games import GameSpec, Position
    from gui.context import Context
    from gui.model.state import PathOf


class SecondState(AppState):
    """The state of the second search: its settings and position; it has no record."""

    @property
    def line(self) -> PathOf:
        """The moves to the position."""
        return self.position.moves if self.position is not None else ()

    def set_position(self, position: Position, only: PathOf) -> None:
        """Set the position, of the same game or another, and the moves searched there; () for all."""
        changed = self.game is None or self.game != position.game
        self.document.shown, self.document.only = Shown.at(position), only
        if changed:
            self.game_changed.emit()
        self._moved()

    def _take_source(self, source: EvaluatorSource | None) -> None:
        """Set the source; the selection rule changes only with the kind of source."""
        kept, same_kind = self.settings, (source is None) == (self.source is None)
        super()._take_source(source)
        if same_kind:
            self.document.settings = kept


class SecondOpener(Opener):
    """Opens nets for the second search, only for the game of the first."""

    def _take_net(self, net: tuple[NetSource, GameSpec | None]) -> None:
        source, game = net
        if game is not None and game != self._state.game:
            current = self._state.game
            self._messages.show_error(
                lambda: tr("{title} is a net for {title_2}; the second search is of {current}.").format(
                    title=source.title,
                    title_2=game_title(game),
                    current=game_title(current) if current else tr("no game"),
                )
            )
            return
        super()._take_net(net)


class SecondSearch(QObject):
    """The second search: from the moment it is run or made to differ from the first it searches every position of that,
    until paused or the window closes."""

    changed = Signal()  # settings, source, limit or activity
    refused = Signal(object)  # from the analysis thread: why a saved tree does not take part

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._first = context.state
        self._first_session = context.session
        self.state = SecondState(self)
        self.session = Session(self.state, self)
        self.session.loading = ""
        self.session.automatic = False
        self.opener = SecondOpener(self.state, self.session, context.messages, context.window)
        self._attached = False
        self.watched = True
        first, session = self._first, self._first_session
        first.position_changed.connect(self.follow)
        first.search_changed.connect(self._share_moves)
        first.search_changed.connect(self._begin_if_different)
        session.state_changed.connect(self._follow_lock)
        session.closed.connect(self.session.close)
        self.state.search_changed.connect(self.changed)
        self.state.search_changed.connect(self._begin_if_different)
        self.session.state_changed.connect(self.changed)
        self.follow()

    @property
    def running(self) -> bool:
        """Whether it searches every new position of the first search."""
        return self.session.automatic

    @property
    def ready(self) -> bool:
        """Whether there is a position and an engine to search it with."""
        return self.state.settings is not None

    @property
    def differs(self) -> bool:
        """Whether its settings, net or limit are not those of the first search."""
        first, mine = self._first.document, self.state.document
        return (mine.source, mine.settings, mine.limit) != (first.source, first.settings, first.limit)

    def _begin_if_different(self) -> None:
        if self.ready and self.differs and self.watched and not self.running:
            self._attach()
            self.session.automatic = True
            self.state.search_changed.emit()

    def _position_to_search(self) -> Position | None:
        """Return the position that the first search analyses: the one shown or the locked one."""
        return self._first_session.locked or self._first.position

    def follow(self) -> None:
        """Set the position of the first search; another game brings its net, the settings stay."""
        position = self._position_to_search()
        if not self.watched or position is None or self._first.settings is None:
            return
        mine = self.state.position
        if mine is not None and mine == position and mine.moves == position.moves:
            self._share_moves()
            return
        if self.state.settings is None:
            self._take_over()
        elif self.state.game != position.game:
            self.state._take_source(self._first.source)
        self.state.set_position(position, self._first_session.only)

    def _take_over(self) -> None:
        first, mine = self._first, self.state.document
        mine.source, mine.settings, mine.limit = first.source, first.settings, first.limit

    def take_over(self) -> None:
        """Copy settings, net and limit from the first search."""
        self._take_over()
        self.state.search_changed.emit()

    def _follow_lock(self) -> None:
        if self.state.position is not None and self._position_to_search() != self.state.position:
            self.follow()

    def _share_moves(self) -> None:
        """Restrict the search to the first one's moves, so that both are comparable."""
        if self.state.position == self._position_to_search():
            self.state.restrict(self._first_session.only)

    def run(self) -> None:
        """Search this and every following position up to the limit.

        A stopped search continues; one that has reached its limit continues without limit.
        """
        if not self.ready:
            return
        self._attach()
        snapshot = self.session.snapshot
        if snapshot is not None:
            self.session.automatic = True
            self.session.continue_search()
            return
        self.session.automatic = True
        self.state.search_changed.emit()

    def _attach(self) -> None:
        if not self._attached:
            from gui.jobs.kept_trees import KeepingAnalysis

            self._attached = True
            self.session.attach(KeepingAnalysis())

    def adopt(self, search: SavedSearch, source: EvaluatorSource | None) -> None:
        """Show a saved search of the present position, with its settings and source; it has no more simulations to do.

        ``refused`` says why when it does not fit.
        """
        from core.search.tree import backups
        from gui.jobs.kept_trees import KeepingAnalysis

        self._attach()
        analysis, state = self.session.analysis, self.state
        assert isinstance(analysis, KeepingAnalysis)
        document = state.document
        document.source, document.settings = source, search.settings
        document.limit = max(1, int(backups(search.state.tree, int(search.state.tree.slot[search.state.root]))))
        analysis.offer(search, None if source is None else source.label, self.refused.emit)
        self.session.automatic = True
        state.search_changed.emit()

    def search_with(self, source: EvaluatorSource | None) -> None:
        """Search with another source, and all else as in the first search."""
        self._attach()
        self._take_over()
        self.state._take_source(source)
        self.session.automatic = True
        self.state.search_changed.emit()

    def toggle(self) -> None:
        """Stop, and the figures stay; or search."""
        self.session.stop() if self.session.searching else self.run()

    def watch(self, watched: bool) -> None:
        """Pause while the dock is hidden; when it is shown again, a search that differs from the first begins again."""
        self.watched = watched
        if watched:
            self.follow()
            self._begin_if_different()
            return
        self.session.automatic = False
        self.session.stop()
