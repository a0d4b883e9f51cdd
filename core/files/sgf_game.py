"""Which game an SGF file is of.  Knows the format's numbers of other games and how sizes are written."""

import re
from collections.abc import Callable
from string import ascii_letters
from typing import Final

from core.files.sgf_text import SgfTree, unescape
from core.games import GAMES, BadGame, GameSpec, load_game

GAME: Final = "PLYGAME"  # our own property: the game as load_game takes it
LAST: Final = "PLYLAST"  # our own property: the move that led to the position set up

_FAMILIES: Final = {family.sgf.number: family for family in GAMES.values() if family.sgf is not None}
_NAMES: Final = {
    1: "Go",
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

Complain = Callable[[str], None]


class Unreadable(ValueError):
    """A game of a file of which nothing can be shown; the sentence says why."""


def number_of(game: GameSpec) -> int:
    """The number of GM; ValueError for a game that cannot be written as points."""
    if game.sgf is None:
        raise ValueError(f"{game.title} has no board of points and cannot be written as SGF; a session file keeps it")
    return game.sgf.number


def rule_of(game: GameSpec) -> str:
    """What RU says of a game whose rule is not the usual one."""
    return game.sgf.rules if game.sgf is not None else ""


def as_size(shape: tuple[int, int]) -> str:
    """SZ of a board [H, W]."""
    return str(shape[0]) if shape[0] == shape[1] else f"{shape[1]}:{shape[0]}"


def find_game(tree: SgfTree, hint: GameSpec | None, complain: Complain) -> GameSpec:
    """The game of a tree: what our own property says, else GM, SZ and RU, else ``hint``.  Raises Unreadable."""
    root = tree[0].properties
    if GAME in root:
        try:
            named = load_game(unescape(root[GAME][0], one_line=True))
            number_of(named)
        except ValueError as error:
            complain(f"{GAME}: {error}")
        else:
            return named
    number = _number(root, complain)
    if number is None and hint is not None:
        return hint
    if number is None:
        known = " or ".join(f"GM[{n}] ({family.title})" for n, family in sorted(_FAMILIES.items()))
        raise Unreadable(f"it does not say which game it is, as {known} would")
    reader = _FAMILIES[number].sgf if number in _FAMILIES else None
    if reader is None:
        name = _NAMES.get(number, "another game")
        known = " and ".join(f"{family.title} (GM[{n}])" for n, family in sorted(_FAMILIES.items()))
        raise Unreadable(f"it is of {name} (GM[{number}]); of SGF's games {known} are known")
    shape = _shape(root) or (reader.usual_size,) * 2
    if reader.grows and "SZ" not in root:
        shape = (max(shape[0], _extent(tree)),) * 2
    rules = " ".join(unescape(raw, one_line=True).lower() for raw in root.get("RU", ()))
    try:
        return load_game(reader.text(*shape, rules))
    except BadGame as error:
        raise Unreadable(f"its board cannot be played on: {error}") from None
    except ValueError as error:
        raise Unreadable(str(error)) from None


def _number(root: dict[str, list[str]], complain: Complain) -> int | None:
    if "GM" not in root:
        return None
    word = root["GM"][0].strip()
    if re.fullmatch("[0-9]{1,4}", word):
        return int(word)
    complain(f"GM[{word[:20]}] is no number of a game")
    return None


def _shape(root: dict[str, list[str]]) -> tuple[int, int] | None:
    """The board of SZ as (height, width); None when it does not say."""
    found = re.fullmatch(r"\s*([0-9]{1,4})\s*(?::\s*([0-9]{1,4})\s*)?", root["SZ"][0]) if "SZ" in root else None
    if found is None:
        return None
    return int(found[2] or found[1]), int(found[1])


def _extent(tree: SgfTree) -> int:
    """The smallest board that has all points of the moves."""
    words = [raw.strip() for node in tree for ident in ("B", "W") for raw in node.properties.get(ident, ())]
    letters = "".join(word for word in words if re.fullmatch("[a-zA-Z]{2}", word))
    return 1 + max((ascii_letters.index(letter) for letter in letters), default=0)


def read_size(root: dict[str, list[str]], game: GameSpec, complain: Complain) -> int:
    """The width of the file's board, with a complaint when it is not the game's."""
    if "SZ" not in root:
        return game.shape[1]
    shape = _shape(root)
    if shape is None:
        complain(f"SZ[{root['SZ'][0][:20]}] is no size of a board; {as_size(game.shape)} was taken")
        return game.shape[1]
    if shape != game.shape:
        complain(f"SZ[{as_size(shape)}] is not the board of {game.title}, which is {as_size(game.shape)}")
    return shape[1]
