"""Builds a game record of many nodes at once, without a step of undo for each."""

from collections.abc import Iterable

from core.files.record import ROOT, GameRecord
from core.files.record_node import Mark, Node, clean_text, one_line, tidy_marks
from core.files.record_setup import Setup
from core.games import Position


class RecordBuilder:
    """Nodes as they are added; that moves are legal is for the caller to know."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._parents, self._actions = [-1], [-1]
        self._children: list[list[int]] = [[]]
        self._known: dict[tuple[int, int | Setup], int] = {}
        self._setups: dict[int, Setup] = {}
        self._notes: dict[int, tuple[str, str, tuple[Mark, ...]]] = {}
        self._of_file: dict[int, tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]] = {}

    def play(self, node: int, action: int) -> int:
        """The child of ``node`` by ``action``, a new one as the last variation."""
        known = self._known.get((node, action))
        return self._add(node, action, action) if known is None else known

    def set_up(self, node: int, setup: Setup) -> int:
        """The child of ``node`` by stones set up, a new one as the last variation."""
        known = self._known.get((node, setup))
        if known is None:
            known = self._add(node, -1, setup)
            self._setups[known] = setup
        return known

    def sets_up(self, node: int) -> bool:
        """Whether a node sets up stones."""
        return node in self._setups

    def _add(self, node: int, action: int, step: int | Setup) -> int:
        new = len(self._parents)
        self._known[node, step] = new
        self._parents.append(node)
        self._actions.append(action)
        self._children[node].append(new)
        self._children.append([])
        return new

    def moves(self, node: int, since: int = ROOT) -> tuple[int, ...]:
        """The actions from the start, or from a node above, to ``node``, without what was set up between them."""
        actions = []
        while node != since:
            if node not in self._setups:
                actions.append(self._actions[node])
            node = self._parents[node]
        return tuple(reversed(actions))

    def note(self, node: int, name: str, comment: str, marks: Iterable[Mark]) -> None:
        """Set name, comment and marks of a position; ValueError for a mark outside the board."""
        self._notes[node] = one_line(name), clean_text(comment), tidy_marks(marks, self._start.game.shape)

    def keep_of_file(self, node: int, extra: Iterable[tuple[str, tuple[str, ...]]], unread: Iterable[str]) -> None:
        """Set the properties and variations of a file that are kept only for writing."""
        self._of_file[node] = tuple(extra), tuple(unread)

    def fill(self, record: GameRecord) -> None:
        """Give ``record``, which has no move yet, the nodes."""
        nodes = dict(enumerate(map(Node, self._parents, self._actions, map(tuple, self._children))))
        none, kept, setup = ("", "", ()), ((), ()), self._setups.get
        for node in self._notes.keys() | self._of_file.keys() | self._setups.keys():
            plain = nodes[node]
            notes, of_file = self._notes.get(node, none), self._of_file.get(node, kept)
            nodes[node] = Node(plain.parent, plain.action, plain.children, *notes, *of_file, setup(node))
        record.take_nodes(nodes)


def played(record: GameRecord, actions: Iterable[int]) -> None:
    """Give ``record``, which has no move yet, one line of moves that are known to be legal."""
    builder = RecordBuilder(record.start)
    node = ROOT
    for action in actions:
        node = builder.play(node, action)
    builder.fill(record)
