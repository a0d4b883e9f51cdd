"""A trace as a tree: that of a search of ours which made the same simulations, so that every view shows it.

Only the simulations before the first that breaks the rules of the game are in it.
"""

import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.engine.search_state import SearchState
from core.files.trace_file import SUFFIX, open_trace
from core.files.tree_file import SavedSearch, open_tree, trimmed
from core.games import Position
from core.glass.history import History
from core.glass.trace import (
    EXACT,
    FIRST,
    GUMBEL,
    MOVED,
    NET_VALUE,
    PARENT,
    PUCT,
    ROOT,
    TO_MOVE,
    TUNED,
    UCB1,
    Declared,
    Positions,
    Priors,
    RootMove,
    Simulation,
    Trace,
    result_for,
)
from core.search import SearchSettings
from core.search.descent import VALUE_STEP
from core.search.proofs import LOSS, PROVED_DRAW, WIN, exact_value
from core.search.tree import EDGES, NODES, OWN_RULE, PRIOR_ONE, RECORDS, SLOTS, TERMINAL, Tree, allocate
from core.search.work import DEPTH_MAX, DEPTH_SUM, NUM_STATS, SIMULATIONS
from core.text import Text

_GOES_ON: Final = "uniform"  # what values further simulations, as tree files name it
_SETTINGS: Final = {PUCT: "c_puct", UCB1: "c_ucb", TUNED: "c_ucb", GUMBEL: "c_visit"}


def tree_of(trace: Trace) -> tuple[SavedSearch, tuple[str, ...]]:
    """The search that a trace describes, and remarks on what is left out.  ValueError where its constants have no
    counterpart in our settings, or nothing of it is left."""
    made = _Maker(trace)
    notes = trace.notes
    if made.broken is not None:
        words = Text("the tree ends before simulation {simulation}, which breaks the rules", simulation=made.broken)
        notes = (*notes, words)
    settings = settings_of(trace.declared)
    return SavedSearch(made.state(settings), settings, trace.program, _GOES_ON), notes


def open_search(path: Path) -> tuple[SavedSearch, tuple[str, ...]]:
    """The search in a tree file or, by its suffix, in a trace, and remarks on it.

    Raises OSError, and ValueError when it cannot be opened."""
    return tree_of(open_trace(path)) if path.suffix.lower() == SUFFIX else (open_tree(path), ())


def settings_of(declared: Declared) -> SearchSettings:
    """Our settings that come nearest to what the program declares; its constants on our scale of values."""
    scale = 2.0 / declared.width
    given: dict[str, Any] = {"selection": declared.rule if declared.rule in _SETTINGS else PUCT, "final": "visits"}
    if declared.rule == GUMBEL:
        given |= {"c_visit": declared.c, "c_scale": declared.c_scale}
    elif declared.rule in (UCB1, TUNED):
        given["c_ucb"] = declared.c / (declared.width if declared.rule == UCB1 else 1.0)
    elif declared.rule == PUCT:
        given |= {"c_puct": declared.c * scale, "c_base": declared.c_base, "c_log": declared.c_log * scale}
    if declared.fpu in (PARENT, NET_VALUE):
        given |= {"fpu": "reduction", "fpu_reduction": declared.fpu_reduction * scale}
    elif isinstance(declared.fpu, float):
        given["fpu"] = "loss" if declared.even(declared.fpu) <= -0.5 else "zero"
    if declared.final == "mean":
        given["final"] = "mean"
    return SearchSettings(**given, prove=declared.solver == EXACT)


