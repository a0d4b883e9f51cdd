"""The rules of the games, as Python positions and as kernels for the search."""

from core.games.catalog import GAMES, load_game
from core.games.position import IllegalMove, Position
from core.games.spec import BadGame, ChoiceParameter, GameFamily, GameSpec, IntParameter, OpenParameter

__all__ = [
    "GAMES",
    "BadGame",
    "ChoiceParameter",
    "GameFamily",
    "GameSpec",
    "IllegalMove",
    "IntParameter",
    "OpenParameter",
    "Position",
    "load_game",
]
