"""The sections of a node about the net: its input, policies, values and answers under symmetries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from core.text import Text
from gui.jobs.net_answers import SymmetryReader, refusal
from gui.language.language import begun, tr
from gui.model.timers import make_timer
from gui.rooms.why import arithmetic as sums
from gui.rooms.why.arithmetic import MOST_ROWS, Speaker, speaker, value_words
from gui.rooms.why.bars import interval_chart, interval_words, policy_chart, policy_dots, value_dots
from gui.widgets.bars import Bars, Histogram
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.plane_boards import PlaneBoards
from gui.widgets.figures import NONE, OTHER_PROOF, count, divergence, percent, plain, result_words, signed
from gui.widgets.labels import make_label
from gui.widgets.sections import Facts, FigureGrid, GridRow, Section
from gui.widgets.texts import on_language, set_texts
from gui.widgets.words import proof_words

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.engine.symmetry import SymmetryAnswer
    from core.games import GameSpec, Position
    from core.games.encoding import Encoding
    from core.glass import MoveRow, NodeView
    from core.glass.leaf_values import LeafValues

RECIPE: Final = "recipe: "  # how the encoding of a net with a recipe begins (models.netfiles.recipe)


def recipe_encoding(game: GameSpec, name: str) -> Encoding | None:
    """Return the encoding of a net with a recipe, with the recipe's planes; None when ``name`` is of another."""
    if not name.startswith(RECIPE):
        return None
    from models.netfiles.recipe import planes_of

    return game.encodings[0]._replace(name=name, planes=planes_of(name))


class InputSection(Section):
    """The section with the input in one encoding; that of the game itself has four planes and no features."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Net input", parent, opened=False)
        self.note = make_label(self.body, "dim", wrap=True)
        self.planes = PlaneBoards(self.body)
        self.features: Facts | None = None  # of the encoding shown; None where it has none
        self._shown: tuple[Position | None, Encoding | None] = (None, None)
        self.add(self.note)
        self.add(self.planes)
        self.note.hide()
        on_language(self, self._write_note)

    def show_input(self, position: Position | None, encoding: Encoding | None) -> None:
        """Show what a net of ``encoding`` is given; None: the game's own planes."""
        if (position, encoding) == self._shown:
            return
        before = self._shown[1]
        self._shown = (position, encoding)
        if encoding != before:
            self._take_features(encoding)
        self.note.setVisible(encoding is not None)
        self._write_note()
        if position is None or encoding is None:
            self.planes.show_position(position)
            return
        if encoding.name.startswith(RECIPE):
            from models.netfiles.recipe_planes import shown_planes

            shown = shown_planes(encoding.planes, position)
            self.planes.show_position(position, shown.tolist(), encoding.planes)
            return
        from core.games.net_inputs import inputs_of

        inputs = inputs_of(position, encoding)
        self.planes.show_position(position, inputs.planes[0].tolist(), encoding.planes)
        if self.features is not None:
            for name, value in zip(encoding.features, inputs.features[0].tolist(), strict=True):
                self.features.set_text(name, plain(value, 0 if value == round(value) else 3))

    def _take_features(self, encoding: Encoding | None) -> None:
        if self.features is not None:
            self.features.hide()
            self.features.deleteLater()
            self.features = None
        if encoding is not None and encoding.features:
            self.features = Facts([(name, name) for name in encoding.features], self.body)
            self.add(self.features)

    def _write_note(self) -> None:
        position, encoding = self._shown
        recipe = encoding is not None and encoding.name.startswith(RECIPE)
        self.set_summary(tr("by a recipe") if recipe else encoding.name if encoding is not None else "")
        if position is not None and encoding is not None:
            mover = kind_of(position.game.name).players[position.to_move]
            words = tr("As {mover} (to move) sees the board: own stones are those of {mover}.")
            self.note.setText(words.format(mover=mover))


MOST_NAMES: Final = 6  # of worse moves


