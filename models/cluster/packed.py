"""Writes records (dataclasses and NamedTuples of numbers, texts and arrays) as bytes and reads them by their declared
types alone, each as the difference to the one before.

What is read is not trusted: its size is bounded before memory is taken, and each field must have its declared type.
"""

import json
import math
import types
import zlib
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.text import TEXTS, Text, texts_back, with_texts

MOST_BYTES: Final = 1 << 24  # of one record, unpacked
LONGEST: Final = 4000  # characters of a text
DEEPEST: Final = 2000  # moves of a path
_LEVEL: Final = 1  # of zlib: a snapshot is packed up to 30 times a second
_WINDOW: Final = 1 << 15  # bytes of an earlier record that zlib can refer to

Walk = Callable[[tuple[int, ...]], Position]
Bytes = NDArray[np.uint8]
_DTYPES: Final = {
    np.dtype(kind).str: np.dtype(kind)
    for kind in (
        *(np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64),
        *(np.float32, np.float64),
    )
}


class _Writer:
    """The arrays of the record being written, by their place in it."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}


class _Reader:
    """The arrays of the record being read, in their order, and the positions that its paths lead to."""

    def __init__(self, arrays: Iterable[NDArray[Any]], walk: Walk) -> None:
        self.arrays = iter(arrays)
        self.walk = walk


class Kind(NamedTuple):
    """How values of one declared type are written as JSON, and read."""

    write: Callable[[Any, _Writer, str], Any]
    read: Callable[[Any, _Reader], Any]


def _wrong(value: object, what: str) -> ValueError:
    found = f"{value!r:.60}"
    return ValueError(Text("the other machine sent {found} in place of {what}", found=found, what=what))


def _simple(check: Callable[[Any], bool], what: str, turn: Callable[[Any], Any] = lambda value: value) -> Kind:
    def read(value: Any, _: _Reader) -> Any:
        if not check(value):
            raise _wrong(value, what)
        return turn(value)

    return Kind(lambda value, *_: value, read)


_WHOLE: Final = _simple(lambda v: type(v) is int and abs(v) < 1 << 62, "a whole number")
_TRUTH: Final = _simple(lambda v: type(v) is bool, "true or false")
_NOTHING: Final = _simple(lambda v: v is None, "nothing")


def _write_number(value: Any, *_: object) -> Any:
    value = float(value)
    return value if math.isfinite(value) else str(value)


def _read_number(value: Any, _: _Reader) -> float:
    if type(value) in (int, float) or value in ("nan", "inf", "-inf"):
        return float(value)
    raise _wrong(value, "a number")


def _read_text(value: Any, _: _Reader) -> str:
    if isinstance(value, dict) and set(value) == {"text", TEXTS} and isinstance(value["text"], str):
        value = texts_back(value)["text"]
    if not isinstance(value, str) or len(value) > LONGEST:
        raise _wrong(value, "a text")
    return value


_NUMBER: Final = Kind(_write_number, _read_number)
_TEXT: Final = Kind(lambda v, *_: with_texts({"text": v}) if isinstance(v, Text) else v, _read_text)
_SIMPLE: Final = {int: _WHOLE, float: _NUMBER, str: _TEXT, bool: _TRUTH, type(None): _NOTHING}


def _array(dtype: np.dtype[Any]) -> Kind:
    def write(value: NDArray[Any], writer: _Writer, place: str) -> Any:
        writer.arrays[place] = np.ascontiguousarray(value, dtype)
        return 0

    def read(value: Any, reader: _Reader) -> NDArray[Any]:
        array = next(reader.arrays, None)
        if array is None or array.dtype != dtype:
            raise _wrong(value if array is None else array.dtype, f"an array of {dtype}")
        return array

    return Kind(write, read)


def _sequence(one: Kind) -> Kind:
    def read(value: Any, reader: _Reader) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _wrong(value, "a list")
        return tuple([one.read(item, reader) for item in value])

    return Kind(
        lambda value, writer, place: [one.write(item, writer, f"{place}.{i}") for i, item in enumerate(value)], read
    )


def _row(kinds: list[Kind]) -> Kind:
    def read(value: Any, reader: _Reader) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(kinds):
            raise _wrong(value, f"{len(kinds)} values")
        return tuple(kind.read(item, reader) for kind, item in zip(kinds, value, strict=True))

    return Kind(
        lambda value, writer, place: [
            kind.write(item, writer, f"{place}.{i}") for i, (kind, item) in enumerate(zip(kinds, value, strict=True))
        ],
        read,
    )


def _mapping(key: Kind, one: Kind) -> Kind:
    def write(value: dict[Any, Any], writer: _Writer, place: str) -> Any:
        return [[key.write(k, writer, place), one.write(v, writer, f"{place}.{k}")] for k, v in value.items()]

    def read(value: Any, reader: _Reader) -> dict[Any, Any]:
        if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            raise _wrong(value, "a table")
        return {key.read(k, reader): one.read(v, reader) for k, v in value}

    return Kind(write, read)


def _either(kinds: list[Kind]) -> Kind:
    """A value or None."""
    (kind,) = kinds
    return Kind(
        lambda value, writer, place: None if value is None else kind.write(value, writer, place),
        lambda value, reader: None if value is None else kind.read(value, reader),
    )


class Layout:
    """How records of some types are written.  ``names``: what their annotations name that is imported for the type
    checker alone; ``left_out``: fields, as ``Class.field``, that are not sent and keep their defaults."""

    def __init__(self, names: dict[str, Any], left_out: frozenset[str] = frozenset()) -> None:
        self._names, self._left_out = names, left_out
        self._kinds: dict[Any, Kind] = {}
        self.lines: list[str] = []  # one for each type of record, with its fields: equal where layouts are

    def kind(self, hint: Any) -> Kind:
        """How values of a declared type are written."""
        if hint not in self._kinds:
            self._kinds[hint] = self._made(hint)
        return self._kinds[hint]

    def _made(self, hint: Any) -> Kind:
        origin, args = get_origin(hint), get_args(hint)
        if hint in _SIMPLE:
            return _SIMPLE[hint]
        if origin is np.ndarray:
            return _array(np.dtype(get_args(args[1])[0]))
        if origin in (Union, types.UnionType):
            return _either([self.kind(arg) for arg in args if arg is not type(None)])
        if origin is tuple and args[-1] is Ellipsis:
            return _sequence(self.kind(args[0]))
        if origin is tuple:
            return _row([self.kind(arg) for arg in args])
        if origin is dict:
            return _mapping(self.kind(args[0]), self.kind(args[1]))
        return self._record(hint)

    def _record(self, cls: Any) -> Kind:
        hints = get_type_hints(cls, localns=self._names)
        names = [f.name for f in fields(cls)] if is_dataclass(cls) else list(cls._fields)
        names = [name for name in names if f"{cls.__name__}.{name}" not in self._left_out]
        self.lines.append(f"{cls.__name__} " + " ".join(f"{name}:{hints[name]}" for name in names))
        sent = [(name, self.kind(hints[name])) for name in names if hints[name] is not Position]
        walked = [name for name in names if hints[name] is Position]  # made from ``path`` where it is read

        def write(value: Any, writer: _Writer, place: str) -> Any:
            return [kind.write(getattr(value, name), writer, f"{place}.{name}") for name, kind in sent]

        def read(value: Any, reader: _Reader) -> Any:
            if not isinstance(value, list) or len(value) != len(sent):
                raise _wrong(value, cls.__name__)
            given = {name: kind.read(item, reader) for (name, kind), item in zip(sent, value, strict=True)}
            path = given.get("path", ())
            if len(path) > DEEPEST:
                raise _wrong(len(path), f"a path of at most {DEEPEST} moves")
            return cls(**given, **{name: reader.walk(path) for name in walked})

        return Kind(write, read)


class Packer:
    """Writes records, each as the difference to the one before; ``fresh`` writes the next one whole."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.size = 0  # of the last record, in bytes before it was packed
        self.fresh()

    def fresh(self) -> None:
        self._words, self._arrays = b"", dict[str, Bytes]()

    def pack(self, record: Any) -> bytes:
        """The record as bytes, for an ``Unpacker`` that has read all since the last ``fresh``."""
        writer = _Writer()
        tree = self._kind.write(record, writer, "")
        heads = [[place, array.dtype.str, *array.shape] for place, array in writer.arrays.items()]
        words = json.dumps([tree, heads], separators=(",", ":"), allow_nan=False).encode()
        arrays = {place: array.reshape(-1).view(np.uint8) for place, array in writer.arrays.items()}
        body = [len(words).to_bytes(4, "little"), words]
        body += [_difference(array, self._arrays.get(place)).tobytes() for place, array in arrays.items()]
        self.size = sum(map(len, body))
        packer = zlib.compressobj(_LEVEL, zdict=self._words[-_WINDOW:])
        packed = packer.compress(b"".join(body)) + packer.flush()
        self._words, self._arrays = words, arrays
        return packed


