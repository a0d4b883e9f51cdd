"""Titles of the planes that recipes of nets name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from core.text import Words
from gui.language.language import tr

# By the word of models.netfiles.recipe.PLANES.
PLANES: Final[dict[str, Words]] = {
    "mine": "own stones",
    "theirs": "the opponent's stones",
    "first": "first player's stones",
    "second": "second player's stones",
    "empty": "empty cells",
    "mine-theirs": "own +1, opponent's −1",
    "first-second": "first player's +1, second's −1",
    "last": "last move",
    "legal": "where a stone may go",
    "first to move": "ones: first player moves",
    "second to move": "ones: second player moves",
    "colour": "+1: first player moves, −1: second",
    "row": "row, from 0 to 1",
    "column": "column, from 0 to 1",
    "ones": "ones everywhere",
    "zeros": "zeros everywhere",
}


def plane_title(word: str) -> str:
    """Return the title of a plane of a recipe in the language in force; other names are translated as they are."""
    name = word.removeprefix("-")
    title = tr(PLANES.get(name, name))
    base, _, number = name.rpartition(" ")
    if name not in PLANES and base in PLANES and number.isdecimal():
        ago = int(number) - (base == "last")
        past = tr("{plane}, one move earlier") if ago == 1 else tr("{plane}, {count} moves earlier")
        title = past.format(plane=tr(PLANES[base]), count=ago)
    return title if name == word else tr("minus: {plane}").format(plane=title)


def plane_titles(words: Iterable[str]) -> str:
    """Return the titles of planes as a list in one line."""
    return tr(", ").join(map(plane_title, words))
