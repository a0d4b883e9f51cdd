"""The commands of a lesson's step: their names, and what may stand behind each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.checks import short
from core.games import GameSpec
from core.search.settings import SETTING, SearchSettings

if TYPE_CHECKING:
    from core.files.lesson import Vocabulary

MOST_SIMULATIONS: Final = 1_000_000
ANY: Final = "any"  # any move
LEAVES: Final = ("rollouts", "uniform", "net")
PAGES: Final = ("analysis", "training")


@dataclass(frozen=True)
class Command:
    """One command: ``words`` are those behind its name, ``rest`` the same as one text."""

    line: int
    name: str
    words: tuple[str, ...]
    rest: str


Check = Callable[[str, GameSpec | None, "Vocabulary"], object]


def whole(text: str, most: int = MOST_SIMULATIONS) -> int:
    """A whole number from 0; ValueError else."""
    if not (text.isascii() and text.isdecimal()) or int(text[:12]) > most:
        raise ValueError(f"{short(text)} is no whole number from 0 to {most}")
    return int(text)


def _number(text: str, game: GameSpec | None, known: Vocabulary) -> None:
    whole(text)


def _decimal(text: str, game: GameSpec | None, known: Vocabulary) -> None:
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9])?", text):
        raise ValueError(f"{short(text)} is no place of the slider; write a number such as 1 or 0.5")


def _move(text: str, game: GameSpec | None, known: Vocabulary) -> None:
    if game is None:
        raise ValueError("a move needs a game before it: @game")
    if text not in game.action_names:
        raise ValueError(f"there is no move {short(text)} in {game.text}; a move looks like {game.action_names[0]}")


MOVE: Final[Check] = _move


def _move_or_any(text: str, game: GameSpec | None, known: Vocabulary) -> None:
    if text != ANY:
        _move(text, game, known)


def _one_of(names_in: Callable[[Vocabulary], Collection[str]]) -> Check:
    def check(text: str, game: GameSpec | None, known: Vocabulary) -> None:
        names = names_in(known)
        if text not in names:
            raise ValueError(f"there is no {short(text)} here; there are {', '.join(names)}")

    return check


def _in(names: tuple[str, ...]) -> Check:
    return _one_of(lambda known: names)


# What a step waits for -> what stands behind it; None: nothing.
WAITS: Final[dict[str, Check | None]] = {
    "play": _move_or_any,
    "select": _move_or_any,
    "search": None,
    "pause": None,
    "simulations": _number,
    "moment": _number,
    "dock": _one_of(lambda known: known.docks),
    "overlay": _one_of(lambda known: known.overlays),
    "page": _in(PAGES),
    "picture": _number,
    "slider": _decimal,
    "run": _number,
}
# What can be pointed at -> what stands behind it.
POINTS: Final[dict[str, Check]] = {
    "dock": _one_of(lambda known: known.docks),
    "cell": _move,
    "row": _move,
    "part": _one_of(lambda known: known.targets),
}


@dataclass(frozen=True)
class _Kind:
    """How a command is written."""

    check: Callable[[Command, GameSpec | None, Vocabulary], object]
    once: bool = True


def _each(check: Check) -> Callable[[Command, GameSpec | None, Vocabulary], object]:
    def run(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
        if not command.words:
            raise ValueError(f"@{command.name} needs something after it")
        for word in command.words:
            check(word, game, known)

    return run


def _single(check: Check) -> Callable[[Command, GameSpec | None, Vocabulary], object]:
    def run(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
        if len(command.words) != 1:
            raise ValueError(f"@{command.name} needs one word after it")
        check(command.words[0], game, known)

    return run


def _pair(table: dict[str, Any]) -> Callable[[Command, GameSpec | None, Vocabulary], object]:
    def run(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
        kind = command.words[0] if command.words else ""
        if kind not in table:
            raise ValueError(f"@{command.name} {short(kind)}: there are {', '.join(table)}")
        check = table[kind]
        if len(command.words) != (1 if check is None else 2):
            raise ValueError(f"@{command.name} {kind} takes {'nothing after it' if check is None else 'one word more'}")
        if check is not None:
            check(command.words[1], game, known)

    return run


def _opened(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
    assert game is not None  # the reader has loaded it


def _moves(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
    if game is None:
        raise ValueError("@moves needs a game before it: @game")
    game.position(command.rest)


def _settings(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
    settings_from(command)


def settings_from(command: Command) -> SearchSettings:
    """The settings that ``@settings name=value …`` names, all others at their defaults; ValueError for a bad one."""
    values: dict[str, Any] = {}
    for word in command.words:
        name, equals, text = word.partition("=")
        setting = SETTING.get(name)
        if setting is None or not equals:
            raise ValueError(f"{short(word)} is no search setting; write name=value")
        values[name] = _value(setting.kind, text)
    return SearchSettings(**values)


def _value(kind: str, text: str) -> Any:
    if kind == "bool":
        return {"true": True, "false": False}.get(text, text)
    try:
        return int(text) if kind == "int" else float(text) if kind == "float" else text
    except ValueError:
        return text  # SearchSettings refuses it in words


def options_from(command: Command) -> dict[str, float | tuple[float, ...]]:
    """The numbers that ``@picture NAME name=value …`` gives, lists with commas; ValueError for a bad one."""
    found: dict[str, float | tuple[float, ...]] = {}
    for word in command.words[1:]:
        name, equals, text = word.partition("=")
        try:
            numbers = tuple(float(part) for part in text.split(","))
        except ValueError:
            numbers = ()
        if not equals or not numbers or not all(abs(one) < 1e9 for one in numbers) or len(numbers) > 20:
            raise ValueError(f"{short(word)} is no option of a picture; write name=number")
        found[name] = numbers if len(numbers) > 1 else numbers[0]
    return found


def _picture(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
    name = command.words[0] if command.words else ""
    if name not in known.pictures:
        raise ValueError(f"there is no picture {short(name)}; there are {', '.join(known.pictures)}")
    options_from(command)


COMMANDS: Final[dict[str, _Kind]] = {
    "game": _Kind(_opened),
    "moves": _Kind(_moves),
    "leaves": _Kind(_single(_in(LEAVES))),
    "settings": _Kind(_settings),
    "search": _Kind(_single(_number)),
    "seed": _Kind(_single(_number)),
    "buttons": _Kind(_each(_number)),
    "docks": _Kind(_each(_one_of(lambda known: known.docks))),
    "overlay": _Kind(_single(_one_of(lambda known: known.overlays))),
    "page": _Kind(_single(_in(PAGES))),
    "picture": _Kind(_picture),
    "point": _Kind(_pair(POINTS), once=False),
    "wait": _Kind(_pair(WAITS)),
}


def check_command(command: Command, game: GameSpec | None, known: Vocabulary) -> None:
    """ValueError for a command that cannot be carried out."""
    COMMANDS[command.name].check(command, game, known)
