"""The overlay of exact results."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from gui.language.language import tr
from gui.widgets.board.board_paint import anchor
from gui.widgets.board.overlays.overlay import (
    BEST,
    EXACT,
    RESULTS,
    SOLUTION,
    BoardContent,
    Legend,
    Mark,
    Overlay,
    mover_words,
    plies_text,
)
from gui.widgets.figures import percent, signed
from gui.widgets.theme import Theme, ramp

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView
    from core.solve import Solution

MOST_DISCS: Final = 24  # difference of discs at the ends of the scale of exact results


class Exact(Overlay):
    """The exact result of every move for its player, and the number of plies or the discs."""

    data: ClassVar[str] = SOLUTION

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        solution, position = content.solution, content.position
        if solution is None or position is None:
            return []
        marks = []
        for move in solution.moves:
            if move.value is None:
                continue
            ring = BEST if move.action in solution.best else ""
            cell = anchor(position, move.action)
            share: float = move.value
            texts = tr(RESULTS[move.value]), plies_text(move.distance)
            if move.score is not None:
                share = max(-1.0, min(1.0, move.score / MOST_DISCS))
                texts = signed(move.score, 0), texts[0]
            marks.append(Mark(move.action, cell, ramp(theme.value_ramp, (share + 1) / 2), 1.0, *texts, ring))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        solution, node = content.solution, content.node
        worse = _worse(node, solution) if node is not None and solution is not None else ""
        if solution is not None and solution.bounds is not None:
            return Legend(
                tr(self.title),
                tr("discs, {mover}").format(mover=mover_words(position)) + worse,
                tr(
                    "Discs that the side to move has more at the end with best play after each move; empty cells are "
                    "the winner's; ringed: the best moves."
                ),
                "value_ramp",
                steps=tuple((0.5 + 0.5 * sign, signed(sign * MOST_DISCS, 0)) for sign in (1, 0, -1)),
            )
        return Legend(
            tr(self.title),
            mover_words(position) + worse,
            tr(
                "Result with best play after each move and the plies to the end, the move counted; "
                "ringed: the best moves."
            ),
            "value_ramp",
            steps=tuple((0.5 + 0.5 * result, tr(word)) for result, word in RESULTS.items()),
        )


def _worse(node: NodeView, solution: Solution) -> str:
    """Return the share of visits that went to moves worse than the best, as text."""
    if node.position.legal_actions() != tuple(move.action for move in solution.moves) or not node.visits_of.sum():
        return ""
    if any(move.value is None for move in solution.moves):
        return ""
    worse = {move.action for move in solution.moves if move.value is not None and move.value < solution.value}
    if solution.score is not None:
        worse = {move.action for move in solution.moves} - {*solution.best}
    if not worse:
        return {1: tr(" · every move wins"), 0: tr(" · every move draws"), -1: tr(" · every move loses")}[
            solution.value
        ]
    wasted = sum(n for a, n in zip(node.actions.tolist(), node.visits_of.tolist(), strict=True) if a in worse)
    return tr(" · {wasted} of the visits on worse moves").format(wasted=percent(wasted / int(node.visits_of.sum())))


EXACTS: Final[tuple[Overlay, ...]] = (
    Exact("exact", "Exact", "Exact result of each move and its distance", "T", needs=EXACT),
)
