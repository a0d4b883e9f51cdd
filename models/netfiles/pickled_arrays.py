"""Safe reader of pickled lists of numpy arrays, which executes nothing.  Knows no net.

A pickle is a program for a small stack machine, and `pickle.load` lets it call any function.  This reader implements
only the instructions that lists of plain arrays need (protocols 0 to 4, by Python 2 or 3) and the few calls numpy
writes; anything else is refused.  The instructions are documented in Python's `pickletools`.
"""

import codecs
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LONGEST_NUMBER: Final = 24  # digits; sizes need fewer, and int() of a long text is slow
_MOST_AXES: Final = 8
_ESCAPED: Final = re.compile(rb"(?:[^\\]|\\(?:x[0-9a-fA-F]{2}|[\\'\"nrt]))*")  # what Python 2's repr writes
_MARK: Final = object()


class BadPickle(ValueError):
    """The data is not a pickled list of float arrays; the message follows the file's name and a colon."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A function or type named in the pickle; it is never imported."""

    name: str


@dataclass(slots=True)
class _Type:
    """A numpy dtype; ``order`` is ``<``, ``>`` or ``=``."""

    name: str
    order: str = "="


@dataclass(slots=True)
class _Array:
    """An array; ``value`` is None until its state has been read."""

    value: NDArray[Any] | None = None


_RECONSTRUCT: Final = _Name("_reconstruct")
_NDARRAY: Final = _Name("ndarray")
_DTYPE: Final = _Name("dtype")
_ENCODE: Final = _Name("encode")
_NAMES: Final = {
    "numpy.core.multiarray._reconstruct": _RECONSTRUCT,
    "numpy._core.multiarray._reconstruct": _RECONSTRUCT,
    "numpy.ndarray": _NDARRAY,
    "numpy.dtype": _DTYPE,
    "_codecs.encode": _ENCODE,
}


def read_arrays(data: bytes) -> list[NDArray[Any]]:
    """The float32 or float64 arrays in a pickled list or tuple, each in this machine's byte order.

    Raises :class:`BadPickle` for anything else, a truncated file included.
    """
    found = _Machine(data).run()
    if not isinstance(found, list | tuple):
        raise BadPickle(f"it holds {_kind(found)} where a list of arrays is needed")
    arrays = []
    for i, item in enumerate(found):
        if not isinstance(item, _Array) or item.value is None:
            raise BadPickle(f"entry {i + 1} of its list is {_kind(item)} where an array is needed")
        arrays.append(item.value)
    return arrays


