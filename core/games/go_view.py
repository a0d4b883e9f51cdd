"""A Go position as nets are shown it, apart from how a game keeps its state.

Points are ``row * W + column`` with row 0 on top; a pass is H * W.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.go_chains import BLACK

BOARDS: Final = 8  # that a view holds: the present one and those before it
SHOWN_MOVES: Final = 5
NONE: Final = -1

# Entries of GoView.facts.
ROWS: Final = 0
COLS: Final = 1
TO_MOVE: Final = 2  # BLACK or WHITE
BOARDS_KNOWN: Final = 3  # from 1, at the start of the game, to BOARDS
OVER: Final = 4  # 1 when the game is over
PASS_ENDS: Final = 5  # PASS_GOES_ON, PASS_REPEATS, PASS_IS_SECOND
KO_RULE: Final = 6  # SIMPLE, POSITIONAL or SITUATIONAL of core.games.go_board
SUICIDE: Final = 7  # 1 where a move may take several stones of its own
TERRITORY: Final = 8  # 1 where territory is counted instead of area
TAX: Final = 9  # of groups: a tax of core.games.go_area
BUTTON: Final = 10  # 1 while the button can be taken
FRIENDLY: Final = 11  # 1 where dead stones are removed after two passes, so that passing is safe
# What is asked of the net rather than of the position.
HISTORY: Final = 12  # how many of the last moves may be shown
CAREFUL: Final = 13  # 1 hides the moves where a pass would end the game: for the root of a search
HACKS: Final = 14  # 1 hides them where the game so ended would not be won
STRICT_LIFE: Final = 15  # 1 finds pass-alive chains as though suicide were legal, which some nets expect
_FACTS: Final = 16

# A pass now ...
PASS_GOES_ON: Final = 0  # does not end the game
PASS_REPEATS: Final = 1  # ends it, as the player passed in this position before
PASS_IS_SECOND: Final = 2  # ends it, as the other player passed just before

# Entries of GoView.numbers.
KOMI: Final = 0  # white's, with handicap, button and what else is settled
DRAW: Final = 1  # how many wins a draw is to white
ADVANTAGE: Final = 2  # of the side to move in doublings of playouts; 0 for an even game
_NUMBERS: Final = 3


class GoView(NamedTuple):
    """A position with what came before it."""

    stones: NDArray[np.int8]  # [BOARDS, H * W]: EMPTY, BLACK, WHITE, newest first; those known
    kos: NDArray[np.int16]  # [3]: the point of the simple ko on each of the first three, or NONE
    moves: NDArray[np.int16]  # [SHOWN_MOVES]: the last moves, newest first; NONE where no move of that colour was made
    banned: NDArray[np.int8]  # [H * W]: 1 where superko forbids a move
    facts: NDArray[np.int64]  # [_FACTS]
    numbers: NDArray[np.float64]  # [_NUMBERS]


def new_view(rows: int, cols: int) -> GoView:
    """An empty board, black to move, simple ko and area scoring without komi."""
    points = rows * cols
    view = GoView(
        np.zeros((BOARDS, points), np.int8),
        np.full(3, NONE, np.int16),
        np.full(SHOWN_MOVES, NONE, np.int16),
        np.zeros(points, np.int8),
        np.zeros(_FACTS, np.int64),
        np.zeros(_NUMBERS),
    )
    view.facts[ROWS], view.facts[COLS], view.facts[TO_MOVE] = rows, cols, BLACK
    view.facts[BOARDS_KNOWN], view.facts[HISTORY] = 1, SHOWN_MOVES
    view.numbers[DRAW] = 0.5
    return view


@jitable
def self_komi(view: GoView) -> float:
    """The komi of the side to move; a possible draw shifts it by up to half a point to whom the draw is worth more."""
    komi = view.numbers[KOMI]
    total = komi + 0.5 if view.facts[BUTTON] != 0 else komi
    if total == np.floor(total):
        komi += view.numbers[DRAW] - 0.5
    return float(-komi if view.facts[TO_MOVE] == BLACK else komi)
