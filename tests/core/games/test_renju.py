"""Renju's fouls: positions whose verdict is known, and the kernel against the slow reference on dense boards."""

import random

import numpy as np
import pytest

from core._jit import jit
from core.games import IllegalMove, load_game, renju
from core.games.info import RESULT
from tests.core.games.reference_renju import stones_of

SIZE = 15
TOP, LEFT = 4, 3  # where a case's first row and column lie on the board

# What a black stone on the star would be, "" for no foul.
CASES = {
    "two open threes": ("double three", "...X...", "...X...", ".XX*..."),
    "two broken threes": ("double three", "...X...", ".......", "...X...", "X.X*..."),
    "three threes": ("double three", "...X...", "...X.X.", "....X..", ".XX*..."[:3] + "*...", "......."),
    "a three and a two": ("", "...X...", ".......", ".XX*..."),
    "a three closed on one side": ("", "...X...", "...X...", "OXX*..."),
    "a three with room for a closed four only": ("", "...X....", "...X....", "O.XX*.O.".replace("XX*", "XX*"), "........"),
    "a four and a three": ("", "...X...", "...X...", "XXX*..O"),
    "a straight four counts once": ("", "...X...", ".......", "XXX*..."),
    "two fours cross": ("double four", "...X...", "...X...", "...X...", "XXX*..."),
    "two fours, closed on one side": ("double four", "...O....", "...X....", "...X....", "...X....", "XXX*...."),
    "two fours in one line, one gap each": ("double four", "X.X*X.X"),
    "two fours in one line, pairs": ("double four", "XX.X*.XX"),
    "two fours in one line, long": ("double four", "XXX.*.XXX"),
    "two apparent fours in one line, one six": ("", "XXX.*X.XX".replace("XXX.*X.XX", "OX.X*X.XO")),
    "a four that would only become six": ("", "X.XXX*O", ".....X.", ".....X.", "......."),
    "six": ("overline", "XXX*XX"),
    "seven": ("overline", "XXX*XXX"),
    "five": ("", "XX*XX"),
    "five beats six": ("", "...X..", "...X..", "...X..", "...X..", "XXX*XX"),
    "five beats two threes": ("", "....X.X", "....XX.", "XXXX*..", "...X...", "..X...."),
    "the straight four would be blocked by six": ("", ".....X...", ".....X...", "X..XX*..X"),
    "six on one side leaves the other": ("double three", ".....X....", ".....X....", "X..XX*...."),
    "the straight four is an overline elsewhere": (
        "",
        "......X",
        "....X.X",
        "....X.X",
        "O.XX*..O".replace("O.XX*..O", "O.XX*.."),
        "......X",
        "......X",
    ),
}
