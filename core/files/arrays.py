"""Arrays and a JSON text in one zip, as ``numpy.load`` reads it; nothing is ever unpickled.  Knows no content.

Every member is checked before it is unpacked: its name, its type, its length, and what it declares to need.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any, Final, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

MAX_BYTES: Final = 16 << 30  # of all members unpacked
MAX_JSON_BYTES: Final = 256 << 20
_LEVEL: Final = 1  # figures of a tree shrink little more at a higher one, and that takes five times as long
_DAMAGED: Final = (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, KeyError)


class BadFile(ValueError):
    """A file that cannot be taken as it is; the sentence says what is wrong with it."""


def pack(members: Mapping[str, NDArray[Any] | bytes]) -> bytes:
    """A zip of ``members``: arrays as .npy, bytes as they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, content in members.items():
            # The same content gives the same bytes: no clock in them.
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


class Unpacked:
    """A zip that is read member by member; every failure is a BadFile."""

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGED:
            raise BadFile("it is no zip archive, or its end is missing") from None
        if sum(entry.file_size for entry in self._archive.infolist()) > MAX_BYTES:
            raise BadFile(f"it says it unpacks to more than {MAX_BYTES >> 30} GiB")

    def names(self) -> list[str]:
        return self._archive.namelist()

    def raw(self, name: str, most: int = MAX_BYTES) -> bytes:
        """A member as it stands."""
        try:
            if self._archive.getinfo(name).file_size > most:
                raise BadFile(f"its part {name} is larger than {most >> 20} MiB")
            return self._archive.read(name)
        except _DAMAGED as error:
            self._fail(name, error)
        except Exception as error:
            # zlib.error is no OSError; what a damaged stream raises beside it is not said anywhere.
            if isinstance(error, BadFile | MemoryError):
                raise
            self._fail(name, error)

    def json(self, name: str) -> Any:
        """A member as JSON."""
        data = self.raw(name, MAX_JSON_BYTES)
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise BadFile(f"its part {name} is no JSON") from None

    def array(self, name: str, dtype: type[np.generic]) -> NDArray[Any]:
        """A member as an array of one dimension; a fresh copy."""
        data = self.raw(name)
        stream = io.BytesIO(data)
        try:
            version = npy.read_magic(stream)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, found = read(stream)
        except ValueError:
            raise BadFile(f"its part {name} is no array of numpy") from None
        if len(shape) != 1 or found != np.dtype(dtype):
            raise BadFile(f"its part {name} is {found} of shape {shape}, and should be {np.dtype(dtype)} in one row")
        if len(data) - stream.tell() != shape[0] * found.itemsize:
            raise BadFile(f"its part {name} is not as long as it says")
        return np.frombuffer(data, found, offset=stream.tell()).copy()

    def _fail(self, name: str, error: Exception) -> NoReturn:
        if isinstance(error, KeyError):
            raise BadFile(f"its part {name} is missing") from None
        raise BadFile(f"its part {name} is damaged") from None
