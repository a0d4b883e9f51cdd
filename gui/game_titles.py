"""What games are called on screen, in the language in force.  Knows games by name and parameters, no view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gui.language import mark, tr

if TYPE_CHECKING:
    from core.games import GameSpec

FAMILIES: Final = (  # as the dialog of a new game lists them
    mark("Tic-tac-toe"),
    mark("k in a row"),
    mark("Gomoku"),
    mark("Connect Four"),
    mark("Othello"),
    mark("Nim"),
)
RULES: Final = {  # of gomoku
    "freestyle": mark("Gomoku {size}×{size}"),
    "standard": mark("Gomoku {size}×{size}, exactly five"),
    "renju": mark("Renju {size}×{size}"),
}


def game_title(game: GameSpec) -> str:
    """The game's own title, translated; the title itself for a game that is not known here."""
    words = _words(game)
    if not words:
        return game.title
    values = dict(game.params)
    if game.name == "nim":
        values = {"heaps": str(values["heaps"]).replace("-", "–"), "most": values["max_take"]}
    return tr(words).format(**values)


def _words(game: GameSpec) -> str:
    """The sentence of its title with places for its parameters; "" for an unknown game."""
    given = game.params
    if game.name == "tictactoe":
        return "Tic-tac-toe"
    if game.name == "connectn":
        return mark("{rows}×{cols}, {k} in a row")
    if game.name == "gomoku":
        return RULES.get(given["rule"], "")
    if game.name == "connect4":
        if (given["rows"], given["cols"]) == (6, 7):
            return "Connect Four" if given["k"] == 4 else mark("Connect Four, {k} in a row")
        if given["k"] == 4:
            return mark("Connect Four {rows}×{cols}")
        return mark("Connect Four {rows}×{cols}, {k} in a row")
    if game.name == "othello":
        if given["size"] == 8:
            return "Othello" if given["passes"] == "yes" else mark("Othello, no passes")
        if given["passes"] == "yes":
            return mark("Othello {size}×{size}")
        return mark("Othello {size}×{size}, no passes")
    if game.name == "nim":
        if given["max_take"] == game.shape[1]:
            return mark("Nim {heaps}, take any number")
        return mark("Nim {heaps}, take 1") if given["max_take"] == 1 else mark("Nim {heaps}, take 1–{most}")
    return ""
