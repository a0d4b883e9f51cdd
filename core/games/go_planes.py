"""KataGo's input planes and globals, version 7, of a Go position.

The planes and globals of an encore, which only territory scoring has, stay empty.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.go_area import NO_TAX, TAX_ALL, Areas, area_score, new_areas
from core.games.go_board import POSITIONAL, SIMPLE
from core.games.go_chains import BLACK, EMPTY, WHITE, cell_of, set_stones
from core.games.go_ladder import Ladders, find_ladders, new_ladders
from core.games.go_view import (
    ADVANTAGE,
    BUTTON,
    CAREFUL,
    COLS,
    FRIENDLY,
    HACKS,
    HISTORY,
    KO_RULE,
    NONE,
    OVER,
    PASS_ENDS,
    PASS_IS_SECOND,
    ROWS,
    STRICT_LIFE,
    SUICIDE,
    TAX,
    TERRITORY,
    TO_MOVE,
    GoView,
    self_komi,
)

V7_PLANES: Final = (
    "board",
    "own stones",
    "opponent's stones",
    "1 liberty",
    "2 liberties",
    "3 liberties",
    "forbidden by ko",
    "ko, encore",
    "ko retaken, encore",
    "last move",
    "move before",
    "3rd last move",
    "4th last move",
    "5th last move",
    "caught in a ladder",
    "ladder, 1 move ago",
    "ladder, 2 moves ago",
    "moves that catch",
    "own area",
    "opponent's area",
    "own stones, encore",
    "opponent's stones, encore",
)
V7_GLOBALS: Final = (
    "last move a pass",
    "move before a pass",
    "3rd last a pass",
    "4th last a pass",
    "5th last a pass",
    "komi / 20",
    "superko",
    "positional or situational",
    "suicide",
    "territory scoring",
    "tax in seki",
    "tax on groups",
    "encore",
    "second encore",
    "a pass ends the game",
    "uneven game",
    "playout doublings / 2",
    "button",
    "komi and parity",
)
WHITE_TO_MOVE: Final = "white to move"  # a number more, for nets that are told of both players

_LIBERTIES: Final = 2  # before the plane of one liberty
_FORBIDDEN: Final = 6
_MOVES: Final = 9
_LADDERS: Final = 14
_CATCHING: Final = 17
_OWN_AREA: Final = 18
_KOMI_MARGIN: Final = 20  # komi is cut off where it exceeds the board by more


class Reading(NamedTuple):
    """What reads a position: scratch of the encoder."""

    ladders: Ladders
    areas: Areas


def new_reading(rows: int, cols: int) -> Reading:
    """For boards of this size."""
    return Reading(new_ladders(rows, cols), new_areas(rows, cols))


@jitable
def _write_stones(view: GoView, s: Reading, out: NDArray[np.float32]) -> None:
    """Planes 0 to 6."""
    b = s.ladders.chains
    cols, mover = view.facts[COLS], view.facts[TO_MOVE]
    for point in range(view.facts[ROWS] * cols):
        row, col = point // cols, point % cols
        out[0, row, col] = 1.0
        stone = view.stones[0, point]
        if stone != EMPTY:
            out[1 if stone == mover else 2, row, col] = 1.0
            liberties = b.liberties[b.head[cell_of(b, point)]]
            if liberties <= 3:
                out[_LIBERTIES + liberties, row, col] = 1.0
        if view.banned[point] != 0 or view.kos[0] == point:
            out[_FORBIDDEN, row, col] = 1.0


@jitable
def _write_area(view: GoView, s: Reading, out: NDArray[np.float32]) -> None:
    """Planes 18 and 19."""
    cols, mover = view.facts[COLS], view.facts[TO_MOVE]
    for point in range(view.facts[ROWS] * cols):
        owner = s.areas.area[cell_of(s.ladders.chains, point)]
        if owner != EMPTY:
            out[_OWN_AREA if owner == mover else _OWN_AREA + 1, point // cols, point % cols] = 1.0


@jitable
def _hides_moves(view: GoView, score: float) -> bool:
    """Whether the last moves are hidden, so that the net does not take the pass for the end of the game."""
    facts = view.facts
    if facts[PASS_ENDS] == 0 or facts[TERRITORY] != 0:
        return False
    friendly = facts[FRIENDLY] != 0 and facts[PASS_ENDS] == PASS_IS_SECOND
    return bool(facts[CAREFUL] != 0 or friendly or (facts[HACKS] != 0 and score <= 0.0))


@jitable
def _write_moves(view: GoView, most: int, out: NDArray[np.float32], numbers: NDArray[np.float32]) -> int:
    """Planes 9 to 13 and globals 0 to 4: ``most`` moves where they are known; return how many these are."""
    cols = view.facts[COLS]
    points = view.facts[ROWS] * cols
    for i in range(min(most, len(view.moves))):
        move = int(view.moves[i])
        if move == NONE:
            return i
        if move == points:
            numbers[i] = 1.0
        else:
            out[_MOVES + i, move // cols, move % cols] = 1.0
    return min(most, len(view.moves))


@jitable
def _write_ladders(view: GoView, s: Reading, ago: int, out: NDArray[np.float32]) -> None:
    """The plane of ladders so many moves ago, and plane 17 for the present board."""
    cols = view.facts[COLS]
    enemy = BLACK + WHITE - view.facts[TO_MOVE]
    for point in range(view.facts[ROWS] * cols):
        row, col = point // cols, point % cols
        cell = cell_of(s.ladders.chains, point)
        if s.ladders.caught[cell] != 0:
            out[_LADDERS + ago, row, col] = 1.0
        if ago == 0 and s.ladders.working[cell] & enemy != 0:
            out[_CATCHING, row, col] = 1.0


@jitable
def parity_wave(komi: float, points: int) -> float:
    """Global 18: how komi lies to those with which a game can be drawn, a wave of period 2."""
    odd = points % 2
    above = komi - (2.0 * np.floor((komi - odd) / 2.0) + odd)
    if above < 0.5:
        return float(above)
    return float(1.0 - above if above < 1.5 else above - 2.0)


@jitable
def _write_rules(view: GoView, numbers: NDArray[np.float32]) -> None:
    """Globals 5 to 11 and 15 to 18."""
    facts = view.facts
    points = facts[ROWS] * facts[COLS]
    most = float(points + _KOMI_MARGIN)
    komi = min(max(self_komi(view), -most), most)
    numbers[5] = komi / 20.0
    if facts[KO_RULE] != SIMPLE:
        numbers[6] = 1.0
        numbers[7] = 0.5 if facts[KO_RULE] == POSITIONAL else -0.5
    numbers[8] = 1.0 if facts[SUICIDE] != 0 else 0.0
    numbers[9] = 1.0 if facts[TERRITORY] != 0 else 0.0
    numbers[10] = 1.0 if facts[TAX] != NO_TAX else 0.0
    numbers[11] = 1.0 if facts[TAX] == TAX_ALL else 0.0
    if view.numbers[ADVANTAGE] != 0.0:
        numbers[15] = 1.0
        numbers[16] = view.numbers[ADVANTAGE] / 2.0
    numbers[17] = 1.0 if facts[BUTTON] != 0 else 0.0
    numbers[18] = 0.0 if facts[TERRITORY] != 0 else parity_wave(komi, points)


@jit
def encode_v7(view: GoView, s: Reading, out: NDArray[np.float32], numbers: NDArray[np.float32]) -> None:
    """Write the planes to ``out`` float32 [22, H, W], or larger with the board in its upper left, and the globals to
    ``numbers`` float32 [19], or [20] with ``WHITE_TO_MOVE``."""
    for plane in range(out.shape[0]):
        for row in range(out.shape[1]):
            for col in range(out.shape[2]):
                out[plane, row, col] = 0.0
    for i in range(len(numbers)):
        numbers[i] = 0.0
    facts = view.facts
    b = s.ladders.chains
    set_stones(b, view.stones[0], int(view.kos[0]))
    _write_stones(view, s, out)
    score = 1.0
    if facts[TERRITORY] == 0:
        white = area_score(b, s.areas, facts[TAX], bool(facts[SUICIDE] != 0 or facts[STRICT_LIFE] != 0))
        score = self_komi(view) + (white if facts[TO_MOVE] == WHITE else -white)
        _write_area(view, s, out)
    hidden = _hides_moves(view, score)
    most = 0 if hidden else min(1, facts[HISTORY]) if facts[OVER] != 0 else facts[HISTORY]
    shown = _write_moves(view, most, out, numbers)
    for ago in range(3):
        if 0 < ago <= shown:
            set_stones(b, view.stones[ago], int(view.kos[ago]))
        if ago <= shown:  # else the board before the first move that is shown stands for the earlier ones
            find_ladders(s.ladders, ago == 0)
        _write_ladders(view, s, ago, out)
    _write_rules(view, numbers)
    numbers[14] = 1.0 if facts[PASS_ENDS] != 0 and not hidden else 0.0
    if len(numbers) > 19 and facts[TO_MOVE] == WHITE:
        numbers[19] = 1.0
