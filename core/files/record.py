"""Game record: a tree of moves with comments and marks, and undo and redo.

A record is a tree of immutable nodes with ids that are never reused, so that a view may keep them.  Every change
replaces some nodes; undoing it restores the former ones.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.games import GameSpec, Position

KEPT: Final = 3  # a cell that stays as it is
MARK_KINDS: Final = ("label", "triangle", "square", "circle", "cross")
ROOT: Final = 0
INFO_KEYS: Final = (
    "black",
    "white",
    "result",
    "title",
    "event",
    "round",
    "date",
    "place",
    "rules",
    "source",
    "author",
    "annotator",
    "comment",
)
_UNDO_STEPS: Final = 1000
_POSITIONS_KEPT: Final = 4096


class Setup(NamedTuple):
    """A change of the board: what is on each cell afterwards, and whose turn it is."""

    cells: bytes  # [H * W]: 0 empty, 1 player 0, 2 player 1, KEPT
    to_move: int

    @classmethod
    def of(cls, stones: Mapping[int, int], num_cells: int, to_move: int) -> "Setup":
        """The change by ``stones``, cell -> 0, 1 or 2."""
        cells = bytearray([KEPT]) * num_cells
        for cell, stone in stones.items():
            cells[cell] = stone
        return cls(bytes(cells), to_move)

    @classmethod
    def between(cls, before: Position, after: Position) -> "Setup":
        """The change that makes the board of ``after`` from that of ``before``; the whole board where only the turn
        changes, which a file could not tell from a move that is missing."""
        old, new = before.cells().ravel(), after.cells().ravel()
        changed = new if (new == old).all() else np.where(new == old, np.int8(KEPT), new)
        return cls(changed.tobytes(), after.to_move)

    @property
    def stones(self) -> dict[int, int]:
        """Cell -> 0, 1 or 2, of the cells that are named, ascending."""
        return {cell: stone for cell, stone in enumerate(self.cells) if stone != KEPT}

    def board(self, cells: NDArray[np.int8]) -> NDArray[np.int8]:
        """The board int8 [H, W] that it makes of ``cells``."""
        new = np.frombuffer(self.cells, np.int8).reshape(cells.shape)
        return np.where(new == KEPT, cells, new)

    def position(self, before: Position) -> Position:
        """The position that it makes of ``before``, without moves; ValueError with a phrase when the game has none."""
        return before.game.set_up(self.board(before.cells()), self.to_move)


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A mark on a cell ``row * cols + col``; only a label has a text."""

    cell: int
    kind: str
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in MARK_KINDS:
            raise ValueError(f"a mark is {short(self.kind)}; it must be one of {', '.join(MARK_KINDS)}")


@dataclass(frozen=True, slots=True)
class RecordNode:
    """One move of the record, or stones set up, with name, comment and marks of the position after it."""

    parent: int = -1  # -1 for the root
    action: int = -1  # -1 for the root and where stones are set up
    children: tuple[int, ...] = ()  # ids, the main continuation first
    name: str = ""
    comment: str = ""
    marks: tuple[Mark, ...] = ()  # ascending
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()  # unknown properties of an SGF file, kept for writing
    unread: tuple[str, ...] = ()  # illegal variations of an SGF file, kept for writing
    setup: Setup | None = None  # stones set up instead of a move