class PolicySection(Section):
    """The section with a row for each move: the net's policy, with noise, by visits, the target of training."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Policies", parent)
        self.grid = FigureGrid(self.body, "Policies of the moves")
        self.measures = FigureGrid(self.body, "Entropy and divergence")
        self.measures.set_heads(
            ("nats", "", "", "", ""), (Text("Entropy H, and KL(· ‖ P): how far each lies from the net's."),) * 5
        )
        self.bars = Bars(self.body, "Net policy and visits of the moves")
        self.worse = Facts(
            (
                (
                    "Worse moves",
                    (
                        "Moves whose value is lower by 0.1 or more than that of the move played now: exact where it is "
                        "proved, else Q. P on them is what the net gives to moves that the search rejects."
                    ),
                ),
                (
                    "Wrong moves",
                    (
                        "Moves with a worse exact result than the best one. Known where the position was solved: by "
                        "the overlay of exact results, or by “Why not?”."
                    ),
                ),
            ),
            self.body,
        )
        for widget in (self.bars, self.grid, self.measures, self.worse):
            self.add(widget)

    def show_view(self, view: NodeView, exact: Mapping[int, int]) -> None:
        """Show a node; ``exact``: the exact values of its moves, {} where they are not known."""
        choice = view.choice
        if choice is None:
            return
        last = {"puct": tr("π pruned"), "gumbel": "π′"}.get(view.selection, tr("π target"))
        changed = view.has_priors and bool((view.priors != view.net_priors).any())
        heads = (tr("Move"), "P", tr("P scaled") if view.left_out else tr("P noise"), "π", last)
        tips = (
            "",
            tr("The net's prior over the legal moves; uniform without a net."),
            tr("Prior as selection uses it: root noise mixed in, scaled to sum 1 where only some moves are searched."),
            "",
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
        edges = sums.shown_edges(view, (best,))
        self.bars.show_chart(policy_chart(view, edges, columns[0].tolist(), columns[2].tolist()))
        for i in edges:
            texts = [percent(float(column[i])) for column in columns]
            if not changed:
                texts[1] = NONE
            sign = "●" if i == best else ""
            rows.append(GridRow(int(view.actions[i]), (names(int(view.actions[i])), *texts), sign))
        self.grid.show_rows(rows)
        columns = (columns[0] / columns[0].sum(), *columns[1:])  # over the moves searched
        entropies = [plain(sums.entropy(column), 2) for column in columns]
        apart = [plain(divergence(column, columns[0]), 2) for column in columns]
        if not changed:
            entropies[1] = apart[1] = NONE
        apart[0] = NONE
        self.measures.show_rows((GridRow(-2, ("H", *entropies)), GridRow(-3, ("KL", *apart))))
        self.worse.set_text("Worse moves", worse_words(view, None))
        self.worse.set_text("Wrong moves", worse_words(view, exact) if exact else "")
        self.set_summary(f"KL(π ‖ P) {apart[2]}")


def worse_words(view: NodeView, exact: Mapping[int, int] | None) -> str:
    """Return the policy on the moves that the search, or the ``exact`` values, hold to be worse."""
    from core.glass.worse import find_worse

    worse = find_worse(view, exact)
    if worse is None:
        return ""
    names = [view.position.game.action_name(action) for action in worse.actions]
    listed = ", ".join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")
    words = tr("π {share} on {moves}") if math.isnan(worse.prior) else tr("P {prior}, π {share} on {moves}")
    text = words.format(prior=percent(worse.prior), share=percent(worse.share), moves=listed) if names else tr("none")
    if worse.unknown > 0:
        text += tr("; P {prior} on moves without visits").format(prior=percent(worse.unknown))
    return text


class ValueSection(Section):
    """The section with the values, each with the player it is for."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Value", parent)
        self.facts = Facts(
            (
                ("Net V", "The net's own value of this position, before any search below it."),
                ("Searched", "The mean of all simulations through this node, from both sides."),
                ("Difference", ""),
                ("Value", "This position has no value yet."),
                ("Proof", "The result with best play, proved by the search, and its distance."),
            ),
            self.body,
        )
        self.histogram = Histogram(self.body, "Values at the leaves")
        set_texts(
            self.histogram,
            toolTip="How often each value was found at the end of a simulation through this node: the net's value of "
            "the leaf, or the result of a random or finished game, for the player named below. Dashed: their mean, and "
            "the net's own value of this node.",
        )
        self.counted = make_label(self.body, "faint", wrap=True)
        self.moves = Bars(self.body, "Q of the moves with its interval")
        self.interval = make_label(self.body, "faint", wrap=True)
        for widget in (self.facts, self.moves, self.interval, self.histogram, self.counted):
            self.add(widget)
        self._shown: tuple[NodeView, Speaker] | None = None  # the node whose moves are shown
        self._leaves: LeafValues | None = None
        self.show_leaves(None, None, math.nan)

    def show_view(self, view: NodeView, who: Speaker) -> None:
        """Show a node whose moves are in the tree."""
        self._shown = view, who
        self._show_moves()
        facts = dict(value_words(view, who))
        proof = proof_words(view, who.name, who.sign)
        facts["Proof"] = begun(proof) if proof else tr("nothing proved yet") if view.visits else ""
        known = view.q if view.visits else view.value
        if not proof and not math.isnan(known):
            proof = tr("{value} for {player}").format(value=signed(who.sign * known, 2), player=who.name)
        self._show(facts, proof, who)

    def show_leaf(self, row: MoveRow | None, who: Speaker) -> None:
        """Show a leaf by its parent's row for the move; None: nothing."""
        self._shown = None
        self._show_moves()
        facts = {}
        if row is not None:
            if not math.isnan(row.value):
                facts["Net V"] = who.words(signed(-who.sign * row.value))
            if row.visits:
                facts["Searched"] = tr("{q} for {mover} · {q_2} for {other}").format(
                    q=signed(-who.sign * row.q), mover=who.name, q_2=signed(who.sign * row.q), other=who.other
                )
            if row.proof:
                words = tr("{result} for {player}, this move counted")
                result, player = row.proof, who.other
                if who.fixed and who.sign > 0:
                    result, player = OTHER_PROOF[result], who.name
                elif who.sign < 0:
                    player = who.name
                facts["Proof"] = words.format(
                    result=result_words(result, row.distance, row.distance_at_most), player=player
                )
        self._show(facts, "", who)

    def show_leaves(self, leaves: LeafValues | None, who: Speaker | None, net: float, elsewhere: bool = False) -> None:
        """Show the distribution of leaf values below this node; None hides it, or says that it is ``elsewhere``."""
        if leaves is not self._leaves:
            self._leaves = leaves
            self._show_moves()
        known = leaves is not None and leaves.simulations > 0
        self.histogram.setVisible(known)
        self.counted.setVisible(known or elsewhere)
        if elsewhere:
            self.counted.setText(tr("The values at the leaves are not available for a search on another machine."))
        if leaves is None or who is None or not known:
            return
        mean, counts = who.sign * leaves.mean, leaves.counts.tolist()[:: who.sign]
        words = tr("Leaf values of {counted} of {of} simulations, mean {mean} for {mover}").format(
            counted=count(leaves.simulations), of=count(leaves.of), mean=signed(mean), mover=who.name
        )
        ends = tr("−1 lost for {mover}").format(mover=who.name), tr("+1 won")
        lines = (mean, "text", tr("mean")), (who.sign * net, "prior", tr("net V"))
        self.histogram.show_counts(counts, lines, ends, words)
        self.counted.setText(words)

    def _show_moves(self) -> None:
        """Show Q of the moves with its intervals, which may need the spread of the leaf values."""
        shown = self._shown if self._shown is not None and self._shown[0].visits_of.any() else None
        for widget in (self.moves, self.interval):
            widget.setVisible(shown is not None)
        if shown is not None:
            view, who = shown
            spreads = self._leaves.spreads if self._leaves is not None else None
            self.moves.show_chart(interval_chart(view, spreads, who.sign))
            self.interval.setText(interval_words(view))

    def _show(self, facts: dict[str, str], summary: str, who: Speaker) -> None:
        self.set_disc(who.disc)
        self.setVisible(any(facts.values()))
        for name in ("Net V", "Searched", "Difference", "Value", "Proof"):
            self.facts.set_text(name, facts.get(name, ""))
        self.set_summary(summary)


