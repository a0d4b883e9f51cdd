"""Counts the leaf values below one node of the search, in its thread, seldom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from gui.model.timers import make_timer
from gui.widgets.bars import BINS

if TYPE_CHECKING:
    from core.engine import Search
    from core.glass.leaf_values import LeafValues
    from core.glass.snapshot import Snapshot
    from gui.model.session import Session
    from gui.model.state import PathOf

POLL_MS: Final = 40
GROWTH: Final = 1.1  # of the simulations before they are counted again


class LeafReader(QObject):
    """The leaf values of the node asked about last; ``values`` is None until they are counted."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._question: tuple[object, PathOf, int | None] | None = None
        self._counted = 0  # simulations when they were last counted
        self._counts: list[LeafValues | None] | None = None  # filled by the thread of the search
        self.values: LeafValues | None = None
        self._polls = make_timer(self, POLL_MS, self._poll)

    def ask(self, snapshot: Snapshot | None, path: PathOf) -> None:
        """Count below the node at ``path`` of a snapshot; None: nothing is shown."""
        analysis = self._session.analysis
        if snapshot is None or analysis is None or self._session.elsewhere:
            self._question = None
            self._give(None)
            return
        past = snapshot.simulations if snapshot.now else None
        question = snapshot.position, path, past
        if question != self._question:
            if self._question is None or question[:2] != self._question[:2]:
                self._give(None)
            self._question, self._counted, self._counts = question, 0, None
        now = snapshot.simulations
        grown = now != self._counted if snapshot.reason else now > GROWTH * self._counted
        if self._counts is not None or not grown:
            return
        self._counted = now
        root = snapshot.position
        counts: list[LeafValues | None] = []
        self._counts = counts

        def visit(search: Search | None) -> None:
            counts.append(_count(search, root, path, past))

        analysis.visit(visit)
        self._polls.start()

    def _poll(self) -> None:
        if not self._counts:
            if self._counts is None:
                self._polls.stop()
            return
        self._polls.stop()
        values, self._counts = self._counts[0], None
        self._give(values)

    def _give(self, values: LeafValues | None) -> None:
        if values is not self.values:
            self.values = values
            self.changed.emit()


def _count(search: Search | None, root: object, path: PathOf, past: int | None) -> LeafValues | None:
    """Count in the thread of the search; None where the node or the records are not there."""
    from core.glass.leaf_values import leaf_values
    from core.search.tree import node_at

    if search is None or search.position != root or (past is not None and len(search.root_changes) > 1):
        return None
    node = node_at(search.tree, search.root, path)
    return None if node < 0 else leaf_values(search.tree, node, BINS, past)