class Unpacker:
    """Reads what a ``Packer`` wrote; ``ValueError`` for anything else."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.fresh()

    def fresh(self) -> None:
        self._words, self._arrays = b"", dict[str, Bytes]()

    def unpack(self, packed: bytes, walk: Walk | None) -> Any:
        """The record; ``walk`` gives the position that a path leads to.  Without it the record is not made, and the
        next one can be read all the same."""
        body = self._inflated(packed)
        length = int.from_bytes(body[:4], "little")
        words, rest = body[4 : 4 + length], body[4 + length :]
        try:
            tree, heads = json.loads(words)
            arrays = self._restored(heads, np.frombuffer(rest, np.uint8))
            self._words, self._arrays = words, {place: array for place, array, _ in arrays}
            shown = [array.view(dtype).reshape(shape) for _, array, (dtype, shape) in arrays]
        except (TypeError, ValueError, RecursionError) as error:
            raise ValueError(Text("the other machine sent something that cannot be read")) from error
        return None if walk is None else self._kind.read(tree, _Reader(shown, walk))

    def _restored(self, heads: Any, rest: Bytes) -> list[tuple[str, Bytes, tuple[np.dtype[Any], tuple[int, ...]]]]:
        """The bytes of each array, with its place, type and shape."""
        found, begin = [], 0
        for place, name, *shape in heads:
            dtype = _DTYPES[name]
            if not all(type(side) is int and 0 <= side <= MOST_BYTES for side in shape):
                raise ValueError(shape)
            end = begin + math.prod(shape) * dtype.itemsize
            if end > len(rest):
                raise ValueError(shape)
            array = _difference(rest[begin:end], self._arrays.get(place))
            found.append((place, array, (dtype, tuple(shape))))
            begin = end
        return found

    def _inflated(self, packed: bytes) -> bytes:
        opener = zlib.decompressobj(zdict=self._words[-_WINDOW:])
        try:
            body = opener.decompress(packed, MOST_BYTES)
        except zlib.error as error:
            raise ValueError(Text("the other machine sent something that cannot be read")) from error
        if not opener.eof:
            raise ValueError(
                Text("the other machine sent more than the {most} MB allowed at once", most=MOST_BYTES >> 20)
            )
        return body


def _difference(array: Bytes, before: Bytes | None) -> Bytes:
    """The bytes of an array without those of ``before``, or with them again: both are the same operation."""
    found = array.copy()
    common = 0 if before is None else min(len(array), len(before))
    if before is not None:
        found[:common] ^= before[:common]
    return found
