"""Why the search does not play a move: sentences with links at their figures, the lines of moves, the exact results.

Knows an explanation and a comparison with exact results; ``connect_why`` gives it those of the move selected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.jobs.explainer import Explainer
from gui.jobs.truth import TruthReader
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import count, percent, signed
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.room import scroll_down
from gui.widgets.sections import FigureGrid, GridRow, Section
from gui.widgets.sentences import link_at, linked_sentence
from gui.widgets.text_size import by_font
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font, on_theme

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.explain import Explanation, Step
    from core.glass.sentence import Sentence
    from core.glass.snapshot import Snapshot
    from core.glass.truth import Truth
    from gui.context import Context
    from gui.jobs.explainer import Answer
    from gui.model.state import PathOf
    from gui.widgets.charts.chart import Chart
    from gui.widgets.charts.lines import Drawing

HEADS = (mark("Move"), "N", "Q", "V")
TIPS = (
    mark("The moves of the line, in turn; a click selects the position after one."),
    mark("Visits."),
    mark("Mean value, for the side to move at the root."),
    mark("The net's own value, for the side to move at the root."),
)


class WhyView(SeenWidget):
    """The explanation of one move.  ``linked`` emits a node or a simulation that was clicked."""

    linked = Signal(object)
    wants_results = Signal()  # whether exact results are wanted has changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self._note = ""
        self.title, self.note = QLabel(self), make_label(self, "dim", wrap=True)
        self.title.setObjectName("strong")
        by_font(self.title, lambda: self.title.setFont(figure_font(self.font(), 1.05, bold=True)))
        self.said = self._sentences()
        self.lines = tuple(FigureGrid(self, mark("Line of moves")) for _ in range(2))
        self.heads = tuple(make_label(self, "dim", wrap=True) for _ in range(2))
        self._paths: dict[int, list[PathOf]] = {}
        self.truth = Section(mark("Against the exact results"), self, opened=False)
        self.truth_note = make_label(self.truth.body, "dim", wrap=True)
        self.truth_said = self._sentences()
        self.chart: Chart | None = None  # until it is needed: its library takes a moment to load
        for widget in (self.truth_note, self.truth_said):
            self.truth.add(widget)
        page = QWidget(self)
        page.setObjectName("inspector")
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 4, 10, 8)
        column.setSpacing(6)
        for widget in (self.title, self.note, self.said):
            column.addWidget(widget)
        for place, (head, line) in enumerate(zip(self.heads, self.lines, strict=True)):
            line.set_heads(HEADS, TIPS)
            line.chosen.connect(lambda ply, place=place: self.linked.emit(self._paths[place][ply]))
            column.addWidget(head)
            column.addWidget(line)
        column.addWidget(self.truth)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll_down(page, self, "Why not?"))
        self.truth.toggled.connect(lambda _: self.wants_results.emit())
        on_language(self, self._renew)
        on_theme(self, self._renew)  # links have colours of their own
        set_texts(self, accessibleName="Why not?")
        self._renew()

    def _sentences(self) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.linkActivated.connect(lambda address: self.linked.emit(link_at(address)))
        return label

    def sizeHint(self) -> QSize:
        return QSize(320, 420)

    def show_answer(self, answer: Answer | None, results_note: str = "") -> None:
        """Show an explanation; ``results_note``: why there are no exact results, in English."""
        self._answer, self._note = answer, results_note
        self._renew()

    def _renew(self) -> None:
        answer = self._answer
        self.note.setVisible(answer is None)
        self.said.setVisible(answer is not None)
        if answer is None:
            set_texts(self.title, text="Why not?")
            set_texts(self.note, text="Search a position; then select a move to see why the search does not play it.")
            explanation = None
            self.said.setText("")
        else:
            explanation = answer.explanation
            position = answer.snapshot.position
            name = position.game.action_name(explanation.action)
            best = explanation.action == explanation.best
            mover = kind_of(position.game.name).players[position.to_move]
            words = tr("Why {name}? Values for {mover}") if best else tr("Why not {name}? Values for {mover}")
            self.title.setText(words.format(name=name, mover=mover))
            self.said.setText(_paragraphs(explanation.sentences))
        self._show_lines(explanation)
        self._show_truth(answer.truth if answer is not None else None)

    def _show_lines(self, explanation: Explanation | None) -> None:
        lines = ((), ()) if explanation is None else (explanation.line, explanation.best_line)
        titles = (tr("The search expects after it"), tr("The line of the best move"))
        for place, (steps, title) in enumerate(zip(lines, titles, strict=True)):
            self._paths[place] = [step.path for step in steps]
            self.heads[place].setText(title)
            self.heads[place].setVisible(bool(steps))
            self.lines[place].setVisible(bool(steps))
            self.lines[place].show_rows([_line_row(ply, step) for ply, step in enumerate(steps)])

    def _show_truth(self, truth: Truth | None) -> None:
        self.truth_note.setText(core_text(self._note))
        self.truth_note.setVisible(bool(self._note))
        self.truth_said.setVisible(truth is not None)
        self._show_chart(truth)
        self.truth.set_summary("")
        if truth is None:
            self.truth_said.setText("")
            return
        self.truth_said.setText(_paragraphs((truth.sentence, *(one.sentence for one in truth.stretches))))
        if truth.right_from > 0:
            self.truth.set_summary(tr("right from {simulation} on").format(simulation=count(truth.right_from)))

    def _show_chart(self, truth: Truth | None) -> None:
        wanted = truth is not None and bool(truth.wrong)
        if self.chart is None and wanted:
            from gui.widgets.charts.chart import Chart

            meaning = mark("Over the simulations. Shaded: the best move was wrong. A click goes to that simulation.")
            self.chart = Chart(mark("Visits on wrong moves"), meaning, self.truth.body, entries=2, height=80)
            self.chart.plot.pressed.connect(self._go_back)
            self.truth.add(self.chart)
        if self.chart is not None:
            self.chart.setVisible(wanted)
            if truth is not None and wanted:
                self.chart.show_drawing(_truth_drawing(truth))

    def _go_back(self, x: float) -> None:
        assert self.chart is not None
        self.linked.emit(round(max(0.0, min(self.chart.span[1], x))))


def _truth_drawing(truth: Truth) -> Drawing:
    """The share of the visits on wrong moves, and the net's prior on them."""
    from gui.widgets.charts.lines import DASHED, Drawing, Line

    x = truth.simulations.astype(float)
    ends = x[[0, -1]]
    lines = [Line(tr("visits"), x, truth.shares.astype(float), "good", text=percent, width=2.4)]
    if not math.isnan(truth.prior):
        lines.append(Line("P", ends, np.full(2, truth.prior), 3, DASHED, text=percent))
    return Drawing(
        lines,
        across=(0.0, max(1.0, float(ends[1]))),
        up=(-0.02, 1.02),
        at=lambda x: tr("at simulation {simulations}").format(simulations=count(round(x))),
        ticks=(None, lambda share: percent(share, 0)),
        spans=[(float(one.first), float(one.last)) for one in truth.stretches],
        upright=float(truth.right_from) if truth.right_from > 0 else math.nan,
    )


