"""A hint: the best move ringed on the board, with the principal variation; nothing is played.

Uses the places of the board's cells and one position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter, QPaintEvent, QPen

from gui.language.language import tr
from gui.widgets.board.board import BoardSheet, BoardView
from gui.widgets.board.board_paint import anchor, kind_of
from gui.widgets.figures import simulations_words, value_text
from gui.widgets.theme import current_theme
from gui.widgets.words import PROVED_VALUES

if TYPE_CHECKING:
    from core.glass import Snapshot
    from gui.context import Context


class HintRing(BoardSheet):
    """A ring around one cell of a board."""

    cell = action = -1  # -1: none

    def show_move(self, cell: int, action: int) -> None:
        """Show the ring around a cell."""
        self.cell, self.action = cell, action
        self.show()
        self.raise_()
        self.update()

    def leave(self) -> None:
        """Remove the hint and its line."""
        if not self.isHidden():
            self.hide()
            self._board.show_line(())
        self.cell = self.action = -1

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.cell < 0:
            return
        geometry = self._board.geometry_of_board()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = 0.47 * geometry.step
        for colour, width in ((current_theme().color("panel"), 0.11), (current_theme().color("accent"), 0.07)):
            painter.setPen(QPen(colour, width * geometry.step))
            painter.drawEllipse(geometry.center(self.cell), radius, radius)


def ring_of(context: Context, board: BoardView) -> HintRing:
    """Return the ring on the window's board, made on first use; a change of position hides it."""
    ring = board.findChild(HintRing)
    if ring is not None:
        return ring
    ring = HintRing(board)
    context.state.position_changed.connect(ring.leave)
    context.state.selection_changed.connect(lambda _: ring.leave())
    context.state.record_changed.connect(ring.leave)  # the game may have been resigned
    context.events.escaped.connect(ring.leave)
    return ring


def hint_words(snapshot: Snapshot) -> str:
    """Return the hint's text: "Hint: d, then c c d · +0.31 for Red (to move), after 1 000 simulations"."""
    root, name = snapshot.root, snapshot.position.game.action_name
    i = root.best_index
    mover = kind_of(snapshot.position.game.name).players[snapshot.position.to_move]
    proof = int(root.proofs[i])
    value = PROVED_VALUES.get(proof, float(root.qs[i]))
    line = " ".join(name(a) for a in snapshot.pv[1:7])
    words = tr("Hint: {move}, then {line} · {value}, after {simulations}")
    if proof:
        words = tr("Hint: {move}, then {line} · {value}, proved, after {simulations}")
    if not line:
        words = tr("Hint: {move} · {value}, after {simulations}")
        if proof:
            words = tr("Hint: {move} · {value}, proved, after {simulations}")
    return words.format(
        move=name(snapshot.best),
        line=line,
        value=value_text(value, mover),
        simulations=simulations_words(snapshot.simulations),
    )


def show_hint(context: Context, board: BoardView) -> None:
    """Command: show the hint, or hide it when it is shown."""
    ring, snapshot = ring_of(context, board), context.session.newest
    if not ring.isHidden():
        ring.leave()
        return
    position = context.state.position
    if position is None or position.is_over:
        context.messages.show_notice("There is no hint: the game is over.")
        return
    if snapshot is None or snapshot.best < 0 or not snapshot.simulations:
        context.messages.show_notice("There is no hint yet: the search has not begun here. Start it first.")
        return
    context.state.select(())
    board.show_line(snapshot.pv)
    ring.show_move(anchor(position, snapshot.best), snapshot.best)
    context.messages.show_notice(lambda: hint_words(snapshot))
