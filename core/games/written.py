"""Moves and boards as people and other programs write them, for one game.

Moves may be separated or not (``f5d6c3``, ``4453``), numbered (``1. h8 2. i9``), or points counted from the top left
(``(10,10) (11,12)``).  Column letters may leave out the i, and numbers may count from 0 or from 1.  Where more than one
reading gives a game, the program's own is taken and the others are named; of readings none of which is its own, none
is taken.  Words before a colon choose one: ``without i: h8 j9``, ``from 1: (10,10)``.
"""

import re
from collections.abc import Iterable
from string import ascii_lowercase
from typing import Final, NamedTuple

from core.games import diagram
from core.games.position import PASS, IllegalMove, Position
from core.games.spec import GameSpec
from core.text import Text, joined

Readings = dict[str, list[int | str]]

WITH_I: Final = "with i"
WITHOUT_I: Final = "without i"
FROM_0: Final = "from 0"
FROM_1: Final = "from 1"
WAYS: Final = (WITH_I, WITHOUT_I, FROM_0, FROM_1)
READ_AS: Final = {
    WITH_I: Text("The columns were read with the letter i (… h i j …)."),
    WITHOUT_I: Text("The columns were read without the letter i (… h j k …)."),
    FROM_0: Text("The numbers were counted from 0."),
    FROM_1: Text("The numbers were counted from 1."),
}

