"""Snapshots of a search: frozen, self-contained, safe to hand to another thread.

Every value is in [-1, +1], except the Q that puct assumes for an unvisited child (first-play urgency), which may be
lower.  The statistics of an edge are for the side to move at the node that owns it.
Letters: E edges of one node, in the tree's order (visited ones first, then by prior).

N of a move counts simulations made from its node or above; every share, rank and choice uses it.  n counts all
simulations through a position; its value is their mean.  They differ only where the root moved down and came back
(core.search.tree).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.encoding import OWN
from core.glass.ask import Matches
from core.glass.choice import Choice
from core.glass.curves import Curves
from core.glass.icicle import Icicle, Twin
from core.glass.notebook import moves_html
from core.glass.picture import TreePicture
from core.search.play import apply_proofs, chances
from core.search.proofs import WIN, exact_value, flip, is_upper_bound
from core.search.rules.table import RULES, SCORED
from core.search.tree import PRIOR_ONE
from core.search.tree import Path as Path

PROOF_NAMES: Final = ("", "win", "draw", "loss")  # by the codes of core.search.proofs

NO_LEADS: Final = np.zeros(0, np.float32)


class MoveRow(NamedTuple):
    """One edge as a table row.  An unvisited child has the q that the rule assumes, NaN if none, and a NaN value."""

    action: int
    name: str
    visits: int  # N: simulations that took the move, from its node or above
    backups: int  # n: those and the ones made from the child as root; ``q`` is their mean
    share: float  # of the node's child visits
    prior: float  # as selection uses it, root noise included; NaN under a rule without priors and for a move left out
    net_prior: float  # as the net gave it
    q: float
    u: float  # infinite for an untried child under ucb1; under gumbel the improved policy; under flat -visits
    # What selection maximises: q + u (+ s where a score utility is in use) with simulations in flight as visits, except
    # under flat and gumbel; -inf for a move not due at a Gumbel root.
    score: float
    value: float  # the net's value of the child, for the mover here
    proof: str  # "", "win", "draw", "loss" for the mover here
    # Plies to the end under the proof, this move included: 1 for a win with this move; 0 when unproved or not known.
    distance: int
    pv: tuple[int, ...]  # starts with ``action``
    pv_names: tuple[str, ...]
    lead: float = math.nan  # searched score lead of the mover here in points; NaN where the net gives none
    lead_spread: float = math.nan  # standard deviation of the score, as the net expects it; NaN as ``lead``
    left_out: bool = False  # excluded from the search by the user: only the net's prior is known
    distance_at_most: bool = False  # best play may be shorter: the first win found is kept
    s: float = math.nan  # score utility, which selection adds to q; NaN where none is in use
    radius: float = math.nan  # q - radius is the lower bound by which the move to play is chosen; NaN where none is
    same: tuple[int, ...] = ()  # the symmetric moves for which it stands, too: share and priors are of all of them
    discs: int | None = None  # the mover's exact lead in discs at the end, where an ending was solved and discs decide
    human: float = math.nan  # how likely the players that a human net imitates play it; NaN where there is none

    @property
    def w(self) -> float:
        """W, the sum of the values of the ``backups`` simulations, for the side of ``q``; NaN before the first."""
        return self.q * self.backups if self.backups else math.nan

    @property
    def title(self) -> str:
        """The name, with the number of moves for which it stands."""
        return f"{self.name} ×{1 + len(self.same)}" if self.same else self.name


def _nothing(count: int) -> Iterable[float]:
    """A column of NaN."""
    return repeat(math.nan, count)


@dataclass(frozen=True)
class NodeView:
    """One expanded node of the tree with all its edges."""

    path: Path
    position: Position
    selection: str  # the selection rule, as named in SearchSettings
    visits: int  # n: simulations made from this node or through it: N of its moves, and those that ended here
    q: float  # searched value for the side to move here; NaN when unvisited
    value: float  # the net's own value for the side to move here; NaN when there is no net
    proof: int  # for the side to move here
    distance: int  # plies to the end under the proof; 0 when unproved or not known
    next_index: int  # the edge the next simulation enters; -1 when none does: the node is proved
    best_index: int  # the edge that would be played; -1 before the first simulation
    actions: NDArray[np.int16]  # [E]
    visits_of: NDArray[np.int32]  # [E] N
    backups_of: NDArray[np.int32]  # [E] n, the number of simulations in ``qs``
    priors: NDArray[np.float32]  # [E] as the tree has them, root noise included
    net_priors: NDArray[np.float32]  # [E] as the net gave them
    qs: NDArray[np.float32]  # [E] of finished simulations alone
    us: NDArray[np.float32]  # [E] as selection sees them: simulations in flight are visits
    scores: NDArray[np.float32]  # [E] what selection maximises
    values: NDArray[np.float32]  # [E]
    proofs: NDArray[np.int8]  # [E]
    distances: NDArray[np.int16]  # [E] as in ``MoveRow``
    expanded: NDArray[np.bool_]  # [E] the child has edges
    same: dict[int, tuple[int, ...]]  # action -> the symmetric actions merged into it
    pvs: tuple[tuple[int, ...], ...]  # [E]
    lead: float = math.nan  # searched score lead of the side to move in points; NaN where the net gives none
    lead_spread: float = math.nan  # standard deviation of the score
    leads: NDArray[np.float32] = field(
        default_factory=lambda: NO_LEADS
    )  # [E] for the side to move here; [0] where the net gives none
    lead_spreads: NDArray[np.float32] = field(default_factory=lambda: NO_LEADS)  # [E]
    ss: NDArray[np.float32] = field(default_factory=lambda: NO_LEADS)  # [E] score utilities; [0] where none is in use
    radii: NDArray[np.float32] = field(default_factory=lambda: NO_LEADS)  # [E] as in ``MoveRow``
    choice: Choice | None = None  # the terms of selection, simulations in flight included
    # action -> the net's prior of the moves that are not searched: then ``priors`` [E] sum to 1 without them, and
    # ``proof``, ``q`` and ``best_index`` hold among the moves searched.
    left_out: dict[int, float] = field(default_factory=dict)
    solved: bool = False  # the exact solver gave the proofs
    discs: dict[int, int] = field(default_factory=dict)  # action -> as in ``MoveRow``

    @property
    def most_discs(self) -> int | None:
        """The exact lead in discs of the side to move at the end; None where it is not known."""
        return max(self.discs.values(), default=None)

    @property
    def distance_at_most(self) -> bool:
        """Whether ``distance`` is an upper bound."""
        return bool(is_upper_bound(flip(self.proof), self.distance, not self.solved))

    @property
    def distances_at_most(self) -> NDArray[np.bool_]:
        """[E] whether ``distances`` is an upper bound."""
        bound: NDArray[np.bool_] = is_upper_bound(self.proofs, self.distances - 1, self.expanded)
        return bound

    def _repr_html_(self) -> str:
        """The position and its moves as a notebook shows them."""
        return moves_html(self.position, self.rows)

    @property
    def rule(self) -> str:
        """The selection rule, ``SCORED`` where it is PUCT with a score utility: what the columns' titles depend on."""
        return SCORED if len(self.ss) else self.selection

    @property
    def has_priors(self) -> bool:
        """Whether the selection rule uses priors."""
        return RULES[self.selection].priors

    @cached_property
    def noisy(self) -> bool:
        """Whether noise or temperature changed the priors (which are also scaled when only some moves are searched)."""
        scale = float(self.net_priors.sum()) / max(float(self.priors.sum()), 1e-9)
        return bool((np.abs(self.priors * scale - self.net_priors) > 4.0 / PRIOR_ONE).any())

    @cached_property
    def rows(self) -> tuple[MoveRow, ...]:
        """The edges as rows, most visits first, then the move that would be played, then by prior."""
        others = np.arange(len(self.actions)) != self.best_index
        order = np.lexsort((self.actions, -self.priors, others, -self.visits_of))
        count, names = len(self.actions), self.position.game.action_names
        actions = self.actions.tolist()
        columns = (  # in the order of the fields of MoveRow
            actions,
            [names[action] for action in actions],
            self.visits_of.tolist(),
            self.backups_of.tolist(),
            (self.visits_of / max(1, int(self.visits_of.sum()))).tolist(),
            self.priors.tolist() if self.has_priors else _nothing(count),
            self.net_priors.tolist(),
            self.qs.tolist(),
            self.us.tolist(),
            self.scores.tolist(),
            self.values.tolist(),
            [PROOF_NAMES[proof] for proof in self.proofs.tolist()],
            self.distances.tolist(),
            self.pvs,
            [tuple([names[action] for action in pv]) for pv in self.pvs],
            self.leads.tolist() or _nothing(count),
            self.lead_spreads.tolist() or _nothing(count),
            repeat(False, count),
            self.distances_at_most.tolist(),
            self.ss.tolist() or _nothing(count),
            self.radii.tolist() or _nothing(count),
            [self.same.get(action, ()) for action in actions],
            [self.discs.get(action) for action in actions],
            _nothing(count),
        )
        rows = list(map(MoveRow._make, zip(*columns, strict=True)))
        return tuple([rows[i] for i in order.tolist()])

    @property
    def best_row(self) -> MoveRow | None:
        """The row of the move that would be played."""
        return next((row for row in self.rows if row.action == self.best_action), None)

    @cached_property
    def left_out_rows(self) -> tuple[MoveRow, ...]:
        """The moves that are not searched, by the net's prior: no visits, every other number NaN, including the prior
        that selection uses."""
        nan, names = float("nan"), self.position.game.action_names
        return tuple(
            MoveRow(action, names[action], 0, 0, 0.0, nan, prior, nan, nan, nan, nan, "", 0, (), (), left_out=True)
            for action, prior in sorted(self.left_out.items(), key=lambda pair: (-pair[1], pair[0]))
        )

    def visit_policy(self, temperature: float = 1.0) -> NDArray[np.float64]:
        """The probability of each move to be played, [E], sum 1: pi = N^(1/tau), except for proofs (core.search.play);
        zeros before the first simulation, and 1 for the best move before any was tried."""
        weights = self.visits_of.astype(np.float64)
        if self.best_index < 0:
            return weights
        count = len(weights)
        apply_proofs(weights, self.proofs, self.priors, count, count, self.proof)
        sure = self.proof == WIN or bool((self.proofs == WIN).any()) or not self.visits_of.any()
        return chances(weights, self.best_index, sure, temperature)

    @property
    def next_action(self) -> int:
        """The action the next simulation enters; -1 when none."""
        return int(self.actions[self.next_index]) if self.next_index >= 0 else -1

    @property
    def best_action(self) -> int:
        """The action that would be played; -1 before the first simulation."""
        return int(self.actions[self.best_index]) if self.best_index >= 0 else -1


