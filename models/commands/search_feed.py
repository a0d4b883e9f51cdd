"""A search that goes on, as the page that watches it is fed: copies of it, made into records when a browser asks."""

import threading
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from core.files.page import growing_page
from core.files.page_data import PageNote, PageRecord, page_record, piece
from core.files.tree_file import SavedSearch

LEAST_S: Final = 1.0  # between two pieces
RESTS: Final = 4  # times as long as the last piece took to make
KEPT: Final = 8  # pieces; who is further behind is sent the whole record


class _Copy(NamedTuple):
    search: SavedSearch
    tree: int  # another number: the search began anew


class SearchFeed:
    """The page of a search.  The search's thread puts copies in; those of the server make of them what they send."""

    def __init__(self, search: SavedSearch, tree: int, notes: Sequence[PageNote] = ()) -> None:
        """``tree``: the number of the search's tree; ``notes``: those of the game record."""
        self.error = ""  # why there are no more records
        self._game, self._notes = search.position.game, notes
        self._changed = threading.Condition()  # guards what follows
        self._copy: _Copy | None = None
        self._pieces: dict[int, bytes] = {}  # from a version to the next
        self._asked = self._ended = False
        self._version = 1
        self._record = self._made(_Copy(search, tree))
        self._next_s = 0.0

    def due(self) -> bool:
        """Whether a copy of the search is wanted: a browser waits for it, and the last one is old enough."""
        return self._asked and time.monotonic() >= self._next_s

    def put(self, search: SavedSearch, tree: int, ended: bool = False) -> None:
        """Take a copy of the search; ``ended``: there will be no other."""
        with self._changed:
            self._copy, self._asked = _Copy(search, tree), False
            self._next_s = time.monotonic() + LEAST_S
            self._ended = self._ended or ended
            self._changed.notify_all()

    def page(self) -> bytes:
        """The page as it is now."""
        with self._changed:
            self._advance()
            return growing_page(self._game, self._record)

    def newer(self, version: int, wait_s: float) -> bytes | None:
        """As ``page_server.Feed``."""
        with self._changed:
            self._advance()
            if version == self._version and not self._ended:
                self._asked = True
                self._changed.wait_for(lambda: self._version != version or self._ended or self._copy, wait_s)
                self._advance()
            if version == self._version:
                return b"" if self._ended else None
            return self._pieces.get(version) or piece(self._record)

    def _advance(self) -> None:
        """Make the newest copy the record; where a page cannot hold it, the search has ended for the page."""
        copy, self._copy = self._copy, None
        if copy is None:
            return
        begun, before = time.monotonic(), self._record
        self._version += 1
        try:
            self._record = self._made(copy)
        except ValueError as error:
            self._version -= 1
            self._ended, self.error = True, str(error)
            return
        if self._record.header["tree"] == before.header["tree"]:
            self._pieces[self._version - 1] = piece(self._record, before)
            self._pieces.pop(self._version - 1 - KEPT, None)
        else:
            self._pieces.clear()
        now = time.monotonic()
        self._next_s = now + max(LEAST_S, RESTS * (now - begun))
        self._changed.notify_all()

    def _made(self, copy: _Copy) -> PageRecord:
        record = page_record(copy.search, self._notes)
        return PageRecord(record.header | {"version": self._version, "tree": copy.tree}, record.columns)
