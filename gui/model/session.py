"""Connects the state to the analysis thread: starts and stops searches, requests nodes, polls snapshots on two clocks.

What has no number is updated at up to 30 Hz; all numbers come from one snapshot, which changes at 4 Hz and at the end
of a search.
"""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from core.text import Text, Words
from gui.language.core_words import lock_words
from gui.model.document import BOUNDED, IDLE, UNBOUNDED, Lock
from gui.model.extras import Extras
from gui.model.garbage import freeze_loaded
from gui.model.search_limit import SearchLimit
from gui.model.sources import source_title
from gui.model.state import AppState, PathOf
from gui.model.timers import make_timer

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import EllipsisType

    from core.engine import Analyst, EvaluatorSource
    from core.engine.look_back import Past
    from core.games import Position
    from core.glass import Snapshot
    from core.search import Limit, SearchSettings

PICTURE_MS = 33
TEXT_MS = 250
SOON_MS = 10  # delay until a search that continues in its tree, or has to show another node, has new results
BLANK_MS = 120
CONCEALED: Final[Words] = "the analysis is hidden while you play"  # a phase
NOT_LOADING: Final = ("", "searching", CONCEALED)  # phases in which nothing is being loaded or compiled
log = logging.getLogger(__name__)


class Session(QObject):
    """Keeps the analysis on the position shown.  Snapshots of other requests are never passed on."""

    snapshot_for_frame = Signal(object)  # Snapshot | None, up to 30 times a second, for colours; may lack pictures
    snapshot_for_text = Signal(object)  # ``snapshot``, 4 times a second and at every change of phase
    state_changed = Signal()  # the phase changed, or whether a search is running
    failed = Signal(object)  # one English sentence, once per request
    lost = Signal(object)  # a sentence: which tree could not be kept
    concealed_changed = Signal()
    closed = Signal()

    def __init__(self, state: AppState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.automatic = True  # analyse each new position automatically
        self.is_reserved: Callable[[], bool] = lambda: False  # whether ``search_to`` follows for the new position
        self.limit = SearchLimit(state, self._search_changed, self.state_changed.emit)
        self.loading: Words = "loading the engine…"  # phase shown before there is an analysis
        self._analysis: Analyst | None = None
        self._request = 0
        self._reported_error: str | None = None
        self._reported_loss: Text | None = None
        self._snapshot: Snapshot | None = None
        self.concealed = False  # whether the search is hidden from all views, while a person plays against an engine
        self._whole: Snapshot | None = None  # the newest one at the last update of the texts
        self._earlier: Snapshot | None = None  # shown instead of that when looking back
        self._reported = (self.loading, False)
        self._instead: tuple[EvaluatorSource | None, SearchSettings | None] | None = None  # instead of the state's
        self._pictures = make_timer(self, PICTURE_MS, self._poll)
        self._texts = make_timer(self, TEXT_MS, self._poll_text)
        self._text_of: Snapshot | None = None
        self.texts_follow = False  # during ``snapshot_for_frame``: whether ``snapshot_for_text`` comes right after it
        self._blank = make_timer(self, BLANK_MS, self._show_blank, once=True)
        self._soon = make_timer(self, SOON_MS, self._poll, once=True)
        self.extras = Extras(self._soon.start, lambda: self.present)
        self._random = random.Random()
        state.leaving.connect(lambda _: self._leave())
        state.position_changed.connect(self._position_changed)
        state.search_changed.connect(self._search_changed)
        state.selection_changed.connect(lambda path: self._request_nodes())

    def attach(self, analysis: Analyst) -> Analyst | None:
        """Use an analysis, which is closed with the session; returns the one used before, which is paused."""
        before, self._analysis = self._analysis, analysis
        self.extras.attach(analysis)
        self.loading = ""
        self._pictures.start()
        self._texts.start()
        if before is not None:
            before.stop()
            self._reported_error, self._reported_loss = None, analysis.notice
            self._search_changed()
        self.state_changed.emit()
        return before

    def close(self, timeout_s: float = 0.4) -> None:
        """End the analysis thread; can be called twice.  A thread that is compiling is left to end with the process."""
        for timer in (self._pictures, self._texts, self._blank, self._soon):
            timer.stop()
        if self._analysis is not None:
            self.extras.attach(None)
            self._analysis.close(timeout_s)
            self._analysis = None
        self.closed.emit()

    # results

    @property
    def analysis(self) -> Analyst | None:
        """The analysis in use; None until the engine is loaded."""
        return self._analysis

    @property
    def elsewhere(self) -> bool:
        """Whether the tree is on another machine, so that only its snapshots are here."""
        return bool(getattr(self._analysis, "elsewhere", False))

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot whose numbers all views show: the present one, or the earlier moment being looked at."""
        return self._visible(self._earlier or self._whole)

    @property
    def present(self) -> Snapshot | None:
        """The snapshot of the present whose numbers are shown, even while looking back; None while concealed."""
        return self._visible(self._whole)

    @property
    def newest(self) -> Snapshot | None:
        """The newest snapshot of the position shown, for those who play by it: also while it is concealed.

        The numbers shown are those of ``present``, which may be a quarter of a second older."""
        return self._of_shown(self._snapshot)

    def conceal(self, concealed: bool) -> None:
        """Hide the search from all views, or show it again; it goes on."""
        if concealed != self.concealed:
            self.concealed = concealed
            self.concealed_changed.emit()
            self._poll()
            self.snapshot_for_frame.emit(self.snapshot)
            self.snapshot_for_text.emit(self.snapshot)

    def _visible(self, snapshot: Snapshot | None) -> Snapshot | None:
        """Return what the views may see of a snapshot: None while the search is concealed."""
        return None if self.concealed else self._of_shown(snapshot)

    def _of_shown(self, snapshot: Snapshot | None) -> Snapshot | None:
        """Return the snapshot, or None if another position is shown by now: its paths and moves would not match."""
        return snapshot if snapshot is not None and snapshot.position == self.state.position else None

    @property
    def searching(self) -> bool:
        return self._analysis is not None and bool(self._analysis.searching)

    @property
    def phase(self) -> str:
        """The current activity, as text; "" for none."""
        if self._analysis is None:
            return self.loading
        if self._lock is not None and self.away:
            return lock_words(self._lock.position, self.searching)
        phase = self._analysis.phase
        if self.concealed and phase in NOT_LOADING:
            return CONCEALED
        if self.source is not None and isinstance(phase, Text) and phase.values.get("label") == self.source.label:
            return phase.having(label=source_title(self.source))
        return phase

    def move_to_play(self) -> int:
        """Return the engine's move: the best one, or one drawn at the settings' temperature; -1 for none."""
        snapshot, temperature = self.newest, 0.0 if self.settings is None else self.settings.temperature
        if snapshot is None or temperature == 0 or snapshot.best < 0:
            return -1 if snapshot is None else snapshot.best
        chances = snapshot.root.visit_policy(temperature).tolist()
        return int(self._random.choices(snapshot.root.actions.tolist(), chances)[0])

    @property
    def seed(self) -> int:
        """The seed of searches from now on; another one makes a new tree."""
        return self.state.document.seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self.state.document.seed = seed

    @property
    def source(self) -> EvaluatorSource | None:
        """The source that evaluates leaves: the state's, or the one passed to ``search_to``."""
        return self._instead[0] if self._instead is not None else self.state.source

    @property
    def settings(self) -> SearchSettings | None:
        """The search settings: the state's, or those passed to ``search_to``."""
        return self._instead[1] if self._instead is not None else self.state.settings

    @property
    def _lock(self) -> Lock | None:
        return self.state.document.lock

    @_lock.setter
    def _lock(self, lock: Lock | None) -> None:
        self.state.document.lock = lock

    @property
    def locked(self) -> Position | None:
        """The position analysed while others are shown; None: the search follows the board."""
        return self._lock.position if self._lock is not None else None

    @property
    def only(self) -> PathOf:
        """The moves searched at the analysed position, shown or locked; () for all."""
        return self._lock.only if self._lock is not None else self.state.only

    @property
    def away(self) -> bool:
        """Whether another position than the locked one is shown; the search's results are then not passed on."""
        return self._lock is not None and self.state.position != self._lock.position

    @property
    def requested(self) -> bool:
        """Whether the position analysed is searched, or was."""
        return bool(self._request)

    # requests

    def toggle_lock(self) -> None:
        """Lock the analysis to the position shown, or unlock it so that it follows the board again."""
        if self._lock is not None:
            away, self._lock = self.away, None
            if away:
                self._position_changed()
        elif self.state.position is not None:
            self._lock = Lock(self.state.position, self.state.only, self.state.node)
        self.state_changed.emit()

    def toggle(self) -> None:
        """Stop a running search, or search on: to the limit, or without one where it is reached or none is chosen."""
        if self.searching:
            self.stop()
        elif self.limit.unlimited or self.at_limit:
            self.continue_search()
        else:
            self._continue(BOUNDED)

    @property
    def at_limit(self) -> bool:
        """Whether the tree has as many simulations as the limit."""
        latest = self._analysis.latest() if self._analysis is not None and self._request else None
        searched = latest.simulations if latest is not None and latest.request == self._request else 0
        return searched >= self.state.limit

    def continue_search(self) -> None:
        """Continue the search of the current tree without a limit."""
        self._continue(UNBOUNDED)

    def _continue(self, mode: str) -> None:
        if self._analysis is None or self.state.position is None:
            return
        self.limit.mode = mode
        self.state_changed.emit()
        if self._request:
            self._reported_error = None
            self._analysis.resume(self.limit.next)
            self._poll()
        else:
            self._start()

    def stop(self) -> None:
        """Stop searching; the results are kept."""
        self.limit.mode = IDLE
        if self._analysis is not None:
            self._analysis.stop()
            self._poll()

    def search_to(
        self, limit: Limit, source: EvaluatorSource | EllipsisType | None = ..., settings: SearchSettings | None = None
    ) -> None:
        """Search the position shown to its own limit; ends the current search and a lock on another position.

        A given source and settings replace the state's until ``search_own``, a change of the state's, or another
        position.
        """
        if self.away:
            self._lock = None
        before, usual = self._instead, (self.state.source, self.state.settings)
        instead = (usual[0] if source is ... else source, settings or usual[1])
        self._instead = instead if instead != usual else None
        self.limit.mode = BOUNDED
        self._clear()
        self._start(limit)
        if self._instead != before:
            self.state_changed.emit()

    def search_own(self) -> None:
        """Search with the state's own source and settings again, if ``search_to`` replaced them."""
        if self._instead is not None:
            self._search_changed()

    def request_nodes(self, paths: tuple[PathOf, ...], requester: str = "") -> None:
        """Set the nodes below the position whose children ``requester`` shows; those of other requesters stay."""
        self.extras.want_nodes(self.state.position, paths, requester)
        self._request_nodes()

    def look_back(self, simulation: int | None, before: bool = False) -> None:
        """Request the search as it was after simulation ``simulation``, for ``past``; None: return to the present.

        ``before``: also as it was before that simulation."""
        if self._analysis is not None:
            self._analysis.look_back(simulation, before)
        if simulation is None and self._earlier is not None:
            self.show_earlier(None)

    def past(self) -> Past | None:
        """Return the earlier moment requested, once it is available."""
        possible = self._analysis is not None and self._request and not self.concealed
        past: Past | None = self._analysis.past() if self._analysis is not None and possible else None
        return past if past is not None and past.request == self._request else None

    def show_earlier(self, snapshot: Snapshot | None) -> None:
        """Show an earlier moment in all views, or (None) the present again; the search continues meanwhile."""
        self._earlier = snapshot
        if self.snapshot is not None:
            self.snapshot_for_frame.emit(self.snapshot)
        self._poll_text()

    # implementation

    def _leave(self) -> None:
        """Note in the document shown how its search goes on when it is shown again."""
        self.state.document.mode = self.limit.mode if self.searching else IDLE

    def _look_from_lock(self, only: PathOf) -> None:
        """Handle a change of position while locked: results are shown only at the locked position."""
        self._clear()
        if self.away:
            self._show_blank()
        else:
            self.state.document.only = only
            self.extras.forget_nodes()
            self._request_nodes()
            self._poll()
        self.state_changed.emit()

    def _position_changed(self) -> None:
        document = self.state.document
        mode, document.mode = document.mode, ""
        if self.is_reserved():
            return
        if mode:
            self._resume(mode)
            return
        if self._lock is not None:
            self._look_from_lock(self._lock.only)
            return
        self._instead, self._request = None, 0
        self.limit.wake()
        self._clear()
        if self.automatic or self.limit.mode == UNBOUNDED:
            self._start()
        elif self._analysis is not None:
            self._analysis.stop()

    def _resume(self, mode: str) -> None:
        """Show the search of a document that was left, and continue it if it was running then."""
        self._instead, self._request = None, 0
        self._clear()
        limit = self.limit.resume(mode, self.automatic)
        if limit is not None:
            self._start(limit)
        elif self._analysis is not None:
            self._analysis.stop()
        if self.away:
            self._show_blank()
        self.state_changed.emit()

    def _search_changed(self) -> None:
        self._instead = None
        if self._analysis is None or self.state.position is None:
            return
        if self._lock is not None and not self.away:
            self._lock = self._lock._replace(only=self.state.only)
        self._clear()
        self._request = 0
        if self.automatic or self.searching:
            self.limit.wake()
            self._start()

    def _clear(self) -> None:
        """Drop the results; the screen is cleared only if no new ones come soon, so that browsing does not flicker."""
        self._snapshot = self._whole = self._earlier = self._text_of = None
        self._blank.start()

    def _show_blank(self) -> None:
        if self._snapshot is None:
            self.snapshot_for_text.emit(None)

    def _start(self, limit: Limit | None = None) -> None:
        position, only = self.locked or self.state.position, self.only
        if self._analysis is None or position is None or self.settings is None:
            return
        self._reported_error = None
        self._request = self._analysis.start(
            position, self.source, self.settings, limit or self.limit.next, seed=self.seed, only=only
        )
        self.extras.forget_nodes()
        self._request_nodes()
        self._poll()
        self._soon.start()

    def _request_nodes(self) -> None:
        if self._request and not self.away:
            self.extras.request_nodes(self.state.position, self.state.selected)

    def _poll(self) -> None:
        analysis = self._analysis
        if analysis is None:
            return
        snapshot = analysis.latest()
        fresh = snapshot is not None and snapshot.request == self._request and snapshot is not self._snapshot
        if snapshot is not None and fresh and self._of_shown(snapshot) is not None:
            before, self._snapshot = self._snapshot, snapshot
            shown, whole = self._whole, snapshot.whole or snapshot
            renewed = snapshot.whole is not None and whole is not shown  # the analysis makes them at the texts' rate
            due = renewed or shown is None or bool(whole.reason) or shown.opened.keys() != whole.opened.keys()
            if self._earlier is None and not self.concealed:
                self.texts_follow = due and whole is not self._text_of
                self.snapshot_for_frame.emit(snapshot)
                self.texts_follow = False
            _log_end(before, snapshot)
            if due:
                self._poll_text()
        reported = (self.phase, self.searching)
        if reported != self._reported:
            _log_phase(self._reported[0], reported[0])
            self._reported = reported
            self.state_changed.emit()
            self._poll_text()
        error = analysis.error
        if error is not None and error != self._reported_error:
            log.warning("analysis: %s", error)
            self.failed.emit(error)
        self._reported_error = error
        loss, self._reported_loss = self._reported_loss, analysis.notice
        if self._reported_loss not in (None, loss):
            self.lost.emit(self._reported_loss)

    def _poll_text(self) -> None:
        self.extras.trace()
        newest = self._of_shown(self._snapshot)
        if newest is not None:
            self._whole = newest.whole or newest
        shown = self._of_shown(self._earlier or self._whole)
        if shown is not self._text_of:
            self._text_of = shown
            self.snapshot_for_text.emit(self.snapshot)


def _log_end(before: Snapshot | None, snapshot: Snapshot) -> None:
    """Log that a search has ended, if the snapshot before did not say so."""
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


def _log_phase(before: str, phase: str) -> None:
    """Log a new phase; when nothing is loaded any more, exempt what was loaded from garbage collection."""
    before, phase = (text.partition(":")[0] for text in (before, phase))  # without progress
    if phase and phase != before:
        log.info("%s", phase)
    if before not in NOT_LOADING and phase in NOT_LOADING:
        freeze_loaded()
