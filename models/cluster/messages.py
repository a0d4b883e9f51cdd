"""The messages between a window and an analysis on another machine, as MessagePack.

The window sends its whole agenda (``Assignment``), the other machine all that there is to show (``Status``), so that
nothing depends on an earlier message.  Beside them: ``Greeting`` first, ``Receipt`` once a status has arrived,
``NetPart`` for a net that is missing there, ``Refusal`` at the end.  Each is a frame: four bytes of length, then the
message.

What comes from the other machine is not trusted: sizes are bounded before memory is taken, each field has its declared
type, and whatever is wrong is a ``ValueError`` of one sentence.
"""

import json
import struct
import zlib
from collections.abc import Sized
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec
import numpy as np

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.engine.look_back import Past
from core.engine.request import Agenda
from core.files.reading import Fields
from core.files.texts import position_from, position_json
from core.games import GameSpec, Position
from core.glass.snapshot import NodeView, Snapshot
from core.glass.snapshot import Path as TreePath
from core.text import Text, text_of, texts_back, with_texts

MOST_NET: Final = 1 << 29  # bytes of a net file that is sent
MOST_BYTES: Final = 1 << 22  # of a message
MOST_UNPACKED: Final = 1 << 26  # bytes of a snapshot
LENGTH: Final = struct.Struct("<I")
_LEVEL: Final = 1  # of zlib: a snapshot is packed up to 30 times a second
_LONGEST: Final = 4000  # characters of a sentence
_TEXT: Final = "\x1f"  # before a text that is written with its template and values, as JSON
_Message = TypeVar("_Message")


class SentSource(msgspec.Struct, frozen=True):
    """What evaluates leaves: a net file, or without one the uniform prior."""

    label: str  # there as here
    path: str = ""  # of the file, on the machine that is asked for the evaluator
    digest: str = ""  # SHA-256 of its bytes
    recipe: str = ""  # as JSON; "": that of the file, or a guess
    runtime: str = "auto"

    def load(self, game: GameSpec) -> Evaluator:
        """The evaluator; ``ValueError`` names a file by the label, as the user does not know the folder."""
        if not self.path:
            return UniformEvaluator(game.num_actions)
        from models.netfiles.recipe import parse_recipe
        from models.netfiles.recipe_guess import open_evaluator

        recipe = parse_recipe(self.recipe) if self.recipe else None
        try:
            return open_evaluator(Path(self.path), game, recipe=recipe, runtime=self.runtime)[0]
        except ValueError as error:
            text = text_of(error)
            if isinstance(text, Text) and text.values.get("path") == self.path:
                text = text.having(path=self.label)
            raise ValueError(text) from error


class Question(msgspec.Struct, frozen=True):
    """What is asked of the search as it is: the options of ``plyscope analyze`` by name."""

    number: int
    options: dict[str, Any]


class Assignment(msgspec.Struct, frozen=True, tag="assignment"):
    """All that the window asks for at one moment."""

    number: int = 0  # a message replaces those of smaller numbers
    agenda: Agenda = Agenda()
    question: Question | None = None


class Receipt(msgspec.Struct, frozen=True, tag="receipt"):
    """A status has arrived; the next may come."""

    number: int


class NetPart(msgspec.Struct, frozen=True, tag="net"):
    """Some bytes of a net that is missing there, in their order."""

    digest: str
    name: str
    data: bytes
    first: bool
    last: bool


class Greeting(msgspec.Struct, frozen=True, tag="greeting"):
    """The first message of the other machine."""

    machine: str
    program: str  # the version of Plyscope
    build: str  # of its sources; "" where they are not known
    resumed: bool  # the analysis was there before


class Answer(msgspec.Struct, frozen=True):
    """What the search said to a question, or why it refused."""

    number: int
    words: str
    refused: bool


class Status(msgspec.Struct, frozen=True, tag="status"):
    """All that there is to show at one moment; a snapshot or past that was sent before is left out."""

    number: int = 0  # counts these messages
    waited_s: float = 0.0  # between ``Receipt`` and this
    assignment: int = 0  # the number of the newest ``Assignment`` that it follows
    request: int = 0  # that snapshot and past are of; 0: of none
    searching: bool = False
    phase: str = ""
    error: str = ""
    notice: str = ""
    missing: str = ""  # the digest of a net that has to be sent first
    left_out: str = ""  # what was too large to be sent
    answer: Answer | None = None
    snapshot: bytes | None = None  # by ``pack``
    past: bytes | None = None


class Refusal(msgspec.Struct, frozen=True, tag="refusal"):
    """Why the other machine ends the connection; ``final`` where another try would not help."""

    words: str
    final: bool


FromWindow = Assignment | Receipt | NetPart
ForWindow = Greeting | Status | Refusal


@lru_cache(maxsize=1)  # message after message has the same one
def _position_in(text: str) -> Position:
    return position_from(Fields(json.loads(text)))


def _whole(kind: Any, value: Any) -> Any:
    """A value of a window's message, of a type that MessagePack does not know."""
    return _position_in(value) if kind is Position else msgspec.convert(value, SentSource)


_from_window: Final[msgspec.msgpack.Decoder[FromWindow]] = msgspec.msgpack.Decoder(FromWindow, dec_hook=_whole)
_for_window: Final[msgspec.msgpack.Decoder[ForWindow]] = msgspec.msgpack.Decoder(ForWindow)


def encode(message: FromWindow | ForWindow) -> bytes:
    """A message as bytes; positions in it travel from the game's first move on."""
    return msgspec.msgpack.encode(message, enc_hook=partial(_plain, None))


def from_window(message: bytes) -> FromWindow:
    """The message of a window."""
    return _decoded(_from_window, message)


