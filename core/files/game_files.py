"""Reads games of any known format, by what a file begins with and by its name; and a position from any pasted text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from core.files import ggf, psq, renlib, sgf_text, wthor
from core.files.reading import BadFile, not_collected, read_bytes
from core.files.sgf import SgfFile, read_sgf
from core.games import GameSpec
from core.games.written import Written, read
from core.text import Text

MAX_BYTES: Final = sgf_text.MAX_BYTES  # the largest that any reader takes
PLAYERS, TOURNAMENTS = "wthor.jou", "wthor.trn"
_NAMES_ALONE: Final = (".jou", ".trn")
_GAME: Final = re.compile(r"\s*((?:\d\s*)?\(\s*;|;\s*[A-Z]{1,2}\s*\[|Piskvorky\s+\d)")

Beside = Callable[[str], bytes | None]
"""The bytes of another file in the same folder or archive, by its name in any case; None where there is none."""


def nothing_beside(name: str) -> bytes | None:
    """No other file."""
    return None


def read_games(
    data: bytes | str,
    name: str = "",
    game: GameSpec | None = None,
    most: int | None = None,
    beside: Beside = nothing_beside,
    only: int | None = None,
) -> SgfFile:
    """The games of a file, or of a text that is pasted; ``most`` of them, or the ``only`` one, from 1.

    ValueError for what cannot be read at all.

    ``game``: the one that is open, for files that do not name theirs.
    """
    if name.lower().endswith(_NAMES_ALONE):
        raise BadFile(Text("it has only names of players or tournaments; open the games, a file that ends with .wtb"))
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    with not_collected():
        match kind_of(raw, name):
            case ".lib":
                return renlib.read_renlib(raw, game)
            case ".psq":
                return psq.read_psq(raw)
            case ".ggf":
                return ggf.read_ggf(raw, most, only)
            case ".wtb":
                return wthor.read_wthor(raw, *names_beside(beside), most, only)
        return read_sgf(data, game, most, only)


def kind_of(data: bytes, name: str) -> str:
    """The suffix of a file's format, by what the file begins with, else by its name; SGF where nothing tells."""
    if data.startswith(renlib.BEGINNING):
        return ".lib"
    if data.startswith(psq.BEGINNING):
        return ".psq"
    if ggf.BEGINNING.match(data):
        return ".ggf"
    return ".wtb" if name.lower().endswith(".wtb") else ".sgf"


def read_game_file(
    path: Path, game: GameSpec | None = None, most: int | None = None, only: int | None = None
) -> SgfFile:
    """The games of a file on the disk, as ``read_games``; ValueError or OSError when it cannot be read."""

    def beside(name: str) -> bytes | None:
        named = next((file for file in path.parent.iterdir() if file.name.lower() == name), None)
        try:
            return None if named is None else read_bytes(named, MAX_BYTES)
        except (OSError, ValueError):
            return None

    return read_games(read_bytes(path, MAX_BYTES), path.name, game, most, beside, only)


def names_beside(beside: Beside) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The players and tournaments of the files beside a file of games; none where these are missing or damaged."""
    names = []
    for name, size in ((PLAYERS, wthor.PLAYER_BYTES), (TOURNAMENTS, wthor.TOURNAMENT_BYTES)):
        data = beside(name)
        try:
            names.append(() if data is None else wthor.read_names(data, size))
        except ValueError:
            names.append(())
    return names[0], names[1]


def is_game_file(text: str) -> bool:
    """Whether a text is the content of a game file rather than moves or a board."""
    return _GAME.match(text) is not None


def position_of(game: GameSpec, text: str, way: str | None = None) -> Written:
    """The position that a text gives in ``game``, for a game file the end of its main line; ValueError for none.

    ``way``: how moves are to be read, as :func:`core.games.written.read` takes it.
    """
    if not is_game_file(text):
        return read(game, text, way)
    file = read_games(text.strip(), game=game, most=1)
    if not file.records:
        raise BadFile(Text("the game cannot be read: {error}", error=file.errors[-1]))
    record = file.records[0]
    if record.game != game:
        raise BadFile(Text("it is a game of {other}, not of {game}", other=record.game.text, game=game.text))
    if file.errors:
        raise BadFile(Text("the game has faults: {error}", error=file.errors[0]))
    return Written(record.position(record.main_line()[-1]))
