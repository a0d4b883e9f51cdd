"""The layout of a record's tree: a column for each ply, a row for each variation.

A chain is a move with its main continuations.  It takes one row, the highest below its parent's that is free along all
of it.  A vertical line leads down to it in the column before, which it occupies as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from core.files.record import GameRecord, RecordNode


class Chain(NamedTuple):
    """Nodes in one row, the first one, of ``player``, in column ``col``; its parent is in row ``leaves``."""

    col: int
    row: int
    leaves: int
    nodes: tuple[int, ...]
    player: int

    def keeps(self, col: int) -> bool:
        """Whether the chain occupies that column of its row."""
        return self.col - 1 <= col < self.col + len(self.nodes)


class RecordLayout:
    """The places of all nodes of one record in its present state."""

    def __init__(self, record: GameRecord) -> None:
        self.rows: list[list[Chain]] = []
        self.forks: list[Chain] = []  # every chain but the main line
        self._chains: list[Chain] = []  # in the order of placement
        self._of: dict[int, Chain] = {}  # by node
        free: list[int] = []  # by column, the first free row
        stack = [(next(record.preorder()), 0, 0, 1 - record.start.to_move)]
        while stack:
            first, col, leaves, player = stack.pop()
            nodes, others = _chain(record, first, player)
            begin, end = max(0, col - 1), col + len(nodes)
            free.extend([0] * (end - len(free)))
            row = max(free[begin:end])
            free[begin:end] = [row + 1] * (end - begin)
            self._put(Chain(col, row, leaves, nodes, player))
            # the last fork is placed first because it is on top of the stack
            stack.extend((child, col + i, row, mover) for i, mover, beside in others for child in reversed(beside))
        self.cols = len(free)

    def _put(self, chain: Chain) -> None:
        while len(self.rows) <= chain.row:
            self.rows.append([])
        self.rows[chain.row].append(chain)
        if self._chains:
            self.forks.append(chain)
        self._chains.append(chain)
        self._of.update(dict.fromkeys(chain.nodes, chain))

    def extend(self, node: int, child: int) -> bool:
        """Add ``child``, just played after ``node`` at the end of its line; equal to a new layout.

        False, and nothing is changed, if ``node`` does not end a line or another variation would have to move.
        """
        chain = self._of.get(node)
        if chain is None or chain.nodes[-1] != node:
            return False
        col = chain.col + len(chain.nodes)
        place = self._chains.index(chain)
        if any(other.row >= chain.row and other.keeps(col) for other in self._chains[:place]):
            return False
        if any(other.row <= chain.row and other.keeps(col) for other in self._chains[place + 1 :]):
            return False
        longer = chain._replace(nodes=(*chain.nodes, child))
        self._chains[place] = longer
        row = self.rows[chain.row]
        row[row.index(chain)] = longer
        if place:
            self.forks[place - 1] = longer
        self._of.update(dict.fromkeys(longer.nodes, longer))
        self.cols = max(self.cols, col + 1)
        return True

    def place(self, node: int) -> tuple[int, int] | None:
        """Return column and row of a node; None if it is not in the layout."""
        chain = self._of.get(node)
        return None if chain is None else (chain.col + chain.nodes.index(node), chain.row)

    def node_at(self, col: int, row: int) -> int | None:
        """Return the node in a cell; None if there is none."""
        for chain in self.rows[row] if 0 <= row < len(self.rows) else ():
            if 0 <= col - chain.col < len(chain.nodes):
                return chain.nodes[col - chain.col]
        return None


def next_player(node: RecordNode, player: int) -> int:
    """Return who is to move after a node that ``player`` plays."""
    return 1 - player if node.setup is None else node.setup.to_move


def _chain(
    record: GameRecord, node: int, player: int
) -> tuple[tuple[int, ...], list[tuple[int, int, tuple[int, ...]]]]:
    """Return the nodes from ``node`` on by first children, and at each fork (plies after ``node``, player, other
    children)."""
    nodes, others = [node], []
    while children := (here := record.node(node)).children:
        player = next_player(here, player)
        node = children[0]
        if len(children) > 1:
            others.append((len(nodes), player, children[1:]))
        nodes.append(node)
    return tuple(nodes), others
