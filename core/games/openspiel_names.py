"""What the moves of a game of OpenSpiel are called.

OpenSpiel names a move in a position, and for its player; the names here hold for all positions.  It may crash when
asked for the name of a move that is not legal, so it is only where that is known to do no harm.
"""

import re
from string import ascii_lowercase
from typing import Any, Final

from core.games.grid import cell_names
from core.games.openspiel_board import CellBoard
from core.games.position import PASS

# Games whose names of moves hold for all positions and may be asked for.
_NAMED: Final = frozenset(
    {
        "breakthrough",
        "checkers",
        "clobber",
        "cursor_go",
        "dots_and_boxes",
        "go",
        "havannah",
        "hex",
        "hive",
        "lines_of_action",
        "mancala",
        "nim",
        "nine_mens_morris",
        "othello",
        "oware",
        "pentago",
        "twixt",
    }
)
WAIT: Final = "wait"
_POINT: Final = re.compile(r"[a-z][0-9]{1,2}")
_UNSAID: Final = str.maketrans({" ": None, "(": None, ")": None, ";": None, ",": "."})


def move_names(game: Any, board: CellBoard | None, waits: bool) -> tuple[str, ...]:
    """The name of each action, and that of waiting where the game has it."""
    names = _spoken(game)
    if board is None:
        if len(set(names)) < len(names) or any(name.isdigit() and int(name) != i for i, name in enumerate(names)):
            names = [str(action) for action in range(len(names))]
    elif board.falls:
        names = list(ascii_lowercase[: board.planes[2]])
    else:
        _, rows, cols = board.planes
        if len(set(names)) < len(names) or not all(map(_POINT.fullmatch, names[: rows * cols])):
            names[: rows * cols] = cell_names(rows, cols, rows_from_top=True)
        names[rows * cols :] = [PASS] * (len(names) - rows * cols)
    if waits:
        names.append(WAIT if PASS in names else PASS)
    return tuple(names)


def are_numbers(game: Any) -> bool:
    """Whether moves that are no cells are called by their numbers."""
    return game.get_type().short_name not in _NAMED


def _spoken(game: Any) -> list[str]:
    """What OpenSpiel calls each action, without what tells its player, as one word; numbers where it is not asked."""
    actions = range(game.num_distinct_actions())
    if are_numbers(game):
        return [str(action) for action in actions]
    state = game.new_initial_state()
    names = [[state.action_to_string(player, action) for player in (0, 1)] for action in actions]
    return [_common(*both).translate(_UNSAID) for both in names]


def _common(first: str, second: str) -> str:
    """The end that two names share; in small letters, as what is typed."""
    first, second = first.lower(), second.lower()
    size = 0
    while size < min(len(first), len(second)) and first[-1 - size] == second[-1 - size]:
        size += 1
    return first[len(first) - size :].strip()
