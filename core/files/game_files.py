"""Reads games of any known format, by what a file begins with and by its name; and a position from any pasted text."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from core.files import ggf, go_servers, psq, renlib, sgf_text, wthor
from core.files.reading import BadFile, Complaints, not_collected, read_bytes
from core.files.sgf import SgfFile, read_sgf, read_trees
from core.games import GameSpec
from core.games.written import Written, read
from core.text import Text

MAX_BYTES: Final = sgf_text.MAX_BYTES  # the largest that any reader takes
PLAYERS, TOURNAMENTS = "wthor.jou", "wthor.trn"
_NAMES_ALONE: Final = (".jou", ".trn")
_SGF: Final = re.compile(rb"(?:\d\s*)?\(\s*;|;\s*[A-Z]{1,2}\s*\[")  # as it is pasted
_LONGEST: Final = 200  # characters of a pasted text that tell its format

Beside = Callable[[str], bytes | None]
"""The bytes of another file in the same folder or archive, by its name in any case; None where there is none."""


class Asked(NamedTuple):
    """What is asked of a reader of many games beside the bytes, as ``read_games`` is given it."""

    game: GameSpec | None
    most: int | None
    only: int | None
    beside: Beside


class Reader(NamedTuple):
    """Reads one format."""

    beginning: re.Pattern[bytes] | None  # of each of its files; None where only the name tells
    read: Callable[[bytes, Asked], SgfFile]


def _of_server(kind: str) -> Callable[[bytes, Asked], SgfFile]:
    """A reader of the games of a Go server."""

    def read(data: bytes, asked: Asked) -> SgfFile:
        report = Complaints()
        return read_trees([go_servers.read_tree(data, kind, report)], asked.game, asked.most, asked.only, report)

    return read


READERS: Final[Mapping[str, Reader]] = {  # by suffix; what is none of these is SGF
    ".lib": Reader(re.compile(re.escape(renlib.BEGINNING)), lambda data, asked: renlib.read_renlib(data, asked.game)),
    ".psq": Reader(re.compile(re.escape(psq.BEGINNING)), lambda data, asked: psq.read_psq(data)),
    ".ggf": Reader(ggf.BEGINNING, lambda data, asked: ggf.read_ggf(data, asked.most, asked.only)),
    **{kind: Reader(beginning, _of_server(kind)) for kind, beginning in go_servers.BEGINNINGS.items()},
    ".wtb": Reader(
        None, lambda data, asked: wthor.read_wthor(data, *names_beside(asked.beside), asked.most, asked.only)
    ),
}


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
    reader = READERS.get(kind_of(raw, name))
    with not_collected():
        return reader.read(raw, Asked(game, most, only, beside)) if reader else read_sgf(data, game, most, only)


def kind_of(data: bytes, name: str) -> str:
    """The suffix of a file's format, by what the file begins with, else by its name; SGF where nothing tells."""
    begun = (kind for kind, reader in READERS.items() if reader.beginning and reader.beginning.match(data))
    named = (kind for kind, reader in READERS.items() if not reader.beginning and name.lower().endswith(kind))
    return next(begun, None) or next(named, ".sgf")


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
    start = text.lstrip()[:_LONGEST].encode("utf-8", "replace")
    return _SGF.match(start) is not None or kind_of(start, "") != ".sgf"


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