_MOST_CHARACTERS: Final = 100_000
_COLUMNS: Final = {WITH_I: ascii_lowercase, WITHOUT_I: ascii_lowercase.replace("i", "")}
_WAY = re.compile(rf"\s*({'|'.join(WAYS)})\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_POINTS = re.compile(r"(?:[\s,;]*(?:\d+(?:\.+|\)))?\s*\(\s*\d{1,3}\s*,\s*\d{1,3}\s*\))+[\s,;.]*")
_POINT = re.compile(r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")
_BARE_POINTS = re.compile(r"\d{1,3},\d{1,3}(?:[\s;]+\d{1,3},\d{1,3})*")
_NUMBERING = re.compile(r"(?<![^\s,;])\d{1,3}(?:\.+|\))")
_PASSES: Final = ("pass", "pa", "ps", "--")
_COMPACT = re.compile(r"(?:[a-z]\d{1,2}|pass|pa|ps|--)+")
_ONE_OF_COMPACT = re.compile(r"[a-z]\d{1,2}|pass|pa|ps|--")


class Written(NamedTuple):
    """A position as a text gives it; ``way``: how it was read where that is a choice; ``others``: what else fits."""

    position: Position
    way: str = ""
    others: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """How it was read where that was a choice, and what to write for another reading; else ""."""
        if not self.others:
            return READ_AS.get(self.way, "")
        return Text(
            "{read} Where that is wrong, write {ways} before the moves.",
            read=READ_AS[self.way],
            ways=joined((f"“{way}:”" for way in self.others), " / "),
        )


class Ambiguous(ValueError):
    """A text gives a game in several ways, none of which is the program's own: ``ways``."""

    def __init__(self, text: str, ways: Iterable[str]) -> None:
        self.ways = tuple(ways)
        super().__init__(
            Text(
                "{text} can be read in several ways: write {ways} before it",
                text=diagram.quote(text),
                ways=joined((f"“{way}:”" for way in self.ways), " / "),
            )
        )


def read(game: GameSpec, text: str, way: str | None = None) -> Written:
    """The position of a board or after moves; ``way``: how they are to be read, None for what fits.

    ValueError for what cannot be read, Ambiguous for what can be read in several ways, IllegalMove for a move that
    cannot be played.
    """
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(Text("the text has more than {most} characters", most=_MOST_CHARACTERS))
    if chosen := _WAY.fullmatch(text):
        way, text = chosen[1].lower(), chosen[2]
    if is_board(game, text):
        return Written(game.parse_diagram(text))
    return _choose(game, text, _readings(game, text), way)


def is_board(game: GameSpec, text: str) -> bool:
    """Whether a text is a board rather than moves: several lines that are no moves, or many symbols on one."""
    if diagram.is_on_one_line(text):
        return True
    if "\n" not in text.strip():
        return False
    try:
        readings = _readings(game, text)
    except ValueError:
        return True
    return all(any(isinstance(action, str) for action in actions) for actions in readings.values())


def _choose(game: GameSpec, text: str, readings: Readings, way: str | None) -> Written:
    """The game of the way asked for, else of the first that gives one; ValueError with the first one's error."""
    if way is not None and way in readings:
        return Written(_played(game, readings[way]), way)
    games: dict[str, Position] = {}
    fault: ValueError | None = None
    for name, actions in readings.items():
        try:
            position = _played(game, actions)
        except ValueError as error:
            if fault is None or (isinstance(error, IllegalMove) and not isinstance(fault, IllegalMove)):
                fault = error  # what is wrong with a move says more than that there is none
        else:
            if all(position.moves != other.moves for other in games.values()):
                games[name] = position
    if not games:
        assert fault is not None
        raise fault
    first, *others = games
    points = _POINTS.fullmatch(text) is not None
    if points and others:
        raise Ambiguous(text, games)
    silent = not others and not points and first == next(iter(readings))
    return Written(games[first], "" if silent else first, tuple(others))


def _played(game: GameSpec, actions: list[int | str]) -> Position:
    position = game.initial()
    for action in actions:
        if isinstance(action, str):
            raise game.unknown_move(action)
        position = position.play(action)
    return position


def _readings(game: GameSpec, text: str) -> Readings:
    """The actions of a text by each way that it may be read, the program's own first; "" where there is but one.

    A text in place of an action is a move that there is not in that way.  ValueError for what is no move in any.
    """
    if game.moves_are_cells and _BARE_POINTS.fullmatch(text.strip()):
        raise ValueError(
            Text(
                "{text} may be points or numbers of cells: write (7,8) for a point, and blanks between numbers",
                text=diagram.quote(text),
            )
        )
    if game.moves_are_cells and _POINTS.fullmatch(text):
        points = [(int(match[1]), int(match[2])) for match in _POINT.finditer(text)]
        return {way: [_at(game, x, y, first) for x, y in points] for way, first in ((FROM_0, 0), (FROM_1, 1))}
    tokens = [token for word in _words(text) for token in _split(game, word)]
    by_letters = re.fullmatch(r"[a-z]\d*", game.action_names[0]) is not None
    if by_letters and any(_has_letter(token) for token in tokens):
        usual, other = (WITH_I, WITHOUT_I) if _letters(game) in ascii_lowercase else (WITHOUT_I, WITH_I)
        readings = {usual: [_by_letter(game, token, usual) for token in tokens]}
        if usual == WITH_I or any(isinstance(action, str) for action in readings[usual]):  # in Go nobody writes the i
            readings[other] = [_by_letter(game, token, other) for token in tokens]
        return readings
    if tokens and not game.action_names[0].isdigit() and all(token.isdigit() for token in tokens):
        ways = (FROM_1, FROM_0) if game.first_number else (FROM_0, FROM_1)
        return {way: [_by_number(game, token, way) for token in tokens] for way in ways}
    return {"": [game.parse_action(token) for token in tokens]}


def _words(text: str) -> list[str]:
    """The words of a text without the numbers of moves."""
    words = _NUMBERING.sub(" ", text.lower()).replace(",", " ").replace(";", " ").split()
    numbers, moves = words[::2], words[1::2]
    numbered = numbers == [str(i + 1) for i in range(len(numbers))] and not any(move.isdigit() for move in moves)
    return moves if moves and numbered else words  # "1 h8 2 i9"


def _split(game: GameSpec, word: str) -> list[str]:
    """The moves of a word, of which several may stand together where that is clear."""
    first = game.action_names[0]
    if word.isdigit():
        one_digit = game.first_number + game.num_actions - 1 <= 9 and not first.isdigit()
        return list(word) if one_digit else [word]
    if first.isalpha() and len(first) == 1 and word.isalpha():
        return list(word)
    return _ONE_OF_COMPACT.findall(word) if _COMPACT.fullmatch(word) else [word]


def _has_letter(token: str) -> bool:
    return token[0].isalpha() and token not in _PASSES


def _letters(game: GameSpec) -> str:
    """The letters of the columns."""
    return "".join(sorted({name[0] for name in game.action_names if name != PASS}))


def _by_letter(game: GameSpec, token: str, way: str) -> int | str:
    match = re.fullmatch(r"([a-z])(\d*)", token)
    if match is None:
        return game.parse_action(token)
    col, letters = _COLUMNS[way].find(match[1]), _letters(game)
    name = f"{letters[col]}{match[2].lstrip('0')}" if 0 <= col < len(letters) else ""
    return game.action_names.index(name) if name in game.action_names else token


def _by_number(game: GameSpec, token: str, way: str) -> int | str:
    action = int(token) - (way == FROM_1)
    cells = game.num_actions - (game.action_names[-1] == PASS and way == FROM_1)
    return action if 0 <= action < cells else token


def _at(game: GameSpec, x: int, y: int, first: int) -> int | str:
    """The action of the point in column ``x`` and row ``y`` from the top left, counted from ``first``."""
    height, width = game.shape
    col, row = x - first, y - first
    return row * width + col if 0 <= col < width and 0 <= row < height else f"({x},{y})"
