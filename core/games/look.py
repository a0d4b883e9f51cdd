"""How the board of a game is drawn that the window does not know itself."""

from typing import Final, NamedTuple

LOOKS: Final = ("marks", "stones", "felt", "columns", "heaps", "hexagons")
WORDS: Final = "words"  # of games whose positions are shown as text


class Look(NamedTuple):
    """How a board is drawn, and what its players are called."""

    kind: str
    """``marks`` in cells, ``stones`` on lines, discs on ``felt`` that change sides, discs that fall in ``columns``,
    chips in ``heaps``, stones on ``hexagons`` that lean to the right: a cell touches those beside it in its row, the
    one below and the one below left, and so upwards."""
    players: tuple[str, str]
    """The names of the players, the first to move first."""
    goals: bool = False
    """Of ``hexagons``: whether the edges above and below are the first player's and the others the second's."""
