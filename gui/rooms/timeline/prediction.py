"""The person's guesses of the move that the next simulation takes, and what is said about them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.language.language import tr
from gui.rooms.timeline.playout_words import ROUNDED, row_of
from gui.widgets.figures import count, plain, signed

if TYPE_CHECKING:
    from core.glass import MoveRow, NodeView, Snapshot


class Prediction:
    """Counts the guesses while it is ``on``; the last one was of the simulation ``number``."""

    def __init__(self) -> None:
        self.on = False
        self.made = self.right = 0  # guesses
        self.number = 0  # 0: none yet
        self.guess = -1  # the action
        self._node: NodeView | None = None  # the root before that simulation
        self._hidden: tuple[Snapshot, Snapshot] | None = None

    def switch(self, on: bool) -> None:
        """Begin to count anew, or end."""
        self.__init__()  # type: ignore[misc]
        self.on = on

    def judge(self, number: int, node: NodeView, guess: int) -> None:
        """Take the guess for a simulation that begins at ``node``; a move with the highest score too is right."""
        self.number, self.guess, self._node = number, guess, node
        self.made += 1
        self.right += self.was_right

    @property
    def was_right(self) -> bool:
        """Whether the last guess was right."""
        guessed, chosen = self.guessed, self.chosen
        return guessed is not None and chosen is not None and guessed.score >= chosen.score - 1e-6

    @property
    def guessed(self) -> MoveRow | None:
        """The row of the guess, as it was before the simulation."""
        return row_of(self._node, self.guess)

    @property
    def chosen(self) -> MoveRow | None:
        """The row of the move that the simulation took."""
        return row_of(self._node, self._node.next_action) if self._node is not None else None

    def hidden(self, snapshot: Snapshot) -> Snapshot:
        """Return the tree without the mark of the next move, which is to be guessed."""
        if self._hidden is None or self._hidden[0] is not snapshot:
            self._hidden = snapshot, replace(snapshot, root=replace(snapshot.root, next_index=-1, choice=None))
        return self._hidden[1]

    @property
    def score(self) -> tuple[str, str]:
        """How many guesses were right, in words and in short."""
        if not self.made:
            return "", ""
        words = tr("{right} of {count} right").format(right=count(self.right), count=count(self.made))
        return words, f"{self.right}/{self.made}"

    def answer(self, path: tuple[int, ...], brief: bool = False) -> str:
        """Whether the last guess was right, with the sums Q + U of both moves; ``path``: of the simulation shown.

        ``brief``: without their totals, which stand on the board, too.
        """
        guessed, chosen = self.guessed, self.chosen
        if guessed is None or chosen is None:
            return ""
        if self.was_right:
            words = f"{tr('Right.')} {tr('{score}, the highest').format(score=_sum(guessed, brief))}"
        else:
            words = f"{tr('No:')} {_sum(chosen, brief)} > {_sum(guessed, brief)}"
        if path and path[0] not in (chosen.action, guessed.action, *chosen.same):
            batch = tr("simulation {number} had begun before, in a batch").format(number=count(self.number))
            words = f"{words} · {batch}"
        return words


def _sum(row: MoveRow, brief: bool) -> str:
    """Return a move's Q + U in short: "e +0.013 + 0.537 = 0.550", ``brief`` without the total."""
    if math.isinf(row.u) or math.isnan(row.q) or abs(row.q + row.u - row.score) > ROUNDED:
        return f"{row.name} {plain(row.score)}"
    terms = f"{row.name} {signed(row.q)} + {plain(row.u)}"
    return terms if brief else f"{terms} = {plain(row.score)}"