def _paragraphs(sentences: Iterable[Sentence]) -> str:
    return "".join(f'<p style="margin: 0 0 5px 0">{linked_sentence(sentence)}</p>' for sentence in sentences)


def _line_row(ply: int, step: Step) -> GridRow:
    proof = f" · {tr(step.proof)}" if step.proof else ""
    return GridRow(ply, (f"{ply + 1}. {step.name}{proof}", count(step.visits), signed(step.q), signed(step.value)))


def connect_why(
    context: Context, view: QWidget, look_back: Callable[[int], None], open_path: Callable[[PathOf], None]
) -> None:
    """Explain the move selected, else the strongest rival of the best one, while the view is visible."""
    assert isinstance(view, WhyView)
    state, session = context.state, context.session
    explainer, results = Explainer(view), TruthReader(view, state.solutions)
    followed: tuple[PathOf, int] | None = None  # a node selected by a link, and the move that it explains

    solving: Position | None = None

    def solve(position: Position | None) -> None:
        """Solve a position once; None stops."""
        nonlocal solving
        if position != solving:
            solving = position
            results.ask(position)

    def show() -> None:
        note = results.note if view.truth.opened else ""
        view.show_answer(explainer.answer, note)

    def move(snapshot: Snapshot) -> int:
        if followed is not None and followed[0] == state.selected:
            return followed[1]
        if state.selected:
            return state.selected[0]
        return next((row.action for row in snapshot.moves if row.action != snapshot.best), snapshot.best)

    def renew(*_: object) -> None:
        if not view.isVisible():
            return
        snapshot, present = session.snapshot, session.present
        wanted = view.truth.opened and snapshot is not None
        solve(state.position if wanted else None)
        if snapshot is None or snapshot.position.is_over or not snapshot.moves:
            explainer.ask(None, None, -1, None)
            return
        from core.glass.explain import nodes_for  # when there is a search, the engine is loaded

        action = move(snapshot)
        session.request_nodes(nodes_for(snapshot, action), "why")
        explainer.ask(snapshot, present, action, results.solution if wanted else None)

    def follow(link: object) -> None:
        nonlocal followed
        if isinstance(link, int):
            look_back(link)
        elif explainer.answer is not None:
            assert isinstance(link, tuple)
            followed = link, explainer.answer.explanation.action
            if len(link) > 1:
                open_path(link[:-1])
            state.select(link, explainer.answer.snapshot.position)

    def seen(visible: bool) -> None:
        session.extras.request_curves(visible, "why")
        if not visible:
            session.request_nodes((), "why")
            solve(None)
        renew()

    explainer.changed.connect(show)
    results.changed.connect(state.solved)
    for signal in (results.changed, view.wants_results):
        signal.connect(renew)
        signal.connect(show)
    view.linked.connect(follow)
    view.in_sight.connect(seen)
    for signal in (session.snapshot_for_text, state.selection_changed, state.position_changed, state.search_changed):
        signal.connect(renew)
    seen(view.isVisible())
