"""The inspector of one node: the arithmetic of its next choice, values, policies, planes, symmetries.

A function of (Position, Snapshot) and of the settings and source in force; knows no other view.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from gui.board.board_paint import kind_of
from gui.inspector import arithmetic as sums
from gui.inspector.plane_boards import PlaneBoards
from gui.inspector.sections import Facts, FigureGrid, GridRow, Section
from gui.inspector.symmetry_reader import SymmetryReader, refusal
from gui.language.language import mark, tr
from gui.look.figures import COLUMN_INDEX, NONE, column_words, count, percent, plain, signed
from gui.look.theme import DARK, Theme, figure_font
from gui.look.words import outcome_text, proof_words

if TYPE_CHECKING:
    from core.games import Position
    from core.search import NodeView, SearchSettings, Snapshot
    from gui.state import PathOf
    from gui.window import MainWindow

MOST_ROWS: Final = 8
ASK_MS: Final = 200  # the symmetries are asked when the selection has rested so long
FPU_NAMES: Final = ("reduction", "loss", "zero")  # by the codes of core.search.settings
PLUS_MINUS: Final = "±"


def _shown_edges(view: NodeView, always: tuple[int, ...]) -> list[int]:
    """The edges worth a row: most visits first, then by prior; those of ``always`` are among them."""
    order = sorted(range(len(view.actions)), key=lambda i: (-int(view.visits_of[i]), -float(view.priors[i]), i))
    shown = order[:MOST_ROWS]
    missing = [i for i in dict.fromkeys(always) if i >= 0 and i not in shown]
    return shown[: MOST_ROWS - len(missing)] + missing


class ChoiceSection(Section):
    """The arithmetic of the next choice, and one move's sum written out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Next choice"), parent)
        self.lead = QLabel(self.body)
        self.switch = QLabel(self.body)
        self.switch.setObjectName("dim")
        self.switch.setToolTip(tr(sums.SWITCH_MEANING))
        self.grid = FigureGrid(self.body, mark("Scores of the moves"))
        self.more = QLabel(self.body)
        self.more.setObjectName("faint")
        self.written = QFrame(self.body)
        self.written.setObjectName("tile")
        inner = QVBoxLayout(self.written)
        inner.setContentsMargins(9, 7, 9, 8)
        inner.setSpacing(3)
        self.symbols, self.numbers, self.result = (QLabel(self.written) for _ in range(3))
        self.symbols.setObjectName("dim")
        self.numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self.symbols, self.numbers, self.result):
            inner.addWidget(label)
        self.facts = Facts(
            (
                ("ΣN", mark("Visits of all moves here, simulations on their way included.")),
                (mark("Constant"), mark("What weighs exploration against the values, as it stands now.")),
                ("FPU", mark("First-play urgency: the value that stands for Q of a move without visits.")),
                (mark("Noise"), mark("Dirichlet noise mixed into the root's priors: (1 − ε) P + ε Dir(α).")),
                (mark("Virtual loss"), mark("Simulations under way count as lost until they are back.")),
            ),
            self.body,
        )
        for label in (self.lead, self.switch, self.more, self.symbols, self.numbers, self.result):
            label.setWordWrap(True)
            label.setFont(figure_font(label.font()))
        for widget in (self.lead, self.switch, self.grid, self.more, self.written, self.facts):
            self.add(widget)
        self.grid.pointed.connect(self._point)
        self.grid.chosen.connect(self._choose)
        self._view: NodeView | None = None
        self._settings: SearchSettings | None = None
        self._pointed = self._chosen = -1  # actions
        self._of: object = None

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.grid.set_theme(theme)

    @property
    def written_action(self) -> int:
        """The move whose sum is written: under the pointer, else clicked, else the next; -1 for none."""
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
        names = [view.position.game.action_name(a) for a in view.actions.tolist()]
        rule = view.selection
        lead, turn = sums.next_words(choice, names, bool(view.proof) and choice.params.prove)
        self.lead.setText(lead)
        self.switch.setText(turn)
        self.switch.setVisible(bool(turn))
        u_title, u_meaning = column_words(COLUMN_INDEX["u"], rule)
        score_title, score_meaning = column_words(COLUMN_INDEX["score"], rule)
        self.grid.set_heads(
            (mark("Move"), "N", "Q", u_title, score_title),
            (
                mark("▸ the next simulation enters; 2 has the next best score."),
                mark("Visits; + on their way."),
                mark("Mean value for the side to move here, those on their way counted as lost."),
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
        self.facts.set_text("FPU", sums.unvisited_words(choice, rule, FPU_NAMES[choice.params.fpu]))
        self.facts.set_text("Noise", sums.noise_words(settings, view))
        self.facts.set_text("Virtual loss", sums.inflight_words(choice, names))

    def _form(self) -> str:
        return self._settings.c_form if self._settings is not None else "c"

    def _fill(self) -> None:
        view = self._view
        if view is None or view.choice is None:
            return
        choice, names = view.choice, view.position.game.action_name
        proved = bool(view.proof) and choice.params.prove
        rows = []
        for i in _shown_edges(view, (choice.next_index, choice.second_index)):
            flying = int(choice.inflight[i])
            is_second = i == choice.second_index and choice.scores[i] > -math.inf
            mark = "" if proved else "▸" if i == choice.next_index else "2" if is_second else ""
            texts = (
                names(int(view.actions[i])),
                count(int(choice.visits[i])) + (f"+{flying}" if flying else ""),
                signed(float(choice.qs[i])),
                plain(float(choice.us[i])) if view.selection != "flat" else plain(float(choice.us[i]), 0),
                plain(float(choice.scores[i])) if view.selection != "flat" else plain(float(choice.scores[i]), 0),
            )
            faint = not choice.visits[i] + flying or not choice.allowed[i]
            rows.append(GridRow(int(view.actions[i]), texts, mark, bool(faint)))
        action = self.written_action
        self.grid.show_rows(rows, action)
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


class PolicySection(Section):
    """The net's policy, with noise, by visits, and as a net would learn it, in one row for each move."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Policies"), parent)
        self.grid = FigureGrid(self.body, mark("Policies of the moves"))
        self.measures = FigureGrid(self.body, mark("Entropy and divergence"))
        self.measures.set_heads(
            (mark("nats"), "", "", "", ""), (mark("Entropy H, and KL(· ‖ P): how far each lies from the net's."),) * 5
        )
        self.add(self.grid)
        self.add(self.measures)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.grid.set_theme(theme)
        self.measures.set_theme(theme)

    def show_view(self, view: NodeView) -> None:
        choice = view.choice
        if choice is None:
            return
        last = {"puct": tr("π pruned"), "gumbel": "π′"}.get(view.selection, tr("π target"))
        noisy = bool((view.priors != view.net_priors).any())
        heads = (tr("Move"), "P", tr("P scaled") if view.left_out else tr("P noise"), "π", last)
        tips = (
            tr("The move."),
            tr("Prior as the net gave it, over the legal moves."),
            tr("Prior as selection uses it: root noise mixed in, scaled to sum 1 where only some moves are searched."),
            tr("Share of the visits."),
            {
                "puct": tr(
                    "Visits without those that only noise or early doubt explains (KataGo, section 3.2), no proved "
                    "loss among them: what a net would learn."
                ),
                "gumbel": tr(
                    "Improved policy: the prior, raised where Q is above the node's value: what a net would learn."
                ),
            }.get(view.selection, tr("Visits without proved losses: what a net would learn.")),
        )
        self.grid.set_heads(heads, tips)
        visits = choice.visits.astype(float)
        pi = visits / max(1.0, float(visits.sum()))
        columns = (view.net_priors.astype(float), view.priors.astype(float), pi, choice.target)
        names = view.position.game.action_name
        best = view.best_index
        rows = []
        for i in _shown_edges(view, (best,)):
            texts = [percent(float(column[i])) for column in columns]
            if not noisy:
                texts[1] = NONE
            mark = "●" if i == best else ""
            rows.append(GridRow(int(view.actions[i]), (names(int(view.actions[i])), *texts), mark))
        self.grid.show_rows(rows)
        columns = (columns[0] / columns[0].sum(), *columns[1:])  # of the moves searched
        entropies = [plain(sums.entropy(column), 2) for column in columns]
        apart = [plain(sums.divergence(column, columns[0]), 2) for column in columns]
        if not noisy:
            entropies[1] = apart[1] = NONE
        apart[0] = NONE
        self.measures.show_rows((GridRow(-2, ("H", *entropies)), GridRow(-3, ("KL", *apart))))
        self.set_summary(f"KL(π ‖ P) {apart[2]}")


class SymmetrySection(Section):
    """The net's answer under every symmetry of the game, asked beside the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Symmetries"), parent, opened=False)
        self.reader = SymmetryReader(self)
        self.note = QLabel(self.body)
        self.note.setObjectName("dim")
        self.note.setWordWrap(True)
        self.facts = Facts(
            (
                (mark("V mean"), mark("Mean of the net's values over all symmetries, ± their standard deviation.")),
                (mark("Range"), mark("The least and the greatest of them.")),
                (mark("V of each"), mark("The value under each symmetry; the first is the board as it stands.")),
            ),
            self.body,
        )
        self.grid = FigureGrid(self.body, mark("Policy over the symmetries"))
        self.grid.set_heads(
            (mark("Move"), "P", mark("mean"), PLUS_MINUS),
            (
                mark("The move."),
                mark("The net's policy on the board as it stands."),
                mark("Its mean over all symmetries, each carried back to this board."),
                mark("Standard deviation over the symmetries."),
            ),
        )
        for widget in (self.note, self.facts, self.grid):
            self.add(widget)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(ASK_MS)
        self._later.timeout.connect(self._ask)
        self._wanted: tuple[Any, Position] | None = None
        self._told: tuple[object, Position] | None = None  # what the figures are of
        self.turned.connect(lambda _: self._renew())
        self.reader.answered.connect(self._take)
        self.reader.failed.connect(self._say)
        self.reader.phase_changed.connect(self._phase)
        self._say("")

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.grid.set_theme(theme)

    def show_position(self, source: Any, position: Position | None) -> None:
        """The position to ask about; nothing is asked while it is folded."""
        self._wanted = None if position is None else (source, position)
        self._renew()

    def stop(self) -> None:
        """Nothing is asked later."""
        self._later.stop()
        self.reader.forget()

    def _renew(self) -> None:
        if not self.opened or self._wanted is None:
            self.stop()
            return
        source, position = self._wanted
        refused = refusal(source, position)
        if refused:
            self.stop()
            self._told = None
            self._say(refused)
        elif self._told != (source.label, position):
            self._told = (source.label, position)
            self._later.start()

    def _ask(self) -> None:
        if self._wanted is not None:
            self.reader.ask(*self._wanted)

    def _phase(self, text: str) -> None:
        if text:
            self.note.setText(text)
            self.note.show()

    def _say(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        self.facts.hide()
        self.grid.hide()
        self.set_summary("")

    def _take(self, answer: Any) -> None:
        position = answer.position
        mover = kind_of(position.game.name).players[position.to_move]
        self.note.hide()
        self.facts.show()
        self.grid.show()
        mean, spread = answer.value_mean, answer.value_spread
        self.facts.set_text(
            "V mean",
            tr("{mean} {plus_minus} {spread} for {mover}").format(
                mean=signed(mean), plus_minus=PLUS_MINUS, spread=plain(spread), mover=mover
            ),
        )
        low, high = float(answer.values.min()), float(answer.values.max())
        self.facts.set_text("Range", tr("{low} to {high}").format(low=signed(low), high=signed(high)))
        self.facts.set_text("V of each", "  ".join(signed(v) for v in answer.values.tolist()))
        means, spreads = answer.policy_mean, answer.policy_spread
        order = sorted(range(len(answer.actions)), key=lambda i: (-float(means[i]), i))[:MOST_ROWS]
        self.grid.show_rows(
            [
                GridRow(
                    answer.actions[i],
                    (
                        position.game.action_name(answer.actions[i]),
                        percent(float(answer.policies[0, i])),
                        percent(float(means[i])),
                        percent(float(spreads[i])),
                    ),
                )
                for i in order
            ]
        )
        self.set_summary(f"V {signed(mean)} {PLUS_MINUS} {plain(spread)}")


class Inspector(QWidget):
    """Shows one node at a time.  ``shown`` tells that it came into sight and wants its figures."""

    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.note = QLabel(self), QLabel(self)
        self.title.setObjectName("strong")
        self.note.setObjectName("dim")
        self.title.setFont(figure_font(self.title.font(), 1.05, bold=True))
        for label in (self.title, self.note):
            label.setWordWrap(True)
            label.setContentsMargins(12, 0, 10, 0)
        page = QWidget(self)
        page.setObjectName("inspector")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 4, 0, 8)
        column.setSpacing(2)
        column.addWidget(self.title)
        column.addWidget(self.note)
        self.choice = ChoiceSection(page)
        self.value = Section(mark("Value"), page)
        self.values = Facts(
            (
                (mark("Net V"), mark("The net's own value of this position, before any search below it.")),
                (mark("Searched"), mark("The mean of all simulations through this node, from both sides.")),
                (mark("Difference"), mark("Searched value less the net's.")),
                (mark("Value"), mark("Nothing has valued this position yet.")),
                (mark("Proof"), mark("The result with best play, proved by the search, and its distance.")),
            ),
            self.value.body,
        )
        self.value.add(self.values)
        self.policies = PolicySection(page)
        self.planes_section = Section(mark("Net input"), page, opened=False)
        self.planes = PlaneBoards(self.planes_section.body)
        self.planes_section.add(self.planes)
        self.symmetries = SymmetrySection(page)
        self.sections = (self.choice, self.value, self.policies, self.planes_section, self.symmetries)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.setAccessibleName(tr("Inspector"))
        self.set_theme(DARK)
        self.show_node(None, (), None, None, None)

    def sizeHint(self) -> QSize:
        return QSize(320, 520)

    def set_theme(self, theme: Theme) -> None:
        for section in self.sections:
            section.set_theme(theme)
        self.planes.set_theme(theme)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def show_node(
        self,
        position: Position | None,
        path: PathOf,
        snapshot: Snapshot | None,
        settings: SearchSettings | None,
        source: Any,
    ) -> None:
        """``position`` is that of the node at ``path`` below the snapshot's."""
        view = None if snapshot is None else snapshot.root if not path else snapshot.opened.get(path)
        self.planes.show_position(position)
        self.symmetries.show_position(source, position)
        if position is None:
            self.title.setText(tr("No position"))
            self._say(tr("Open a game to look into its search."))
            return
        players = kind_of(position.game.name).players
        mover, other = players[position.to_move], players[1 - position.to_move]
        where = tr("After {moves}").format(moves=" ".join(_names(position, path))) if path else tr("Root")
        self.title.setText(f"{where} · {outcome_text(position, players)[0]}")
        if view is None or view.choice is None or position.is_over:
            self._say(self._why_empty(position, path, snapshot))
            above = None if snapshot is None or not path else self._above(snapshot, path)
            self._show_leaf(above, path, mover, other)
            return
        self._say("")
        self.choice.setVisible(True)
        self.policies.setVisible(True)
        self.choice.show_view(view, settings)
        self.policies.show_view(view)
        facts = dict(sums.value_words(view, mover, other))
        proof = proof_words(view, mover)
        facts["Proof"] = f"{proof[0].upper()}{proof[1:]}" if proof else tr("nothing proved yet") if view.visits else ""
        self._show_values(facts)
        known = view.q if view.visits else view.value
        self.value.set_summary(
            proof
            or ("" if math.isnan(known) else tr("{known} for {mover}").format(known=signed(known, 2), mover=mover))
        )

    def _show_values(self, facts: dict[str, str]) -> None:
        self.value.setVisible(any(facts.values()))
        for name in ("Net V", "Searched", "Difference", "Value", "Proof"):
            self.values.set_text(name, facts.get(name, ""))

    def _above(self, snapshot: Snapshot, path: PathOf) -> NodeView | None:
        return snapshot.root if len(path) == 1 else snapshot.opened.get(path[:-1])

    def _show_leaf(self, above: NodeView | None, path: PathOf, mover: str, other: str) -> None:
        """What the node above says of a move that has no moves of its own in the tree."""
        row = None if above is None else next((row for row in above.rows if row.action == path[-1]), None)
        facts = {}
        if row is not None:
            if not math.isnan(row.value):
                facts["Net V"] = tr("{value} for {mover}, who is to move").format(value=signed(-row.value), mover=mover)
            if row.visits:
                facts["Searched"] = tr("{q} for {mover} · {q_2} for {other}").format(
                    q=signed(-row.q), mover=mover, q_2=signed(row.q), other=other
                )
            if row.proof:
                words = tr("{result} in {plies} for {player}, this move counted")
                if not row.distance:
                    words = tr("{result} for {player}, this move counted")
                facts["Proof"] = words.format(result=tr(row.proof), plies=row.distance, player=other)
        self.value.set_summary("")
        self._show_values(facts)

    def _why_empty(self, position: Position, path: PathOf, snapshot: Snapshot | None) -> str:
        if position.is_over:
            return tr("The game is over here: there is nothing to choose.")
        if snapshot is None:
            return tr("Not analysed yet: Space starts the search.")
        if not path:
            return tr("The search has not looked at this position yet.")
        nodes = [snapshot.root, *(snapshot.opened.get(path[:i]) for i in range(1, len(path)))]
        if any(
            node is not None and not any(row.visits for row in node.rows if row.action == action)
            for node, action in zip(nodes, path, strict=True)
        ):
            return tr("Not in the tree: no simulation has come here.")
        return tr("A leaf of the tree: its moves are not opened yet, so there is nothing to choose.")

    def _say(self, sentence: str) -> None:
        """Why there are no figures; "" when there are."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        if sentence:
            for section in (self.choice, self.value, self.policies):
                section.setVisible(False)


def _names(position: Position, path: PathOf) -> list[str]:
    names = [position.game.action_name(a) for a in path]
    return names if len(names) <= 6 else ["…", *names[-5:]]


def connect_inspector(window: MainWindow, widget: QWidget) -> None:
    """Keep the inspector on the selected node while it is in sight."""
    assert isinstance(widget, Inspector)
    state, session = window.state, window.session

    def renew(*_: object) -> None:
        if not widget.isVisible():
            return
        position, path = state.position, state.selected
        if position is not None:
            for action in path:
                position = position.play(action)
        widget.show_node(position, path, session.snapshot, state.settings, state.source)

    for signal in (
        session.figured,
        state.position_changed,
        state.selection_changed,
        state.search_changed,
        widget.shown,
    ):
        signal.connect(renew)
    renew()