def clean_text(text: str) -> str:
    """Normalise ``text`` for files: newlines become ``\\n``, NULs are removed, lone surrogates become ``?``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """``text`` for files, on one line."""
    return " ".join(clean_text(text).split())


def tidy_marks(marks: Iterable[Mark], shape: tuple[int, int]) -> tuple[Mark, ...]:
    """Marks in order, each once, only labels with a text.  ValueError for a cell outside a board [H, W]."""
    most = shape[0] * shape[1] - 1
    tidied = tuple(sorted({replace(m, text=one_line(m.text) if m.kind == "label" else "") for m in marks}))
    for mark in tidied:
        if not 0 <= mark.cell <= most:
            raise ValueError(f"a mark is on cell {mark.cell}, and a cell is from 0 to {most}")
    return tidied


class _Step(NamedTuple):
    """One change, for undo and redo: by id the nodes before and after it, None where there is none."""

    before: dict[int, RecordNode | None]
    after: dict[int, RecordNode | None]
    info: tuple[dict[str, str], dict[str, str]]
    shown: tuple[int, int]  # the node to show after undo, and after redo


class GameRecord:
    """A game record: a tree of moves from ``start``, a game's first position or that of a diagram.

    Instead of a move a node may set up stones: its position has no moves, and the game goes on from there.
    Two records are equal when game, start, information and tree are, regardless of ids and undo.
    """

    def __init__(self, start: Position, info: Mapping[str, str] | None = None) -> None:
        if start.moves:
            raise ValueError(f"a record starts where no move was played, and {start!r} has {len(start.moves)}")
        self._start = start
        self._nodes: dict[int, RecordNode] = {ROOT: RecordNode()}
        self._info: dict[str, str] = {}
        self._next_id = ROOT + 1
        self._done: deque[_Step] = deque(maxlen=_UNDO_STEPS)
        self._undone: list[tuple[_Step, bool]] = []  # the bool: ``redo`` goes on with the one undone before
        self._positions: OrderedDict[int, Position] = OrderedDict()
        self.revision = 0
        for key, value in (info or {}).items():
            self.set_info(key, value)
        self.forget_undo()

    @classmethod
    def of(cls, position: Position) -> "GameRecord":
        """The record of the moves that led to ``position``, with nothing to undo."""
        record = cls(position.start)
        record.play_line(ROOT, position.moves)
        record.forget_undo()
        return record

    def copy(self) -> "GameRecord":
        """A copy with the same ids and nothing to undo; cheap, as nodes are shared.

        Another thread may read it while the original is changed."""
        record = GameRecord(self._start)
        record._nodes, record._info, record._next_id = dict(self._nodes), dict(self._info), self._next_id
        return record

    # contents

    @property
    def start(self) -> Position:
        return self._start

    @property
    def game(self) -> GameSpec:
        return self._start.game

    @property
    def info(self) -> Mapping[str, str]:
        """Players, result, date and so on, by INFO_KEYS; without empty entries."""
        return MappingProxyType(self._info)

    def __len__(self) -> int:
        """The number of nodes, the root included."""
        return len(self._nodes)

    def __contains__(self, node: object) -> bool:
        return node in self._nodes

    def node(self, node: int) -> RecordNode:
        """The node with this id; ValueError when there is none."""
        try:
            return self._nodes[node]
        except KeyError:
            raise ValueError(f"the record has no node {node!r}") from None

    def child(self, node: int, action: int) -> int | None:
        """The child of ``node`` by ``action``; None when there is none."""
        return next((c for c in self.node(node).children if self._nodes[c].action == action), None)

    def line(self, node: int) -> tuple[int, ...]:
        """The ids from the root to ``node``, both included."""
        ids = [node]
        while (node := self.node(node).parent) >= 0:
            ids.append(node)
        return tuple(reversed(ids))

    def steps(self, node: int) -> tuple[int, ...]:
        """The actions from the start to ``node``, and ``~n`` for a node n that sets up stones."""
        steps = [~n if (entry := self._nodes[n]).setup is not None else entry.action for n in self.line(node)]
        return tuple(steps[1:])

    def path(self, node: int) -> tuple[int, ...]:
        """The moves of the position at ``node``: the actions since stones were set up last, or from the start."""
        steps = self.steps(node)
        first = next((i for i in range(len(steps), 0, -1) if steps[i - 1] < 0), 0)
        return steps[first:]

    def main_line(self, node: int = ROOT) -> tuple[int, ...]:
        """The ids from ``node`` on by first children, ``node`` included."""
        ids = [node]
        while children := self.node(ids[-1]).children:
            ids.append(children[0])
        return tuple(ids)

    def preorder(self) -> Iterator[int]:
        """All ids in preorder, the main continuation before other children."""
        stack = [ROOT]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(self._nodes[node].children))

    def position(self, node: int) -> Position:
        """The position at ``node``, with the moves from the start."""
        todo = []
        while node not in self._positions and self.node(node).parent >= 0:
            todo.append(node)
            node = self._nodes[node].parent
        position = self._positions.get(node, self._start)
        if node in self._positions:
            self._positions.move_to_end(node)
        for node in reversed(todo):
            entry = self._nodes[node]
            position = position.play(entry.action) if entry.setup is None else entry.setup.position(position)
            self._keep(node, position)
        return position

    def _keep(self, node: int, position: Position) -> None:
        self._positions[node] = position
        if len(self._positions) > _POSITIONS_KEPT:
            self._positions.popitem(last=False)

    def outcome(self) -> str:
        """The result, such as ``B+``, ``W+`` or ``0``: the one entered, or else that of the main line; or "".

        Players who count a game first agree which stones are dead, so that its moves do not tell.
        """
        if "result" in self._info:
            return self._info["result"]
        end = self.position(self.main_line()[-1])
        decided = end.is_over and not end.is_agreed
        return {(1, -1): "B+", (-1, 1): "W+", (0, 0): "0"}[end.returns] if decided else ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameRecord):
            return NotImplemented
        return self._start == other._start and self._info == other._info and self._outline() == other._outline()

    __hash__ = None  # type: ignore[assignment]

    def _outline(self) -> list[RecordNode]:
        order = {node: i for i, node in enumerate(self.preorder())}
        return [
            replace(n, parent=order.get(n.parent, -1), children=tuple(order[c] for c in n.children))
            for n in map(self._nodes.__getitem__, order)
        ]

    def __repr__(self) -> str:
        return f"<GameRecord {self.game.text}, {len(self)} nodes>"

    # changes

    def play(self, node: int, action: int) -> int:
        """Play ``action`` at ``node``: the existing child or a new one, the last variation.  Raises ``IllegalMove``."""
        return self.play_line(node, (action,))

    def play_line(self, node: int, actions: Iterable[int]) -> int:
        """Play several moves as one undo step; the last one's node.  None is played when one is illegal."""
        before = node
        new: dict[int, RecordNode | None] = {}
        position = self.position(node)
        for action in actions:
            position = position.play(action)
            child = None if new else self.child(node, int(action))
            if child is None:
                child = self._next_id + (len(new) - 1 if new else 0)
                above = new.get(node) or self.node(node)
                new[node] = replace(above, children=(*above.children, child))
                new[child] = RecordNode(parent=node, action=int(action))
            node = child
            if not new:
                self._keep(node, position)
        if new:
            self._next_id += len(new) - 1
            self._change(new, before, node)
        return node

    def set_up(self, node: int, setup: Setup) -> int:
        """Set up stones after ``node``: the existing child or a new one, the last variation.

        ValueError with a phrase when the board that results is none of the game.
        """
        above = self.node(node)
        child = next((c for c in above.children if self._nodes[c].setup == setup), None)
        if child is None:
            position = setup.position(self.position(node))
            child, self._next_id = self._next_id, self._next_id + 1
            new = {node: replace(above, children=(*above.children, child)), child: RecordNode(parent=node, setup=setup)}
            self._change({**new}, node, child)
            self._keep(child, position)
        return child

    def promote(self, node: int) -> bool:
        """Move the variation with ``node`` up by one; False when it is the main line already."""
        for n in reversed(self.line(node)[1:]):
            above = self._nodes[self._nodes[n].parent]
            at = above.children.index(n)
            if at > 0:
                order = list(above.children)
                order[at - 1 : at + 1] = order[at], order[at - 1]
                self._change({self._nodes[n].parent: replace(above, children=tuple(order))}, node, node)
                return True
        return False

    def make_main(self, node: int) -> bool:
        """Make the line to ``node`` the main line; False when it is already."""
        changed: dict[int, RecordNode | None] = {}
        for n in self.line(node)[1:]:
            parent = self._nodes[n].parent
            above = self._nodes[parent]
            if above.children[0] != n:
                changed[parent] = replace(above, children=(n, *(c for c in above.children if c != n)))
        if changed:
            self._change(changed, node, node)
        return bool(changed)

    def delete(self, node: int) -> int:
        """Delete ``node`` and all below it; its parent.  ValueError for the root."""
        parent = self.node(node).parent
        if parent < 0:
            raise ValueError("the start of a record cannot be deleted")
        above = self._nodes[parent]
        changed: dict[int, RecordNode | None] = {
            parent: replace(above, children=tuple(c for c in above.children if c != node))
        }
        stack = [node]
        while stack:
            gone = stack.pop()
            changed[gone] = None
            stack.extend(self._nodes[gone].children)
        self._change(changed, node, parent)
        return parent

    def set_comment(self, node: int, comment: str) -> None:
        self._set(node, comment=clean_text(comment))

    def set_name(self, node: int, name: str) -> None:
        """Set the short name of a position, on one line."""
        self._set(node, name=one_line(name))

    def set_marks(self, node: int, marks: Iterable[Mark]) -> None:
        """Set all marks of a position.  ValueError for a cell outside the board."""
        self._set(node, marks=tidy_marks(marks, self.game.shape))

    def keep_of_file(self, node: int, extra: Iterable[tuple[str, tuple[str, ...]]], unread: Iterable[str]) -> None:
        """Set the properties and variations of a file that are kept only for writing."""
        self._set(node, extra=tuple(extra), unread=tuple(unread))

    def settle(self, node: int, result: str, properties: Mapping[str, tuple[str, ...]]) -> None:
        """Set the result, and properties that are kept for writing at ``node``, as one undo step; () removes one."""
        old = self.node(node)
        extra = {**dict(old.extra), **properties}
        new = replace(old, extra=tuple((ident, values) for ident, values in extra.items() if values))
        info = {**self._info, "result": clean_text(result)}
        if new != old or info != self._info:
            self._change({node: new}, node, node, info)

    def set_info(self, key: str, value: str) -> None:
        """Set one of INFO_KEYS; an empty value removes it."""
        self.write_info({key: value}, ROOT)

    def write_info(self, values: Mapping[str, str], node: int) -> None:
        """Set several of INFO_KEYS as one undo step; an empty value removes one.  ``node``: the node shown."""
        info = dict(self._info)
        for key, value in values.items():
            if key not in INFO_KEYS:
                raise ValueError(f"a record has no {short(key)}; it has {', '.join(INFO_KEYS)}")
            text = clean_text(value)
            info[key] = text.strip() if key == "comment" else " ".join(text.split())
        info = {key: value for key, value in info.items() if value}
        if info != self._info:
            self._change({}, node, node, info)

    def _set(self, node: int, **fields: Any) -> None:
        old = self.node(node)
        new = replace(old, **fields)
        if new != old:
            self._change({node: new}, node, node)

    def take_nodes(self, nodes: dict[int, RecordNode]) -> None:
        """Set the whole tree, whose moves are known to be legal, by ids from ROOT on; nothing is left to undo."""
        self._nodes = nodes
        self._next_id = max(nodes) + 1
        self._positions.clear()
        self.revision += 1
        self.forget_undo()

    # undo

    @property
    def changes(self) -> int:
        """How many changes can be undone."""
        return len(self._done)

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def undo(self, joined: bool = False) -> int | None:
        """Undo the last change; the node to show, None when there is nothing to undo.

        ``joined``: ``redo`` brings it back together with the one undone before.
        """
        if not self._done:
            return None
        step = self._done.pop()
        self._undone.append((step, joined and bool(self._undone)))
        self._put(step.before, step.info[0])
        return step.shown[0]

    def redo(self) -> int | None:
        """Redo what was undone last; the node to show, None when there is nothing to redo."""
        node, joined = None, bool(self._undone)
        while joined:
            step, joined = self._undone.pop()
            self._done.append(step)
            self._put(step.after, step.info[1])
            node = step.shown[1]
        return node

    def forget_undo(self) -> None:
        """Clear the undo history."""
        self._done.clear()
        self._undone.clear()

    def _change(
        self, after: dict[int, RecordNode | None], was: int, now: int, info: dict[str, str] | None = None
    ) -> None:
        before = {node: self._nodes.get(node) for node in after}
        self._done.append(_Step(before, after, (self._info, self._info if info is None else info), (was, now)))
        self._undone.clear()
        self._put(after, self._done[-1].info[1])

    def _put(self, nodes: dict[int, RecordNode | None], info: dict[str, str]) -> None:
        for i, node in nodes.items():
            if node is None:
                self._nodes.pop(i, None)
                self._positions.pop(i, None)
            else:
                self._nodes[i] = node
        self._info = info
        self.revision += 1


