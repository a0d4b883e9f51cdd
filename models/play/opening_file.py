"""Files of opening positions: one position a line, as the moves that lead to it.

``#`` starts a comment.  The moves are separated by spaces, as players write them.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from core.checks import short
from core.files.atomic import write_atomically
from core.files.reading import BadFile, read_bytes
from core.games import GameSpec
from core.text import Text, text_of

MOST_BYTES: Final = 64 << 20
MOST_OPENINGS: Final = 200_000


def read_openings(path: Path, game: GameSpec) -> tuple[tuple[int, ...], ...]:
    """The openings of a file, as actions from the game's first position; BadFile quotes the first bad line, OSError
    when it cannot be read."""
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise BadFile(Text("{path} is not a text file of openings", path=short(str(path)))) from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        moves = line.partition("#")[0].strip()
        if not moves:
            continue
        try:
            position = game.position(moves)
        except ValueError as error:
            raise BadFile(_at(path, number, text_of(error))) from None
        if position.is_over:
            raise BadFile(_at(path, number, Text("the game is over")))
        found.append(position.moves)
        if len(found) > MOST_OPENINGS:
            raise BadFile(Text("{path} has more than {most} openings", path=short(str(path)), most=MOST_OPENINGS))
    if not found:
        raise BadFile(Text("{path} has no opening", path=short(str(path))))
    return tuple(found)


def openings_text(game: GameSpec, openings: Iterable[Sequence[int]], about: str = "") -> str:
    """A file's text; openings without a move are left out.  ``about``: a line of comment."""
    lines = [f"# openings of {game.text}", *([f"# {' '.join(about.split())}"] if about else [])]
    lines += [" ".join(game.action_name(action) for action in moves) for moves in openings if moves]
    return "\n".join([*lines, ""])


def write_openings(path: Path, game: GameSpec, openings: Iterable[Sequence[int]], about: str = "") -> None:
    """Write :func:`openings_text` atomically."""
    write_atomically(path, openings_text(game, openings, about).encode())


def _at(path: Path, number: int, error: str) -> Text:
    return Text("{file}, line {line}: {error}", file=short(str(path)), line=number, error=error)
