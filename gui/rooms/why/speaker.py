"""The player whose values the inspector shows of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position


class Speaker(NamedTuple):
    """A player, and the sign that turns values for the side to move into this player's."""

    game: str
    player: int
    name: str
    other: str  # the opponent's name
    sign: int  # +1: this player is to move
    fixed: bool  # chosen by the user; else it is the side to move

    @property
    def disc(self) -> tuple[str, int]:
        """The game and the player, whose disc is drawn."""
        return self.game, self.player

    def said(self, text: str) -> str:
        """Return a value's text with the player: "+0.31 for X, who is to move"."""
        if self.sign > 0:
            return tr("{value} for {mover}, who is to move").format(value=text, mover=self.name)
        return tr("{known} for {mover}").format(known=text, mover=self.name)


def speaker(position: Position, player: int) -> Speaker:
    """Return who speaks at a position: ``player``, or (-1) the side to move."""
    whose = position.to_move if player < 0 else player
    players = kind_of(position.game.name).players
    sign = 1 if whose == position.to_move else -1
    return Speaker(position.game.name, whose, players[whose], players[1 - whose], sign, player >= 0)
