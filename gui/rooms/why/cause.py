"""What the search would need to find a line: its moves in the search, the repairs that were tried, what is to blame."""

from __future__ import annotations

import math
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.text import Text, Words, text_of
from gui.jobs.net_answers import ELSEWHERE, NO_NET
from gui.jobs.post_mortem import PostMortemJob
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.why.arithmetic import with_values_for_mover
from gui.widgets.bars import BarChart, BarRow, Bars, Span
from gui.widgets.figures import NONE, count, percent, plain, signed, simulations_words
from gui.widgets.keys import ENTER, keeps_key
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_row
from gui.widgets.sections import FigureGrid, GridRow, Section
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.engine.postmortem import Ply, PostMortem, Repair
    from core.games import Position
    from core.glass.explain import Step
    from gui.context import Context
    from gui.model.shown import PathOf
    from gui.model.state import AppState
    from gui.widgets.in_sight import SeenWidget

PLIES: Final = 4  # of the line that is proposed
LONGEST: Final = 8  # moves of a line that is taken from elsewhere: each may cost three searches
PLAYED: Final = "played"  # the record's moves after the position
OUTSIDE: Final = "outside"  # those that another engine names
SOURCES: Final = (PLAYED, OUTSIDE)
HEADS: Final[tuple[Words, ...]] = ("Move", "P", "V", "N", "Q", "Exact", "First tried")
TIPS: Final[tuple[Words, ...]] = (
    "The moves of the line, in turn; a click selects the position after one.",
    "The net's prior of the move.",
    "The net's own value after the move.",
    "Visits of the move, in this search.",
    "The mean value of the move.",
    "The exact result of the move where it is known; !: the search takes it for won or lost, and it is not.",
    "The simulation that took the move first; ≈: foretold by the rule of selection, if nothing else changes.",
)


class LineField(QLineEdit):
    """A field for moves, which keeps Enter for itself, whatever that does elsewhere."""

    def event(self, event: QEvent) -> bool:
        return keeps_key(event, ENTER) or super().event(event)


class CauseSection(Section):
    """A line to be entered, and why the search misses it.  ``linked`` emits the path of a position of the line."""

    asked = Signal(object)  # the position and the line
    stopped = Signal()
    linked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("What would it take?", parent, opened=False)
        self.line = set_texts(
            LineField(self.body),
            placeholderText="The line that it misses",
            accessibleName="The line that it misses",
            toolTip="Moves from the position on the board, such as those of another engine. It is searched again with "
            "one prior or one value of the net corrected at a time.",
        )
        self.button = QPushButton(self.body)
        self.button.setEnabled(False)  # until there is a position
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.sought = make_label(self.body, "dim", wrap=True)
        self.plies = FigureGrid(self.body, "The line in the search")
        self.plies.set_heads(HEADS, TIPS)
        self.whose = make_label(self.body, "dim", wrap=True)
        self.repairs = Bars(self.body, "What was tried")
        played = set_texts(
            QPushButton(self.body),
            text="As played",
            toolTip="Enter the moves that the game has after this position, at most 8.",
        )
        outside = set_texts(
            QPushButton(self.body),
            text="Second opinion",
            toolTip="Enter the line that the engine asked for a second opinion likes best, at most 8 moves.",
        )
        self._buttons = {PLAYED: played, OUTSIDE: outside}
        row, self.sources = QWidget(self.body), QWidget(self.body)
        lay_row((self.line, 1), self.button, of=row, margins=0, spacing=6)
        lay_row(played, outside, 1, of=self.sources, margins=0, spacing=6)
        for widget in (row, self.sources, self.sentence, self.sought, self.whose, self.repairs, self.plies):
            self.add(widget)
        self._position: Position | None = None
        self._lines: Mapping[str, PathOf] = {}
        self._job: PostMortemJob | None = None
        self._refusal = ""  # why nothing can be asked
        self._error = ""  # what is wrong with the line
        self.button.clicked.connect(lambda _=False: self._press())
        self.line.returnPressed.connect(self._press)
        self.line.textEdited.connect(lambda _: self._show_error(""))
        self.plies.chosen.connect(self._choose)
        for source, button in self._buttons.items():
            button.clicked.connect(lambda _=False, source=source: self.enter(source))
        on_language(self, self._renew)

    def offer(self, lines: Mapping[str, PathOf]) -> None:
        """Set the lines that a click enters, of ``PLAYED`` and ``OUTSIDE``; () where there is none."""
        self._lines = lines
        for source, button in self._buttons.items():
            button.setVisible(bool(lines[source]))
        self.sources.setVisible(any(lines.values()) and not self._refusal)

    def enter(self, source: str) -> None:
        """Enter one of the lines offered, or say that there is none."""
        line = self._lines.get(source, ())[:LONGEST]
        if self._position is None or self._refusal:
            return
        if line:
            self._write(" ".join(map(self._position.game.action_name, line)))
            self._show_error("")
            self.line.setFocus()
        else:
            self._show_error(NO_LINE[source])

    def _write(self, words: str) -> None:
        self.line.setText(words)
        self.line.setModified(True)

    def propose(self, position: Position | None, line: PathOf, refusal: str) -> None:
        """Set the position and, unless a line was entered, the line; ``refusal``: why it cannot be examined."""
        moved = position != self._position
        self._position = position
        if position is not None and (moved or not self.line.isModified()):
            self.line.setText(" ".join(map(position.game.action_name, line)))
        if moved or refusal != self._refusal:
            self._refusal = refusal
            self._show_error("")
        self.line.setEnabled(not refusal)
        self.button.setEnabled(not refusal)

    @property
    def examined(self) -> PathOf:
        """The line of which the cause is shown, if it is that of the search as it is now; else ()."""
        job = self._job
        return job.report.line if job is not None and job.report is not None and job.is_of_present() else ()

    @property
    def report(self) -> PostMortem | None:
        """The report that is shown; None while there is none."""
        return None if self._job is None else self._job.report

    def examine(self, words: str) -> None:
        """Ask for the cause of a line, as if it was entered."""
        if self._job is None or not self._job.running:
            self._write(words)
            self._press()

    def show_job(self, job: PostMortemJob) -> None:
        """Show what a job has found so far."""
        self._job = job
        self._renew()

    def _show_error(self, sentence: str) -> None:
        self._error = sentence
        self._renew()

    def _press(self) -> None:
        if self._job is not None and self._job.running:
            self.stopped.emit()
        elif self._position is not None and not self._refusal:
            try:
                line = line_of(self._position, self.line.text())
            except ValueError as error:
                self._show_error(text_of(error))
            else:
                self._error = ""
                self.line.setModified(True)  # it stays, whatever is selected then
                self.asked.emit((self._position, line))

    def _choose(self, ply: int) -> None:
        if self.report is not None:
            self.linked.emit(self.report.line[: ply + 1])

    def _renew(self) -> None:
        job = self._job
        running, report = job is not None and job.running, self.report
        set_texts(self.button, text="Stop" if running else "Find the cause")
        repairs = () if job is None else job.repairs
        words = core_text(self._refusal or self._error)
        if not words and report is not None:
            words = core_text(report.sentence)
        elif not words and running:
            words = tr("Searching again: {tried} repairs tried.").format(tried=len(repairs))
        self.sentence.setText(words)
        self.sentence.setVisible(bool(words))
        self.sought.setText("" if job is None else _sought(job))
        self.sought.setVisible(job is not None and job.asked is not None)
        self.whose.setVisible(bool(repairs) or report is not None)
        self.plies.setVisible(report is not None)
        self.repairs.setVisible(bool(repairs))
        self.set_summary("")
        if job is not None and job.asked is not None:
            self.whose.setText(with_values_for_mover(tr("What was tried, and the line"), job.asked.position))
            self.repairs.show_chart(repair_chart(job.asked.position, job.asked.line, job.asked.simulations, repairs))
        if report is not None and job is not None and job.asked is not None:
            names = job.asked.position.game.action_name
            self.plies.show_rows([_ply_row(number, names(ply.action), ply) for number, ply in enumerate(report.plies)])
            self.set_summary(tr(_summary(report)))


