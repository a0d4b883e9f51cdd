"""The part that shows on which stones the net's move depends, beside those on which the exact answer does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtWidgets import QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, stopped, tr
from gui.model.shown import RINGS, CellShown, CellsShown
from gui.rooms.inside.heat_boards import HeatBoard, HeatBoards
from gui.rooms.inside.part import InsidePart
from gui.widgets.figures import percent, signed
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column
from gui.widgets.room import scroll_down
from gui.widgets.segments import Segments
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import on_theme

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.stones import Stone, Stones

BY_MOVE, BY_VALUE = "by_move", "by_value"
BY: Final[dict[str, Words]] = {BY_MOVE: "The move", BY_VALUE: "The value"}
BY_TIPS: Final[tuple[Words, ...]] = (
    "How much the net's move depends on each stone, by SARFA.",
    "By how much V falls, or rises, without each stone, for the side to move.",
)
TITLES: Final[dict[str, tuple[Words, Words]]] = {
    BY_MOVE: ("The move needs it", "The move gains without it"),
    BY_VALUE: ("V falls without it", "V rises without it"),
}
STEPS: Final[dict[str, tuple[Words, Words]]] = {
    BY_MOVE: ("needs the stone", "gains without it"),
    BY_VALUE: ("falls without it", "rises without it"),
}
EXACT: Final[Words] = "The exact answer needs it"
TIP: Final[Words] = (
    "{cell}: SARFA {sarfa}, V changes by {value} without it; the exact answer differs in {truth} of {count} tests"
)
RINGS_TIP: Final[Words] = (
    "The outer ring is drawn as far as the net's move, by SARFA, or its V depends on the stone; the inner one in the "
    "share of the same tests in which the exact answer differs. No ring: the rules allow no test of the stone."
)
NO_TIP: Final[Words] = "{cell}: the rules allow no test of this stone"
EXPLAINED: Final[Words] = (
    "The move ringed in blue is the net's. Each stone is tested by positions without it, or where it has changed "
    "places with a stone of the other player, each reached by legal moves."
)
PASSED: Final[Words] = (
    "The move ringed in blue is the net's. Each stone is tested by a position in which its player passed instead of "
    "placing it, reached by legal moves."
)
THICK: Final[dict[str, Words]] = {
    BY_MOVE: "The thicker its ring, the more the net's P of this very move falls (first board) or rises (second) "
    "against the other moves: SARFA from 0 to 1, the median of its tests.",
    BY_VALUE: "The thicker its ring, the more V falls (first board) or rises (second) for the side to move: the median "
    "of its tests, from 0 to 1.",
}
EXACT_EXPLAINED: Final[Words] = (
    "Third board: the share of the tests with an exact answer in which the value is another, or the move becomes right "
    "or wrong."
)


class StonesPart(InsidePart):
    """Boards on which each stone is as hot as the net's move, or the exact answer, depends on it."""

    def __init__(self, context: Context, reader: InsideReader) -> None:
        super().__init__(reader)
        self._session = context.session
        self.found: Stones | None = None
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.by = Segments(tuple(BY), BY_TIPS, self.body)
        for name, title in BY.items():
            set_texts(self.by.buttons[name], text=title)
        self.by.chosen.connect(lambda _: self._renew())
        self.on_board = self.board_box(self.body)
        inner = QWidget(self.body)
        self.boards = HeatBoards(inner, "Stones that matter", 210, most=360)
        self.explained = make_label(inner, "dim", wrap=True)
        lay_column(self.boards, self.explained, 1, of=inner, margins=(12, 4, 10, 8), spacing=8)
        area = scroll_down(inner, self.body, "Stones that matter")
        top = self.lay_head(self.sentence, self.by, self.on_board)
        lay_column(top, (area, 1), of=self.body, margins=0, spacing=2)
        context.session.snapshot_for_text.connect(lambda _: self._take_proof())
        on_language(self, self._renew)
        on_theme(self, self._renew)

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> Stones | None:
        return find_stones(net, position, stale, report)

    def show_report(self, value: Stones) -> None:
        """Show the net's side while the exact answers are still looked for."""
        self.show_answer(value)
        self.show_body()

    def show_answer(self, answer: Stones) -> None:
        self.found = answer
        self._renew()
        self._take_proof()

    def forget_answer(self) -> None:
        self.found = None

    def cells(self) -> CellsShown | None:
        return None if self.found is None else stone_cells(self.found, self.answered[1], self.by.choice)

    def _take_proof(self) -> None:
        """Add what the search has proved of the position by now, where there is no other exact answer."""
        from models.inside.stones import with_proof
        from models.inside.truth import proved_truth

        found, snapshot = self.found, self._session.snapshot
        if found is None or snapshot is None or not snapshot.root.proof or snapshot.position != found.position:
            return
        self.found = with_proof(found, proved_truth(snapshot.root))
        if self.found != found:
            self._renew()

    def _renew(self) -> None:
        from models.inside.changes import cells_of

        found = self.found
        if found is None:
            return
        self.sentence.setText(begun(stopped(core_text(found.sentence))))
        position, shape, by = found.position, found.position.game.shape, self.by.choice
        needs, gains, exact = np.zeros((3, *shape), np.float32)
        tips = [""] * position.game.num_cells
        for stone in found.stones:
            needs.flat[stone.cell] = max(0.0, need_of(stone, by))
            gains.flat[stone.cell] = max(0.0, -need_of(stone, by))
            exact.flat[stone.cell] = stone.truth or 0.0
            tips[stone.cell] = _tip(found, stone)
        landing = cells_of(position, [found.move])
        ringed = landing[0] if landing else -1
        shown = list(zip(TITLES[by], (needs, gains), strict=True))
        if any(stone.truth is not None for stone in found.stones):
            shown.append((EXACT, exact))
        self.explained.setVisible(bool(found.effects))
        tested = PASSED if found.position.game.has_free_pass else EXPLAINED
        self.explained.setText(" ".join(tr(words) for words in (tested, THICK[by], EXACT_EXPLAINED)[: len(shown)]))
        self.boards.show_boards(
            [HeatBoard(tr(title), shape, heat, 1.0, position, (), ringed, tuple(tips)) for title, heat in shown]
        )
        self.offer_cells()


