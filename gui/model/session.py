"""Between the window's state and the analysis thread: starts, stops, asks for nodes, reads snapshots on two clocks.

Pictures are renewed at up to 30 Hz, texts at 4 Hz; what ends a search is told at once.  Knows no view.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.text import Text
from gui.language.core_words import core_text, lock_words
from gui.language.language import tr
from gui.model.garbage import freeze_loaded
from gui.model.sources import source_title
from gui.model.state import AppState, PathOf

if TYPE_CHECKING:
    from types import EllipsisType

    from core.engine import Analysis, EvaluatorSource
    from core.engine.look_back import Past
    from core.games import Position
    from core.glass import Snapshot
    from core.search import Limit, SearchSettings

PICTURE_MS = 33
TEXT_MS = 250
SOON_MS = 10  # a search that goes on in its tree has figures this soon
BLANK_MS = 120
NOT_LOADING = ("", "searching")  # phases in which nothing is loaded or compiled
BOUNDED, UNBOUNDED, IDLE = "bounded", "unbounded", "idle"
log = logging.getLogger(__name__)


class Session(QObject):
    """Keeps the analysis on the position shown.  Snapshots of other requests are never passed on."""

    pictured = Signal(object)  # Snapshot | None, up to 30 times a second
    figured = Signal(object)  # Snapshot | None, 4 times a second and at every turn of events
    state_changed = Signal()  # phase or searching
    failed = Signal(str)  # one sentence, once per request
    closed = Signal()

    def __init__(self, state: AppState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.automatic = True  # a new position is analysed by itself
        self.mode = BOUNDED  # UNBOUNDED while Space has been pressed: browsing goes on so
        self.loading = tr("loading the engine…")  # phase before there is an analysis
        self._analysis: Analysis | None = None
        self._request = 0
        self._told_error: str | None = None
        self._snapshot: Snapshot | None = None
        self._earlier: Snapshot | None = None  # shown instead of it while one looks back
        self._seen = (self.loading, False)
        self._wanted: dict[str, tuple[Position | None, tuple[PathOf, ...]]] = {}  # below which position
        self._asked: tuple[PathOf, ...] | None = None
        self._drawn = 0  # nodes in the picture of the tree
        self._traced = False  # curves are wanted
        self._locked: tuple[Position, PathOf] | None = None  # what stays analysed, and which of its moves
        # Source and settings in the place of the state's.
        self._given: tuple[EvaluatorSource | None, SearchSettings | None] | None = None
        self._pictures = QTimer(self)
        self._pictures.setInterval(PICTURE_MS)
        self._pictures.timeout.connect(self._poll)
        self._texts = QTimer(self)
        self._texts.setInterval(TEXT_MS)
        self._texts.timeout.connect(self._tell_text)
        self._text_of: Snapshot | None = None
        self._blank = self._single_shot(BLANK_MS, self._show_blank)
        self._soon = self._single_shot(SOON_MS, self._poll)
        self._random = random.Random()
        state.game_changed.connect(self._game_changed)
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(self._search_changed)
        state.selection_changed.connect(lambda path: self._ask())

    def _single_shot(self, delay_ms: int, run: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(delay_ms)
        timer.timeout.connect(run)
        return timer

    def attach(self, analysis: Analysis) -> None:
        """Take over an analysis (``core.engine.Analysis`` or one that behaves so); it is closed with the session."""
        self._analysis = analysis
        self._analysis.draw(self._drawn)
        self._analysis.trace(self._traced)
        self.loading = ""
        self._pictures.start()
        self._texts.start()
        self.state_changed.emit()

    def close(self, timeout_s: float = 0.4) -> None:
        """End the analysis thread; safe to call twice.  While it compiles it is left to end with the process."""
        for timer in (self._pictures, self._texts, self._blank, self._soon):
            timer.stop()
        if self._analysis is not None:
            self._analysis.close(timeout_s)
            self._analysis = None
        self.closed.emit()

    # what is known

    @property
    def analysis(self) -> Analysis | None:
        """The analysis in use; None until the engine is loaded."""
        return self._analysis

    @property
    def snapshot(self) -> Snapshot | None:
        """What the views show: the newest snapshot of the position, or the earlier moment looked back at."""
        return self._of_shown(self._earlier or self._snapshot)

    @property
    def present(self) -> Snapshot | None:
        """The newest snapshot of the position shown, whatever is looked back at."""
        return self._of_shown(self._snapshot)

    def _of_shown(self, snapshot: Snapshot | None) -> Snapshot | None:
        """A snapshot, unless another position is shown by now: its paths and moves are not those of that one."""
        return snapshot if snapshot is not None and snapshot.position == self.state.position else None

    @property
    def searching(self) -> bool:
        return self._analysis is not None and bool(self._analysis.searching)

    @property
    def phase(self) -> str:
        """What is being done, in words; "" when nothing."""
        if self._analysis is None:
            return self.loading
        if self._locked is not None and self.away:
            return lock_words(self._locked[0], self.searching)
        phase = self._analysis.phase
        if self.source is not None and isinstance(phase, Text) and phase.values.get("label") == self.source.label:
            return phase.having(label=source_title(self.source))
        return phase

    def move_to_play(self) -> int:
        """The engine's move: the best one, or one drawn at the settings' temperature; -1 for none."""
        snapshot, settings = self.present, self.settings
        if snapshot is None:
            return -1
        root = snapshot.root
        if settings is None or settings.temperature == 0 or snapshot.best < 0:
            return snapshot.best
        chances = root.visit_policy(settings.temperature).tolist()
        return int(self._random.choices(root.actions.tolist(), chances)[0])

    @property
    def source(self) -> EvaluatorSource | None:
        """What values the leaves: the state's own choice, or what ``search_to`` was given."""
        return self._given[0] if self._given is not None else self.state.source

    @property
    def settings(self) -> SearchSettings | None:
        """What is searched with: the state's own choice, or what ``search_to`` was given."""
        return self._given[1] if self._given is not None else self.state.settings

    @property
    def locked(self) -> Position | None:
        """The position that stays analysed whatever is shown; None: the search follows the board."""
        return self._locked[0] if self._locked is not None else None

    @property
    def only(self) -> PathOf:
        """The moves searched of the position that is analysed, shown or locked; () for all."""
        return self._locked[1] if self._locked is not None else self.state.only

    @property
    def away(self) -> bool:
        """Whether another position is shown than the locked one, whose figures are then not told."""
        return self._locked is not None and self.state.position != self._locked[0]

    # what is wished

    def toggle_lock(self) -> None:
        """Keep analysing the position shown while others are looked at; or let the search follow the board again."""
        if self._locked is not None:
            away, self._locked = self.away, None
            if away:
                self._position_changed()
        elif self.state.position is not None:
            self._locked = (self.state.position, self.state.only)
        self.state_changed.emit()

    def toggle(self) -> None:
        """Space: stop what runs, or go on without bound."""
        self.stop() if self.searching else self.go_on()

    def go_on(self) -> None:
        """Search on from where the tree stands, without bound."""
        if self._analysis is None or self.state.position is None:
            return
        self.mode = UNBOUNDED
        if self._request:
            from core.search import Limit

            self._told_error = None
            self._analysis.resume(Limit())
            self._poll()
        else:
            self._start()

    def stop(self) -> None:
        """Stop searching; the figures stay."""
        self.mode = IDLE
        if self._analysis is not None:
            self._analysis.stop()
            self._poll()

    def search_to(
        self, limit: Limit, source: EvaluatorSource | EllipsisType | None = ..., settings: SearchSettings | None = None
    ) -> None:
        """Search the position shown to a limit of its own, whatever was going on; a lock on another is taken off.

        A source and settings given take the place of the state's, which stay as they are, until ``search_own``, a
        change of the state's, or another game."""
        if self.away:
            self._locked = None
        before, own = self._given, (self.state.source, self.state.settings)
        given = (own[0] if source is ... else source, settings or own[1])
        self._given = given if given != own else None
        self.mode = BOUNDED
        self._clear()
        self._start(limit)
        if self._given != before:
            self.state_changed.emit()

    def search_own(self) -> None:
        """Search with the state's own source and settings again, if ``search_to`` was given others."""
        if self._given is not None:
            self._search_changed()

    def want(self, paths: tuple[PathOf, ...], asker: str = "") -> None:
        """The nodes below the position whose children are to be shown, besides those that other askers want."""
        self._wanted[asker] = self.state.position, tuple(paths)
        self._ask()

    def look_back(self, simulation: int | None) -> None:
        """Ask for the search as it was after so many simulations, to be had from ``past``; None: the present again."""
        if self._analysis is not None:
            self._analysis.look_back(simulation)
        if simulation is None and self._earlier is not None:
            self.show_earlier(None)

    def past(self) -> Past | None:
        """The earlier moment asked for, once it has come."""
        past: Past | None = self._analysis.past() if self._analysis is not None and self._request else None
        return past if past is not None and past.request == self._request else None

    def show_earlier(self, snapshot: Snapshot | None, with_text: bool = True) -> None:
        """Show an earlier moment in all views, or (None) the present again; the search goes on meanwhile."""
        self._earlier = snapshot
        if self.snapshot is not None:
            self.pictured.emit(self.snapshot)
        if with_text:
            self._tell_text()

    def draw(self, nodes: int) -> None:
        """How many nodes the snapshots' picture of the tree shall have; 0: none is wanted."""
        self._drawn = nodes
        if self._analysis is not None:
            self._analysis.draw(nodes)
            self._soon.start()

    def trace(self, wanted: bool) -> None:
        """Whether the snapshots shall carry the curves of the charts."""
        self._traced = wanted
        if self._analysis is not None:
            self._analysis.trace(wanted)
            self._soon.start()

    # the work

    def _game_changed(self) -> None:
        """There is no way back to the locked position, and the source given was for the game before."""
        self._locked = self._given = None

    def _look_from_lock(self, only: PathOf) -> None:
        """Another position is shown, or the locked one again: its search goes on and is told only there."""
        self._clear()
        if self.away:
            self._show_blank()
        else:
            self.state.only, self._asked = only, None
            self._ask()
            self._poll()
        self.state_changed.emit()

    def _position_changed(self) -> None:
        if self._locked is not None:
            self._look_from_lock(self._locked[1])
            return
        self._request = 0
        if self.mode == IDLE:
            self.mode = BOUNDED
        self._clear()
        if self.automatic or self.mode == UNBOUNDED:
            self._start()
        elif self._analysis is not None:
            self._analysis.stop()

    def _search_changed(self) -> None:
        self._given = None
        if self._analysis is None or self.state.position is None:
            return
        if self._locked is not None and not self.away:
            self._locked = (self._locked[0], self.state.only)
        self._clear()
        self._request = 0
        if self.automatic or self.searching:
            if self.mode == IDLE:
                self.mode = BOUNDED
            self._start()

    def _clear(self) -> None:
        """Forget the figures; what is on screen goes when no others come at once, so that browsing does not flicker."""
        self._snapshot = self._earlier = self._text_of = None
        self._blank.start()

    def _show_blank(self) -> None:
        if self._snapshot is None:
            self.figured.emit(None)

    def _start(self, limit: Limit | None = None) -> None:
        position, only = self._locked or (self.state.position, self.state.only)
        if self._analysis is None or position is None or self.settings is None:
            return
        from core.search import Limit

        if limit is None:
            limit = Limit() if self.mode == UNBOUNDED else Limit(simulations=self.state.limit)
        self._told_error = None
        self._request = self._analysis.start(position, self.source, self.settings, limit, only=only)
        self._asked = None
        self._ask()
        self._poll()
        self._soon.start()

    def _ask(self) -> None:
        """Ask for the opened nodes, the selected one and the one above it, whose row it is."""
        if self._analysis is None or not self._request or self.away:
            return
        position, selected = self.state.position, self.state.selected
        wanted = chain(*(paths for of, paths in self._wanted.values() if of == position))
        asked = tuple(sorted({*wanted, selected, selected[:-1]} - {()}))
        if asked != self._asked:
            self._asked = asked
            self._analysis.open(asked)

    def _poll(self) -> None:
        analysis = self._analysis
        if analysis is None:
            return
        snapshot = analysis.latest()
        fresh = snapshot is not None and snapshot.request == self._request and snapshot is not self._snapshot
        if snapshot is not None and fresh and self._of_shown(snapshot) is not None:
            before, self._snapshot = self._snapshot, snapshot
            if self._earlier is None:
                self.pictured.emit(snapshot)
            if snapshot.reason and (before is None or not before.reason):
                counters = snapshot.counters
                log.info(
                    "%s after %d simulations in %.2f s, %d nodes, by %s",
                    snapshot.reason,
                    counters.simulations,
                    counters.elapsed_s,
                    counters.nodes,
                    snapshot.evaluator,
                )
            if before is None or snapshot.reason or before.opened.keys() != snapshot.opened.keys():
                self._tell_text()
        seen = (self.phase, self.searching)
        if seen != self._seen:
            said, says = (phase.partition(":")[0] for phase in (self._seen[0], seen[0]))  # without how far it is
            if says and says != said:
                log.info("%s", says)
            if said not in NOT_LOADING and says in NOT_LOADING:
                freeze_loaded()
            self._seen = seen
            self.state_changed.emit()
            self._tell_text()
        error = analysis.error
        if error is not None and error != self._told_error:
            log.warning("analysis: %s", error)
            self.failed.emit(core_text(error))
        self._told_error = error

    def _tell_text(self) -> None:
        if self.snapshot is not self._text_of:
            self._text_of = self.snapshot
            self.figured.emit(self.snapshot)
