"""A board set up by hand: the position it is, or every reason why no game can have reached it.  Knows no screen.

The verdict is that of the game's own ``from_cells``, which stops at the first fault; here all of them are named.
"""

from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.diagram import SYMBOLS
from core.games.lines import line_cells, side_to_move


class Verdict(NamedTuple):
    """A position, or sentences that say why there is none."""

    position: Position | None
    faults: tuple[str, ...]


def judge(game: GameSpec, cells: NDArray[np.int8], to_move: int | None = None, last: int = -1) -> Verdict:
    """What ``cells`` int8 [H, W] (0 empty, 1 player 0, 2 player 1) amount to with that player to move.

    ``to_move`` None: as the stones tell, in games where they do.  ``last`` is the action that led there, -1 unknown.
    ValueError when ``cells`` are no board of the game.
    """
    cells = np.asarray(cells, np.int8)
    if cells.shape != game.shape or not np.isin(cells, (0, 1, 2)).all():
        raise ValueError(f"a board of {game.text} is {game.shape[0]}×{game.shape[1]} cells of 0, 1 or 2")
    if to_move not in (None, 0, 1) or not -1 <= last < game.num_actions:
        raise ValueError(f"player {to_move!r} is to move after action {last!r}, and {game.text} has none such")
    try:
        position = Position(game, game.board.from_cells(cells.copy(), to_move, last))
    except ValueError as error:
        told = str(error)
    else:
        return Verdict(position, ())
    faults = [*_floating(game, cells), *_counts(game, cells, to_move), *_lines(game, cells)]
    if not faults or not (told in faults or _covered(told)):
        faults.append(told)
    return Verdict(None, tuple(_sentence(fault) for fault in faults))


def _covered(told: str) -> bool:
    """Whether the game's own word is one that the faults above say in full."""
    return "nothing under it" in told or "both sides have" in told


def _floating(game: GameSpec, cells: NDArray[np.int8]) -> list[str]:
    """Discs with nothing under them where discs fall, one sentence for each column."""
    if not game.gravity:
        return []
    rows = len(cells)
    faults = []
    for col in range(cells.shape[1]):
        column = cells[:, col]
        floating = [
            f"{ascii_lowercase[col]}{rows - r}" for r in range(rows - 1) if column[r] and not column[r + 1 :].all()
        ]
        if floating:
            one = len(floating) == 1
            words = ("disc", "has", "it") if one else ("discs", "have", "them")
            faults.append(f"its {words[0]} at {', '.join(floating)} {words[1]} nothing under {words[2]}")
    return faults


def _counts(game: GameSpec, cells: NDArray[np.int8], to_move: int | None) -> list[str]:
    if not game.stones_alternate:
        return []
    try:
        side_to_move(cells, to_move)
    except ValueError as error:
        return [str(error)]
    return []


def _lines(game: GameSpec, cells: NDArray[np.int8]) -> list[str]:
    """Both players with a winning line: no game goes on after the first."""
    if game.lines is None:
        return []
    k, exact = game.lines
    both = [SYMBOLS[stone] for stone in (1, 2) if line_cells(cells, k, stone, exact)]
    return [f"both {both[0]} and {both[1]} have {k} in a row"] if len(both) == 2 else []


def _sentence(fault: str) -> str:
    return f"{fault[0].upper()}{fault[1:]}."
