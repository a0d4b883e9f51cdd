"""What the search of another program did, simulation by simulation, as its trace says (core.files.trace_file).

A trace claims; nothing here is checked against the rules of the game.  ``core.glass.lint`` does that.
Letters: N nodes.
"""

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from core.games import Position

# Whose value a number is.
TO_MOVE: Final = "to move"  # the side to move at the node
MOVED: Final = "moved"  # the side whose move led to the node
ROOT: Final = "root"  # the side to move at the root of the search
FIRST: Final = "first"  # the side that moves first in the game
VIEWS: Final = (TO_MOVE, MOVED, ROOT, FIRST)

PUCT, UCB1, TUNED, GUMBEL, OTHER = "puct", "ucb1", "ucb1_tuned", "gumbel", "other"
RULES: Final = (PUCT, UCB1, TUNED, GUMBEL, OTHER)

# What a move without visits is taken for, where that is no number.
TRIED_FIRST: Final = "first"  # for more than any other
PARENT: Final = "parent"  # the searched value of the node, less a reduction
NET_VALUE: Final = "value"  # the node's own evaluation, less a reduction

# What the program does with positions that are proved.
NO_SOLVER, GUIDES, EXACT = "none", "guides", "exact"
SOLVERS: Final = (NO_SOLVER, GUIDES, EXACT)  # EXACT: their value replaces what is backed up

FINALS: Final = ("visits", "mean", "any")
COLUMNS: Final = ("N", "W", "Q")


@dataclass(frozen=True)
class Declared:
    """The rules by which the program says that it searches; numbers are on its own scale of values."""

    rule: str = OTHER
    c: float = 1.0
    c_base: float = 0.0  # c grows with the visits, as in core.search.rules.terms.growing_c; 0: it does not
    c_log: float = 1.0
    c_scale: float = 1.0  # of gumbel, where ``c`` is c_visit
    considered: int = 0  # moves that sequential halving begins with at the root; 0: its choices are not known
    simulations: int = 0  # among which it shares them
    total: str = "children"  # sum N of a formula: of the children, or N of the "node"
    fpu: float | str = 0.0
    fpu_reduction: float = 0.0
    noise: float = 0.0  # share of noise in the priors of the root
    virtual_loss: float = 0.0  # lost visits that a descent in flight counts for
    virtual_visits: float = 0.0  # visits without value that it counts for
    solver: str = NO_SOLVER
    value_for: str = TO_MOVE
    w_for: str = MOVED
    values: tuple[float, float] = (-1.0, 1.0)  # of a loss and of a win
    final: str = "visits"  # what the move played is chosen by
    columns: tuple[str, ...] = ("N", "W")  # what the program says of a node

    @property
    def width(self) -> float:
        """How far a win lies above a loss."""
        return self.values[1] - self.values[0]

    def even(self, value: float) -> float:
        """A value on the scale from -1 to +1."""
        return 2.0 * (value - self.values[0]) / self.width - 1.0

    def scaled(self, value: float) -> float:
        """Inverse of :meth:`even`."""
        return self.values[0] + (value + 1.0) * self.width / 2.0


class Reported(NamedTuple):
    """What the program says of one node: N, W and Q, NaN where it does not say it."""

    n: float
    w: float
    q: float


class Simulation(NamedTuple):
    """A simulation that ended at ``leaf`` was backed up."""

    leaf: int
    value: float  # as the program says it
    reported: tuple[Reported, ...]  # of each node from the root to the leaf, afterwards; () where it does not say it


class Descent(NamedTuple):
    """A simulation went to ``leaf`` and waits there for its value."""

    leaf: int
    reported: tuple[Reported, ...]  # afterwards


class Priors(NamedTuple):
    """The priors of a node's moves: as selection uses them, or ``clean``, as the net gave them before any noise."""

    node: int
    priors: dict[int, float]
    clean: bool


class Gumbels(NamedTuple):
    """The Gumbel noise of a root's moves."""

    node: int
    noise: dict[int, float]


class Children(NamedTuple):
    """What the program says of the moves of a node."""

    node: int
    moves: dict[int, Reported]


class RootMove(NamedTuple):
    """The search goes on from another root."""

    node: int


class Played(NamedTuple):
    """The move that the program plays."""

    action: int


Event = Simulation | Descent | Priors | Gumbels | Children | RootMove | Played


@dataclass(frozen=True)
class Trace:
    """The trace of one search.  Node 0 is the first root; the others are numbered as simulations first reach them."""

    position: Position  # of node 0
    program: str  # its name
    declared: Declared
    parents: list[int] = field(repr=False)  # [N] -1 for node 0; a parent's number is smaller
    actions: list[int] = field(repr=False)  # [N] the move that leads to the node; -1 for node 0
    events: tuple[Event, ...] = field(repr=False)
    notes: tuple[str, ...] = ()  # remarks about the file

    def path(self, node: int, root: int = 0) -> list[int]:
        """The nodes from ``root``, an ancestor of ``node`` or itself, to ``node``."""
        nodes = [node]
        while node != root:
            node = self.parents[node]
            nodes.append(node)
        return nodes[::-1]

    def names(self, node: int) -> tuple[str, ...]:
        """The names of the moves from node 0."""
        return tuple(self.position.game.action_name(self.actions[n]) for n in self.path(node)[1:])


class Positions:
    """The positions of a trace's nodes by number; None where the rules do not allow a move that leads there."""

    MOST: Final = 20_000  # kept at once

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._kept: dict[int, Position | None] = {0: trace.position}

    def __getitem__(self, node: int) -> Position | None:
        missing = []
        while node not in self._kept:
            missing.append(node)
            node = self._trace.parents[node]
        position = self._kept[node]
        for node in reversed(missing):
            if position is not None:
                try:
                    position = position.play(self._trace.actions[node])
                except ValueError:
                    position = None
            if len(self._kept) >= self.MOST:
                self._kept = {0: self._trace.position}
            self._kept[node] = position
        return position


def result_for(position: Position, side: int) -> float:
    """The result of an ended game for ``side``, from -1 to +1."""
    return float(position.returns[side])


def is_reported(number: float) -> bool:
    """Whether the program says this number."""
    return not math.isnan(number)