ASK_MS: Final = 200  # the net is asked once the selection has been unchanged for this long
PLUS_MINUS: Final = "±"


class SymmetrySection(Section):
    """The section with the net's answers under every symmetry, evaluated in a background thread."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Symmetries", parent, opened=False)
        self.reader = SymmetryReader(self)
        self.note = make_label(self.body, "dim", wrap=True)
        self.facts = Facts(
            (
                ("V mean", "Mean of the net's values over all symmetries, ± their standard deviation."),
                ("Range", ""),
                ("V of each", "The value under each symmetry; the first is the board as it stands."),
            ),
            self.body,
        )
        self.grid = FigureGrid(self.body, "Policy over the symmetries")
        self.grid.set_heads(
            ("Move", "P", "mean", PLUS_MINUS),
            (
                "",
                "The net's policy on the board as it stands.",
                "Its mean over all symmetries, each carried back to this board.",
                "",
            ),
        )
        self.value_dots = Bars(self.body, "Value under every symmetry")
        self.policy_dots = Bars(self.body, "Policy under every symmetry")
        for widget in (self.note, self.value_dots, self.facts, self.policy_dots, self.grid):
            self.add(widget)
        self._later = make_timer(self, ASK_MS, self._ask, once=True)
        self._wanted: tuple[EvaluatorSource | None, Position] | None = None
        self._shown_for: tuple[object, Position] | None = None  # what the figures are of
        self._answer: SymmetryAnswer | None = None  # shown
        self.player = -1  # whose values are shown; -1: those of the side to move
        self.toggled.connect(lambda _: self._renew())
        on_language(self, self._show_again)
        self.reader.answered.connect(self._take)
        self.reader.failed.connect(self._show_note)
        self.reader.phase_changed.connect(self._phase)
        self._show_note("")

    def show_position(self, source: EvaluatorSource | None, position: Position | None) -> None:
        """Set the position to evaluate; nothing is evaluated while the section is folded."""
        self._wanted = None if position is None else (source, position)
        self._renew()

    def set_player(self, player: int) -> None:
        """Show the values of a player; -1: of the side to move."""
        self.player = player
        self._show_again()

    def stop(self) -> None:
        """Cancel pending and running requests."""
        self._later.stop()
        self.reader.forget()

    def _renew(self) -> None:
        if not self.opened or self._wanted is None:
            self.stop()
            return
        source, position = self._wanted
        refused = refusal(source, position)
        if source is None or refused:
            self.stop()
            self._shown_for = None
            self._show_note(refused)
        elif self._shown_for != (source.label, position):
            self._shown_for = (source.label, position)
            self._later.start()

    def _ask(self) -> None:
        if self._wanted is not None and self._wanted[0] is not None:
            source, position = self._wanted
            assert source is not None
            self.reader.ask(source, position)

    def _phase(self, text: str) -> None:
        self.note.setText(text)
        self.note.show()

    def _show_again(self) -> None:
        if self._answer is not None:
            self._take(self._answer)

    def _show_note(self, sentence: str) -> None:
        self._answer = None
        set_texts(self.note, text=sentence)
        self.note.setVisible(bool(sentence))
        for widget in (self.value_dots, self.policy_dots, self.facts, self.grid):
            widget.hide()
        self.set_summary("")

    def _take(self, answer: SymmetryAnswer) -> None:
        self._answer, position = answer, answer.position
        self.note.hide()
        for widget in (self.value_dots, self.policy_dots, self.facts, self.grid):
            widget.show()
        who = speaker(position, self.player)
        self.set_disc(who.disc)
        self.value_dots.show_chart(value_dots(answer, who.sign))
        self.policy_dots.show_chart(policy_dots(answer))
        values = [who.sign * v for v in answer.values.tolist()]
        mean, spread = who.sign * answer.value_mean, answer.value_spread
        self.facts.set_text(
            "V mean",
            tr("{mean} {plus_minus} {spread} for {mover}").format(
                mean=signed(mean), plus_minus=PLUS_MINUS, spread=plain(spread), mover=who.name
            ),
        )
        low, high = min(values), max(values)
        self.facts.set_text("Range", tr("{low} to {high}").format(low=signed(low), high=signed(high)))
        self.facts.set_text("V of each", "  ".join(map(signed, values)))
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
