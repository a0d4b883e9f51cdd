"""Boards as text: rows of ``.`` ``X`` ``O`` and a last line for the side to move.  Knows no game's rules."""

import re
import string
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.text import Text

SYMBOLS: Final = ".XO"  # by the cell's value: empty, player 0, player 1
_QUOTED_CHARACTERS: Final = 100
_LETTERS: Final = string.ascii_lowercase
_LAST_LINE = re.compile(r"([xo])\s+to\s+move(?:\s*,\s*last\s+(\S+))?", re.IGNORECASE)
_ROW = re.compile(r"(\d+)?\s*(.*)")


class Diagram(NamedTuple):
    """A parsed diagram; ``to_move`` and ``last`` (a move's name) are None where they are not given."""

    cells: NDArray[np.int8]  # [H, W]
    to_move: int | None
    last: str | None


def write(cells: NDArray[np.int8], to_move: int, last: str | None) -> str:
    """The board int8 [H, W] as text, top row first, then ``X to move, last d4``."""
    return Text(
        "{board}\n{player} to move" if last is None else "{board}\n{player} to move, last {move}",
        board="\n".join(" ".join(SYMBOLS[cell] for cell in row) for row in cells.tolist()),
        player=SYMBOLS[1 + to_move],
        move=last,
    )


def quote(text: str) -> str:
    """The text on one line in quotation marks, shortened if long."""
    line = " / ".join(line.strip() for line in text[: 4 * _QUOTED_CHARACTERS].strip().splitlines())
    quoted = repr(line)  # in which a character may take ten
    if len(text) <= 4 * _QUOTED_CHARACTERS and len(quoted) <= _QUOTED_CHARACTERS + 2:
        return quoted
    return quoted[:_QUOTED_CHARACTERS] + "…" + quoted[0]


def read(text: str, shape: tuple[int, int], rows_from_top: bool = False) -> Diagram:
    """Parse a text as :func:`write` writes it, optionally with row numbers at the left and a line of column letters.

    Rows are numbered from the bottom unless ``rows_from_top``; the letters, with or without i, stand above or below
    the board.
    ValueError with a phrase that quotes the line that is wrong.
    """
    height, width = shape
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    to_move: int | None = None
    last: str | None = None
    if lines and (found := _LAST_LINE.fullmatch(lines[-1])):
        to_move = SYMBOLS.index(found[1].upper()) - 1
        last = found[2]
        lines.pop()
    for end in (0, -1):
        if lines and "".join(lines[end].lower().split()) in (_LETTERS[:width], _LETTERS.replace("i", "")[:width]):
            lines.pop(end)
            break
    cells = np.array([_read_row(line, i, shape, rows_from_top) for i, line in enumerate(lines)], np.int8)
    if len(lines) != height:
        raise ValueError(Text("it has {count} rows and the board has {height}", count=len(lines), height=height))
    return Diagram(cells.reshape(height, width), to_move, last)


def _read_row(line: str, row: int, shape: tuple[int, int], rows_from_top: bool) -> list[int]:
    height, width = shape
    found = _ROW.fullmatch(line)
    number, rest = found.groups() if found else (None, line)
    symbols = "".join(rest.upper().split())
    for symbol in symbols:
        if symbol not in SYMBOLS:
            raise ValueError(
                Text("row {line} has {symbol!r}, and a cell is '.', 'X' or 'O'", line=quote(line), symbol=symbol)
            )
    if len(symbols) != width:
        raise ValueError(
            Text(
                "row {line} has {count} cells and the board has {width} columns",
                line=quote(line),
                count=len(symbols),
                width=width,
            )
        )
    due = row + 1 if rows_from_top else height - row
    if number is not None and row < height and int(number) != due:
        raise ValueError(
            Text(
                "row {line!r} is numbered {number} and from the top it is {due}"
                if rows_from_top
                else "row {line!r} is numbered {number} and from the bottom it is {due}",
                line=line,
                number=int(number),
                due=due,
            )
        )
    return [SYMBOLS.index(symbol) for symbol in symbols]
