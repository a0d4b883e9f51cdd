"""The arithmetic of the next choice at one node, with one move's score written out.  Uses a NodeView and settings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from core.text import Words
from gui.language.language import tr
from gui.rooms.why import arithmetic as sums
from gui.rooms.why.bars import score_chart
from gui.widgets.bars import Bars
from gui.widgets.figures import COLUMN_INDEX, column_words, count, plain, signed
from gui.widgets.labels import make_frame, make_label
from gui.widgets.layouts import lay_column
from gui.widgets.sections import Facts, FigureGrid, GridRow, Section
from gui.widgets.texts import set_texts
from gui.widgets.theme import figure_font

if TYPE_CHECKING:
    from core.glass import NodeView
    from core.search import SearchSettings

SCORE_MEANING: Final[Words] = "Score utility: what the mean lead adds to Q."
FPU_NAMES: Final = ("reduction", "loss", "zero")  # by the codes of core.search.settings


class ChoiceSection(Section):
    """The section with the arithmetic of the next choice and one move's score written out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Next choice", parent)
        self.lead = QLabel(self.body)
        self.switch = make_label(self.body, "dim")
        set_texts(self.switch, toolTip=sums.SWITCH_MEANING)
        self.bars = Bars(self.body, "Terms of the moves' scores")
        self.grid = FigureGrid(self.body, "Scores of the moves")
        self.more = make_label(self.body, "faint")
        self.written = make_frame(self.body, "tile")
        inner = lay_column(of=self.written, margins=(9, 7, 9, 8), spacing=3)
        self.symbols, self.numbers, self.result = (QLabel(self.written) for _ in range(3))
        self.symbols.setObjectName("dim")
        self.numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self.symbols, self.numbers, self.result):
            inner.addWidget(label)
        self.facts = Facts(
            (
                ("ΣN", "Visits of all moves here, including simulations in flight."),
                ("Constant", "Weight of exploration against values at present."),
                ("FPU", "First-play urgency: the Q assumed for a move without visits."),
                ("Noise", "Dirichlet noise mixed into the root's priors: (1 − ε) P + ε Dir(α)."),
                ("Root P", "What the settings did to the net's policy at the root, beside noise."),
                ("Move played", "The move that would be played now, with the interval of its value."),
                ("Under way", "Simulations in flight: they count in N at once, in Q when they finish."),
            ),
            self.body,
        )
        for label in (self.lead, self.switch, self.more, self.symbols, self.numbers, self.result):
            label.setWordWrap(True)
            label.setFont(figure_font(label.font()))
        for widget in (self.lead, self.switch, self.bars, self.grid, self.more, self.written, self.facts):
            self.add(widget)
        for picture in (self.bars, self.grid):
            picture.pointed.connect(self._point)
            picture.chosen.connect(self._choose)
        self._view: NodeView | None = None
        self._settings: SearchSettings | None = None
        self._pointed = self._chosen = -1  # actions
        self._of: object = None

    @property
    def written_action(self) -> int:
        """The move whose score is written out: under the pointer, else clicked, else the next; -1 for none."""
        view = self._view
        if view is None or view.choice is None:
            return -1
        legal = set(view.actions.tolist())
        wanted = (self._pointed, self._chosen, self._action(view.choice.next_index))
        return next((a for a in wanted if a in legal), int(view.actions[0]))

    def _action(self, edge: int) -> int:
        return int(self._view.actions[edge]) if self._view is not None and edge >= 0 else -1

    def show_view(self, view: NodeView, settings: SearchSettings | None) -> None:
        choice = view.choice
        if choice is None:
            return
        if view.position != self._of:
            self._of, self._chosen = view.position, -1
        self._view, self._settings = view, settings
        self.set_disc((view.position.game.name, view.position.to_move))
        names = [view.position.game.action_name(a) for a in view.actions.tolist()]
        rule, scored = view.selection, ["S"] if choice.has_score else []
        lead, turn = sums.next_words(choice, names, bool(view.proof) and choice.params.prove)
        self.lead.setText(lead)
        self.switch.setText(turn)
        self.switch.setVisible(bool(turn))
        u_title, u_meaning = column_words(COLUMN_INDEX["u"], rule)
        score_title, score_meaning = column_words(COLUMN_INDEX["score"], view.rule)
        self.grid.set_heads(
            ("Move", "N", "Q", *scored, u_title, score_title),
            (
                "▸ the next simulation enters; 2 has the next best score.",
                "Visits; + those in flight.",
                "Mean value for the side to move here, which is the one that chooses.",
                *([SCORE_MEANING] if scored else []),
                u_meaning,
                score_meaning,
            ),
        )
        self._fill()
        total = len(view.actions)
        hidden = total - len(self.grid.rows)
        self.more.setText(tr("and {hidden} more of the {total} moves, less visited").format(hidden=hidden, total=total))
        self.more.setVisible(hidden > 0)
        self.facts.set_text("ΣN", count(int(choice.total)))
        form = self._form()
        self.facts.set_text("Constant", sums.constant_words(choice, rule, form))
        self.facts.set_text("FPU", sums.unvisited_words(choice, rule, FPU_NAMES[choice.fpu[0]]))
        self.facts.set_text("Noise", sums.noise_words(settings, view))
        self.facts.set_text("Root P", sums.prior_words(settings, view))
        self.facts.set_text("Move played", sums.played_words(view, settings))
        self.facts.set_text("Under way", sums.inflight_words(choice, names))

    def _form(self) -> str:
        return self._settings.c_form if self._settings is not None else "c"

    def _fill(self) -> None:
        view = self._view
        if view is None or view.choice is None:
            return
        choice, names = view.choice, view.position.game.action_name
        proved = bool(view.proof) and choice.params.prove
        rows = []
        for i in sums.shown_edges(view, (choice.next_index, choice.second_index)):
            flying = int(choice.inflight[i])
            is_second = i == choice.second_index and choice.scores[i] > -math.inf
            sign = "" if proved else "▸" if i == choice.next_index else "2" if is_second else ""
            texts = (
                names(int(view.actions[i])),
                count(int(choice.visits[i])) + (f"+{flying}" if flying else ""),
                signed(float(choice.qs[i])),
                *([signed(float(choice.ss[i]))] if choice.has_score else []),
                plain(float(choice.us[i])) if view.selection != "flat" else plain(float(choice.us[i]), 0),
                plain(float(choice.scores[i])) if view.selection != "flat" else plain(float(choice.scores[i]), 0),
            )
            faint = not choice.visits[i] + flying or not choice.allowed[i]
            rows.append(GridRow(int(view.actions[i]), texts, sign, bool(faint)))
        action = self.written_action
        self.grid.show_rows(rows, action)
        self.bars.show_chart(score_chart(view, choice, proved), action)
        edge = view.actions.tolist().index(action)
        written = sums.written_sum(choice, view.selection, edge, self._form())
        self.symbols.setText(f"{names(action)}:  {written.symbols}")
        self.numbers.setText(f"=\u00a0{sums.unbroken(written.numbers)}")
        tail = "" if choice.allowed[edge] else tr("  — proved lost: not entered")
        result = written.result if written.result.startswith("=") else f"= {written.result}"
        self.result.setText((result if any(c.isdigit() for c in written.result) else written.result) + tail)

    def _point(self, action: int) -> None:
        self._pointed = action
        self._fill()

    def _choose(self, action: int) -> None:
        self._chosen = -1 if action == self._chosen else action
        self._fill()
