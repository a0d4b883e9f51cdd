"""Conversion of SGF points to cells and moves.  Knows the shapes of boards, and how a disc falls where discs fall.

A point is two letters, the column and the row from the top left: ``a`` to ``z``, then ``A`` to ``Z``.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from string import ascii_letters, ascii_lowercase

from core.games import Position
from core.games.spec import PASS
from core.games.walk import Walk
from core.text import Text

_LONGEST_POINT = 16  # with spaces round it
GO_PASS = "tt"  # how FF[3] wrote a pass on boards up to 19x19


class BadPoint(ValueError):
    """A value is not a point of the board, or not a move."""


def point(cell: int, width: int) -> str:
    """The SGF point of cell ``row * width + col``."""
    return ascii_letters[cell % width] + ascii_letters[cell // width]


@lru_cache(maxsize=4096)
def _known_point(word: str, shape: tuple[int, int]) -> int:
    """The cell of a point; -1 when it is not on the board.  On boards to 26×26 capitals are small letters."""
    height, width = shape
    if re.fullmatch("[A-Za-z]{2}", word):
        word = word if max(shape) > len(ascii_lowercase) else word.lower()
        col, row = (ascii_letters.index(letter) for letter in word)
        if col < width and row < height:
            return row * width + col
    return -1


def read_point(text: str, shape: tuple[int, int]) -> int:
    """The cell of a point; BadPoint when it is not on a board [H, W]."""
    cell = _known_point(text.strip(), shape) if len(text) < _LONGEST_POINT else -1
    if cell >= 0:
        return cell
    height, width = shape
    last = point(height * width - 1, width)
    raise BadPoint(Text("{text!r} is no point of this board, which are aa to {last}", text=text[:20], last=last))


def read_cells(text: str, shape: tuple[int, int]) -> tuple[int, ...]:
    """The cells of a point, or of a rectangle ``aa:cc`` (FF[4], compressed point lists)."""
    first, colon, second = text.partition(":")
    a = read_point(first, shape)
    if not colon:
        return (a,)
    b = read_point(second, shape)
    (top, left), (bottom, right) = (divmod(cell, shape[1]) for cell in (a, b))
    rows, cols = sorted((top, bottom)), sorted((left, right))
    return tuple(r * shape[1] + c for r in range(rows[0], rows[1] + 1) for c in range(cols[0], cols[1] + 1))


def cell_of(position: Position | Walk, action: int) -> int:
    """The cell where ``action`` puts a stone in ``position``; -1 for a pass."""
    game = position.game
    if game.action_name(action) == PASS:
        return -1
    if not game.gravity:
        return action
    column = position.cells()[:, action]
    return int((column == 0).sum() - 1) * game.shape[1] + action


def read_action(raw: str, position: Position | Walk, width: int, report: Callable[[str], None]) -> int:
    """Parse the value of a move to an action in ``position``, legal or not; BadPoint when it is not a move.

    ``width`` is that of the file's board.  Besides points it accepts the usual names of moves.
    """
    game = position.game
    word = raw.strip()
    if word == "" or (word.lower() == GO_PASS and width <= 19 and _outside(word, game.shape)):
        if PASS in game.action_names:
            return game.action_names.index(PASS)
        raise BadPoint(Text("there is a pass, and this game has none"))
    try:
        cell = read_point(word, game.shape)
    except BadPoint:
        try:
            return game.parse_action(word) if not word.isdigit() else _no_number(word)
        except ValueError:
            pass
        raise
    if not game.gravity:
        return cell
    column = cell % game.shape[1]
    landing = cell_of(position, column)
    if landing >= 0 and landing != cell:
        report(
            Text(
                "a disc is at {word!r}, and in its column it falls to {point!r}",
                word=word,
                point=point(landing, game.shape[1]),
            )
        )
    return column


def _outside(word: str, shape: tuple[int, int]) -> bool:
    try:
        read_point(word, shape)
    except BadPoint:
        return True
    return False


def _no_number(word: str) -> int:
    raise BadPoint(Text("{word!r} is a number and no point", word=word))