def for_window(message: bytes) -> ForWindow:
    """The message of the other machine."""
    return _decoded(_for_window, message)


def pack(record: Snapshot | Past) -> bytes:
    """A snapshot, or an earlier moment, for a ``SnapshotReader`` of its position."""
    root = record.position if isinstance(record, Snapshot) else record.snapshot.position
    return zlib.compress(msgspec.msgpack.encode(record, enc_hook=partial(_plain, root)), _LEVEL)


class SnapshotReader:
    """Reads snapshots of the tree below ``root``: positions do not travel, but are played from there by their paths."""

    _MOST: Final = 4096  # positions kept, as the same ones come again and again

    def __init__(self, root: Position) -> None:
        self._positions: dict[TreePath, Position] = {(): root}
        self._snapshots = msgspec.msgpack.Decoder(Snapshot, dec_hook=self._value)
        self._pasts = msgspec.msgpack.Decoder(Past, dec_hook=self._value)

    def snapshot(self, data: bytes, request: int) -> Snapshot:
        """The snapshot that was packed, as one of ``request``."""
        return _checked(_decoded(self._snapshots, _inflated(data)), request)

    def past(self, data: bytes, request: int) -> Past:
        """The earlier moment that was packed, as one of ``request``."""
        past = _decoded(self._pasts, _inflated(data)).changed(lambda shown: _checked(shown, request))
        playout = past.playout
        return replace(past, request=request, playout=playout and replace(playout, note=text_in(playout.note)))

    def _value(self, kind: Any, value: Any) -> Any:
        """A value of a type that MessagePack does not know."""
        if kind is Position:
            return self._position(tuple(value))
        dtype = np.dtype(kind.__args__[1].__args__[0])
        name, shape, data = value
        if name != dtype.str:
            raise ValueError(f"an array of {name!r:.20} in place of {dtype.str}")
        return np.frombuffer(data, dtype).reshape(shape).copy()  # kernels are compiled for arrays that can be written

    def _position(self, path: TreePath) -> Position:
        nearest = next(length for length in range(len(path), -1, -1) if path[:length] in self._positions)
        position = self._positions[path[:nearest]]
        for length in range(nearest, len(path)):
            position = position.play(path[length])
            if len(self._positions) < self._MOST:
                self._positions[path[: length + 1]] = position
        return position


def text_in(words: str) -> str:
    """A sentence of a message: a Text where it was one."""
    if words.startswith(_TEXT):
        try:
            words = texts_back(json.loads(words[len(_TEXT) :]))["text"]
        except (ValueError, TypeError, LookupError, RecursionError):
            raise _unreadable("a text") from None
    if not isinstance(words, str) or len(words) > _LONGEST:
        raise _unreadable("a text")
    return words


def _plain(root: Position | None, value: Any) -> Any:
    """What MessagePack has for a value that it does not know; of a position its moves since ``root``, or a text."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Text):
        return _TEXT + json.dumps(with_texts({"text": value}))
    if isinstance(value, Position):
        return json.dumps(position_json(value)) if root is None else value.moves[len(root.moves) :]
    raise NotImplementedError(f"no message has a {type(value).__name__}")


def _decoded(decoder: msgspec.msgpack.Decoder[_Message], data: bytes) -> _Message:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:  # of UTF-8, too
        raise _unreadable(str(error)) from error


def _inflated(data: bytes) -> bytes:
    opener = zlib.decompressobj()
    try:
        body = opener.decompress(data, MOST_UNPACKED)
    except zlib.error as error:
        raise _unreadable(str(error)) from error
    if not opener.eof:
        raise _unreadable(f"a snapshot of more than {MOST_UNPACKED >> 20} MB")
    return body


def _unreadable(reason: str) -> ValueError:
    return ValueError(Text("the other machine sent something that cannot be read ({reason})", reason=reason[:200]))


def _checked(snapshot: Snapshot, request: int) -> Snapshot:
    """The snapshot as one of ``request``; ``ValueError`` where the figures of a node do not belong together."""
    for view in (snapshot.root, *snapshot.opened.values()):
        _check(view, snapshot.position.game.num_actions)
    evaluator, note = text_in(snapshot.evaluator), text_in(snapshot.evaluator_note)
    return replace(snapshot, request=request, evaluator=evaluator, evaluator_note=note)


def _check(view: NodeView, actions: int) -> None:
    edges = len(view.actions)
    columns: tuple[Sized, ...] = (
        *(view.visits_of, view.backups_of, view.priors, view.net_priors, view.qs, view.us, view.scores, view.values),
        *(view.proofs, view.distances, view.expanded, view.pvs),
    )
    perhaps = (view.leads, view.lead_spreads, view.ss, view.radii)
    moves = [*view.actions.tolist(), *(action for pv in view.pvs for action in pv)]
    fits = all(len(column) == edges for column in columns) and all(len(column) in (0, edges) for column in perhaps)
    if not (fits and all(0 <= move < actions for move in moves) and max(view.next_index, view.best_index) < edges):
        raise _unreadable("figures of a node that do not belong together")


def framed(message: bytes) -> bytes:
    """A message as a frame."""
    return LENGTH.pack(len(message)) + message


def frame_length(head: bytes) -> int:
    """The length of the message behind the first bytes of a frame."""
    (length,) = LENGTH.unpack(head)
    if length > MOST_BYTES:
        raise _unreadable(f"a message that begins with {head!r}")
    return int(length)


def read_frame(stream: BinaryIO) -> bytes | None:
    """The message of the next frame; None at the end."""
    head = stream.read(LENGTH.size)
    message = stream.read(frame_length(head)) if len(head) == LENGTH.size else b""
    return message or None
