"""Boards as text: rows of ``.`` ``X`` ``O`` and a last line for the side to move.

It reads what other programs print, too: ``-`` ``_`` ``+`` or blanks for empty cells, ``*`` and ``#`` for X, row numbers
on both sides with remarks after them, and the whole board on one line as in collections of Othello endings.
"""

import re
import string
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.text import Text

SYMBOLS: Final = ".XO"  # by the cell's value: empty, player 0, player 1
_QUOTED_CHARACTERS: Final = 100
_LETTERS: Final = string.ascii_lowercase
_OTHER_SYMBOLS: Final = str.maketrans("-_+·*#●○xo", "....XXXOXO")
_CELLS: Final = r"[-.+_·*#●○XxOo]"
_MOVERS: Final = {"x": 0, "*": 0, "#": 0, "●": 0, "black": 0, "o": 1, "○": 1, "white": 1}
_MOVER: Final = r"(x|o|\*|#|●|○|black|white)"
_LAST_LINE = re.compile(rf"{_MOVER}(?:(?:'s\s+turn|\s+to\s+(?:move|play))(?:\s*,\s*last\s+(\S+))?)?\.?", re.IGNORECASE)
_ONE_LINE = re.compile(rf"((?:{_CELLS}[\s/|]*)+)(?:\s{_MOVER}[^;%]*)?(?:[;%].*)?", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"(\d+)?\s*(.*)")
_FEW: Final = 9  # cells: a shorter line is no board, but perhaps a move


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


def is_on_one_line(text: str) -> bool:
    """Whether one line looks like a whole board: many symbols of cells and perhaps whose turn it is."""
    match = _ONE_LINE.match(text.strip()[: 4 * _QUOTED_CHARACTERS * 4])
    return match is not None and len("".join(match[1].split())) >= _FEW and bool(re.search(r"[.xo*]", match[1], re.I))


def read(text: str, shape: tuple[int, int], rows_from_top: bool = False) -> Diagram:
    """Parse a text as :func:`write` writes it, optionally with row numbers at the left and a line of column letters.

    Rows are numbered from the bottom unless ``rows_from_top``; the letters, with or without i, stand above or below
    the board.
    ValueError with a phrase that quotes the line that is wrong.
    """
    height, width = shape
    if "\n" not in text.strip() and is_on_one_line(text):
        return _read_one_line(text.strip(), shape)
    raw = text.strip("\r\n").splitlines()
    lines = [line.strip() for line in raw if line.strip()]
    to_move: int | None = None
    last: str | None = None
    if len(lines) == 2 and len("".join(lines[0].split())) > max(width, _FEW) and _LAST_LINE.fullmatch(lines[1]):
        return _read_one_line(" ".join(lines), shape)  # the side on a line of its own
    match = _LAST_LINE.fullmatch(lines[-1]) if lines else None
    if match is not None and (len(lines[-1]) > 1 or len(lines) > height):  # one symbol may be a row of blanks
        to_move = _MOVERS[match[1].lower()]
        last = match[2]
        lines.pop()
        raw = raw[: max(i for i, line in enumerate(raw) if line.strip())]
    for end in (0, -1):
        if lines and _names_columns(lines[end], width):
            lines.pop(end)
    if not re.search(r"[-.+_·\d]", "".join(lines)) and max(map(len, raw), default=0) <= width:
        lines = [line.ljust(width).replace(" ", ".") for line in raw]  # blanks are empty cells
    cells = np.array([_read_row(line, i, shape, rows_from_top) for i, line in enumerate(lines)], np.int8)
    if len(lines) != height:
        raise ValueError(Text("it has {count} rows and the board has {height}", count=len(lines), height=height))
    return Diagram(cells.reshape(height, width), to_move, last)


def _names_columns(line: str, width: int) -> bool:
    """Whether a line is the letters of the columns, perhaps with other text at some distance."""
    letters = "".join(re.split(r"\s{4,}", line)[0].lower().split())
    return letters in (_LETTERS[:width], _LETTERS.replace("i", "")[:width])


def _read_one_line(line: str, shape: tuple[int, int]) -> Diagram:
    """Parse a board on one line, with the side to move after it: an X or an O, or a word."""
    match = _ONE_LINE.fullmatch(line)
    if match is None:
        raise ValueError(Text("after the cells it has more than whose turn it is: {text}", text=quote(line)))
    groups = re.split(r"[\s/|]+", match[1].translate(_OTHER_SYMBOLS).strip())
    symbols, side = "".join(groups), match[2]
    count = shape[0] * shape[1]
    apart = len(groups) > 1 and len(groups[-1]) == 1 < len(groups[0])
    if side is None and (apart or len(symbols) == count + 1) and symbols[-1] in SYMBOLS[1:]:
        symbols, side = symbols[:-1], symbols[-1]
    if len(symbols) != count:
        raise ValueError(Text("it has {count} cells and the board has {cells}", count=len(symbols), cells=count))
    cells = np.array([SYMBOLS.index(symbol) for symbol in symbols], np.int8)
    return Diagram(cells.reshape(shape), None if side is None else _MOVERS[side.lower()], None)


def _read_row(line: str, row: int, shape: tuple[int, int], rows_from_top: bool) -> list[int]:
    height, width = shape
    match = _ROW.fullmatch(line)
    number, rest = match.groups() if match else (None, line)
    if number is not None:  # the row's number again, and perhaps a remark
        rest = re.split(rf"(?<!\d){number}(?!\d)", rest, maxsplit=1)[0]
    symbols = "".join(rest.translate(_OTHER_SYMBOLS).upper().split())
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