def find_stones(net: OpenNet, position: Position, stale: Stale, report: Report) -> Stones | None:
    """What the net's move depends on, which is reported, with the exact answers; in a thread.  None when ``stale``."""
    from models.inside.stones import answers_of, stones_of, with_truth
    from models.inside.truth import TruthFinder

    found = stones_of(position, answers_of(net.tapped), should_stop=stale)
    if found is None:
        return None
    report(found)
    judge = net.kept("truth", lambda: TruthFinder(position.game))
    return with_truth(found, judge, should_stop=stale)


def need_of(stone: Stone, by: str) -> float:
    """How much the net's move, by ``BY_MOVE``, or its value depends on a stone: -1 to 1, above 0 where it needs it."""
    return stone.sarfa if by == BY_MOVE else max(-1.0, min(1.0, -stone.value))


def stone_cells(found: Stones, source: object, by: str) -> CellsShown:
    """Rings on the stones: how much the net's move or value, and within that the exact answer, depends on each."""
    exact = any(stone.truth is not None for stone in found.stones)
    cells = tuple(
        CellShown(stone.cell, tip=_tip(found, stone), outer=need_of(stone, by), inner=stone.truth)
        for stone in found.stones
        if stone.tests
    )
    of = tr("the net's move {move}") if by == BY_MOVE else tr("V of the net")
    text = of.format(move=found.position.game.action_name(found.move))
    if exact:
        text = tr("{text} · inner, white: the exact answer").format(text=text)
    steps = tuple(zip((0.0, 1.0), map(tr, STEPS[by]), strict=True))
    title = tr("Stones that matter")
    return CellsShown(found.position, source, title, text, cells, tr(RINGS_TIP), RINGS, "value_ramp", steps=steps)


def _tip(found: Stones, stone: Stone) -> str:
    """The figures of a stone."""
    game = found.position.game
    cell = game.cell_names[stone.cell]
    if not stone.tests:
        return tr(NO_TIP).format(cell=cell)
    truth = "?" if stone.truth is None else percent(stone.truth, 0)
    sarfa, value = signed(stone.sarfa, 2), signed(stone.value, 2)
    return tr(TIP).format(cell=cell, sarfa=sarfa, value=value, truth=truth, count=stone.tests)
