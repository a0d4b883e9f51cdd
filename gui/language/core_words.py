"""Translates texts of the engine and of training: game titles, phases, errors."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from core.text import Text, Words, text_of
from gui.language.language import tr

if TYPE_CHECKING:
    from core.games import GameSpec, Position

NONE: Final = "–"
MINUS: Final = "\u2212"  # as wide as a plus sign
THIN: Final = "\u202f"  # narrow, and a line never breaks at it
COMPOSED: Final[tuple[Words, ...]] = (  # templates of core.text.Text that are composed from parts
    "Connect Four {rows}×{cols}, {k} in a row",
    "Connect Four, {k} in a row",
    "Connect Four {rows}×{cols}",
    "Gomoku {size}×{size}, exactly five",
    "Gomoku {size}×{size}",
    "Othello {size}×{size}, no passes",
    "Othello, no passes",
    "Othello {size}×{size}",
    "Go {rows}×{cols}",
    "Go {rows}×{cols}, Chinese rules",
    "Go {rows}×{cols}, AGA rules",
    "Go {rows}×{cols}, New Zealand rules",
    "Go {rows}×{cols}, Japanese rules",
    "Go {rows}×{cols}, Korean rules",
    "Nim {heaps}, take any number",
    "Nim {heaps}, take 1–{most}",
    "Nim {heaps}, take 1",
    "Nim {heaps}, take any number, the last chip loses",
    "Nim {heaps}, take 1–{most}, the last chip loses",
    "Nim {heaps}, take 1, the last chip loses",
    "random rollouts on CPU",
    "random rollouts on CPU, {threads} threads",
    "tactical rollouts on CPU",
    "tactical rollouts on CPU, {threads} threads",
    "{net} on CPU",
    "{net} on CUDA",
    "{net}, {runtime} on CPU",
    "{net}, {runtime} on GPU",
    "{text_0} or {text_1}",
    "{text_0} or {text_1} or {text_2}",
    "{text_0} and {text_1}",
    "{text_0} and {text_1} and {text_2}",
    "{text_0}; {text_1}",
    "{text_0}; {text_1}; {text_2}",
    "limit reached",
    "memory budget full",
)


def game_title(game: GameSpec) -> str:
    """Return a game's title for the screen."""
    return core_text(game.title)


class Figure:
    """A value of a text that writes itself as the window writes figures: 12 345, −0.5, 7 %, a dash for NaN."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return repr(core_text(self._value) if isinstance(self._value, Text) else self._value)

    def __format__(self, form: str) -> str:
        value = self._value
        if isinstance(value, Text):
            return core_text(value)
        if not isinstance(value, Real) or isinstance(value, bool):
            return format(value, form)
        if isinstance(value, float) and math.isnan(value):
            return NONE
        text = format(value, form)
        if not any(digit in text for digit in "123456789"):
            text = text.lstrip("+-")  # no sign for what rounds to zero
        return text.replace(",", THIN).replace("-", MINUS).replace("%", f"{THIN}%")


def core_text(text: str) -> str:
    """Translate a text of the engine; a text without a translation is returned unchanged."""
    if isinstance(text, Text):
        return tr(text.template).format(**{name: Figure(value) for name, value in text.values.items()})
    return tr(text)


def error_text(error: BaseException) -> str:
    """Return an error's sentence, translated if it has a template."""
    return core_text(text_of(error))


def lock_words(position: Position, searching: bool) -> str:
    """Return the text shown while the search is locked to another position."""
    words = tr("analysing move {number} · locked") if searching else tr("move {number} is analysed · locked")
    return words.format(number=position.ply + 1)
