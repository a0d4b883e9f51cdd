"""The net's answer under every symmetry of the game, evaluated on request.  Knows a source and a Position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from gui.jobs.symmetry import SymmetryReader, refusal
from gui.language.language import mark, tr
from gui.model.timers import make_timer
from gui.rooms.inspector.arithmetic import MOST_ROWS
from gui.rooms.inspector.policy_bars import policy_dots, value_dots
from gui.rooms.inspector.speaker import speaker
from gui.widgets.bars import Bars
from gui.widgets.figures import percent, plain, signed
from gui.widgets.labels import make_label
from gui.widgets.sections import Facts, FigureGrid, GridRow, Section
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.engine.symmetry import SymmetryAnswer
    from core.games import Position

ASK_MS: Final = 200  # the net is asked once the selection has been unchanged for this long
PLUS_MINUS: Final = "±"


class SymmetrySection(Section):
    """The section with the net's answers under every symmetry, evaluated in a background thread."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Symmetries"), parent, opened=False)
        self.reader = SymmetryReader(self)
        self.note = make_label(self.body, "dim", wrap=True)
        self.facts = Facts(
            (
                (mark("V mean"), mark("Mean of the net's values over all symmetries, ± their standard deviation.")),
                (mark("Range"), mark("Lowest and highest value.")),
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
        self.value_dots = Bars(self.body, mark("Value under every symmetry"))
        self.policy_dots = Bars(self.body, mark("Policy under every symmetry"))
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
