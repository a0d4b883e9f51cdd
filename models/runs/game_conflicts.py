"""Which settings of a run do not go with its game.

Games are imported only when needed: the window lists the settings before the kernels are loaded.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.checks import short
from core.text import Text, text_of
from models.runs.sizes import sizes_problem

if TYPE_CHECKING:
    from core.games import GameSpec


def game_problem(text: object) -> str:
    """What is wrong with the game of a run; empty when nothing is."""
    if not isinstance(text, str) or not text:
        return Text("game is {text}; it must be a game as load_game takes it, such as connect4", text=short(text))
    from core.games import load_game

    try:
        load_game(text)
    except ValueError as error:
        return Text("game is {text}; {error}", text=short(text), error=text_of(error))
    return ""


def game_conflicts(values: Mapping[str, Any]) -> dict[str, str]:
    """Problems of valid settings with a valid game and with one another, a sentence for each name."""
    from core.games import load_game

    text, game = values["game"], load_game(values["game"])
    wrong: dict[str, str] = {}
    if values["self_play.threat_proofs"] and not has_lines(game):
        wrong["self_play.threat_proofs"] = Text(
            "threat_proofs is True; {game} has no lines to make threats with, so it must be False", game=text
        )
    most = most_exact_empties(game)
    if values["self_play.exact_empties"] and not most:
        wrong["self_play.exact_empties"] = Text(
            "exact_empties is {value}; {game} has no quick exact solver of endings, so it must be 0",
            value=values["self_play.exact_empties"],
            game=text,
        )
    elif values["self_play.exact_empties"] > most:
        wrong["self_play.exact_empties"] = Text(
            "exact_empties is {value}; it must be a whole number from 0 to {most} in {game}",
            value=values["self_play.exact_empties"],
            game=text,
            most=most,
        )
    if message := sizes_problem(values):
        wrong["self_play.sizes"] = message
    if values["net.inputs"] == "points" and game.scoring is None:
        wrong["net.inputs"] = Text("inputs is 'points'; {game} has no points, so it must be board", game=text)
    if values["net.heads"] == "pooled" and not game.moves_are_cells:
        wrong["net.heads"] = Text(
            "heads is 'pooled'; the moves of {game} are not its cells, so it must be dense", game=text
        )
    return wrong


def has_lines(game: "GameSpec") -> bool:
    from core.solve.threats import has_threat_proofs

    return has_threat_proofs(game)


def most_exact_empties(game: "GameSpec") -> int:
    """The most empty cells from which an exact solver can end the games of a run; 0: it has none for them."""
    from core.solve.solver import quick_empties

    return quick_empties(game)
