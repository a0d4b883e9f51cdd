"""A position from any text that a person pastes or types: moves, a board, or a game file's content."""

import re
from typing import Final

from core.files.game_files import read_games
from core.files.reading import BadFile
from core.games import GameSpec
from core.games.written import Written, read
from core.text import Text

_GAME: Final = re.compile(r"\s*((?:\d\s*)?\(\s*;|;\s*[A-Z]{1,2}\s*\[|Piskvorky\s+\d)")


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
