"""Reads the data base of Othello games of the French federation: games (.wtb), players (.jou), tournaments (.trn).

A file has a header of 16 bytes: date, the number of games (4 bytes), of names (2), the year (2), the board's size
(0 or 8: 8×8), the kind (1: solitaires), the depth of the theoretical score.  A game has 68 bytes: tournament, black and
white (2 bytes each, into the names), black's discs, the theoretical ones, and 60 moves as 10 · row + column without
passes.  A player has 20 bytes, a tournament 26, ended by a zero.  Sources: edax's base.h and game.c, nboard's thor.
"""

import struct
from typing import Final, NamedTuple

from core.files.reading import BadFile
from core.files.record import ROOT, GameRecord, played
from core.files.sgf import SgfFile
from core.games import load_game
from core.games.branching import EITHER
from core.games.walk import Walk
from core.text import Text

MAX_BYTES: Final = 64 << 20
GAME: Final = "othello"
PLAYER_BYTES: Final = 20
TOURNAMENT_BYTES: Final = 26
GAME_BYTES: Final = 68
_HEADER: Final = struct.Struct("<4BIHH4B")
_GAME: Final = struct.Struct("<HHHBB60s")
MOST_GAMES: Final = 10_000  # that are made records at once
_MOST_ERRORS: Final = 20


class WthorGame(NamedTuple):
    """One game: the cells ``row * 8 + column`` of its moves without passes, and what is known of it."""

    black: str
    white: str
    tournament: str
    year: int
    discs: int
    """Of black at the end, with the empty cells given to the winner."""
    cells: bytes

    @property
    def result(self) -> str:
        """``B+8``, ``W+2`` or ``0``."""
        lead = 2 * self.discs - 64
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"


def read_names(data: bytes, size: int) -> tuple[str, ...]:
    """The names of a file of players or tournaments, of ``size`` bytes each."""
    _check_size(data)
    count = _HEADER.unpack_from(data)[5]
    body = data[_HEADER.size :]
    if len(body) < count * size:
        raise BadFile(f"it ends before the last of its {count} names")
    rows = (body[i * size : (i + 1) * size] for i in range(count))
    return tuple(row.split(b"\0")[0].decode("latin-1").strip() for row in rows)


def read_wtb(
    data: bytes, players: tuple[str, ...] = (), tournaments: tuple[str, ...] = (), most: int | None = None
) -> list[WthorGame]:
    """The games of a file, ``most`` of them; BadFile for what is none.  Where a name is unknown, its number stands."""
    _check_size(data)
    _, _, _, _, count, _, year, size, kind, _, _ = _HEADER.unpack_from(data)
    if size not in (0, 8) or kind == 1:
        raise BadFile(Text("it has solitaires or boards of another size than 8×8"))
    if len(data) < _HEADER.size + count * GAME_BYTES:
        raise BadFile(f"it ends before the last of its {count} games")
    if not 0 < year < 3000:
        raise BadFile(f"its year is {year}")
    games = []
    for i in range(count if most is None else min(most, count)):
        tournament, black, white, discs, _, moves = _GAME.unpack_from(data, _HEADER.size + i * GAME_BYTES)
        cells = bytearray()
        for move in moves:
            row, col = move // 10 - 1, move % 10 - 1
            if not move or not (0 <= row < 8 and 0 <= col < 8):
                break
            cells.append(8 * row + col)
        names = _name(players, black), _name(players, white), _name(tournaments, tournament)
        games.append(WthorGame(*names, year, min(discs, 64), bytes(cells)))
    return games


def count_games(data: bytes) -> int:
    """The number of games that a file says it has."""
    _check_size(data)
    return int(_HEADER.unpack_from(data)[4])


def as_record(game: WthorGame) -> tuple[GameRecord, str]:
    """The game as a record, and a sentence where a move cannot be played, else ""."""
    spec = load_game(GAME)
    record, fault = GameRecord(spec.initial()), ""
    walk = Walk.of(record.start)
    count, actions = walk.play_line(list(game.cells), EITHER)  # passes are left out
    if count < len(game.cells):
        name = spec.action_names[game.cells[count]]
        fault = Text("move {number}, {move}, cannot be played", number=count + 1, move=name)
        if walk.allows(spec.passing):
            actions = (*actions, spec.passing)
    played(record, actions)
    info = {"black": game.black, "white": game.white, "event": game.tournament, "date": str(game.year)}
    if not record.outcome():
        info["result"] = game.result
    record.write_info(info, ROOT)
    record.forget_undo()
    return record, fault


def read_wthor(
    data: bytes,
    players: tuple[str, ...] = (),
    tournaments: tuple[str, ...] = (),
    most: int | None = None,
    only: int | None = None,
) -> SgfFile:
    """The games of a file as records, ``most`` of them or the ``only`` one, from 1; BadFile for what is none."""
    records: list[GameRecord] = []
    errors: list[str] = []
    most = only if only is not None else MOST_GAMES if most is None else most
    for number, game in enumerate(read_wtb(data, players, tournaments, most), 1):
        if only not in (None, number):
            continue
        record, fault = as_record(game)
        records.append(record)
        if fault and len(errors) < _MOST_ERRORS:
            errors.append(Text("game {number}: {sentence}", number=number, sentence=fault))
    if not records:
        raise BadFile("it has no game")
    numbers = range(1, len(records) + 1) if only is None else (only,)
    return SgfFile(tuple(records), tuple(errors), count_games(data), tuple(numbers))


def _check_size(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise BadFile(f"it has more than {MAX_BYTES} bytes")
    if len(data) < _HEADER.size:
        raise BadFile(f"it has {len(data)} bytes, and the header alone has {_HEADER.size}")


def _name(names: tuple[str, ...], number: int) -> str:
    return names[number] if number < len(names) else f"#{number}"
