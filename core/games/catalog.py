"""The table of games, and parsing of their names.  A new game is one file and one entry here."""

import re
from typing import Any, Final

from core.games.connect4 import CONNECT4
from core.games.connectn import CONNECTN, TICTACTOE
from core.games.diagram import quote
from core.games.gomoku import GOMOKU
from core.games.nim import NIM
from core.games.othello import OTHELLO
from core.games.spec import BadGame, ChoiceParameter, GameFamily, GameSpec, IntParameter, OpenParameter

GAMES: Final[dict[str, GameFamily]] = {
    family.name: family
    for family in (
        TICTACTOE,
        CONNECTN,
        GOMOKU,
        CONNECT4,
        OTHELLO,
        NIM,
    )
}

_CALL = re.compile(r"([a-z0-9]+)(?:\((.*)\))?")


def load_game(text: str) -> GameSpec:
    """Load a game by name and parameters: ``connect4``, ``gomoku(size=9)``, ``connectn(rows=4, cols=4, k=3)``.

    Spaces and case do not matter.  BadGame (a ValueError) quotes the text and lists what is allowed.
    """
    try:
        return _load("".join(text.lower().split()))
    except ValueError as error:
        raise BadGame(f"cannot load the game {quote(text)}: {error}") from None


def _load(compact: str) -> GameSpec:
    call = _CALL.fullmatch(compact)
    if call is None or call[1] not in GAMES:
        raise ValueError(f"it should be one of {', '.join(GAMES)}, with parameters in brackets as in gomoku(size=9)")
    family = GAMES[call[1]]
    given: dict[str, str] = {}
    for item in call[2].split(",") if call[2] else ():
        name, equals, value = item.partition("=")
        if not equals or name not in [parameter.name for parameter in family.parameters]:
            raise ValueError(f"{quote(item)} is none of its parameters, {family.name} takes {_allowed(family)}")
        if name in given:
            raise ValueError(f"{name} is given twice")
        given[name] = value
    params: dict[str, Any] = {}
    shown = []
    for parameter in family.parameters:
        value = _value(parameter, given.get(parameter.name), family)
        params[parameter.name] = value
        if value != parameter.default:
            shown.append(f"{parameter.name}={value}")
    return family.build(f"{family.name}({', '.join(shown)})" if shown else family.name, params)


def _value(parameter: IntParameter | ChoiceParameter, text: str | None, family: GameFamily) -> int | str:
    if text is None:
        if parameter.default is None:
            raise ValueError(f"{parameter.name} is missing, {family.name} takes {_allowed(family)}")
        return parameter.default
    if isinstance(parameter, OpenParameter):
        if not re.fullmatch(parameter.pattern, text):
            raise ValueError(f"{parameter.name}={quote(text)[1:-1]} is not allowed, {_range(parameter)}")
        return text
    if isinstance(parameter, ChoiceParameter):
        if text not in parameter.choices:
            raise ValueError(f"{parameter.name}={quote(text)[1:-1]} is not known, {_range(parameter)}")
        return text
    if not re.fullmatch(r"[0-9]{1,9}", text) or not parameter.low <= int(text) <= parameter.high:
        raise ValueError(f"{parameter.name}={quote(text)[1:-1]} is not allowed, {_range(parameter)}")
    return int(text)


def _range(parameter: IntParameter | ChoiceParameter) -> str:
    if isinstance(parameter, OpenParameter):
        return f"{parameter.name} is {parameter.allowed}"
    if isinstance(parameter, ChoiceParameter):
        return f"{parameter.name} is one of {', '.join(parameter.choices)}"
    return f"{parameter.name} is from {parameter.low} to {parameter.high}"


def _allowed(family: GameFamily) -> str:
    if not family.parameters:
        return "no parameters"
    return ", ".join(_range(parameter).replace(" is ", " ", 1) for parameter in family.parameters)
