"""How a game's rules are named to other programs: by a word, or by a value for each of their fields."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Parameters = Mapping[str, Any]
"""Of a game, as ``load_game`` takes them."""
Fields = Mapping[str, str | bool]


class RuleNames(NamedTuple):
    """The functions raise ValueError for words and fields that name no rules."""

    fields: Callable[[Parameters], Fields]
    """The fields of a game with these parameters."""
    named: Callable[[str], Parameters]
    """The parameters of the rules that a word names; those that no rules touch are left out."""
    with_fields: Callable[[Mapping[str, Any]], Parameters]
    """The parameters of the rules with these fields."""
    changed: Callable[[Fields, str, str], Parameters]
    """(Fields, the name of one, another value of it in a word) -> the parameters."""
