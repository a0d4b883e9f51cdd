"""Supplies the board, its legend and its badge with overlay, exact results, threats, lines and numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from core.text import Words
from gui.jobs.net_answers import NetAnswers
from gui.jobs.newest import Newest
from gui.jobs.truth import TruthReader
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.keymap import key_of
from gui.model.settled import UNKNOWN, Steadiness
from gui.widgets.board.board_paint import NO_GAME
from gui.widgets.board.overlays.overlay import (
    CAPTURES,
    EXACT,
    HUMAN,
    INSIDE,
    MEAN_OWNERS,
    NET,
    OUTCOMES,
    OWNERS,
    PRIORS,
    SOLUTION,
    THREATS,
    Legend,
    Overlay,
)
from gui.widgets.board.overlays.stones import Stones
from gui.widgets.board.overlays.table import BY_NAME, given_by
from gui.widgets.board.shapes import Shapes, is_bare
from gui.widgets.words import trace_words

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import Snapshot
    from core.solve.threats import ThreatMap
    from gui.context import Context
    from gui.rooms.board.board_figures import BoardFigures
    from gui.rooms.board.board_room import BoardRoom

NO_AREA: Words = "neither side holds a point for certain yet"
NO_OVERLAY = BY_NAME["none"]


class OverlayLink(QObject):
    """Keeps the board supplied with the data of the overlay chosen."""

    def __init__(self, context: Context, view: BoardRoom, figures: BoardFigures) -> None:
        super().__init__(view)
        self._context, self._view, self._board, self._figures = context, view, view.board, figures
        self.truth = TruthReader(self, context.state.solutions)
        self.answers = NetAnswers(context.session, self)
        self.steadiness = Steadiness()
        self._before = context.state.overlay  # the overlay before one that has to be solved
        self._given = frozenset((NET, PRIORS, EXACT))  # what the search gives to overlays, as it is known or usual
        self._offered_game = ""  # whose overlays are offered
        self._threats: tuple[Position, ThreatMap | None] | None = None  # None for a game that has none
        self._shapes: tuple[str, Position, Shapes | None] | None = None  # overlay, position, what they give
        self._reader = Newest(self)  # of shapes, in a thread: the first ones load or compile what reads them
        self._reader.answered.connect(self._take_shapes)
        state, session, board, actions = context.state, context.session, view.board, context.actions
        state.overlay_changed.connect(self._overlay_changed)
        session.concealed_changed.connect(lambda: self._overlay_changed(state.overlay))
        figures.placed.connect(self._renew)
        figures.placed.connect(self._show_badge)
        state.numbers_changed.connect(self._numbers_changed)
        state.cells_changed.connect(self._cells_changed)
        context.human.changed.connect(self._human_changed)
        state.search_changed.connect(self._renew_cells)
        session.snapshot_for_frame.connect(self._update_steadiness)
        state.position_changed.connect(lambda: self.steadiness.skip() if session.away else None)
        session.snapshot_for_text.connect(lambda _: self._update_texts())
        session.snapshot_for_text.connect(lambda snapshot: None if snapshot is None else self._offer(snapshot))
        state.game_changed.connect(lambda: self._offer(None))
        self.truth.changed.connect(context.state.solved)
        state.solved.connect(self._answered)  # by this or another reader
        self.answers.changed.connect(self._update_texts)
        board.line_played.connect(lambda line: context.play_line((*state.selected, *line)))
        view.legend.stop.clicked.connect(lambda: state.set_overlay(self._before))
        board.line_changed.connect(view.legend.show_hint)
        view.overlays.chosen.connect(lambda name: actions[f"overlay_{name}"].trigger())
        for name in BY_NAME:
            actions[f"overlay_{name}"].changed.connect(partial(self._show_key, name))
            self._show_key(name)
        context.events.closing.connect(self._stop)
        self._offer(None)
        self._overlay_changed(state.overlay)

    def _stop(self) -> None:
        self.truth.ask(None)
        self._reader.forget()
        self.answers.ask(None)

    def _offer(self, snapshot: Snapshot | None) -> None:
        """Offer the overlays for which game, net and position give what they need."""
        state = self._context.state
        if snapshot is not None and not snapshot.simulations:
            return  # what the net gives is not known yet
        if snapshot is not None:
            self._given = given_by(snapshot, self._context.session.source is not None)
        given = set(self._given)
        if state.game is not None and state.game.captures:
            given.add(CAPTURES)
        if state.cells is not None:
            given.add(INSIDE)
        if state.human is not None:
            given.add(HUMAN)
        offered = frozenset(name for name, row in BY_NAME.items() if not row.needs or row.needs in given)
        for name, row in BY_NAME.items():
            if row.needs:
                self._context.actions[f"overlay_{name}"].setVisible(name in offered)
        self._view.overlays.set_offered(offered)
        if snapshot is not None and snapshot.position.game.name != self._offered_game:
            self._offered_game = snapshot.position.game.name
            if state.overlay not in offered:
                state.set_overlay("visits")

    def _update_steadiness(self, snapshot: Snapshot | None) -> None:
        """Update the steadiness; an earlier moment says nothing about the present search."""
        if snapshot is None or snapshot is self._context.session.newest:
            self.steadiness.see(snapshot)
        else:
            self.steadiness.skip()

    @property
    def _overlay(self) -> Overlay:
        """The overlay on the board: the one chosen, none while the analysis is concealed."""
        return NO_OVERLAY if self._context.session.concealed else BY_NAME[self._context.state.overlay]

    def _show_key(self, overlay: str) -> None:
        self._view.overlays.set_key(overlay, key_of(self._context.actions[f"overlay_{overlay}"]))

    def _overlay_changed(self, overlay: str) -> None:
        if BY_NAME[overlay].data != SOLUTION:
            self._before = overlay
        self._board.set_overlay(self._overlay.name)
        self._view.overlays.set_overlay(overlay)
        self._context.actions[f"overlay_{overlay}"].setChecked(True)
        self._renew()
        self._update_texts()

    def _cells_changed(self) -> None:
        self._offer(None)
        self._renew_cells()
        self._update_texts()

    def _human_changed(self) -> None:
        state = self._context.state
        self._offer(None)
        if state.human is None and self._overlay.data == HUMAN:
            state.set_overlay("prior")
        self._renew_human(self._overlay, self._figures.shown)
        self._update_texts()

    def _renew_human(self, overlay: Overlay, position: Position | None) -> None:
        """Show the policy of the human net, or ask for it."""
        wanted = overlay.data == HUMAN and position is not None
        self._context.human.want("board", [position] if wanted and position is not None else [])
        known = wanted and position is not None and not position.is_over
        self._board.set_human(self._context.human.policy(position) if known and position is not None else None)

    def _renew_cells(self) -> None:
        """Show what the room Inside offers, unless it is of another net than that of the search."""
        cells = self._context.state.cells
        known = cells is not None and cells.source == self._context.session.source
        self._board.set_cells(cells if known else None)

    def _numbers_changed(self, shown: bool) -> None:
        self._board.set_numbers(shown)
        self._context.actions["numbers"].setChecked(shown)

    def _renew(self) -> None:
        """Compute what the overlay needs besides the search, for the position shown."""
        position, overlay = self._figures.shown, self._overlay
        self.truth.ask(position if overlay.data == SOLUTION else None)
        if overlay.data == SOLUTION:
            self._board.set_solution(self.truth.solution)
        elif overlay.data == THREATS and position is not None:
            self._board.set_threats(self._threats_of(position))
        self._renew_cells()
        self._renew_human(overlay, position)
        self._renew_shapes(overlay, position)
        if self._board.node is not None or not overlay.searched:
            self._update_texts()  # otherwise wait for results: what is on screen stays until then

    def _threats_of(self, position: Position) -> ThreatMap | None:
        from core.solve.threats import refusal, threats

        if self._threats is None or self._threats[0] != position:
            self._threats = (position, None if refusal(position.game) else threats(position))
        return self._threats[1]

    def _renew_shapes(self, overlay: Overlay, position: Position | None) -> None:
        """Show what the overlay makes of the stones, or ask for it."""
        self._reader.forget()
        if not isinstance(overlay, Stones) or position is None:
            self._board.set_shapes(None)
        elif not position.game.captures:
            self._take_shapes((overlay.name, position, None))
        elif self._shapes is not None and self._shapes[:2] == (overlay.name, position):
            self._board.set_shapes(self._shapes[2])
        else:
            self._reader.put(lambda stale, report: (overlay.name, position, overlay.shapes_of(position)))

    def _take_shapes(self, shapes: tuple[str, Position, Shapes | None]) -> None:
        self._shapes = shapes
        if shapes[:2] == (self._overlay.name, self._figures.shown):
            self._board.set_shapes(shapes[2])
            self._update_texts()

    def _ask_net(self, position: Position, overlay: Overlay) -> str:
        """Ask for what the overlay shows of the net, and show that; return why there is none."""
        answers, owned = self.answers, overlay.data in (OWNERS, MEAN_OWNERS)
        of_net = owned or overlay.data == OUTCOMES
        answers.ask(position if of_net else None, self._context.state.selected, overlay.data)
        answer: Any = None if answers.note else answers.answer
        self._board.set_answers(answer if owned else None, None if owned else answer)
        return core_text(answers.note)

    def _answered(self) -> None:
        if self._overlay.data == SOLUTION:
            self._board.set_solution(self.truth.solution)
        self._update_texts()

    def _update_texts(self) -> None:
        """Update legend and badge, at the rate of the other texts."""
        overlay, position = self._overlay, self._figures.shown
        legend = self._view.legend
        if position is None:
            legend.show_legend(Legend(), NO_GAME)
            legend.show_stop("")
            return
        note = self._ask_net(position, overlay)
        stop = ""
        if overlay.data == SOLUTION:
            note = core_text(self.truth.note)
            if self.truth.solving:
                stop = tr("Stop solving: back to “{overlay}” (Esc)").format(overlay=tr(BY_NAME[self._before].title))
        elif overlay.data == HUMAN:
            note = core_text(self._context.human.note)
        elif self._shapes is not None and self._shapes[:2] == (overlay.name, position) and is_bare(self._shapes[2]):
            note = tr(NO_AREA)
        self._context.state.overlay_before = self._before if stop else ""
        legend.show_stop(stop)
        legend.show_legend(self._board.legend(note), position.game.name)
        self._show_badge()

    def _show_badge(self) -> None:
        """Show how steady the search is, at the position that it began with alone."""
        session = self._context.session
        present = session.present
        session.extras.request_curves(present is not None and bool(present.reason), "badge")
        of_root = present is not None and session.snapshot is present and not self._context.state.selected
        verdict, meaning = (self.steadiness.verdict, self.steadiness.meaning) if of_root else (UNKNOWN, "")
        if (trace := self._context.state.document.trace) is not None:
            self._view.player.set_badge(tr("another program"), trace_words(trace))
        else:
            self._view.player.set_badge(tr(verdict), core_text(meaning))
