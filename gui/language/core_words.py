"""What engine and training call things, in the language in force: titles of games, phases, what values leaves.

They speak English and know of no language; their texts are told by their shape.  Knows texts, no view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gui.language.language import mark, pattern, tr

if TYPE_CHECKING:
    from core.games import GameSpec, Position

FAMILIES: Final = (
    mark("Tic-tac-toe"),
    mark("k in a row"),
    mark("Gomoku"),
    mark("Connect Four"),
    mark("Othello"),
    mark("Nim"),
)
SHAPES: Final = (  # a text is of the first that it fits
    *FAMILIES,
    mark("Connect Four {rows}×{cols}, {k} in a row"),
    mark("Connect Four, {k} in a row"),
    mark("Connect Four {rows}×{cols}"),
    mark("{rows}×{cols}, {k} in a row"),
    mark("Gomoku {size}×{size}, exactly five"),
    mark("Gomoku {size}×{size}"),
    mark("Renju {size}×{size}"),
    mark("Othello {size}×{size}, no passes"),
    mark("Othello, no passes"),
    mark("Othello {size}×{size}"),
    mark("Nim {heaps}, take any number"),
    mark("Nim {heaps}, take 1–{most}"),
    mark("Nim {heaps}, take 1"),
    mark(
        "preparing the search for {title}: {ready} of about {all} functions compiled, once on this machine, {seconds} s"
    ),
    mark("loading {label}"),
    mark("random rollouts on CPU"),
    mark("random rollouts on CPU, {threads} threads"),
    mark("tactical rollouts on CPU"),
    mark("tactical rollouts on CPU, {threads} threads"),
    mark("{net} on CPU"),
    mark("{net} on CUDA"),
    mark("limit reached"),
    mark("memory budget full"),
    mark("iteration {iteration}: playing and learning"),  # what a run does
    mark("iteration {iteration}: saving"),
    mark("writing {path}"),
    mark("compiling"),
    mark("measuring"),
    mark("paused"),
    mark("starting"),
)


def game_title(game: GameSpec) -> str:
    """The title of a game on screen."""
    return core_text(game.title)


def core_text(text: str) -> str:
    """A text of the engine, translated; itself where its shape is not known here."""
    for shape in SHAPES:
        found = pattern(shape).fullmatch(text)
        if found is not None:
            return tr(shape).format(**{name: core_text(value) for name, value in found.groupdict().items()})
    return tr(text)


def lock_words(position: Position, searching: bool) -> str:
    """What the search does while another position is shown."""
    words = tr("analysing move {number} · locked") if searching else tr("move {number} is analysed · locked")
    return words.format(number=position.ply + 1)
