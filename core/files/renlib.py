"""Reads libraries of RenLib (.lib): a tree of moves of renju or gomoku with comments, marks and texts on points.

As in the source of RenLib (github.com/gomoku/RenLib: LibraryFile.cpp, MoveNode.cpp, RenLibDoc.cpp): a header of 20
bytes, ``FF RenLib FF``, the version; then the nodes in preorder, two bytes each.  The first is 16 · row + column, rows
from the top from 0 and columns from 1, or 0 for the root and for a pass; the second has flags: 80 a sibling follows
later, 40 no move follows, 20 and 08 a comment follows (old and new form), 10 a mark, 04 the start of the board, 02 no
move but a text on the point, 01 two bytes of more flags, of which 0100 says that a text follows.  A comment is one line
and, after a backspace, more; texts end with a zero and have an even number of bytes.
"""

from typing import Final

import numpy as np

from core.files.reading import BadFile
from core.files.record import ROOT, GameRecord, Mark, RecordBuilder
from core.files.sgf import SgfFile
from core.files.sgf_text import decode
from core.games import GameSpec, load_game
from core.games.branching import ILLEGAL, UNKNOWN, MoveTree
from core.games.walk import Walk
from core.text import Text

MAX_BYTES: Final = 64 << 20
BEGINNING: Final = b"\xffRenLib\xff"
MOST_NODES: Final = 100_000
USUAL: Final = "gomoku(rule=renju)"
_SIDE: Final = 15
_HEADER: Final = 20
_NEWEST: Final = (3, 4)
_DOWN, _RIGHT, _OLD, _MARK, _NEW, _NO_MOVE, _MORE = 0x80, 0x40, 0x20, 0x10, 0x08, 0x02, 0x01
_TEXT: Final = 0x0100