class _Maker:
    """Makes the arrays of the tree."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._positions = Positions(trace)
        self._to_move = [trace.position.to_move]  # of each node
        self._over: dict[int, Position] = {}
        self._values = [math.nan]  # of each node, for the side to move
        self._records: list[tuple[int, float]] = []
        self._changes = [(0, 0)]
        self._priors: dict[int, dict[int, float]] = {}
        self._clean: dict[int, dict[int, float]] = {}
        self.broken: int | None = None  # the first simulation that breaks the rules
        if trace.position.is_over:
            self._over[0] = trace.position
        self._read()

    def _read(self) -> None:
        for event in self._trace.events:
            if isinstance(event, Priors):
                (self._clean if event.clean else self._priors)[event.node] = event.priors
            elif isinstance(event, RootMove):
                if not self._reach(event.node):
                    self.broken = len(self._records) + 1
                    return
                self._changes.append((len(self._records), event.node))
            elif isinstance(event, Simulation):
                if not self._reach(event.leaf):
                    self.broken = len(self._records) + 1
                    return
                value = self._value(event)
                self._records.append((event.leaf, value))
                if math.isnan(self._values[event.leaf]):
                    self._values[event.leaf] = value

    def _reach(self, leaf: int) -> bool:
        """Add the nodes up to ``leaf``, which are numbered as they are reached; False where the rules do not allow it.

        A descent that never came back may have numbered some before; they have no simulations."""
        for node in range(len(self._to_move), leaf + 1):
            position = self._positions[node]
            if position is None:
                return False
            self._to_move.append(position.to_move)
            self._values.append(math.nan)
            if position.is_over:
                self._over[node] = position
        return True

    def _value(self, simulation: Simulation) -> float:
        """The value of a simulation for the side to move at its leaf, from -1 to +1 in whole steps."""
        declared, leaf = self._trace.declared, simulation.leaf
        value = declared.even(simulation.value)
        if math.isnan(value):
            return 0.0
        parent = self._trace.parents[leaf]
        side = {
            TO_MOVE: self._to_move[leaf],
            MOVED: 1 - self._to_move[0] if parent < 0 else self._to_move[parent],
            ROOT: self._to_move[self._changes[-1][1]],
            FIRST: 0,
        }[declared.value_for]
        value = max(-1.0, min(1.0, value)) * (1.0 if side == self._to_move[leaf] else -1.0)
        return math.floor(value / VALUE_STEP + 0.5) * VALUE_STEP

    def state(self, settings: SearchSettings) -> SearchState:
        """The search at rest."""
        tree = self._structure(settings)
        params = settings.params(self._trace.position.game.num_cells)
        if self._records:
            history = History(tree, self._changes, params)
            past = history.seek(len(self._records))
            for name in ("visits", "was_root", "total", "proof", "distance", "squares"):
                getattr(tree, name)[:] = getattr(past, name)[: getattr(tree, name).size]
            tree.begun[:] = past.begun[: tree.begun.size]
        root = self._changes[-1][1]
        earlier = self._changes[-1][0]
        stats = np.zeros(NUM_STATS, np.int64)
        stats[SIMULATIONS] = len(self._records)
        above = len(self._trace.path(root)) - 1
        depths = [len(self._trace.path(leaf)) - 1 - above for leaf, _ in self._records[earlier:]]
        stats[DEPTH_SUM], stats[DEPTH_MAX] = sum(depths), max(depths, default=0)
        position = self._positions[root]
        assert position is not None
        return SearchState(
            top=self._trace.position,
            position=position,
            tree=trimmed(tree),
            root=root,
            root_changes=tuple(self._changes),
            net_priors=self._net_priors(tree, root),
            same={},
            stats=stats,
            earlier=earlier,
            elapsed_s=0.0,
            prepared=True,
        )

    def _structure(self, settings: SearchSettings) -> Tree:
        """The tree without its sums: nodes, edges, records and the results of finished games."""
        count = len(self._to_move)
        children: list[list[int]] = [[] for _ in range(count)]
        for node in range(1, count):
            children[self._trace.parents[node]].append(node)
        edges = [self._edges(node, below) for node, below in enumerate(children)]
        starts, slots = [], 1
        for below in children:
            starts.append(slots if below else -1)
            slots += 1 << (len(below) - 1).bit_length() if below else 0
        game = self._trace.position.game
        tree = allocate(
            game.num_actions,
            nodes=max(2, count),
            slots=max(2, slots),
            edges=max(2, sum(map(len, edges))),
            records=max(2, len(self._records)),
            squares=settings.keeps_squares,
        )
        for array in tree[: Tree._fields.index("gumbel")]:
            array[:] = 0
        for place, size in (
            (NODES, count),
            (SLOTS, slots),
            (EDGES, sum(map(len, edges))),
            (RECORDS, len(self._records)),
        ):
            tree.counts[place] = size
        tree.counts[OWN_RULE] = -1
        used = 0
        for node, below in enumerate(children):
            tree.parent[node], tree.action[node] = self._trace.parents[node], self._trace.actions[node]
            tree.child_start[node], tree.num_children[node] = starts[node], len(below)
            tree.value[node] = self._values[node]
            tree.edge_start[node], moves = used, edges[node]
            tree.num_edges[node] = len(moves) or -1
            tree.edge_action[used : used + len(moves)] = [action for action, _ in moves]
            tree.edge_prior[used : used + len(moves)] = [prior for _, prior in moves]
            used += len(moves)
            for place, child in enumerate(below):
                tree.slot[child], tree.child[starts[node] + place] = starts[node] + place, child
        for node, position in self._over.items():
            slot, parent = tree.slot[node], self._trace.parents[node]
            mover = 1 - position.to_move if parent < 0 else self._to_move[parent]
            result = result_for(position, mover)
            tree.num_edges[node] = TERMINAL
            tree.proof[slot] = WIN if result > 0 else LOSS if result < 0 else PROVED_DRAW
            tree.value[node] = -exact_value(tree.proof[slot])
        if self._records:
            tree.leaf[: len(self._records)], tree.leaf_value[: len(self._records)] = zip(*self._records, strict=True)
        return tree

    def _edges(self, node: int, below: list[int]) -> list[tuple[int, int]]:
        """(Action, prior in 16 bits) of the node's moves, those entered first, the others by prior; [] for a node that
        is not known to be expanded."""
        if node in self._over or (node and not below and node not in self._priors):
            return []
        position = self._positions[node]
        assert position is not None
        legal = position.legal_actions()
        given = self._priors.get(node)
        priors = dict.fromkeys(legal, 1.0 / len(legal)) if given is None else given
        entered = [self._trace.actions[child] for child in below]
        rest = sorted(set(legal).difference(entered), key=lambda action: (-_sound(priors.get(action, 0.0)), action))
        return [(action, _in_16_bits(priors.get(action, 0.0))) for action in (*entered, *rest)]

    def _net_priors(self, tree: Tree, root: int) -> Any:
        clean, count = self._clean.get(root), max(0, int(tree.num_edges[root]))
        if clean is None or root not in self._priors or not count:
            return None
        start = int(tree.edge_start[root])
        actions = tree.edge_action[start : start + count].tolist()
        return np.array([_in_16_bits(clean.get(action, 0.0)) for action in actions], np.uint16)


def _sound(prior: float) -> float:
    return min(1.0, max(0.0, prior)) if math.isfinite(prior) else 0.0


def _in_16_bits(prior: float) -> int:
    return max(1, round(_sound(prior) * PRIOR_ONE))
