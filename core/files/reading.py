"""Reading of untrusted files with limits: whole files, JSON, and checked values of JSON objects.

Every fault is a ValueError of one sentence, so that callers need to handle nothing else.
"""

import gc
import json
import os
import re
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from threading import Lock
from typing import Any, Final

from core.checks import choice_problem, flag_problem, number_problem, short, wrong
from core.text import Text

MOST_VALUES: Final = 4_000_000  # of one JSON text: each takes some 100 bytes of memory
MOST_DEPTH: Final = 32

_NEEDED: Final = object()
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")  # a surrogate in JSON
_QUOTED: Final = 100  # characters, a line
_SENTENCE: Final = 800
_LETTER: Final = r"[^\W\u2e80-\uffef]"  # Chinese has no spaces beside quotations, nor between words
_QUOTATION: Final = re.compile(rf"(?<!{_LETTER})'[^']*'(?!{_LETTER})|“[^”]*”|[^\s\u2e80-\uffef]{{102,}}")
MAX_COMPLAINTS: Final = 100
_LONGEST: Final = 300  # characters of a sentence
_lock = Lock()
_was_on: list[bool] = []  # for each reading that goes on, whether the collector was on when the first began


class BadFile(ValueError):
    """A file cannot be read; the message is one sentence."""


def in_short(sentence: str) -> str:
    """A message on one line of limited length: long quotations and words are shortened, then the end.

    A :class:`Text` keeps its template, unless its end was cut.
    """
    line = _QUOTATION.sub(lambda match: _cut(match[0]), " ".join(sentence.split()))
    line = line if len(line) <= _SENTENCE else f"{line[:_SENTENCE].rstrip()}…"
    if line == sentence or not isinstance(sentence, Text):
        return sentence if line == sentence else line
    values = {}
    for name, value in sentence.values.items():
        if f"{{{name}!r}}" in sentence.template and isinstance(value, str):
            values[name] = _cut(f"'{value}'")[1:-1]
        else:
            values[name] = in_short(value) if isinstance(value, str) else value
    text = sentence.having(**values)
    return text if text == line else line


def _cut(quoted: str) -> str:
    """Remove the middle of a long quotation: the end of a path is the name of the file."""
    return quoted if len(quoted) <= _QUOTED + 2 else f"{quoted[: _QUOTED // 2]}…{quoted[-_QUOTED // 2 :]}"


def open_plain(path: Path) -> BufferedReader:
    """Open a regular file for reading.  BadFile for devices and pipes, reading which may never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise BadFile(Text("{path} is not a file", path=short(str(path))))
    return path.open("rb")


def read_bytes(path: Path, most: int) -> bytes:
    """Read a regular file.  BadFile when it has more than ``most`` bytes; OSError when it cannot be read."""
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
    """Parse a JSON text.  BadFile when it is not JSON, has too many values or is nested too deeply."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        if sum(map(text.count, "[{,")) > MOST_VALUES:
            raise BadFile(f"it has more than {MOST_VALUES} values")
        value = json.loads(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # an unpaired surrogate cannot be shown or encoded
    except BadFile:
        raise
    except (ValueError, RecursionError):
        raise BadFile("it is not JSON") from None
    inner = [value]
    for _ in range(MOST_DEPTH):
        inner = [below for container in inner for below in _values(container) if isinstance(below, dict | list)]
        if not inner:
            return value
    raise BadFile(f"it is nested more than {MOST_DEPTH} deep")


def _values(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def read_json(path: Path, most: int) -> Any:
    """Parse a JSON file of at most ``most`` bytes; BadFile or OSError."""
    return parse_json(read_bytes(path, most))


class Fields:
    """Typed access to the values of a JSON object; BadFile for a value of another type or range.

    A name that is missing, or null, gives ``default`` if there is one.
    """

    def __init__(self, value: Any, what: str = "it") -> None:
        if not isinstance(value, dict):
            raise BadFile(wrong(what, value, Text("an object with names and values")))
        self.values: dict[str, Any] = value

    def whole(self, name: str, low: int, high: int, default: Any = _NEEDED) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self._value(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if problem := number_problem(name, value, low, high, whole=True):
            raise BadFile(problem)
        return value  # type: ignore[no-any-return]

    def number(self, name: str, low: float, high: float, default: Any = _NEEDED) -> float:
        """A finite number from ``low`` to ``high``."""
        value = self._value(name, default)
        if value is default:
            return default  # type: ignore[no-any-return]
        if problem := number_problem(name, value, low, high, whole=False):
            raise BadFile(problem)
        return float(value)

    def text(self, name: str, default: Any = _NEEDED) -> str:
        value = self._value(name, default)
        if value is not default and not isinstance(value, str):
            raise BadFile(wrong(name, value, Text("a text")))
        return value  # type: ignore[no-any-return]

    def flag(self, name: str, default: Any = _NEEDED) -> bool:
        value = self._value(name, default)
        if value is not default and (problem := flag_problem(name, value)):
            raise BadFile(problem)
        return value  # type: ignore[no-any-return]

    def choice(self, name: str, choices: Collection[str], default: Any = _NEEDED) -> str:
        """One of several words."""
        value = self._value(name, default)
        if value is not default and (problem := choice_problem(name, value, choices)):
            raise BadFile(problem)
        return value  # type: ignore[no-any-return]

    def list(self, name: str, default: Any = _NEEDED) -> "list[Any]":
        value = self._value(name, default)
        if value is not default and not isinstance(value, list):
            raise BadFile(wrong(name, value, Text("a list")))
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


def whole_numbers(value: Any, low: int, high: int, what: str) -> tuple[int, ...]:
    """Check a list of whole numbers from ``low`` to ``high``; a tuple of them, else BadFile."""
    if not isinstance(value, list | tuple):
        raise BadFile(wrong(what, value, Text("a list")))
    for number in value:
        if problem := number_problem(what, number, low, high, whole=True):
            raise BadFile(problem)
    return tuple(value)


class Complaints:
    """Collects the first hundred different sentences, each begun with ``where``, and the number of the rest."""

    def __init__(self) -> None:
        self._sentences: dict[str, None] = {}
        self._more = 0
        self.where = ""

    def __call__(self, sentence: str) -> None:
        if self.where:
            sentence = Text("{where}: {sentence}", where=self.where, sentence=sentence)
        plain = " ".join(sentence.split())  # a file's odd text may be quoted in it
        if len(plain) > _LONGEST:
            plain = plain[: _LONGEST - 1] + "…"
        sentence = sentence if plain == sentence else plain
        if sentence in self._sentences:
            return
        if len(self._sentences) < MAX_COMPLAINTS:
            self._sentences[sentence] = None
        else:
            self._more += 1

    def all(self) -> tuple[str, ...]:
        """The sentences in the order of their first appearance; the last says how many more there were."""
        more = (Text("and {more} more of the kind", more=self._more),) if self._more else ()
        return (*self._sentences, *more)


@contextmanager
def not_collected() -> Iterator[None]:
    """Keep the collector off until the last of those who ask for this at once is done."""
    with _lock:
        _was_on.append(_was_on[0] if _was_on else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _was_on.pop() and not _was_on:
                gc.enable()
