"""The analysis of the window's game: starts and stops it, makes its report, goes through its mistakes.

Connects the state and the analysis in the background; uses no view but the strip of moves, whose marks it sets.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.glass.review import Grading, read_steps
from core.text import Words, text_of
from gui.jobs.game_analysis import REVIEW_SIMULATIONS, Basis, EngineBasis, GameAnalysis, check_seconds
from gui.jobs.task import save_file
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.sources import outside_sources
from gui.rooms.report.report_parts import MARKS, NO_MOVES, GameReport, JudgedMove, make_report, report_csv
from gui.widgets.record_paint import node_name
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.files.record import GameRecord
    from core.games import GameSpec, Position
    from gui.context import Context

DOCK = "report"
SECONDS = 1.0  # default of an outside engine per position
WHAT: dict[str, Words] = {"blunder": "a blunder", "mistake": "a mistake", "inaccuracy": "an inaccuracy"}


class GameReview(QObject):
    """The report of the line on the board, with all its positions that have figures, from whichever analysis."""

    changed = Signal()  # the report or the state of the analysis changed
    signs_changed = Signal(object)  # signs of mistakes, by ply

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context, self._state = context, context.state
        self.simulations = REVIEW_SIMULATIONS
        self.engine = ""  # the outside engine that judges, by its name in the list; "": our search
        self.seconds = SECONDS
        self.engines: list[str] = []  # names of those that may judge the game
        self.offered_for: GameSpec | None = None
        self.grading = _kept_grading(context.preferences.grading)
        self.analysis = GameAnalysis(self)
        self.report: GameReport | None = None  # None before any analysis, and when no position has figures
        self._analysed: list[Position] = []  # the positions and the record of the running analysis
        self._record: GameRecord | None = None
        self.analysis.changed.connect(self._renew)
        self.analysis.failed.connect(context.messages.show_error)
        self._state.position_changed.connect(self._position_changed)
        context.events.escaped.connect(self.analysis.stop)
        context.events.closing.connect(self.analysis.stop)
        context.human.changed.connect(self._renew)
        on_language(context.window, self._renew)  # the players' names

    def set_simulations(self, simulations: int) -> None:
        """Set the simulations per position for the next analysis; ``ValueError`` if it is invalid."""
        from core.search import Limit

        Limit(simulations=simulations)
        self.simulations = simulations

    def set_seconds(self, seconds: float) -> None:
        """Set an outside engine's time per position; ``ValueError`` if it is invalid."""
        check_seconds(seconds)
        self.seconds = seconds

    def choose_engine(self, name: str) -> None:
        """Let an outside engine of the list judge next time; "": our search."""
        self.engine = name
        self.changed.emit()

    def offer_engines(self) -> None:
        """Read which engines of the list may judge the game."""
        game = self.offered_for = self._state.game
        self.engines = [] if game is None else [engine.name for engine in outside_sources(game)]
        if self.engine not in self.engines:
            self.engine = ""

    def _basis(self) -> Basis | EngineBasis:
        """What judges next; ``ValueError`` or ``OSError`` when its engine is not in the list any more."""
        from models.engines.engine_list import find_engine

        if self.engine:
            return EngineBasis(find_engine(self.engine), self.seconds)
        assert self._state.settings is not None
        return Basis(self._state.source, self._state.settings, self.simulations)

    def set_grading(self, by_points: bool, steps: str) -> None:
        """Set what the classes go by; ``ValueError`` if the steps are invalid."""
        self.grading = Grading(by_points, read_steps(steps))
        self._context.preferences.grading = f"{'points' if by_points else 'score'} {self.grading.words}"
        self._renew()

    def analyse(self) -> None:
        """Evaluate every position of the line on the board that has no figures yet."""
        state = self._state
        if state.settings is None or not state.positions:
            return
        if len(state.positions) == 1:
            self._context.messages.show_notice(NO_MOVES)
            return
        try:
            basis, before = self._basis(), self.analysis.basis
        except (ValueError, OSError) as error:
            self._context.messages.show_error(text_of(error))
            return
        self._analysed, self._record = state.positions, state.record
        if before is not None and before.key != basis.key:
            state.clear_signs()  # those of other lines have another basis
        self.analysis.start(state.positions, basis)

    def _position_changed(self) -> None:
        if self.analysis.running and self._state.record is not self._record:
            self.analysis.stop()
        self._renew()

    @property
    def line_title(self) -> str:
        """Name of the line of the record that the report is for."""
        record, line = self._state.record, self._state.line_nodes
        if record is None or self.is_whole:
            return tr("The whole game")
        main = record.main_line()
        fork = next((node for node in line if node not in main), None)
        if fork is None:
            return tr("The main line, without its variations")
        return tr("The variation from {move} on").format(move=node_name(record, fork))

    @property
    def is_whole(self) -> bool:
        """Whether the line on the board is the record's only one."""
        record = self._state.record
        return record is None or len(record) == len(self._state.line_nodes)

    def _renew(self) -> None:
        report = None
        if self.analysis.basis is not None and len(self._state.positions) > 1:
            report = make_report(self._state.positions, self.analysis.figures, self.grading, self._context.human.policy)
        mistakes = () if report is None else report.mistakes
        self._context.human.want("report", (self._state.positions[move.ply] for move in mistakes))
        report = report if report is not None and report.judged else None
        self.report = self.report if report == self.report else report
        marks = {} if self.report is None else {move.ply + 1: MARKS[move.kind] for move in self.report.mistakes}
        self.signs_changed.emit(marks)
        self._state.set_signs(marks)
        self.changed.emit()

    @property
    def words(self) -> str:
        """State or result of the analysis in words."""
        analysis, total = self.analysis, len(self._state.positions)
        if analysis.error:
            return core_text(analysis.error)
        if analysis.basis is None or (self.report is None and not analysis.running):
            return ""
        judged = 0 if self.report is None else self.report.judged
        how = tr("{title}, {simulations} each").format(title=analysis.basis.title, simulations=analysis.basis.each)
        if judged == total:
            return tr("{total} positions · {how}").format(total=total, how=how)
        if analysis.running and self._elsewhere:
            return tr("Another line is being analysed · {how}").format(how=how)
        if analysis.running:
            return tr("{judged} of {total} positions · {how}").format(judged=judged, total=total, how=how)
        return tr("{judged} of {total} positions · {how} · continue for the rest").format(
            judged=judged, total=total, how=how
        )

    @property
    def _elsewhere(self) -> bool:
        """Whether the line on the board differs from the one being analysed, other than by being longer or shorter."""
        return any(a != b for a, b in zip(self._state.positions, self._analysed, strict=False))

    # mistakes

    def step(self, step: int) -> None:
        """Show the position of the next (+1) or previous (-1) mistake, before it was made."""
        if self.report is None:
            self._context.messages.show_notice("No game is analysed yet: analyse the whole game first.")
            return
        move = self.report.next_mistake(self._state.cursor, step)
        if move is None:
            self._context.messages.show_notice("There is no other mistake there.")
            return
        self.show_mistake(move)

    def show_mistake(self, move: JudgedMove) -> None:
        """Go to the position of a mistake and describe it, unless the report is visible."""
        report = self.report
        assert report is not None
        self._state.go(move.ply)
        if self._context.docks[DOCK].visibleRegion().isEmpty():
            self._context.messages.show_notice(lambda: mistake_words(report, move))

    # saving

    def export(self, path: Path) -> None:
        """Write the report as CSV."""
        if self.report is None:
            return
        data, banner = report_csv(self.report).encode(), self._context.messages
        save_file(self, path, lambda: data, banner.show_notice, banner.show_error)


def _kept_grading(text: str) -> Grading:
    """Return the grading of the preferences; the default for a text that is none."""
    by, _, steps = text.partition(" ")
    try:
        return Grading(by != "score", read_steps(steps))
    except ValueError:
        return Grading()


def mistake_words(report: GameReport, move: JudgedMove) -> str:
    """Return "Ply 7: d4 of Red is a blunder: it loses 0.52 of the expected score; the search plays c3."."""
    loss = f"{move.loss:.2f}"
    words = tr(
        "Ply {ply}: {move} of {player} is {what}: it loses {loss} of the expected score; the search plays {best}."
    )
    if report.by_points and not math.isnan(move.points):
        words = tr("Ply {ply}: {move} of {player} is {what}: it loses {loss} points; the search plays {best}.")
        loss = f"{move.points:.1f}"
    elif move.exact:
        words = tr(
            "Ply {ply}: {move} of {player} is {what}: it loses {loss} of the expected score, exactly; "
            "the search plays {best}."
        )
    return words.format(
        ply=move.ply + 1,
        move=move.name,
        player=report.players[move.mover],
        what=tr(WHAT[move.kind]),
        loss=loss,
        best=move.best,
    )
