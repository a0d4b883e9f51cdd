"""Reads words and arrays of numbers from untrusted weight files, plain or gzip, with limits.

The file is read and decompressed in small pieces, so that memory is taken only for data that are there.  Every fault is
a :class:`BadFile` whose sentence has "it" for the file.
"""

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.files.reading import BadFile, open_plain
from core.text import Text, text_of
from models.netfiles.ort_session import BadNet

MOST_BYTES: Final = 1 << 30  # of a file's data, decompressed
MOST_NUMBERS: Final = 1 << 25  # of one array
MOST_IN_TEXT: Final = 1 << 26  # numbers, which take ten times as long as bytes
LONGEST_WORD: Final = 200  # characters

_PIECE: Final = 1 << 18
_GZIP: Final = 31  # what zlib calls a gzip header and its largest window
_BINARY: Final = b"@BIN@"
_SPACE: Final = re.compile(rb"\s*")
_WORD: Final = re.compile(rb"\S*")
_EARLY: Final = "it ends too early"

Array = NDArray[np.float32]


@contextmanager
def open_weights(path: str | Path) -> Iterator["WeightStream"]:
    """Open a weight file; every fault, also of reading it, is a :class:`BadNet` that names the file."""
    try:
        with open_plain(Path(path)) as file:
            yield WeightStream(file)
    except FileNotFoundError:
        raise BadNet(Text("{path!r} does not exist; give the path of a net file", path=str(path))) from None
    except OSError as error:
        raise BadNet(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror)) from None
    except BadFile as error:
        raise BadNet(Text("{path!r} is damaged or not a net: {error}", path=str(path), error=text_of(error))) from None


