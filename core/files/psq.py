"""Reads games of gomoku as Piskvork and Gomocup write them (.psq).

As in the source of Piskvork (github.com/wind23/piskvork_renju, savePsq and openPsq): the first line is
``Piskvorky 20x20, 11:11, 0`` with width and height, two levels, and which player began; then a line
``x,y,milliseconds`` for each move, counted from 1 at the top left; then the two programs, in their own
order.  A last line ``1,Freestyle15_1``, which Gomocup's records have, begins with the rule.
"""

import re
from typing import Final

from core.checks import short
from core.files.reading import BadFile
from core.files.record import GameRecord, played
from core.files.sgf import SgfFile
from core.games import GameSpec, load_game
from core.games.walk import Walk
from core.text import Text

MAX_BYTES: Final = 1 << 20
BEGINNING: Final = b"Piskvorky"
_HEADER: Final = re.compile(r"Piskvorky\s+(\d{1,3})\s*x\s*(\d{1,3})\s*(?:,\s*-?\d+\s*:\s*-?\d+\s*(?:,\s*(\d+))?)?")
_MOVE: Final = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})(?:\s*,\s*-?\d+)?")
_RULE: Final = re.compile(r"-?\d+\s*,\s*([A-Za-z]+)[\w .-]*")
_RULES: Final = {"freestyle": "freestyle", "fastgame": "freestyle", "standard": "standard", "renju": "renju"}
_MOST_NAME: Final = 200  # characters


def parse(data: bytes) -> tuple[GameSpec, dict[str, str], list[int], bool]:
    """The game, the players by names of information, the cells of the moves, and whether the rule is stated.

    A cell that is none ends the moves as -1.
    BadFile when it is none of ours.
    """
    if len(data) > MAX_BYTES:
        raise BadFile(f"it has more than {MAX_BYTES} bytes")
    lines = [line.strip() for line in data.decode("utf-8", "replace").splitlines()]
    header = _HEADER.match(lines[0]) if lines else None
    if header is None:
        line = short("".join(lines[:1]))
        raise BadFile(f"its first line is {line}, and should be as in 'Piskvorky 20x20, 11:11, 0'")
    width, height = int(header[1]), int(header[2])
    cells = []
    at = 1
    while at < len(lines) and (match := _MOVE.fullmatch(lines[at])):
        x, y = int(match[1]) - 1, int(match[2]) - 1
        at += 1
        cells.append(y * width + x if 0 <= x < width and 0 <= y < height else -1)
        if cells[-1] < 0:
            break
    rest = [line for line in lines[at:] if line]
    stated = next((match[1].lower() for line in rest if (match := _RULE.fullmatch(line))), None)
    if stated is not None and stated not in _RULES:
        raise BadFile(f"its rules {stated[:20]!r} are none of {', '.join(_RULES)}")
    rule = _RULES[stated or "freestyle"]
    game = load_game(
        f"gomoku(size={width}, rule={rule})" if width == height else f"connectn(rows={height}, cols={width}, k=5)"
    )
    names = [line[:_MOST_NAME] for line in rest[:2] if not re.fullmatch(r"-?\d+(\s*,.*)?", line)]
    first = int(header[3] == "1")
    players = {"black": names[first], "white": names[1 - first]} if len(names) == 2 else {}
    return game, players, cells, stated is not None


def read_psq(data: bytes) -> SgfFile:
    """The one game of a file; BadFile when it is none of ours."""
    game, info, cells, stated = parse(data)
    record = GameRecord(game.initial(), info)
    _, actions = Walk.of(record.start).play_line(cells[: cells.index(-1)] if -1 in cells else cells)
    errors: list[str] = []
    if not stated:
        errors.append(Text("it does not name its rule and was read as free style, where five or more stones win"))
    if len(actions) < len(cells):
        cell = cells[len(actions)]
        name = game.action_name(cell) if cell >= 0 else "?"
        errors.append(Text("move {number}, {move}, cannot be played", number=len(actions) + 1, move=name))
    played(record, actions)
    return SgfFile((record,), tuple(errors), 1, (1,))
