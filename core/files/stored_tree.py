"""A stopped search with its tree, in memory or packed in a temporary file.

The temporary file has no name and ends with the process, however that ends.
"""

import tempfile
import threading
from pathlib import Path
from typing import IO

import numpy as np

from core.files.tree_file import SavedSearch, dump_tree, load_tree
from core.games import Position
from core.search.tree import NODES, seen


class StoredTree:
    """A saved search with what a list of trees shows of it; ``search`` may be called in any thread."""

    def __init__(self, search: SavedSearch) -> None:
        tree, root = search.state.tree, search.state.root
        self.position: Position = search.position
        self.nodes = int(tree.counts[NODES])
        self.simulations = int(seen(tree, int(tree.slot[root])))
        self.memory = sum(array.nbytes for array in tree if isinstance(array, np.ndarray))  # bytes
        self.only = search.state.restriction.only
        self._search: SavedSearch | None = search
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()

    @property
    def in_memory(self) -> bool:
        return self._search is not None

    def search(self) -> SavedSearch:
        """The search, read from its file if it is there.  OSError or BadFile when it cannot be read."""
        kept = self._search
        return kept if kept is not None else load_tree(self.packed())

    def packed(self) -> bytes:
        """The bytes of a tree file."""
        with self._lock:
            if self._file is not None:
                self._file.seek(0)
                return self._file.read()
            kept = self._search
        assert kept is not None
        return dump_tree(kept)

    def put_away(self, folder: Path, packed: bytes | None = None) -> None:
        """Move the tree from memory to a temporary file in ``folder``; it stays in memory on an OSError.

        ``packed``: its bytes, where the caller has them."""
        if self._search is None:
            return
        data = self.packed() if packed is None else packed
        folder.mkdir(parents=True, exist_ok=True)
        file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (open as long as the tree is kept)
        try:
            file.write(data)
            file.flush()
        except OSError:
            file.close()
            raise
        with self._lock:
            self._file, self._search = file, None