class WeightStream:
    """The data of an open file from its beginning; gzip is recognised by its first bytes."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._gzip = zlib.decompressobj(_GZIP) if file.peek(2).startswith(b"\x1f\x8b") else None
        self._bytes_left = MOST_BYTES
        self._text_left = MOST_IN_TEXT
        self._buffer = b""  # bytes not used yet, from _at on
        self._at = 0

    def head(self, count: int) -> bytes:
        """The next ``count`` bytes, or fewer at the end; they stay in the stream."""
        while len(self._buffer) - self._at < count and self._more():
            pass
        return self._buffer[self._at : self._at + count]

    def ended(self) -> bool:
        """Whether only white space is left; skips it."""
        while True:
            match = _SPACE.match(self._buffer, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._buffer):
                return False
            if not self._more():
                return True

    def word(self) -> str:
        """The next word; bytes that are no printable text become question marks."""
        if self.ended():
            raise BadFile(_EARLY)
        match = _WORD.match(self.head(LONGEST_WORD + 1))
        word = match[0] if match else b""
        if len(word) > LONGEST_WORD:
            raise BadFile(
                f"it has a word of more than {LONGEST_WORD} characters: {short(word.decode(errors='replace'))}"
            )
        self._at += len(word)
        return "".join(c if c.isprintable() else "?" for c in word.decode("utf-8", "replace"))

    def whole(self, what: str, low: int, high: int) -> int:
        """The next word as a whole number from ``low`` to ``high``."""
        word = self.word()
        number = int(word) if re.fullmatch(r"-?[0-9]{1,9}", word) else None
        if number is None or not low <= number <= high:
            raise BadFile(f"{what} is {short(word)}; it must be a whole number from {low} to {high}")
        return number

    def number(self, what: str, low: float, high: float) -> float:
        """The next word as a number from ``low`` to ``high``."""
        word = self.word()
        try:
            number = float(word)
        except ValueError:
            number = np.nan
        if not low <= number <= high:
            raise BadFile(f"{what} is {short(word)}; it must be a number from {low:g} to {high:g}")
        return number

    def numbers(self, what: str, count: int) -> Array:
        """The next ``count`` numbers float32 [count], written as text or, after ``@BIN@``, as little-endian bytes."""
        if count > MOST_NUMBERS:
            raise BadFile(f"{what} has {count} weights; at most {MOST_NUMBERS} are read")
        self.ended()
        if self.head(len(_BINARY)) == _BINARY:
            self._at += len(_BINARY)
            values = np.frombuffer(self._take(4 * count), "<f4").astype(np.float32, copy=False)
        else:
            values = self._words_as_numbers(what, count)
        if not np.isfinite(values).all():
            raise BadFile(f"{what} has weights that are not numbers")
        return values

    def line(self, what: str) -> Array:
        """The numbers of the rest of the line, float32."""
        parts = []
        done = False
        while not done:
            end = self._buffer.find(b"\n", self._at)
            done = end >= 0
            cut = end + 1 if done else self._last_space()
            parts.append(self._parsed(what, self._buffer[self._at : cut].split()))
            self._at = cut
            if not done and not self._more():
                parts.append(self._parsed(what, self._buffer[self._at :].split()))
                self._at, done = len(self._buffer), True
            if sum(map(len, parts)) > MOST_NUMBERS:
                raise BadFile(f"{what} has more than {MOST_NUMBERS} weights")
        values = np.concatenate(parts)
        if not np.isfinite(values).all():
            raise BadFile(f"{what} has weights that are not numbers")
        return values

    def _words_as_numbers(self, what: str, count: int) -> Array:
        parts: list[Array] = []
        while count:
            if self.ended():
                raise BadFile(_EARLY)
            cut = self._last_space()
            if cut == self._at:
                cut = self._last_space() if self._more() else len(self._buffer)
            words = self._buffer[self._at : cut].split(None, count)
            rest = words.pop() if len(words) > count else b""
            self._at = cut - len(rest)
            parts.append(self._parsed(what, words))
            count -= len(words)
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _last_space(self) -> int:
        """The offset after the last white space held, or where the stream is if there is none."""
        cut = 1 + max(self._buffer.rfind(space, self._at) for space in (b" ", b"\n", b"\t", b"\r"))
        if not cut and len(self._buffer) - self._at > LONGEST_WORD:
            raise BadFile(
                f"it has a word of more than {LONGEST_WORD} characters: "
                f"{short(self.head(LONGEST_WORD).decode(errors='replace'))}"
            )
        return cut or self._at

    def _take(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        parts = [self._buffer[self._at : self._at + count]]
        self._at += len(parts[0])
        have = len(parts[0])
        while have < count:
            if not self._more():
                raise BadFile(_EARLY)
            parts.append(self._buffer[: count - have])
            self._at = len(parts[-1])
            have += len(parts[-1])
        return b"".join(parts)

    def _more(self) -> bool:
        """Hold another piece of the data; False at the end."""
        piece = self._file.read(_PIECE) if self._gzip is None else self._unpacked()
        self._bytes_left -= len(piece)
        if self._bytes_left < 0:
            raise BadFile(f"it has more than {MOST_BYTES >> 20} MiB of data")
        self._buffer, self._at = self._buffer[self._at :] + piece, 0
        return bool(piece)

    def _unpacked(self) -> bytes:
        """The next piece of gzip's data; empty at its end, where its checksum was right."""
        gzip = self._gzip
        while gzip is not None and not gzip.eof:
            data = gzip.unconsumed_tail or self._file.read(_PIECE)
            try:
                piece = gzip.decompress(data, _PIECE)
            except zlib.error:
                raise BadFile("its gzip data are damaged") from None
            if piece:
                return piece
            if not data and not gzip.eof:
                raise BadFile(_EARLY)
        return b""

    def _parsed(self, what: str, words: list[bytes]) -> Array:
        """Numbers written as text."""
        self._text_left -= len(words)
        if self._text_left < 0:
            raise BadFile(f"it has more than {MOST_IN_TEXT} weights as text")
        try:
            values = list(map(float, words))
        except ValueError:
            values = []
        if len(values) < len(words) or b"_" in b"".join(words):  # Python allows 1_000
            raise BadFile(f"{what} has a word among its weights that is no number")
        with np.errstate(over="ignore"):
            return np.array(values, np.float64).astype(np.float32)