class RecordBuilder:
    """Nodes as they are added; that moves are legal is for the caller to know."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._parents, self._actions = [-1], [-1]
        self._children: list[list[int]] = [[]]
        self._by_step: dict[tuple[int, int | Setup], int] = {}
        self._setups: dict[int, Setup] = {}
        self._notes: dict[int, tuple[str, str, tuple[Mark, ...]]] = {}
        self._of_file: dict[int, tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]] = {}

    def play(self, node: int, action: int) -> int:
        """The child of ``node`` by ``action``, a new one as the last variation."""
        child = self._by_step.get((node, action))
        return self._add(node, action, action) if child is None else child

    def set_up(self, node: int, setup: Setup) -> int:
        """The child of ``node`` by stones set up, a new one as the last variation."""
        child = self._by_step.get((node, setup))
        if child is None:
            child = self._add(node, -1, setup)
            self._setups[child] = setup
        return child

    def sets_up(self, node: int) -> bool:
        """Whether a node sets up stones."""
        return node in self._setups

    def _add(self, node: int, action: int, step: int | Setup) -> int:
        new = len(self._parents)
        self._by_step[node, step] = new
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
        nodes = dict(enumerate(map(RecordNode, self._parents, self._actions, map(tuple, self._children))))
        none, no_extra, setup = ("", "", ()), ((), ()), self._setups.get
        for node in self._notes.keys() | self._of_file.keys() | self._setups.keys():
            plain = nodes[node]
            notes, of_file = self._notes.get(node, none), self._of_file.get(node, no_extra)
            nodes[node] = RecordNode(plain.parent, plain.action, plain.children, *notes, *of_file, setup(node))
        record.take_nodes(nodes)


def played(record: GameRecord, actions: Iterable[int]) -> None:
    """Give ``record``, which has no move yet, one line of moves that are known to be legal."""
    builder = RecordBuilder(record.start)
    node = ROOT
    for action in actions:
        node = builder.play(node, action)
    builder.fill(record)