class _Machine:
    """The stack machine of pickles."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.made = 0  # bytes of the texts and arrays built so far
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        """Execute the instructions; the pickled object."""
        while True:
            code = self.take(1)
            if code == b".":
                return self.pop()
            step = _STEPS.get(code)
            if step is None:
                raise BadPickle(f"byte {self.at - 1} is {code!r}, which no list of arrays needs")
            step(self)

    def take(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        if count < 0 or count > len(self.data) - self.at:
            raise BadPickle("it ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def line(self) -> bytes:
        """The bytes up to the end of the line."""
        end = self.data.find(b"\n", self.at)
        if end < 0:
            raise BadPickle("it ends too early")
        line, self.at = self.data[self.at : end], end + 1
        return line.removesuffix(b"\r")

    def number(self, size: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.take(size), "little", signed=signed)

    def decimal(self) -> int:
        line = self.line().removesuffix(b"L")
        if len(line) > _LONGEST_NUMBER or not line.removeprefix(b"-").isdigit():
            raise BadPickle(f"{line[:_LONGEST_NUMBER]!r} is no number an array needs")
        return int(line)

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise BadPickle("its instructions are out of order")
        return self.stack.pop()

    def pop_marked(self) -> list[Any]:
        """Remove and return all above the last mark, and remove the mark."""
        for i in range(len(self.stack) - 1, -1, -1):
            if self.stack[i] is _MARK:
                above = self.stack[i + 1 :]
                del self.stack[i:]
                return above
        raise BadPickle("its instructions are out of order")

    def pop_tuple(self, count: int) -> None:
        self.push(tuple(reversed([self.pop() for _ in range(count)])))

    def keep(self, key: int) -> None:
        value = self.pop()
        self.push(value)
        self.memo[key] = value

    def recall(self, key: int) -> None:
        if key not in self.memo:
            raise BadPickle("its instructions are out of order")
        self.push(self.memo[key])

    def append(self, items: list[Any]) -> None:
        target = self.pop()
        if not isinstance(target, list):
            raise BadPickle("its instructions are out of order")
        target.extend(items)
        self.push(target)

    def flag_or_number(self) -> None:
        """Push a number, or a flag: protocol 0 writes False and True as 00 and 01."""
        line = self.data[self.at : self.at + 3]
        if line in (b"00\n", b"01\n"):
            self.at += 3
            self.push(line == b"01\n")
        else:
            self.push(self.decimal())

    def quoted(self) -> None:
        """Push a byte string written as Python 2's repr."""
        line = self.line()
        if len(line) < 2 or line[:1] not in (b"'", b'"') or line[-1:] != line[:1]:
            raise BadPickle("a text in it has no quotes")
        if not _ESCAPED.fullmatch(line, 1, len(line) - 1):
            raise BadPickle("a text in it is damaged")
        self.push(codecs.escape_decode(line[1:-1])[0])

    def unicode(self, raw: bytes, encoding: str = "utf-8") -> None:
        try:
            self.push(raw.decode(encoding))
        except ValueError:
            raise BadPickle("a text in it is damaged") from None

    def named(self, module: str, name: str) -> None:
        known = _NAMES.get(f"{module}.{name}")
        if known is None:
            raise BadPickle(f"it asks for {f'{module}.{name}'[:80]!r}, which no list of arrays needs; nothing was run")
        self.push(known)

    def named_in_lines(self) -> None:
        module, name = self.line(), self.line()
        self.named(module.decode("latin-1"), name.decode("latin-1"))

    def named_on_stack(self) -> None:
        name, module = self.pop(), self.pop()
        self.named(_text(module), _text(name))

    def made_more(self, size: int) -> None:
        """Count ``size`` bytes as allocated; refuse a pickle whose arrays are larger than itself."""
        self.made += size
        if self.made > 2 * len(self.data):
            raise BadPickle("it grows beyond its own size, as no list of arrays does")

    def call(self) -> None:
        """Carry out one of the three calls that numpy writes."""
        arguments, called = self.pop(), self.pop()
        if not isinstance(arguments, tuple):
            raise BadPickle("its instructions are out of order")
        if called is _RECONSTRUCT and len(arguments) == 3 and arguments[0] is _NDARRAY:
            self.push(_Array())
        elif called is _DTYPE and 1 <= len(arguments) <= 3:
            self.push(_Type(_text(arguments[0])))
        elif called is _ENCODE and len(arguments) == 2 and _text(arguments[1]) in ("latin1", "latin-1"):
            try:
                raw = _text(arguments[0]).encode("latin-1")
            except ValueError:
                raise BadPickle("a text in it is damaged") from None
            self.made_more(len(raw))
            self.push(raw)
        else:
            raise BadPickle("it calls something that no list of arrays needs; nothing was run")

    def build(self) -> None:
        """Set the state of a dtype (its byte order) or of an array (shape, dtype, order, contents)."""
        state, target = self.pop(), self.pop()
        if isinstance(target, _Type) and isinstance(state, tuple) and len(state) >= 2:
            target.order = _text(state[1])
        elif isinstance(target, _Array) and isinstance(state, tuple) and len(state) == 5:
            target.value = _filled(*state[1:])
            self.made_more(target.value.nbytes)
        else:
            raise BadPickle("its instructions are out of order")
        self.push(target)