class _Bytes:
    """The bytes of the nodes, read in pairs; BadFile at the end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, _HEADER

    @property
    def ended(self) -> bool:
        return self._at + 2 > len(self._data)

    def pair(self) -> tuple[int, int]:
        if self.ended:
            raise BadFile("it ends inside a node")
        self._at += 2
        return self._data[self._at - 2], self._data[self._at - 1]

    def text(self) -> str:
        """A text up to a zero, in an even number of bytes."""
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise BadFile("it ends inside a text")
        raw = self._data[self._at : end]
        self._at += (len(raw) + 2) // 2 * 2
        return _decoded(raw)

    def old_text(self) -> str:
        """A text whose last byte has its highest bit set, in an even number of bytes."""
        raw = bytearray()
        while True:
            for byte in self.pair():
                raw.append(byte & 0x7F)
                if byte & 0x80:
                    return _decoded(bytes(raw))


def _decoded(raw: bytes) -> str:
    return decode(raw, lambda _: None)


def read_renlib(data: bytes, hint: GameSpec | None = None) -> SgfFile:
    """The one tree of a library, by the rules of ``hint`` if that is gomoku on 15×15, else of renju.

    BadFile when it is none; what cannot be played is left out and counted in a sentence.
    """
    if len(data) > MAX_BYTES:
        raise BadFile(f"it has more than {MAX_BYTES} bytes")
    if not data.startswith(BEGINNING) or len(data) < _HEADER:
        raise BadFile("it is no library of RenLib, which begins with 'RenLib'")
    if tuple(data[8:10]) > _NEWEST:
        raise BadFile(Text("its version is {major}.{minor}, and at most 3.4 is known", major=data[8], minor=data[9]))
    five = hint is not None and hint.lines is not None and hint.lines.k == 5 and hint.shape == (_SIDE, _SIDE)
    return _Library(data, hint if five and hint is not None else load_game(USUAL)).file


class _Library:
    def __init__(self, data: bytes, game: GameSpec) -> None:
        self._bytes = _Bytes(data)
        self._record = GameRecord(game.initial())
        self._builder = RecordBuilder(self._record.start)
        # By moves as they are in the file, -1 for the root.
        self._parents: list[int] = []
        self._cells: list[int] = []
        self._comments: dict[int, list[str]] = {}
        self._marks: dict[int, list[Mark]] = {}
        self._unplayed = 0
        self._errors: list[str] = []
        try:
            self._read()
        except BadFile as error:  # what was read is kept
            self._errors.append(error.args[0])
        self._build()
        if self._unplayed:
            self._errors.append(
                Text(
                    "{count} moves cannot be played by the rules of {game} and were left out with what follows them",
                    count=self._unplayed,
                    game=game.title,
                )
            )
        self.file = SgfFile((self._record,), tuple(self._errors), 1, (1,))

    def _read(self) -> None:
        # The moves to the present node; None below what is no move.
        line: list[int | None] = [-1]
        waiting: list[int] = []  # lengths of lines above siblings
        first = True
        count = 0
        while not self._bytes.ended:
            place, flags = self._bytes.pair()
            if flags & _MORE:
                high, low = self._bytes.pair()
                flags |= (high << 8 | low) << 8
            above = line[-1]
            if first and place == 0:
                node = above
            else:
                count += 1
                if count > MOST_NODES:
                    raise BadFile(f"it has more than {MOST_NODES} nodes; the rest was not read")
                node = self._step(above, place, flags)
                line.append(node)
            first = False
            if flags & (_OLD | _NEW):
                comment = self._bytes.old_text() if flags & _OLD else self._bytes.text()
                if node is not None and comment:
                    self._comments.setdefault(node, []).append("\n".join(comment.split("\b", 1)))
            if flags & _TEXT:
                text = self._bytes.text()
                if above is not None and place and text:
                    self._marks.setdefault(above, []).append(Mark(_cell(place), "label", text))
            if flags & _MARK and node is not None and place and not flags & _NO_MOVE:
                self._marks.setdefault(node, []).append(Mark(_cell(place), "circle"))
            if flags & _DOWN:
                waiting.append(max(1, len(line) - 1))
            if flags & _RIGHT and waiting:
                del line[waiting.pop() :]

    def _step(self, above: int | None, place: int, flags: int) -> int | None:
        """The number of the move of a node; None where there is none."""
        if flags & _NO_MOVE:
            if place:
                _cell(place)
            return None
        if above is None or place == 0:
            self._unplayed += 1
            return None
        cell = _cell(place)
        self._parents.append(above)
        self._cells.append(cell)
        return len(self._cells) - 1

    def _build(self) -> None:
        """Play the moves, and give the record what can be played."""
        moves = MoveTree(
            np.array(self._parents, np.int32),
            np.full(len(self._cells), UNKNOWN, np.int8),
            np.array(self._cells, np.int16),
        )
        legal = Walk.of(self._record.start).try_moves(moves)
        self._unplayed += int(np.count_nonzero(legal == ILLEGAL))
        nodes = {-1: ROOT}  # by moves
        for move in np.flatnonzero(legal).tolist():
            nodes[move] = self._builder.play(nodes[self._parents[move]], self._cells[move])
        comments: dict[int, list[str]] = {}
        marks: dict[int, list[Mark]] = {}
        for move, node in nodes.items():
            if move in self._comments or move in self._marks:  # several moves of the file may be one of the record
                comments.setdefault(node, []).extend(self._comments.get(move, ()))
                marks.setdefault(node, []).extend(self._marks.get(move, ()))
        for node, texts in comments.items():
            self._builder.note(node, "", "\n\n".join(texts), marks[node])
        self._builder.fill(self._record)


def _cell(place: int) -> int:
    """The cell ``row * 15 + column`` of a node's first byte."""
    row, col = place // 16, place % 16 - 1
    if not (0 <= row < _SIDE and 0 <= col < _SIDE):
        raise BadFile(f"a node is at point {place}, which is not on the board")
    return row * _SIDE + col
