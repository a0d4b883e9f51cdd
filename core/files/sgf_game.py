"""Finds the game of an SGF file.  Knows the format's numbers of other games and how sizes are written."""

import re
from collections.abc import Callable
from functools import lru_cache
from string import ascii_letters
from typing import Final

from core.files.sgf_dialects import FIFTH_MOVES, is_renju, number_meant
from core.files.sgf_text import SgfTree, unescape
from core.games import GAMES, BadGame, GameSpec, load_game
from core.games.spec import SgfReader, SgfRules
from core.text import Text, joined, text_of

GAME: Final = "PLYGAME"  # our own property: the game as load_game takes it
LAST_MOVE: Final = "PLYLAST"  # our own property: the move that led to the position set up

_NAMES: Final = {
    3: "chess",
    5: "Nine Men's Morris",
    6: "backgammon",
    7: "Chinese chess",
    8: "shogi",
    9: "Lines of Action",
    10: "Ataxx",
    11: "Hex",
    18: "Amazons",
    21: "Twixt",
}

_UNSTATED: Final = 1  # the game of a file without GM, as the format has it: Go

Report = Callable[[str], None]


class Unreadable(ValueError):
    """A game of an SGF file cannot be shown; the message is one sentence."""


_loaded = lru_cache(maxsize=64)(load_game)  # thousands of files are of one game


def _readers() -> dict[int, tuple[str, SgfReader]]:
    """SGF's number of a game -> title and reader of the first family that has it."""
    found: dict[int, tuple[str, SgfReader]] = {}
    for family in GAMES.values():
        if family.sgf is not None:
            found.setdefault(family.sgf.number, (family.title, family.sgf))
    return dict(sorted(found.items()))


def number_of(game: GameSpec) -> int:
    """The value of GM for a game; ValueError for one that cannot be written as points."""
    if game.sgf is None:
        raise ValueError(
            Text("{game} has no board of points and cannot be written as SGF; a session file keeps it", game=game.title)
        )
    return game.sgf.number


def rule_of(game: GameSpec) -> str:
    """The value of RU for a game whose rule is not freestyle; else ""."""
    return game.sgf.rules if game.sgf is not None else ""


def as_size(shape: tuple[int, int]) -> str:
    """The value of SZ for a board [H, W]."""
    return str(shape[0]) if shape[0] == shape[1] else f"{shape[1]}:{shape[0]}"


def find_game(tree: SgfTree, hint: GameSpec | None, report: Report) -> GameSpec:
    """The game of a tree: by our own property, else by GM, SZ and RU, else ``hint``.  Raises Unreadable."""
    root = tree[0].properties
    if GAME in root:
        try:
            named = _loaded(unescape(root[GAME][0], one_line=True))
            number_of(named)
        except ValueError as error:
            report(Text("{name}: {error}", name=GAME, error=text_of(error)))
        else:
            return named
    number = number_meant(tree, _number(root, report), hint, report)
    if number is None and hint is not None and _may_be(root, hint):
        return hint
    if number is None:
        number = _UNSTATED
    readers = _readers()
    if number not in readers:
        name = _NAMES.get(number, Text("another game"))
        choices = (Text("{title} (GM[{number}])", number=n, title=Text(title)) for n, (title, _) in readers.items())
        known = joined(choices, " and ")
        raise Unreadable(
            Text(
                "it is of {name} (GM[{number}]); of SGF's games {known} are known",
                name=name,
                number=number,
                known=known,
            )
        )
    reader = readers[number][1]
    shape = _shape(root) or (reader.usual_size,) * 2
    if reader.grows and "SZ" not in root:
        shape = (max(shape[0], _extent(tree)),) * 2
    rules, komi = (
        " ".join(unescape(raw, one_line=True).lower() for raw in root.get(name, ())) for name in ("RU", "KM")
    )
    if is_renju(tree) and not rules:
        rules = "renju"
        report(Text("it proposes fifth moves ({name}) and was read as renju", name=FIFTH_MOVES))
    try:
        return _loaded(reader.text(*shape, SgfRules(rules, komi)))
    except BadGame as error:
        raise Unreadable(Text("its board cannot be played on: {error}", error=text_of(error))) from None
    except ValueError as error:
        raise Unreadable(text_of(error)) from None


def _may_be(root: dict[str, list[str]], game: GameSpec) -> bool:
    """Whether a file that names no game may be of ``game``: by its size, and by having a komi."""
    shape = _shape(root)
    return shape in (None, game.shape) and ("KM" not in root or (game.sgf is not None and bool(game.sgf.komi)))


def _number(root: dict[str, list[str]], report: Report) -> int | None:
    if "GM" not in root:
        return None
    word = root["GM"][0].strip()
    if re.fullmatch("[0-9]{1,4}", word):
        return int(word)
    report(Text("GM[{word}] is no number of a game", word=word[:20]))
    return None


def _shape(root: dict[str, list[str]]) -> tuple[int, int] | None:
    """The board's size by SZ as (height, width); None without a valid one."""
    found = re.fullmatch(r"\s*([0-9]{1,4})\s*(?::\s*([0-9]{1,4})\s*)?", root["SZ"][0]) if "SZ" in root else None
    if found is None:
        return None
    return int(found[2] or found[1]), int(found[1])


def _extent(tree: SgfTree) -> int:
    """The size of the smallest board that contains all points of the moves."""
    words = [raw.strip() for node in tree for ident in ("B", "W") for raw in node.properties.get(ident, ())]
    letters = "".join(word for word in words if re.fullmatch("[a-zA-Z]{2}", word))
    return 1 + max((ascii_letters.index(letter) for letter in letters), default=0)


def read_size(root: dict[str, list[str]], game: GameSpec, report: Report) -> int:
    """The width of the file's board; complains when it differs from the game's."""
    if "SZ" not in root:
        return game.shape[1]
    shape = _shape(root)
    if shape is None:
        report(
            Text(
                "SZ[{word}] is no size of a board; {size} was taken",
                word=root["SZ"][0][:20],
                size=as_size(game.shape),
            )
        )
        return game.shape[1]
    if shape != game.shape:
        report(
            Text(
                "SZ[{size}] is not the board of {game}, which is {board}",
                size=as_size(shape),
                game=game.title,
                board=as_size(game.shape),
            )
        )
    return shape[1]
