"""Conversion of positions and search settings to JSON values and back."""

from dataclasses import fields
from typing import Any

from core.checks import short
from core.files.reading import Fields
from core.games import GameSpec, Position, load_game
from core.machine import machine_memory_mb
from core.search import SearchSettings


def start_json(start: Position) -> dict[str, Any]:
    """A start position as its game and, unless it is the game's first, its diagram."""
    out: dict[str, Any] = {"game": start.game.text}
    if start != start.game.initial():
        out["diagram"] = start.diagram()
    return out


def start_from(value: Fields) -> Position:
    """Inverse of :func:`start_json`; ValueError when it cannot be read."""
    game: GameSpec = load_game(value.text("game"))
    diagram = value.text("diagram", "")
    return game.parse_diagram(diagram) if diagram else game.initial()


def position_json(position: Position) -> dict[str, Any]:
    """A position as its start and the names of its moves."""
    names = [position.game.action_name(a) for a in position.moves]
    return {**start_json(position.start), "moves": names}


def position_from(value: Fields) -> Position:
    """Inverse of :func:`position_json`; ValueError when it cannot be read."""
    position = start_from(value)
    for name in value.list("moves"):
        if not isinstance(name, str):
            raise ValueError(f"the move {short(name)} should be a text")
        position = position.play(position.game.parse_action(name))
    return position


def settings_from(value: Any) -> SearchSettings:
    """Search settings from a dictionary; missing ones have their defaults, and the memory budget is limited to that of
    this machine.  ValueError for unknown or invalid ones."""
    if not isinstance(value, dict):
        raise ValueError(f"settings are {short(value)}, and should be names with values")
    kinds: dict[str, Any] = {field.name: field.type for field in fields(SearchSettings)}
    for name, setting in value.items():
        if name not in kinds:
            raise ValueError(f"there is no search setting {short(name)}")
        kind = kinds[name]
        if not isinstance(setting, int | float if kind is float else kind) or (
            isinstance(setting, bool) and kind is not bool
        ):
            raise ValueError(f"the setting {name} is {short(setting)}, which is no {kind.__name__}")
    if value.get("memory_mb", 0) > machine_memory_mb():  # the file may come from a larger machine
        value = {**value, "memory_mb": machine_memory_mb()}
    return SearchSettings(**value)
