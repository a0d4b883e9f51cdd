"""Openings: random ones for self-play, matches and exams, and files of positions.

A line of a file is a position, as the moves that lead to it, separated by spaces; ``#`` starts a comment.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.checks import short
from core.files.atomic import write_atomically
from core.files.reading import BadFile, read_bytes
from core.games import GameSpec, Position
from core.text import Text, text_of

MOST_BYTES: Final = 64 << 20
MOST_OPENINGS: Final = 200_000
_OPENINGS: Final = 500  # least number of move sequences from which openings are drawn
_TRIES: Final = 20  # attempts to draw a new opening


def random_opening(game: GameSpec, plies: int, rng: np.random.Generator) -> Position:
    """A position after ``plies`` uniformly random moves; finished games are drawn again.  ``plies`` is reduced by one
    after every ten tries, for games too short for it."""
    tries = 0
    while True:
        position = game.initial()
        for _ in range(plies - tries // 10):
            position = position.play(int(rng.choice(position.legal_actions())))
            if position.is_over:
                break
        if not position.is_over:
            return position
        tries += 1


def opening_plies(game: GameSpec) -> int:
    """Length of random openings in matches: the least that gives some hundreds of them, at most a quarter of a game.

    Nets play deterministically, so several games from one opening would count one result several times.
    """
    branching = len(game.initial().legal_actions())
    plies = 1
    while branching**plies < _OPENINGS and plies < game.max_plies // 4:
        plies += 1
    return plies


def draw_openings(game: GameSpec, number: int, rng: np.random.Generator) -> list[Position]:
    """Draw ``number`` random openings, different as long as the game has enough of them."""
    plies = opening_plies(game)
    openings: dict[Position, None] = {}
    again: list[Position] = []
    while len(openings) + len(again) < number:
        for _ in range(_TRIES):
            opening = random_opening(game, plies, rng)
            if opening not in openings:
                openings[opening] = None
                break
        else:
            again.append(opening)
    return [*openings, *again]


def new_opening(game: GameSpec, plies: int, rng: np.random.Generator, used: set[tuple[int, ...]]) -> Position:
    """A random opening, if possible one not in ``used``, to which it is added."""
    for _ in range(_TRIES):
        opening = random_opening(game, plies, rng)
        if opening.moves not in used:
            break
    used.add(opening.moves)
    return opening


def read_openings(path: Path, game: GameSpec) -> tuple[tuple[int, ...], ...]:
    """The openings of a file, as actions from the game's first position; BadFile quotes the first bad line, OSError
    when it cannot be read."""
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise BadFile(Text("{path} is not a text file of openings", path=short(str(path)))) from None
    openings = []
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
        openings.append(position.moves)
        if len(openings) > MOST_OPENINGS:
            raise BadFile(Text("{path} has more than {most} openings", path=short(str(path)), most=MOST_OPENINGS))
    if not openings:
        raise BadFile(Text("{path} has no opening", path=short(str(path))))
    return tuple(openings)


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
