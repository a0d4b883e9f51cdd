"""Why the search does not play a move: sentences with links at their figures, the lines of moves, the exact results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QLabel, QWidget

from core.text import Text, Words
from gui.jobs.explainer import Explainer
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.rooms.why.arithmetic import with_values_for_mover
from gui.widgets.figures import count, percent, signed
from gui.widgets.labels import make_label
from gui.widgets.sections import FigureGrid, GridRow, Section
from gui.widgets.sentences import link_at, linked_sentence
from gui.widgets.texts import on_language
from gui.widgets.theme import on_theme

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.explain import Explanation, Step
    from core.glass.sentence import Sentence
    from core.glass.snapshot import Snapshot
    from core.glass.truth import Truth
    from gui.context import Context
    from gui.jobs.explainer import Answer
    from gui.model.state import PathOf
    from gui.rooms.why.why import WhyRoom
    from gui.widgets.charts.chart import Chart
    from gui.widgets.charts.lines import Drawing

HEADS: tuple[Words, ...] = ("Move", "N", "Q", "V")
TIPS: tuple[Words, ...] = (
    "The moves of the line, in turn; a click selects the position after one.",
    "Visits.",
    "",
    "",
)


class WhyNotSection(Section):
    """The explanation of one move of the root.  ``linked`` emits a node or a simulation that was clicked."""

    linked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Why not?", parent)
        self._answer: Answer | None = None
        self.sentences = make_sentences(self.body, self.linked)
        self.lines = tuple(FigureGrid(self.body, "Line of moves") for _ in range(2))
        self.heads = tuple(make_label(self.body, "dim", wrap=True) for _ in range(2))
        self._paths: dict[int, list[PathOf]] = {}
        self.add(self.sentences)
        for place, (head, line) in enumerate(zip(self.heads, self.lines, strict=True)):
            line.set_heads(HEADS, TIPS)
            line.chosen.connect(lambda ply, place=place: self.linked.emit(self._paths[place][ply]))
            self.add(head)
            self.add(line)
        on_language(self, self._renew)
        on_theme(self, self._renew)  # links have colours of their own
        self._renew()

    @property
    def explanation(self) -> Explanation | None:
        """What is explained; None until a move is."""
        return None if self._answer is None else self._answer.explanation

    def line_from(self, position: Position) -> Sequence[Step]:
        """The moves after the one that is explained, itself included; () where that is none of ``position``."""
        answer = self._answer
        return () if answer is None or answer.snapshot.position != position else answer.explanation.line

    def show_answer(self, answer: Answer | None) -> None:
        """Show an explanation; None hides the section."""
        self._answer = answer
        self._renew()

    def _renew(self) -> None:
        answer = self._answer
        self.setVisible(answer is not None)
        if answer is None:
            for label in (self.sentences, *self.heads):
                label.clear()
            return
        explanation, position = answer.explanation, answer.snapshot.position
        name = position.game.action_name(explanation.action)
        best = explanation.action == explanation.best
        self.set_title(Text("Why {name}?", name=name) if best else Text("Why not {name}?", name=name))
        self.set_disc((position.game.name, position.to_move))
        self.sentences.setText(_paragraphs(explanation.sentences))
        titles = (tr("The search expects after it"), tr("The line of the best move"))
        for place, (steps, title) in enumerate(zip((explanation.line, explanation.best_line), titles, strict=True)):
            self._paths[place] = [step.path for step in steps]
            self.heads[place].setText(with_values_for_mover(title, position))
            self.heads[place].setVisible(bool(steps))
            self.lines[place].setVisible(bool(steps))
            self.lines[place].show_rows([_line_row(ply, step) for ply, step in enumerate(steps)])


class TruthSection(Section):
    """The search beside the exact results of its root: when its best move was wrong.

    ``linked`` emits a node or a simulation that was clicked.
    """

    linked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Against the exact results", parent, opened=False)
        self._truth: Truth | None = None
        self._note = ""
        self.note = make_label(self.body, "dim", wrap=True)
        self.sentences = make_sentences(self.body, self.linked)
        self.chart: Chart | None = None  # until it is needed: its library takes a moment to load
        for widget in (self.note, self.sentences):
            self.add(widget)
        on_language(self, self._renew)
        on_theme(self, self._renew)
        self._renew()

    def show_truth(self, truth: Truth | None, note: str = "") -> None:
        """Show a comparison; ``note``: why there is none, in English."""
        if (truth, note) != (self._truth, self._note):
            self._truth, self._note = truth, note
            self._renew()

    def _renew(self) -> None:
        truth = self._truth
        self.note.setText(core_text(self._note))
        self.note.setVisible(bool(self._note))
        self.sentences.setVisible(truth is not None)
        self._show_chart(truth)
        self.set_summary("")
        if truth is not None:
            self.sentences.setText(_paragraphs((truth.sentence, *(time.sentence for time in truth.stretches))))
            if truth.right_from > 0:
                self.set_summary(tr("right from {simulation} on").format(simulation=count(truth.right_from)))

    def _show_chart(self, truth: Truth | None) -> None:
        wanted = truth is not None and bool(truth.wrong)
        if self.chart is None and wanted:
            from gui.widgets.charts.chart import Chart

            meaning: Words = "Over the simulations. Shaded: the best move was wrong. A click goes to that simulation."
            self.chart = Chart(Text("Visits on wrong moves"), meaning, self.body, entries=2, height=80)
            self.chart.plot.pressed.connect(self._go_back)
            self.add(self.chart)
        if self.chart is not None:
            self.chart.setVisible(wanted)
            if truth is not None and wanted:
                self.chart.show_drawing(_truth_drawing(truth))

    def _go_back(self, x: float) -> None:
        assert self.chart is not None
        self.linked.emit(round(max(0.0, min(self.chart.span[1], x))))


def make_sentences(parent: QWidget, linked: SignalInstance) -> QLabel:
    """Return a label of sentences whose links are emitted by ``linked``."""
    label = QLabel(parent)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    label.linkActivated.connect(lambda address: linked.emit(link_at(address)))
    return label


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


def connect_why_not(
    context: Context,
    room: WhyRoom,
    look_back: Callable[[int], None],
    open_path: Callable[[PathOf], None],
) -> None:
    """Explain the move selected, else the strongest rival of the best one, while the room is visible."""
    state, session, truth = context.state, context.session, context.truth
    explainer = Explainer(room)
    followed: tuple[PathOf, int] | None = None  # a node selected by a link, and the move that it explains

    def show_truth(*_: object) -> None:
        room.truth.setVisible(truth.solvable)
        opened = room.truth.opened and room.isVisible()
        truth.insist(opened)
        room.truth.show_truth(truth.truth, truth.note if opened else "")

    def move(snapshot: Snapshot) -> int:
        if followed is not None and followed[0] == state.selected:
            return followed[1]
        if state.selected:
            return state.selected[0]
        return next((row.action for row in snapshot.moves if row.action != snapshot.best), snapshot.best)

    def renew(*_: object) -> None:
        if not room.isVisible():
            return
        show_truth()
        snapshot, present = session.snapshot, session.present
        if snapshot is None or snapshot.position.is_over or not snapshot.moves:
            explainer.ask(None, None, -1, None)
            return
        from core.glass.explain import nodes_for  # when there is a search, the engine is loaded

        action = move(snapshot)
        session.request_nodes(nodes_for(snapshot, action), "why")
        explainer.ask(snapshot, present, action, state.solutions.get(snapshot.position))

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
        show_truth()
        renew()

    explainer.changed.connect(lambda: room.why_not.show_answer(explainer.answer))
    truth.changed.connect(show_truth)
    room.truth.toggled.connect(show_truth)
    for section in (room.why_not, room.truth):
        section.linked.connect(follow)
    room.in_sight.connect(seen)
    for signal in (
        session.snapshot_for_text,
        state.selection_changed,
        state.position_changed,
        state.search_changed,
        state.solved,
    ):
        signal.connect(renew)
    seen(room.isVisible())
