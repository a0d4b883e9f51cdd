"""What comes from outside, read within bounds: whole files, JSON, and the named values of an object.

Every fault is a ValueError of one sentence, so that a reader needs to expect nothing else.  Knows no format.
"""

import json
import os
import re
import reprlib
import stat
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from core.text import Text

MOST_VALUES: Final = 4_000_000  # of one JSON text: each takes some 100 bytes of memory
MOST_DEPTH: Final = 32

_NEEDED: Final = object()
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")  # how JSON writes half a character
_SHORT: Final = 80
_QUOTED: Final = 100  # characters, a line
_SENTENCE: Final = 800
_LETTER: Final = r"[^\W\u2e80-\uffef]"  # Chinese has no spaces beside quotations, nor between words
_QUOTATION: Final = re.compile(rf"(?<!{_LETTER})'[^']*'(?!{_LETTER})|“[^”]*”|[^\s\u2e80-\uffef]{{102,}}")
_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 60


class BadFile(ValueError):
    """A file that cannot be taken as it is; the sentence says what is wrong with it."""


def short(value: object) -> str:
    """``value`` as Python writes it, on one line of 80 characters at most, to be quoted in a sentence."""
    text = _short.repr(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def in_short(sentence: str) -> str:
    """A sentence on one line, whatever it quotes: quotations and words of more than a line are cut, and its end too."""
    line = _QUOTATION.sub(lambda found: _cut(found[0]), " ".join(sentence.split()))
    return line if len(line) <= _SENTENCE else f"{line[:_SENTENCE].rstrip()}…"


def _cut(quoted: str) -> str:
    """Without its middle, where it is longer than a line: the name of a file is the end of its path."""
    return quoted if len(quoted) <= _QUOTED + 2 else f"{quoted[: _QUOTED // 2]}…{quoted[-_QUOTED // 2 :]}"


def open_plain(path: Path) -> BufferedReader:
    """A file to read from.  BadFile for what is no plain file: a device never ends, and a pipe waits for a writer."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise BadFile(Text("{path} is not a file", path=short(str(path))))
    return path.open("rb")


def read_bytes(path: Path, most: int) -> bytes:
    """All bytes of a plain file.  BadFile when it has more than ``most``; OSError when it cannot be read."""
    with open_plain(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise BadFile(Text("{file} is too large: at most {most} are read", file=path.name, most=_size(most)))
        return file.read(size)


def _size(count: int) -> str:
    for unit, bits in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if count >= 1 << bits:
            return Text("{count} {unit}", count=count >> bits, unit=unit)
    return Text("{count} bytes", count=count)


def parse_json(data: bytes | str) -> Any:
    """The value of a JSON text.  BadFile also when it has more values, or deeper ones, than any file of ours."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        if sum(map(text.count, "[{,")) > MOST_VALUES:
            raise BadFile(Text("it has more than {most} values", most=MOST_VALUES))
        value = json.loads(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # a half alone cannot be shown or written again
    except BadFile:
        raise
    except (ValueError, RecursionError):
        raise BadFile(Text("it is not JSON")) from None
    inner = [value]
    for _ in range(MOST_DEPTH):
        inner = [below for one in inner for below in _values(one) if isinstance(below, dict | list)]
        if not inner:
            return value
    raise BadFile(Text("it is nested more than {most} deep", most=MOST_DEPTH))


def _values(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def read_json(path: Path, most: int) -> Any:
    """The value of a JSON file of at most ``most`` bytes; BadFile or OSError."""
    return parse_json(read_bytes(path, most))


class Fields:
    """The named values of a JSON object, each checked when it is asked for; what is wrong with one is a BadFile.

    A name that is missing, or null, gives ``default`` where there is one.
    """

    def __init__(self, value: Any, what: str = "it") -> None:
        if not isinstance(value, dict):
            raise BadFile(
                Text("{what} is {value}, and should be an object with names and values", what=what, value=short(value))
            )
        self.values: dict[str, Any] = value

    def whole(self, name: str, low: int, high: int, default: Any = _NEEDED) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self._value(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadFile(
                Text(
                    "{name} is {value}; it must be a whole number from {low} to {high}",
                    name=name,
                    value=short(value),
                    low=low,
                    high=high,
                )
            )
        return value

    def number(self, name: str, low: float, high: float, default: Any = _NEEDED) -> float:
        """A number from ``low`` to ``high``, which may not be infinite."""
        value = self._value(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if not is_number(value, low, high):
            raise BadFile(
                Text(
                    "{name} is {value}; it must be a number from {low:g} to {high:g}",
                    name=name,
                    value=short(value),
                    low=low,
                    high=high,
                )
            )
        return float(value)

    def text(self, name: str, default: Any = _NEEDED) -> str:
        value = self._value(name, default)
        if value is not default and not isinstance(value, str):
            raise BadFile(Text("{name} is {value}; it must be a text", name=name, value=short(value)))
        return value  # type: ignore[no-any-return]

    def flag(self, name: str, default: Any = _NEEDED) -> bool:
        value = self._value(name, default)
        if value is not default and not isinstance(value, bool):
            raise BadFile(Text("{name} is {value}; it must be true or false", name=name, value=short(value)))
        return value  # type: ignore[no-any-return]

    def list(self, name: str, default: Any = _NEEDED) -> "list[Any]":
        value = self._value(name, default)
        if value is not default and not isinstance(value, list):
            raise BadFile(Text("{name} is {value}; it must be a list", name=name, value=short(value)))
        return value  # type: ignore[no-any-return]

    def wholes(self, name: str, low: int, high: int, default: Any = _NEEDED) -> tuple[int, ...]:
        """A list of whole numbers, each from ``low`` to ``high``."""
        return whole_numbers(self.list(name, default), low, high, name)

    def object(self, name: str, default: Any = _NEEDED) -> "Fields":
        return Fields(self._value(name, default), name)

    def _value(self, name: str, default: Any) -> Any:
        value = self.values.get(name)
        if value is not None:
            return value
        if default is _NEEDED:
            raise BadFile(Text("{name} is missing", name=name))
        return default


def is_number(value: object, low: float, high: float) -> bool:
    """Whether ``value`` is a number from ``low`` to ``high``; true and false are none, nor is NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def whole_numbers(value: Any, low: int, high: int, what: str) -> tuple[int, ...]:
    """``value`` as a tuple of whole numbers from ``low`` to ``high``; BadFile when it is no list of such."""
    if not isinstance(value, list | tuple):
        raise BadFile(Text("{what} is {value}; it must be a list of whole numbers", what=what, value=short(value)))
    for one in value:
        if isinstance(one, bool) or not isinstance(one, int) or not low <= one <= high:
            raise BadFile(
                Text(
                    "{what} has {one}; it must be a whole number from {low} to {high}",
                    what=what,
                    one=short(one),
                    low=low,
                    high=high,
                )
            )
    return tuple(value)
