"""Translates texts of the engine and of training: game titles, phases, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.text import Text, text_of
from gui.language.language import mark, tr

if TYPE_CHECKING:
    from core.games import GameSpec, Position

COMPOSED: Final = (  # templates of core.text.Text that are composed from parts
    mark("Connect Four {rows}×{cols}, {k} in a row"),
    mark("Connect Four, {k} in a row"),
    mark("Connect Four {rows}×{cols}"),
    mark("Gomoku {size}×{size}, exactly five"),
    mark("Gomoku {size}×{size}"),
    mark("Othello {size}×{size}, no passes"),
    mark("Othello, no passes"),
    mark("Othello {size}×{size}"),
    mark("Go {rows}×{cols}"),
    mark("Go {rows}×{cols}, Chinese rules"),
    mark("Go {rows}×{cols}, AGA rules"),
    mark("Go {rows}×{cols}, New Zealand rules"),
    mark("Go {rows}×{cols}, Japanese rules"),
    mark("Go {rows}×{cols}, Korean rules"),
    mark("Nim {heaps}, take any number"),
    mark("Nim {heaps}, take 1–{most}"),
    mark("Nim {heaps}, take 1"),
    mark("Nim {heaps}, take any number, the last chip loses"),
    mark("Nim {heaps}, take 1–{most}, the last chip loses"),
    mark("Nim {heaps}, take 1, the last chip loses"),
    mark("random rollouts on CPU"),
    mark("random rollouts on CPU, {threads} threads"),
    mark("tactical rollouts on CPU"),
    mark("tactical rollouts on CPU, {threads} threads"),
    mark("{net} on CPU"),
    mark("{net} on CUDA"),
    mark("{net}, {runtime} on CPU"),
    mark("{net}, {runtime} on GPU"),
    mark("{text_0} or {text_1}"),
    mark("{text_0} or {text_1} or {text_2}"),
    mark("{text_0} and {text_1}"),
    mark("{text_0} and {text_1} and {text_2}"),
    mark("{text_0}; {text_1}"),
    mark("{text_0}; {text_1}; {text_2}"),
    mark("limit reached"),
    mark("memory budget full"),
)


def game_title(game: GameSpec) -> str:
    """Return a game's title for the screen."""
    return core_text(game.title)


def core_text(text: str) -> str:
    """Translate a text of the engine; a text without a translation is returned unchanged."""
    if isinstance(text, Text):
        values = {name: core_text(value) if isinstance(value, Text) else value for name, value in text.values.items()}
        return tr(text.template).format(**values)
    return tr(text)


def error_text(error: BaseException) -> str:
    """Return an error's sentence, translated if it has a template."""
    return core_text(text_of(error))


def lock_words(position: Position, searching: bool) -> str:
    """Return the text shown while the search is locked to another position."""
    words = tr("analysing move {number} · locked") if searching else tr("move {number} is analysed · locked")
    return words.format(number=position.ply + 1)