NO_LINE: Final[dict[str, Words]] = {
    PLAYED: "The game has no move after this position.",
    OUTSIDE: "No other engine names a line here; ask one in the room Opponents, part Second opinion.",
}
BLAMES: Final[dict[str, Words]] = {
    "policy": "Policy",
    "value": "Value",
    "horizon": "beyond the horizon",
    "found": "it is found",
    "differs": "the searches differ",
    "unknown": "not known",
}
RESULTS: Final[dict[int, Words]] = {1: "won", 0: "drawn", -1: "lost"}
REASONS: Final[dict[str, Words]] = {  # why a right move is played
    "policy": "right by the policy",
    "value": "right by a wrong value",
    "horizon": "right for the moment",
    "c": "right with this c",
    "": "it is found",
}
MISJUDGED: Final[Words] = "right, but misjudged"


def _sought(job: PostMortemJob) -> str:
    """What is sought, and of which search the figures are."""
    if job.asked is None:
        return ""
    simulations, report = simulations_words(job.asked.simulations), job.report
    if report is None:
        return tr("The position is searched again, {simulations} from the same seed.").format(simulations=simulations)
    from core.engine.postmortem import sought

    names = job.asked.position.game.action_names
    words: Words = (
        "Searched again, {simulations} from the same seed, each alone: {choice} is chosen (N {n}), {other} has N {m}."
        if report.one_by_one
        else "Searched again, {simulations} from the same seed: {choice} is chosen (N {n}), {other} has N {m}."
    )
    (choice, n), (other, m) = report.again
    how = tr(words).format(simulations=simulations, choice=names[choice], n=count(n), other=names[other], m=count(m))
    return how if report.blame == "differs" else f"{core_text(sought(report, names))} {how}"


def _summary(report: PostMortem) -> Words:
    """What is to blame, or why a right move is played, in a few words."""
    if not report.keeps:
        return BLAMES[report.blame]
    misjudged = any(ply.misjudged for ply in report.plies)
    return MISJUDGED if misjudged and not report.reason else REASONS[report.reason]


