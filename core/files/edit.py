"""Checks a board set up by hand: the position, or all reasons why it cannot be reached.

The game's own ``from_cells`` decides, but stops at the first fault; here all are listed.
"""

from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.diagram import SYMBOLS
from core.games.lines import line_cells, side_to_move
from core.text import Text, text_of


class Verdict(NamedTuple):
    """A position, or sentences that say why there is none."""

    position: Position | None
    faults: tuple[str, ...]


def judge(game: GameSpec, cells: NDArray[np.int8], to_move: int | None = None, last: int = -1) -> Verdict:
    """Check a board ``cells`` int8 [H, W] (0 empty, 1 player 0, 2 player 1) with that player to move.

    ``to_move`` None: as the stones tell, in games where they do.  ``last`` is the action that led there, -1 unknown.
    ValueError when ``cells`` are no board of the game.
    """
    cells = np.asarray(cells, np.int8)
    if cells.shape != game.shape or not np.isin(cells, (0, 1, 2)).all():
        raise ValueError(f"a board of {game.text} is {game.shape[0]}×{game.shape[1]} cells of 0, 1 or 2")
    if to_move not in (None, 0, 1) or not -1 <= last < game.num_actions:
        raise ValueError(f"player {to_move!r} is to move after action {last!r}, and {game.text} has none such")
    try:
        position = game.set_up(cells.copy(), to_move, last)
    except ValueError as error:
        reason = text_of(error)
    else:
        return Verdict(position, ())
    faults = [*_floating(game, cells), *_counts(game, cells, to_move), *_lines(game, cells)]
    if not faults or not (reason in faults or _covered(reason)):
        faults.append(reason)
    return Verdict(None, tuple(faults))


def _covered(reason: str) -> bool:
    """Whether the game's own error repeats one of the faults above."""
    return "nothing under it" in reason or "both sides have" in reason


def _floating(game: GameSpec, cells: NDArray[np.int8]) -> list[str]:
    """Discs with nothing under them where discs fall, one sentence for each column."""
    if not game.gravity:
        return []
    rows = len(cells)
    faults: list[str] = []
    for col in range(cells.shape[1]):
        column = cells[:, col]
        floating = [
            f"{ascii_lowercase[col]}{rows - r}" for r in range(rows - 1) if column[r] and not column[r + 1 :].all()
        ]
        if floating:
            faults.append(
                Text(
                    "its disc at {cell} has nothing under it"
                    if len(floating) == 1
                    else "its discs at {cell} have nothing under them",
                    cell=", ".join(floating),
                )
            )
    return faults


def _counts(game: GameSpec, cells: NDArray[np.int8], to_move: int | None) -> list[str]:
    if not game.stones_alternate:
        return []
    try:
        side_to_move(cells, to_move)
    except ValueError as error:
        return [text_of(error)]
    return []


def _lines(game: GameSpec, cells: NDArray[np.int8]) -> list[str]:
    """A fault if both players have a winning line, as a game ends with the first one."""
    if game.lines is None:
        return []
    k, exact = game.lines
    both = [SYMBOLS[stone] for stone in (1, 2) if line_cells(cells, k, stone, exact)]
    if len(both) < 2:
        return []
    return [Text("both {first} and {second} have {k} in a row", first=both[0], second=both[1], k=k)]
