"""The terms of selection at one node, and after how many simulations it would choose another move.

The node is copied as a tree of its own, on which selection itself runs: now, and forward in time.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.search.forest import target_weights
from core.search.params import GUMBEL, PUCT, Params
from core.search.rules.terms import NodeTerms, spread
from core.search.selection import edge_terms, may_enter, next_edge, node_terms, select
from core.search.tree import OWN_RULE, PRIOR_ONE, SCHEDULED, Tree, backups, one_node

FORWARD_WORK: Final = 1_000_000  # edges examined to find the switch: some milliseconds


class Switch(NamedTuple):
    """After how many simulations selection would choose another move, if its Q stays the same.

    Assumes that every simulation enters the selected move, returns this move's mean, and that those in flight remain
    so.  After ``after`` of them selection takes edge ``to``; ``to`` -1: it does not within ``after`` of them.
    """

    after: int
    to: int


@dataclass(frozen=True, eq=False)
class Choice:
    """The terms of selection at one node, for the side to move there.  E edges, in the tree's order.

    Simulations in flight count as visits without a value, as in selection.
    """

    node: Tree  # the node alone, as node 0 of a tree by ``one_node``
    params: Params
    total: float  # sum of N over the children, simulations in flight included
    c: float  # this and the next ones as in ``core.search.rules.terms``
    unvisited: float
    unvisited_s: float
    log_total: float
    deviation: float
    scale: float
    log_mass: float
    mean: float  # searched value of the node itself; 0 before any visit
    visited_prior: float  # prior mass of the moves with visits
    next_index: int  # the edge the next simulation enters; -1 when none does: the node is proved
    second_index: int  # the edge of the next best score that may be entered; -1 when there is none
    due: int  # visits that a move needs to be selected now, at a root under Gumbel's schedule; -1 elsewhere
    first_try: bool  # every move of this root is tried once first, whatever the scores
    visits: NDArray[np.int32]  # [E] finished ones
    inflight: NDArray[np.int32]  # [E] simulations in flight
    priors: NDArray[np.float64]  # [E]
    qs: NDArray[np.float64]  # [E]
    ss: NDArray[np.float64]  # [E] score utility
    us: NDArray[np.float64]  # [E]
    scores: NDArray[np.float64]  # [E] q + s + u
    spreads: NDArray[np.float64]  # [E] variance of the values, in [0, 1]; 0 where squares are not kept
    allowed: NDArray[np.bool_]  # [E] may be entered: not proved lost
    target: NDArray[np.float64]  # [E] pi as a net would learn it: pruned under puct, improved under gumbel; sum 1

    @property
    def fpu(self) -> tuple[int, float]:
        """(Code of the rule for moves without visits, its reduction) at this node."""
        if self.node.counts[OWN_RULE] == 0:
            return self.params.root_fpu, self.params.root_fpu_reduction
        return self.params.fpu, self.params.fpu_reduction

    @property
    def has_score(self) -> bool:
        """Whether scores include a score utility."""
        return uses_score(self.node, self.params)

    def lead(self, edge: int) -> float:
        """Mean score lead of a move; NaN where none is known."""
        count = backups(self.node, 1 + edge)
        return float(self.node.lead_sum[1 + edge, 0]) / count if self.node.lead_sum.size and count else float("nan")

    @property
    def margin(self) -> float:
        """Score of the next move over that of the second; NaN when there is no second or both are untried."""
        if self.next_index < 0 or self.second_index < 0:
            return float("nan")
        with np.errstate(invalid="ignore"):
            return float(self.scores[self.next_index] - self.scores[self.second_index])

    @property
    def gumbels(self) -> NDArray[np.float64]:
        """The noise g of each move, [E]; zeros except at a root under Gumbel's schedule."""
        scheduled = int(self.node.counts[SCHEDULED]) > 0
        return self.node.gumbel.astype(np.float64) if scheduled else np.zeros(len(self.qs))

    @cached_property
    def switch(self) -> Switch:
        """After how many simulations another move would be chosen, found by running selection forward."""
        if self.next_index < 0 or int(self.allowed.sum()) < 2:
            return Switch(0, -1)
        if self.scores[self.next_index] == np.inf and int((self.scores == np.inf).sum()) == 1:
            return Switch(0, -1)  # the last untried move: it has no mean yet
        most = FORWARD_WORK // (2 + int(self.node.num_children[0]))
        return Switch(*until_switch(one_node(self.node, 0), self.params, most))


def uses_score(tree: Tree, params: Params) -> bool:
    """Whether the scores of such a search include a score utility."""
    return bool(params.selection == PUCT and params.score_utility > 0 and tree.lead_sum.size)