def line_of(position: Position, words: str) -> PathOf:
    """Read a line of moves from a position.  Raises ValueError, one sentence, for what is no move or not legal."""
    line: list[int] = []
    for word in words.replace(",", " ").split():
        action = position.game.parse_action(word)
        position = position.play(action)
        line.append(action)
    if not line:
        raise ValueError(Text("the line has no move; it must have at least one"))
    return tuple(line)


def _ply_row(number: int, name: str, ply: Ply) -> GridRow:
    """A move of the line; its values are for the side that begins it."""
    from core.engine.postmortem import for_beginner

    tried = count(ply.tried) if ply.tried >= 0 else NONE
    if ply.tried < 0 and math.isfinite(ply.foretold):
        tried = f"≈ {count(round(ply.foretold))}"
    exact = NONE
    if not math.isnan(ply.exact):
        exact = f"{'! ' if ply.misjudged else ''}{tr(RESULTS[round(for_beginner(number, ply.exact))])}"
    value, q = (signed(for_beginner(number, figure)) for figure in (ply.value, ply.q))
    texts = (percent(ply.prior, 2), value, count(ply.visits), q, exact, tried)
    return GridRow(number, (f"{number + 1}. {name}", *texts))


def repair_chart(position: Position, line: PathOf, simulations: int, repairs: tuple[Repair, ...]) -> BarChart:
    """The repairs that were tried: a bar up to the simulation, on a logarithmic scale, from which the choice is right
    for good; one as long as the search where it is wrong at its end, faint unless a right choice is left."""
    from core.engine.postmortem import CONSTANT, HORIZON, VALUE, for_beginner

    most = max([simulations, *(int(repair.after) for repair in repairs if repair.kind == HORIZON)])
    rows = []
    for key, repair in enumerate(repairs):
        move = "" if repair.ply < 0 else f"{repair.ply + 1}. {position.game.action_name(line[repair.ply])}"
        if repair.kind == HORIZON:
            name, change = tr("Simulations"), f"{count(round(repair.before))} → {count(round(repair.after))}"
        elif repair.kind == CONSTANT:
            name, change = "c", f"{plain(repair.before)} → {plain(repair.after)}"
        elif repair.kind == VALUE:
            before, after = (signed(for_beginner(repair.ply, value), 2) for value in (repair.before, repair.after))
            name, change = f"V {move}", f"{before} → {after}"
        else:
            name, change = f"P {move}", f"{percent(repair.before, 2)} → {percent(repair.after, 1)}"
        helps, left = repair.right_from >= 0, repair.keeps and repair.right_from < 0
        length = repair.right_from if helps else repair.after if repair.kind == HORIZON else simulations
        span = Span(0.0, math.log1p(length), "good" if helps else "warn" if left else "line")
        words = tr("right for good after {found} simulations").format(found=count(repair.right_from)) if helps else ""
        note = count(repair.right_from) if helps else tr("left") if left else tr("not found")
        words = words or tr("the choice is still wrong after {simulations} simulations").format(
            simulations=count(round(length))
        )
        rows.append(BarRow(key, f"{name}  {change}", (span,), words=words, note=note, faint=not helps and not left))
    return BarChart(
        tuple(rows),
        0.0,
        math.log1p(most),
        ends=("1", tr("right for good after {most} simulations").format(most=count(most))),
    )


def played(state: AppState) -> PathOf:
    """The moves of the current line after the position, up to stones that are set up."""
    return tuple(takewhile(lambda action: action >= 0, state.moves[state.cursor :]))


def connect_cause(
    context: Context, room: SeenWidget, section: CauseSection, explained: Callable[[Position], Sequence[Step]]
) -> None:
    """Propose the line selected, or that ``explained`` in *Why not?*, and find out why the search misses it."""
    state, session = context.state, context.session
    job = PostMortemJob(session, room)

    def renew(*_: object) -> None:
        if not job.is_of_present(simulations=False):
            job.forget()
        if not room.isVisible() or not section.opened:
            return
        refusal = ELSEWHERE if session.elsewhere else NO_NET if session.source is None else ""
        line = state.selected
        steps = explained(state.position)[:PLIES] if state.position is not None else ()
        if len(line) <= 1 and steps:
            line = steps[-1].path
        section.propose(state.position, line, refusal)
        section.offer({PLAYED: played(state), OUTSIDE: state.outside_line})

    def follow(path: PathOf) -> None:
        if state.position is not None:
            state.select(path, state.position)

    job.changed.connect(lambda: section.show_job(job))
    job.reported.connect(lambda: section.show_job(job))
    job.failed.connect(context.messages.show_error)
    section.asked.connect(lambda asked: job.examine(*asked))
    section.stopped.connect(job.stop)
    section.linked.connect(follow)
    section.toggled.connect(renew)
    room.in_sight.connect(renew)
    context.events.closing.connect(job.stop)
    for signal in (
        session.snapshot_for_text,
        state.selection_changed,
        state.position_changed,
        state.record_changed,
        state.search_changed,
        state.outside_changed,
    ):
        signal.connect(renew)
    section.show_job(job)
    renew()