@dataclass(frozen=True, slots=True)
class Counters:
    """Totals of a search since it was made, earlier trees included, and its memory.  Rates are differences of two."""

    simulations: int
    evaluations: int  # positions evaluated by the net
    batches: int
    cache_hits: int
    collisions: int
    nodes: int
    bytes_used: int
    bytes_budget: int
    depth: int  # plies to the deepest leaf, of the simulations begun at the present root
    mean_depth: float
    elapsed_s: float  # spent searching


# Why a search is not running on.
RUNNING: Final = ""
STOPPED: Final = "stopped"
LIMIT: Final = "limit reached"
PROVED: Final = "proved"
FULL: Final = "memory budget full"
OVER: Final = "game over"


@dataclass(frozen=True)
class Snapshot:
    """All that is shown of one search."""

    request: int  # of the Analysis request that made it; 0 outside an Analysis
    position: Position
    evaluator: str  # what values the leaves, in words: "rollouts", "connect4-5x64.onnx on CPU"
    evaluator_note: str  # why it does not run on faster hardware; "" when it does
    root: NodeView
    opened: dict[Path, NodeView]  # the requested nodes that exist
    counters: Counters
    reason: str  # RUNNING, or why the search is not running
    picture: TreePicture | None = None  # the most visited nodes, when requested
    icicles: dict[str, Icicle] = field(default_factory=dict)  # the whole tree laid out, by who requested it
    twins: dict[str, Twin] = field(default_factory=dict)  # figures for the icicle of another search, by requester
    answer: Matches | None = None  # to the question that was requested
    now: int = 0  # present number of simulations, when this shows an earlier moment; 0: this is the present
    curves: Curves | None = None  # the root's statistics over time, when requested
    ownership: bool = False  # the net gives ownership (core.engine.ownership)
    outcomes: bool = False  # the net gives win, draw and loss (core.engine.outcomes)
    encoding: str = OWN  # the name of the net's input; of random games that of the game's own planes
    # The last one with pictures, answer and curves, where this has only the nodes; None: this has all that is wanted.
    whole: "Snapshot | None" = None

    def _repr_html_(self) -> str:
        """The search as a notebook shows it."""
        asked = self.counters.evaluations
        return moves_html(
            self.position, self.moves, f"{self.simulations} simulations, {asked} evaluations by {self.evaluator}"
        )

    def node(self, path: Path) -> NodeView | None:
        """Return the node at a path below the root; None if it is not in the tree or was not requested."""
        return self.opened.get(path) if path else self.root

    @property
    def simulations(self) -> int:
        """Simulations made from the root or, before it was the root, through it: its n."""
        return self.root.visits

    @property
    def value(self) -> float:
        """Value of the position for the side to move: exact once proved, else the search's mean; NaN at first."""
        return exact_value(self.root.proof) if self.root.proof else self.root.q

    @property
    def best(self) -> int:
        """The move the search would play, -1 when there is none."""
        return self.root.best_action

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation, from the root."""
        return self.root.pvs[self.root.best_index] if self.root.best_index >= 0 else ()

    @property
    def moves(self) -> tuple[MoveRow, ...]:
        """The root's edges, most visits first."""
        return self.root.rows
