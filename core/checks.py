"""What is wrong with a value, in one sentence for all: "{name} is {value}; it must be {allowed}"."""

import reprlib
from collections.abc import Iterable
from typing import Final

from core.text import Text

_SHORT: Final = 80
_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 60


def short(value: object) -> str:
    """The repr of ``value``, shortened to 80 characters, for quoting in a message."""
    text = _short.repr(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def wrong(name: str, value: object, allowed: str) -> Text:
    """The sentence that ``value`` is not what is allowed."""
    return Text("{name} is {value}; it must be {allowed}", name=name, value=short(value), allowed=allowed)


def a_number(low: float, high: float, whole: bool) -> Text:
    """What a number from ``low`` to ``high`` is called."""
    if whole:
        return Text("a whole number from {low} to {high}", low=int(low), high=int(high))
    return Text("a number from {low:g} to {high:g}", low=low, high=high)


def one_of(choices: Iterable[str]) -> Text:
    """What one of several words is called."""
    return Text("one of {choices}", choices=", ".join(choices))


def is_number(value: object, low: float, high: float) -> bool:
    """Whether ``value`` is a number from ``low`` to ``high``; not for booleans and NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def number_problem(name: str, value: object, low: float, high: float, whole: bool) -> str:
    """What is wrong with a number that must lie from ``low`` to ``high``; empty when nothing is."""
    good = is_number(value, low, high) and not (whole and isinstance(value, float))
    return "" if good else wrong(name, value, a_number(low, high, whole))


def choice_problem(name: str, value: object, choices: Iterable[str]) -> str:
    """What is wrong with a word that must be one of ``choices``; empty when nothing is."""
    return "" if value in (words := tuple(choices)) else wrong(name, value, one_of(words))


def flag_problem(name: str, value: object) -> str:
    """What is wrong with a value that must be true or false; empty when nothing is."""
    return "" if isinstance(value, bool) else wrong(name, value, Text("true or false"))