@jit
def until_switch(tree: Tree, params: Params, most: int) -> tuple[int, int]:
    """Run up to ``most`` simulations through node 0, see ``Switch``; modifies ``tree``, a copy by ``one_node``."""
    first = select(tree, 0, params)
    q = edge_terms(tree, 0, first, params, node_terms(tree, 0, params)).q
    slot = 1 + first
    square = q * q
    lead = 0.0
    if tree.lead_sum.size > 0 and backups(tree, 0) > 0:
        lead = -tree.lead_sum[0, 0] / backups(tree, 0)
    if first < tree.num_children[0]:
        square += spread(tree, slot)
        if tree.lead_sum.size > 0 and backups(tree, slot) > 0:
            lead = tree.lead_sum[slot, 0] / backups(tree, slot)
    for done in range(1, most + 1):
        if first == tree.num_children[0]:
            tree.num_children[0] = first + 1
        tree.visits[slot] += 1
        tree.total[slot] += q
        tree.visits[0] += 1
        tree.total[0] -= q
        if tree.squares.size > 0:
            tree.squares[slot] += square
            tree.squares[0] += square
        if tree.lead_sum.size > 0:
            tree.lead_sum[slot, 0] += lead
            tree.lead_sum[0, 0] -= lead
        edge = select(tree, 0, params)
        if edge != first:
            return done, edge
    return most, -1


class _Edges(NamedTuple):
    """The fields of ``Choice`` with one entry for each edge."""

    qs: NDArray[np.float64]  # [E]
    ss: NDArray[np.float64]  # [E]
    us: NDArray[np.float64]  # [E]
    scores: NDArray[np.float64]  # [E]
    spreads: NDArray[np.float64]  # [E]
    target: NDArray[np.float64]  # [E]
    allowed: NDArray[np.bool_]  # [E]


@jit
def _explain(tree: Tree, params: Params, clean: NDArray[np.uint16], into: _Edges) -> tuple[NodeTerms, float, int, int]:
    """Fill ``into`` for node 0 of ``tree``; returns its terms, the prior mass of the visited edges, and the edges of
    the best and second best score, -1 = none."""
    terms = node_terms(tree, 0, params)
    allowed, scores = into.allowed, into.scores
    chosen = next_edge(tree, 0, params)
    visited = 0.0
    second = -1
    for edge in range(tree.num_edges[0]):
        into.qs[edge], into.ss[edge], into.us[edge], scores[edge] = edge_terms(tree, 0, edge, params, terms)
        allowed[edge] = may_enter(tree, 0, edge, params)
        if edge < tree.num_children[0]:
            into.spreads[edge] = spread(tree, 1 + edge)
            if tree.visits[1 + edge] + tree.inflight[1 + edge] > 0:
                visited += tree.edge_prior[edge] / PRIOR_ONE
        if chosen >= 0 and edge != chosen and allowed[edge] and (second < 0 or scores[edge] > scores[second]):
            second = edge
    target_weights(tree, 0, params, clean, True, into.target)
    return terms, visited, chosen, second


def choice_at(tree: Tree, node: int, params: Params, clean: NDArray[np.uint16] | None = None) -> Choice:
    """The terms of selection at an expanded ``node``; ``clean`` uint16 [E]: its priors before noise."""
    lone = one_node(tree, node)
    n, k = int(lone.num_edges[0]), int(lone.num_children[0])
    qs, ss, us, scores, spreads, target = np.zeros((6, n))
    edges = _Edges(qs, ss, us, scores, spreads, target, np.zeros(n, np.bool_))
    terms, visited, chosen, second = _explain(lone, params, lone.edge_prior if clean is None else clean, edges)
    mass = float(edges.target.sum())
    if mass > 0:
        edges = edges._replace(target=edges.target / mass)
    scheduled = params.selection == GUMBEL and lone.counts[OWN_RULE] == 0 and terms.total < lone.counts[SCHEDULED]
    return Choice(
        node=lone,
        params=params,
        **terms._asdict(),
        mean=-float(lone.total[0]) / backups(lone, 0) if backups(lone, 0) else 0.0,
        visited_prior=float(visited),
        next_index=int(chosen),
        second_index=int(second),
        due=int(lone.schedule[int(terms.total)]) if scheduled else -1,
        first_try=bool(params.root_first and lone.counts[OWN_RULE] == 0 and k < n),
        visits=lone.visits[1:].copy(),
        inflight=lone.inflight[1:].copy(),
        priors=lone.edge_prior / PRIOR_ONE,
        **edges._asdict(),
    )