def _filled(shape: Any, kind: Any, by_columns: Any, raw: Any) -> NDArray[Any]:
    """The array with this state, checked."""
    if not isinstance(kind, _Type) or kind.order not in ("<", ">", "=") or kind.name not in ("f4", "f8"):
        raise BadPickle(f"it has an array of {_kind(kind)}; the numbers must be float32 or float64")
    number = np.dtype(kind.order + kind.name)
    if (
        not isinstance(shape, tuple)
        or len(shape) > _MOST_AXES
        or not all(type(size) is int and 0 <= size < 1 << 31 for size in shape)
    ):
        raise BadPickle("it has an array whose shape is no list of sizes")
    if isinstance(raw, str):
        try:
            raw = raw.encode("latin-1")
        except ValueError:
            raise BadPickle("a text in it is damaged") from None
    if not isinstance(raw, bytes) or len(raw) != number.itemsize * math.prod(shape):
        raise BadPickle(f"it has an array of shape {shape} whose numbers are not all there")
    flat = np.frombuffer(raw, number).astype(number.newbyteorder("="))
    return flat.reshape(shape, order="F" if by_columns else "C")


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if not isinstance(value, str):
        raise BadPickle("its instructions are out of order")
    return value


def _kind(value: Any) -> str:
    """The type of a value as text, without its contents, which may be long."""
    if isinstance(value, _Type):
        return f"numbers of the type {value.name[:20]!r}"
    return "an empty array" if isinstance(value, _Array) else f"a {type(value).__name__.lstrip('_').lower()}"


def _same(value: Any) -> Callable[[_Machine], None]:
    return lambda m: m.push(value)


_STEPS: Final[dict[bytes, Callable[[_Machine], None]]] = {
    b"\x80": lambda m: _check_protocol(m.number(1)),
    b"\x95": lambda m: _check_frame(m, m.number(8)),
    # Marks, tuples, lists.
    b"(": _same(_MARK),
    b")": _same(()),
    b"t": lambda m: m.push(tuple(m.pop_marked())),
    b"\x85": lambda m: m.pop_tuple(1),
    b"\x86": lambda m: m.pop_tuple(2),
    b"\x87": lambda m: m.pop_tuple(3),
    b"]": lambda m: m.push([]),
    b"l": lambda m: m.push(m.pop_marked()),
    b"a": lambda m: m.append([m.pop()]),
    b"e": lambda m: m.append(m.pop_marked()),
    # Numbers, flags, nothing.
    b"N": _same(None),
    b"\x88": _same(True),
    b"\x89": _same(False),
    b"I": lambda m: m.flag_or_number(),
    b"L": lambda m: m.push(m.decimal()),
    b"K": lambda m: m.push(m.number(1)),
    b"M": lambda m: m.push(m.number(2)),
    b"J": lambda m: m.push(m.number(4, signed=True)),
    b"\x8a": lambda m: m.push(m.number(m.number(1), signed=True)),
    # Texts and bytes.
    b"S": lambda m: m.quoted(),
    b"U": lambda m: m.push(m.take(m.number(1))),
    b"T": lambda m: m.push(m.take(m.number(4, signed=True))),
    b"C": lambda m: m.push(m.take(m.number(1))),
    b"B": lambda m: m.push(m.take(m.number(4))),
    b"\x8e": lambda m: m.push(m.take(m.number(8))),
    b"V": lambda m: m.unicode(m.line(), "raw-unicode-escape"),
    b"X": lambda m: m.unicode(m.take(m.number(4))),
    b"\x8c": lambda m: m.unicode(m.take(m.number(1))),
    b"\x8d": lambda m: m.unicode(m.take(m.number(8))),
    # The memo.
    b"p": lambda m: m.keep(m.decimal()),
    b"q": lambda m: m.keep(m.number(1)),
    b"r": lambda m: m.keep(m.number(4)),
    b"\x94": lambda m: m.keep(len(m.memo)),
    b"g": lambda m: m.recall(m.decimal()),
    b"h": lambda m: m.recall(m.number(1)),
    b"j": lambda m: m.recall(m.number(4)),
    # Names, calls, states.
    b"c": lambda m: m.named_in_lines(),
    b"\x93": lambda m: m.named_on_stack(),
    b"R": lambda m: m.call(),
    b"b": lambda m: m.build(),
}


def _check_protocol(protocol: int) -> None:
    if protocol > 4:
        raise BadPickle(f"it is a pickle of protocol {protocol}; protocols 0 to 4 can be read")


def _check_frame(machine: _Machine, length: int) -> None:
    if length > len(machine.data) - machine.at:
        raise BadPickle("it ends too early")
