"""Which nodes of a tree a question finds, with their sums and the moves before and after them.  Changes no tree.

The figures are those of the tables: values are for the player who makes the move, or for one player of the reader's
choice; U and Q + U for the player who makes the move.  A node is found among the moves that the search has made below
its root; the root is none of them.

Letters: M nodes, F found ones.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.games import Position
from core.glass.question import NodeQuestion
from core.search.params import Params
from core.search.proofs import flip
from core.search.selection import edge_terms, node_terms
from core.search.tree import NODES, PRIOR_ONE, TERMINAL, Path, Tree, backups, node_at

MOST_LIT: Final = 50_000  # nodes of an answer that are named, the most visited ones
MOST_PATHS: Final = 300  # of them with their paths
MOST_BESIDE: Final = 30  # moves before the nodes, and after them

Figures = NDArray[Any]


class Sums(NamedTuple):
    """Some nodes together; a simulation through several of them counts once."""

    nodes: int
    visits: int  # N of the nodes that lie below no other of them
    share: float  # of the simulations that chose a move at the root
    q: float  # mean value of these visits for the side to move at the root; NaN for none


class Beside(NamedTuple):
    """A move before the nodes found, or after them."""

    action: int  # -1: the nodes are moves of the root
    nodes: int  # how many of the nodes follow it, or how often it follows them
    visits: int  # of the nodes that follow it; its own where it follows them
    q: float  # their mean value for the side to move at the root


@dataclass(frozen=True, eq=False)
class Matches:
    """The nodes of a tree that a question finds."""

    question: str  # the text
    player: int  # whose values its figures were; -1: those of the player who makes the move
    tree: int  # the numbering that ``ids`` belong to, as in ``TreeNodes``
    ids: NDArray[np.int32]  # [F] the most visited first, at most ``MOST_LIT``
    paths: tuple[Path, ...]  # of the first of them; the one at the path that was asked for comes first
    rows: frozenset[Path]  # the paths of those whose parents are shown with their moves
    sums: Sums
    sides: tuple[Sums, Sums]  # of those moves made by the side to move at the root, and of those by the other
    before: tuple[Beside, ...]  # the most visits first
    after: tuple[Beside, ...]


class _Nodes(NamedTuple):
    """The visited nodes below a root in the order in which they were created, side by side in memory."""

    ids: NDArray[np.int32]  # [M]
    parents: NDArray[np.int32]  # [M] their places in these arrays; -1 for the root
    slots: NDArray[np.int32]  # [M]
    actions: NDArray[np.int16]  # [M]
    depths: NDArray[np.int16]  # [M] plies below the root
    visits: NDArray[np.int32]  # [M] N
    backups: NDArray[np.int32]  # [M] n
    totals: NDArray[np.float64]  # [M] W


class _Groups(NamedTuple):
    """Sums of nodes by group: how many, visits, simulations, values for the side to move at the root."""

    nodes: NDArray[np.int64]
    visits: NDArray[np.int64]
    backups: NDArray[np.int64]
    totals: NDArray[np.float64]


@jit
def _gather(tree: Tree, root: int, into: _Nodes, places: NDArray[np.int32]) -> int:
    """Fill ``into``, and the place there of every node of the tree, -1 for none; returns how many there are."""
    m = 0
    places[: root + 1] = -1
    for node in range(root + 1, places.size):
        parent, places[node] = tree.parent[node], -1
        if parent < root or (parent > root and places[parent] < 0):
            continue
        slot = tree.slot[node]
        if tree.visits[slot] <= 0 or tree.child[slot] != node:  # an earlier tree may end with an unused node
            continue
        into.ids[m], into.slots[m] = node, slot
        into.parents[m] = places[parent]
        into.actions[m] = tree.action[node]
        into.depths[m] = 1 if parent == root else into.depths[places[parent]] + 1
        into.visits[m] = tree.visits[slot]
        into.backups[m] = backups(tree, slot)
        into.totals[m] = tree.total[slot]
        places[node] = m
        m += 1
    return m


@jit
def _rank(tree: Tree, nodes: NDArray[np.int32], into: NDArray[np.int32]) -> None:
    """Set 1 + the number of siblings with more visits."""
    for i in range(nodes.size):
        parent = tree.parent[nodes[i]]
        start, mine, rank = tree.child_start[parent], tree.visits[tree.slot[nodes[i]]], 1
        for slot in range(start, start + tree.num_children[parent]):
            if tree.visits[slot] > mine:
                rank += 1
        into[i] = rank


@jit
def _find_terms(tree: Tree, root: int, params: Params, places: NDArray[np.int32], into: NDArray[np.float64]) -> None:
    """Set U [0] and the score [1] of each node, as selection sees them."""
    for node in range(root, places.size):
        if (places[node] >= 0 or node == root) and tree.num_children[node] > 0:
            terms = node_terms(tree, node, params)
            for edge in range(tree.num_children[node]):
                place = places[tree.child[tree.child_start[node] + edge]]
                if place >= 0:
                    figures = edge_terms(tree, node, edge, params, terms)
                    into[0, place] = figures.u
                    into[1, place] = figures.score


@jit
def _add(groups: _Groups, group: int, nodes: _Nodes, i: int) -> None:
    """Add a node to a group."""
    groups.nodes[group] += 1
    groups.visits[group] += nodes.visits[i]
    groups.backups[group] += nodes.backups[i]
    groups.totals[group] += nodes.totals[i] if nodes.depths[i] % 2 == 1 else -nodes.totals[i]


@jit
def _add_up(
    nodes: _Nodes, fits: NDArray[np.bool_], above: NDArray[np.int8], sides: _Groups, before: _Groups, after: _Groups
) -> None:
    """Sum the nodes that fit: those that lie below no other, of either side and [2] of both, and [1 + action, 0 for the
    root] all by the moves before them; and the moves after them.  ``above`` [M]: scratch, zeros."""
    for i in range(fits.size):
        parent, side = nodes.parents[i], 1 - nodes.depths[i] % 2
        covered = above[parent] if parent >= 0 else 0  # by a node of side 0, of side 1
        if fits[i]:
            if not covered & (1 << side):
                _add(sides, side, nodes, i)
            if not covered:
                _add(sides, 2, nodes, i)
            _add(before, 1 + nodes.actions[parent] if parent >= 0 else 0, nodes, i)
            covered |= 1 << side
        above[i] = covered
        if parent >= 0 and fits[parent]:
            _add(after, nodes.actions[i], nodes, i)


def _groups(length: int) -> _Groups:
    return _Groups._make((*np.zeros((3, length), np.int64), np.zeros(length)))


class NodeFigures:
    """The figures of all visited nodes below ``root``, in the order in which they were created, by name."""

    def __init__(self, tree: Tree, root: int, params: Params, priors: bool, to_move: int, player: int = -1) -> None:
        """``priors``: whether the rule uses them; ``to_move``: the player at the root; ``player``: whose values."""
        n = min(int(tree.counts[NODES]), tree.parent.size)  # an earlier tree has the counts of the present one
        self.places = np.empty(n, np.int32)  # of every node of the tree in ``nodes``; -1 for none
        ints, shorts = np.empty((5, n), np.int32), np.empty((2, n), np.int16)
        room = _Nodes._make((*ints[:3], *shorts, *ints[3:], np.empty(n)))
        m = _gather(tree, root, room, self.places)
        self.nodes = _Nodes._make(figures[:m] for figures in room)
        self._tree, self._root, self._params, self._priors = tree, root, params, priors
        self._to_move = to_move
        # [M] -1: values of the other player; one number where there are none, which saves time and memory.
        self._sign = np.where(self.movers == player, 1.0, -1.0) if player >= 0 else np.array(1.0)

    def __call__(self, name: str) -> Figures:
        """The figure ``name`` of ``core.glass.question.KINDS`` [M]."""
        return np.asarray(self._OF[name](self))

    @cached_property
    def movers(self) -> Figures:
        """[M] who makes the move."""
        return np.asarray((self._to_move + self.nodes.depths + 1) % 2)

    @cached_property
    def _terms(self) -> Figures:
        terms = np.zeros((2, self.places.size))
        _find_terms(self._tree, self._root, self._params, self.places, terms)
        return terms[:, : len(self.nodes.ids)]

    def _share(self) -> Figures:
        total = np.bincount(self.nodes.parents + 1, self.nodes.visits)
        return np.asarray(self.nodes.visits / total[self.nodes.parents + 1])

    def _prior(self) -> Figures:
        if not self._priors:
            return np.full(len(self.nodes.ids), np.nan)
        tree = self._tree
        above = tree.parent[self.nodes.ids]
        edges = tree.edge_start[above] + self.nodes.slots - tree.child_start[above]
        return np.asarray(tree.edge_prior[edges] / PRIOR_ONE)

    def _lead(self) -> Figures:
        if not self._tree.lead_sum.size:
            return np.full(len(self.nodes.ids), np.nan)
        return np.asarray(self._sign * self._tree.lead_sum[self.nodes.slots, 0] / self.nodes.backups)

    def _rank(self) -> Figures:
        ranks = np.zeros(len(self.nodes.ids), np.int32)
        _rank(self._tree, self.nodes.ids, ranks)
        return ranks

    def _proof(self) -> Figures:
        proofs = self._tree.proof[self.nodes.slots]
        return np.where(self._sign > 0, proofs, flip(proofs))

    _OF: Final[Mapping[str, Callable[["NodeFigures"], Figures]]] = {
        "N": lambda of: of.nodes.visits,
        "n": lambda of: of.nodes.backups,
        "share": _share,
        "P": _prior,
        "W": lambda of: of._sign * of.nodes.totals,
        "Q": lambda of: of._sign * of.nodes.totals / of.nodes.backups,
        "U": lambda of: of._terms[0],
        "score": lambda of: of._terms[1],
        "V": lambda of: -of._sign * of._tree.value[of.nodes.ids],
        "lead": _lead,
        "rank": _rank,
        "depth": lambda of: of.nodes.depths,
        "player": lambda of: of.movers + 1,
        "move": lambda of: of.nodes.actions,
        "proof": _proof,
        "over": lambda of: of._tree.num_edges[of.nodes.ids] == TERMINAL,
    }

    def follow(self, line: Path) -> NDArray[np.bool_]:
        """[M] whether the last moves to the nodes are ``line``."""
        fits = self.nodes.depths >= len(line)
        places = np.arange(fits.size)
        for action in reversed(line):
            fits = fits & (self.nodes.actions[places] == action)
            places = np.maximum(self.nodes.parents[places], 0)
        return fits


def answer(
    question: NodeQuestion,
    tree: Tree,
    root: int,
    params: Params,
    position: Position,
    *,
    priors: bool = True,
    player: int = -1,
    number: int = 0,
    shown: Iterable[Path] = (),
) -> Matches:
    """The nodes that a question finds in ``tree`` below ``root``, which is ``position``.

    ``priors``: whether the rule uses them; ``player``: whose values are meant, -1 for those of the player who makes the
    move; ``number``: the nodes' numbering; ``shown``: the nodes beside the root that are shown with their moves."""
    figures = NodeFigures(tree, root, params, priors, position.to_move, player)
    nodes = figures.nodes
    if question.formula is None:
        fits = figures.follow(question.line)
    else:
        fits = np.ascontiguousarray(np.broadcast_to(question.formula.of(figures), nodes.ids.shape))
    fitting = np.flatnonzero(fits)
    sides, before, after = _groups(3), _groups(1 + position.game.num_actions), _groups(position.game.num_actions)
    _add_up(nodes, fits, np.zeros(fits.size, np.int8), sides, before, after)
    chosen = max(1, int(nodes.visits[nodes.parents < 0].sum()))
    of_second = int((nodes.depths[fitting] % 2 == 0).sum())
    lines = _most_visited(figures, fitting, node_at(tree, root, question.line) if question.line else -1)
    return Matches(
        question.text,
        player,
        number,
        nodes.ids[lines],
        tuple(_path_of(nodes, int(place)) for place in lines[:MOST_PATHS]),
        frozenset(child for path in ((), *shown) for child in _lit_below(tree, root, path, figures.places, fits)),
        _sums(sides, 2, fitting.size, chosen),
        (_sums(sides, 0, fitting.size - of_second, chosen), _sums(sides, 1, of_second, chosen)),
        _beside(before, -1),
        _beside(after, 0),
    )


