"""Reads and writes zip files of arrays, bytes and JSON (numpy's .npz format), without pickles.

Every part is checked before it is unpacked: its name, its type, its size, and the total size of all parts.
"""

import io
import json
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from core.checks import short
from core.files.reading import BadFile as BadFile
from core.files.reading import parse_json
from core.text import text_of

MAX_JSON_BYTES: Final = 128 << 20
MOST_PARTS: Final = 10_000
# Deflate compresses zeros to a thousandth.  A typical tree shrinks to a fifth, one with equal priors on a 15x15 board
# to a sixty-fifth; a much higher ratio is an attack on the memory.
MOST_RATIO: Final = 200
FREE_BYTES: Final = 64 << 20  # that any file may unpack to, whatever its size
_LEVEL: Final = 1  # higher levels hardly compress trees better and take five times as long
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENTRY: Final = b"PK\x01\x02"  # begins each entry of a zip's table
# The header as numpy writes it; numpy's own reader accepts any Python literal.
_HEADER: Final = re.compile(
    rb"\{'descr': '([<>|][a-zA-Z][0-9]{1,9})', 'fortran_order': (False|True), "
    rb"'shape': \(((?:[0-9]{1,18},? ?){0,8})\), \} *\n"
)
_MOST_HEADER: Final = 1 << 12


def pack(members: Mapping[str, NDArray[Any] | bytes]) -> bytes:
    """The bytes of a zip of ``members``: arrays as .npy, bytes unchanged."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, content in members.items():
            # A default ZipInfo has no time stamp, so that the same content gives the same bytes.
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                if isinstance(content, bytes):
                    file.write(content)
                else:
                    npy.write_array(file, np.ascontiguousarray(content), allow_pickle=False)
    return out.getvalue()


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")


class _Header(NamedTuple):
    """The header of an array; ``length`` is its size in bytes."""

    descr: str
    by_columns: bool
    shape: tuple[int, ...]
    length: int


class Unpacked:
    """Reader of a zip; every failure is a BadFile.

    within: the zip that contains this one, with which it shares the limit on unpacked bytes.
    """

    def __init__(self, data: bytes, within: "Unpacked | None" = None) -> None:
        if data.count(_ENTRY) > MOST_PARTS:
            raise BadFile(f"it has more than {MOST_PARTS} parts")
        with _failing("it is no zip archive, or its end is missing"):
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._room: list[int] = [max(FREE_BYTES, MOST_RATIO * len(data))] if within is None else within._room

    def names(self) -> list[str]:
        return self._archive.namelist()

    def raw(self, name: str, most: int | None = None) -> bytes:
        """The bytes of a part, at most ``most``."""
        entry = self._entry(name, most)
        self._take_room(entry.file_size)
        with _failing(f"its part {short(name)} is damaged"):
            return self._archive.read(entry)

    def json(self, name: str, most: int = MAX_JSON_BYTES) -> Any:
        """A part as JSON."""
        data = self.raw(name, most)
        try:
            return parse_json(data)
        except BadFile as error:
            raise BadFile(f"its part {short(name)} cannot be read: {text_of(error)}") from None

    def array(self, name: str, dtype: type[np.generic], shape: tuple[int | None, ...] = (None,)) -> NDArray[Any]:
        """A part as a new array, which must have that dtype and shape (None: any length)."""
        entry, expected = self._entry(name), np.dtype(dtype)
        with _failing(f"its part {short(name)} is damaged"), self._archive.open(entry) as stream:
            header = _read_header(stream, name)
            fits = len(header.shape) == len(shape) and all(
                want in (None, size) for want, size in zip(shape, header.shape, strict=True)
            )
            if not fits or np.dtype(header.descr) != expected:
                form = str(tuple("any" if size is None else size for size in shape)).replace("'", "")
                raise BadFile(
                    f"its part {short(name)} is {header.descr} of shape {header.shape!s:.60}, and should be "
                    f"{expected} of shape {form}"
                )
            if entry.file_size - header.length != math.prod(header.shape) * expected.itemsize:
                raise BadFile(f"its part {short(name)} is not as long as it says")
            self._take_room(entry.file_size)
            array = np.empty(header.shape, expected, order="F" if header.by_columns else "C")
            _fill(array, stream)
        return array

    def text(self, name: str, most: int = 1 << 10) -> str:
        """A part that is a single numpy string of at most ``most`` characters."""
        entry = self._entry(name, 4 * most + _MOST_HEADER)
        with _failing(f"its part {short(name)} is damaged"), self._archive.open(entry) as stream:
            header = _read_header(stream, name)
            if header.shape != () or header.descr[:2] != "<U":
                raise BadFile(f"its part {short(name)} is no text")
            return stream.read(4 * most).decode("utf-32-le").rstrip("\0")

    def _entry(self, name: str, most: int | None = None) -> zipfile.ZipInfo:
        try:
            entry = self._archive.getinfo(name)
        except KeyError:
            raise BadFile(f"its part {short(name)} is missing") from None
        if entry.compress_type not in _METHODS:
            raise BadFile(f"its part {short(name)} is packed in another way than deflate")
        if most is not None and entry.file_size > most:
            raise BadFile(f"its part {short(name)} is larger than {most >> 10} KiB")
        return entry

    def _take_room(self, count: int) -> None:
        self._room[0] -= count
        if self._room[0] < 0:
            raise BadFile(f"it unpacks to more than {MOST_RATIO} times its size, as no file of this program does")


@contextmanager
def _failing(sentence: str) -> Iterator[None]:
    """Context that turns every exception into a BadFile with this message.  The exceptions of zipfile and zlib for
    damaged data are not documented: struct.error, zlib.error, NotImplementedError and others were seen."""
    try:
        yield
    except (BadFile, MemoryError):
        raise
    except Exception:
        raise BadFile(sentence) from None


def _read_header(stream: Any, name: str) -> _Header:
    start = stream.read(len(npy.MAGIC_PREFIX) + 2)
    version = start[len(npy.MAGIC_PREFIX) :]
    size = {b"\1\0": 2, b"\2\0": 4}.get(version, 0)
    length = int.from_bytes(stream.read(size), "little")
    if not start.startswith(npy.MAGIC_PREFIX) or not size or length > _MOST_HEADER:
        raise BadFile(f"its part {short(name)} is no array of numpy")
    fields = _HEADER.fullmatch(stream.read(length))
    if fields is None:
        raise BadFile(f"its part {short(name)} is no array of plain numbers")
    shape = tuple(int(size) for size in fields[3].replace(b",", b" ").split())
    return _Header(fields[1].decode(), fields[2] == b"True", shape, len(start) + size + length)


def _fill(array: NDArray[Any], stream: Any) -> None:
    """Fill ``array`` from ``stream`` and read on to its end, where zipfile checks the CRC."""
    rest = memoryview(array.ravel(order="K").view(np.uint8))  # type: ignore[arg-type]
    while len(rest):
        count = stream.readinto(rest)
        if not count:
            raise EOFError
        rest = rest[count:]
    stream.read(1)
