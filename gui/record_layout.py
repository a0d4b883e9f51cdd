"""Where each move of a record stands in its picture: a column for each ply, a row for each variation.  Knows no widget.

A chain is a move with its main continuations; it stands in one row, the highest below the move it leaves from that is
free along all of it.  A vertical line leads down to it in the column before, which it keeps free as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from core.files.record import GameRecord


class Chain(NamedTuple):
    """Nodes in one row, the first one in column ``col``; the node before it is in row ``leaves``."""

    col: int
    row: int
    leaves: int
    nodes: tuple[int, ...]


class RecordLayout:
    """All places of one record as it is now."""

    def __init__(self, record: GameRecord) -> None:
        self.rows: list[list[Chain]] = []
        self.forks: list[Chain] = []  # every chain but the main line
        self.place: dict[int, tuple[int, int]] = {}  # node -> (column, row)
        free: list[int] = []  # by column, the first row that is free
        stack = [(next(record.preorder()), 0, 0)]
        while stack:
            first, col, leaves = stack.pop()
            nodes, others = _chain(record, first)
            begin, end = max(0, col - 1), col + len(nodes)
            free.extend([0] * (end - len(free)))
            row = max(free[begin:end])
            free[begin:end] = [row + 1] * (end - begin)
            self._put(Chain(col, row, leaves, nodes))
            # the last fork is placed first: it is on top of the stack
            stack.extend((child, col + i, row) for i, beside in others for child in reversed(beside))
        self.cols = len(free)

    def _put(self, chain: Chain) -> None:
        while len(self.rows) <= chain.row:
            self.rows.append([])
        self.rows[chain.row].append(chain)
        if self.place:
            self.forks.append(chain)
        for col, node in enumerate(chain.nodes, chain.col):
            self.place[node] = (col, chain.row)

    def node_at(self, col: int, row: int) -> int | None:
        """The node in a cell; None where there is none."""
        for chain in self.rows[row] if 0 <= row < len(self.rows) else ():
            if 0 <= col - chain.col < len(chain.nodes):
                return chain.nodes[col - chain.col]
        return None


def _chain(record: GameRecord, node: int) -> tuple[tuple[int, ...], list[tuple[int, tuple[int, ...]]]]:
    """The nodes from ``node`` on by first children, and (plies after ``node``, the other children) at each fork."""
    nodes, others = [node], []
    while children := record.node(node).children:
        node = children[0]
        if len(children) > 1:
            others.append((len(nodes), children[1:]))
        nodes.append(node)
    return tuple(nodes), others