def _most_visited(figures: NodeFigures, fitting: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """The places of the most visited nodes ``found``, the node ``first`` of the tree before all others."""
    visits = figures.nodes.visits[fitting]
    if fitting.size > MOST_LIT:
        kept = np.argpartition(-visits, MOST_LIT)[:MOST_LIT]
        fitting, visits = fitting[kept], visits[kept]
    return fitting[np.lexsort((fitting, -visits, figures.nodes.ids[fitting] != first))]


def _lit_below(tree: Tree, root: int, path: Path, places: NDArray[np.int32], fits: NDArray[np.bool_]) -> Iterable[Path]:
    """The paths of the children of the node at ``path`` that fit."""
    node = node_at(tree, root, path)
    if node >= 0:
        start = int(tree.child_start[node])
        for child in tree.child[start : start + int(tree.num_children[node])].tolist():
            if places[child] >= 0 and fits[places[child]]:
                yield (*path, int(tree.action[child]))


def _path_of(nodes: _Nodes, place: int) -> Path:
    actions = []
    while place >= 0:
        actions.append(int(nodes.actions[place]))
        place = int(nodes.parents[place])
    return tuple(reversed(actions))


def _sums(groups: _Groups, group: int, nodes: int, chosen: int) -> Sums:
    """The sums of a group of so many nodes; ``chosen``: the simulations that chose a move at the root."""
    visits, backups = int(groups.visits[group]), int(groups.backups[group])
    return Sums(nodes, visits, visits / chosen, float(groups.totals[group] / backups) if backups else float("nan"))


def _beside(groups: _Groups, first: int) -> tuple[Beside, ...]:
    """The moves of the groups, the most visits first; ``first``: the move of group 0."""
    order = np.lexsort((np.arange(groups.nodes.size), -groups.visits))[:MOST_BESIDE]
    return tuple(
        Beside(first + i, int(groups.nodes[i]), int(groups.visits[i]), float(groups.totals[i] / groups.backups[i]))
        for i in order.tolist()
        if groups.nodes[i]
    )
