"""What the checks of a run's settings need to know of its game, by its text.  Knows no setting.

Games are imported only when needed: the window lists the settings before the kernels are loaded.
"""

from core.files.reading import short
from core.text import Text, text_of


def game_problem(text: object) -> str:
    if not isinstance(text, str) or not text:
        return Text("game is {text}; it must be a game as load_game takes it, such as connect4", text=short(text))
    from core.games import load_game

    try:
        load_game(text)
    except ValueError as error:
        return Text("game is {text}; {error}", text=short(text), error=text_of(error))
    return ""


def has_lines(text: str) -> bool:
    from core.games import load_game
    from core.solve.threats_leaf import has_threat_proofs

    return has_threat_proofs(load_game(text))


def has_points(text: str) -> bool:
    from core.games import load_game

    return load_game(text).scoring is not None


def moves_are_cells(text: str) -> bool:
    from core.games import load_game

    return load_game(text).moves_are_cells
