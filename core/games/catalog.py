"""The table of games, and parsing of their names.  A new game of the program is one file and one entry here."""

import re
from typing import Any, Final

from core.checks import a_number, one_of, wrong
from core.games.connect4 import CONNECT4
from core.games.connectn import CONNECTN, TICTACTOE
from core.games.diagram import quote
from core.games.go import GO
from core.games.gomoku import GOMOKU
from core.games.installed import Games
from core.games.nim import NIM
from core.games.openspiel import OPENSPIEL
from core.games.othello import OTHELLO
from core.games.spec import NAME, BadGame, ChoiceParameter, GameFamily, GameSpec, IntParameter, OpenParameter
from core.text import Text, joined, text_of

OWN_GAMES: Final[dict[str, GameFamily]] = {
    family.name: family
    for family in (
        TICTACTOE,
        CONNECTN,
        GOMOKU,
        CONNECT4,
        OTHELLO,
        GO,
        NIM,
        OPENSPIEL,
    )
}

GAMES: Final = Games(OWN_GAMES)

_CALL = re.compile(rf"({NAME.pattern})(?:\((.*)\))?")


def load_game(text: str) -> GameSpec:
    """Load a game by name and parameters: ``connect4``, ``gomoku(size=9)``, ``connectn(rows=4, cols=4, k=3)``.

    Spaces and case do not matter.  BadGame (a ValueError) quotes the text and lists what is allowed.
    """
    try:
        return _load("".join(text.lower().split()))
    except ValueError as error:
        raise BadGame(Text("cannot load the game {text}: {error}", text=quote(text), error=text_of(error))) from None


def _load(compact: str) -> GameSpec:
    call = _CALL.fullmatch(compact)
    failure = GAMES.failure(call[1]) if call is not None and call[1] not in GAMES else None
    if failure is not None:
        raise ValueError(Text("this installed game cannot be used: {reason}", reason=failure))
    if call is None or call[1] not in GAMES:
        raise ValueError(
            Text(
                "it should be one of {games}, with parameters in brackets as in gomoku(size=9)", games=", ".join(GAMES)
            )
        )
    family = GAMES[call[1]]
    if family.whole:
        name = family.parameters[0].name
        return family.build(compact, {name: _value(family.parameters[0], call[2] or None, family)})
    values: dict[str, str] = {}
    for item in call[2].split(",") if call[2] else ():
        name, equals, value = item.partition("=")
        if not equals or name not in [parameter.name for parameter in family.parameters]:
            raise ValueError(
                Text(
                    "{item} is none of its parameters, {name} takes {allowed}",
                    item=quote(item),
                    name=family.name,
                    allowed=_allowed(family),
                )
            )
        if name in values:
            raise ValueError(Text("{name} is given twice", name=name))
        values[name] = value
    params: dict[str, Any] = {}
    shown = []
    for parameter in family.parameters:
        value = _value(parameter, values.get(parameter.name), family)
        params[parameter.name] = value
        if value != parameter.default:
            shown.append(f"{parameter.name}={value}")
    return family.build(f"{family.name}({', '.join(shown)})" if shown else family.name, params)


def _value(parameter: IntParameter | ChoiceParameter, text: str | None, family: GameFamily) -> int | str:
    if text is None:
        if parameter.default is None:
            raise ValueError(
                Text(
                    "{name} is missing, {family} takes {allowed}",
                    name=parameter.name,
                    family=family.name,
                    allowed=_allowed(family),
                )
            )
        return parameter.default
    value: int | str = text
    if isinstance(parameter, OpenParameter):
        good = re.fullmatch(parameter.pattern, text) is not None
    elif isinstance(parameter, ChoiceParameter):
        good = text in parameter.choices
    else:
        good = re.fullmatch(r"[0-9]{1,9}", text) is not None and parameter.low <= int(text) <= parameter.high
        value = int(text) if good else text
    if not good:
        raise ValueError(wrong(parameter.name, text, _range(parameter)))
    return value


def _range(parameter: IntParameter | ChoiceParameter) -> str:
    if isinstance(parameter, OpenParameter):
        return parameter.allowed
    if isinstance(parameter, ChoiceParameter):
        return one_of(parameter.choices)
    return a_number(parameter.low, parameter.high, whole=True)


def _allowed(family: GameFamily) -> str:
    if not family.parameters:
        return Text("no parameters")
    return joined(
        Text("{name}: {range}", name=parameter.name, range=_range(parameter)) for parameter in family.parameters
    )
